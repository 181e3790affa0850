use super::Patient;
use super::records::{MIN_UNITS, units};
use nubbin_edit::{Edit, File};
use nubbin_engine::work::{CommaTiling, Context, List, Pass, PassInfo, Units, Views, Work};
use nubbin_view::lines;
use nubbin_view::tokens::{TokenKind, code_in, is_word_byte};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// Removes all lines, or all elements of a list, in which a rare word occurs.
///
/// A trace of calls names its objects: `create a`, `use a`, `link a b`, `destroy a`. If only some
/// lines of an object are removed, the others are errors, so no pass over lines can remove one.
/// This pass removes all lines with `a` in one test. A word is rare if it is in two units at least
/// and in a few times the square root of their number at most. A word that links different calls
/// (`create a`, `destroy a`) is tried before a word that is only repeated (a date, a status). Words
/// of one shape (`it_1000`, `it_1001`) form a family, and the family with the largest number of
/// linked units is tried first. The words are a list for a list minimizer, and the last ones are
/// tried first.
///
/// The units are the elements of the list with the most of them where brackets hold most of the
/// text, such as the objects of a JSON list or the items of a YAML list, and lines elsewhere. A
/// comma before the last element is removed with it.
///
/// Prefer it for logs, traces of calls, and lists of records. On programs, passes over trees find
/// declarations and their uses.
///
/// Cost: one test per needed word, few where runs of words can be removed, and at most
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
    /// The minimum number of units in a text on which the pass works.
    pub const MIN_UNITS: usize = MIN_UNITS;

    /// Returns whether a file is a log: most lines have a rare word, no line is indented, and few
    /// words begin nearly all lines. A trace ([`SharedWords::is_trace`]) also counts as a log.
    pub fn is_log(file: &File<'_>) -> bool {
        let file = &file.beginning();
        let views = Views::default();
        let (bounds, fixed) = units(file, &views);
        if !fixed.is_empty() {
            return is_linked(file, &views, &bounds, &fixed);
        }
        if !is_flat(file.text) {
            return false;
        }
        let (words, _) = rare_words(file, &views, &bounds, &fixed);
        covered(words.iter()) * 2 > bounds.len()
    }

    /// Returns whether a file is a list of calls: most of its elements share words with other
    /// calls.
    pub fn is_trace(file: &File<'_>) -> bool {
        let file = &file.beginning();
        let views = Views::default();
        let (bounds, fixed) = units(file, &views);
        !fixed.is_empty() && is_linked(file, &views, &bounds, &fixed)
    }
}

/// Returns whether words link most units to others, and the units are calls of few functions.
fn is_linked(file: &File<'_>, views: &Views, bounds: &[u32], fixed: &[bool]) -> bool {
    let (words, calls) = rare_words(file, views, bounds, fixed);
    let units = bounds.len().saturating_sub(2);
    calls * 3 <= units && covered(words.iter().filter(|word| word.links)) * 2 > units
}

