//! The parts of a text in an unknown language: its words, numbers, and strings.

use super::{Draw, OtherTexts, Part, TextPart};
use nubbin_edit::Span;
use nubbin_view::tokens::{self, TokenKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns every word, number, and string of a text. All occurrences of a word also form one part,
/// which has the same text at each location.
pub fn parts(text: &[u8]) -> Vec<TextPart> {
    let mut found = vec![];
    let mut places: BTreeMap<&[u8], Vec<Span>> = BTreeMap::new();
    let all: Vec<_> = tokens::code(text).collect();
    let words = all.iter().filter(|token| token.kind == TokenKind::Word);
    let words: Vec<Vec<u8>> = words.map(|token| token.text(text).to_vec()).collect();
    let others: Arc<dyn OtherTexts> = Arc::new(Invented {
        words: words.into(),
    });
    for token in &all {
        let own = token.text(text);
        let Some(kind) = kind(own) else {
            continue;
        };
        if token.kind == TokenKind::Word {
            places.entry(own).or_default().push(token.span);
        }
        found.push(TextPart {
            part: Part::new(kind, token.span),
            others: Arc::clone(&others),
        });
    }
    for places in places.into_values().filter(|places| places.len() > 1) {
        found.push(TextPart {
            part: Part {
                kind: "name".into(),
                places,
            },
            others: Arc::new(Invented::default()),
        });
    }
    found
}

/// Returns the kind of a token by its text, or `None` if the token cannot be replaced.
pub fn kind(text: &[u8]) -> Option<&'static str> {
    let is_word = |byte: &u8| tokens::is_word_byte(*byte);
    match text {
        [b'"' | b'\'', .., b'"' | b'\''] if text.len() > 1 => Some("string"),
        [b'0'..=b'9', ..] if text.iter().all(u8::is_ascii_digit) => Some("int"),
        [b'0'..=b'9', ..] if text.iter().all(|byte| is_word(byte) || *byte == b'.') => {
            Some("number")
        }
        [first, ..] if !first.is_ascii_digit() && text.iter().all(is_word) => Some("name"),
        _ => None,
    }
}

/// A source of invented names, numbers, and strings, and of words of the text.
#[derive(Clone, Debug, Default)]
pub struct Invented {
    words: Arc<[Vec<u8>]>,
}

impl OtherTexts for Invented {
    fn other(&self, own: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
        let letters = |draw: &mut Draw, most: usize| -> Vec<u8> {
            let length = 1 + draw.below(most);
            (0..length).map(|_| b'a' + draw.below(26) as u8).collect()
        };
        Some(match kind(own)? {
            "string" => {
                let (first, last) = (*own.first()?, *own.last()?);
                // A single character is kept single, since it may be a character literal.
                let most = if own.len() == 3 { 1 } else { 8 };
                let inner = letters(draw, most);
                [&[first], &inner[..], &[last]].concat()
            }
            "int" => {
                // Small numbers are as likely as large ones.
                let most = 10usize.pow(1 + draw.below(6) as u32);
                draw.below(most).to_string().into_bytes()
            }
            "number" => format!("{}.{}", draw.below(1000), draw.below(100)).into_bytes(),
            _ => match draw.one_of(&self.words) {
                Some(word) if draw.below(3) == 0 => word.clone(),
                // The suffix makes the name different from any keyword.
                _ => [letters(draw, 7), b"_1".to_vec()].concat(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_strings_are_parts_and_repeated_words_are_one_as_well() {
        let found = parts(b"f(x, \"s\") + x * 2.5 // f\n");
        let shown: Vec<_> = found
            .iter()
            .map(|part| (part.part.kind.as_str(), part.part.places.len()))
            .collect();
        let expected = [
            ("name", 1),
            ("name", 1),
            ("string", 1),
            ("name", 1),
            ("number", 1),
            ("name", 2),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn invented_texts_are_of_the_same_kind() {
        let source = Invented {
            words: vec![b"word".to_vec()].into(),
        };
        for own in [&b"x"[..], b"12", b"1.5e3", b"\"text\"", b"'c'"] {
            for number in 0..50 {
                let other = source.other(own, &mut Draw::new(7, 0, number)).unwrap();
                assert_eq!(
                    kind(&other),
                    kind(own),
                    "{}",
                    String::from_utf8_lossy(&other)
                );
            }
        }
        assert_eq!(source.other(b"+", &mut Draw::new(0, 0, 0)), None);
    }
}
