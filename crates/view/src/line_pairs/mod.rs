//! Pairs of lines around several lines.

mod pair;
mod tags;

pub use pair::{Family, LinePair};

use crate::View;
use crate::lines::{indent, lines};
use crate::paired_words::{Ends, ends_of};
use nubbin_edit::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use tags::tag_pairs;

/// The pairs of lines of a text, found without a grammar, in families:
///
/// * a line that begins with a word of a table, and the line that ends it: `#if` and `#endif`,
///   `#pragma region`, `begin` and `end`, `if` and `fi`, `BEGIN` and `COMMIT`, the fences of
///   Markdown, `lock` and `unlock`. A line ends the last one with the name after its word, or
///   the last one if none has it, so pairs may cross: `open a`, `open b`, `close a`, `close b`.
///   Where lines are indented, the two are indented equally;
/// * two tags of a template with the same word, on any lines: `{% if a %}` and `{% endif %}`,
///   `{{#a}}` and `{{/a}}`, `<% if a %>` and `<% end %>`, `\begin{a}` and `\end{a}`, `[b]` and
///   `[/b]`;
/// * lines that begin with two words that occur equally often, two times at least, and nest, and
///   that the table has not paired in this text. In a log, which ends in the failure, the first
///   word may occur more often, up to two times.
///
/// Brackets and elements are other views. The cost is linear in the length of the text.
///
/// ```
/// use nubbin_view::line_pairs::LinePairs;
///
/// let text = b"#ifdef A\nx\n#else\ny\n#endif\nput 1\nput 2\ntake\ntake\n";
/// let pairs = LinePairs::of(text);
/// let spans = |pair: &nubbin_view::line_pairs::LinePair| (pair.open.start, pair.close.start);
/// let spans: Vec<Vec<_>> = pairs.families.iter().map(|f| f.iter().map(spans).collect()).collect();
/// assert_eq!(spans, [vec![(0, 19)], vec![(32, 38), (26, 43)]]);
/// assert_eq!(pairs.families[0][0].parts.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LinePairs {
    /// The families, most certain first.
    pub families: Vec<Family>,
    /// The number of families that the table has.
    pub known: usize,
    /// The number of lines that are not blank.
    pub lines: usize,
    /// Whether the text is a log: no line is indented, and few words begin nine of ten.
    pub is_log: bool,
}

/// The maximum number of equally frequent words that are compared with each other.
const EQUALLY_FREQUENT: usize = 8;

/// The maximum number of families of words that are not in the table.
const GUESSES: usize = 4;

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    line: Span,
    indent: u32,
    /// The first word, with the punctuation before it; of a pragma, the first two.
    head: &'a [u8],
    /// The second word.
    name: &'a [u8],
    /// The line without the space around it.
    text: &'a [u8],
}

impl View for LinePairs {
    fn of(text: &[u8]) -> Self {
        LinePairs::of(text)
    }
}

impl LinePairs {
    /// Finds the pairs of a text.
    pub fn of(text: &[u8]) -> Self {
        let rows = rows(text);
        let mut families = by_table(&rows);
        families.extend(tag_pairs(text));
        let known = families.len();
        let is_log = is_log(&rows);
        let paired = families.iter().flatten();
        let paired = paired.flat_map(|pair| [pair.open.start, pair.close.start]);
        let others = by_count(&rows, &paired.collect(), is_log);
        families.extend(others);
        LinePairs {
            families,
            known,
            lines: rows.len(),
            is_log,
        }
    }

    /// Returns the share of the lines that are in a pair.
    pub fn share(&self) -> f64 {
        self.share_of(self.families.len())
    }

    /// Returns the share of the lines that are in a pair of words of the table.
    pub fn known_share(&self) -> f64 {
        self.share_of(self.known)
    }

    fn share_of(&self, families: usize) -> f64 {
        let pairs: usize = self.families.iter().take(families).map(Vec::len).sum();
        (2 * pairs) as f64 / self.lines.max(1) as f64
    }
}

fn rows(text: &[u8]) -> Vec<Row<'_>> {
    let of_line = |line: Span| {
        let text = text.get(line.range()).unwrap_or_default();
        let indent = indent(text)?;
        let text = text.trim_ascii();
        let (head, behind) = first_word(text);
        // `# if` is the same as `#if`, and the word after `#pragma` belongs to its head.
        let is_mark = matches!(head, b"#" | b"#pragma");
        let (head, behind) = match is_mark {
            true => {
                let (_, rest) = first_word(behind);
                let more = text.len() - rest.len();
                (text.get(..more).unwrap_or_default(), rest)
            }
            false => (head, behind),
        };
        Some(Row {
            line,
            indent,
            head,
            name: first_word(behind).0,
            text,
        })
    };
    lines(text).filter_map(of_line).collect()
}

