//! Proposers that communicate with nubbin in JSON lines.
//!
//! A line `{"propose": {...}}` names the text. The proposer replies with a line for each candidate
//! (a list of replacements or a whole text), and then with `"done"`. Candidates are tested while
//! the proposer writes the next ones. A proposer that exits after `"done"` is started again for the
//! next text.

use super::message::{Proposed, ProposerMessage};
use super::parking::Parking;
use super::setting::{Setting, language_of};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::sandbox;
use nubbin_oracle::{Dialogue, DialogueError, PrivateFolder, Sandbox, TestCommand};
use nubbin_reduce::edit::{Edit, between};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Answer, Changes, Proposer};
use serde::Serialize;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest line in bytes, which also limits the text.
const LONGEST: usize = 64 << 20;

/// The largest number of candidates in one list.
const MAX_CANDIDATES: usize = 100_000;

/// The largest total size of the candidates of one list, in bytes.
const MAX_CANDIDATE_BYTES: usize = 256 << 20;

/// The interval at which a wait for a proposer checks whether the run was asked to stop.
const MOMENT: Duration = Duration::from_millis(100);

/// An external program that proposes edits.
pub(super) struct Outside {
    program: Arc<Program>,
}

/// The program, which lists of candidates share.
struct Program {
    command: TestCommand,
    here: PathBuf,
    language: Option<String>,
    sandbox: Option<Sandbox>,
    patience: Duration,
    stop: Stop,
    parking: Arc<Parking>,
    state: Mutex<State>,
}

struct State {
    dialogue: Option<Dialogue>,
    /// The folder of the texts, with a subfolder for each generation.
    texts: PrivateFolder,
    generation: u64,
    /// Whether the last list may have more lines.
    is_open: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ProposerRequest<'a> {
    Propose {
        /// The number of the request.
        generation: u64,
        /// The path of the text to change.
        file: &'a Path,
        /// The name of the file in the input.
        name: &'a Path,
        /// The folder with all files of the input, if there are several.
        folder: &'a Path,
        size: usize,
        language: Option<&'a str>,
        /// The outcomes of the previous candidates: adopted, not adopted, or not tested alone.
        last: Vec<Option<bool>>,
    },
}

impl Outside {
    pub(super) fn new(
        command: TestCommand,
        here: PathBuf,
        setting: &Setting<'_>,
        parking: Arc<Parking>,
    ) -> Result<Self, Problem> {
        let texts = PrivateFolder::new(setting.input.size() as u64).map_err(|error| {
            let what = "cannot create a folder for the inputs of a proposer";
            Problem::new(Exit::Test, what).because(&error)
        })?;
        let state = State {
            dialogue: None,
            texts,
            generation: 0,
            is_open: false,
        };
        let program = Program {
            command,
            here,
            language: setting.language.map(str::to_owned),
            sandbox: setting.sandbox.clone(),
            patience: setting.args.proposer_timeout,
            stop: setting.stop.clone(),
            parking,
            state: Mutex::new(state),
        };
        Ok(Outside {
            program: Arc::new(program),
        })
    }
}

impl Program {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a list of candidates, and returns the list with its first line. Returns `None` if
    /// the run was asked to stop.
    fn ask(
        self: &Arc<Self>,
        file: &File<'_>,
        input: &Input,
        last: &[Answer],
    ) -> Result<Option<Listing>, String> {
        let state = &mut *self.lock();
        if self.end_list(state)?.is_none() {
            return Ok(None);
        }
        state.generation += 1;
        let folder = state.texts.path().join(state.generation.to_string());
        let earlier = state.texts.path().join((state.generation - 1).to_string());
        // Files that the proposer still has open do not matter.
        let _ = std::fs::remove_dir_all(earlier);
        let path = folder.join(within(file.name));
        input
            .present()
            .try_for_each(|file| {
                let name = Path::new(&state.generation.to_string()).join(within(file.name));
                state.texts.write(&name, file.text).map(drop)
            })
            .map_err(|error| format!("the input of the proposer cannot be written: {error}"))?;
        let request = ProposerRequest::Propose {
            generation: state.generation,
            file: &path,
            name: file.name,
            folder: &folder,
            size: file.text.len(),
            language: language_of(self.language.as_deref(), file),
            last: last.iter().map(|&answer| said(answer)).collect(),
        };
        let request = serde_json::to_string(&request).map_err(|error| error.to_string())?;
        let mut patience = self.patience;
        let Some(line) = self.begin(state, &request, &mut patience)? else {
            return Ok(None);
        };
        state.is_open = true;
        Ok(Some(Listing {
            program: Arc::clone(self),
            text: file.text.into(),
            generation: state.generation,
            line: Some(line),
            patience,
            count: 0,
            bytes: 0,
        }))
    }

