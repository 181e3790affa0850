//! Processes: starting one, waiting for it with limits, and leaving none behind.

#[cfg(target_os = "linux")]
mod census;
pub(crate) mod gate;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{Leader, Process, start};
#[cfg(windows)]
pub(crate) use windows::{Leader, Process, start};

/// Gives the command default signals. Nothing is inherited on other systems than Unix.
pub(crate) fn reset_signals(command: &mut std::process::Command) {
    #[cfg(unix)]
    signals::reset(command);
    #[cfg(not(unix))]
    let _ = command;
}

/// Standard input, output and error of a process, as far as they are pipes.
pub(crate) type Pipes = (
    Option<std::process::ChildStdin>,
    Option<std::process::ChildStdout>,
    Option<std::process::ChildStderr>,
);

/// Ends the processes that a test left outside its process group.
///
/// On Linux they are found as follows: this process adopts orphans, and every process of a test
/// carries the test's mark in its environment. A process that cleared its environment *and* left
/// the group is found where this process starts nothing but tests, if it has not been an orphan
/// of another process. On other Unix systems nothing is found; on Windows the job has them all.
#[derive(Debug)]
pub(crate) struct Leftovers {
    #[cfg(target_os = "linux")]
    orphans: Option<orphans::Orphans>,
}

impl Leftovers {
    /// Looks for processes with `mark` in the value of [`MARK`].
    /// With `owns_children` every child of this process is taken to be of a test.
    pub(crate) fn of(mark: &str, owns_children: bool) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = (mark, owns_children);
        Leftovers {
            #[cfg(target_os = "linux")]
            orphans: orphans::Orphans::new(mark, owns_children),
        }
    }

    /// Stops the process group of a test, or lets it go on. Two system calls at most.
    pub(crate) fn hold(&self, leader: &Leader, is_held: bool) {
        #[cfg(target_os = "linux")]
        census::hold(*leader, is_held);
        #[cfg(not(target_os = "linux"))]
        let _ = (leader, is_held);
    }

    /// Fills in the census of a test from its first process. Costs three system calls for each
    /// process, and some more for each thing to be found out. On Windows it has the number of
    /// processes, on other systems it stays empty.
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

    /// Ends them. `group` is the number of the process group of the test. Costs one system call
    /// where there are none.
    pub(crate) fn end(&mut self, group: i32) {
        #[cfg(target_os = "linux")]
        if let Some(orphans) = &mut self.orphans {
            orphans.end(group);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = group;
    }
}

/// The resources that the processes of one running test take, and which of them to measure.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "most of it is found out on Linux only")
)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    /// More than this are not counted.
    pub(crate) most_processes: usize,
    pub(crate) wants_memory: bool,
    pub(crate) wants_cpu: bool,
    /// Set for every process that is met: the longest file it may write.
    pub(crate) file_size: Option<u64>,
    pub(crate) processes: usize,
    /// Bytes that only they have in memory, and shared memory; files that are mapped left out.
    pub(crate) memory: u64,
    /// Of the living ones and of those they waited for.
    pub(crate) cpu: std::time::Duration,
}

/// Processes and threads of the whole machine, to be compared with an earlier or later number only:
/// it wraps. 0 elsewhere than on Linux.
pub(crate) fn machine_count() -> u16 {
    #[cfg(target_os = "linux")]
    {
        rustix::system::sysinfo().procs
    }
    #[cfg(not(target_os = "linux"))]
    0
}

/// Ends all processes of this machine that carry one of these marks: tests of a run that was
/// killed before it could end them. Elsewhere than on Linux nothing is found.
pub(crate) fn end_marked(marks: &[String]) {
    #[cfg(target_os = "linux")]
    orphans::end_marked(marks);
    #[cfg(not(target_os = "linux"))]
    let _ = marks;
}

/// The variable that marks the processes of a test.
pub(crate) const MARK: &str = "NUBBIN_TEST";

/// The event that ended the waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    Ended,
    TimeUp,
    /// The check of its limits said that it must be ended.
    Over,
}
