//! Tests on a farm: creates an oracle from flags that runs tests on the farm and on this machine.

use super::line::places_line;
use crate::cores::cores;
use crate::exit::Exit;
use crate::flags::Jobs;
use crate::problem::{Problem, say, warn};
use crate::secret_file::seen_by_others;
use crate::settings::{RemoteSettings, TestSettings};
use crate::signals::stopped;
use crate::stamp::stamp;
use nubbin_oracle::{CommandOracle, PlaceCounts};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_remote::{Access, Options, RemoteError, RemoteOracle, TokenSource};
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

/// The number of slots of a farm, if no flag sets it.
const SLOTS: usize = 16;
/// The time after which a message is printed even if no caller has fetched it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the number of tests that run on this machine at the same time.
pub fn jobs_here(flags: &TestSettings) -> usize {
    // The original always runs on this machine.
    split(flags.jobs, &flags.remote, cores(), None).0.max(1)
}

/// Returns the numbers of slots on this machine and on the farm. `usual` is the default for this
/// machine, and `usual_there` the default for the farm.
pub fn slots(
    jobs: Option<Jobs>,
    remote: &RemoteSettings,
    usual: usize,
    usual_there: Option<usize>,
) -> Result<(usize, usize), Problem> {
    let (here, there) = split(jobs, remote, usual, usual_there);
    match there > 0 && remote.remote.is_none() {
        false => Ok((here, there)),
        true => Err(Problem::new(Exit::Usage, "`--jobs remote:N` is for a farm")
            .hint("name it with `--remote grpcs://HOST`")),
    }
}

fn split(
    jobs: Option<Jobs>,
    remote: &RemoteSettings,
    usual: usize,
    usual_there: Option<usize>,
) -> (usize, usize) {
    match (jobs, &remote.remote) {
        (None, None) => (usual, 0),
        (None, Some(_)) => (usual, usual_there.unwrap_or(SLOTS)),
        (Some(Jobs::Number(number)), None) => (number.into(), 0),
        (Some(Jobs::Number(number)), Some(_)) => (0, number.into()),
        (Some(Jobs::Places { here, there }), _) => (here.into(), there.into()),
    }
}

/// The oracle of a run, which runs tests on this machine and possibly on a farm.
#[derive(Debug)]
pub struct Places {
    here: Arc<CommandOracle>,
    farm: Option<RemoteOracle>,
    news: Arc<Mutex<Vec<String>>>,
}

impl Places {
    /// Connects to the farm if the flags name one, and checks it with the original.
    pub fn open(
        flags: &TestSettings,
        oracle: &Arc<CommandOracle>,
        original: &Input,
        is_quiet: bool,
        stop: &Stop,
    ) -> Result<Self, Problem> {
        let news: Arc<Mutex<Vec<String>>> = Arc::default();
        let (here, there) = slots(flags.jobs, &flags.remote, cores(), None)?;
        let (Some(address), true) = (&flags.remote.remote, there > 0) else {
            let farm = None;
            return Ok(Places {
                here: Arc::clone(oracle),
                farm,
                news,
            });
        };
        refuse_limits(flags)?;
        refuse_difference(flags)?;
        let mut options = Options::new(access(&flags.remote, address));
        options.inputs = flags.remote.remote_input.clone();
        options.platform = platform(&flags.remote)?;
        (options.here, options.there) = (here, there);
        options.time_limit = flags.run.timeout;
        options.first_time = match oracle.time_kept() {
            Duration::ZERO => {
                original
                    .with_candidate(|candidate| oracle.observe_with(candidate, 0, stop.token()))
                    .map_err(|error| {
                        Problem::new(Exit::Test, "the test cannot be run").because(&error)
                    })?
                    .elapsed
            }
            known => known,
        };
        let told = Arc::clone(&news);
        options.say = Box::new(move |text| tell(&told, text));
        let farm = RemoteOracle::new(oracle, options).map_err(|error| problem(&error))?;
        original
            .with_candidate(|candidate| farm.check(candidate, stop.token()))
            .map_err(|error| match error {
                RemoteError::Stopped => stopped(),
                _ if stop.is_requested() => stopped(),
                error => problem(&error),
            })?;
        if !is_quiet {
            let sent = indicatif::HumanBytes(farm.sent_bytes() as u64);
            say(&format!(
                "tests run on `{address}`: {there} slots on the farm, {here} on this machine; \
                 {sent} sent in \
                 addition to the candidates"
            ));
        }
        Ok(Places {
            here: Arc::clone(oracle),
            farm: Some(farm),
            news,
        })
    }

    /// The number of tests that the engine should have at the same time.
    pub fn jobs(&self) -> usize {
        self.farm
            .as_ref()
            .map_or(self.here.jobs(), RemoteOracle::jobs)
    }

    /// Returns the new messages about the farm since the last call.
    pub fn news(&self) -> Vec<String> {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *news)
    }

    /// Returns the line for a report with the number of tests by machine, if there was a farm.
    pub fn summary(&self) -> Option<String> {
        self.counts().map(|counts| places_line(&counts))
    }

    /// Returns the number of tests by machine, if there was a farm.
    pub fn counts(&self) -> Option<PlaceCounts> {
        self.farm.as_ref().map(RemoteOracle::counts)
    }
}

impl Oracle for Places {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        match &self.farm {
            Some(farm) => farm.judge(candidate, ask),
            None => self.here.judge(candidate, ask),
        }
    }
}

/// Returns a text with the facts on which verdicts of a farm depend, in addition to the facts for
/// tests on this machine.
pub fn identity(flags: &TestSettings) -> String {
    let remote = &flags.remote;
    let Some(address) = &remote.remote else {
        return String::new();
    };
    let inputs: Vec<String> = remote.remote_input.iter().map(|path| stamp(path)).collect();
    format!(
        "\nremote {address} {:?} {:?} {inputs:?}",
        remote.remote_instance, remote.remote_platform
    )
}