/// Divides a text after its first word. The word includes the punctuation before it.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let is_in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80;
    let is_mark = |byte: &&u8| !is_in_word(byte) && !byte.is_ascii_whitespace();
    let marks = text.iter().take_while(is_mark).count();
    let behind = text.get(marks..).unwrap_or_default();
    let word = behind.iter().take_while(is_in_word).count();
    text.split_at_checked(marks + word).unwrap_or((text, &[]))
}

/// A line whose partner has not been found.
struct Begun<'a> {
    row: Row<'a>,
    parts: Vec<Span>,
}

/// The lines that wait for their partner: those of one word, or of all words with the same partner.
#[derive(Default)]
struct Open<'a> {
    begun: Vec<Option<Begun<'a>>>,
    /// For each name, the lines that have it, as indices.
    by_name: FxHashMap<&'a [u8], Vec<usize>>,
}

impl<'a> Open<'a> {
    fn push(&mut self, row: Row<'a>) {
        if !row.name.is_empty() {
            let named = self.by_name.entry(row.name).or_default();
            named.push(self.begun.len());
        }
        self.begun.push(Some(Begun { row, parts: vec![] }));
    }

    /// Takes the line that a line ends: the last one of its name, or the last one.
    fn take(&mut self, row: &Row<'a>) -> Option<Begun<'a>> {
        while self.begun.last().is_some_and(Option::is_none) {
            self.begun.pop();
        }
        while let Some(at) = self.by_name.get_mut(row.name).and_then(Vec::pop) {
            let begun = self.begun.get_mut(at);
            // The number may belong to another line, if a line without a name has taken this one.
            let begun = begun.and_then(|begun| begun.take_if(|it| it.row.name == row.name));
            if begun.is_some() {
                return begun;
            }
        }
        self.begun.pop()?
    }

    /// Takes the last line that is indented as much, and drops those that are indented more.
    fn take_indented(&mut self, row: &Row<'a>) -> Option<Begun<'a>> {
        while let Some(begun) = self.begun.pop_if(|begun| {
            begun
                .as_ref()
                .is_none_or(|begun| begun.row.indent >= row.indent)
        }) {
            if let Some(begun) = begun.filter(|begun| begun.row.indent == row.indent) {
                return Some(begun);
            }
        }
        None
    }

    fn last(&mut self) -> Option<&mut Begun<'a>> {
        self.begun.last_mut()?.as_mut()
    }
}

/// Returns the pairs of words of the table, one family per word that ends lines.
fn by_table(rows: &[Row<'_>]) -> Vec<Family> {
    let mut open: FxHashMap<&[u8], Open<'_>> = FxHashMap::default();
    let mut families: FxHashMap<&[u8], Family> = FxHashMap::default();
    let mut order: Vec<&[u8]> = vec![];
    let is_indented = rows.iter().any(|row| row.indent > 0);
    for row in rows {
        for ends in ends_of(row.head, row.text) {
            match ends {
                Ends::Opens(key) => open.entry(key).or_default().push(*row),
                Ends::Divides(key) => {
                    let last = open.get_mut(key).and_then(Open::last);
                    if let Some(last) = last.filter(|last| last.row.indent == row.indent) {
                        last.parts.push(row.line);
                    }
                }
                Ends::Closes(key) => {
                    let waiting = open.entry(key).or_default();
                    // A word that starts a block may also occur without one, as in `return x if y`.
                    let begun = match is_indented && key == b"end" {
                        true => waiting.take_indented(row),
                        false => waiting.take(row),
                    };
                    if let Some(begun) = begun {
                        let family = families.entry(key).or_insert_with(|| {
                            order.push(key);
                            vec![]
                        });
                        family.push(LinePair {
                            open: begun.row.line,
                            parts: begun.parts,
                            close: row.line,
                        });
                        break;
                    }
                }
            }
        }
    }
    let found = order.iter().filter_map(|key| families.remove(key));
    found.collect()
}

/// Returns the pairs of words that occur equally often and nest, and of which no line is `paired`
/// already. A word of the table may have another partner here: `SAVEPOINT` and `RELEASE`.
fn by_count(rows: &[Row<'_>], paired: &FxHashSet<u32>, is_log: bool) -> Vec<Family> {
    let mut of_word: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    let mut order: Vec<&[u8]> = vec![];
    let done = rows.iter().filter(|row| paired.contains(&row.line.start));
    let done: FxHashSet<&[u8]> = done.map(|row| row.head).collect();
    for (nth, row) in rows.iter().enumerate() {
        let is_word = row.head.iter().any(u8::is_ascii_alphabetic);
        if is_word && !done.contains(row.head) {
            let places = of_word.entry(row.head).or_insert_with(|| {
                order.push(row.head);
                vec![]
            });
            places.push(nth);
        }
    }
    let mut by_count: FxHashMap<usize, Vec<&[u8]>> = FxHashMap::default();
    for word in &order {
        let count = of_word.get(word).map_or(0, Vec::len);
        if count >= 2 {
            by_count.entry(count).or_default().push(word);
        }
    }
    let mut found: Vec<Family> = vec![];
    let mut taken: FxHashSet<&[u8]> = FxHashSet::default();
    let mut counts: Vec<(usize, Vec<&[u8]>)> = by_count.into_iter().collect();
    counts.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    for (_, words) in counts {
        if words.len() > EQUALLY_FREQUENT {
            continue;
        }
        for (nth, first) in words.iter().enumerate() {
            for second in words.iter().skip(nth + 1) {
                let places = of_word.get(first).zip(of_word.get(second));
                let family = places.and_then(|(first, second)| nested(rows, first, second));
                if family.is_some() {
                    taken.extend([first, second]);
                }
                found.extend(family);
                if found.len() == GUESSES {
                    return found;
                }
            }
        }
    }
    if is_log {
        of_word.retain(|word, _| !taken.contains(word));
        found.extend(
            with_open_ends(rows, &of_word)
                .into_iter()
                .take(GUESSES - found.len()),
        );
    }
    found
}

/// The maximum number of words that begin most lines of a log.
const WORDS_OF_A_LOG: usize = 16;

/// Returns whether a text is a log: without indentation, and few words begin nine of ten lines.
fn is_log(rows: &[Row<'_>]) -> bool {
    let mut of_word: FxHashMap<&[u8], usize> = FxHashMap::default();
    for row in rows {
        *of_word.entry(row.head).or_default() += 1;
    }
    let mut counts: Vec<usize> = of_word.into_values().collect();
    counts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
    let most: usize = counts.iter().take(WORDS_OF_A_LOG).sum();
    rows.iter().all(|row| row.indent == 0) && 10 * most >= 9 * rows.len()
}

/// Returns the pairs of words of a log that nest, where some lines have no partner since the log
/// ends before. The most frequent words come first.
fn with_open_ends(rows: &[Row<'_>], of_word: &FxHashMap<&[u8], Vec<usize>>) -> Vec<Family> {
    let mut words: Vec<(&[u8], &Vec<usize>)> = of_word
        .iter()
        .map(|(word, places)| (*word, places))
        .filter(|(_, places)| places.len() >= 2)
        .collect();
    words.sort_unstable_by_key(|(word, places)| (std::cmp::Reverse(places.len()), *word));
    words.truncate(WORDS_OF_A_LOG);
    let mut found = vec![];
    for (nth, (_, closes)) in words.iter().enumerate() {
        let opens = words[..nth].iter().map(|(_, opens)| opens);
        let opens = opens.filter(|opens| opens.len() > closes.len());
        let near = opens.rev().filter(|opens| opens.len() <= 2 * closes.len());
        // Two parts of a text that each repeat one word have no pairs.
        let near = near.filter(|opens| closes.first() < opens.last());
        found.extend(near.filter_map(|opens| nested(rows, opens, closes)));
        if found.len() >= GUESSES {
            break;
        }
    }
    found
}

/// Returns the pairs of lines that begin with one of two words, if these nest.
fn nested(rows: &[Row<'_>], opens: &[usize], closes: &[usize]) -> Option<Family> {
    if closes.iter().zip(opens).any(|(close, open)| close < open) {
        return None;
    }
    let mut open = Open::default();
    let mut found = vec![];
    let mut waiting = opens.iter().peekable();
    for close in closes {
        while let Some(&next) = waiting.next_if(|next| *next < close) {
            open.push(*rows.get(next)?);
        }
        let row = rows.get(*close)?;
        found.push(LinePair {
            open: open.take(row)?.row.line,
            parts: vec![],
            close: row.line,
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the pairs of each family, as numbers.
    fn found(text: &str) -> Vec<Vec<(usize, usize)>> {
        let number = |at: u32| text[..at as usize].matches('\n').count();
        let of_pair = |pair: &LinePair| (number(pair.open.start), number(pair.close.start));
        let of_family = |family: &Family| {
            let mut pairs: Vec<_> = family.iter().map(of_pair).collect();
            pairs.sort_unstable();
            pairs
        };
        let pairs = LinePairs::of(text.as_bytes());
        pairs.families.iter().map(of_family).collect()
    }

    #[test]
    fn lines_with_the_same_name_may_cross() {
        let text = "open a\nopen b\ncrash\nclose a\nclose b\n";
        assert_eq!(found(text), [[(0, 3), (1, 4)]]);
        assert_eq!(found("push 1\npush 2\nx\npop\npop\n"), [[(0, 4), (1, 3)]]);
        let savepoints = "SAVEPOINT a;\nSAVEPOINT b;\nx;\nRELEASE b;\nRELEASE a;\n";
        assert_eq!(found(savepoints), [[(0, 4), (1, 3)]]);
        assert_eq!(
            found("take a\ntake b\nx\nput a\nput b\n"),
            [[(0, 3), (1, 4)]]
        );
    }

    #[test]
    fn blocks_of_words_nest() {
        let text = "def f\n  if x\n    foo\n  else\n    y\n  end\n  return 1 if z\nend\n";
        assert_eq!(found(text), [[(0, 7), (1, 5)]]);
        assert_eq!(LinePairs::of(text.as_bytes()).families[0][0].parts.len(), 1);
        let flat = "begin\nif x then\na\nend\nwhile y do\nb\nend\nend\n";
        assert_eq!(found(flat), [[(0, 7), (1, 3), (4, 6)]]);
        assert_eq!(
            found("if x; then\n  a\nfi\nfor y in z; do\n  b\ndone\n"),
            [[(0, 2)], [(3, 5)]]
        );
    }

    #[test]
    fn directives_fences_regions_and_transactions_are_pairs() {
        let text = "#ifndef A\n# if B\nx\n# endif\n#pragma region c\n#pragma endregion\n#endif\n";
        assert_eq!(found(text), [vec![(0, 6), (1, 3)], vec![(4, 5)]]);
        assert_eq!(
            found("a\n```sh\nb\n```\nc\n```\nd\n```\n"),
            [[(1, 3), (5, 7)]]
        );
        assert_eq!(found("BEGIN;\nINSERT 1;\nCOMMIT;\n"), [[(0, 2)]]);
    }

    #[test]
    fn words_that_do_not_nest_are_no_pairs() {
        assert!(found("pop\npush\n").is_empty());
        assert!(found("a 1\nb 2\n").is_empty());
        assert!(found("b\na\na\nb\n").is_empty());
    }

    #[test]
    fn a_log_may_end_before_the_partners_of_some_lines() {
        let text = "zig\nhop\nhop\nhup\nhop\nhup\nhop\nhup\nzag\nzig\nhop\nget\nzag\ncrash\n";
        let all = [vec![(0, 8), (9, 12)], vec![(2, 3), (4, 5), (6, 7)]];
        assert_eq!(found(text), all);
        // In a program, line starts are weaker evidence.
        let indented = text.replace("get", "  get");
        assert_eq!(found(&indented), all[..1]);
    }

    #[test]
    fn the_same_word_and_rare_words_take_linear_time() {
        let pairs = |text: &str| {
            let found = LinePairs::of(text.as_bytes());
            found.families.iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert!(pairs(&"word\n".repeat(100_000)).is_empty());
        let of_all = |line: &str| {
            let lines = (0..100_000).map(|nth| line.replace('#', &nth.to_string()));
            lines.collect::<String>()
        };
        assert!(pairs(&of_all("w# x\n")).is_empty());
        let named = [of_all("open #\n"), of_all("close #\n")].concat();
        assert_eq!(pairs(&named), [100_000]);
        let nested = ["begin\n".repeat(100_000), "end\n".repeat(100_000)].concat();
        assert_eq!(pairs(&nested), [100_000]);
        let twice = [of_all("a#\n"), of_all("a#\n")].concat();
        assert!(pairs(&twice).is_empty());
    }
}
