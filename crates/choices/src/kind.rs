use crate::Value;
use std::sync::Arc;

/// The kind of a choice: the type of the value that a generator asks for, and its bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A Boolean. `false` is simpler than `true`.
    Boolean,
    /// One of several alternatives, by its index.
    Index {
        /// The number of alternatives, at least one.
        of: u32,
        /// The index of the simplest alternative, which ends soonest.
        simplest: u32,
    },
    /// An integer.
    Integer {
        /// The lowest value.
        min: i64,
        /// The highest value.
        max: i64,
        /// The simplest value. Other values are simpler if they are closer to it. At the same
        /// distance, the higher value is simpler.
        toward: i64,
    },
    /// A floating-point number.
    Float {
        /// The lowest value.
        min: f64,
        /// The highest value.
        max: f64,
    },
    /// A text.
    Text {
        /// The characters that the text may contain.
        alphabet: Arc<Alphabet>,
        /// The minimum number of characters.
        min: u32,
        /// The maximum number of characters.
        max: u32,
    },
    /// A sequence of bytes.
    Bytes {
        /// The minimum number of bytes.
        min: u32,
        /// The maximum number of bytes.
        max: u32,
    },
}

/// The set of characters that a text may have, in the order of simplicity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// The characters, simplest first.
    chars: Vec<char>,
    /// The characters in the order of their code points, each with its index in `chars`.
    places: Vec<(char, u32)>,
}

impl Alphabet {
    /// Creates an alphabet of the given characters.
    ///
    /// Digits are simplest, then upper-case letters, lower-case letters, the other printable ASCII
    /// characters, line feed and tab, characters beyond ASCII, and control characters. Duplicates
    /// are dropped. An alphabet of no characters gets the digit 0.
    pub fn new(chars: impl IntoIterator<Item = char>) -> Self {
        let mut chars: Vec<char> = chars.into_iter().collect();
        chars.sort_unstable_by_key(|&char| rank(char));
        chars.dedup();
        if chars.is_empty() {
            chars.push('0');
        }
        let mut places: Vec<(char, u32)> = chars.iter().copied().zip(0..).collect();
        places.sort_unstable();
        Alphabet { chars, places }
    }

    /// Returns the number of characters.
    pub fn count(&self) -> u32 {
        self.chars.len() as u32
    }

    /// Returns the character at an index in the order of simplicity. For an index beyond the end,
    /// it returns the last character.
    pub fn char(&self, place: u32) -> char {
        let last = self.chars.len() - 1;
        self.chars[(place as usize).min(last)]
    }

    /// Returns the index of a character in the order of simplicity, or `None` if the alphabet does
    /// not contain it.
    pub fn place(&self, char: char) -> Option<u32> {
        let at = self.places.binary_search_by_key(&char, |&(char, _)| char);
        Some(self.places[at.ok()?].1)
    }
}

fn rank(char: char) -> (u8, char) {
    let class = match char {
        '0'..='9' => 0,
        'A'..='Z' => 1,
        'a'..='z' => 2,
        ' '..='~' => 3,
        '\n' | '\t' => 4,
        '\0'..='\x7f' => 6,
        _ => 5,
    };
    (class, char)
}

/// The bound below which every integer is exact as a floating-point number.
const EXACT: f64 = (1u64 << 53) as f64;

