use super::message::ClangMessage;
use super::process::{LONGEST, MOMENT, PATIENCE, begin};
use super::request::ClangRequest;
use nubbin_clang::CheckRequest;
use nubbin_oracle::{Dialogue, DialogueError};
use nubbin_reduce::engine::{Form, FormLimits, Stop};
use nubbin_reduce::input::Input;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The number of processes that may crash or take too long before no errors are counted.
const MAX_PROCESSES: usize = 3;

/// The errors that Clang reports for a candidate, if the input is one file in C or C++.
///
/// Counting errors needs no test, and most candidates of passes that do not know C++ have more
/// errors than the base: a name without a declaration, or a class without a member. A test that
/// searches for a warning rejects all such candidates. A compiler may also crash after an error, so
/// the errors say nothing if the failure is a crash.
pub struct ClangForm {
    request: CheckRequest,
    process: Mutex<State>,
    must_compile: Arc<AtomicBool>,
    stop: Stop,
}

#[derive(Default)]
struct State {
    dialogue: Option<Dialogue>,
    /// The number of processes that were started.
    started: usize,
}

impl ClangForm {
    /// Creates the form. No errors are counted before `must_compile` is set. The process starts
    /// with the first candidate.
    pub fn new(request: CheckRequest, must_compile: Arc<AtomicBool>, stop: &Stop) -> Self {
        ClangForm {
            request,
            process: Mutex::default(),
            must_compile,
            stop: stop.clone(),
        }
    }

    /// Sends a text, and waits for the number of its errors.
    fn ask(&self, state: &mut State, text: &[u8]) -> Option<usize> {
        let line = serde_json::to_string(&text_of(text)).ok()?;
        if state.dialogue.is_none() && state.started < MAX_PROCESSES {
            state.started += 1;
            state.dialogue = begin(&ClangRequest::Errors(self.request.clone()));
        }
        let dialogue = state.dialogue.as_mut()?;
        dialogue.say(&line);
        let until = Instant::now() + PATIENCE;
        let heard = loop {
            match dialogue.hear(MOMENT, LONGEST) {
                Err(DialogueError::Silent(_))
                    if !self.stop.is_requested() && Instant::now() < until => {}
                heard => break heard.map_err(|error| error.to_string()),
            }
        };
        match heard.and_then(|line| ClangMessage::errors(&line)) {
            Ok(count) => count,
            // The next text is sent to a new process.
            Err(_) => {
                state.dialogue = None;
                None
            }
        }
    }
}

impl Form for ClangForm {
    fn misfits(&self, input: &Input) -> Option<usize> {
        if !self.must_compile.load(Ordering::Relaxed) {
            return None;
        }
        let mut files = input.present();
        let (Some(file), None) = (files.next(), files.next()) else {
            return None;
        };
        let mut state = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        self.ask(&mut state, file.text)
    }

    fn limits(&self) -> FormLimits {
        FormLimits {
            min_tests: 4,
            max_candidate_bytes: 256 << 10,
            max_base_bytes: 4 << 20,
        }
    }
}

/// Returns the bytes as a text of the same length. If the bytes are not UTF-8, each byte that is
/// not ASCII becomes `_`.
pub fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes
            .iter()
            .map(|&byte| if byte.is_ascii() { byte as char } else { '_' })
            .collect(),
    }
}
