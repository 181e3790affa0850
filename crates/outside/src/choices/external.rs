use super::answer::Made;
use super::bytes::Bytes;
use super::{GeneratorError, dialogue};
use crate::exit::Exit;
use crate::flags::{GeneratorFlags, Protocol};
use crate::problem::Problem;
use crate::sandbox;
use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Choice, Kind, Replay, Run, Value, encode_values};
use nubbin_oracle::{Dialogue, FolderError, PrivateFolder, Sandbox, TestCommand};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A generator that is an external program.
pub struct External {
    command: TestCommand,
    folder: PathBuf,
    args: GeneratorFlags,
    is_confined: bool,
    way: Transport,
    known: Mutex<KnownRuns>,
    trouble: Mutex<Troubles>,
}

enum Transport {
    Talk {
        idle: Mutex<Vec<Dialogue>>,
        /// The sandbox of all processes, and the folder that they may write to.
        sandbox: Option<(Sandbox, PrivateFolder)>,
    },
    Bytes(Box<Bytes>),
}

/// The runs of replayed sequences, by their encoding.
#[derive(Default)]
struct KnownRuns {
    runs: HashMap<Vec<u8>, Option<Arc<Run>>>,
    bytes: usize,
}

/// The largest total size of remembered texts, in bytes. At the limit all are forgotten.
const MAX_KNOWN_BYTES: usize = 64 << 20;

/// The errors of a generator: the last error, and their number.
#[derive(Default)]
pub struct Troubles {
    pub count: u64,
    pub last: Option<String>,
}

impl External {
    /// Starts a generator with this command, in up to `jobs` processes at the same time, in a
    /// sandbox if there is one.
    pub fn new(
        command: TestCommand,
        args: &GeneratorFlags,
        sandbox: Option<Sandbox>,
        jobs: usize,
    ) -> Result<Self, Problem> {
        let is_confined = sandbox.is_some();
        let folder = std::env::current_dir().map_err(|error| {
            Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
        })?;
        let way = match args.protocol {
            Protocol::Json => {
                let folder = sandbox.map(|sandbox| Ok((sandbox, PrivateFolder::new(0)?)));
                let folder = folder.transpose().map_err(|error: FolderError| {
                    Problem::new(Exit::Test, "cannot make a folder for the generator")
                        .because(&error)
                })?;
                Transport::Talk {
                    idle: Mutex::default(),
                    sandbox: folder,
                }
            }
            // The reducer prefetches on its own thread, in addition to the workers.
            Protocol::Bytes => Transport::Bytes(Box::new(Bytes::new(
                command.clone(),
                args,
                sandbox,
                jobs + 1,
            )?)),
        };
        Ok(External {
            command,
            folder,
            args: args.clone(),
            is_confined,
            way,
            known: Mutex::default(),
            trouble: Mutex::default(),
        })
    }

    /// Runs the generator with choices from a seed, or with `bytes` bytes. Returns `None` if it
    /// gave up.
    pub fn record(&self, seed: u64, bytes: u32) -> Result<Option<Run>, GeneratorError> {
        let mut choices = Choices::recording(seed).most(self.args.max_choices);
        if let Transport::Bytes(_) = &self.way {
            let values = (0..bytes).map(|_| Value::Integer(choices.integer(0..=255)));
            return self.run(&values.collect::<Vec<_>>());
        }
        self.talk(choices).map_err(|error| self.noted(error))
    }

    /// Runs the generator with the given values.
    pub fn run(&self, values: &[Value]) -> Result<Option<Run>, GeneratorError> {
        self.make(values).map_err(|error| self.noted(error))
    }

    /// Adds advice if the sandbox has refused something.
    fn noted(&self, mut error: GeneratorError) -> GeneratorError {
        let note = sandbox::note(&error.complaints).filter(|_| self.is_confined);
        error.advice = note;
        error
    }

