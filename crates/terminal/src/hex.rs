//! Bytes as hexadecimal digits.

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of a text in hexadecimal digits, or `None` if the text is not pairs of
/// hexadecimal digits.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let pair = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair)
            .ok()
            // `from_str_radix` accepts a sign, which is not part of a byte.
            .filter(|pair| pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u8::from_str_radix(pair, 16).ok()
    };
    digits.chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_of_digits_are_bytes() {
        assert_eq!(from_hex("00fF"), Some(vec![0, 255]));
        for wrong in ["0", "+1", "-1", "0x", " 1", "é"] {
            assert_eq!(from_hex(wrong), None, "{wrong}");
        }
    }
}
