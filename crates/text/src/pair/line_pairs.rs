use super::patient::{PATIENCE, Patient};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Chain, Context, Forest, List, Lists, Nested, OneByOne, Pass, PassInfo, Proposals, Spans, Units,
    Work,
};
use nubbin_view::line_pairs::{Family, LinePair, LinePairs as View};

/// Removes pairs of lines around others: `#if` and `#endif`, `begin` and `end`, `open a` and `close
/// a`; and pairs of tags in templates: `{% if a %}` and `{% endif %}`.
///
/// The [view](nubbin_view::line_pairs::LinePairs) finds them without a grammar, and in families:
/// lines with a word of a table and its partner, tags of a template, and lines that begin with two
/// words that occur equally often and nest, or nearly so in a log. First it removes the lines of
/// all pairs of each family. For each family it then removes the lines of many pairs and keeps what
/// is between them, as [`Unwrap`](crate::Unwrap) does for elements; of a pair with `else`, it keeps
/// the first part, and then the last one. Then it removes pairs with all lines between them, from
/// the outside in.
///
/// Brackets and elements have passes of their own. Prefer this one for preprocessor directives,
/// templates, scripts with `end`, traces of calls, transactions, and tests of stateful programs.
///
/// Cost: one test per needed pair, few where runs of pairs can be removed, and at most eight per
/// step of a family before the first success.
///
/// Source: our own. Unwrapping comes from picireny (Vince, Hodován, Bársony, Kiss: Extending
/// Hierarchical Delta Debugging with Hoisting, AST 2021). C-Vise and C-Reduce have `unifdef` for
/// directives alone.
///
/// ```
/// use nubbin_reduce::pass::{LinePairs, preview};
///
/// let first = preview(&LinePairs, b"push 1\npush 2\ncrash\npop\npop\n", 2);
/// assert_eq!(first, ["crash\n", "push 2\ncrash\npop\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LinePairs;

impl LinePairs {
    /// The number of lines up to which pairs of any words are worth an early test.
    const MAX_LINES: usize = 64;

    /// Returns whether a file is short and consists mostly of pairs, or is a log and consists
    /// mostly of pairs of known words.
    pub fn are_most(file: &File<'_>) -> bool {
        let view = View::of(file.beginning().text);
        let is_short = view.lines <= LinePairs::MAX_LINES && view.share() > 0.5;
        is_short || view.is_log && view.known_share() > 0.5
    }
}

impl Pass for LinePairs {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "line-pairs",
            "removes pairs of lines and keeps what is between them",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let view = context.views.of::<View>(file.text);
        let at = file.span.start;
        let unwrapped_all = |family: &Family, keeps_last: bool| -> Vec<Edit> {
            let pairs = family.iter();
            let pairs = pairs.filter(|pair| !keeps_last || !pair.parts.is_empty());
            pairs.map(|pair| unwrapped(pair, at, keeps_last)).collect()
        };
        // The pairs of one family may be needed only until the pairs of another family are removed.
        let firsts = view.families.iter();
        let firsts = firsts.map(|family| together(unwrapped_all(family, false)));
        let works = view.families.iter().flat_map(|family| {
            let first = Work::List(List::new(Proposals::new(unwrapped_all(family, false))));
            let last = removals(unwrapped_all(family, true), context.lists);
            let wholes = family
                .iter()
                .map(|pair| Span::new(pair.open.start + at, pair.close.end + at));
            let nested = Nested::of(wholes);
            let wholes = Forest::new(Spans::new(nested.spans), &nested.parents).walk();
            let patience = PATIENCE - TOGETHER as u32;
            let first = Patient::with(patience, first.start(context.lists));
            let rest = [last, wholes].into_iter().flatten();
            let rest = rest.map(|work| patient(work, context.lists));
            [Work::Machine(Box::new(first))].into_iter().chain(rest)
        });
        let works: Vec<Work> = firsts.chain(works).collect();
        Chain::work(works, context.lists)
    }
}

/// The number of proposals that remove many pairs at once.
const TOGETHER: usize = 2;

