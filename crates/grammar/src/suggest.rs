//! *Did you mean …?*

/// The one of `known` that is most like `name`, if it is like it at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3).max(1);
    known
        .into_iter()
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, other)| other)
}

/// Edits (insert, delete, change, swap neighbors) from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let word = |text: &str| text.to_lowercase().chars().take(64).collect::<String>();
    strsim::osa_distance(&word(a), &word(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
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
