use nubbin_edit::{Edit, File, Fingerprint, Input, Splice};
use nubbin_engine::work::{Context, List, Lists, Machine, Pass, PassInfo, Proposals, Taken, Work};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An external source of changes: a program of the user, or a tool for one language.
pub trait Proposer: Send + Sync {
    /// Returns changes to the text of `file`, counted from its first byte, ordered by position if
    /// there is no better order. `input` has all files. `last` has the results of the previous
    /// list, in its order.
    ///
    /// The method is called on the thread of the engine, once for each input on which its pass is
    /// opened. So is the iterator, which may wait for a program: the first changes are tested
    /// before it is asked for more. The list must depend only on the arguments, so that every run
    /// is the same. It may be empty. A change beyond the end of the file is left out.
    fn propose(&self, file: &File<'_>, input: &Input, last: &[Answer]) -> Changes;
}

/// The changes of a [`Proposer`], which may be computed while other changes are tested.
pub type Changes = Box<dyn Iterator<Item = Edit> + Send>;

/// The result of a proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// The proposal was not tested by itself.
    #[default]
    Untested,
    /// The proposal was adopted.
    Adopted,
    /// The proposal was rejected: its candidate does not fail, or is not better.
    Rejected,
}

/// Proposes the changes of a [`Proposer`].
///
/// The proposer returns a list of changes of the current text. The changes are units of lists, so a
/// list minimizer can make many changes in one test, and the rest of a list remains valid after
/// some changes have been adopted. The first list has one change. Every other list has as many
/// changes as all lists before it together, so that tests begin before the proposer has exited, and
/// do not depend on timing. The proposer is called once for each text. Forks of the machine share
/// the lists and never call the proposer, so prefetching adds no calls. When the proposer is called
/// for another text, it receives the result of each change.
///
/// The pass wins where a change needs knowledge that no pass has: types, the meaning of names, a
/// format. The pass costs the time of the proposer up to the next changes, during which no test
/// starts, and about as many tests as there are proposals.
///
/// Source: C-Reduce's clang passes (Regehr, Chen, Cuoq, Eide, Ellison, Yang, "Test-Case
/// Reduction for C Compiler Bugs", PLDI 2012), which are separate programs that a reducer calls.
/// Lists of changes that merge, in place of one text at a time, are our addition.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::engine::Reduction;
/// use nubbin_reduce::input::{File, Input};
/// use nubbin_reduce::pass::{Answer, Changes, Proposed, Proposer};
/// use nubbin_reduce::plan::Plan;
/// use nubbin_reduce::span::Span;
/// use nubbin_verdict::Closure;
/// use std::sync::Arc;
///
/// struct Halve;
///
/// impl Proposer for Halve {
///     fn propose(&self, file: &File<'_>, _: &Input, _: &[Answer]) -> Changes {
///         let half = Span::at(0, file.text.len() / 2..file.text.len());
///         Box::new(std::iter::once(Edit::delete(half)))
///     }
/// }
///
/// let input = Input::single("x", "abcdefgh").unwrap();
/// let oracle = Closure::new(|bytes: &[u8]| bytes.starts_with(b"ab"));
/// let plan = Plan::of(vec![Arc::new(Proposed::new("halve", "the first half", Arc::new(Halve)))]);
/// let outcome = Reduction::new(input, &oracle, plan).run().unwrap();
/// assert_eq!(outcome.input.bytes(), b"ab");
/// ```
pub struct Proposed {
    id: &'static str,
    about: &'static str,
    proposer: Arc<dyn Proposer>,
    /// The lists of changes, by the number of the file.
    lists: Mutex<FxHashMap<usize, Asked>>,
}

/// The changes for one input.
struct Asked {
    input: Fingerprint,
    shared: Arc<Mutex<ChangeList>>,
}

/// The changes that a proposer made to one text, and their results. The machines of the text share
/// them.
struct ChangeList {
    /// The changes received so far.
    edits: Vec<Edit>,
    /// The remaining changes; `None` after the last change.
    rest: Option<Changes>,
    /// The offset of the file in the input, to which changes are moved.
    start: u32,
    /// The length of the file.
    len: u32,
    answers: Vec<Answer>,
}

impl ChangeList {
    /// Waits until there are as many changes, or no more.
    fn hear(&mut self, count: usize) {
        while self.edits.len() < count
            && let Some(rest) = &mut self.rest
        {
            match rest.next() {
                Some(edit) => {
                    self.edits.push(in_input(&edit, self.start, self.len));
                    self.answers.push(Answer::default());
                }
                None => self.rest = None,
            }
        }
    }
}

impl Proposed {
    /// Creates a pass with the given name.
    pub fn new(id: &'static str, about: &'static str, proposer: Arc<dyn Proposer>) -> Self {
        Proposed {
            id,
            about,
            proposer,
            lists: Mutex::default(),
        }
    }
}

