use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Spans, Work};
use nubbin_view::lines::widen;
use nubbin_view::tokens::{TokenKind, code_in};

/// Deletes comments, first all at once.
///
/// A tenth to a third of real source code is comments, and nothing depends on them: one test
/// usually deletes them all. Comments are found without knowing the language (see
/// [`Code`](nubbin_view::tokens::Code)). If a guess is wrong, the list minimizer deletes the other
/// comments. Comments that are alone on their lines are deleted with these lines.
///
/// Cost: one test; if it does not fail, a list of as many units as there are comments.
///
/// Source: C-Reduce's `comments` pass (Regehr et al., PLDI 2012), Shrink Ray's comment cuts. These
/// passes use a fixed set of markers. In this pass, a marker must also be at a position where
/// comments begin in that text.
///
/// ```
/// use nubbin_reduce::pass::{Comments, preview};
///
/// let first = preview(&Comments, b"// one\nint x; /* two */\n  # include y\n", 2);
/// assert_eq!(first, ["int x; \n  # include y\n", "// one\nint x; \n  # include y\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Comments;

impl Pass for Comments {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "comments",
            "deletes comments",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let comments: Vec<Span> = code_in(context.views, file.text)
            .filter(|token| token.kind == TokenKind::Comment)
            .map(|token| widen(file.text, token.span))
            .map(|span| Span::new(span.start + file.span.start, span.end + file.span.start))
            .collect();
        (!comments.is_empty()).then(|| Work::List(List::new(Spans::new(comments)).try_all()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn all_comments_are_removed_in_one_test() {
        let text = b"#!/bin/sh\n# a\necho \"# b\" # c\n  # d\n";
        assert_eq!(proposals(&Comments, text)[0], b"echo \"# b\" \n");
    }

    #[test]
    fn a_comment_that_is_needed_stays() {
        let text = b"-- one\nselect 1; -- two\n-- three";
        let left = reduce_with(&Comments, text, |text| text.windows(3).any(|w| w == b"two"));
        assert_eq!(left, b"select 1; -- two\n");
    }

    #[test]
    fn a_text_without_comments_is_left_alone() {
        assert!(proposals(&Comments, b"#include <a>\nx = \"//\";\n").is_empty());
    }
}
