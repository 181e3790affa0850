//! The parts of a message.

/// Returns the quoted texts in a message.
pub(crate) fn quoted(message: &str) -> Vec<&str> {
    let parts = message.split('\'');
    parts
        .skip(1)
        .step_by(2)
        .filter(|text| !text.is_empty())
        .collect()
}

/// Returns the words of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| !word.is_empty())
}

/// Returns the name at the end of a quoted text, without arguments.
pub(crate) fn last_word(text: &str) -> Option<&str> {
    if let Some(at) = text.find("operator") {
        let end = text[at + 8..].find(['<', '(']).filter(|end| *end > 0);
        return Some(&text[at..end.map_or(text.len(), |end| at + 8 + end)]);
    }
    let head = text.split(['<', '(']).next()?;
    words(head).last()
}
