//! The excerpt around the last change, as text or as bytes, with removals and insertions.

use super::colors::{Colors, Part};
use nubbin_reduce::input::Input;

/// The largest number of bytes before, in, and after the change.
const WINDOW: usize = 4096;

/// The largest number of bytes of the best so far as a whole.
const MAX_WHOLE: usize = 256 << 10;

/// The number of lines of context before the change.
const CONTEXT: usize = 4;

/// The kind of a piece: kept, removed, or inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Same,
    /// Kept text of the language that is a keyword, a literal, or a comment.
    Keyword,
    Literal,
    Comment,
    Removed,
    Added,
    /// A line with the name of a file.
    Name,
}

impl Mark {
    /// Returns whether the piece was removed or inserted.
    pub(super) fn is_change(self) -> bool {
        matches!(self, Mark::Removed | Mark::Added)
    }

    fn of(part: Part) -> Self {
        match part {
            Part::Plain => Mark::Same,
            Part::Keyword => Mark::Keyword,
            Part::Literal => Mark::Literal,
            Part::Comment => Mark::Comment,
        }
    }
}

/// The excerpt around a change. Its size is bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The name of the file, if there are several.
    pub(super) file: Option<String>,
    /// The offset in the file, in bytes.
    pub(super) offset: usize,
    /// The consecutive pieces.
    pub(super) pieces: Vec<(Mark, Vec<u8>)>,
    pub(super) is_text: bool,
}

impl Excerpt {
    /// Returns the change from one best so far to the next, or the beginning if there was no
    /// change.
    pub(super) fn of(before: Option<&Input>, best: &Input, colors: &Colors) -> Self {
        let changed = before.and_then(|before| {
            let differs = |&number: &usize| {
                before.file(number).map(|file| file.text) != best.file(number).map(|file| file.text)
            };
            let number = (0..before.file_count()).find(differs)?;
            Some((number, before))
        });
        let file = |input: &Input, number| {
            let name = input.file(number)?.name.display().to_string();
            (input.file_count() > 1).then_some(name)
        };
        match changed {
            Some((number, before)) => {
                let old = before.file(number).map_or(&[][..], |file| file.text);
                let new = best.file(number).map_or(&[][..], |file| file.text);
                Excerpt {
                    file: file(before, number),
                    ..Excerpt::between(old, new).colored(colors, number, new)
                }
            }
            None => {
                let first = best.present().next();
                let text = first.map_or(&[][..], |file| file.text);
                let number = first.map_or(0, |file| file.number);
                Excerpt {
                    file: first.and_then(|first| file(best, first.number)),
                    ..Excerpt::between(text, text).colored(colors, number, text)
                }
            }
        }
    }

    /// Returns all files of an input, up to a limit of bytes.
    pub(super) fn whole(input: &Input, colors: &Colors) -> Self {
        let mut pieces = vec![];
        let (mut left, mut is_first) = (MAX_WHOLE, true);
        for file in input.present() {
            if input.file_count() > 1 {
                let blank = if is_first { "" } else { "\n" };
                let name = format!("{blank}{}\n", file.name.display());
                pieces.push((Mark::Name, name.into_bytes()));
                is_first = false;
            }
            let shown = &file.text[..file.text.len().min(left)];
            left -= shown.len();
            if is_text(&[(Mark::Same, shown.to_vec())]) {
                let parts = colors.parts(file.number, file.text, 0..shown.len());
                pieces.extend(split(shown, &parts));
            } else {
                pieces.push((Mark::Same, shown.to_vec()));
            }
            if shown.len() < file.text.len() {
                let rest = format!("\n⋯ {} more bytes\n", file.text.len() - shown.len());
                pieces.push((Mark::Name, rest.into_bytes()));
            }
        }
        let is_text = is_text(&pieces);
        Excerpt {
            file: None,
            offset: 0,
            pieces,
            is_text,
        }
    }

    /// Returns the excerpt with the colors of the language. `text` is the new text, from which the
    /// excerpt is taken.
    fn colored(mut self, colors: &Colors, file: usize, text: &[u8]) -> Self {
        if !self.is_text {
            return self;
        }
        let is_there = |mark: Mark| mark != Mark::Removed;
        let there = self.pieces.iter().filter(|(mark, _)| is_there(*mark));
        let shown: usize = there.map(|(_, bytes)| bytes.len()).sum();
        let parts = colors.parts(file, text, self.offset..self.offset + shown);
        let mut at = 0;
        let mut pieces = vec![];
        for (mark, bytes) in std::mem::take(&mut self.pieces) {
            let end = at + if is_there(mark) { bytes.len() } else { 0 };
            match parts.get(at..end) {
                Some(parts) if mark == Mark::Same => pieces.extend(split(&bytes, parts)),
                _ => pieces.push((mark, bytes)),
            }
            at = end;
        }
        self.pieces = pieces;
        self
    }

