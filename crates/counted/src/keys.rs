use crate::count::{Count, Place, Unit, elements};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The numbers of a text that are looked at.
const MAX_COUNTS: usize = 64;

/// A list or object that has been opened.
#[derive(Default)]
struct Scope {
    start: usize,
    /// The number of commas between the elements.
    commas: u64,
    /// Numbers that are values of keys, with their keys.
    numbers: Vec<(Range<usize>, Range<usize>)>,
    /// Lists and objects within this one, each with its number of elements.
    lists: Vec<(Range<usize>, u64)>,
    /// The last string. It is a key if a colon follows.
    key: Option<Range<usize>>,
    is_value: bool,
}

/// Guesses which values of keys in JSON count the elements of a neighboring list or object.
pub(crate) fn guess(text: &[u8]) -> Vec<Count> {
    if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return vec![];
    }
    let mut scopes = vec![Scope::default()];
    let (mut counts, mut at) = (Counts::default(), 0);
    while at < text.len() && counts.found.len() < MAX_COUNTS {
        let from = at;
        at += 1;
        let Some(scope) = scopes.last_mut() else {
            break;
        };
        match text[from] {
            b'"' => {
                at = string_end(text, at);
                scope.key = Some(from..at);
            }
            b':' => scope.is_value = true,
            b',' => {
                scope.commas += 1;
                (scope.key, scope.is_value) = (None, false);
            }
            b'{' | b'[' => scopes.push(Scope {
                start: at,
                ..Scope::default()
            }),
            b'}' | b']' => {
                let Some(closed) = scopes.pop() else { break };
                let inside = closed.start..from;
                let is_empty = text[inside.clone()].trim_ascii().is_empty();
                counts.add(text, &closed);
                let elements = closed.commas + u64::from(!is_empty);
                match scopes.last_mut() {
                    Some(outer) => outer.lists.push((inside, elements)),
                    None => break,
                }
            }
            b'0'..=b'9' => {
                let len = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
                at += len.count();
                let key = scope.key.clone().filter(|_| scope.is_value);
                if let Some(key) = key.filter(|_| scope.numbers.len() < MAX_COUNTS) {
                    scope.numbers.push((from..at, key));
                }
            }
            _ => {}
        }
    }
    // A candidate may have lost brackets.
    for scope in &scopes {
        counts.add(text, scope);
    }
    counts.consistent()
}

/// Numbers that count the elements of a neighboring list, and keys whose numbers do not.
#[derive(Default)]
struct Counts {
    found: Vec<Count>,
    /// Keys whose numbers occur only next to lists of other lengths.
    wrong: Vec<Place>,
}

impl Counts {
    fn add(&mut self, text: &[u8], scope: &Scope) {
        if scope.lists.is_empty() {
            return;
        }
        for number in &scope.numbers {
            match count_of(text, scope, number) {
                Some(count) => self.found.push(count),
                None if self.wrong.len() < MAX_COUNTS => {
                    self.wrong.push(place_of(text, &number.1));
                }
                None => {}
            }
        }
    }

    /// Returns the numbers of the keys that count in every place next to a list. The third of many
    /// records with a list of three elements may have the number 3 accidentally.
    fn consistent(mut self) -> Vec<Count> {
        self.found
            .retain(|count| !self.wrong.contains(&count.place));
        self.found
    }
}

fn place_of(text: &[u8], key: &Range<usize>) -> Place {
    let mut hasher = DefaultHasher::new();
    text[key.clone()].hash(&mut hasher);
    Place::Key(hasher.finish())
}

/// Returns the end of a string, after its quote.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'"' => break,
            _ => {}
        }
    }
    at.min(text.len())
}

/// Returns a number of an object as the count of the elements of a neighboring list.
fn count_of(
    text: &[u8],
    scope: &Scope,
    (number, key): &(Range<usize>, Range<usize>),
) -> Option<Count> {
    let value = crate::number(&text[number.clone()])?;
    let mut lists = scope.lists.iter();
    let (list, _) = lists.find(|(_, elements)| *elements == value)?;
    // The number of commas is the number of elements only if a trailing comma is missing.
    if elements(&text[list.clone()]).len() as u64 != value {
        return None;
    }
    Some(Count {
        number: number.start as u32..number.end as u32,
        value,
        region: list.start as u32..list.end as u32,
        unit: Unit::Elements,
        more: 0,
        place: place_of(text, key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_where_all_its_numbers_do() {
        let values = |text: &str| -> Vec<u64> {
            let counts = guess(text.as_bytes());
            counts.iter().map(|count| count.value).collect()
        };
        assert_eq!(values(r#"{"n": 3, "of": [1, 2, 3]}"#), [3]);
        let records = r#"[{"id": 1, "t": [5, 6]}, {"id": 2, "t": [5, 6]}]"#;
        assert_eq!(values(records), []);
        let records = r#"[{"id": 1, "n": 2, "t": [5, 6]}, {"id": 2, "n": 1, "t": [5]}, {"n": 7}]"#;
        assert_eq!(values(records), [2, 1]);
    }
}
