use super::{Sandbox, SandboxError, SandboxSupport};
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// The newest interface of the kernel that this file was tested with. Rights of later ones are not
/// asked for, and those that a kernel does not have are left out.
const KNOWN: ABI = ABI::V7;

/// The stack of a thread that only starts a process.
const STACK: usize = 256 << 10;

/// The devices that usual programs write to.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// A sandbox that is ready for any number of processes of one folder.
#[derive(Debug)]
pub(crate) struct Cage {
    rules: RulesetCreated,
    folder: Identity,
}

/// The device and number of a folder. As long as the rules exist, the system gives them to no
/// other.
type Identity = (u64, u64);

impl Cage {
    /// Makes the sandbox of processes that may write beneath `folder`.
    pub(crate) fn new(sandbox: &Sandbox, folder: &Path) -> Result<Self, SandboxError> {
        let identity = identity(folder).map_err(|source| at(folder, source))?;
        let all = AccessFs::from_write(KNOWN);
        let mut rules = Ruleset::default().handle_access(all).map_err(refused)?;
        if !sandbox.has_network() {
            let network = AccessNet::from_all(KNOWN);
            rules = rules.handle_access(network).map_err(refused)?;
        }
        let rules = rules.scope(Scope::from_all(KNOWN)).map_err(refused)?;
        let mut rules = rules.create().map_err(refused)?;
        let paths = sandbox.writable_paths().chain([folder]);
        for path in paths {
            rules = permit(rules, path)?;
        }
        for device in DEVICES.map(Path::new) {
            // A container may lack some of them.
            if device.exists() {
                rules = permit(rules, device)?;
            }
        }
        Ok(Cage {
            rules,
            folder: identity,
        })
    }

    /// Whether the sandbox was made for the folder that has this path now.
    pub(crate) fn is_for(&self, folder: &Path) -> bool {
        identity(folder).is_ok_and(|identity| identity == self.folder)
    }

    /// Starts a process in the sandbox.
    ///
    /// The thread that `start` runs on ends before this returns. A process in the sandbox may send
    /// signals to threads in the same sandbox, and a signal to a thread of this program would end
    /// all of it.
    pub(crate) fn start<T: Send>(
        &self,
        start: impl FnOnce() -> io::Result<T> + Send,
    ) -> io::Result<T> {
        let rules = self.rules.try_clone()?;
        in_thread(move || match confine(rules)? {
            (_, RulesetStatus::NotEnforced) => Err(io::Error::other("the sandbox has no effect")),
            _ => start(),
        })
    }

    /// Finds out what this kernel has.
    pub(crate) fn probe() -> Result<SandboxSupport, SandboxError> {
        let status = in_thread(|| {
            let rules = Ruleset::default()
                .handle_access(AccessFs::from_write(KNOWN))
                .and_then(Ruleset::create);
            confine(rules.map_err(io::Error::other)?)
        });
        match status.map_err(SandboxError::Refused)? {
            (LandlockStatus::Available { effective_abi, .. }, _) => Ok(SandboxSupport {
                truncation: effective_abi >= ABI::V3,
                network: effective_abi >= ABI::V4,
                devices: effective_abi >= ABI::V5,
                signals: effective_abi >= ABI::V6,
            }),
            _ => Err(SandboxError::Kernel),
        }
    }
}

/// Runs `action` on a thread of its own, so that whatever it does to its thread ends with it.
fn in_thread<T: Send>(action: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, action)?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Confines the calling thread for good.
fn confine(rules: RulesetCreated) -> io::Result<(LandlockStatus, RulesetStatus)> {
    let status = rules.restrict_self().map_err(io::Error::other)?;
    Ok((status.landlock, status.ruleset))
}

/// Permits writing to a file, or to everything beneath a folder.
fn permit(rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, SandboxError> {
    let is_folder = path.is_dir();
    let opened = PathFd::new(path).map_err(|error| at(path, io::Error::other(error)))?;
    let rule = PathBeneath::new(opened, rights(is_folder));
    rules.add_rule(rule).map_err(refused)
}

/// Returns all rights to write that a file, or a folder, can have.
fn rights(is_folder: bool) -> BitFlags<AccessFs> {
    let all = AccessFs::from_write(KNOWN);
    match is_folder {
        true => all,
        false => all & AccessFs::from_file(KNOWN),
    }
}

fn identity(folder: &Path) -> io::Result<Identity> {
    let meta = std::fs::metadata(folder)?;
    Ok((meta.dev(), meta.ino()))
}

fn at(path: &Path, source: io::Error) -> SandboxError {
    SandboxError::Path {
        path: path.to_owned(),
        source,
    }
}

fn refused(error: RulesetError) -> SandboxError {
    SandboxError::Refused(io::Error::other(error))
}
