use unicode_width::UnicodeWidthChar;

/// Returns a printable replacement of a character.
pub fn tame(c: char) -> char {
    let format = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}');
    match c.width() {
        Some(1..) if !format => c,
        _ => '·',
    }
}
