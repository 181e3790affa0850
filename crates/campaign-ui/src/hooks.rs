//! Commands that are run on events.

use super::Hub;
use super::config::Words;
use super::program::{command_of, seconds};
use super::setup::Setup;
use crate::problem::Problem;
use nubbin_campaign::{Event, EventKind, Listener, NumberedEvent, reasons};
use nubbin_oracle::{CommandOracle, Environment, Exit, Options, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use toml::Spanned;

/// The time that a command has without a limit of its own.
const TIME: Duration = Duration::from_secs(30);

/// The time that hooks have when the campaign is stopped.
const GRACE: Duration = Duration::from_secs(3);

/// A command, and the events that it is run on.
struct Hook {
    events: Vec<String>,
    command: TestCommand,
    timeout: Duration,
}

/// Runs hooks on a thread, one after the other, in the order of the events.
pub(super) struct Hooks {
    stop: Cancel,
    sender: Sender<Message>,
    thread: JoinHandle<()>,
    events: Vec<String>,
}

enum Message {
    Event(NumberedEvent),
    /// The campaign is over.
    Over,
}

/// Passes on the events that a hook is for.
struct Passing {
    sender: Mutex<Sender<Message>>,
    events: Vec<String>,
}

impl Listener for Passing {
    fn receive(&self, told: &NumberedEvent) {
        if self
            .events
            .iter()
            .any(|name| name == told.event.kind.name())
        {
            let sender = self.sender.lock();
            let sender = sender.unwrap_or_else(PoisonError::into_inner);
            // If the send fails, the thread has ended with the campaign.
            let _ = sender.send(Message::Event(told.clone()));
        }
    }
}

impl Hooks {
    pub(super) fn start(setup: &Setup, hub: Hub) -> Result<Self, Problem> {
        let around = setup.surroundings();
        let mut hooks = vec![];
        for table in &setup.config.hook {
            let words: &Spanned<Words> = &table.command;
            hooks.push(Hook {
                events: table
                    .events
                    .iter()
                    .map(|event| event.get_ref().clone())
                    .collect(),
                command: command_of(words, &around)?,
                timeout: match &table.timeout {
                    Some(timeout) => seconds(timeout, &setup.origin)?,
                    None => TIME,
                },
            });
        }
        let events = hooks.iter().flat_map(|hook| hook.events.clone()).collect();
        let (sender, receiver) = channel();
        let folder = setup.folder.clone();
        let stop = Cancel::new();
        let caller = Caller {
            folder,
            stop: stop.clone(),
        };
        let thread = std::thread::spawn(move || run(&receiver, &hooks, &caller, &hub));
        Ok(Hooks {
            stop,
            sender,
            thread,
            events,
        })
    }

    pub(super) fn listener(&self) -> impl Listener + use<> {
        Passing {
            sender: Mutex::new(self.sender.clone()),
            events: self.events.clone(),
        }
    }

    /// Waits for the hooks of all events. If the campaign was stopped, they are killed after a
    /// while.
    pub(super) fn finish(self, is_stopped: bool) {
        let _ = self.sender.send(Message::Over);
        let begin = Instant::now();
        while is_stopped && !self.thread.is_finished() {
            if begin.elapsed() >= GRACE {
                self.stop.cancel();
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // The panic hook has already reported a panic.
        let _ = self.thread.join();
    }
}

/// The common part of all calls of a hook.
struct Caller {
    folder: PathBuf,
    stop: Cancel,
}

fn run(messages: &Receiver<Message>, hooks: &[Hook], caller: &Caller, hub: &Hub) {
    while let Ok(Message::Event(told)) = messages.recv() {
        let name = told.event.kind.name();
        let wanted = hooks
            .iter()
            .filter(|hook| hook.events.iter().any(|event| event == name));
        for hook in wanted {
            let failed = match call(hook, &told, caller) {
                Ok(None) => continue,
                Ok(Some(failed)) => failed,
                Err(error) => reasons(&*error),
            };
            let text = format!("the hook `{}` on {name}: {failed}", hook.command);
            hub.receive(&NumberedEvent {
                id: None,
                at: told.at,
                event: Event::new(EventKind::Warning, text),
            });
        }
    }
}

/// Runs a hook. Returns what went wrong.
fn call(
    hook: &Hook,
    told: &NumberedEvent,
    caller: &Caller,
) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
    if caller.stop.is_cancelled() {
        return Ok(Some("the campaign was stopped".to_owned()));
    }
    let folder = &caller.folder;
    // A hook runs in the folder of the campaign, without a sandbox: it is the user's own.
    let words = ["sh", "-c", "cd \"$0\" && exec \"$@\""].map(OsString::from);
    let words = words
        .into_iter()
        .chain([folder.as_os_str().to_owned()])
        .chain([hook.command.program().as_os_str().to_owned()])
        .chain(hook.command.args().iter().cloned());
    let command = TestCommand::new(words.collect(), folder)?;
    let mut options = Options::new(command, vec![PathBuf::from("event.json")]);
    options.stdin = true;
    options.timeout = Some(hook.timeout);
    options.owns_children = true;
    let issue = told
        .event
        .issue
        .map_or_else(String::new, |id| id.to_string());
    let mut campaign = OsString::from("NUBBIN_CAMPAIGN=");
    campaign.push(folder);
    options.environment = Environment::new()
        .set(OsStr::new(&format!("NUBBIN_EVENT={}", told.event.kind)))?
        .set(OsStr::new(&format!("NUBBIN_ISSUE={issue}")))?
        .set(&campaign)?;
    let oracle = CommandOracle::new(options)?;
    // An event is one line, so that a hook can append it to a file of events.
    let json = format!("{}\n", serde_json::to_string(told)?);
    let file = [File {
        name: Path::new("event.json"),
        bytes: json.as_bytes(),
    }];
    let run = oracle.observe_with(&Candidate::new(&file), 0, &caller.stop)?;
    Ok(match (&run.cut_short, run.exit) {
        (Some(reason), _) => Some(reason.to_string()),
        (None, Exit::Code(0)) => None,
        (None, exit) => {
            let said = String::from_utf8_lossy(run.stderr());
            let said: String = said.trim().chars().take(200).collect();
            Some(format!("{exit} {said}").trim_end().to_owned())
        }
    })
}
