//! Starts processes, waits for them with limits, and ends all processes that a test leaves.

#[cfg(target_os = "linux")]
mod census;
pub(crate) mod gate;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(unix)]
mod spawn;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub(crate) use orphans::{
    ChildList, adopt_orphans, end_descendants, end_tree, has_children, is_running_child,
    kill_child, lives, parent_of,
};
#[cfg(unix)]
pub(crate) use spawn::{Command, Stdio};
#[cfg(windows)]
pub(crate) use std::process::{Command, Stdio};
#[cfg(unix)]
pub(crate) use unix::{Leader, Process, start};
#[cfg(target_os = "linux")]
pub(crate) use unix::{Readable, wait};
#[cfg(windows)]
pub(crate) use windows::{Leader, Process, start};

/// The standard input, output, and error of a process, as far as they are pipes.
pub(crate) type Pipes = (
    Option<std::process::ChildStdin>,
    Option<std::process::ChildStdout>,
    Option<std::process::ChildStderr>,
);

/// Ends the processes that a test left outside its process group.
///
/// On Linux this process adopts orphans, and every process of a test carries the test's mark in its
/// environment. A process that cleared its environment *and* left the group is found only if this
/// process starts nothing but tests outside of its own group, and no other process has adopted it.
/// On other Unix systems no process is found. On Windows all processes of a test are in its job.
#[derive(Debug)]
pub(crate) struct Leftovers {
    #[cfg(target_os = "linux")]
    orphans: Option<orphans::Orphans>,
}

impl Leftovers {
    /// Makes a search for processes with `mark` in the value of [`MARK`].
    ///
    /// With `owns_children`, every child of this process outside of its process group counts as one
    /// of a test.
    pub(crate) fn of(mark: &str, owns_children: bool) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = (mark, owns_children);
        Leftovers {
            #[cfg(target_os = "linux")]
            orphans: orphans::Orphans::new(mark, owns_children),
        }
    }

    /// Stops the process group of a test, or lets it continue. On systems other than Linux it does
    /// nothing.
    pub(crate) fn hold(&self, leader: &Leader, is_held: bool) {
        #[cfg(target_os = "linux")]
        census::hold(*leader, is_held);
        #[cfg(not(target_os = "linux"))]
        let _ = (leader, is_held);
    }

    /// Whether a process of the test with this first process is stopped. On systems other than
    /// Linux it is always false.
    pub(crate) fn any_stopped(&self, leader: &Leader) -> bool {
        #[cfg(target_os = "linux")]
        return (self.orphans.as_ref()).is_some_and(|orphans| orphans.any_stopped(*leader));
        #[cfg(not(target_os = "linux"))]
        {
            let _ = leader;
            false
        }
    }

    /// Fills in the census of the test with this first process. On Linux that takes three system
    /// calls for each process, and some more for each resource to measure. On Windows only the
    /// number of processes is filled in, and on other systems nothing.
    pub(crate) fn count(&self, leader: &Leader, census: Census) -> Census {
        #[cfg(target_os = "linux")]
        if let Some(orphans) = &self.orphans {
            return orphans.count(*leader, census);
        }
        #[cfg(windows)]
        return windows::count(leader, census);
        #[cfg(not(windows))]
        {
            let _ = leader;
            census
        }
    }

    /// Ends the processes that a test in a fork server has left, and nothing of the server.
    pub(crate) fn end_served(&mut self) {
        const NO_GROUP: i32 = 0;
        self.end(NO_GROUP);
    }

    /// Ends the processes. `group` is the number of the process group of the test. If there are no
    /// processes, that takes one system call.
    pub(crate) fn end(&mut self, group: i32) {
        #[cfg(target_os = "linux")]
        if let Some(orphans) = &mut self.orphans {
            orphans.end(group);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = group;
    }
}

/// The resources that the processes of one running test use, and a choice of which to measure.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "most resources are measured on Linux only")
)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    /// The number of processes at which counting stops.
    pub(crate) most_processes: usize,
    pub(crate) wants_memory: bool,
    pub(crate) wants_cpu: bool,
    /// A limit on the size of files, to set for every process that is found.
    pub(crate) file_size: Option<u64>,
    pub(crate) processes: usize,
    /// The private and shared memory in bytes, without mapped files.
    pub(crate) memory: u64,
    /// The time of the running processes, and of the children for which they have waited.
    pub(crate) cpu: std::time::Duration,
}

/// The number of processes and threads of the machine, which wraps around; 0 on systems other than
/// Linux. Only the difference of two numbers has a meaning.
pub(crate) fn machine_count() -> u16 {
    #[cfg(target_os = "linux")]
    {
        rustix::system::sysinfo().procs
    }
    #[cfg(not(target_os = "linux"))]
    0
}

/// Returns the processor time of a process, which may have ended and not been waited for, and of
/// the children for which it has waited. Linux only.
pub(crate) fn cpu_of(leader: &Leader) -> Option<std::time::Duration> {
    #[cfg(target_os = "linux")]
    return census::cpu_of(*leader);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = leader;
        None
    }
}

/// Ends all processes of this machine with one of these marks, which a killed run has left. On
/// systems other than Linux it does nothing.
pub(crate) fn end_marked(marks: &[String]) {
    #[cfg(target_os = "linux")]
    orphans::end_marked(marks);
    #[cfg(not(target_os = "linux"))]
    let _ = marks;
}

/// Ends every process that was started here, with everything it has started, and starts none any
/// more. Every thread that waits for one of them, or wants to start one, is blocked.
///
/// With `owns_children`, that includes everything that has cleared its environment, for as long as
/// `until`.
pub(crate) fn end_all(marks: &[String], owns_children: bool, until: std::time::Instant) {
    gate::close_for_good();
    #[cfg(unix)]
    unix::end_groups();
    #[cfg(target_os = "linux")]
    if owns_children {
        orphans::end_descendants(until);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (owns_children, until);
    end_marked(marks);
}

/// The variable that marks the processes of a test.
pub(crate) const MARK: &str = "NUBBIN_TEST";

/// Returns the value of [`MARK`] for a process. If nubbin runs inside a test of nubbin, the mark is
/// added to the outer one, so that the outer run also finds the process.
pub(crate) fn mark_value(mark: &str) -> std::ffi::OsString {
    let mut value = std::env::var_os(MARK).unwrap_or_default();
    value.push(" ");
    value.push(mark);
    value
}

/// The event that ended the wait for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    Ended,
    TimeUp,
    /// The check of the limits found that the test must be ended.
    Over,
}
