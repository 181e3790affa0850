use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, OneByOne, Pass, PassInfo, Views, Work};
use nubbin_view::lines;
use nubbin_view::tokens::{TokenKind, code_in};

/// Deletes two lines, or two tokens of a line, in one test, where little is left.
///
/// Two units that balance each other, such as two amounts with the sum 0, are needed one by one,
/// and no view finds them. This pass tries pairs, those first that are alike (a word that both
/// have, the same kinds of tokens), and of these the nearest. Neighboring tokens are left to
/// [`Windows`](crate::Windows).
///
/// The pass opens on at most 40 lines, or 40 tokens, and belongs to the end of a plan, where no
/// other pass finds anything more. Prefer [`SharedWords`](super::SharedWords) and
/// [`LinePairs`](super::LinePairs) before it: they remove many such pairs in one test.
///
/// Cost: up to three tests for each unit.
///
/// Source: our own. ddmin (Zeller and Hildebrandt, 2002) promises that no single unit can be left
/// out, and says that pairs would be quadratic; a bound and an order by likeness make them linear.
///
/// ```
/// use nubbin_reduce::pass::{UnitPairs, preview};
///
/// let first = preview(&UnitPairs, b"a 5\nb 3\nrun\nc -3\nd -5\n", 2);
/// assert_eq!(first, ["a 5\nrun\nd -5\n", "b 3\nrun\nc -3\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitPairs;

impl UnitPairs {
    /// The largest number of units of which pairs are tried.
    const MAX_UNITS: usize = 40;
    /// The number of tests for each unit.
    const TESTS_PER_UNIT: usize = 3;
}

impl Pass for UnitPairs {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "unit-pairs",
            "deletes two lines or tokens that may balance each other",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let mut lines = units(file.text, context.views)?;
        let mut pairs = pairs(&lines, 1);
        let tokens: usize = lines.iter().map(|line| line.tokens.len()).sum();
        let mut most = lines.len();
        if tokens <= UnitPairs::MAX_UNITS {
            most = most.max(tokens);
            for line in &mut lines {
                let each = line.tokens.iter().map(|token| Unit {
                    span: token.span,
                    tokens: vec![token.clone()],
                });
                pairs.extend(self::pairs(&each.collect::<Vec<_>>(), 2));
            }
        }
        pairs.sort_by_key(|pair| (pair.unlikeness, pair.distance));
        pairs.truncate(most * UnitPairs::TESTS_PER_UNIT);
        if pairs.is_empty() {
            return None;
        }
        let at = file.span.start;
        let moved = |span: Span| Span::new(span.start + at, span.end + at);
        let edits = pairs
            .iter()
            .map(|pair| Edit::delete_all(pair.spans.map(moved)));
        Some(Work::Machine(Box::new(OneByOne::new(
            edits.collect::<Vec<_>>(),
        ))))
    }
}

/// A line or a token.
#[derive(Clone, Debug)]
struct Unit<'a> {
    span: Span,
    tokens: Vec<Word<'a>>,
}

#[derive(Clone, Debug)]
struct Word<'a> {
    kind: TokenKind,
    text: &'a [u8],
    span: Span,
}

/// Two units that are deleted together.
struct Pair {
    spans: [Span; 2],
    unlikeness: u8,
    distance: usize,
}

/// Returns the lines that are not blank; `None` if there are too many.
fn units<'a>(text: &'a [u8], views: &Views) -> Option<Vec<Unit<'a>>> {
    // The size is looked at first, so that a large text is not read.
    const LONGEST: usize = 4 << 10;
    if text.len() > LONGEST {
        return None;
    }
    let bounds = lines::bounds(text);
    let mut units: Vec<Unit<'_>> = bounds
        .windows(2)
        .map(|bounds| Unit {
            span: Span::new(bounds[0], bounds[1]),
            tokens: vec![],
        })
        .collect();
    for token in code_in(views, text) {
        let nth = units.partition_point(|unit| unit.span.end <= token.span.start);
        if let Some(unit) = units.get_mut(nth) {
            unit.tokens.push(Word {
                kind: token.kind,
                text: token.text(text),
                span: token.span,
            });
        }
    }
    units.retain(|unit| !unit.tokens.is_empty());
    (units.len() <= UnitPairs::MAX_UNITS).then_some(units)
}

/// Returns the pairs of units that are at least `apart` units from each other.
fn pairs(units: &[Unit<'_>], apart: usize) -> Vec<Pair> {
    let mut all = vec![];
    // A text of two units is empty without them.
    if units.len() < 3 {
        return all;
    }
    for (first, one) in units.iter().enumerate() {
        for (second, other) in units.iter().enumerate().skip(first + apart) {
            all.push(Pair {
                spans: [one.span, other.span],
                unlikeness: unlikeness(one, other),
                distance: second - first,
            });
        }
    }
    all
}

/// Returns 0 for units that share a word or a number and have the same kinds of tokens, and one
/// more for each of these that is not so.
fn unlikeness(one: &Unit<'_>, other: &Unit<'_>) -> u8 {
    let is_word = |word: &&Word<'_>| word.kind != TokenKind::Punct;
    let words = |unit: &Unit<'_>| unit.tokens.iter().filter(is_word).count();
    let shares = one.tokens.iter().filter(is_word).any(|word| {
        let mut others = other.tokens.iter().filter(is_word);
        others.any(|other| other.text == word.text)
    });
    let kinds = one.tokens.iter().map(|word| word.kind);
    let is_same = kinds.eq(other.tokens.iter().map(|word| word.kind));
    let has_words = words(one) + words(other) > 0;
    u8::from(!shares && has_words) + u8::from(!is_same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    /// Whether the numbers at the ends of the lines have the sum 0.
    fn is_balanced(text: &[u8]) -> bool {
        let text = String::from_utf8_lossy(text);
        let numbers = text.lines().filter_map(|line| line.split_once(' '));
        let numbers = numbers.map(|(_, number)| number.parse::<i32>().unwrap_or(99));
        numbers.sum::<i32>() == 0
    }

    #[test]
    fn lines_that_balance_each_other_are_deleted() {
        let text = b"a 5\nb 3\nrun\nc 1\nd -5\ne -3\nf -1\n";
        let has = |text: &[u8], word: u8| text.contains(&word);
        let left = reduce_with(&UnitPairs, text, |text| {
            is_balanced(text) && has(text, b'r') && has(text, b'b')
        });
        assert_eq!(left, b"b 3\nrun\ne -3\n");
    }

    #[test]
    fn tokens_of_one_line_are_deleted() {
        let left = reduce_with(&UnitPairs, b"x 7 run y 7 z", |text| {
            let sevens = text.iter().filter(|&&byte| byte == b'7').count();
            sevens % 2 == 0 && text.starts_with(b"x") && text.contains(&b'y')
        });
        assert!(!left.contains(&b'7'), "{}", left.escape_ascii());
    }

    #[test]
    fn the_number_of_tests_is_bounded() {
        let lines = |count: usize| {
            (0..count)
                .map(|nth| format!("{nth} {nth}\n"))
                .collect::<String>()
        };
        assert_eq!(proposals(&UnitPairs, lines(30).as_bytes()).len(), 90);
        assert!(proposals(&UnitPairs, lines(41).as_bytes()).is_empty());
        assert!(proposals(&UnitPairs, b"one two\n").is_empty());
        assert!(proposals(&UnitPairs, "word ".repeat(1000).as_bytes()).is_empty());
    }
}
