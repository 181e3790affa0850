/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines of characters: source code, data, logs, or prose.
    Text,
    /// Any other data.
    Bytes,
}

impl Kind {
    /// Returns the kind of an input, judged by its first bytes.
    pub fn of(bytes: &[u8]) -> Kind {
        match is_text(bytes) {
            true => Kind::Text,
            false => Kind::Bytes,
        }
    }
}

#[cfg(feature = "binary")]
fn is_text(bytes: &[u8]) -> bool {
    nubbin_binary::is_mostly_text(bytes)
}

/// Without knowledge of formats, one control character in a hundred is that of another kind of
/// data.
#[cfg(not(feature = "binary"))]
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..8000).unwrap_or(bytes);
    let is_odd = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
    head.iter().filter(is_odd).count() * 100 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_text_with_a_few_odd_bytes_is_still_text() {
        assert_eq!(
            Kind::of(b"int main() { return '\0'; } // caf\xe9"),
            Kind::Text
        );
        assert_eq!(Kind::of("Grüße, 世界".as_bytes()), Kind::Text);
        assert_eq!(Kind::of(b""), Kind::Text);
        assert_eq!(
            Kind::of(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"),
            Kind::Bytes
        );
    }
}
