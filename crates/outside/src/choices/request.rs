//! The requests of a generator that asks for each choice.

use super::GeneratorError;
use super::answer::{Made, choose};
use crate::hex::from_hex;
use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Alphabet, Kind, Value};
use serde::Deserialize;
use std::sync::Arc;

/// A line of a generator.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum GeneratorRequest {
    /// A Boolean with the probability of `true`.
    Boolean(Option<f64>),
    Integer {
        min: Option<i64>,
        max: Option<i64>,
        toward: Option<i64>,
    },
    /// A choice among this number of values, where 0 is the simplest.
    Choose(u32),
    Float {
        min: Option<f64>,
        max: Option<f64>,
    },
    Text {
        alphabet: Option<String>,
        #[serde(default)]
        min: u32,
        max: Option<u32>,
    },
    Bytes {
        #[serde(default)]
        min: u32,
        max: Option<u32>,
    },
    /// The start of a span with this name.
    Span(String),
    End,
    /// The end of a span that the generator discards.
    Discard,
    /// The end of a span without text.
    Withdraw,
    /// The generator rejects the choices.
    Reject,
    Done(String),
    /// The end of a text, with the text in hexadecimal digits.
    DoneBytes(String),
}

/// The largest lower bound on the length of a text or of bytes. It is the length of the longest
/// line, in which the value is sent.
const MAX_LOWER_BOUND: u32 = 64 << 20;

/// Returns the characters of a text, if the generator does not name them.
fn printable() -> impl Iterator<Item = char> {
    ' '..='~'
}

/// The action that a line of the generator requests.
pub(super) enum Requested {
    Done(Made),
    Reject,
    Mark(Mark),
    /// A choice of this kind, with the probability of `true`.
    Choice(Kind, Option<f64>),
}

/// The begin or the end of a span.
pub(super) enum Mark {
    Begin(String),
    End,
    Discard,
    Withdraw,
}

pub(super) fn read_request(line: &[u8]) -> Result<GeneratorRequest, GeneratorError> {
    serde_json::from_slice(line).map_err(|error| {
        let shown: String = String::from_utf8_lossy(line).chars().take(80).collect();
        GeneratorError::new(format!(
            "the generator wrote a line that is not a request: `{shown}`: {error}"
        ))
    })
}

/// Checks a request, and returns its action.
pub(super) fn requested(request: GeneratorRequest) -> Result<Requested, GeneratorError> {
    let kind = match request {
        GeneratorRequest::Done(text) => return Ok(Requested::Done(Made::Text(text.into_bytes()))),
        GeneratorRequest::DoneBytes(hex) => {
            let text = from_hex(&hex);
            let text =
                text.ok_or_else(|| GeneratorError::new("`done_bytes` is not hexadecimal"))?;
            return Ok(Requested::Done(Made::Text(text)));
        }
        GeneratorRequest::Reject => return Ok(Requested::Reject),
        GeneratorRequest::Span(name) => return Ok(Requested::Mark(Mark::Begin(name))),
        GeneratorRequest::End => return Ok(Requested::Mark(Mark::End)),
        GeneratorRequest::Discard => return Ok(Requested::Mark(Mark::Discard)),
        GeneratorRequest::Withdraw => return Ok(Requested::Mark(Mark::Withdraw)),
        GeneratorRequest::Boolean(probability) => {
            return Ok(Requested::Choice(Kind::Boolean, probability));
        }
        GeneratorRequest::Integer { min, max, toward } => {
            let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            if min > max {
                let what = format!("the generator asked for an integer from {min} to {max}");
                return Err(GeneratorError::new(what));
            }
            let toward = toward.unwrap_or(0).clamp(min, max);
            Kind::Integer { min, max, toward }
        }
        GeneratorRequest::Choose(of) => Kind::Index { of, simplest: 0 },
        GeneratorRequest::Float { min, max } => {
            let min = min.unwrap_or(f64::NEG_INFINITY);
            let max = max.unwrap_or(f64::INFINITY);
            if min > max {
                let what = format!("the generator asked for a number from {min} to {max}");
                return Err(GeneratorError::new(what));
            }
            Kind::Float { min, max }
        }
        GeneratorRequest::Text { min, .. } | GeneratorRequest::Bytes { min, .. }
            if min > MAX_LOWER_BOUND =>
        {
            let what = format!(
                "the generator asked for a length of {min}; the limit is \
            {MAX_LOWER_BOUND}"
            );
            return Err(GeneratorError::new(what));
        }
        GeneratorRequest::Text { alphabet, min, max } => {
            let alphabet = match alphabet {
                Some(chars) => Alphabet::new(chars.chars()),
                None => Alphabet::new(printable()),
            };
            Kind::Text {
                alphabet: Arc::new(alphabet),
                min,
                max: max.unwrap_or(u32::MAX).max(min),
            }
        }
        GeneratorRequest::Bytes { min, max } => {
            let max = max.unwrap_or(u32::MAX).max(min);
            Kind::Bytes { min, max }
        }
    };
    Ok(Requested::Choice(kind, None))
}

/// Begins or ends a span. `open` counts those that have not ended.
pub(super) fn mark_span(
    choices: &mut Choices,
    open: &mut u32,
    mark: Mark,
) -> Result<(), GeneratorError> {
    if let Mark::Begin(name) = mark {
        *open += 1;
        choices.begin(name.as_str());
        return Ok(());
    }
    *open = (open.checked_sub(1))
        .ok_or_else(|| GeneratorError::new("the generator ended a span that it had not begun"))?;
    match mark {
        Mark::Discard => choices.discard(),
        Mark::Withdraw => choices.withdraw(),
        Mark::End | Mark::Begin(_) => choices.end(),
    }
    Ok(())
}

/// Draws a choice.
pub(super) fn chosen(choices: &mut Choices, kind: Kind, probability: Option<f64>) -> Value {
    let unbounded = matches!(
        kind,
        Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            toward: 0
        }
    );
    match unbounded {
        true => Value::Integer(choices.any_integer()),
        false => choose(choices, kind, probability),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(line: &str) -> Option<String> {
        let request = read_request(line.as_bytes()).and_then(requested);
        request.err().map(|error| error.what)
    }

    #[test]
    fn a_length_beyond_memory_is_refused() {
        let long = error_of(r#"{"bytes": {"min": 4000000000}}"#);
        let expected = "the generator asked for a length of 4000000000; the limit is 67108864";
        assert_eq!(long.as_deref(), Some(expected));
        assert!(error_of(r#"{"text": {"min": 4000000000}}"#).is_some());
        assert_eq!(
            error_of(r#"{"bytes": {"min": 3, "max": 4000000000}}"#),
            None
        );
    }

    #[test]
    fn bounds_in_the_wrong_order_are_refused() {
        let integer = error_of(r#"{"integer": {"min": 3, "max": 2}}"#);
        assert_eq!(
            integer.as_deref(),
            Some("the generator asked for an integer from 3 to 2")
        );
        assert!(error_of(r#"{"float": {"min": 3, "max": 2}}"#).is_some());
    }
}
