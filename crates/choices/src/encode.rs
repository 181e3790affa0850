//! The encoding of sequences of choices as bytes.
//!
//! The bytes hold the number of choices, then the key of each choice, then the values. The
//! lexicographic order of the bytes is therefore the shortlex order of the sequences, and two
//! sequences are compared by comparing their bytes.
//!
//! ```
//! use nubbin_choices::{Value, decode, encode_values};
//!
//! let long = [Value::Integer(1), Value::Boolean(false)];
//! let short = [Value::Integer(900)];
//! assert!(encode_values(&short) < encode_values(&long));
//! assert_eq!(decode(&encode_values(&long)).unwrap(), long);
//! ```

use crate::kind::plain_key;
use crate::{Run, Value};
use std::fmt;

/// The error for bytes that do not encode a sequence of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSequence;

impl fmt::Display for NoSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes do not encode a sequence of choices")
    }
}

impl std::error::Error for NoSequence {}

/// Encodes the choices of a run. Each choice is encoded as its key by its kind.
pub fn encode_run(run: &Run) -> Vec<u8> {
    let mut out = start(run.choices.len());
    for choice in &run.choices {
        choice.kind.key(&choice.value, &mut out);
    }
    finish(out, run.choices.iter().map(|choice| &choice.value))
}

/// Encodes values that have not been replayed. Their kinds are therefore not known.
pub fn encode_values(values: &[Value]) -> Vec<u8> {
    let mut out = start(values.len());
    for value in values {
        plain_key(value, &mut out);
    }
    finish(out, values.iter())
}

fn start(count: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + 8 * count);
    out.extend_from_slice(&(count as u32).to_be_bytes());
    out
}

fn finish<'a>(mut out: Vec<u8>, values: impl Iterator<Item = &'a Value>) -> Vec<u8> {
    // The offset of the values comes last. It is the same for sequences with the same keys, and it
    // must not decide a comparison before the keys do.
    let values_at = out.len() as u32;
    for value in values {
        let (tag, bytes): (u8, &[u8]) = match value {
            Value::Simplest => (0, &[]),
            Value::Boolean(false) => (1, &[]),
            Value::Boolean(true) => (2, &[]),
            Value::Integer(value) => (3, &value.to_be_bytes()),
            Value::Float(value) => (4, &value.to_bits().to_be_bytes()),
            Value::Text(text) => (5, text.as_bytes()),
            Value::Bytes(bytes) => (6, bytes),
        };
        out.push(tag);
        if tag >= 5 {
            out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        }
        out.extend_from_slice(bytes);
    }
    out.extend_from_slice(&values_at.to_be_bytes());
    out
}

/// Decodes the values of a sequence.
///
/// # Errors
/// Returns [`NoSequence`] if the bytes do not encode a sequence.
pub fn decode(bytes: &[u8]) -> Result<Vec<Value>, NoSequence> {
    let word = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
    let read = || {
        let (count, _) = bytes.split_at_checked(4)?;
        let (rest, values_at) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        let mut rest = rest.get(word(values_at)? as usize..)?;
        let count = word(count)? as usize;
        let mut values = Vec::with_capacity(count.min(rest.len()));
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        for _ in 0..count {
            values.push(match take(1)?[0] {
                0 => Value::Simplest,
                1 => Value::Boolean(false),
                2 => Value::Boolean(true),
                3 => Value::Integer(i64::from_be_bytes(take(8)?.try_into().ok()?)),
                4 => Value::Float(f64::from_bits(u64::from_be_bytes(
                    take(8)?.try_into().ok()?,
                ))),
                5 => {
                    let len = word(take(4)?)? as usize;
                    Value::Text(std::str::from_utf8(take(len)?).ok()?.into())
                }
                6 => {
                    let len = word(take(4)?)? as usize;
                    Value::Bytes(take(len)?.into())
                }
                _ => return None,
            });
        }
        rest.is_empty().then_some(values)
    };
    read().ok_or(NoSequence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Simplest),
            any::<bool>().prop_map(Value::Boolean),
            any::<i64>().prop_map(Value::Integer),
            any::<f64>().prop_map(Value::Float),
            any::<String>().prop_map(|text| Value::Text(text.into())),
            any::<Vec<u8>>().prop_map(|bytes| Value::Bytes(bytes.into())),
        ]
    }

    proptest! {
        #[test]
        fn decoding_inverts_encoding(values in prop::collection::vec(value(), 0..20)) {
            prop_assert_eq!(decode(&encode_values(&values)).unwrap(), values);
        }

        #[test]
        fn damaged_bytes_do_not_panic(
            values in prop::collection::vec(value(), 0..6),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = encode_values(&values);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes.truncate(cut.index(bytes.len() + 1));
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn an_empty_slice_is_not_a_sequence() {
        assert_eq!(decode(b""), Err(NoSequence));
        assert_eq!(decode(&[0, 0, 0, 9, 0, 0, 0, 4]), Err(NoSequence));
        assert_eq!(decode(&encode_values(&[])).unwrap(), []);
    }
}
