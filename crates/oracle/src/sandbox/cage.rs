use super::filter::{self, Filter};
use super::memory::Memory;
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
    has_network: bool,
    memory: Memory,
    filter: Option<Filter>,
}

/// The device and number of a folder. As long as the rules exist, the system gives them to no
/// other.
type Identity = (u64, u64);

impl Cage {
    /// Creates the sandbox of processes that may write beneath `folder`.
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
            // A container may lack some of these devices.
            if device.exists() {
                rules = permit(rules, device)?;
            }
        }
        let memory = match sandbox.shares_memory() {
            true => Memory::Shared,
            false => Memory::separate(in_thread),
        };
        let has_network = sandbox.has_network();
        Ok(Cage {
            rules,
            folder: identity,
            has_network,
            filter: Filter::new(has_network, memory.lasting()),
            memory,
        })
    }

    /// Returns the same sandbox for a process that shares memory of System V with this program, as
    /// a fork server does.
    pub(crate) fn sharing_memory(&self) -> io::Result<Self> {
        Ok(Cage {
            rules: self.rules.try_clone()?,
            memory: Memory::Shared,
            filter: Filter::new(self.has_network, Memory::Shared.lasting()),
            ..*self
        })
    }

    /// Returns whether the sandbox was made for the folder that has this path now.
    pub(crate) fn is_for(&self, folder: &Path) -> bool {
        identity(folder).is_ok_and(|identity| identity == self.folder)
    }

    /// Starts a process in the sandbox.
    ///
    /// The thread that `start` runs on ends before this returns. A process in the sandbox may send
    /// signals to threads in the same sandbox, and a signal to a thread of this program would kill
    /// all of it.
    pub(crate) fn start<T: Send>(
        &self,
        start: impl FnOnce() -> io::Result<T> + Send,
    ) -> io::Result<T> {
        let rules = self.rules.try_clone()?;
        in_thread(move || {
            // The number of namespaces is limited, and the system removes a namespace a moment
            // after its last process has ended. So the start is repeated.
            let entered = self.memory.enter();
            entered.map_err(|_| io::ErrorKind::WouldBlock)?;
            if let (_, RulesetStatus::NotEnforced) = confine(rules)? {
                return Err(io::Error::other("the sandbox has no effect"));
            }
            if let Some(filter) = &self.filter {
                filter.apply()?;
            }
            start()
        })
    }

    /// Returns the parts of a sandbox that this kernel supports.
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
                network: effective_abi >= ABI::V4 || filter::is_there(),
                calls: filter::is_there(),
                devices: effective_abi >= ABI::V5,
                signals: effective_abi >= ABI::V6,
            }),
            _ => Err(SandboxError::Kernel),
        }
    }
}

/// Runs `action` on a new thread, so that all its effects on the thread end with the thread.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::process::Command;

    /// Returns whether an action was refused with the error that the sandbox causes.
    fn is_refused<T>(outcome: io::Result<T>) -> bool {
        outcome.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    fn cage(folder: &Path, sandbox: &Sandbox, memory: Memory) -> Option<Cage> {
        let cage = Cage::new(sandbox, folder).ok()?;
        let filter = Filter::new(sandbox.has_network(), memory.lasting());
        let is_whole = filter.is_some();
        is_whole.then_some(Cage {
            memory,
            filter,
            ..cage
        })
    }

    #[test]
    fn without_a_namespace_of_its_own_a_test_makes_no_memory_with_a_name() {
        let dir = tempfile::tempdir().unwrap();
        // The system calls of this machine cannot be filtered.
        let Some(cage) = cage(dir.path(), &Sandbox::new(), Memory::None) else {
            return;
        };
        let made = cage.start(|| Command::new("ipcmk").args(["-M", "1000"]).output());
        match made {
            Ok(made) => {
                assert!(!made.status.success());
                let said = String::from_utf8_lossy(&made.stderr);
                assert!(said.contains("ermission denied"), "{said}");
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{error}"),
        }
    }

    #[test]
    fn sockets_are_refused_by_their_family_and_type() {
        let dir = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        for memory in [Memory::None, Memory::Shared] {
            let path = dir.path().join(format!("{memory:?}"));
            let Some(cage) = cage(dir.path(), &Sandbox::new(), memory) else {
                return;
            };
            let checked = cage.start(|| {
                assert!(is_refused(TcpStream::connect(address)));
                assert!(is_refused(TcpListener::bind("[::1]:0")));
                UdpSocket::bind("127.0.0.1:0")?;
                UnixStream::pair()?;
                let _listener = UnixListener::bind(&path)?;
                UnixStream::connect(&path).map(drop)
            });
            checked.unwrap();
        }
        // The filtered thread has ended, and no other thread is filtered.
        TcpStream::connect(address).unwrap();
    }
}