    fn between(old: &[u8], new: &[u8]) -> Self {
        let mut prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        if prefix == old.len() && prefix == new.len() {
            // Without a change, the start of the text is shown.
            prefix = 0;
        }
        let cuts_char = |text: &[u8], at: usize| text.get(at).is_some_and(|b| b & 0xC0 == 0x80);
        while prefix > 0 && (cuts_char(old, prefix) || cuts_char(new, prefix)) {
            prefix -= 1;
        }
        let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
        let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
        let mut suffix = pairs.take_while(|(a, b)| a == b).count();
        while suffix > 0 && cuts_char(old, old.len() - suffix) {
            suffix -= 1;
        }
        let (went, after) = old_rest.split_at(old_rest.len() - suffix);
        let came = &new_rest[..new_rest.len() - suffix];
        let offset = context_start(&old[..prefix]);
        let mut pieces = vec![(Mark::Same, old[offset..prefix].to_vec())];
        if went.len() > WINDOW || came.len() > WINDOW {
            let cut = |text: &[u8]| text[..text.len().min(WINDOW)].to_vec();
            let mut shown = diff(&cut(went), &cut(came));
            // If both texts were cut, the last piece has lost its counterpart.
            if !came.is_empty() {
                while shown.len() > 1 && shown.last().is_some_and(|last| last.0 != Mark::Same) {
                    shown.pop();
                }
            }
            pieces.extend(shown);
        } else {
            pieces.extend(diff(went, came));
            pieces.push((Mark::Same, after[..after.len().min(WINDOW)].to_vec()));
        }
        pieces.retain(|piece| !piece.1.is_empty());
        let is_text = is_text(&pieces);
        Excerpt {
            file: None,
            offset,
            pieces,
            is_text,
        }
    }
}

/// Splits kept text where its part in the language changes.
fn split(text: &[u8], parts: &[Part]) -> Vec<(Mark, Vec<u8>)> {
    let mut pieces = vec![];
    let mut at = 0;
    for run in parts.chunk_by(|a, b| a == b) {
        let end = at + run.len();
        if let (Some(part), Some(bytes)) = (run.first(), text.get(at..end)) {
            pieces.push((Mark::of(*part), bytes.to_vec()));
        }
        at = end;
    }
    let rest = text.get(at..).unwrap_or_default();
    if !rest.is_empty() {
        pieces.push((Mark::Same, rest.to_vec()));
    }
    pieces
}

/// Returns the start of the last few lines, or of the last few hundred bytes if lines are long.
fn context_start(before: &[u8]) -> usize {
    let least = before.len().saturating_sub(WINDOW / 8);
    let mut lines = before
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, b)| **b == b'\n');
    let start = lines.nth(CONTEXT).map_or(0, |(at, _)| at + 1).max(least);
    // The start must not be inside a character.
    let continues = |at: &usize| before.get(*at).is_some_and(|b| b & 0xC0 == 0x80);
    (start..before.len().min(start + 4))
        .find(|at| !continues(at))
        .unwrap_or(start)
}

/// Returns whether the bytes have few enough control characters to be shown as text.
fn is_text(pieces: &[(Mark, Vec<u8>)]) -> bool {
    let (mut odd, mut all) = (0, 0);
    for (_, bytes) in pieces {
        for c in String::from_utf8_lossy(bytes).chars() {
            all += 1;
            let is_odd = c == char::REPLACEMENT_CHARACTER
                || c.is_control() && !matches!(c, '\n' | '\r' | '\t');
            odd += usize::from(is_odd);
        }
    }
    odd * 20 <= all
}

/// Splits a text into words, runs of spaces, and other single characters.
pub(super) fn words(text: &[u8]) -> Vec<&[u8]> {
    let kind = |b: u8| match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => 1,
        b' ' | b'\t' => 2,
        _ => 0,
    };
    text.chunk_by(|&a, &b| kind(a) != 0 && kind(a) == kind(b))
        .collect()
}

/// The largest number of words that are compared one by one.
const MOST_WORDS: usize = 1500;

