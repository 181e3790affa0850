use std::path::{Path, PathBuf};

/// The permissions of a test in a sandbox, in addition to the permissions that every such test has.
///
/// Every test reads and executes all files that its user can, writes in its own folder (its working
/// folder and its TMPDIR), and writes to `/dev/null`, `/dev/zero`, `/dev/full`, `/dev/random`, and
/// `/dev/urandom`. The test opens and accepts no TCP connection, and reaches no process outside:
/// not by a signal, not by an abstract Unix socket, and not as a debugger. Set-user-ID programs do
/// not get the rights of their owner.
///
/// Without the network, a test can create sockets of the families Unix, netlink, and `AF_ALG`, and
/// datagram sockets of the internet. The test cannot create other sockets (TCP, multipath TCP,
/// SCTP, raw, or VSOCK). The test has no `io_uring`, which could create sockets past the filter.
///
/// Memory, semaphores, and message queues of System V are the test's own, and are removed after it,
/// if this program may make a namespace for them, as root may outside of a container. Otherwise
/// they are refused, as message queues of POSIX and keyrings always are. [`Sandbox::writable`] for
/// `/dev/shm` permits all of them, and the test then shares them with other programs.
///
/// The sandbox does not cover the following: access rights, owners, times, and attributes of files
/// that the user owns (`chmod`, `chown`, `touch`, `setfattr`), UDP and ICMP, Unix sockets that have
/// a path, memory of System V in a fork server, and the sockets of 32-bit programs on machines
/// other than x86-64.
///
/// ```
/// use nubbin_oracle::Sandbox;
///
/// let sandbox = Sandbox::new().writable("/var/cache/tool").network();
/// assert_eq!(sandbox.to_string(), "writable `/var/cache/tool`, network");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    writable: Vec<PathBuf>,
    has_network: bool,
}

impl Sandbox {
    /// Creates a sandbox without additional permissions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Permits writing to the given file, or to everything beneath the given folder. The path must
    /// exist when the first test runs. `/dev/shm` stands for all named memory.
    pub fn writable(mut self, path: impl Into<PathBuf>) -> Self {
        self.writable.push(path.into());
        self
    }

    /// Permits TCP connections.
    pub fn network(mut self) -> Self {
        self.has_network = true;
        self
    }

    /// Returns the sandbox without the permissions to write to the given folder, to anything
    /// beneath it, or to a folder that it is in.
    pub(crate) fn without(&self, folder: &Path) -> Self {
        let is_apart = |path: &&PathBuf| !path.starts_with(folder) && !folder.starts_with(path);
        Sandbox {
            writable: self.writable.iter().filter(is_apart).cloned().collect(),
            has_network: self.has_network,
        }
    }

    /// Returns the files and folders that [`Sandbox::writable`] permits.
    pub fn writable_paths(&self) -> impl Iterator<Item = &Path> {
        self.writable.iter().map(PathBuf::as_path)
    }

    /// Returns whether memory that has a name is shared with other programs.
    #[cfg(target_os = "linux")]
    pub(super) fn shares_memory(&self) -> bool {
        let mut paths = self.writable.iter();
        paths.any(|path| Path::new("/dev/shm").starts_with(path))
    }

    /// Returns whether TCP connections are permitted.
    pub fn has_network(&self) -> bool {
        self.has_network
    }
}

impl std::fmt::Display for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let paths = self.writable.iter();
        let mut parts: Vec<String> = paths
            .map(|path| format!("writable `{}`", path.display()))
            .collect();
        if self.has_network {
            parts.push("network".to_owned());
        }
        if parts.is_empty() {
            parts.push("no further permissions".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}

/// The reason why there is no sandbox.
///
/// The text leaves out the error of the system, which is the source of this error.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// This system is not Linux.
    #[error("a sandbox needs Linux")]
    System,
    /// The kernel has no Landlock, or it is turned off.
    #[error("this kernel does not support Landlock, or Landlock is disabled")]
    Kernel,
    /// A path of [`Sandbox::writable`], or the folder of the test, cannot be opened.
    #[error("cannot permit the test to write to `{path}`")]
    Path {
        /// The path that cannot be opened.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The system refuses to create a sandbox.
    #[error("cannot make a sandbox")]
    Refused(#[source] std::io::Error),
}
