//! Generators that ask for each choice, in JSON lines.
//!
//! A line `"begin"` starts a text. Then the generator writes requests: nubbin replies to each
//! choice with a line that has the value, and does not reply to marks. The text ends with `done`.

use super::GeneratorError;
use super::answer::Made;
use super::request::{Requested, chosen, mark_span, read_request, requested};
use crate::flags::GeneratorFlags;
use crate::hex::to_hex;
use crate::signals;
use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::Value;
use nubbin_oracle::{Dialogue, DialogueError, Sandbox, TestCommand};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest line in bytes, which also limits the text.
const LONGEST: usize = 64 << 20;

/// The time for a whole text, as a multiple of the time for one line.
const ANSWERS: u32 = 3;

/// The time after which a wait for the generator checks whether the run has to end.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The largest number of requests for each choice. Marks are requests without a choice.
const MARKS: usize = 64;

/// Generates a text with a generator that requests each choice.
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
        // The program generates one text per start.
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
        return Err(GeneratorError::new("the program is not running"));
    };
    let mut open = 0u32;
    let begun = Instant::now();
    let most = args.generator_timeout.saturating_mul(ANSWERS);
    for _ in 0..args.max_choices.saturating_mul(MARKS) {
        if signals::is_halted() {
            return Err(GeneratorError::new("the run has to end"));
        }
        if begun.elapsed() > most {
            let what = format!("the generator did not finish the input within {most:?}");
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
        "the generator requested more than {} choices",
        args.max_choices
    )))
}

/// Formats the value of a choice so that every JSON reader accepts it.
fn said(value: &Value) -> Json {
    match value {
        Value::Bytes(bytes) => json!(to_hex(bytes)),
        Value::Float(value) if !value.is_finite() => json!(value.to_string().to_lowercase()),
        value => super::to_json(value),
    }
}

/// Waits for a line until the time for one line is up, or the run has to end.
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
            "the generator ended in the middle of an input, without `done`".into()
        }
        error => error.to_string(),
    };
    GeneratorError {
        complaints: dialogue.map(Dialogue::complaints).unwrap_or_default(),
        ..GeneratorError::new(what)
    }
}
