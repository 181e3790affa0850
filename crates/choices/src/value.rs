use std::sync::Arc;

/// The value of a choice.
///
/// A value has no bounds, so that a sequence of values can be replayed against a generator that
/// asks for other kinds. [`Kind::admit`](crate::Kind::admit) converts a value to the kind that is
/// asked for.
#[derive(Clone, Debug)]
pub enum Value {
    /// The simplest value of the requested kind. A generator for a grammar ends the whole symbol at
    /// this value.
    Simplest,
    /// A Boolean.
    Boolean(bool),
    /// An integer, or the index of an alternative.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// A sequence of bytes.
    Bytes(Arc<[u8]>),
}

/// Compares floating-point numbers by their bits.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Simplest, Value::Simplest) => true,
            (Value::Boolean(left), Value::Boolean(right)) => left == right,
            (Value::Integer(left), Value::Integer(right)) => left == right,
            (Value::Float(left), Value::Float(right)) => left.to_bits() == right.to_bits(),
            (Value::Text(left), Value::Text(right)) => left == right,
            (Value::Bytes(left), Value::Bytes(right)) => left == right,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Value {
    /// Returns the integer, or `None` if the value has another type.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }
}
