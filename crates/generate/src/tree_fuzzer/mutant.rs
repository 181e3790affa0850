use super::parent::{Parent, Quantifier};
use crate::choices::Choices;
use crate::generator::{Generator, TextWriter};
use nubbin_grammar::grammar::SymbolId;
use std::ops::Range;

/// A part of a mutant.
#[derive(Clone, Debug)]
pub(super) enum Piece<'p> {
    /// Tokens of a parent.
    Copy {
        parent: &'p Parent,
        tokens: Range<u32>,
        /// The text to put before the first token instead of the parent's own.
        gap: Option<&'p [u8]>,
    },
    /// A new instance of a rule or token.
    New { symbol: SymbolId, gap: &'p [u8] },
}

/// A replacement of tokens by others.
pub(super) struct Edit<'p> {
    pub(super) tokens: Range<u32>,
    pub(super) by: Vec<Piece<'p>>,
}

impl<'p> Piece<'p> {
    pub(super) fn of(parent: &'p Parent, tokens: Range<u32>) -> Self {
        Piece::Copy {
            parent,
            tokens,
            gap: None,
        }
    }
}

/// Returns the pieces of a parent with edits, which are in order and do not overlap.
///
/// The replacement of tokens comes after the text that was before the tokens.
pub(super) fn edited<'p>(
    parent: &'p Parent,
    edits: impl IntoIterator<Item = Edit<'p>>,
) -> Vec<Piece<'p>> {
    let mut pieces = vec![];
    let mut at = 0;
    for Edit { tokens, mut by } in edits {
        pieces.push(Piece::of(parent, at..tokens.start));
        if !tokens.is_empty()
            && let Some(Piece::Copy { gap, .. }) = by.first_mut()
        {
            *gap = Some(parent.gap(tokens.start));
        }
        pieces.append(&mut by);
        at = tokens.end;
    }
    pieces.push(Piece::of(parent, at..parent.len()));
    pieces
}

/// Returns the pieces of a parent with some of its tokens replaced.
pub(super) fn replaced<'p>(
    parent: &'p Parent,
    tokens: Range<u32>,
    by: Vec<Piece<'p>>,
) -> Vec<Piece<'p>> {
    edited(parent, [Edit { tokens, by }])
}

/// Returns the pieces of a parent with one more element in a quantifier, at a chosen position.
pub(super) fn inserted<'p>(
    parent: &'p Parent,
    quantifier: &Quantifier,
    element: Piece<'p>,
    choices: &mut Choices,
) -> Vec<Piece<'p>> {
    let at = choices.choose(quantifier.elements.len() + 1, 0);
    let place = quantifier.place(at);
    replaced(parent, place..place, vec![element])
}

/// Writes the text of a mutant, with a hidden text at its end. Returns `None` if two tokens cannot
/// be adjacent.
pub(super) fn write(
    generator: &Generator,
    pieces: &[Piece<'_>],
    tail: &[u8],
    choices: &mut Choices,
) -> Option<Vec<u8>> {
    let mut writer = TextWriter::new(generator);
    for piece in pieces {
        match piece {
            Piece::Copy {
                parent,
                tokens,
                gap,
            } => {
                let mut before = *gap;
                for token in tokens.clone() {
                    let (symbol, text) = parent.token(token);
                    let gap = before.take().unwrap_or(parent.gap(token));
                    if !writer.token(gap, symbol, text) {
                        return None;
                    }
                }
            }
            Piece::New { symbol, gap } => {
                if !writer.symbol(gap, *symbol, choices) {
                    return None;
                }
            }
        }
    }
    writer.finish(tail)
}
