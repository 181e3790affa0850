use std::sync::Arc;

/// What was chosen.
///
/// Values know no bounds: the same sequence can be replayed against a generator that asks for
/// other things, and each [`Kind`](crate::Kind) takes from a value what it can
/// ([`Kind::admit`](crate::Kind::admit)).
#[derive(Clone, Debug)]
pub enum Value {
    /// Whatever is simplest where it is asked for. A grammar's generator ends the whole symbol at
    /// it.
    Simplest,
    /// Yes or no.
    Boolean(bool),
    /// A number, or the place of one possibility among several.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
}

/// Floats are equal where their bits are.
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
    /// The number it is, where it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }
}
