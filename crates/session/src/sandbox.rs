//! The sandbox of the programs that a command runs: the permissions from the flags, and the
//! messages about them.

use crate::exit::Exit;
use crate::flags::SandboxMode;
use crate::problem::{Problem, say, warn};
use crate::settings::SandboxSettings;
use crate::shown::style;
use nubbin_oracle::{
    CommandOracle, Loosening, Refusal, Sandbox, SandboxError, SandboxSupport, Trial, Wanted,
};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Whether the tests of a run are in a sandbox, for logs and statistics.
#[derive(Clone, Debug)]
pub struct SandboxState {
    pub is_on: bool,
    /// The reason why there is no sandbox.
    pub reason: Option<String>,
    /// The permissions that the trial has added, as flags.
    pub permitted: Vec<String>,
}

impl SandboxState {
    /// Returns `on` or `off`, for logs and statistics.
    pub fn word(&self) -> &'static str {
        if self.is_on { "on" } else { "off" }
    }
}

/// The names of permissions: flags, or keys of `campaign.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wording {
    Flags,
    #[default]
    Keys,
}

/// Returns the sandbox of the programs of this run, or `None` if they run without one. Prints a
/// warning if the user has not asked for that, even in a quiet run. There is no warning on systems
/// without any sandbox.
pub fn of(flags: &SandboxSettings, is_quiet: bool) -> Result<Option<Sandbox>, Problem> {
    static SAID: Once = Once::new();
    let say_once = |is_said: bool, text: &str| {
        if is_said {
            SAID.call_once(|| warn(text));
        }
    };
    let permission = match (flags.writable.is_empty(), flags.network) {
        (false, _) => Some("--writable"),
        (true, true) => Some("--network"),
        (true, false) => None,
    };
    if let (SandboxMode::Off, Some(permission)) = (flags.sandbox, permission) {
        let what = format!("`--sandbox off` and `{permission}` exclude each other");
        return Err(Problem::new(Exit::Usage, what).hint(
            "without a sandbox everything is permitted; omit one of the two, for example \
             with `--no-config` if it is set in `nubbin.toml`",
        ));
    }
    let mut sandbox = Sandbox::new();
    for path in &flags.writable {
        sandbox = sandbox.writable(real(path)?);
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
                let is_said = !is_quiet;
                say_once(
                    is_said,
                    &format!(
                        "this kernel is too old for all of the sandbox: it does not restrict {gaps}"
                    ),
                );
            }
            Ok(Some(sandbox))
        }
        Err(error) if flags.sandbox == SandboxMode::On => Err(Problem::new(
            Exit::Test,
            "there is no sandbox, which `--sandbox on` demands",
        )
        .because(&error)),
        Err(error) => {
            let is_said = !is_quiet || !matches!(error, SandboxError::System);
            say_once(
                is_said,
                &format!("programs run without a sandbox and may write anywhere: {error}"),
            );
            Ok(None)
        }
    }
}

/// Runs the original in the sandbox, and decides where the tests run. Prints the permissions that
/// were added to the sandbox that the user asked for, even in a quiet run. The files in `kept` are
/// never permitted.
pub fn settle(
    flags: &SandboxSettings,
    oracle: &CommandOracle,
    original: &Input,
    wanted: Wanted,
    kept: &[PathBuf],
    is_quiet: bool,
    stop: &Stop,
) -> Result<(Trial, SandboxState), nubbin_oracle::RunError> {
    let loosening = match flags.sandbox {
        SandboxMode::On => Loosening::Never,
        _ => Loosening::Told(kept),
    };
    let trial = original.with_candidate(|candidate| {
        oracle.try_sandbox(candidate, wanted, loosening, stop.token())
    })?;
    let mut state = state(flags, oracle);
    match &trial {
        Trial::Inside {
            refusals,
            permitted,
            ..
        } => {
            state.permitted = flags_of(permitted);
            tell_inside(refusals, permitted, is_quiet);
        }
        Trial::Outside { refusals, .. } => {
            let reason = "the original fails only outside of it";
            warn(&format!("the tests run without a sandbox: {reason}"));
            if !is_quiet {
                show(refusals);
            }
            state.reason = Some(match refusals.first() {
                Some(refusal) => format!("{reason}: {}", refusal.line()),
                None => reason.to_owned(),
            });
        }
        Trial::Flaky {
            outside: (failed, outside),
            inside,
            ..
        } if !is_quiet => warn(&format!(
            "the original failed in {failed} of {outside} runs outside of the sandbox, and in none \
             of {inside} inside: the test is flaky, so it remains in the sandbox; `--sandbox off` runs it outside"
        )),
        Trial::Flaky { .. } | Trial::Nowhere { .. } => {}
    }
    Ok((trial, state))
}

