//! Protected regions: parts of the text that are kept unchanged in the result.
//!
//! Only the engine knows of them. Passes propose any edits, and each proposal is trimmed before it
//! leaves the machine that made it. So a list minimizer that removes a block with a protected line
//! in the middle removes all but that line.

use crate::Span;
use crate::{Applied, Edit, Splice};
use std::sync::Arc;

/// The protected spans of an input, sorted and disjoint. No edit may change their text.
///
/// A clone costs one reference count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protected {
    spans: Option<Arc<[Span]>>,
}

impl Protected {
    /// Creates the set from spans in any order. Overlapping spans are merged. Adjacent spans stay
    /// separate, and text may be inserted between them.
    pub fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_unstable();
        let mut united: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans.into_iter().filter(|span| !span.is_empty()) {
            match united.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => united.push(span),
            }
        }
        let spans = (!united.is_empty()).then(|| united.into());
        Protected { spans }
    }

    /// Returns the spans, sorted and disjoint.
    pub fn spans(&self) -> &[Span] {
        self.spans.as_deref().unwrap_or_default()
    }

    /// Returns whether nothing is protected.
    pub fn is_empty(&self) -> bool {
        self.spans.is_none()
    }

    /// Returns the allowed part of an edit. Protected spans are left out of deletions, and
    /// replacements and insertions that touch a protected span are dropped.
    ///
    /// The time is logarithmic in the number of spans, for each splice that meets few of them.
    ///
    /// ```
    /// use nubbin_edit::Edit;
    /// use nubbin_edit::Input;
    /// use nubbin_edit::Span;
    ///
    /// let input = Input::single("x", "one two three").unwrap().protect([Span::new(4, 7)]);
    /// let trimmed = input.protected().trim(Edit::delete(Span::new(0, 13)));
    /// assert_eq!(trimmed.render(input.bytes()), b"two");
    /// let refused = input.protected().trim(Edit::replace(Span::new(0, 13), b"x"));
    /// assert!(refused.is_none());
    /// ```
    pub fn trim(&self, edit: Edit) -> Edit {
        if self.is_empty() || edit.splices().iter().all(|s| self.met(s.span).is_empty()) {
            return edit;
        }
        let mut allowed: Vec<Splice> = Vec::with_capacity(edit.splices().len() + 1);
        for splice in edit.splices() {
            let met = self.met(splice.span);
            if met.is_empty() {
                allowed.push(splice.clone());
            } else if splice.is_deletion() {
                let mut at = splice.span.start;
                for kept in met {
                    if at < kept.start {
                        let before = Span::new(at, kept.start);
                        allowed.push(Splice::delete(before).ranked(splice.rank));
                    }
                    at = at.max(kept.end);
                }
                if at < splice.span.end {
                    let rest = Span::new(at, splice.span.end);
                    allowed.push(Splice::delete(rest).ranked(splice.rank));
                }
            }
        }
        // Parts of disjoint splices are disjoint.
        Edit::new(allowed).unwrap_or_default()
    }

    /// Returns the spans after an edit to which [`Protected::trim`] was applied.
    pub fn after(&self, edit: &Edit) -> Protected {
        if self.is_empty() {
            return Protected::default();
        }
        let applied = Applied::new(edit.clone());
        let moved = self.spans().iter().map(|&span| applied.span(span));
        Protected::new(moved.collect())
    }

    /// Returns the spans that share bytes with a span, or have it, as a point, in their middle.
    fn met(&self, span: Span) -> &[Span] {
        let spans = self.spans();
        let from = spans.partition_point(|kept| kept.end <= span.start);
        let rest = &spans[from..];
        let to = rest.partition_point(|kept| kept.start < span.end);
        &rest[..to]
    }
}

/// The marks found in a text. See [`marked`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The protected spans, in order.
    pub spans: Vec<Span>,
    /// Whether a region has a start mark but no end mark. Such a region extends to the end of the
    /// text.
    pub unended: bool,
    /// Whether a region has an end mark but no start mark. Such a mark has no effect.
    pub unbegun: bool,
}

const MARK: &[u8] = b"nubbin:keep";

/// Finds the regions that the text protects by marks in its comments. The comments may have any
/// syntax.
///
/// `nubbin:keep` protects the text before it on its line, without the sign that begins the comment.
/// `nubbin:keep-begin` and `nubbin:keep-end` protect the whole lines between them. The marks
/// themselves are not protected. This takes time linear in the text.
///
/// ```
/// use nubbin_edit::protect::marked;
///
/// let text = b"import os\nrun(1)  # nubbin:keep\n# nubbin:keep-begin\na\nb\n# nubbin:keep-end\n";
/// let kept: Vec<&[u8]> = marked(text).spans.iter().map(|span| &text[span.range()]).collect();
/// assert_eq!(kept, [&b"run(1)"[..], b"a\nb\n"]);
/// ```
pub fn marked(text: &[u8]) -> Marked {
    let mut found = Marked::default();
    let mut begun: Option<u32> = None;
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len() as u32;
        match mark(line) {
            Some((_, b"-begin")) => begun = begun.or(Some(end)),
            Some((_, b"-end")) => match begun.take() {
                Some(from) => found.spans.push(Span::new(from, start)),
                None => found.unbegun = true,
            },
            Some((at, _)) if begun.is_none() => {
                let kept = before_comment(&line[..at]);
                found.spans.push(Span::new(start, start + kept as u32));
            }
            _ => {}
        }
        start = end;
    }
    if let Some(from) = begun {
        found.unended = true;
        found.spans.push(Span::new(from, start));
    }
    found.spans.retain(|span| !span.is_empty());
    found
}

