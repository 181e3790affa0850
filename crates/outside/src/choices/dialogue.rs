//! Generators that ask for each choice, in lines of JSON.
//!
//! A line `"begin"` begins a text. Then the generator writes requests: choices, each answered by a
//! line with the value, and marks, which are not answered. The text ends with `done`.

use super::GeneratorError;
use super::answer::{Made, choose};
use crate::flags::GeneratorFlags;
use crate::hex::{from_hex, to_hex};
use crate::signals;
use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Alphabet, Kind, Value};
use nubbin_oracle::{Dialogue, DialogueError, Sandbox, TestCommand};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest line in bytes, which also limits the text.
const LONGEST: usize = 64 << 20;

/// The time for a whole text, as a multiple of the time for one answer.
const ANSWERS: u32 = 3;

/// The time after which a wait for the generator checks whether the run has to end.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The largest number of requests for each choice. Marks are requests without a choice.
const MARKS: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum GeneratorRequest {
    /// A Boolean with the probability of `true`.
    Boolean(Option<f64>),
    Integer {
        min: Option<i64>,
        max: Option<i64>,
        toward: Option<i64>,
    },
    /// One of a number of values, where 0 is the simplest.
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
    /// The begin of a span with this name.
    Span(String),
    End,
    /// The end of a span that the generator discards.
    Discard,
    /// The end of a span without text.
    Withdraw,
    /// The generator rejects the choices.
    Reject,
    Done(String),
    /// The text in hexadecimal digits.
    DoneBytes(String),
}

/// Returns the characters of a text, if the generator does not name them.
fn printable() -> impl Iterator<Item = char> {
    ' '..='~'
}

/// Makes a text with a generator that requests each choice.
pub(super) fn make(
    dialogue: &mut Option<Dialogue>,
    command: &TestCommand,
    folder: &Path,
    confined: Option<(&Sandbox, &Path)>,
    args: &GeneratorFlags,
    choices: &mut Choices,
) -> Result<Made, GeneratorError> {
    let is_new = dialogue.is_none();
    let first = match begin(dialogue, command, folder, confined, args) {
        // The program makes one text each time it is started.
        Err(DialogueError::Ended(ending)) if !is_new && ending.is_clean() => {
            *dialogue = None;
            begin(dialogue, command, folder, confined, args)
        }
        first => first,
    };
    let made = first
        .map_err(|error| failed(dialogue.as_ref(), &error))
        .and_then(|line| answer(dialogue, args, choices, line));
    if made.is_err() {
        *dialogue = None;
    }
    made
}

fn begin(
    dialogue: &mut Option<Dialogue>,
    command: &TestCommand,
    folder: &Path,
    confined: Option<(&Sandbox, &Path)>,
    args: &GeneratorFlags,
) -> Result<Vec<u8>, DialogueError> {
    let dialogue = match dialogue {
        Some(dialogue) => dialogue,
        none => none.insert(Dialogue::start(command, folder, LONGEST, confined, true)?),
    };
    dialogue.say("\"begin\"");
    next_line(dialogue, args)
}

fn answer(
    dialogue: &mut Option<Dialogue>,
    args: &GeneratorFlags,
    choices: &mut Choices,
    mut line: Vec<u8>,
) -> Result<Made, GeneratorError> {
    let Some(dialogue) = dialogue else {
        return Err(GeneratorError::new("it is not running"));
    };
    let mut open = 0u32;
    let begun = Instant::now();
    let most = args.generator_timeout.saturating_mul(ANSWERS);
    for _ in 0..args.max_choices.saturating_mul(MARKS) {
        if signals::is_halted() {
            return Err(GeneratorError::new("the run has to end"));
        }
        if begun.elapsed() > most {
            let what = format!("it did not end the text within {most:?}");
            return Err(GeneratorError::new(what));
        }
        let made = match requested(read_request(&line)?)? {
            Requested::Done(made) => return Ok(made),
            Requested::Reject => {
                choices.reject();
                // The generator can start a new text at any time.
                return Ok(Made::Nothing);
            }
            Requested::Mark(mark) => {
                mark_span(choices, &mut open, mark)?;
                None
            }
            Requested::Choice(kind, probability) => Some(chosen(choices, kind, probability)),
        };
        if let Some(value) = made {
            dialogue.say(&said(&value).to_string());
        }
        line = hear(dialogue, args)?;
    }
    Err(GeneratorError::new(format!(
        "it requested more than {} choices",
        args.max_choices
    )))
}