/// Prints the refusals and permissions of the sandbox for an original that fails inside.
fn tell_inside(refusals: &[Refusal], permitted: &Sandbox, is_quiet: bool) {
    if permitted.is_plain() {
        if !is_quiet && !refusals.is_empty() {
            warn("the original fails in the sandbox, which has refused something");
            show(refusals);
        }
        return;
    }
    warn(&format!(
        "the original fails only with more permissions, which all tests have now: {}",
        quoted(&flags_of(permitted))
    ));
    if !is_quiet {
        show_lines(refusals);
        let hint = style("hint:").cyan();
        say(&format!(
            "{hint} these flags grant the same permissions; with `--sandbox on`, only flags grant \
             permissions"
        ));
    }
}

/// Returns the flags that give the given permissions.
pub fn flags_of(permitted: &Sandbox) -> Vec<String> {
    let paths = permitted.writable_paths().map(writable);
    let network = permitted.has_network().then(|| "--network".to_owned());
    paths.chain(network).collect()
}

/// Returns a text that names the flags or keys of the given permissions.
pub fn permissions(permitted: &Sandbox, wording: Wording) -> String {
    match wording {
        Wording::Flags => quoted(&flags_of(permitted)),
        Wording::Keys => {
            let paths: Vec<_> = permitted.writable_paths().collect();
            keys(&paths, permitted.has_network())
        }
    }
}

/// Returns the settings with absolute paths, for a run in another folder.
pub fn absolute(settings: SandboxSettings) -> Result<SandboxSettings, Problem> {
    let paths = settings.writable.iter().map(|path| real(path));
    Ok(SandboxSettings {
        writable: paths.collect::<Result<_, _>>()?,
        ..settings
    })
}

/// Returns the whole path of a file that may be written.
fn real(path: &Path) -> Result<PathBuf, Problem> {
    path.canonicalize().map_err(|error| {
        let what = format!("cannot use `--writable {}`", path.display());
        Problem::new(Exit::Usage, what).because(&error)
    })
}

/// Returns permissions as keys of `campaign.toml`.
fn keys(paths: &[&Path], has_network: bool) -> String {
    let paths: Vec<String> = (paths.iter())
        .map(|path| toml::Value::String(path.display().to_string()).to_string())
        .collect();
    let writable = (!paths.is_empty()).then(|| format!("`writable = [{}]`", paths.join(", ")));
    let network = has_network.then(|| "`network = true`".to_owned());
    let all: Vec<String> = writable.into_iter().chain(network).collect();
    all.join(" and ")
}

/// Returns the flag that permits writing to a path, as words of a shell.
fn writable(path: &Path) -> String {
    let path = path.display().to_string();
    let word = shlex::try_quote(&path).map_or(path.clone(), |word| word.into_owned());
    format!("--writable {word}")
}

fn quoted(flags: &[String]) -> String {
    let flags: Vec<_> = flags.iter().map(|flag| format!("`{flag}`")).collect();
    flags.join(" ")
}

/// Prints the refused operations, and the flags that permit them.
fn show(refusals: &[Refusal]) {
    show_lines(refusals);
    let hint = style("hint:").cyan();
    let permission = permission(refusals, Wording::Flags);
    say(&format!("{hint} {permission}"));
}

fn show_lines(refusals: &[Refusal]) {
    for refusal in refusals.iter().take(SHOWN) {
        say(&format!("  {} {}", style("refused:").dim(), refusal.line()));
    }
}

/// Returns the state of the sandbox for tests that need no trial.
pub fn state(flags: &SandboxSettings, oracle: &CommandOracle) -> SandboxState {
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
    SandboxState {
        is_on,
        reason,
        permitted: vec![],
    }
}

/// The number of refusals that are shown.
const SHOWN: usize = 3;

/// Returns a text that names the flags or keys that permit the refused operations.
pub fn permission(refusals: &[Refusal], wording: Wording) -> String {
    if wording == Wording::Flags {
        return format!("{}, or say `--sandbox off`", permission_by_flags(refusals));
    }
    let needed = Needed::of(refusals);
    let keys = keys(&needed.places, needed.has_network);
    let mut steps: Vec<String> = Vec::new();
    if !keys.is_empty() {
        steps.push(format!("permit it with {keys}"));
    }
    steps.extend(needed.steps("`writable`"));
    match steps.is_empty() {
        true => {
            "permit what it needs with `writable` or `network`, or say `sandbox = \"off\"`".into()
        }
        false => format!("{}, or say `sandbox = \"off\"`", steps.join("; ")),
    }
}

/// The permissions that refused operations need.
#[derive(Debug, Default)]
struct Needed<'r> {
    places: Vec<&'r Path>,
    /// Paths in the root folder, in a folder that does not exist.
    in_root: Vec<&'r Path>,
    /// Relative paths, which start in an unknown folder.
    names: Vec<&'r Path>,
    /// Whether something without a path was refused.
    has_network: bool,
}

