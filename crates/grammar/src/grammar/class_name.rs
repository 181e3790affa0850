use crate::byte_set::ByteSet;

/// Returns the notation of a class of bytes.
pub(super) fn class_name(set: ByteSet) -> String {
    let mut text = String::new();
    for (first, last) in set.ranges() {
        match last - first {
            0 => push_escaped(&mut text, first),
            1 => {
                push_escaped(&mut text, first);
                push_escaped(&mut text, last);
            }
            _ => {
                push_escaped(&mut text, first);
                text.push('-');
                push_escaped(&mut text, last);
            }
        }
    }
    format!("[{text}]")
}

fn push_escaped(text: &mut String, byte: u8) {
    match byte {
        b'[' | b']' | b'\\' | b'^' | b'-' => text.extend(['\\', byte.into()]),
        b'\n' => text.push_str("\\n"),
        b'\r' => text.push_str("\\r"),
        b'\t' => text.push_str("\\t"),
        0x20..=0x7e => text.push(byte.into()),
        _ => text.push_str(&format!("\\x{byte:02x}")),
    }
}
