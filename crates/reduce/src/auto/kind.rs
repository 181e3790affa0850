/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines of characters: source code, data, logs, prose.
    Text,
    /// Any other data.
    Bytes,
}

/// The number of bytes by which the kind of an input is recognized.
const SNIFFED: usize = 64 << 10;

impl Kind {
    /// Returns the kind of some bytes, from their beginning.
    ///
    /// Text has almost no control characters. A stray NUL or a byte that is not UTF-8 does not make
    /// a source file binary; one in ten does, and so does a known binary format.
    pub fn of(bytes: &[u8]) -> Kind {
        let head = &bytes[..bytes.len().min(SNIFFED)];
        let valid = String::from_utf8_lossy(head);
        let odd = valid
            .chars()
            .filter(|&c| {
                c == char::REPLACEMENT_CHARACTER || c.is_control() && !"\n\r\t\x0c".contains(c)
            })
            .count();
        if odd * 10 > head.len() || odd > 0 && nubbin_binary::read(bytes).is_some() {
            Kind::Bytes
        } else {
            Kind::Text
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
