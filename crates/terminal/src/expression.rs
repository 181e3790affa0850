//! Regular expressions in hints.

/// Returns a regular expression that matches a text.
pub fn pattern(text: &str) -> String {
    let is_special = |char: char| "\\.+*?()|[]{}^$".contains(char);
    let escaped = |char: char| is_special(char).then_some('\\').into_iter().chain([char]);
    text.chars().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_no_character_with_a_meaning() {
        assert_eq!(pattern("KeyError: 'a.b' (x)"), "KeyError: 'a\\.b' \\(x\\)");
    }
}
