use super::patient::{PATIENCE, Patient};
use crate::{
    Debracket, Groups, Hollow, Integers, Lift, Lines, MergeNames, Names, Operators, Strings, Tokens,
};
use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_engine::work::{Chain, Context, Machine, Pass, PassInfo, Views, Work};
use nubbin_view::copies::{Copies as Stretch, copies};
use nubbin_view::tokens::code_in;
use std::sync::Arc;

/// Changes all copies of a stretch of text in the same way.
///
/// If a test needs two equal texts, no change of only one of them is adopted: two files that must
/// be the same, the two queries of a metamorphic test, the key of a table and its uses. This pass
/// finds stretches of at least [five](nubbin_view::copies::MIN_TOKENS) tokens that occur several
/// times, in one file or in several. On the first copy of each stretch, it opens other passes, for
/// lines, brackets, operators, tokens, names, and numbers. Each of their proposals is applied to
/// all copies at once.
///
/// Prefer it at the end, and at the beginning where copies are most of the input.
///
/// Cost: the tests of the passes on one copy. Before the first success, there are at most eight
/// tests per pass, 16 tests per stretch, and 24 tests for all stretches, except for copies of a
/// line or less.
///
/// Source: our own. Simultaneous changes of equal parts are known from the reduction of choice
/// sequences (MacIver, Donaldson: Test-Case Reduction via Test-Case Generation, ECOOP 2020:
/// duplicated blocks), and are made to texts here.
///
/// ```
/// use nubbin_reduce::pass::{Copies, preview};
///
/// let first = preview(&Copies, b"f(g(a), b) == f(g(a), b)", 3);
/// assert_eq!(first, [" == ", "f( b) == f( b)", "f() == f()"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies;

impl Copies {
    /// The number of stretches that are changed, longest first.
    const MAX_STRETCHES: usize = 6;

    /// The number of tests without a success for one stretch, and for all.
    const PATIENCE: [u32; 2] = [16, 24];

    /// The length in bytes up to which a stretch is short, and all proposals about it are made.
    const SHORT: u32 = 64;

    /// Returns whether the copies of one stretch of text make up half of the input.
    pub fn are_most(input: &Input, views: &Views) -> bool {
        let bytes = Copies::bytes(input, views);
        bytes > 0 && bytes * 2 >= input.size()
    }

    /// Returns whether the copies of one stretch of text make up a quarter of the input. This is
    /// true for the predicates in a metamorphic test of a database. For other texts it is a weak
    /// sign, since a reduced text often repeats some words.
    pub fn are_many(input: &Input, views: &Views) -> bool {
        let bytes = Copies::bytes(input, views);
        bytes > 0 && bytes * 4 >= input.size()
    }

    /// Returns the number of bytes in all copies of the stretch with the most of them. Copies in a
    /// large input are not looked for.
    fn bytes(input: &Input, views: &Views) -> usize {
        if input.size() > File::BEGINNING {
            return 0;
        }
        let stretches = stretches(input, views);
        stretches.iter().map(Stretch::bytes).max().unwrap_or(0)
    }
}

impl Pass for Copies {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "copies",
            "changes all copies of a stretch of text in the same way",
            "nubbin; duplicated blocks (MacIver, Donaldson 2020)",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let passes: [&dyn Pass; 11] = [
            &Lines,
            &Groups,
            &Operators,
            &Hollow,
            &Lift,
            &Debracket,
            &Tokens,
            &Strings,
            &Integers,
            &MergeNames::default(),
            &Names,
        ];
        let stretches = stretches(context.input, context.views);
        let works = stretches
            .iter()
            .take(Copies::MAX_STRETCHES)
            .filter_map(|stretch| {
                let span = stretch.first();
                let text = context.input.bytes().get(span.range());
                let mut files = context.input.present();
                let around = files.find(|file| file.span.covers(span));
                let file = text.zip(around).map(|(text, file)| File {
                    text,
                    span,
                    extent: span,
                    name_span: None,
                    ..file
                });
                let starts: Arc<[u32]> = stretch.starts.as_slice().into();
                let mirrored = passes.iter().filter_map(|pass| {
                    let mirrored = Mirrored {
                        machine: pass.open(&file?, context)?.start(context.lists),
                        span,
                        starts: Arc::clone(&starts),
                    };
                    let mirrored = Work::Machine(Box::new(mirrored));
                    Some(match stretch.len <= Copies::SHORT {
                        true => mirrored,
                        false => patient(PATIENCE, mirrored, context),
                    })
                });
                let of_stretch = Chain::work(mirrored, context.lists)?;
                Some(match stretch.len <= Copies::SHORT {
                    true => of_stretch,
                    false => patient(Copies::PATIENCE[0], of_stretch, context),
                })
            });
        let works: Vec<Work> = works.collect();
        let all = Chain::work(works, context.lists)?;
        let longest = stretches.first()?.len;
        Some(match longest <= Copies::SHORT {
            true => all,
            false => patient(Copies::PATIENCE[1], all, context),
        })
    }
}

