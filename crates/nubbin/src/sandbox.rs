//! The sandbox of the programs that a command runs: from flags to permissions, and what to say.

use crate::exit::Exit;
use crate::flags::{SandboxFlags, SandboxMode};
use crate::problem::{Problem, say, warn};
use crate::shown::style;
use nubbin_oracle::{CommandOracle, Refusal, Sandbox, SandboxSupport, Trial, Wanted};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::sync::Once;

/// Whether the tests of a run are in a sandbox, for logs and statistics.
#[derive(Clone, Debug)]
pub(crate) struct SandboxState {
    pub(crate) is_on: bool,
    /// The reason why there is none.
    pub(crate) reason: Option<String>,
}

impl SandboxState {
    /// Returns the word of logs and statistics.
    pub(crate) fn word(&self) -> &'static str {
        if self.is_on { "on" } else { "off" }
    }
}

/// Returns the sandbox of the programs of this run, or `None` if they run without one. Says so if
/// the user has not asked for that.
pub(crate) fn of(flags: &SandboxFlags, is_quiet: bool) -> Result<Option<Sandbox>, Problem> {
    static SAID: Once = Once::new();
    let say_once = |text: &str| {
        if !is_quiet {
            SAID.call_once(|| warn(text));
        }
    };
    let mut sandbox = Sandbox::new();
    for path in &flags.writable {
        let real = path.canonicalize().map_err(|error| {
            let what = format!("cannot use `--writable {}`", path.display());
            Problem::new(Exit::Usage, what).because(&error)
        })?;
        sandbox = sandbox.writable(real);
    }
    if flags.network {
        sandbox = sandbox.network();
    }
    if flags.sandbox == SandboxMode::Off {
        return Ok(None);
    }
    match SandboxSupport::of_this_system() {
        Ok(support) => {
            let gaps = support.gaps();
            if !gaps.is_empty() {
                let gaps = gaps.join(", ");
                say_once(&format!(
                    "this kernel is too old for all of the sandbox: it does not restrict {gaps}"
                ));
            }
            Ok(Some(sandbox))
        }
        Err(error) if flags.sandbox == SandboxMode::On => Err(Problem::new(
            Exit::Test,
            "there is no sandbox, which `--sandbox on` demands",
        )
        .because(&error)),
        Err(error) => {
            say_once(&format!(
                "programs run without a sandbox and may write anywhere: {error}"
            ));
            Ok(None)
        }
    }
}

/// Runs the original in the sandbox, and decides where the tests run. Says so if that is outside
/// although the user has not asked for it.
pub(crate) fn settle(
    flags: &SandboxFlags,
    oracle: &CommandOracle,
    original: &Input,
    wanted: Wanted,
    is_quiet: bool,
    stop: &Stop,
) -> Result<(Trial, SandboxState), nubbin_oracle::RunError> {
    let is_demanded = flags.sandbox == SandboxMode::On;
    let trial = original.with_candidate(|candidate| {
        oracle.try_sandbox(candidate, wanted, is_demanded, stop.token())
    })?;
    let refusals = match &trial {
        Trial::Outside { refusals, .. } => refusals,
        Trial::Inside { refusals, .. } => {
            if !is_quiet && !refusals.is_empty() {
                warn("the original fails in the sandbox, which has refused something");
                show(refusals);
            }
            return Ok((trial, state(flags, oracle)));
        }
        Trial::Nowhere { .. } => return Ok((trial, state(flags, oracle))),
    };
    let reason = "the original fails only outside of it";
    if !is_quiet {
        warn(&format!("the tests run without a sandbox: {reason}"));
        show(refusals);
    }
    let reason = match refusals.first() {
        Some(refusal) => format!("{reason}: {}", refusal.line()),
        None => reason.to_owned(),
    };
    let state = SandboxState {
        is_on: false,
        reason: Some(reason),
    };
    Ok((trial, state))
}

/// Shows what was refused, and how to permit it.
fn show(refusals: &[Refusal]) {
    for refusal in refusals.iter().take(SHOWN) {
        say(&format!("  {} {}", style("refused:").dim(), refusal.line()));
    }
    let hint = style("hint:").cyan();
    let permission = permission(refusals);
    say(&format!("{hint} {permission}, or say `--sandbox off`"));
}

/// Returns the state of tests whose place needs no trial.
pub(crate) fn state(flags: &SandboxFlags, oracle: &CommandOracle) -> SandboxState {
    let is_on = oracle.sandbox().is_some();
    let reason = match flags.sandbox {
        _ if is_on => None,
        SandboxMode::Off => Some("`--sandbox off`".to_owned()),
        _ => Some(
            SandboxSupport::of_this_system()
                .err()
                .map_or_else(|| "there is none".to_owned(), |error| error.to_string()),
        ),
    };
    SandboxState { is_on, reason }
}

/// The number of refusals that are shown.
const SHOWN: usize = 3;

/// Returns the flags that permit what was refused.
fn permission(refusals: &[Refusal]) -> String {
    let mut flags: Vec<String> = Vec::new();
    for refusal in refusals.iter().take(SHOWN) {
        let flag = match refusal.place() {
            Some(path) => format!("`--writable {}`", path.display()),
            None => "`--network`".to_owned(),
        };
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    match &flags[..] {
        [] => "permit what the test needs with `--writable PATH` or `--network`".to_owned(),
        [only] if only == "`--network`" => {
            "permit it with `--network`, or `--writable PATH` if it is a file".to_owned()
        }
        flags => format!("permit it with {}", flags.join(" ")),
    }
}

/// Returns what to do about an original that does not fail in the sandbox, for `--sandbox on`.
pub(crate) fn advice(refusals: &[Refusal]) -> String {
    let lines = refusals.iter().take(SHOWN);
    let lines: String = lines
        .map(|refusal| format!("it says `{}`; ", refusal.line()))
        .collect();
    format!(
        "the test ran in a sandbox: {lines}{}, or leave out `--sandbox on`",
        permission(refusals)
    )
}

/// Returns what to say about a generator or proposer that broke in the sandbox, if its standard
/// error tells of a refusal.
pub(crate) fn note(complaints: &[String]) -> Option<String> {
    let refusals = complaints.iter().filter_map(|line| Refusal::of_line(line));
    let refusals: Vec<Refusal> = refusals.collect();
    (!refusals.is_empty()).then(|| {
        format!(
            "it runs in a sandbox: {}, or say `--sandbox off`",
            permission(&refusals)
        )
    })
}
