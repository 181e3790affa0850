use super::Part;
use nubbin_edit::Span;
use std::fmt;

/// An input in which some parts may be any text of their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pieces: Vec<Piece>,
}

/// One piece of a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A required text.
    Text(Vec<u8>),
    /// A place for any text of a kind. Pieces with the same kind and number have the same text.
    Any {
        /// The name of the kind.
        kind: String,
        /// The number of the place, which it shares with all places that must have the same text.
        number: Option<usize>,
        /// The index of the part among the parts of the input.
        part: usize,
        /// The span of the part in the input.
        span: Span,
    },
}

impl Piece {
    /// Returns the label of the piece: its text, `<kind>`, or `<kind-1>`.
    pub fn label(&self) -> String {
        match self {
            Piece::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Piece::Any {
                kind, number: None, ..
            } => format!("<{kind}>"),
            Piece::Any {
                kind,
                number: Some(number),
                ..
            } => format!("<{kind}-{number}>"),
        }
    }
}

impl Pattern {
    /// Creates the pattern of a text in which the chosen parts are abstract.
    pub(super) fn new(text: &[u8], parts: &[Part], chosen: &[usize]) -> Self {
        let mut places: Vec<(Span, usize)> = vec![];
        for &at in chosen {
            places.extend(parts[at].places.iter().map(|&span| (span, at)));
        }
        // If one location is inside another, the outer one comes first.
        places.sort_by_key(|(span, at)| (span.start, std::cmp::Reverse(span.end), *at));
        let mut numbered: Vec<usize> = vec![];
        let mut pieces = vec![];
        let mut end = 0;
        for (span, at) in places {
            if span.start < end {
                continue;
            }
            push_text(&mut pieces, text, end, span.start);
            let kind = parts[at].kind.clone();
            let number = (parts[at].places.len() > 1).then(|| {
                if !numbered.contains(&at) {
                    numbered.push(at);
                }
                let alike = numbered.iter().take_while(|&&other| other != at);
                alike.filter(|&&other| parts[other].kind == kind).count() + 1
            });
            pieces.push(Piece::Any {
                kind,
                number,
                part: at,
                span,
            });
            end = span.end;
        }
        push_text(&mut pieces, text, end, text.len() as u32);
        Pattern { pieces }
    }

    /// Returns the pieces of the pattern, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the number of required bytes.
    pub fn concrete(&self) -> usize {
        let text = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Any { .. } => 0,
        });
        text.sum()
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &[u8], start: u32, end: u32) {
    let text = text.get(start as usize..end as usize).unwrap_or_default();
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_vec()));
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces
            .iter()
            .try_for_each(|piece| f.write_str(&piece.label()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: &str, places: &[(u32, u32)]) -> Part {
        Part {
            kind: kind.into(),
            places: places
                .iter()
                .map(|&(start, end)| Span::new(start, end))
                .collect(),
        }
    }

    #[test]
    fn abstract_parts_are_shown_by_their_kind_and_shared_ones_by_a_number() {
        let parts = [
            part("expr", &[(4, 9)]),
            part("int", &[(4, 5)]),
            part("name", &[(0, 1), (11, 12)]),
            part("name", &[(2, 3), (13, 14)]),
        ];
        let text = b"a b 1 + 2, a b;";
        let shown = |chosen: &[usize]| Pattern::new(text, &parts, chosen).to_string();
        assert_eq!(shown(&[]), "a b 1 + 2, a b;");
        assert_eq!(shown(&[0, 1]), "a b <expr>, a b;");
        assert_eq!(
            shown(&[3, 0, 2]),
            "<name-1> <name-2> <expr>, <name-1> <name-2>;"
        );
        assert_eq!(Pattern::new(text, &parts, &[0, 3]).concrete(), 8);
    }
}
