use super::patterns::{FORMS_WITH_PATH, FORMS_WITHOUT_PATH, Form};
use super::text::Texts;
use super::{Position, PositionKind};
use nubbin_verdict::File;
use regex::bytes::{Captures, Regex};
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of bytes of an output that are read.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// The largest number of positions. Those of a run with more say little.
const MAX_POSITIONS: usize = 256;

/// Returns the positions in `files` that an output prints, in its order, each once.
///
/// If messages match one of the `wanted` expressions, only these and what belongs to them count.
pub(crate) fn find<'a>(
    output: &[u8],
    files: impl IntoIterator<Item = &'a File<'a>>,
    wanted: &[&Regex],
) -> Vec<Position> {
    let output = without_colors(&output[..output.len().min(MAX_OUTPUT_BYTES)]);
    let texts = Texts::of(files);
    let mut found = Found::default();
    for form in FORMS_WITH_PATH.iter() {
        found.read(&output, form, |captures| with_path(captures, &texts));
    }
    if texts.is_single() && found.messages.is_empty() {
        for form in FORMS_WITHOUT_PATH.iter() {
            found.read(&output, form, |captures| without_path(captures, &texts));
        }
    }
    let mut messages: Vec<Message> = found.messages.into_values().collect();
    keep_wanted(&output, &mut messages, wanted);
    let mut positions: Vec<Position> = vec![];
    for Message { kind, places, .. } in messages {
        for (file, range) in places {
            let position = Position { file, range, kind };
            if positions.len() < MAX_POSITIONS && !positions.contains(&position) {
                positions.push(position);
            }
        }
    }
    positions
}

/// If some messages match one of the `wanted` expressions, makes these the errors, and leaves out
/// all others but the steps to them and the notes on them.
fn keep_wanted(output: &[u8], messages: &mut Vec<Message>, wanted: &[&Regex]) {
    let is_head =
        |message: &Message| matches!(message.kind, PositionKind::Error | PositionKind::Warning);
    let mut matches = vec![false; messages.len()];
    for regex in wanted {
        let is_match =
            |message: &Message| regex.is_match(lines_around(output, message.within.clone()));
        let of: Vec<bool> = messages.iter().map(is_match).collect();
        let mut heads = messages
            .iter()
            .zip(&of)
            .filter(|(message, _)| is_head(message));
        // Words that all messages have, such as the name of the file, do not distinguish them.
        if !heads.all(|(_, is_match)| *is_match) {
            matches
                .iter_mut()
                .zip(of)
                .for_each(|(all, one)| *all |= one);
        }
    }
    if !matches.contains(&true) {
        return;
    }
    // For each message, whether the message before it and the message after it are wanted.
    let mut keeps: Vec<(bool, bool)> = vec![(false, false); messages.len()];
    let mut before = false;
    for (nth, message) in messages.iter().enumerate() {
        if is_head(message) || matches[nth] {
            before = matches[nth];
        }
        keeps[nth].0 = before;
    }
    let mut behind = false;
    for (nth, message) in messages.iter().enumerate().rev() {
        if is_head(message) || matches[nth] {
            behind = matches[nth];
        }
        keeps[nth].1 = behind;
    }
    let leads = leads(output, messages, &matches);
    let mut nth = 0;
    messages.retain_mut(|message| {
        let (is_wanted, (before, behind)) = (matches[nth], keeps[nth]);
        let behind = behind || leads[nth];
        nth += 1;
        if is_wanted {
            message.kind = PositionKind::Error;
        }
        match message.kind {
            _ if is_wanted => true,
            PositionKind::Error | PositionKind::Warning => false,
            PositionKind::Note => before,
            // Tools print frames before or after an error.
            PositionKind::Frame => before || behind,
        }
    });
}

