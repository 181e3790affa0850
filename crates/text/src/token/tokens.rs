use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work, tiling};
use nubbin_view::tokens::code_in;

/// Deletes tokens.
///
/// Tokens are the words, numbers, strings, comments, and operators that the [lexer for
/// code](nubbin_view::tokens::code) finds, each with the white space after it. Tokens are the
/// finest unit that is worth its tests in code: deleting a character of a word rarely helps,
/// deleting a word often does. Tokens that must be deleted together and are not neighbors
/// (brackets, or a comma and a word two words later) are left to other passes.
///
/// Cost: at least one test per needed token. Use it late, when the text is small.
///
/// Source: C-Reduce's clex passes, Shrink Ray's token cuts. One lexer serves all languages.
///
/// ```
/// use nubbin_reduce::pass::{Tokens, preview};
///
/// let first = preview(&Tokens, b"int  f(\"a b\");", 3);
/// assert_eq!(first, ["int  f(\"a b\")", "int  f(\"a b\";", "int  f();"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tokens;

impl Pass for Tokens {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "tokens",
            "deletes tokens: words, numbers, strings, operators",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
        .joining_files()
        .trying_everything()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        // The white space at the start is deleted with the first token.
        let mut bounds: Vec<u32> = code_in(context.views, file.text)
            .map(|token| token.span.start)
            .collect();
        *bounds.first_mut()? = 0;
        bounds.push(file.text.len() as u32);
        tiling(file, bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn tokens_are_removed_with_the_space_after_them() {
        let left = reduce_with(&Tokens, b"  a = /* no */ f(b, 'c') ;\n", |text| {
            text.windows(3).any(|w| w == b"'c'") && text.contains(&b'=')
        });
        assert_eq!(left, b"= 'c'");
    }

    #[test]
    fn white_space_alone_has_no_token() {
        assert!(proposals(&Tokens, b" \n\t").is_empty());
    }
}