/// Returns the number of units in which one of the words occurs.
fn covered<'w>(words: impl Iterator<Item = &'w RareWord>) -> usize {
    let mut units: Vec<u32> = words.flat_map(|word| word.units.iter().copied()).collect();
    units.sort_unstable();
    units.dedup();
    units.len()
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
        let (words, _) = rare_words(file, context.views, &bounds, &fixed);
        let of_words = in_order(words);
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

/// A word with the units in which it occurs, which are few.
struct RareWord {
    shape: Vec<u8>,
    units: Vec<u32>,
    /// Whether two of the units differ in their frequent words, as calls of different functions do.
    links: bool,
}

/// Returns the rare words of a file, in no order, and the number of different calls: of units that
/// differ in their frequent words.
fn rare_words(
    file: &File<'_>,
    views: &Views,
    bounds: &[u32],
    fixed: &[bool],
) -> (Vec<RareWord>, usize) {
    let pieces = bounds.len().saturating_sub(1);
    let is_fixed = |piece: usize| fixed.get(piece) == Some(&true);
    // The number of units before each piece.
    let mut unit_of = Vec::with_capacity(pieces);
    let mut count = 0;
    for piece in 0..pieces {
        unit_of.push((!is_fixed(piece)).then_some(count));
        count += u32::from(!is_fixed(piece));
    }
    let count = count as usize;
    if count < MIN_UNITS {
        return (vec![], 0);
    }
    let mut found = Occurrences::new(count);
    let mut piece = 0;
    for token in code_in(views, file.text) {
        while bounds
            .get(piece + 1)
            .is_some_and(|&end| end <= token.span.start)
        {
            piece += 1;
        }
        let word = word_in(token.kind, token.text(file.text));
        if let (Some(word), Some(&Some(unit))) = (word, unit_of.get(piece)) {
            found.see(word, unit);
        }
    }
    let root = (count as f64).sqrt() as usize;
    found.rare((count / 3).min(8.max(2 * root)).max(2))
}

/// Returns the text of a token if it is a word: that between the quotes of a string.
fn word_in(kind: TokenKind, text: &[u8]) -> Option<&[u8]> {
    match kind {
        TokenKind::Word | TokenKind::Number => Some(text),
        TokenKind::String => {
            let quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
            let inside = text.trim_ascii_start().split(quote).nth(1);
            inside.filter(|inside| !inside.is_empty())
        }
        _ => None,
    }
}

/// The words of a file by their texts, and the words of each unit.
struct Occurrences<'t> {
    numbers: FxHashMap<&'t [u8], u32>,
    units: Vec<Vec<u32>>,
    words: Vec<Vec<u32>>,
}

impl<'t> Occurrences<'t> {
    fn new(units: usize) -> Self {
        Occurrences {
            numbers: FxHashMap::default(),
            units: vec![],
            words: vec![vec![]; units],
        }
    }

    fn see(&mut self, word: &'t [u8], unit: u32) {
        let next = self.units.len() as u32;
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.units.push(vec![]);
        }
        if let Some(units) = self.units.get_mut(number as usize)
            && units.last() != Some(&unit)
        {
            units.push(unit);
        }
        if let Some(words) = self.words.get_mut(unit as usize) {
            words.push(number);
        }
    }

    /// Returns the words that occur in two units at least and in at most `most`, and the number
    /// of different calls.
    fn rare(self, most: usize) -> (Vec<RareWord>, usize) {
        // The number of each set of calls. Units with the same frequent words have the same number.
        let mut calls: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut call_of = Vec::with_capacity(self.words.len());
        for mut words in self.words {
            words.retain(|&word| self.units[word as usize].len() > most);
            let next = calls.len();
            call_of.push(*calls.entry(words).or_insert(next));
        }
        let mut rare = vec![];
        for (text, number) in self.numbers {
            let units = &self.units[number as usize];
            if !(2..=most).contains(&units.len()) {
                continue;
            }
            let call = |unit: &u32| call_of.get(*unit as usize);
            let first = units.first().and_then(call);
            rare.push(RareWord {
                shape: shape(text),
                units: units.clone(),
                links: units.iter().any(|unit| call(unit) != first),
            });
        }
        (rare, calls.len())
    }
}

/// Returns the common shape of the words of one family: `it_0` for `it_1000`, `a` for names, `0`
/// for numbers, and `x` for all other words, such as identifiers in hexadecimal digits.
fn shape(word: &[u8]) -> Vec<u8> {
    let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let name = word.iter().take_while(|byte| is_name(byte)).count();
    let (name, digits) = word.split_at(name);
    match (name.len(), digits.len()) {
        _ if !digits.iter().all(u8::is_ascii_digit) => b"x".to_vec(),
        (_, 0) => b"a".to_vec(),
        _ => [name, b"0"].concat(),
    }
}

