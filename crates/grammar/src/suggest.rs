//! Suggestions for misspelled names.

/// Returns the name in `known` that is most similar to `name`, or `None` if none is similar.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3).max(1);
    known
        .into_iter()
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, other)| other)
}

/// Returns the number of edits (insert, delete, change, swap neighbors) between two words.
fn distance(a: &str, b: &str) -> usize {
    let word = |text: &str| text.to_lowercase().chars().take(64).collect::<String>();
    strsim::osa_distance(&word(a), &word(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_names_are_recognized_and_other_words_are_not() {
        let known = ["expr", "term", "factor", "digit"];
        let cases = [
            ("exrp", Some("expr")),
            ("Term", Some("term")),
            ("factors", Some("factor")),
            ("statement", None),
            ("x", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
    }
}
