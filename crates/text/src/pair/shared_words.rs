use super::Patient;
use nubbin_edit::{Edit, File};
use nubbin_engine::work::{CommaTiling, Context, List, Pass, PassInfo, Units, Views, Work};
use nubbin_view::brackets::Brackets;
use nubbin_view::lines;
use nubbin_view::tokens::{TokenKind, code_in, is_word_byte};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Removes all lines, or all elements of a list, in which a rare word occurs.
///
/// A trace of calls names what it works on: `create a`, `use a`, `link a b`, `destroy a`. A line
/// without the others is an error, so that no pass over lines removes one. This pass removes all
/// lines with `a` in one test. A word is rare if it is in two units at least and in a few times the
/// square root of their number at most. The words are a list for a list minimizer, in the order of
/// the text.
///
/// The units are the elements of the list with the most of them where brackets hold most of the
/// text, as in a list of JSON objects, and lines elsewhere. A comma before the last element is
/// removed with it.
///
/// Prefer it for logs, traces of calls, and lists of records. On programs, passes over trees find
/// declarations and their uses.
///
/// Cost: one test for each needed word, few where runs of words can be removed, and at most
/// eight before the first success.
///
/// Source: our own. Slices over declarations (Weiser: Program Slicing, ICSE 1981) follow names
/// where a grammar says what declares them.
///
/// ```
/// use nubbin_reduce::pass::{SharedWords, preview};
///
/// let first = preview(&SharedWords, b"new a\nnew b\nnew c\nrun\nend a\nend b\nend c\n", 2);
/// assert_eq!(first, ["new a\nnew b\nrun\nend a\nend b\n", "new a\nnew c\nrun\nend a\nend c\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedWords;

impl SharedWords {
    /// The number of units from which a text is looked at.
    pub const MIN_UNITS: usize = 6;

    /// Returns whether a file is a log: most lines have a rare word, none is indented, and few
    /// words begin nearly all of them.
    pub fn is_log(file: &File<'_>) -> bool {
        let views = Views::default();
        let (bounds, fixed) = units(file, &views);
        if !fixed.is_empty() || !is_flat(file.text) {
            return false;
        }
        let mut with_word: Vec<u32> = words(file, &views, &bounds, &fixed).concat();
        with_word.sort_unstable();
        with_word.dedup();
        with_word.len() * 2 > bounds.len()
    }

    /// Returns whether the units of a file are the elements of a list.
    pub fn is_list(file: &File<'_>) -> bool {
        !units(file, &Views::default()).1.is_empty()
    }
}

impl Pass for SharedWords {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "shared-words",
            "deletes all lines or elements in which a rare word occurs",
            "nubbin; slices (Weiser 1981)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let (bounds, fixed) = units(file, context.views);
        let of_words = words(file, context.views, &bounds, &fixed);
        if of_words.is_empty() {
            return None;
        }
        let tiling = CommaTiling::new(file.text, file.span.start, &bounds, &fixed);
        let list = List::new(OfWords {
            tiling,
            of_words: of_words.into(),
        });
        let machine = list.cumulative();
        let machine = Work::List(machine).start(context.lists);
        Some(Work::Machine(Box::new(Patient::new(machine))))
    }
}

/// The number of words that may begin nearly all lines of a log.
const CALLS: usize = 16;

/// Returns whether no line is indented and few words begin nearly all of them.
fn is_flat(text: &[u8]) -> bool {
    let mut heads: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut count = 0;
    for line in lines::lines(text) {
        let line = text.get(line.range()).unwrap_or_default();
        match lines::indent(line) {
            Some(0) => {}
            Some(_) => return false,
            None => continue,
        }
        let end = line.iter().position(|&byte| !is_word_byte(byte));
        let head = line.get(..end.unwrap_or(line.len())).unwrap_or_default();
        *heads.entry(head).or_default() += 1;
        count += 1;
    }
    let mut most: Vec<usize> = heads.into_values().collect();
    most.sort_unstable_by_key(|&of_head| std::cmp::Reverse(of_head));
    most.iter().take(CALLS).sum::<usize>() * 10 >= count * 9
}

/// Returns the bounds of the units of a file, and which of the pieces between them are no units.
fn units(file: &File<'_>, views: &Views) -> (Vec<u32>, Vec<bool>) {
    let text = file.text;
    let brackets = views.of::<Brackets>(text);
    let groups = brackets.groups();
    let mut children = vec![0u32; groups.len()];
    for parent in groups.iter().filter_map(|group| group.parent) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    let of_most = (0..groups.len()).max_by_key(|&nth| (children[nth], std::cmp::Reverse(nth)));
    let list = of_most.and_then(|nth| Some((nth, groups.get(nth)?)));
    let holds_most = |span: nubbin_edit::Span| span.len() as usize * 2 > text.len();
    let is_list = |&(nth, group): &(usize, &nubbin_view::brackets::Group)| {
        holds_most(group.span()) && children[nth] as usize >= SharedWords::MIN_UNITS
    };
    let Some((list, group)) = list.filter(is_list) else {
        let bounds = lines::bounds(text);
        return (bounds, vec![]);
    };
    let mut bounds = vec![0, group.open + 1];
    let within = groups
        .iter()
        .filter(|inner| inner.parent == Some(list as u32));
    let mut end = group.open + 1;
    for inner in within {
        let behind = text.get(inner.close as usize + 1..group.close as usize);
        let comma =
            behind.and_then(|behind| behind.iter().position(|byte| !byte.is_ascii_whitespace()));
        let is_comma = comma.filter(|&at| behind.and_then(|behind| behind.get(at)) == Some(&b','));
        if let Some(at) = is_comma {
            end = inner.close + 2 + at as u32;
            bounds.push(end);
        }
    }
    if end < group.close {
        bounds.push(group.close);
    }
    bounds.push(text.len() as u32);
    let mut fixed = vec![false; bounds.len() - 1];
    if let [first, .., last] = fixed.as_mut_slice() {
        (*first, *last) = (true, true);
    }
    (bounds, fixed)
}