/// Compares two texts word by word with a longest common subsequence.
fn diff(old: &[u8], new: &[u8]) -> Vec<(Mark, Vec<u8>)> {
    let (a, b) = (words(old), words(new));
    if new.is_empty() || old.is_empty() || a.len() > MOST_WORDS || b.len() > MOST_WORDS {
        return vec![(Mark::Removed, old.to_vec()), (Mark::Added, new.to_vec())];
    }
    let wide = b.len() + 1;
    // The length of the longest common subsequence of each pair of suffixes.
    let mut longest = vec![0u16; (a.len() + 1) * wide];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * wide + j] = if a[i] == b[j] {
                longest[(i + 1) * wide + j + 1] + 1
            } else {
                longest[(i + 1) * wide + j].max(longest[i * wide + j + 1])
            };
        }
    }
    let mut pieces: Vec<(Mark, Vec<u8>)> = vec![];
    let mut push = |mark: Mark, word: &[u8]| match pieces.last_mut() {
        Some((last, bytes)) if *last == mark => bytes.extend_from_slice(word),
        _ => pieces.push((mark, word.to_vec())),
    };
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(Mark::Same, a[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len()
            || i < a.len() && longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]
        {
            push(Mark::Removed, a[i]);
            i += 1;
        } else {
            push(Mark::Added, b[j]);
            j += 1;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats removals with `-` and insertions with `+`.
    fn shown(old: &str, new: &str) -> String {
        let excerpt = Excerpt::between(old.as_bytes(), new.as_bytes());
        let piece = |(mark, bytes): &(Mark, Vec<u8>)| {
            let text = String::from_utf8_lossy(bytes);
            match mark {
                Mark::Removed => format!("-{text}|"),
                Mark::Added => format!("+{text}|"),
                _ => text.into_owned(),
            }
        };
        excerpt.pieces.iter().map(piece).collect()
    }

    #[test]
    fn removed_and_new_text_is_marked() {
        for (old, new, expected) in [
            ("f(a, b)", "f(a)", "f(a-, b|)"),
            ("let total = 1;", "let x = 1;", "let -total|+x| = 1;"),
            (
                "if a { b } else { c }",
                "if a { c }",
                "if a { -b } else { |c }",
            ),
            ("one two three four", "two four", "-one |two- three| four"),
            ("same", "same", "same"),
            ("", "", ""),
            ("gone", "", "-gone|"),
        ] {
            assert_eq!(shown(old, new), expected);
        }
    }

    #[test]
    fn characters_are_not_cut() {
        assert_eq!(shown("aä", "aö"), "a-ä|+ö|");
        assert_eq!(shown("日本", "日"), "日-本|");
    }

    #[test]
    fn an_excerpt_is_bounded() {
        let old = "word and more\n".repeat(100_000);
        let (head, tail) = old.split_at(500_000);
        for new in [
            head.to_owned(),
            tail[700_000..].to_owned(),
            old.replace("and ", ""),
        ] {
            let excerpt = Excerpt::between(old.as_bytes(), new.as_bytes());
            let bytes: usize = excerpt.pieces.iter().map(|piece| piece.1.len()).sum();
            assert!(bytes <= 4 * WINDOW, "{bytes}");
            assert!(excerpt.is_text);
        }
    }

    #[test]
    fn bytes_are_distinguished_from_text() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert!(!Excerpt::between(&bytes, &bytes[7..]).is_text);
        let text = "int main() { return \u{1b}0; }".repeat(3);
        assert!(Excerpt::between(text.as_bytes(), &text.as_bytes()[9..]).is_text);
    }

    #[test]
    fn kept_text_has_the_colors_of_the_new_text() {
        let old = Input::single("x", "return 1 + 23; \"a\"").unwrap();
        let new = Input::single("x", "return 23; \"a\"").unwrap();
        let excerpt = Excerpt::of(Some(&old), &new, &Colors::default());
        let marks: Vec<(Mark, &str)> = (excerpt.pieces.iter())
            .map(|(mark, bytes)| (*mark, std::str::from_utf8(bytes).unwrap()))
            .collect();
        let expected = [
            (Mark::Keyword, "return"),
            (Mark::Same, " "),
            (Mark::Removed, "1 + "),
            (Mark::Literal, "23"),
            (Mark::Same, "; "),
            (Mark::Literal, "\"a\""),
        ];
        assert_eq!(marks, expected);
    }

    #[test]
    fn a_removed_file_is_shown_as_removed() {
        let two = Input::files([("a", b"one".to_vec()), ("b", b"two".to_vec())]).unwrap();
        let extent = two.file(1).unwrap().extent;
        let one = two.apply(&nubbin_reduce::edit::Edit::delete(extent));
        let excerpt = Excerpt::of(Some(&two), &one, &Colors::default());
        assert_eq!(excerpt.file.as_deref(), Some("b"));
        assert_eq!(excerpt.pieces, [(Mark::Removed, b"two".to_vec())]);
        assert_eq!(
            Excerpt::of(None, &one, &Colors::default()).file.as_deref(),
            Some("a")
        );
    }
}
