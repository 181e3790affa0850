use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, Pass, Proposals, Work, all_or_some};
use rustc_hash::FxHashMap;

/// Deletes repeated lines: all copies of a line at once, then all but the first.
///
/// Logs, traces, instruction listings, and generated code repeat lines often. A list of lines needs
/// a test for each copy that is alone among lines that must stay; here all copies of a line are one
/// unit. There are two lists of as many units as there are different repeated lines, the heaviest
/// first, so few repeated lines cost a handful of tests.
///
/// Source: the duplicate-removal pass of Shrink Ray (MacIver), which works on any sequence. This
/// one only looks at lines, where whole repeats are common, and leaves finer repeats to
/// [`BetweenRepeats`](crate::BetweenRepeats).
///
/// ```
/// use nubbin_reduce::pass::{Duplicates, preview};
///
/// let text = b"tick\nboom\ntick\n";
/// assert_eq!(preview(&Duplicates, text, 2), ["boom\n", "tick\nboom\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Duplicates;

impl Pass for Duplicates {
    fn id(&self) -> &'static str {
        "duplicates"
    }

    fn about(&self) -> &'static str {
        "deletes all copies of a repeated line, or all but one"
    }

    fn source(&self) -> &'static str {
        "Shrink Ray (MacIver)"
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let groups = repeated_lines(file);
        let all = groups
            .iter()
            .map(|copies| Edit::delete_all(copies.iter().copied()));
        let all_but_one = groups
            .iter()
            .map(|copies| Edit::delete_all(copies.iter().skip(1).copied()));
        let lists = [all.collect::<Vec<_>>(), all_but_one.collect()];
        let works = lists.map(|edits| all_or_some(Proposals::new(edits)));
        Chain::work(works, context.lists)
    }
}

/// Returns the places of each line that occurs more than once, the most bytes first.
fn repeated_lines(file: &File<'_>) -> Vec<Vec<Span>> {
    let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Span>> = Vec::new();
    let mut at = file.span.start;
    for line in file.text.split_inclusive(|&byte| byte == b'\n') {
        let span = Span::new(at, at + line.len() as u32);
        at = span.end;
        // The last line may lack its newline and is still a copy.
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let number = *numbers.entry(content).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::with_capacity(1));
        }
        groups[number].push(span);
    }
    groups.retain(|copies| copies.len() > 1);
    let bytes = |copies: &Vec<Span>| copies.iter().map(|span| u64::from(span.len())).sum::<u64>();
    groups.sort_by_key(|copies| std::cmp::Reverse(bytes(copies)));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn all_copies_are_removed_at_once_or_all_but_one() {
        let text = b"a\nnoise noise\na\n\xff\0\nnoise noise\n\xff\0\na";
        let needs = |text: &[u8]| text.contains(&b'a') && text.contains(&0xff);
        assert_eq!(reduce_with(&Duplicates, text, needs), b"a\n\xff\0\n");
    }

    #[test]
    fn different_lines_are_left_alone() {
        assert!(proposals(&Duplicates, b"a\nb\nc\n").is_empty());
        assert!(proposals(&Duplicates, b"").is_empty());
        assert!(proposals(&Duplicates, b"\0\0\0\0").is_empty());
    }
}
