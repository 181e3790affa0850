use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_view::chars::bounds;
use nubbin_view::tokens::{TokenKind, code_in};

/// Deletes single characters of tokens that have several, and spaces between tokens.
///
/// These are letters of words, digits of numbers, text in strings and comments, and halves of
/// operators, which [`Tokens`](crate::Tokens) cannot delete. Tokens of one character are left
/// to it, so this pass takes fewer tests than [`Chars`](crate::Chars) for the same result,
/// where `tokens` ran before. In a text of more than eight words, only the first and the last
/// letter of a word are tried: most words that are left are keywords or names that are known
/// elsewhere, and one with a letter less in the middle is neither.
///
/// Cost: a list as long as these tokens and spaces together; at least one test per needed
/// character, and two per word of many.
///
/// Source: T-Rec (Xu et al. 2024), there by the lexical rules of a grammar, and every letter.
///
/// ```
/// use nubbin_reduce::pass::{TokenInteriors, preview};
///
/// assert_eq!(preview(&TokenInteriors, b"ab(x)", 3), ["(x)", "a(x)", "b(x)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenInteriors;

/// In texts with more words than this, letters within words are not tried.
const FEW_WORDS: usize = 8;

impl Pass for TokenInteriors {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "token-interiors",
            "deletes single characters of words, numbers, strings, and operators, and spaces \
             between",
            "T-Rec (Xu et al. 2024)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let mut spans = vec![];
        let mut end = 0;
        let blanks = |from: u32, to: u32| {
            (file.span.start + from..file.span.start + to).map(|at| Span::new(at, at + 1))
        };
        let tokens: Vec<_> = code_in(context.views, file.text).collect();
        let words = tokens.iter().filter(|token| token.kind == TokenKind::Word);
        let has_few_words = words.count() <= FEW_WORDS;
        for token in tokens {
            spans.extend(blanks(end, token.span.start));
            end = token.span.end;
            let bounds = bounds(token.text(file.text));
            if bounds.len() > 2 {
                let start = file.span.start + token.span.start;
                let each = bounds.windows(2);
                let mut each = each.map(|pair| Span::new(start + pair[0], start + pair[1]));
                if token.kind == TokenKind::Word && !has_few_words {
                    spans.extend(each.next().into_iter().chain(each.next_back()));
                } else {
                    spans.extend(each);
                }
            }
        }
        spans.extend(blanks(end, file.text.len() as u32));
        (!spans.is_empty()).then(|| all_or_some(Spans::new(spans)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn tokens_of_one_character_stay() {
        let left = reduce_with(&TokenInteriors, b"a = \"bcd\" + 123;", |_| true);
        assert_eq!(left, b"a=+;");
    }

    #[test]
    fn of_many_words_only_the_ends_are_tried() {
        let text = b"one two three four five six seven eight nine";
        let left = reduce_with(&TokenInteriors, text, |_| true);
        assert_eq!(left, b"nwhreouivieveighin");
        assert!(proposals(&TokenInteriors, b"a=b+1;").is_empty());
    }

    #[test]
    fn the_needed_part_of_a_token_stays() {
        let needs = |text: &[u8]| text.contains(&b'c') && text.contains(&b'2');
        let left = reduce_with(&TokenInteriors, "a = \"bcä\" + 123;".as_bytes(), needs);
        assert_eq!(left, b"a=c+2;");
    }
}