impl Kind {
    /// Converts a value to a value of this kind. The result is never [`Value::Simplest`].
    ///
    /// A value that fits is returned as it is. Otherwise, an index is taken modulo the number of
    /// alternatives, a number is clamped, and a text loses the characters that are not in the
    /// alphabet and is cut. A value of another type is replaced with the simplest value.
    ///
    /// ```
    /// use nubbin_choices::{Kind, Value};
    ///
    /// let digit = Kind::Integer { min: 0, max: 9, toward: 0 };
    /// assert_eq!(digit.admit(&Value::Integer(12)), Value::Integer(9));
    /// assert_eq!(digit.admit(&Value::Boolean(true)), Value::Integer(0));
    /// let three = Kind::Index { of: 3, simplest: 2 };
    /// assert_eq!(three.admit(&Value::Integer(7)), Value::Integer(1));
    /// assert_eq!(three.admit(&Value::Simplest), Value::Integer(2));
    /// ```
    pub fn admit(&self, value: &Value) -> Value {
        match (self, value) {
            (Kind::Boolean, Value::Boolean(_)) => value.clone(),
            (&Kind::Index { of, .. }, &Value::Integer(place)) => {
                Value::Integer(place.rem_euclid(i64::from(of.max(1))))
            }
            (&Kind::Integer { min, max, .. }, &Value::Integer(number)) => {
                Value::Integer(number.max(min).min(max))
            }
            (&Kind::Float { min, max }, &Value::Float(number)) => {
                Value::Float(if number.is_nan() {
                    match min == f64::NEG_INFINITY && max == f64::INFINITY {
                        true => f64::NAN,
                        false => simplest_float(min, max),
                    }
                } else {
                    number.max(min).min(max)
                })
            }
            (Kind::Text { alphabet, min, max }, Value::Text(text)) => {
                let fits = |char: &char| alphabet.place(*char).is_some();
                let count = text.chars().count() as u32;
                if count >= *min && count <= *max && text.chars().all(|char| fits(&char)) {
                    return value.clone();
                }
                let mut kept: String = text.chars().filter(fits).take(*max as usize).collect();
                let missing = (*min as usize).saturating_sub(kept.chars().count());
                kept.extend(std::iter::repeat_n(alphabet.char(0), missing));
                Value::Text(kept.into())
            }
            (&Kind::Bytes { min, max }, Value::Bytes(bytes)) => {
                let (min, max) = (min as usize, max as usize);
                if (min..=max).contains(&bytes.len()) {
                    return value.clone();
                }
                let mut kept = bytes[..bytes.len().min(max)].to_vec();
                kept.resize(kept.len().max(min), 0);
                Value::Bytes(kept.into())
            }
            _ => self.simplest(),
        }
    }

    /// Returns the simplest value of this kind.
    pub fn simplest(&self) -> Value {
        match self {
            Kind::Boolean => Value::Boolean(false),
            Kind::Index { simplest, .. } => Value::Integer(i64::from(*simplest)),
            Kind::Integer { toward, .. } => Value::Integer(*toward),
            Kind::Float { min, max } => Value::Float(simplest_float(*min, *max)),
            Kind::Text { alphabet, min, .. } => {
                let chars = std::iter::repeat_n(alphabet.char(0), *min as usize);
                Value::Text(chars.collect::<String>().into())
            }
            Kind::Bytes { min, .. } => Value::Bytes(vec![0; *min as usize].into()),
        }
    }

    /// Returns whether the kind has only one value.
    pub fn is_forced(&self) -> bool {
        match self {
            Kind::Boolean => false,
            Kind::Index { of, .. } => *of < 2,
            Kind::Integer { min, max, .. } => min >= max,
            Kind::Float { min, max } => min >= max,
            Kind::Text { max, .. } | Kind::Bytes { max, .. } => *max == 0,
        }
    }

    /// Appends the key of a value to `out`.
    ///
    /// Of two values, the one whose key comes first in lexicographic order is simpler. No two
    /// values of a kind have the same key.
    pub fn key(&self, value: &Value, out: &mut Vec<u8>) {
        match (self, value) {
            (Kind::Boolean, Value::Boolean(value)) => number(u128::from(*value), out),
            (&Kind::Index { simplest, .. }, &Value::Integer(place)) => {
                let simplest = i64::from(simplest);
                let rank = match place {
                    _ if place == simplest => 0,
                    _ => place + i64::from(place < simplest),
                };
                number(u128::from(rank.unsigned_abs()), out);
            }
            (&Kind::Integer { toward, .. }, &Value::Integer(value)) => {
                let distance = u128::from(value.abs_diff(toward));
                number(2 * distance - u128::from(value > toward), out);
            }
            (Kind::Float { .. }, Value::Float(value)) => float(*value, out),
            (Kind::Text { alphabet, .. }, Value::Text(text)) => {
                number(text.chars().count() as u128, out);
                for char in text.chars() {
                    let place = alphabet.place(char).unwrap_or(u32::MAX);
                    out.extend_from_slice(&place.to_be_bytes());
                }
            }
            (_, value) => plain_key(value, out),
        }
    }
}

/// Appends the key of a value whose kind is not known to `out`. See [`Kind::key`].
pub(crate) fn plain_key(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Simplest => number(0, out),
        Value::Boolean(value) => number(1 + u128::from(*value), out),
        Value::Integer(value) => {
            let distance = u128::from(value.unsigned_abs());
            number(2 * distance + u128::from(*value <= 0), out);
        }
        Value::Float(value) => float(*value, out),
        Value::Text(text) => {
            number(text.len() as u128, out);
            out.extend_from_slice(text.as_bytes());
        }
        Value::Bytes(bytes) => {
            number(bytes.len() as u128, out);
            out.extend_from_slice(bytes);
        }
    }
}