    /// Reads and discards the rest of a list. Returns `None` if the run was asked to stop.
    fn end_list(&self, state: &mut State) -> Result<Option<()>, String> {
        let mut patience = self.patience;
        let mut count = 0;
        while state.is_open {
            let Some(dialogue) = &mut state.dialogue else {
                break;
            };
            match self.hear(dialogue, &mut patience) {
                Ok(Some(line)) => {
                    let message = ProposerMessage::read(&line);
                    state.is_open = !matches!(message, Ok(ProposerMessage::Done));
                    count += 1;
                }
                Ok(None) => return Ok(None),
                Err(error) => return Err(self.told(dialogue, &error)),
            }
            if count > MAX_CANDIDATES {
                return Err(too_many(MAX_CANDIDATES));
            }
        }
        state.is_open = false;
        Ok(Some(()))
    }

    /// Disables the proposer, and stops the program and its children.
    fn park(&self, why: String) {
        self.parking.park(why);
        let mut state = self.lock();
        state.dialogue = None;
        state.is_open = false;
    }

    /// Sends the request, and returns the first line of the reply.
    fn begin(
        &self,
        state: &mut State,
        request: &str,
        patience: &mut Duration,
    ) -> Result<Option<Vec<u8>>, String> {
        let texts = state.texts.path();
        let confined = self.sandbox.as_ref().map(|sandbox| (sandbox, texts));
        loop {
            let is_new = state.dialogue.is_none();
            let dialogue = match &mut state.dialogue {
                Some(dialogue) => dialogue,
                none => none.insert(
                    Dialogue::start(&self.command, &self.here, LONGEST, confined, true)
                        .map_err(|error| error.to_string())?,
                ),
            };
            dialogue.say(request);
            match self.hear(dialogue, patience) {
                // The program returns one list per start.
                Err(DialogueError::Ended(ending)) if !is_new && ending.is_clean() => {
                    state.dialogue = None;
                }
                Err(error) => return Err(self.told(dialogue, &error)),
                Ok(line) => return Ok(line),
            }
        }
    }

    /// Returns the reason for a missing line, with the program's standard error.
    fn told(&self, dialogue: &Dialogue, error: &DialogueError) -> String {
        let what = match error {
            DialogueError::Ended(ending) if ending.is_clean() => "the program exited without \
            `done`"
                .into(),
            DialogueError::Silent(_) => {
                format!(
                    "the list of candidates was not complete after {:?}",
                    self.patience
                )
            }
            error => error.to_string(),
        };
        let complaints = dialogue.complaints();
        let note = self
            .sandbox
            .as_ref()
            .and_then(|_| sandbox::note(&complaints));
        let wrote = complaints
            .iter()
            .map(|line| format!("\n  it wrote: {line}"));
        let note = note.map(|note| format!("\n  {note}"));
        wrote.chain(note).fold(what, |what, line| what + &line)
    }

