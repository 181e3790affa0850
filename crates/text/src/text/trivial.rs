use nubbin_edit::{Edit, File};
use nubbin_engine::order::rank;
use nubbin_engine::work::{Context, OneByOne, Pass, PassInfo, Work};

/// Replaces the whole file with almost nothing: with the empty text, then with single bytes.
///
/// The pass takes at most four tests, or six tests for binary data, and ends on a file after the
/// first success. The pass shows whether the content matters at all. The pass helps with files that
/// only have to exist (a header that is included and not used), on wrong tests that accept
/// everything, and on bugs in the handling of degenerate input.
///
/// Source: Shrink Ray's initial checks (MacIver), which tries the empty file and single bytes
/// before all else; users of C-Reduce know the "empty file is interesting" surprise. The bytes are
/// our own choice: one of each kind that formats treat differently, and the zero byte and 0xff only
/// if the file is not a text.
///
/// ```
/// use nubbin_reduce::pass::{Trivial, preview};
///
/// assert_eq!(preview(&Trivial, b"{}", 8), ["", "\n", "0", "a"]);
/// assert_eq!(preview(&Trivial, b"\xc3(", 8), ["", "\n", "0", "a", "\0", "\u{fffd}"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Trivial;

const TEXT: [u8; 3] = [b'\n', b'0', b'a'];
const BINARY: [u8; 2] = [0, 0xff];

impl Pass for Trivial {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "trivial",
            "replaces the whole file with nothing or with one byte",
            "Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let first = file.text.first()?;
        let smaller = |byte: &u8| file.text.len() > 1 || rank(*byte) < rank(*first);
        let is_text = std::str::from_utf8(file.text).is_ok_and(|text| !text.contains('\0'));
        let binary: &[u8] = if is_text { &[] } else { &BINARY };
        let bytes = TEXT.iter().chain(binary).filter(|byte| smaller(byte));
        let edits: Vec<Edit> = std::iter::once(Edit::delete(file.span))
            .chain(bytes.map(|byte| Edit::replace(file.span, std::slice::from_ref(byte))))
            .collect();
        Some(Work::Machine(Box::new(OneByOne::new(edits).first_only())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn nothing_is_tried_first() {
        assert_eq!(proposals(&Trivial, b"x = 1")[..3], [&b""[..], b"\n", b"0"]);
        assert_eq!(reduce_with(&Trivial, b"x = 1", |_| true), b"");
        assert_eq!(
            reduce_with(&Trivial, b"x = 1", |text| !text.is_empty()),
            b"\n"
        );
    }

    #[test]
    fn a_single_byte_is_only_replaced_by_a_simpler_one() {
        assert_eq!(proposals(&Trivial, b"0"), [&b""[..], b"\n"]);
        assert!(proposals(&Trivial, b"").is_empty());
    }
}
