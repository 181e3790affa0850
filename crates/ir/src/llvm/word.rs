use super::token::{Token, TokenKind};
use super::ty::closed;
use crate::module::{Word, WordKind};

/// Returns the removable words among the tokens of an item or instruction.
///
/// A word begins at the end of the token before it, so that its removal leaves no space. The first
/// token of an instruction takes the space after it instead.
pub(super) fn words(text: &[u8], tokens: &[Token], found: &mut Vec<Word>) {
    let mut at = 0;
    // Atomic accesses require an alignment.
    let is_atomic = tokens.iter().any(|token| token.of(text) == b"atomic");
    while let Some(token) = tokens.get(at) {
        let found_word =
            word(text, tokens, at).filter(|(kind, _)| !(is_atomic && *kind == WordKind::Alignment));
        let Some((kind, end)) = found_word else {
            at += 1;
            continue;
        };
        let is_after_comma = at > 0 && tokens[at - 1].is(b',');
        // A comma usually separates operands. Before these words, it belongs to the word.
        let is_suffix = matches!(
            kind,
            WordKind::Debug | WordKind::Metadata | WordKind::Alignment
        ) || [&b"comdat"[..], b"section", b"partition", b"code_model"]
            .iter()
            .any(|suffix| token.of(text) == *suffix);
        let start = match (is_after_comma && is_suffix, at) {
            (true, _) => tokens[at - 1].start,
            (false, 0) => token.start,
            (false, _) => tokens[at - 1].end,
        };
        let last = tokens[end - 1].end;
        let end_of_span = match at {
            0 => tokens.get(end).map_or(last, |next| next.start),
            _ => last,
        };
        found.push(Word {
            span: start..end_of_span,
            kind,
        });
        at = end;
    }
}

/// Returns the kind and the end of the word that begins at a token.
fn word(text: &[u8], tokens: &[Token], at: usize) -> Option<(WordKind, usize)> {
    let token = tokens[at];
    let next = tokens.get(at + 1);
    match token.kind {
        TokenKind::Group => Some((WordKind::Attributes, at + 1)),
        TokenKind::Metadata if !is_node(token, text) => {
            let kind = match token.of(text) {
                b"!dbg" => WordKind::Debug,
                _ => WordKind::Metadata,
            };
            let next = next?;
            match next.kind {
                TokenKind::Metadata if is_node(*next, text) => Some((kind, at + 2)),
                // `!{…}` and `!DIExpression(…)`
                TokenKind::Mark(b'!') | TokenKind::Metadata if at > 0 => {
                    Some((kind, closed(tokens, at + 2)?))
                }
                _ => None,
            }
        }
        // A bracket starts the operand bundles of a call: `[ "deopt"(i32 1) ]`.
        TokenKind::Mark(b'[') => {
            let is_bundle = next.is_some_and(|next| next.kind == TokenKind::Text)
                && tokens.get(at + 2).is_some_and(|open| open.is(b'('));
            is_bundle.then(|| Some((WordKind::Flag, closed(tokens, at)?)))?
        }
        TokenKind::Word => {
            let is_open = next.is_some_and(|next| next.is(b'('));
            match token.of(text) {
                b"align" if is_open => Some((WordKind::Alignment, closed(tokens, at + 1)?)),
                b"align" => next.map(|_| (WordKind::Alignment, at + 2)),
                b"comdat" if is_open => Some((WordKind::Flag, closed(tokens, at + 1)?)),
                word if WITH_TEXT.contains(&word) => {
                    let is_text = next.is_some_and(|next| next.kind == TokenKind::Text);
                    is_text.then_some((WordKind::Flag, at + 2))
                }
                word if WITH_PARENTHESES.contains(&word) && is_open => {
                    Some((WordKind::Flag, closed(tokens, at + 1)?))
                }
                // `add (…)` in a constant has its flags before the parenthesis.
                word if FLAGS.binary_search(&word).is_ok() => Some((WordKind::Flag, at + 1)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether a token is a numbered metadata node, such as `!7`.
pub(super) fn is_node(token: Token, text: &[u8]) -> bool {
    token.kind == TokenKind::Metadata && token.of(text).get(1).is_some_and(u8::is_ascii_digit)
}

/// Words that others of the program do not depend on, sorted.
const FLAGS: &[&[u8]] = &[
    b"afn",
    b"allocalign",
    b"allocptr",
    b"alwaysinline",
    b"arcp",
    b"available_externally",
    b"builtin",
    b"cold",
    b"coldcc",
    b"comdat",
    b"contract",
    b"convergent",
    b"dead_on_unwind",
    b"disjoint",
    b"dllexport",
    b"dso_local",
    b"exact",
    b"externally_initialized",
    b"fast",
    b"fastcc",
    b"hidden",
    b"hot",
    b"inbounds",
    b"inlinehint",
    b"inreg",
    b"internal",
    b"linkonce",
    b"linkonce_odr",
    b"local_unnamed_addr",
    b"minsize",
    b"mustprogress",
    b"ninf",
    b"nnan",
    b"nneg",
    b"noalias",
    b"nobuiltin",
    b"nocallback",
    b"nocapture",
    b"noext",
    b"nofree",
    b"nomerge",
    b"nonlazybind",
    b"nonnull",
    b"norecurse",
    b"noreturn",
    b"nosync",
    b"notail",
    b"noundef",
    b"nounwind",
    b"nsw",
    b"nsz",
    b"nusw",
    b"nuw",
    b"optsize",
    b"private",
    b"protected",
    b"readnone",
    b"readonly",
    b"reassoc",
    b"returned",
    b"samesign",
    b"signext",
    b"speculatable",
    b"ssp",
    b"sspreq",
    b"sspstrong",
    b"tail",
    b"unnamed_addr",
    b"uwtable",
    b"volatile",
    b"weak",
    b"weak_odr",
    b"willreturn",
    b"writable",
    b"writeonly",
    b"zeroext",
];

/// Words with something in parentheses after them.
const WITH_PARENTHESES: &[&[u8]] = &[
    b"dereferenceable",
    b"dereferenceable_or_null",
    b"captures",
    b"initializes",
    b"range",
    b"nofpclass",
    b"memory",
    b"allocsize",
    b"uwtable",
    b"vscale_range",
    b"allockind",
    b"sret",
    b"byval",
    b"syncscope",
];

/// Words with text in quotes after them.
const WITH_TEXT: &[&[u8]] = &[b"section", b"partition", b"gc"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_sorted() {
        assert!(FLAGS.is_sorted());
    }
}