/// Returns the position and the kind of a mark in a line.
fn mark(line: &[u8]) -> Option<(usize, &[u8])> {
    let at = line.windows(MARK.len()).position(|window| window == MARK)?;
    let rest = line.get(at + MARK.len()..)?;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let kind = rest.iter().take_while(|byte| is_word(byte)).count();
    let kind = rest.get(..kind)?;
    [&b""[..], b"-begin", b"-end"]
        .contains(&kind)
        .then_some((at, kind))
}

/// Returns the length of the part of a line before the sign of a comment at its end. Without a
/// space before it, the sign might be code, and is counted.
fn before_comment(line: &[u8]) -> usize {
    const SIGNS: &[u8] = b"/*#-;%!<'\"";
    let text = line.trim_ascii_end();
    let sign = text.iter().rev().take_while(|byte| SIGNS.contains(byte));
    let rest = &text[..text.len() - sign.count()];
    if rest.last().is_none_or(u8::is_ascii_whitespace) {
        rest.trim_ascii_end().len()
    } else {
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use proptest::prelude::*;

    fn kept(text: &str) -> Vec<&str> {
        let spans = marked(text.as_bytes()).spans;
        spans.iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn a_mark_protects_the_text_before_the_comment() {
        for (line, code) in [
            ("  a(); // nubbin:keep\nb", "  a();"),
            ("a /* nubbin:keep */\n", "a"),
            ("(a) ;; nubbin:keep", "(a)"),
            ("<a/> <!-- nubbin:keep -->", "<a/>"),
            ("a;// nubbin:keep", "a;//"),
            ("a nubbin:keep\r\n", "a"),
        ] {
            assert_eq!(kept(line), [code], "{line:?}");
        }
    }

    #[test]
    fn unmatched_marks_are_reported() {
        assert!(kept("# nubbin:keep\nx # nubbin:keeper\n").is_empty());
        let open = marked(b"a\n# nubbin:keep-begin\nb\nc");
        assert!(open.unended);
        assert_eq!(kept("a\n# nubbin:keep-begin\nb\nc"), ["b\nc"]);
        assert!(marked(b"# nubbin:keep-end\n").unbegun);
        // A mark within a region has no effect, nor has a second beginning.
        let text = "nubbin:keep-begin\nx nubbin:keep\nnubbin:keep-begin\nnubbin:keep-end\ny";
        assert_eq!(kept(text), ["x nubbin:keep\nnubbin:keep-begin\n"]);
    }

    #[test]
    fn a_file_with_a_protected_region_is_kept_and_the_others_are_removed() {
        let files = [("a", "aaa"), ("b", "bbb"), ("c", "ccc")];
        let input = Input::files(files.map(|(name, text)| (name, text.into()))).unwrap();
        let middle = input.file(1).unwrap().span;
        let input = input.protect([Span::new(middle.start + 1, middle.end + 5)]);
        let all = Span::new(0, input.bytes().len() as u32);
        let left = input.apply(&input.protected().trim(Edit::delete(all)));
        let names: Vec<_> = left.present().map(|file| (file.name, file.text)).collect();
        assert_eq!(names, [(std::path::Path::new("b"), &b"bb"[..])]);
    }

    #[test]
    fn spans_outside_of_any_file_protect_nothing() {
        let input = Input::single("x", "text").unwrap();
        let input = input.protect([Span::new(4, 9), Span::new(2, 2)]);
        assert!(input.protected().is_empty());
    }

    const LEN: u32 = 60;

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        let span = (0..LEN, 0u32..6).prop_map(|(at, len)| Span::new(at, (at + len).min(LEN)));
        prop::collection::vec(span, 1..6)
    }

    fn edit() -> impl Strategy<Value = Edit> {
        let text = prop_oneof![3 => Just(""), 2 => Just("x"), 1 => Just("yz")];
        let splice = (0..=LEN, 0u32..20, text);
        prop::collection::vec(splice, 0..8).prop_map(|splices| {
            splices
                .into_iter()
                .fold(Edit::none(), |edit, (at, len, text)| {
                    let span = Span::new(at, (at + len).min(LEN));
                    let more = Edit::replace(span, text.as_bytes());
                    edit.combine(&more).unwrap_or(edit)
                })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        /// Applies edits to an input in the way of the engine: all refer to the input on which they
        /// were opened, and each is rebased over the edits applied before.
        #[test]
        fn protected_bytes_are_kept_in_order_and_in_one_piece(
            spans in spans(),
            cut in 0..LEN,
            turns in prop::collection::vec(prop::collection::vec(edit(), 1..5), 1..4),
        ) {
            let text: Vec<u8> = (0..LEN as u8).map(|i| b' ' + i).collect();
            let (first, second) = text.split_at(cut as usize);
            let files = [("a", first.to_vec()), ("b", second.to_vec())];
            let mut input = Input::files(files).unwrap().protect(spans);
            let regions = |input: &Input| -> Vec<Vec<u8>> {
                let spans = input.protected().spans().iter();
                spans.map(|span| input.bytes()[span.range()].to_vec()).collect()
            };
            let wanted = regions(&input);
            for edits in turns {
                let opened_on = input.clone();
                let len = opened_on.bytes().len() as u32;
                let mut applied = Applied::default();
                for edit in edits {
                    if edit.splices().iter().any(|splice| splice.span.end > len) {
                        continue;
                    }
                    let edit = opened_on.protected().trim(edit);
                    if let Ok(moved) = applied.rebase(&edit) {
                        input = input.apply(&moved);
                        applied.apply(&edit).unwrap();
                    }
                    // The content of the spans, one after another, is the protected text.
                    prop_assert_eq!(&regions(&input), &wanted);
                    prop_assert!(input.protected().spans().windows(2).all(|two| two[0].end <= two[1].start));
                }
            }
        }
    }
}