fn patient(patience: u32, work: Work, context: &Context<'_>) -> Work {
    let machine = work.start(context.lists);
    Work::Machine(Box::new(Patient::with(patience, machine)))
}

fn stretches(input: &Input, views: &Views) -> Vec<Stretch> {
    let of_file = |file: File<'_>| {
        let at = file.span.start;
        let spans = code_in(views, file.text).map(|token| token.span);
        let spans = spans.map(|span| Span::new(span.start + at, span.end + at));
        spans.collect::<Vec<_>>()
    };
    let tokens: Vec<Vec<Span>> = input.present().map(of_file).collect();
    copies(input.bytes(), &tokens)
}

/// A machine whose proposals, which are about one copy, are made in all of them.
struct Mirrored {
    machine: Box<dyn Machine>,
    /// The copy to which the proposals apply.
    span: Span,
    /// The starts of the copies.
    starts: Arc<[u32]>,
}

impl Machine for Mirrored {
    fn next(&mut self) -> Option<Edit> {
        let edit = self.machine.next()?;
        let is_within = |splice: &Splice| self.span.covers(splice.span);
        if !edit.splices().iter().all(is_within) {
            return Some(Edit::none());
        }
        let from = self.span.start;
        let splices = self.starts.iter().flat_map(|&start| {
            let moved = move |at: u32| start + (at - from);
            edit.splices().iter().map(move |splice| Splice {
                span: Span::new(moved(splice.span.start), moved(splice.span.end)),
                ..splice.clone()
            })
        });
        Some(Edit::new(splices).unwrap_or_default())
    }

    fn record(&mut self, adopted: bool) {
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Mirrored {
            machine: self.machine.fork(),
            span: self.span,
            starts: Arc::clone(&self.starts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_input, reduce_with};

    #[test]
    fn two_equal_files_stay_equal() {
        let text = b"check(alpha, gamma(delta, crash), zeta)\n";
        let input = Input::files([("a", text.to_vec()), ("b", text.to_vec())]).unwrap();
        let count = |text: &[u8], wanted| text.iter().filter(|&&byte| byte == wanted).count();
        let left = reduce_input(&Copies, input, |input| {
            let text = |number| input.file(number).map(|file| file.text.to_vec());
            let first = text(0).unwrap();
            text(1).as_ref() == Some(&first)
                && count(&first, b'(') > 0
                && count(&first, b'(') == count(&first, b')')
                && first.windows(5).any(|w| w == b"crash")
        });
        let of_file = |number| left.file(number).unwrap().text.to_vec();
        assert_eq!([of_file(0), of_file(1)], [b"(crash)\n", b"(crash)\n"]);
    }

    #[test]
    fn copies_in_one_text_stay_equal_and_the_rest_is_left_alone() {
        let text = b"x = (a + 1000 * b) / c;\ny = (a + 1000 * b) / d;\n";
        let left = reduce_with(&Copies, text, |text| {
            let text = std::str::from_utf8(text).unwrap();
            let mut lines = text
                .lines()
                .map(|line| line.trim_end_matches(['c', 'd', ';', ' ']));
            let (first, second) = (lines.next().unwrap(), lines.next().unwrap_or(""));
            first.strip_prefix("x") == second.strip_prefix("y")
                && first.contains('*')
                && first.contains('a')
        });
        let left = String::from_utf8(left).unwrap();
        // The sign after the brackets is in both copies.
        assert_eq!(left, "x a*  c;\ny a*  d;\n");
    }

    #[test]
    fn a_text_without_copies_is_left_alone() {
        assert!(proposals(&Copies, b"f(a, b); f(a, c);").is_empty());
    }

    #[test]
    fn short_copies_are_tried_to_the_end() {
        let text = b"first = {\"\": 0, \"\": \"bug\"}\nother = {\"\": 0, \"\": \"bug\"}\n";
        let same = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let mut lines = text.lines().map(|line| line.split_once('='));
            let (first, second) = (lines.next().flatten(), lines.next().flatten());
            let values = first
                .zip(second)
                .map(|((_, one), (_, other))| (one.trim(), other.trim()));
            values.is_some_and(|(one, other)| one == other && one.contains("\"bug\""))
        };
        let left = String::from_utf8(reduce_with(&Copies, text, same)).unwrap();
        let spaceless: Vec<String> = left.lines().map(|line| line.replace(' ', "")).collect();
        assert_eq!(spaceless, ["first=\"bug\"", "other=\"bug\""]);
    }

    #[test]
    fn a_wrong_guess_costs_few_tests() {
        let half: String = (0..500)
            .map(|nth| format!("f{nth}(a{nth}, {nth});\n"))
            .collect();
        let text = [half.as_str(), "x", half.as_str()].concat();
        assert!(proposals(&Copies, text.as_bytes()).len() <= 24);
    }
}
