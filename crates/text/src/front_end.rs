use nubbin_edit::{Edit, File, Fingerprint, Span, Splice};
use nubbin_engine::work::{Context, Machine, Pass, PassInfo, Work};
use std::sync::Arc;

/// A source of slices of a text: changes that keep the parts that the failure needs, according to
/// the front end of a compiler.
pub trait Slicer: Send + Sync {
    /// Returns the change that reduces the text to the slice with the given number, counted from
    /// the first byte of the text. Waits until the slice is computed. Returns `None` if there are
    /// fewer slices.
    ///
    /// The result must be the same for the same number, so that every run is the same.
    fn slice(&self, number: usize) -> Option<Arc<Edit>>;
}

/// Keeps the parts that the front end of a compiler reports as needed, and removes all other parts
/// in one test.
///
/// A [`Slicer`] makes slices of the original, from those that keep the least. The slices are tested
/// in this order until one is adopted. The pass does nothing on any other text than the original.
///
/// Prefer it to all others as the first pass where a front end knows the language: it knows which
/// declaration a name means, and which parts of a template are used. The pass removes nothing
/// within functions.
///
/// Cost: one test if the smallest slice fails, and at most three tests. A test begins when its
/// slice is computed.
///
/// Source: nubbin. Slicing a program from the position of its failure comes from Weiser: Program
/// Slicing, ICSE 1981.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::engine::Reduction;
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::pass::{FrontEnd, Slicer};
/// use nubbin_reduce::plan::Plan;
/// use nubbin_reduce::span::Span;
/// use nubbin_verdict::Closure;
/// use std::sync::Arc;
///
/// /// Its first slice lacks something.
/// struct KnownSlices;
///
/// impl Slicer for KnownSlices {
///     fn slice(&self, number: usize) -> Option<Arc<Edit>> {
///         let removed = [Span::new(0, 14), Span::new(0, 7)];
///         Some(Arc::new(Edit::delete(*removed.get(number)?)))
///     }
/// }
///
/// let input = Input::single("x.c", "int a; int b; int c = b;")?;
/// let oracle = Closure::new(|text: &[u8]| text.ends_with(b"int b; int c = b;"));
/// let pass = FrontEnd::new(&input, 0, Arc::new(KnownSlices));
/// let outcome = Reduction::new(input, &oracle, Plan::of(vec![Arc::new(pass)])).run()?;
/// assert_eq!(outcome.input.bytes(), b"int b; int c = b;");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FrontEnd {
    original: Fingerprint,
    file: usize,
    slicer: Arc<dyn Slicer>,
}

impl FrontEnd {
    /// The maximum number of slices that are tested.
    pub const MAX_SLICES: usize = 3;

    /// Creates the pass for one file of the original.
    pub fn new(original: &nubbin_edit::Input, file: usize, slicer: Arc<dyn Slicer>) -> Self {
        FrontEnd {
            original: original.fingerprint(),
            file,
            slicer,
        }
    }
}

impl Pass for FrontEnd {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "front-end",
            "keeps what the front end of a compiler says is needed",
            "nubbin, after program slicing (Weiser, ICSE 1981)",
        )
        .asking_outside()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let is_original = context.input.fingerprint() == self.original;
        (is_original && file.number == self.file).then(|| {
            Work::Machine(Box::new(Slices {
                slicer: Arc::clone(&self.slicer),
                file: file.span,
                number: 0,
                asked: None,
                waits: true,
            }))
        })
    }
}

/// The search of [`FrontEnd`].
#[derive(Clone)]
struct Slices {
    slicer: Arc<dyn Slicer>,
    file: Span,
    number: usize,
    asked: Option<Edit>,
    /// Whether the machine waits for a slice. A fork does not wait: the engine asks the fork for
    /// the next test, and has other verdicts to handle in the meantime.
    waits: bool,
}

impl Machine for Slices {
    fn next(&mut self) -> Option<Edit> {
        while self.waits && self.asked.is_none() && self.number < FrontEnd::MAX_SLICES {
            let slice = self.slicer.slice(self.number)?;
            match in_input(&slice, self.file) {
                Some(edit) => self.asked = Some(edit),
                None => self.number += 1,
            }
        }
        self.asked.clone()
    }

