use super::groups::with_headers;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Machine, Nested, Pass, PassInfo, Work};
use nubbin_view::elements::Elements;
use std::cmp::Reverse;
use std::sync::Arc;

/// Replaces a bracket group or an element with a group or element of its kind many levels below it.
///
/// A chain is a path of at least [`DeepNesting::MIN_LEVELS`] nested pairs of one kind, each a
/// level. The first proposal puts the deepest level in the place of the outermost one, with
/// everything around it: `[[[…["crash"]…]]]` becomes `["crash"]`. After a failure, half as many
/// levels are tried, and so on. From the level that is reached, one level is skipped, then two,
/// four, and so on, for as long as the proposals are adopted. Where a level is needed, the next one
/// is tried, after two needed levels in a row the next but one, and so on.
///
/// Prefer it for outputs of fuzzers and for crashes by exhausted stacks. [`Lift`](crate::Lift) and
/// the tree reducers remove one level a test. The pass opens only on a text with a chain of 128
/// levels, or with chains that take at least a quarter of its bytes.
///
/// Cost: about log₂ *n* tests for a chain of *n* levels where the content of the deepest level or
/// of a single one is needed, and at most 3 log₂ *n* in a row without a success.
///
/// Source: hoisting in picireny (Vince, Hodován, Bársony, Kiss: Extending Hierarchical Delta
/// Debugging with Hoisting, AST 2021) takes one level at a time. The growing steps come from
/// exponential search (Bentley, Yao: An almost optimal algorithm for unbounded searching,
/// Information Processing Letters 5, 1976).
///
/// ```
/// use nubbin_reduce::pass::{DeepNesting, preview};
///
/// let text = ["[".repeat(40), "1".to_string(), "]".repeat(40)].concat();
/// let first = preview(&DeepNesting, text.as_bytes(), 3);
/// assert_eq!(first[0], "[1]");
/// assert_eq!(first[1].len(), 43);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DeepNesting;

impl DeepNesting {
    /// The minimum number of levels at which a chain is searched.
    pub const MIN_LEVELS: usize = 32;

    /// The number of chains of a text that are searched, longest first.
    const CHAINS: usize = 8;

    /// The number of levels from which a chain is searched in any text. Programs that people write,
    /// or that a generator such as Csmith writes, have fewer levels.
    const DEEP: usize = 128;

    /// The minimum share of shorter chains in the bytes of a text, as a divisor. An expression of
    /// 40 levels in a large program takes many tests for few bytes.
    const MIN_SHARE: usize = 4;
}

impl Pass for DeepNesting {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "deep-nesting",
            "replaces a bracket group or an element with one many levels below it",
            "picireny (Vince et al. 2021); exponential search (Bentley, Yao 1976)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let chains = chains(file, context);
        let first = chains.first()?.len();
        let bytes: usize = chains.iter().map(|chain| chain[0].len() as usize).sum();
        if first < DeepNesting::DEEP && bytes * DeepNesting::MIN_SHARE < file.text.len() {
            return None;
        }
        Some(Work::Machine(Box::new(Levels {
            chains: chains.into(),
            chain: 0,
            at: 0,
            step: first - 1,
            gap: 1,
            bound: None,
        })))
    }
}

/// The kinds of pairs whose levels can replace each other.
const KINDS: usize = 4;

/// Returns the chains of a file, longest first.
fn chains(file: &File<'_>, context: &Context<'_>) -> Vec<Vec<Span>> {
    let (text, from) = (file.text, file.span.start);
    let groups = with_headers(context.views, text);
    let brackets = groups.iter().map(|group| {
        let header = text.get(group.start as usize..group.open as usize);
        // The key of a member in JSON or YAML is not part of the member's value.
        let is_key = header.is_some_and(|header| header.trim_ascii_end().ends_with(b":"));
        let start = if is_key { group.open } else { group.start };
        (Span::new(start, group.close), group.kind as usize)
    });
    let elements = Elements::of(text);
    let elements = elements.elements().iter();
    let elements = elements.filter(|element| element.close.is_some());
    let pairs = brackets.chain(elements.map(|element| (element.span(), KINDS - 1)));
    let mut kinds: Vec<(Span, usize)> = pairs.collect();
    kinds.sort_unstable_by_key(|(span, _)| (span.start, Reverse(span.end)));
    let nested = Nested::of(kinds.iter().map(|(span, _)| *span));
    let mut kinds = kinds.into_iter();
    let with_kind = nested.spans.iter().filter_map(|span| {
        let found = kinds.find(|(other, _)| other == span);
        found.map(|(span, kind)| (Span::new(span.start + from, span.end + from), kind))
    });
    let levels: Vec<(Span, usize)> = with_kind.collect();
    paths(&nested.parents)
        .into_iter()
        .filter_map(|path| of_one_kind(&path, &levels))
        .collect()
}

