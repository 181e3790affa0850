use nubbin_edit::{Edit, File, Fingerprint, Input, Splice};
use nubbin_engine::work::{Context, List, Lists, Machine, Pass, PassInfo, Proposals, Taken, Work};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A source of changes from outside: a program of the user, or a tool for one language.
pub trait Proposer: Send + Sync {
    /// Returns changes to the text of `file`, counted from its first byte, ordered by position if
    /// there is no better order. `input` has all files. `last` has the results of the previous
    /// list, in its order.
    ///
    /// The method is called on the thread of the engine, once for each input on which its pass is
    /// opened. The list must depend only on the arguments, so that every run is the same. It may be
    /// empty. A change beyond the end of the file is left out.
    fn propose(&self, file: &File<'_>, input: &Input, last: &[Answer]) -> Vec<Edit>;
}

/// The result of a proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// It was not tested by itself.
    #[default]
    Untested,
    /// It was adopted.
    Adopted,
    /// It was rejected: its candidate does not fail, or is not better.
    Rejected,
}

/// Proposes the changes of a [`Proposer`].
///
/// The proposer makes a list of changes to the present text. They are units of a list, so a list
/// minimizer takes many of them in one test, and the rest of the list remains valid after some of
/// them have been adopted. The proposer is asked once for each text, before the first test. Forks
/// of the machine share the list and never ask, so prefetching adds no calls. When the proposer is
/// asked for another text, it gets the result of each change.
///
/// The pass wins where a change needs knowledge that no pass has: types, the meaning of names, a
/// format. It costs the time of the proposer, during which no test starts, and about as many tests
/// as there are proposals.
///
/// Source: the clang passes of C-Reduce (Regehr, Chen, Cuoq, Eide, Ellison, Yang, "Test-Case
/// Reduction for C Compiler Bugs", PLDI 2012), which are separate programs that a reducer calls.
/// Lists of changes that merge, in place of one text at a time, are our addition.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::engine::Reduction;
/// use nubbin_reduce::input::{File, Input};
/// use nubbin_reduce::pass::{Answer, Proposed, Proposer};
/// use nubbin_reduce::plan::Plan;
/// use nubbin_reduce::span::Span;
/// use nubbin_verdict::Closure;
/// use std::sync::Arc;
///
/// struct Halve;
///
/// impl Proposer for Halve {
///     fn propose(&self, file: &File<'_>, _: &Input, _: &[Answer]) -> Vec<Edit> {
///         vec![Edit::delete(Span::at(0, file.text.len() / 2..file.text.len()))]
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
    /// The lists, by the number of the file.
    lists: Mutex<FxHashMap<usize, Asked>>,
}

/// The list for one input.
struct Asked {
    input: Fingerprint,
    edits: Arc<[Edit]>,
    answers: Answers,
}

/// Shared with the machine that follows the sequential path.
type Answers = Arc<Mutex<Vec<Answer>>>;

impl Proposed {
    /// Creates a pass of this name.
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
            let last = before.map_or_else(Vec::new, |asked| lock(&asked.answers).clone());
            let edits = self.proposer.propose(file, context.input, &last);
            let answers = vec![Answer::default(); edits.len()];
            let edits = edits.iter().map(|edit| in_input(edit, file));
            lists.insert(
                file.number,
                Asked {
                    input,
                    edits: edits.collect(),
                    answers: Arc::new(Mutex::new(answers)),
                },
            );
        }
        let asked = lists.get(&file.number)?;
        if asked.edits.is_empty() {
            return None;
        }
        // List minimizers assume that not all units can be taken together. This is not true of
        // proposals, least of all of a single one.
        let list = List::new(Proposals::new(Arc::clone(&asked.edits))).try_all();
        Some(Work::Machine(Box::new(Listener::new(
            list,
            context.lists,
            &asked.answers,
        ))))
    }
}

/// Returns an edit of the file as an edit of the input. An edit outside this file changes nothing.
fn in_input(edit: &Edit, file: &File<'_>) -> Edit {
    let len = file.span.len();
    if edit.splices().iter().any(|splice| splice.span.end > len) {
        return Edit::none();
    }
    let start = file.span.start;
    let moved = edit.splices().iter().map(|splice| Splice {
        span: nubbin_edit::Span::new(start + splice.span.start, start + splice.span.end),
        text: splice.text.clone(),
        rank: splice.rank,
    });
    Edit::from_sorted(moved)
}

/// Works through a list and records the results.
struct Listener {
    machine: Box<dyn Machine>,
    /// `None` in a fork, whose results are guesses.
    answers: Option<Answers>,
}

impl Listener {
    fn new(list: List, lists: &Lists, answers: &Answers) -> Self {
        Listener {
            machine: Work::List(list).start(lists),
            answers: Some(Arc::clone(answers)),
        }
    }
}

impl Machine for Listener {
    fn next(&mut self) -> Option<Edit> {
        self.machine.next()
    }

    fn record(&mut self, adopted: bool) {
        if let (Some(answers), Some(taken)) = (&self.answers, self.machine.taken()) {
            let count: u32 = taken
                .units
                .iter()
                .map(|units| units.end - units.start)
                .sum();
            let answer = match (adopted, count) {
                (true, _) => Some(Answer::Adopted),
                (false, 1) => Some(Answer::Rejected),
                // The responsible change is unknown.
                _ => None,
            };
            let mut answers = lock(answers);
            for unit in taken.units.iter().cloned().flatten() {
                if let (Some(answer), Some(old)) = (answer, answers.get_mut(unit as usize)) {
                    *old = answer;
                }
            }
        }
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Listener {
            machine: self.machine.fork(),
            answers: None,
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        self.machine.taken()
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

    /// A text, and the results of the list before.
    type Question = (String, Vec<Answer>);

    /// Proposes to delete each word, and records its arguments.
    #[derive(Default)]
    struct Words {
        asked: Mutex<Vec<Question>>,
    }

    impl Proposer for Words {
        fn propose(&self, file: &File<'_>, _: &Input, last: &[Answer]) -> Vec<Edit> {
            let text = String::from_utf8(file.text.to_vec()).unwrap();
            let words = text.split_inclusive(' ');
            let edits = words.scan(0, |at, word| {
                let start = *at;
                *at += word.len() as u32;
                Some(Edit::delete(Span::new(start, *at)))
            });
            let edits = edits.collect();
            lock(&self.asked).push((text, last.to_vec()));
            edits
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
        assert!(in_input(&Edit::delete(Span::new(1, 4)), &first).is_none());
        let second = input.file(1).unwrap();
        let moved = in_input(&Edit::delete(Span::new(0, 1)), &second);
        assert_eq!(moved, Edit::delete(second.span));
    }
}