impl<'r> Needed<'r> {
    /// Returns the permissions for the refusals that are shown.
    fn of(refusals: &'r [Refusal]) -> Self {
        let mut needed = Needed::default();
        for refusal in refusals.iter().take(SHOWN) {
            let (list, path) = match (refusal.place(), refusal.path(), refusal.name()) {
                (Some(place), ..) => (&mut needed.places, place),
                (None, Some(path), _) => (&mut needed.in_root, path),
                (None, None, Some(name)) => (&mut needed.names, name),
                (None, None, None) => {
                    needed.has_network = true;
                    continue;
                }
            };
            if !list.contains(&path) {
                list.push(path);
            }
        }
        needed
    }

    /// Returns the steps for paths whose place cannot be written as a flag or key. `permission` is
    /// the flag or key.
    fn steps(&self, permission: &str) -> impl Iterator<Item = String> {
        let in_root = self.in_root.iter().map(move |path| {
            let path = path.display();
            format!(
                "`{path}` is in no folder that exists: create one, and permit it with {permission}"
            )
        });
        let names = self.names.iter().map(move |name| {
            let name = name.display();
            format!("permit the folder in which the test opens `{name}` with {permission}")
        });
        in_root.chain(names)
    }
}

/// Returns the flags that permit the refused operations.
fn permission_by_flags(refusals: &[Refusal]) -> String {
    let needed = Needed::of(refusals);
    let places = needed.places.iter();
    let mut flags: Vec<String> = places.map(|path| format!("`{}`", writable(path))).collect();
    let mut steps: Vec<String> = needed.steps("`--writable`").collect();
    match (needed.has_network, flags.is_empty() && steps.is_empty()) {
        (true, true) => {
            return "permit it with `--network`, or `--writable PATH` if it is a file".to_owned();
        }
        (false, true) => {
            return "permit what the test needs with `--writable PATH` or `--network`".to_owned();
        }
        (true, false) => flags.push("`--network`".to_owned()),
        (false, false) => {}
    }
    if !flags.is_empty() {
        steps.insert(0, format!("permit it with {}", flags.join(" ")));
    }
    steps.join("; ")
}

/// Returns advice about an original that does not fail in the sandbox, for `--sandbox on`.
pub fn advice(refusals: &[Refusal]) -> String {
    let lines = refusals.iter().take(SHOWN);
    let lines: String = lines
        .map(|refusal| format!("it says `{}`; ", refusal.line()))
        .collect();
    format!(
        "the test ran in a sandbox: {lines}{}, or leave out `--sandbox on`",
        permission_by_flags(refusals)
    )
}

/// Returns a note about a generator or proposer that broke in the sandbox, if its standard error
/// reports a refusal.
pub fn note(complaints: &[String]) -> Option<String> {
    let refusals = complaints.iter().filter_map(|line| Refusal::of_line(line));
    let refusals: Vec<Refusal> = refusals.collect();
    (!refusals.is_empty()).then(|| {
        format!(
            "it runs in a sandbox: {}",
            permission(&refusals, Wording::Flags)
        )
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_the_permission_that_it_needs() {
        let told = |lines: &[&str], wording| {
            let refusals = lines.iter().filter_map(|line| Refusal::of_line(line));
            permission(&refusals.collect::<Vec<_>>(), wording)
        };
        let relative = "/t/x.sh: 3: cannot create cache.txt: Permission denied";
        let in_root = "mkdir: cannot create directory '/no-such-folder/x': Permission denied";
        for (lines, flags, keys) in [
            (
                vec![relative],
                "permit the folder in which the test opens `cache.txt` with `--writable`",
                "permit the folder in which the test opens `cache.txt` with `writable`",
            ),
            (
                vec![in_root],
                "`/no-such-folder/x` is in no folder that exists: create one, and permit it",
                "`/no-such-folder/x` is in no folder that exists: create one, and permit it",
            ),
            (
                vec![
                    "socket: Operation not permitted",
                    "a: /usr/x: Permission denied",
                ],
                "permit it with `--writable /usr` `--network`, or say",
                "permit it with `writable = [\"/usr\"]` and `network = true`, or say",
            ),
            (
                vec!["socket: Operation not permitted"],
                "permit it with `--network`, or `--writable PATH` if it is a file",
                "permit it with `network = true`, or say",
            ),
        ] {
            let told = [told(&lines, Wording::Flags), told(&lines, Wording::Keys)];
            assert!(told[0].starts_with(flags), "{told:?}");
            assert!(told[1].starts_with(keys), "{told:?}");
        }
    }
}