    fn make(&self, values: &[Value]) -> Result<Option<Run>, GeneratorError> {
        match &self.way {
            Transport::Talk { .. } => {
                self.talk(Choices::of(values.to_vec()).most(self.args.max_choices))
            }
            Transport::Bytes(program) => {
                let kind = Kind::Integer {
                    min: 0,
                    max: 255,
                    toward: 0,
                };
                let choice = |value: &Value| Choice {
                    value: kind.admit(value),
                    kind: kind.clone(),
                };
                let choices: Vec<Choice> = values.iter().map(choice).collect();
                let byte = |choice: &Choice| choice.value.integer().unwrap_or(0) as u8;
                let bytes: Vec<u8> = choices.iter().map(byte).collect();
                Ok(match program.make(&bytes)? {
                    Made::Nothing => None,
                    Made::Text(text) => Some(Run {
                        choices,
                        text,
                        ..Run::default()
                    }),
                })
            }
        }
    }

    fn talk(&self, mut choices: Choices) -> Result<Option<Run>, GeneratorError> {
        let Transport::Talk { idle, sandbox } = &self.way else {
            return Ok(None);
        };
        let confined = sandbox
            .as_ref()
            .map(|(sandbox, folder)| (sandbox, folder.path()));
        let mut dialogue = lock(idle).pop();
        let made = dialogue::make(
            &mut dialogue,
            &self.command,
            &self.folder,
            confined,
            &self.args,
            &mut choices,
        );
        match made? {
            Made::Text(text) => {
                lock(idle).extend(dialogue);
                Ok(choices.into_run(text))
            }
            // The state of the process is unknown.
            Made::Nothing => Ok(None),
        }
    }

    /// Returns the errors so far.
    pub fn troubles(&self) -> MutexGuard<'_, Troubles> {
        lock(&self.trouble)
    }
}

/// A sequence that breaks the generator counts as rejected.
impl Replay for External {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let key = encode_values(values);
        if let Some(known) = lock(&self.known).runs.get(&key) {
            return known.clone();
        }
        let run = self.run(values).unwrap_or_else(|trouble| {
            let mut troubles = lock(&self.trouble);
            troubles.count += 1;
            troubles.last = Some(trouble.to_string());
            None
        });
        let run = run.map(Arc::new);
        let mut known = lock(&self.known);
        let size = |run: &Arc<Run>| run.text.len() + 64 * run.choices.len();
        known.bytes += 64 + key.len() + run.as_ref().map_or(0, size);
        if known.bytes > MAX_KNOWN_BYTES {
            *known = KnownRuns::default();
        }
        // The next request contains only the choices that the generator used. They suffice for it.
        if let Some(run) = &run {
            let used = match run.overran {
                true => Arc::new(Run {
                    overran: false,
                    ..Run::clone(run)
                }),
                false => Arc::clone(run),
            };
            known.runs.insert(encode_values(&run.values()), Some(used));
        }
        known.runs.insert(key, run.clone());
        run
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Asks for two digits, and makes a text of them.
    const DIGITS: &str = "
        ask='{\"integer\":{\"min\":0,\"max\":9,\"toward\":0}}'
        while read request; do
            echo \"$ask\"; read first
            echo \"$ask\"; read second
            echo \"{\\\"done\\\":\\\"$first$second\\\"}\"
        done";

    #[test]
    fn choices_that_are_enough_are_not_taken_for_too_few() {
        let flags = GeneratorFlags {
            protocol: Protocol::Json,
            generator_timeout: Duration::from_secs(60),
            max_choices: 100,
        };
        let command = TestCommand::shell(DIGITS).unwrap();
        let digits = External::new(command, &flags, None, 1).unwrap();
        let replayed = |values: &[i64]| {
            let values: Vec<Value> = values.iter().map(|&value| Value::Integer(value)).collect();
            let run = digits.replay(&values).unwrap();
            (String::from_utf8(run.text.clone()).unwrap(), run.overran)
        };
        // The generator takes the simplest choice in place of the missing one.
        assert_eq!(replayed(&[5]), ("50".to_owned(), true));
        assert_eq!(replayed(&[5, 0]), ("50".to_owned(), false));
        assert_eq!(replayed(&[5]), ("50".to_owned(), true));
    }
}