/// Proposes to remove all pairs, and then all but the first one, which is the innermost where they
/// nest.
fn together(edits: Vec<Edit>) -> Work {
    let but_first = edits.get(1..).unwrap_or_default().to_vec();
    let together: [Edit; TOGETHER] = [edits, but_first].map(|edits| {
        let units = Proposals::new(edits);
        units.edit(std::slice::from_ref(&(0..units.len())))
    });
    Work::Machine(Box::new(OneByOne::new(together).first_only()))
}

/// Proposes to remove pairs together, and then as a list minimizer does.
fn removals(edits: Vec<Edit>, lists: &Lists) -> Option<Work> {
    if edits.is_empty() {
        return None;
    }
    let works = [
        together(edits.clone()),
        Work::List(List::new(Proposals::new(edits))),
    ];
    Chain::work(works, lists)
}

fn patient(work: Work, lists: &Lists) -> Work {
    Work::Machine(Box::new(Patient::new(work.start(lists))))
}

/// Removes the lines of a pair and all of its parts but the first or the last.
fn unwrapped(pair: &LinePair, at: u32, keeps_last: bool) -> Edit {
    let ends = match (pair.parts.first(), pair.parts.last()) {
        (_, Some(last)) if keeps_last => [Span::new(pair.open.start, last.end), pair.close],
        (Some(first), _) => [pair.open, Span::new(first.start, pair.close.end)],
        _ => [pair.open, pair.close],
    };
    Edit::delete_all(ends.map(|span| Span::new(span.start + at, span.end + at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn has(text: &[u8], word: &str) -> bool {
        text.windows(word.len())
            .any(|window| window == word.as_bytes())
    }

    #[test]
    fn one_of_many_pairs_is_left() {
        let lines = |word: &str| {
            (0..20)
                .map(|nth| format!("{word} h{nth}\n"))
                .collect::<String>()
        };
        let text = [lines("open"), "crash\n".to_string(), lines("close")].concat();
        let balanced = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let names = |word: &str| {
                let of = text.lines().filter_map(|line| line.strip_prefix(word));
                of.map(str::to_string).collect::<Vec<_>>()
            };
            names("open") == names("close") && !names("open").is_empty() && text.contains("crash")
        };
        let left = reduce_with(&LinePairs, text.as_bytes(), balanced);
        assert_eq!(
            left.split(|&byte| byte == b'\n').count(),
            4,
            "{}",
            left.escape_ascii()
        );
    }

    #[test]
    fn one_part_of_a_condition_is_left() {
        let text = b"#if A\na\n#elif B\nb\n#else\nc\n#endif\nd\n";
        assert_eq!(
            reduce_with(&LinePairs, text, |text| has(text, "c")),
            b"c\nd\n"
        );
        assert_eq!(
            reduce_with(&LinePairs, text, |text| has(text, "a")),
            b"a\nd\n"
        );
    }

    #[test]
    fn tags_of_a_template_are_removed_on_one_line() {
        let text = b"{% for a in b %}{% if c %}{% if d %}crash{% endif %}{% endif %}{% endfor %}\n";
        let fails = |text: &[u8]| {
            let count = |word: &str| {
                text.windows(word.len())
                    .filter(|it| *it == word.as_bytes())
                    .count()
            };
            let is_balanced = |open: &str, close: &str| count(open) == count(close);
            has(text, "{% if")
                && has(text, "crash")
                && is_balanced("{% if", "{% endif")
                && is_balanced("{% for", "{% endfor")
        };
        let left = reduce_with(&LinePairs, text, fails);
        assert_eq!(
            left,
            b"{% if d %}crash{% endif %}\n",
            "{}",
            left.escape_ascii()
        );
    }

    #[test]
    fn a_wrong_guess_costs_eight_tests_a_step() {
        let text = ["a\n".repeat(1000), "b\n".repeat(1000)].concat();
        assert!(proposals(&LinePairs, text.as_bytes()).len() <= 16);
        assert!(proposals(&LinePairs, b"a 1\nb 2\n").is_empty());
    }
}
