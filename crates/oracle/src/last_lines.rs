//! The end of an output, as messages show it.

/// The number of last lines of an output that are shown.
const LINES: usize = 5;
/// The number of characters of a line that are shown.
const WIDTH: usize = 200;

/// Returns the last lines of an output for a message. Long lines are cut, and control characters
/// are left out.
pub fn last_lines(bytes: &[u8]) -> Vec<String> {
    // These bytes are enough for the lines that are shown, and few even if the output is large.
    let end = &bytes[bytes.len().saturating_sub(LINES * WIDTH * 4)..];
    let text = String::from_utf8_lossy(end);
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let shown = last.iter().map(|line| {
        let short = line.chars().take(WIDTH);
        short.filter(|char| !char.is_control()).collect()
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_short_lines_without_control_characters_are_shown() {
        let long = format!("0\n1\n2\n\x1b[31m3\n4\n{}\n", "x".repeat(300));
        let last = last_lines(long.as_bytes());
        assert_eq!(last[..4], ["1", "2", "[31m3", "4"]);
        assert_eq!(last[4].len(), WIDTH);
        assert_eq!(last_lines(b""), [""; 0]);
    }
}