/// The action that a line of the generator asks for.
enum Requested {
    Done(Made),
    Reject,
    Mark(Mark),
    /// A choice of this kind, with the probability of `true`.
    Choice(Kind, Option<f64>),
}

/// The begin or the end of a span.
enum Mark {
    Begin(String),
    End,
    Discard,
    Withdraw,
}

fn read_request(line: &[u8]) -> Result<GeneratorRequest, GeneratorError> {
    serde_json::from_slice(line).map_err(|error| {
        let shown: String = String::from_utf8_lossy(line).chars().take(80).collect();
        GeneratorError::new(format!(
            "it wrote a line that is not a request: `{shown}`: {error}"
        ))
    })
}

/// Checks a request, and returns its action.
fn requested(request: GeneratorRequest) -> Result<Requested, GeneratorError> {
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
                let what = format!("it asked for an integer from {min} to {max}");
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
                let what = format!("it asked for a number from {min} to {max}");
                return Err(GeneratorError::new(what));
            }
            Kind::Float { min, max }
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
fn mark_span(choices: &mut Choices, open: &mut u32, mark: Mark) -> Result<(), GeneratorError> {
    if let Mark::Begin(name) = mark {
        *open += 1;
        choices.begin(name.as_str());
        return Ok(());
    }
    *open = (open.checked_sub(1))
        .ok_or_else(|| GeneratorError::new("it ended a span that it had not begun"))?;
    match mark {
        Mark::Discard => choices.discard(),
        Mark::Withdraw => choices.withdraw(),
        Mark::End | Mark::Begin(_) => choices.end(),
    }
    Ok(())
}

/// Makes a choice.
fn chosen(choices: &mut Choices, kind: Kind, probability: Option<f64>) -> Value {
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

/// Formats an answer as a value that every JSON reader accepts.
fn said(value: &Value) -> Json {
    match value {
        Value::Bytes(bytes) => json!(to_hex(bytes)),
        Value::Float(value) if !value.is_finite() => json!(value.to_string().to_lowercase()),
        value => super::to_json(value),
    }
}

/// Waits for a line until the time for one answer is up, or the run has to end.
fn next_line(dialogue: &mut Dialogue, args: &GeneratorFlags) -> Result<Vec<u8>, DialogueError> {
    let begun = Instant::now();
    loop {
        let left = args.generator_timeout.saturating_sub(begun.elapsed());
        match dialogue.hear(left.min(POLL_INTERVAL), LONGEST) {
            Err(DialogueError::Silent(_)) if left > POLL_INTERVAL && !signals::is_halted() => {}
            Err(DialogueError::Silent(_)) => {
                return Err(DialogueError::Silent(args.generator_timeout));
            }
            heard => return heard,
        }
    }
}

fn hear(dialogue: &mut Dialogue, args: &GeneratorFlags) -> Result<Vec<u8>, GeneratorError> {
    next_line(dialogue, args).map_err(|error| failed(Some(dialogue), &error))
}

fn failed(dialogue: Option<&Dialogue>, error: &DialogueError) -> GeneratorError {
    let what = match error {
        DialogueError::Ended(ending) if ending.is_clean() => {
            "it ended in the middle of a text, without `done`".into()
        }
        error => error.to_string(),
    };
    GeneratorError {
        complaints: dialogue.map(Dialogue::complaints).unwrap_or_default(),
        ..GeneratorError::new(what)
    }
}