/// Returns the longest paths from a unit to one below it, of which no two share a unit, longest
/// first. A parent has a smaller number than its children.
fn paths(parents: &[Option<u32>]) -> Vec<Vec<u32>> {
    // For each unit, the number of levels down to the deepest unit below it, and the child on that
    // path.
    let mut below: Vec<(u32, Option<u32>)> = vec![(1, None); parents.len()];
    for unit in (0..parents.len()).rev() {
        let levels = below[unit].0 + 1;
        let parent = parents[unit].and_then(|parent| below.get_mut(parent as usize));
        if let Some(parent) = parent.filter(|parent| parent.0 <= levels) {
            *parent = (levels, Some(unit as u32));
        }
    }
    let is_start = |unit: &usize| {
        let parent = parents[*unit].map(|parent| below[parent as usize].1);
        parent.is_none_or(|on_the_way| on_the_way != Some(*unit as u32))
    };
    let is_long = |unit: &usize| below[*unit].0 as usize >= DeepNesting::MIN_LEVELS;
    let mut starts: Vec<usize> = (0..parents.len()).filter(is_long).collect();
    starts.retain(is_start);
    starts.sort_by_key(|&unit| Reverse(below[unit].0));
    starts.truncate(DeepNesting::CHAINS);
    let way = |start: usize| {
        let next = |unit: &u32| below[*unit as usize].1;
        std::iter::successors(Some(start as u32), next).collect()
    };
    starts.into_iter().map(way).collect()
}

/// Returns the levels of a path that are of its most frequent kind, if they are many.
fn of_one_kind(path: &[u32], levels: &[(Span, usize)]) -> Option<Vec<Span>> {
    let of_path = || path.iter().filter_map(|&unit| levels.get(unit as usize));
    let mut counts = [0usize; KINDS];
    for (_, kind) in of_path() {
        counts[*kind] += 1;
    }
    let kind = (0..KINDS).max_by_key(|&kind| (counts[kind], Reverse(kind)))?;
    let of_kind = of_path().filter(|(_, other)| *other == kind);
    let chain: Vec<Span> = of_kind.map(|(span, _)| *span).collect();
    (chain.len() >= DeepNesting::MIN_LEVELS).then_some(chain)
}

/// The search for levels that are not needed.
#[derive(Clone)]
struct Levels {
    chains: Arc<[Vec<Span>]>,
    chain: usize,
    /// The level that is replaced next.
    at: usize,
    /// The number of levels that the current proposal removes.
    step: usize,
    /// The number of levels to the next level that is replaced, if the current level is needed.
    gap: usize,
    /// The minimum number of levels that are known not to be removable together at this place.
    bound: Option<usize>,
}

impl Levels {
    /// Continues after a level that is needed.
    fn keep(&mut self) {
        self.at += self.gap;
        self.gap *= 2;
        (self.step, self.bound) = (1, None);
    }
}

impl Machine for Levels {
    fn next(&mut self) -> Option<Edit> {
        loop {
            let chain = self.chains.get(self.chain)?;
            let left = (chain.len() - 1).saturating_sub(self.at);
            if left > 0 {
                self.step = self.step.min(left);
                let (outer, inner) = (chain[self.at], chain[self.at + self.step]);
                return Some(Edit::delete_all([
                    Span::new(outer.start, inner.start),
                    Span::new(inner.end, outer.end),
                ]));
            }
            self.chain += 1;
            let next = self.chains.get(self.chain)?.len();
            (self.at, self.step, self.gap, self.bound) = (0, next - 1, 1, None);
        }
    }

