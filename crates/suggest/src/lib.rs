//! Suggestions for misspelled names.

#![deny(missing_docs)]

/// Returns the name in `known` that is most similar to `name`, or `None` if no name is similar.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3).max(1);
    let shape = Shape::of(name);
    known
        .into_iter()
        .filter(|other| shape.least_distance(&Shape::of(other)) <= limit)
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, other)| other)
}

/// Returns the number of edits (insert, delete, change, swap neighbors) between two words.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&word(a), &word(b))
}

/// Returns the beginning of a word, as far as words are compared.
fn word(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).take(64).collect()
}

/// The number of characters of a word, in groups. Most words differ so much in them that no
/// distance is computed.
struct Shape([u8; 16]);

impl Shape {
    fn of(text: &str) -> Self {
        let mut groups = [0; 16];
        let chars = text.chars().flat_map(char::to_lowercase).take(64);
        chars.for_each(|c| groups[c as usize % 16] += 1);
        Shape(groups)
    }

    /// Returns the fewest edits between words with these shapes: an edit adds one character at
    /// most, and takes one away at most.
    fn least_distance(&self, other: &Shape) -> usize {
        let pairs = self.0.iter().zip(&other.0);
        let (mut added, mut removed) = (0, 0);
        for (&from, &to) in pairs {
            added += usize::from(to.saturating_sub(from));
            removed += usize::from(from.saturating_sub(to));
        }
        added.max(removed)
    }
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

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