impl Pass for Proposed {
    fn info(&self) -> PassInfo {
        PassInfo::new(self.id, self.about, "outside: `--proposer`").asking_outside()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let input = context.input.fingerprint();
        let mut lists = lock(&self.lists);
        let before = lists.get(&file.number);
        if before.is_none_or(|asked| asked.input != input) {
            let last = before.map_or_else(Vec::new, |asked| lock(&asked.shared).answers.clone());
            // A proposer returns one list at a time.
            for (_, asked) in lists.iter().filter(|(number, _)| **number != file.number) {
                lock(&asked.shared).hear(usize::MAX);
            }
            lists.remove(&file.number);
            let list = ChangeList {
                edits: vec![],
                rest: Some(self.proposer.propose(file, context.input, &last)),
                start: file.span.start,
                len: file.span.len(),
                answers: vec![],
            };
            let shared = Arc::new(Mutex::new(list));
            lists.insert(file.number, Asked { input, shared });
        }
        let shared = Arc::clone(&lists.get(&file.number)?.shared);
        let is_empty = {
            let mut list = lock(&shared);
            list.hear(1);
            list.edits.is_empty()
        };
        (!is_empty).then(|| Work::Machine(Box::new(Listener::new(shared, context.lists))))
    }
}

/// Returns an edit of a file as an edit of the input. An edit outside this file changes nothing.
fn in_input(edit: &Edit, start: u32, len: u32) -> Edit {
    if edit.splices().iter().any(|splice| splice.span.end > len) {
        return Edit::none();
    }
    let moved = edit.splices().iter().map(|splice| Splice {
        span: nubbin_edit::Span::new(start + splice.span.start, start + splice.span.end),
        text: splice.text.clone(),
        rank: splice.rank,
    });
    Edit::from_sorted(moved)
}

/// Works through the changes of a proposer, in lists, and records the results.
struct Listener {
    shared: Arc<Mutex<ChangeList>>,
    lists: Lists,
    /// The index of the first change of the current list.
    first: usize,
    /// The index after the last change of the current list.
    end: usize,
    machine: Option<Box<dyn Machine>>,
    /// Whether the machine is a fork. The results of a fork are guesses, and a fork requests no
    /// changes.
    is_fork: bool,
}

impl Listener {
    fn new(shared: Arc<Mutex<ChangeList>>, lists: &Lists) -> Self {
        Listener {
            shared,
            lists: lists.clone(),
            first: 0,
            end: 0,
            machine: None,
            is_fork: false,
        }
    }

    /// Begins the next list. Returns whether there is one.
    fn begin(&mut self) -> bool {
        let mut list = lock(&self.shared);
        let wanted = 2 * self.end.max(1) - usize::from(self.end == 0);
        if !self.is_fork {
            list.hear(wanted);
        }
        let end = wanted.min(list.edits.len());
        if end == self.end || end < wanted && list.rest.is_some() {
            return false;
        }
        (self.first, self.end) = (self.end, end);
        // List minimizers assume that not all units can be removed together. This is not true of
        // proposals, and least of all of a single one.
        let units = List::new(Proposals::new(&list.edits[self.first..end])).try_all();
        self.machine = Some(Work::List(units).start(&self.lists));
        true
    }
}

impl Machine for Listener {
    fn next(&mut self) -> Option<Edit> {
        loop {
            if let Some(edit) = self.machine.as_mut().and_then(|machine| machine.next()) {
                return Some(edit);
            }
            if !self.begin() {
                return None;
            }
        }
    }

