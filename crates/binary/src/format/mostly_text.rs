use super::ar;
use super::read::{guess, read};
use super::text::{Oddness, oddness};

/// Returns whether some bytes are mostly text, judged by their first bytes.
///
/// Text has almost no control characters. A stray NUL or a byte that is not UTF-8 does not make a
/// source file binary. A file with one such byte in ten counts as binary. A file is also binary if
/// its format can be [read], or if a structure can be [guessed](guess), such as texts with their
/// lengths.
///
/// ```
/// use nubbin_binary::is_mostly_text;
///
/// assert!(is_mostly_text(b"int main() { return '\0'; } // caf\xe9"));
/// assert!(!is_mostly_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"));
/// ```
pub fn is_mostly_text(bytes: &[u8]) -> bool {
    // The member headers of these archives are text as well.
    if bytes.starts_with(ar::MAGIC) {
        return false;
    }
    match oddness(bytes) {
        Oddness::None => true,
        Oddness::Few => read(bytes).is_none(),
        Oddness::Some => read(bytes).is_none() && guess(bytes).is_none(),
        Oddness::Many => false,
    }
}
