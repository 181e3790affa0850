/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines of characters: source code, data, logs, prose.
    Text,
    /// Any other data.
    Bytes,
}

impl Kind {
    /// Returns the kind of some bytes, from their beginning.
    pub fn of(bytes: &[u8]) -> Kind {
        match nubbin_binary::is_mostly_text(bytes) {
            true => Kind::Text,
            false => Kind::Bytes,
        }
    }
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