/// Returns for each message whether it is a step to a wanted error that is not the first error
/// after the step: GCC prints the steps once for all errors in one place.
fn leads(output: &[u8], messages: &[Message], matches: &[bool]) -> Vec<bool> {
    let mut leads = vec![false; messages.len()];
    let mut steps: Vec<usize> = vec![];
    // The number of steps that are already marked.
    let mut marked = 0;
    let mut has_error = false;
    let mut end = 0;
    for (nth, message) in messages.iter().enumerate() {
        let between = &output[end..message.within.start.max(end)];
        if PLACES.iter().any(|place| has(between, place)) {
            steps.clear();
            marked = 0;
        }
        end = message.within.end;
        match message.kind {
            PositionKind::Frame => {
                if std::mem::take(&mut has_error) {
                    steps.clear();
                    marked = 0;
                }
                steps.push(nth);
            }
            PositionKind::Error | PositionKind::Warning => {
                has_error = true;
                if matches[nth] {
                    steps[marked..].iter().for_each(|step| leads[*step] = true);
                    marked = steps.len();
                }
            }
            PositionKind::Note => {}
        }
    }
    leads
}

/// The texts with which GCC reports that the errors after them are in another place.
const PLACES: [&[u8]; 3] = [b": In ", b": At global scope", b": At top level"];

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The messages with positions, by the offsets of these in the output.
#[derive(Default)]
struct Found {
    messages: BTreeMap<usize, Message>,
}

/// A part of an output that has a position.
struct Message {
    /// The part of the output.
    within: Range<usize>,
    kind: PositionKind,
    /// The index of the file, and the bytes in it.
    places: Vec<Place>,
}

type Place = (usize, Range<usize>);

impl Found {
    /// Adds the positions that have the form of a row, where no earlier row found any.
    fn read(&mut self, output: &[u8], form: &Form, places: impl Fn(&Captures<'_>) -> Vec<Place>) {
        for captures in form.regex.captures_iter(output) {
            let name = ["name", "file", "line", "offset"];
            let at = name.iter().find_map(|name| captures.name(name));
            let (Some(at), Some(within)) = (at, captures.get(0)) else {
                continue;
            };
            let places = places(&captures);
            if !places.is_empty() {
                self.messages.entry(at.start()).or_insert(Message {
                    within: within.range(),
                    kind: form.kind,
                    places,
                });
            }
        }
    }
}

/// Returns the places that a position with a path means.
fn with_path(captures: &Captures<'_>, texts: &Texts<'_>) -> Vec<Place> {
    let path = captures.name("file");
    let Some(path) = path.and_then(|path| std::str::from_utf8(path.as_bytes()).ok()) else {
        return vec![];
    };
    if let Some(name) = captures.name("name") {
        return texts.calls(path, name.as_bytes());
    }
    let Some(line) = number(captures, "line") else {
        return vec![];
    };
    let column = number(captures, "column");
    let lines = texts.lines(path, line).into_iter();
    let place = |(file, line)| Some((file, texts.range(file, line, column)?));
    lines.filter_map(place).collect()
}

/// Returns the place in the only file that a position without a path means.
fn without_path(captures: &Captures<'_>, texts: &Texts<'_>) -> Vec<Place> {
    let range = match number(captures, "offset") {
        Some(offset) => texts.range_at(0, offset),
        None => number(captures, "line")
            .and_then(|line| line.checked_sub(1))
            .and_then(|line| texts.range(0, line, number(captures, "column"))),
    };
    range.map(|range| (0, range)).into_iter().collect()
}

fn number(captures: &Captures<'_>, name: &str) -> Option<usize> {
    let digits = captures.name(name)?.as_bytes();
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Returns the whole lines around a part of an output.
fn lines_around(output: &[u8], within: Range<usize>) -> &[u8] {
    let before = output[..within.start]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let behind = output[within.end..].iter().position(|&byte| byte == b'\n');
    let end = behind.map_or(output.len(), |at| within.end + at);
    &output[before.map_or(0, |at| at + 1)..end]
}

/// Returns an output without the codes that set colors.
fn without_colors(output: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(output.len());
    let mut rest = output;
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.strip_prefix(b"[").filter(|_| byte == 0x1b);
        let end = code.and_then(|code| code.iter().position(u8::is_ascii_alphabetic));
        match code.zip(end) {
            Some((code, end)) => rest = &code[end + 1..],
            None => {
                plain.push(byte);
                rest = behind;
            }
        }
    }
    plain
}