    fn record(&mut self, adopted: bool) {
        self.asked = None;
        self.number = match adopted {
            true => FrontEnd::MAX_SLICES,
            false => self.number + 1,
        };
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Slices {
            waits: false,
            ..self.clone()
        })
    }
}

/// Returns a change of the file as one of the input, if it changes something, and nothing beyond
/// the end of the file.
fn in_input(edit: &Edit, file: Span) -> Option<Edit> {
    let splices = edit.splices();
    let is_within = splices.iter().all(|splice| splice.span.end <= file.len());
    let moved = splices.iter().map(|splice| Splice {
        span: Span::new(file.start + splice.span.start, file.start + splice.span.end),
        text: splice.text.clone(),
        rank: splice.rank,
    });
    (is_within && !splices.is_empty()).then(|| Edit::from_sorted(moved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Input;
    use nubbin_engine::Reduction;
    use nubbin_engine::plan::Plan;
    use nubbin_verdict::Closure;

    /// The tests of the original and of the result.
    const AROUND: u64 = 2;

    struct KnownSlices(Vec<Edit>);

    impl Slicer for KnownSlices {
        fn slice(&self, number: usize) -> Option<Arc<Edit>> {
            self.0.get(number).cloned().map(Arc::new)
        }
    }

    /// Returns the result for slices that delete these ranges, and the number of tests.
    fn run(gone: &[std::ops::Range<u32>], fails: impl Fn(&[u8]) -> bool + Sync) -> (String, u64) {
        let input = Input::single("a", "cdefgh").unwrap();
        let edits = gone
            .iter()
            .map(|range| Edit::delete(Span::new(range.start, range.end)));
        let pass = FrontEnd::new(&input, 0, Arc::new(KnownSlices(edits.collect())));
        let oracle = Closure::new(|text: &[u8]| fails(text));
        let plan = Plan::of(vec![Arc::new(pass)]);
        let outcome = Reduction::new(input, &oracle, plan).run().unwrap();
        let text = String::from_utf8_lossy(outcome.input.bytes()).into_owned();
        (text, outcome.statistics.tests)
    }

    #[test]
    fn a_slice_of_a_later_file_is_a_change_of_that_file() {
        let files = [("a", b"ab".to_vec()), ("b", b"cd".to_vec())];
        let input = Input::files(files).unwrap();
        let second = input.file(1).unwrap().span;
        let moved = in_input(&Edit::delete(Span::new(0, 1)), second).unwrap();
        let expected = Edit::delete(Span::new(second.start, second.start + 1));
        assert_eq!(moved, expected);
    }

    #[test]
    fn the_first_slice_that_fails_is_the_last_that_is_tested() {
        let (text, tests) = run(&[0..6, 1..6, 2..6], |text| text.contains(&b'c'));
        assert_eq!(text, "c");
        assert_eq!(tests, 2 + AROUND);
    }

    #[test]
    fn a_slice_beyond_the_end_of_the_file_is_left_out() {
        let (text, tests) = run(&[0..9, 2..2, 5..6], |text| text.contains(&b'c'));
        assert_eq!(text, "cdefg");
        assert_eq!(tests, 1 + AROUND);
    }

    #[test]
    fn three_slices_that_do_not_fail_are_the_end() {
        let gone = [0..6, 1..6, 2..6, 0..1];
        let (text, tests) = run(&gone, |text| text.contains(&b'h'));
        assert_eq!(text, "cdefgh");
        assert_eq!(tests, 3 + AROUND);
    }

    /// Has one slice, and must not be asked for another one.
    struct OneSlice;

    impl Slicer for OneSlice {
        fn slice(&self, number: usize) -> Option<Arc<Edit>> {
            assert_eq!(number, 0, "nobody waits for this slice");
            Some(Arc::new(Edit::delete(Span::new(0, 2))))
        }
    }

    #[test]
    fn a_fork_does_not_wait_for_the_next_slice() {
        let input = Input::single("x.c", "a b c").unwrap();
        let pass = FrontEnd::new(&input, 0, Arc::new(OneSlice));
        let views = nubbin_engine::work::Views::default();
        let context = Context::of(&input, &views);
        let work = pass.open(&input.file(0).unwrap(), &context).unwrap();
        let mut machine = work.start(context.lists);
        let first = machine.next();
        assert!(first.is_some());
        let mut fork = machine.fork();
        assert_eq!(fork.next(), first);
        fork.record(false);
        assert_eq!(fork.next(), None);
    }
}