/// Returns the units in which each rare word occurs, by the first of them. No two are the same.
fn words(file: &File<'_>, views: &Views, bounds: &[u32], fixed: &[bool]) -> Vec<Vec<u32>> {
    let pieces = bounds.len().saturating_sub(1);
    let is_fixed = |piece: usize| fixed.get(piece) == Some(&true);
    let count = (0..pieces).filter(|&piece| !is_fixed(piece)).count();
    if count < SharedWords::MIN_UNITS {
        return vec![];
    }
    // The number of units before each piece.
    let mut unit_of = Vec::with_capacity(pieces);
    let mut before = 0;
    for piece in 0..pieces {
        unit_of.push((!is_fixed(piece)).then_some(before));
        before += u32::from(!is_fixed(piece));
    }
    let mut found: FxHashMap<Vec<u8>, Vec<u32>> = FxHashMap::default();
    let mut piece = 0;
    let mut see = |word: &[u8], at: u32| {
        while bounds.get(piece + 1).is_some_and(|&end| end <= at) {
            piece += 1;
        }
        let Some(&Some(unit)) = unit_of.get(piece) else {
            return;
        };
        let units = found.entry(word.to_vec()).or_default();
        if units.last() != Some(&unit) {
            units.push(unit);
        }
    };
    for token in code_in(views, file.text) {
        let word = token.text(file.text);
        match token.kind {
            TokenKind::Word | TokenKind::Number => see(word, token.span.start),
            TokenKind::String => {
                let inside = word.trim_ascii_start();
                let quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
                let inside = inside.split(quote).nth(1).unwrap_or_default();
                if !inside.is_empty() {
                    see(inside, token.span.start);
                }
            }
            _ => {}
        }
    }
    let root = (count as f64).sqrt() as usize;
    let most = (count / 3).min(8.max(2 * root)).max(2);
    let mut rare: Vec<Vec<u32>> = found.into_values().collect();
    rare.retain(|units| (2..=most).contains(&units.len()));
    rare.sort_unstable();
    rare.dedup();
    rare
}

/// The units that the words are in, as units of a list.
#[derive(Clone)]
struct OfWords {
    tiling: CommaTiling,
    of_words: Arc<[Vec<u32>]>,
}

impl Units for OfWords {
    fn len(&self) -> u32 {
        self.of_words.len() as u32
    }

    fn weight(&self, word: u32) -> u32 {
        let units = self.of_words.get(word as usize);
        let weights = units
            .into_iter()
            .flatten()
            .map(|&unit| self.tiling.weight(unit));
        weights.fold(0, u32::saturating_add).max(1)
    }

    fn edit(&self, words: &[Range<u32>]) -> Edit {
        let ranges = words
            .iter()
            .map(|range| range.start as usize..range.end as usize);
        let of_words = ranges.filter_map(|range| self.of_words.get(range));
        let mut units: Vec<u32> = of_words.flatten().flatten().copied().collect();
        units.sort_unstable();
        units.dedup();
        let ranges: Vec<Range<u32>> = units.iter().map(|&unit| unit..unit + 1).collect();
        self.tiling.edit(&ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn all_lines_of_a_handle_are_removed_together() {
        let calls = ["create", "use", "destroy"];
        let lines = calls.map(|call| {
            (0..30)
                .map(|n| format!("{call} h{n}\n"))
                .collect::<String>()
        });
        let complete = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let of = |call: &str| {
                let lines = text.lines().filter_map(|line| line.strip_prefix(call));
                lines.map(str::to_string).collect::<Vec<_>>()
            };
            of("create") == of("use") && of("use") == of("destroy") && text.contains("use h17\n")
        };
        let left = reduce_with(&SharedWords, lines.concat().as_bytes(), complete);
        assert_eq!(left, b"create h17\nuse h17\ndestroy h17\n");
    }

    #[test]
    fn elements_of_a_list_are_removed_with_their_commas() {
        let object = |call: &str, id: u32| format!("  {{\"call\": \"{call}\", \"id\": \"k{id}\"}}");
        let of_call = |call: &str| (0..9).map(move |id| object(call, id)).collect::<Vec<_>>();
        let all = [of_call("new"), of_call("end")].concat().join(",\n");
        let text = format!("{{\"log\": [\n{all}\n]}}\n");
        let valid = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let ids = |call: &str| text.matches(&format!("\"{call}\"")).count();
            let commas = text.matches("},\n").count() + 1;
            ids("new") == ids("end")
                && commas == text.matches("{\"call").count()
                && text.contains("k4")
        };
        let left = reduce_with(&SharedWords, text.as_bytes(), valid);
        let wanted = [object("new", 4), object("end", 4)].join(",\n");
        assert_eq!(left, format!("{{\"log\": [\n{wanted}]}}\n").as_bytes());
    }

    #[test]
    fn a_wrong_guess_costs_eight_tests() {
        let text: String = (0..1000)
            .map(|n| format!("a{} b{}\n", n / 2, n / 3))
            .collect();
        assert_eq!(proposals(&SharedWords, text.as_bytes()).len(), 8);
    }

    #[test]
    fn frequent_and_unique_words_are_not_rare() {
        assert!(proposals(&SharedWords, "same word\n".repeat(100_000).as_bytes()).is_empty());
        let unique: String = (0..100_000).map(|n| format!("w{n}\n")).collect();
        assert!(proposals(&SharedWords, unique.as_bytes()).is_empty());
    }
}
