use crate::count::{Count, Place, Unit, elements};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The numbers of a text that are looked at.
const MAX_COUNTS: usize = 64;

/// A list or object that has been opened.
#[derive(Default)]
struct Scope {
    start: usize,
    /// The commas between its elements.
    commas: u64,
    /// Numbers that are values of keys, with their keys.
    numbers: Vec<(Range<usize>, Range<usize>)>,
    /// Lists and objects within it, each with the number of its elements.
    lists: Vec<(Range<usize>, u64)>,
    /// The last string, which is a key if a colon follows.
    key: Option<Range<usize>>,
    is_value: bool,
}

/// Guesses which values of keys in JSON count the elements of a list or object beside them.
pub(crate) fn guess(text: &[u8]) -> Vec<Count> {
    if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return vec![];
    }
    let mut scopes = vec![Scope::default()];
    let (mut counts, mut at) = (vec![], 0);
    while at < text.len() && counts.len() < MAX_COUNTS {
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
                counts.extend(counts_of(text, &closed));
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
    counts.extend(scopes.iter().flat_map(|scope| counts_of(text, scope)));
    counts
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

/// Returns the numbers of an object that count the elements of a list beside them.
fn counts_of(text: &[u8], scope: &Scope) -> Vec<Count> {
    let count = |(number, key): &(Range<usize>, Range<usize>)| {
        let value = crate::number(&text[number.clone()])?;
        let (list, _) = scope
            .lists
            .iter()
            .find(|(_, elements)| *elements == value)?;
        // The number of commas is that of elements only without one at the end.
        if elements(&text[list.clone()]).len() as u64 != value {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        text[key.clone()].hash(&mut hasher);
        Some(Count {
            number: number.start as u32..number.end as u32,
            value,
            region: list.start as u32..list.end as u32,
            unit: Unit::Elements,
            more: 0,
            place: Place::Key(hasher.finish()),
        })
    };
    scope.numbers.iter().filter_map(count).collect()
}
