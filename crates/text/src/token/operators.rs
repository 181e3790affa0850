use nubbin_edit::{File, Span};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Spans, Work, optional};
use nubbin_view::terms::Terms;
use nubbin_view::tokens::TokenKind;

/// Deletes a binary operator with one of its operands: `a + b` becomes `a`, or `b`.
///
/// There are two lists in order of position: every operator with the operand after it, then every
/// operator with the operand before it. An operand is a word, a literal, or a bracket group with
/// its members, calls, and indices (`p->x.f(1)[2]`). Members count as operators too, so parts of
/// `a.b.c` can be deleted. The pass takes two tests at most for each operator and side, less where
/// runs can be deleted.
///
/// A token that is not a binary operator at its position (`*p`, `&x`, `<T>`) leads to a proposal
/// that is usually rejected. The pass helps with expressions and conditions in any language with
/// infix operators. Single tokens cannot be deleted there, since the operator and the operand must
/// be deleted together.
///
/// Source: the binary-operator rewrites of C-Reduce's `clang_delta` (Regehr et al. 2012) and the
/// generic form of Shrink Ray (MacIver). Rough tokens with operand search are our own.
///
/// ```
/// use nubbin_reduce::pass::{Operators, preview};
///
/// let proposals = preview(&Operators, b"x = f(1) + y;", 9);
/// assert_eq!(proposals, ["x = f(1);", "x + y;", "x = y;", "f(1) + y;"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Operators;

const OPERATORS: [&[u8]; 44] = [
    b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^", b"&&", b"||", b"==", b"!=", b"===", b"!==",
    b"<", b">", b"<=", b">=", b"<=>", b"<<", b"**", b"=", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=",
    b"|=", b"^=", b"<<=", b":=", b".", b"->", b"::", b"?.", b"..", b"..=", b"=>", b":", b"|>",
    b"??", b"##", b"@",
];

impl Pass for Operators {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "operators",
            "deletes a binary operator with one of its operands",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let terms = Terms::of(context.views, file.text);
        let (mut with_right, mut with_left) = (vec![], vec![]);
        let moved = |span: Span| Span::at(file.span.start, span.range());
        for token in 0..terms.len() {
            let is_word_operator =
                matches!(terms.text(token), b"and" | b"or" | b"as" | b"in" | b"is");
            let punct = terms.kind(token) == Some(TokenKind::Punct);
            if !(punct && OPERATORS.contains(&terms.text(token)) || is_word_operator) {
                continue;
            }
            if let Some(last) = terms.operand_from(token + 1) {
                with_right.extend(terms.span(token, last).map(moved));
            }
            if let Some(first) = token.checked_sub(1).and_then(|last| terms.operand_to(last)) {
                // The space after the operator would otherwise remain.
                let end = terms.span(token + 1, token + 1).map(|next| next.start);
                let span = terms.span(first, token);
                let span = span.map(|span| Span::new(span.start, end.unwrap_or(span.end)));
                with_left.extend(span.map(moved));
            }
        }
        // The space before the operator is removed too. It is white space or a comment.
        for span in &mut with_right {
            let before = (span.start - file.span.start) as usize;
            let blanks = file.text.get(..before).unwrap_or_default().iter().rev();
            let blanks = blanks.take_while(|&&byte| byte == b' ').take(8).count() as u32;
            span.start -= blanks;
        }
        let works = [with_right, with_left].map(|spans| optional(Spans::new(spans)));
        Chain::work(works, context.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn contains(text: &[u8], needle: &[u8]) -> bool {
        text.windows(needle.len()).any(|window| window == needle)
    }

    #[test]
    fn one_side_of_each_operator_is_removed() {
        let text = b"if (a.b(1) && x + bug(y * z) == 3) return;";
        let valid = |text: &[u8]| {
            contains(text, b"bug(")
                && text.starts_with(b"if (")
                && text.ends_with(b") return;")
                && !contains(text, b"()")
                && !contains(text, b"( ")
        };
        assert_eq!(reduce_with(&Operators, text, valid), b"if (bug(y)) return;");
    }

    #[test]
    fn odd_bytes_and_no_operators_give_nothing() {
        assert!(proposals(&Operators, b"").is_empty());
        assert!(proposals(&Operators, b"f(x)\xff\0;").is_empty());
        assert!(
            proposals(&Operators, b"+ - * )(")
                .iter()
                .all(|text| !text.is_empty())
        );
    }
}