/// Appends the number of significant bytes and then these bytes, most significant first.
fn number(number: u128, out: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    let skip = number.leading_zeros() as usize / 8;
    out.push((bytes.len() - skip) as u8);
    out.extend_from_slice(&bytes[skip..]);
}

/// Appends the key of a floating-point number.
///
/// The order is: integers that are exact, fractions by their number of fractional bits, larger
/// integers, infinities, NaN. Within each, a positive number comes before its negative.
fn float(value: f64, out: &mut Vec<u8>) {
    let size = value.abs();
    let (class, bits) = if value.is_nan() {
        (5, 0)
    } else if value.is_infinite() {
        (4, 0)
    } else if size.fract() == 0.0 && size < EXACT {
        (0, 0)
    } else if size.fract() == 0.0 {
        (3, 0)
    } else {
        (1, fraction_bits(size))
    };
    out.extend_from_slice(&[class, (bits >> 8) as u8, bits as u8]);
    out.extend_from_slice(&size.to_bits().to_be_bytes());
    out.push(u8::from(value.is_sign_negative()));
}

/// Returns the number of bits of the fractional part.
fn fraction_bits(size: f64) -> u16 {
    let bits = size.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let mantissa = bits & ((1 << 52) - 1);
    let (exponent, mantissa) = match exponent {
        0 => (-1074, mantissa),
        exponent => (exponent - 1075, mantissa | 1 << 52),
    };
    (-(exponent + mantissa.trailing_zeros() as i32)).max(0) as u16
}

fn simplest_float(min: f64, max: f64) -> f64 {
    if min <= 0.0 && max >= 0.0 {
        return 0.0;
    }
    let near = if min > 0.0 { min } else { max };
    let whole = if min > 0.0 { near.ceil() } else { near.floor() };
    if (min..=max).contains(&whole) {
        whole
    } else {
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: &Kind, value: Value) -> Vec<u8> {
        let mut out = vec![];
        kind.key(&value, &mut out);
        out
    }

    fn assert_ascends(kind: &Kind, values: impl IntoIterator<Item = Value>) {
        let keys: Vec<_> = values.into_iter().map(|value| key(kind, value)).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }

    #[test]
    fn simpler_values_come_first() {
        let integer = Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            toward: 3,
        };
        let numbers = [3, 4, 2, 5, 1, 6, 0, -1, 300, -300, i64::MAX, i64::MIN];
        assert_ascends(&integer, numbers.map(Value::Integer));
        let index = Kind::Index { of: 5, simplest: 2 };
        assert_ascends(&index, [2, 0, 1, 3, 4].map(Value::Integer));
        let all = Kind::Float {
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
        };
        let floats = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            1e15,
            0.5,
            1.5,
            7.5,
            0.25,
            0.1,
            1e16,
            1e300,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        assert_ascends(&all, floats.map(Value::Float));
        let text = Kind::Text {
            alphabet: Arc::new(Alphabet::new(['a', 'Z', '7', '-', 'é', '0'])),
            min: 0,
            max: 9,
        };
        let texts = ["", "0", "7", "Z", "a", "-", "é", "00", "07"];
        assert_ascends(&text, texts.map(|text| Value::Text(text.into())));
        assert_ascends(&Kind::Boolean, [false, true].map(Value::Boolean));
    }

    #[test]
    fn values_that_do_not_fit_are_converted() {
        let alphabet = Arc::new(Alphabet::new('a'..='c'));
        let text = Kind::Text {
            alphabet,
            min: 2,
            max: 3,
        };
        let admit = |value: &str| text.admit(&Value::Text(value.into()));
        assert_eq!(admit("xbx"), Value::Text("ba".into()));
        assert_eq!(admit("abcabc"), Value::Text("abc".into()));
        assert_eq!(text.admit(&Value::Integer(1)), Value::Text("aa".into()));
        let bytes = Kind::Bytes { min: 1, max: 2 };
        assert_eq!(
            bytes.admit(&Value::Bytes([1, 2, 3].into())),
            Value::Bytes([1, 2].into())
        );
        assert_eq!(
            bytes.admit(&Value::Bytes([].into())),
            Value::Bytes([0].into())
        );
        let float = Kind::Float {
            min: 1.25,
            max: 8.0,
        };
        assert_eq!(float.admit(&Value::Float(f64::NAN)), Value::Float(2.0));
        assert_eq!(float.admit(&Value::Float(99.0)), Value::Float(8.0));
        let empty = Kind::Index { of: 0, simplest: 0 };
        assert_eq!(empty.admit(&Value::Integer(-1)), Value::Integer(0));
    }
}
