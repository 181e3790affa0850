use super::log::{LOGS, Log};
use crate::Hub;
use crate::config::Words;
use crate::generator::GivenUp;
use crate::output::Access;
use crate::problem::Problem;
use crate::program::command_of;
use crate::setup::Setup;
use crate::store;
use nubbin_campaign::{Event, EventKind, Listener, Store, reasons};
use nubbin_oracle::{CommandOracle, Environment, Options, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use toml::Spanned;

/// The maximum number of starts again without a limit of the user.
const MAX_RESTARTS: u64 = 100;
/// The interval at which the size of an output is looked at.
const LOG_INTERVAL: Duration = Duration::from_secs(1);
/// A fuzzer that ends sooner than that has most likely found no work.
const QUICK: Duration = Duration::from_secs(5);
/// The number of quick ends in a row after which a fuzzer is given up.
const MAX_QUICK: u32 = 5;
/// The pause before a start again, which doubles with each quick end.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs the words after the folder, the log, and the process of the campaign. A watch, which starts
/// before the fuzzer, kills the group of the shell when the campaign's process has exited
/// without having killed the group. It asks the fuzzer to end first, as the fuzzer may have put
/// children in groups of their own. It also ends children that the fuzzer left.
const SHELL: &str = "\
umask 077; cd \"$0\" || exit 1; log=$1; owner=$2; shift 2
lives() { kill -0 \"$owner\" && ! grep -qs '^State:.Z' \"/proc/$owner/status\"; } 2>/dev/null
mv -f \"$log\" \"$log.old\" 2>/dev/null
(trap '' TERM; while lives; do sleep 0.5; done
kill 0; sleep 1; kill -9 0) >/dev/null 2>&1 </dev/null &
\"$@\" >>\"$log\" 2>&1 </dev/null";

/// The running fuzzers of a campaign. The fuzzers end when this value is dropped.
#[derive(Default)]
pub(crate) struct Sources {
    stop: Cancel,
    threads: Vec<JoinHandle<()>>,
}

/// A fuzzer.
struct Started {
    generator: String,
    command: TestCommand,
    restarts: u64,
    folder: PathBuf,
    log: Log,
    /// The generators whose fuzzers are not started again, to which it is added at its end.
    given_up: GivenUp,
    stop: Cancel,
}

impl Sources {
    /// Starts the fuzzers of all generators with `start`.
    pub(crate) fn start(setup: &Setup, hub: &Hub) -> Result<Self, Problem> {
        let mut sources = Sources::default();
        let around = setup.surroundings();
        for (generator, table) in &setup.config.generator {
            let table = table.get_ref();
            let Some(words): Option<&Spanned<Words>> = table.start.as_ref() else {
                continue;
            };
            let started = Started {
                generator: generator.clone(),
                command: command_of(words, &around)?,
                restarts: table.restarts.unwrap_or(MAX_RESTARTS),
                folder: setup.folder.clone(),
                log: Log::of(&setup.folder, generator),
                given_up: setup.given_up.clone(),
                stop: sources.stop.clone(),
            };
            let (log, stop) = (started.log.clone(), sources.stop.clone());
            let made = Access::OWNER.make_dirs(&setup.folder.join(LOGS));
            made.map_err(|error| setup.origin.wrong(&words.span(), &error.to_string()))?;
            let mut teller = Teller {
                store: store::open(&setup.folder)?,
                hub: hub.clone(),
            };
            let thread = std::thread::spawn(move || started.keep_running(&mut teller));
            sources.threads.push(thread);
            let thread = std::thread::spawn(move || keep_bounded(&log, &stop));
            sources.threads.push(thread);
        }
        Ok(sources)
    }

    /// Ends the fuzzers, with all that they have started.
    pub(crate) fn finish(self) {
        drop(self);
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.stop.cancel();
        for thread in self.threads.drain(..) {
            // The panic hook has already reported a panic.
            let _ = thread.join();
        }
    }
}

/// Waits, unless the campaign ends.
fn pause(time: Duration, stop: &Cancel) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.is_cancelled() {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Bounds an output as long as the campaign runs.
fn keep_bounded(log: &Log, stop: &Cancel) {
    while !stop.is_cancelled() {
        // If the disk is full, a later attempt may succeed.
        let _ = log.bound();
        pause(LOG_INTERVAL, stop);
    }
}

/// Tells of fuzzers that have exited.
struct Teller {
    store: Store,
    hub: Hub,
}

impl Teller {
    fn warn(&mut self, text: String) {
        // A database that cannot be used ends the campaign at its next job.
        if let Ok(told) = self
            .store
            .record_event(Event::new(EventKind::Warning, text))
        {
            self.hub.receive(&told);
        }
    }
}

impl Started {
    /// Runs the fuzzer until the campaign ends, or until it is given up. Its generator ends then,
    /// after the files that are there.
    fn keep_running(&self, teller: &mut Teller) {
        self.run_again(teller);
        self.given_up.add(&self.generator);
    }

    fn run_again(&self, teller: &mut Teller) {
        let name = &self.generator;
        let mut quick = 0;
        for start in 0..=self.restarts {
            let begin = Instant::now();
            let end = self.run();
            if self.stop.is_cancelled() {
                return;
            }
            let end = end.unwrap_or_else(|error| reasons(&*error));
            quick = match begin.elapsed() < QUICK {
                true => quick + 1,
                false => 0,
            };
            if quick >= MAX_QUICK {
                let output = self.log.path();
                let output = output.strip_prefix(&self.folder).unwrap_or(output);
                teller.warn(format!(
                    "the fuzzer of {name} exits immediately every time, with {end}: it is not \
                     started again, and its output is in `{}`",
                    output.display()
                ));
                return;
            }
            if start == self.restarts {
                teller.warn(format!(
                    "the fuzzer of {name} ended with {end} and was already restarted as often as \
                     `restarts` allows"
                ));
                return;
            }
            pause(PAUSE * 2_u32.pow(quick), &self.stop);
        }
    }

    /// Runs the fuzzer once. Returns how it ended.
    fn run(&self) -> Result<String, Box<dyn Error + Send + Sync>> {
        let words = [OsStr::new("sh"), OsStr::new("-c"), OsStr::new(SHELL)];
        let owner = OsString::from(std::process::id().to_string());
        let words = words
            .into_iter()
            .chain([self.folder.as_os_str(), self.log.path().as_os_str(), &owner])
            .chain([self.command.program().as_os_str()])
            .chain(self.command.args().iter().map(OsString::as_os_str));
        let command = TestCommand::new(words.map(OsStr::to_owned).collect(), &self.folder)?;
        let mut options = Options::new(command, vec![PathBuf::from("none")]);
        options.timeout = None;
        options.process_limit = None;
        options.owns_children = true;
        // AFL++ continues in its folder, without its status screen.
        options.environment = Environment::new()
            .set(OsStr::new("AFL_AUTORESUME=1"))?
            .set(OsStr::new("AFL_NO_UI=1"))?;
        let oracle = CommandOracle::new(options)?;
        let file = [File {
            name: Path::new("none"),
            bytes: b"",
        }];
        let run = oracle.observe_with(&Candidate::new(&file), 0, &self.stop)?;
        Ok(match &run.cut_short {
            Some(reason) => reason.to_string(),
            None => run.exit.to_string(),
        })
    }
}