    fn record(&mut self, adopted: bool) {
        if adopted {
            (self.at, self.gap) = (self.at + self.step, 1);
            let Some(bound) = &mut self.bound else {
                self.step *= 2;
                return;
            };
            *bound -= self.step;
        } else {
            self.bound = Some(self.step);
        }
        self.step = self.bound.map_or(0, |bound| bound / 2);
        if self.step == 0 {
            self.keep();
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};
    use std::cell::Cell;

    /// Returns the remaining text, and the number of tests.
    fn left(text: &str, fails: impl Fn(&str) -> bool) -> (String, usize) {
        let tests = Cell::new(0);
        let left = reduce_with(&DeepNesting, text.as_bytes(), |text| {
            tests.set(tests.get() + 1);
            fails(std::str::from_utf8(text).unwrap())
        });
        (String::from_utf8(left).unwrap(), tests.get())
    }

    fn nested(open: &str, levels: usize, inside: &str, close: &str) -> String {
        [&open.repeat(levels), inside, &close.repeat(levels)].concat()
    }

    #[test]
    fn the_deepest_level_takes_the_place_of_all() {
        let (rest, tests) = left(&nested("[", 50_000, "crash", "]"), |text| {
            text.contains("crash")
        });
        assert_eq!((rest.as_str(), tests), ("[crash]", 1));
        let text = nested("<b>", 1000, "crash", "</b>");
        assert_eq!(
            left(&text, |text| text.contains("crash")),
            ("<b>crash</b>".into(), 1)
        );
        let text = nested("{\"a\": [", 100, "1", "]}");
        assert_eq!(
            left(&text, |text| text.contains('1')),
            ("{\"a\": [1]}".into(), 1)
        );
        let text = nested("if (a) { b; ", 100, "crash;", "}");
        assert_eq!(
            left(&text, |text| text.contains("crash")).0,
            "if (a) { b; crash;}"
        );
    }

    #[test]
    fn a_level_in_between_is_found() {
        let text = nested(
            "(",
            300,
            &nested("(a, ", 1, &nested("(", 700, "x", ")"), ")"),
            ")",
        );
        let (rest, tests) = left(&text, |text| text.contains('a'));
        assert_eq!(rest, "(a, (x))");
        assert!(tests < 30, "{tests}");
        // The content is next to the longest chain, not in it.
        let text = nested(
            "f(",
            300,
            &format!("crash,{}", nested("f(", 700, "x", ")")),
            ")",
        );
        let (rest, tests) = left(&text, |text| text.contains("crash"));
        assert_eq!(rest, "f(crash,f(x))");
        assert!(tests < 30, "{tests}");
    }

    #[test]
    fn as_many_levels_as_a_crash_needs_are_left() {
        let text = nested("(", 1000, "x", ")");
        let (rest, tests) = left(&text, |text| text.len() > 2 * 437);
        assert_eq!(rest.len(), 2 * 437 + 1);
        assert!(tests < 40, "{tests}");
    }

    #[test]
    fn a_chain_that_is_needed_costs_few_tests() {
        let text = nested("(", 100_000, "x", ")");
        assert!(proposals(&DeepNesting, text.as_bytes()).len() < 60);
        let shallow = nested("(", DeepNesting::MIN_LEVELS - 1, "x", ")");
        assert!(proposals(&DeepNesting, shallow.as_bytes()).is_empty());
        // A small part of the program is deeply nested.
        let program = |statements: usize, levels: usize| {
            ["f();\n".repeat(statements), nested("(", levels, "x", ")")].concat()
        };
        let opens = |text: String| !proposals(&DeepNesting, text.as_bytes()).is_empty();
        assert!(!opens(program(100, DeepNesting::MIN_LEVELS)));
        assert!(opens(program(30, DeepNesting::MIN_LEVELS)));
        assert!(opens(program(1000, DeepNesting::DEEP)));
    }
}