    /// Returns the next line, or `None` if the run was asked to stop. Only the waiting time counts
    /// toward the time limit, since tests may run between two lines.
    fn hear(
        &self,
        dialogue: &mut Dialogue,
        patience: &mut Duration,
    ) -> Result<Option<Vec<u8>>, DialogueError> {
        loop {
            let started = Instant::now();
            let heard = dialogue.hear(MOMENT.min(*patience), LONGEST);
            *patience = patience.saturating_sub(started.elapsed());
            match heard {
                Err(DialogueError::Silent(_)) if self.stop.is_requested() => return Ok(None),
                Err(DialogueError::Silent(_)) if !patience.is_zero() => {}
                // A program that writes without end never reaches the time limit of a read.
                Ok(_) if patience.is_zero() => return Err(DialogueError::Silent(self.patience)),
                heard => return heard.map(Some),
            }
        }
    }
}

/// A list of candidates that a program is writing.
struct Listing {
    program: Arc<Program>,
    text: Arc<[u8]>,
    generation: u64,
    /// The first line, until it is read.
    line: Option<Vec<u8>>,
    /// The time that is left for the list.
    patience: Duration,
    count: usize,
    bytes: usize,
}

impl Listing {
    /// Returns the next candidate, or `None` after the last candidate.
    fn candidate(&mut self) -> Result<Option<Edit>, String> {
        let program = Arc::clone(&self.program);
        let state = &mut *program.lock();
        if !state.is_open || state.generation != self.generation {
            return Ok(None);
        }
        let line = match self.line.take() {
            Some(line) => line,
            None => {
                let Some(dialogue) = &mut state.dialogue else {
                    return Err("the program is not running".into());
                };
                match program.hear(dialogue, &mut self.patience) {
                    Ok(Some(line)) => line,
                    Ok(None) => return Ok(None),
                    Err(error) => return Err(program.told(dialogue, &error)),
                }
            }
        };
        let message = ProposerMessage::read(&line)?;
        self.bytes += line.len();
        let edit = match message.proposed(&self.text)? {
            Proposed::Done => {
                state.is_open = false;
                return Ok(None);
            }
            Proposed::Change(edit) => edit,
            Proposed::File(path) => {
                let text = read(&program.here.join(&path))?;
                self.bytes += text.len();
                between(&self.text, &text)
            }
        };
        self.count += 1;
        if self.count > MAX_CANDIDATES || self.bytes > MAX_CANDIDATE_BYTES {
            return Err(too_many(self.count - 1));
        }
        Ok(Some(edit))
    }
}

impl Iterator for Listing {
    type Item = Edit;

    fn next(&mut self) -> Option<Edit> {
        if self.program.parking.is_parked() {
            return None;
        }
        self.candidate().unwrap_or_else(|why| {
            self.program.park(why);
            None
        })
    }
}

impl Proposer for Outside {
    fn propose(&self, file: &File<'_>, input: &Input, last: &[Answer]) -> Changes {
        let program = &self.program;
        if program.parking.is_parked() || program.stop.is_requested() {
            return Box::new(std::iter::empty());
        }
        let asked = program.ask(file, input, last).unwrap_or_else(|why| {
            program.park(why);
            None
        });
        Box::new(asked.into_iter().flatten())
    }
}

fn too_many(count: usize) -> String {
    format!("the program proposed more than {count} candidates")
}

fn said(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Untested => None,
        Answer::Adopted => Some(true),
        Answer::Rejected => Some(false),
    }
}

/// Reads a file that the proposer names. The file may be a pipe or an endless device.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |why: String| format!("the candidate `{}` cannot be read: {why}", path.display());
    let meta = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if !meta.is_file() || meta.len() > LONGEST as u64 {
        return Err(wrong(format!(
            "the path is not a file of at most {LONGEST} bytes"
        )));
    }
    let mut text = vec![];
    std::fs::File::open(path)
        .and_then(|file| file.take(LONGEST as u64).read_to_end(&mut text))
        .map_err(|error| wrong(error.to_string()))?;
    Ok(text)
}

/// Returns a file name that cannot lead out of the folder.
fn within(name: &Path) -> PathBuf {
    let normal = |part: &Component<'_>| matches!(part, Component::Normal(_));
    name.components().filter(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        assert_eq!(within(Path::new("/a/../b.c")), Path::new("a/b.c"));
        assert_eq!(within(Path::new("./src/b.c")), Path::new("src/b.c"));
    }
}