/// Returns the units of the words, those to be tried first at the end. No two are the same.
///
/// Where words link units, words that link none are left out.
fn in_order(mut words: Vec<RareWord>) -> Vec<Vec<u32>> {
    if words.iter().any(|word| word.links) {
        words.retain(|word| word.links);
    }
    let mut families: FxHashMap<Vec<u8>, Vec<RareWord>> = FxHashMap::default();
    for word in words {
        families.entry(word.shape.clone()).or_default().push(word);
    }
    let mut families: Vec<_> = families.into_iter().collect();
    families
        .sort_by_cached_key(|(shape, words)| (covered(words.iter()), shape != b"0", shape.clone()));
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut ordered = vec![];
    for (_, mut words) in families.into_iter().rev() {
        words.sort_unstable_by(|one, other| other.units.cmp(&one.units));
        let of_words = words.into_iter().map(|word| word.units);
        ordered.extend(of_words.filter(|units| seen.insert(units.clone())));
    }
    ordered.reverse();
    ordered
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
        // In each edit, a cumulative list passes all words that were removed so far.
        let mut is_removed = vec![false; self.tiling.len() as usize];
        for &unit in of_words.flatten().flatten() {
            if let Some(is_removed) = is_removed.get_mut(unit as usize) {
                *is_removed = true;
            }
        }
        let units = (0..).zip(is_removed).filter(|(_, is_removed)| *is_removed);
        let ranges: Vec<Range<u32>> = units.map(|(unit, _)| unit..unit + 1).collect();
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
    fn words_that_link_calls_are_tried_before_dates() {
        let line = |day: usize, call: &str, n: usize| format!("d{day} {call} it_{n}\n");
        let of_call = |call: &str, shift: usize| {
            let lines = (0..30).map(|n| line((n + shift) % 11, call, n));
            lines.collect::<String>()
        };
        let text = [of_call("new", 0), of_call("use", 5), of_call("end", 3)].concat();
        let complete = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let of = |call: &str| {
                let lines = text.lines().filter_map(|line| line.split_once(call));
                lines.map(|(_, item)| item.to_string()).collect::<Vec<_>>()
            };
            let [new, used, end] = ["new", "use", "end"].map(of);
            new == used && used == end && new.contains(&" it_17".to_string())
        };
        let left = reduce_with(&SharedWords, text.as_bytes(), complete);
        assert_eq!(String::from_utf8_lossy(&left).matches("it_17").count(), 3);
        assert_eq!(left.split(|&byte| byte == b'\n').count(), 4);
    }

    #[test]
    fn lists_of_calls_are_traces_and_lists_of_records_are_not() {
        let is_trace = |text: &str| {
            let input = nubbin_edit::Input::single("a.json", text).unwrap();
            SharedWords::is_trace(&input.file(0).unwrap())
        };
        let list = |elements: Vec<String>| format!("[\n{}\n]\n", elements.join(",\n"));
        let call = |call: &str, n: u32| format!("{{\"op\": \"{call}\", \"id\": \"k{n}\"}}");
        let calls = (0..9)
            .map(|n| call("new", n))
            .chain((0..9).map(|n| call("end", n)));
        assert!(is_trace(&list(calls.collect())));
        let record = |n: u32| format!("{{\"id\": {n}, \"parent\": {}, \"size\": 5}}", n / 2);
        assert!(!is_trace(&list((0..18).map(record).collect())));
        assert!(!is_trace("new k1\nend k1\n"));
    }

    #[test]
    fn items_of_a_list_of_yaml_are_removed_with_their_lines() {
        let item = |kind: &str, n: u32| format!("  - kind: {kind}\n    span: s{n}\n");
        let of_kind = |kind: &str| (0..9).map(|n| item(kind, n)).collect::<String>();
        let text = format!("events:\n{}{}end: 1\n", of_kind("start"), of_kind("stop"));
        let input = nubbin_edit::Input::single("a.yaml", text.as_str()).unwrap();
        assert!(SharedWords::is_trace(&input.file(0).unwrap()));
        let left = reduce_with(&SharedWords, text.as_bytes(), |text| {
            let text = std::str::from_utf8(text).unwrap();
            let count = |word: &str| text.matches(word).count();
            let pairs = count("start\n") == count("stop\n");
            pairs && count("s5\n") == 2 && count("span") == count("kind") && count("end: 1") == 1
        });
        let wanted = format!("events:\n{}{}end: 1\n", item("start", 5), item("stop", 5));
        assert_eq!(String::from_utf8_lossy(&left), wanted);
    }

    #[test]
    fn words_of_one_shape_are_a_family() {
        let of = |word: &str| String::from_utf8(shape(word.as_bytes())).unwrap();
        assert_eq!([of("it_1000"), of("alpha"), of("17")], ["it_0", "a", "0"]);
        assert_eq!([of("f4bea973-dcf4"), of("2265b1f5"), of("01T10")], ["x"; 3]);
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
