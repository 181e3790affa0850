//! Regular expressions in hints.

/// Returns a regular expression that matches a text.
pub fn pattern(text: &str) -> String {
    let is_special = |char: char| "\\.+*?()|[]{}^$".contains(char);
    let escaped = |char: char| is_special(char).then_some('\\').into_iter().chain([char]);
    text.chars().flat_map(escaped).collect()
}

/// Returns a regular expression that matches a message of any input: without the position at its
/// beginning, and with any number for each number outside of quotes.
pub fn pattern_of_message(line: &str) -> String {
    let text = without_position(line);
    let mut out = String::new();
    let mut quote = None;
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let is_in_word = out.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 && quote.is_none() && !is_in_word {
            out.push_str("[0-9]+");
            rest = &rest[digits..];
            continue;
        }
        match quote {
            Some(open) if open == char => quote = None,
            None if matches!(char, '\'' | '"') && !is_in_word => quote = Some(char),
            _ => {}
        }
        out.push_str(&pattern(&rest[..char.len_utf8()]));
        rest = &rest[char.len_utf8()..];
    }
    out
}

/// Returns a line without `path:line:column:` at its beginning.
fn without_position(line: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = line.splitn(4, ':');
    let (Some(path), Some(number), Some(third)) = (parts.next(), parts.next(), parts.next()) else {
        return line;
    };
    if path.contains(char::is_whitespace) || !is_number(number) {
        return line;
    }
    match parts.next() {
        Some(message) if is_number(third) => message.trim_start(),
        _ => line[path.len() + number.len() + 2..].trim_start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_of_a_message_has_neither_its_position_nor_its_numbers() {
        for (line, expected) in [
            (
                "a.c:3:5: warning: '%08d' writes 8 bytes",
                "warning: '%08d' writes [0-9]+ bytes",
            ),
            ("a.c:3: error: x1 is 12", "error: x1 is [0-9]+"),
            (
                "TemplateError: line 111: endfor closes 'with' of line 108",
                "TemplateError: line [0-9]+: endfor closes 'with' of line [0-9]+",
            ),
            ("KeyError: 'a1'", "KeyError: 'a1'"),
            ("can't read 2 files", "can't read [0-9]+ files"),
            ("3", "[0-9]+"),
            ("", ""),
        ] {
            assert_eq!(pattern_of_message(line), expected);
        }
    }

    #[test]
    fn a_pattern_has_no_character_with_a_meaning() {
        assert_eq!(pattern("KeyError: 'a.b' (x)"), "KeyError: 'a\\.b' \\(x\\)");
    }
}