/// Stores a message for the caller that prints messages. It is printed directly if no caller
/// fetches it in time, since no test may end while all tests wait for the farm.
fn tell(news: &Arc<Mutex<Vec<String>>>, text: &str) {
    let take = |news: &Mutex<Vec<String>>| {
        std::mem::take(&mut *news.lock().unwrap_or_else(PoisonError::into_inner))
    };
    news.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(text.to_owned());
    let late = Arc::clone(news);
    // Without a thread, the message is delayed.
    let _ = std::thread::Builder::new()
        .name("news".into())
        .spawn(move || {
            std::thread::sleep(PATIENCE);
            take(&late).iter().for_each(|text| warn(text));
        });
}

/// Warns once of a token in a file that other users may read.
fn warn_of_token(flags: &RemoteSettings) {
    static TOLD: Once = Once::new();
    let Some(path) = &flags.remote_token_file else {
        return;
    };
    let facts = std::fs::metadata(path).ok();
    if let Some(why) = facts.and_then(|facts| seen_by_others(&facts)) {
        let path = path.display();
        TOLD.call_once(|| {
            warn(&format!(
                "`{path}` {why}, so the token of the farm is not secret: `chmod 600 {path}`"
            ));
        });
    }
}

pub(super) fn access(flags: &RemoteSettings, address: &str) -> Access {
    warn_of_token(flags);
    let file = flags.remote_token_file.clone().map(TokenSource::File);
    let command = flags.remote_token_command.clone().map(TokenSource::Command);
    Access {
        address: address.to_owned(),
        instance: flags.remote_instance.clone().unwrap_or_default(),
        token: file.or(command),
        ca: flags.remote_ca.clone(),
        identity: flags.remote_cert.clone().zip(flags.remote_key.clone()),
    }
}

pub(super) fn platform(flags: &RemoteSettings) -> Result<Vec<(String, String)>, Problem> {
    let pairs = flags.remote_platform.iter().map(|text| {
        let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let pair = pair.map(|(name, value)| (name.to_owned(), value.to_owned()));
        pair.ok_or_else(|| {
            let what = format!("`{text}` is not of the form NAME=VALUE");
            Problem::new(Exit::Usage, what).hint("as in `--remote-platform OSFamily=linux`")
        })
    });
    pairs.collect()
}

/// Refuses limits that a client cannot enforce on a worker.
fn refuse_limits(flags: &TestSettings) -> Result<(), Problem> {
    let limits = &flags.limits;
    let given = [
        ("memory", limits.memory.is_some()),
        ("cpu", limits.cpu.is_some()),
        ("file-size", limits.file_size.is_some()),
        ("disk", limits.disk.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => Err(Problem::new(
            Exit::Usage,
            format!("`--{name}` has no effect on the workers of a farm"),
        )
        .hint(
            "limit the test with `ulimit` in its script, or ask for a worker with that limit by \
               `--remote-platform`",
        )),
    }
}

/// Refuses a comparison of two runs that may be in different places, where outputs with paths
/// differ by themselves.
fn refuse_difference(flags: &TestSettings) -> Result<(), Problem> {
    match flags.failure.differs_from {
        None => Ok(()),
        Some(_) => Err(Problem::new(
            Exit::Usage,
            "`--differs-from` compares two runs, which a farm may run on different machines",
        )
        .hint("run both commands in one script that compares them, without `--differs-from`")),
    }
}

/// Returns the problem of a farm that cannot be used.
pub(super) fn problem(error: &RemoteError) -> Problem {
    match error {
        RemoteError::Address { .. } | RemoteError::Name { .. } | RemoteError::File { .. } => {
            Problem::new(Exit::Usage, error.to_string())
        }
        RemoteError::Unreachable { why, .. } => {
            let problem = Problem::new(Exit::Test, error.to_string());
            match why.contains("certificate") || why.contains("Certificate") {
                true => problem.hint(
                    "`--remote-ca FILE` trusts an authority of your own; the name in the \
                     certificate must be the host of the address",
                ),
                false => problem.hint("check the address, and whether it has TLS: `grpcs://`"),
            }
        }
        RemoteError::Refused { .. } => Problem::new(Exit::Test, error.to_string()).hint(
            "check `--remote-token-file` or `--remote-token-command`, `--remote-cert`, and \
             `--remote-instance`",
        ),
        RemoteError::Unable { .. } => Problem::new(Exit::Test, error.to_string())
            .hint("a server may have several instances: `--remote-instance`"),
        RemoteError::Worker { .. } => Problem::new(Exit::Test, error.to_string()).hint(
            "a worker needs `/bin/sh` and the programs `timeout`, `sleep`, `cat` and `wc`; \
             `--remote-platform` chooses among workers",
        ),
        RemoteError::Differs { stderr, lacks, .. } => {
            let mut problem = Problem::new(Exit::Test, error.to_string());
            let stderr = stderr.trim();
            if !stderr.is_empty() {
                let lines: Vec<&str> = stderr.lines().take(20).collect();
                problem = problem.hint(format!(
                    "standard error of the worker:\n{}",
                    lines.join("\n")
                ));
            }
            for one in lacks {
                problem = problem.hint(format!("the worker lacks {one}"));
            }
            if lacks.is_empty() {
                problem = problem.hint(
                    "a test on a worker has only PATH, HOME, LANG and the variables set with \
                     `--env`, and only the files given by `--with` and `--remote-input`",
                );
            }
            problem
        }
        _ => Problem::new(Exit::Test, "the farm cannot be used").because(error),
    }
}