    fn record(&mut self, adopted: bool) {
        let Some(machine) = &mut self.machine else {
            return;
        };
        if let (false, Some(taken)) = (self.is_fork, machine.taken()) {
            let count: u32 = taken
                .units
                .iter()
                .map(|units| units.end - units.start)
                .sum();
            let answer = match (adopted, count) {
                (true, _) => Some(Answer::Adopted),
                (false, 1) => Some(Answer::Rejected),
                // It is unknown which change is responsible.
                _ => None,
            };
            let mut list = lock(&self.shared);
            for unit in taken.units.iter().cloned().flatten() {
                let old = list.answers.get_mut(self.first + unit as usize);
                if let (Some(answer), Some(old)) = (answer, old) {
                    *old = answer;
                }
            }
        }
        machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Listener {
            shared: Arc::clone(&self.shared),
            lists: self.lists.clone(),
            machine: self.machine.as_ref().map(|machine| machine.fork()),
            is_fork: true,
            ..*self
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        self.machine.as_ref()?.taken()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Span;
    use nubbin_engine::Reduction;
    use nubbin_engine::plan::Plan;
    use nubbin_verdict::Closure;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A text, and the results of the list before.
    type Question = (String, Vec<Answer>);

    /// Proposes to delete each word, and records its arguments.
    #[derive(Default)]
    struct Words {
        asked: Mutex<Vec<Question>>,
    }

    impl Proposer for Words {
        fn propose(&self, file: &File<'_>, _: &Input, last: &[Answer]) -> Changes {
            let text = String::from_utf8(file.text.to_vec()).unwrap();
            let words = text.split_inclusive(' ');
            let edits = words.scan(0, |at, word| {
                let start = *at;
                *at += word.len() as u32;
                Some(Edit::delete(Span::new(start, *at)))
            });
            let edits: Vec<Edit> = edits.collect();
            lock(&self.asked).push((text, last.to_vec()));
            Box::new(edits.into_iter())
        }
    }

    fn run(jobs: Option<usize>) -> (Vec<u8>, u64, Vec<Question>) {
        let words = Arc::new(Words::default());
        let pass = Proposed::new("words", "words", Arc::clone(&words) as Arc<dyn Proposer>);
        let plan = Plan::of(vec![Arc::new(pass)]);
        let oracle = Closure::new(|bytes: &[u8]| {
            let has = |word: &[u8]| bytes.windows(word.len()).any(|found| found == word);
            has(b"one") && has(b"four")
        });
        let files = [("a", "one two three four "), ("b", "five six")]
            .map(|(name, text)| (name, text.as_bytes().to_vec()));
        let mut reduction = Reduction::new(Input::files(files).unwrap(), &oracle, plan);
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        let bytes = outcome.input.bytes().to_vec();
        let asked = lock(&words.asked).clone();
        (bytes, outcome.statistics.tests, asked)
    }

    #[test]
    fn a_proposer_is_asked_once_for_each_text_and_gets_its_results() {
        use Answer::{Adopted, Rejected};
        let (bytes, _, asked) = run(None);
        assert!(bytes.starts_with(b"one four \0"), "{bytes:?}");
        let of = |word: &str| -> Vec<_> {
            asked
                .iter()
                .filter(|(text, _)| text.contains(word))
                .cloned()
                .collect()
        };
        let about_a = of("one");
        assert_eq!(about_a[0], ("one two three four ".to_owned(), vec![]));
        let told = vec![Rejected, Adopted, Adopted, Rejected];
        assert_eq!(about_a[1], ("one four ".to_owned(), told));
        let mut texts: Vec<_> = asked
            .iter()
            .map(|(text, last)| (text, last.len()))
            .collect();
        let all = texts.len();
        texts.dedup();
        assert_eq!(texts.len(), all, "{asked:?}");
    }

    #[test]
    fn the_run_is_the_same_for_any_number_of_workers() {
        assert_eq!(run(None), run(Some(4)));
    }

    #[test]
    fn changes_beyond_the_end_of_the_file_are_left_out() {
        let input = Input::files([("a", b"xy".to_vec()), ("b", b"z".to_vec())]).unwrap();
        let first = input.file(0).unwrap();
        let of = |edit: Edit, file: &File<'_>| in_input(&edit, file.span.start, file.span.len());
        assert!(of(Edit::delete(Span::new(1, 4)), &first).is_none());
        let second = input.file(1).unwrap();
        let moved = of(Edit::delete(Span::new(0, 1)), &second);
        assert_eq!(moved, Edit::delete(second.span));
    }
    /// Proposes to delete each byte, and counts the proposals that were asked for.
    struct Bytes(Arc<AtomicUsize>);

    impl Proposer for Bytes {
        fn propose(&self, file: &File<'_>, _: &Input, _: &[Answer]) -> Changes {
            let made = Arc::clone(&self.0);
            let all = (0..file.text.len() as u32).map(move |at| {
                made.fetch_add(1, Ordering::Relaxed);
                Edit::delete(Span::new(at, at + 1))
            });
            Box::new(all)
        }
    }

    #[test]
    fn changes_are_tested_before_all_are_made() {
        let made = Arc::new(AtomicUsize::new(0));
        let seen = Mutex::new(vec![]);
        let proposer = Arc::new(Bytes(Arc::clone(&made)));
        let plan = Plan::of(vec![Arc::new(Proposed::new("bytes", "bytes", proposer))]);
        let oracle = Closure::new(|bytes: &[u8]| {
            lock(&seen).push(made.load(Ordering::Relaxed));
            bytes.len() == 100
        });
        let input = Input::single("x", vec![b'x'; 100]).unwrap();
        Reduction::new(input, &oracle, plan).run().unwrap();
        let seen = lock(&seen).clone();
        let first = seen.iter().find(|made| **made > 0);
        assert_eq!(first, Some(&1), "{seen:?}");
        assert_eq!(made.load(Ordering::Relaxed), 100);
    }
}
