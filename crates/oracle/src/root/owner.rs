//! The process that made a root, as the file in it names it.

/// The process that made a root, distinguished from a later process with the same number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) pid: u32,
    /// The start time in clock ticks since the machine started; 0 if it is unknown.
    pub(super) started: u64,
    /// The machine and the PID namespace in which the number is valid.
    pub(super) place: String,
}

impl Owner {
    pub(super) fn this_process() -> Self {
        let pid = std::process::id();
        Owner {
            pid,
            started: start_of(pid).unwrap_or(0),
            place: place(),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let pid = words.next()?.parse().ok()?;
        let started = words.next()?.parse().ok()?;
        let place = words.next()?.to_owned();
        // nubbin writes exactly three words, so a file with more is not its own.
        words.next().is_none().then_some(Owner {
            pid,
            started,
            place,
        })
    }

    pub(super) fn is_gone(&self) -> bool {
        self.place == place() && !is_running(self.pid, self.started)
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} {} {}", self.pid, self.started, self.place)
    }
}

#[cfg(target_os = "linux")]
fn is_running(pid: u32, started: u64) -> bool {
    // Without `/proc` the answer is unknown, and the root must stay.
    start_of(std::process::id()).is_none() || start_of(pid) == Some(started)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_running(pid: u32, _started: u64) -> bool {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    pid.is_none_or(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_pid: u32, _started: u64) -> bool {
    true
}

fn start_of(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before the last parenthesis may hold anything; the start time is field 22.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(19)?
        .parse()
        .ok()
}

/// The name of the machine. Several machines may share a folder for temporary files.
fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

/// Returns the name of the machine and of its present boot, since the numbers of processes are only
/// valid on one machine until it reboots.
///
/// Two machines may have one name, as copies of one system have.
pub(super) fn place() -> String {
    let host = host();
    // Only Linux tells it.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    // Only Linux has PID namespaces.
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!(
        "{}/{}/{}",
        host.trim().replace(char::is_whitespace, "_"),
        boot.trim(),
        space.display()
    )
}
