#[cfg(target_os = "linux")]
use super::census;
#[cfg(target_os = "linux")]
use super::orphans::Orphans;
#[cfg(windows)]
use super::windows;
use super::{Census, Leader};
use std::time::Duration;

/// Kills the processes that a test left outside its process group.
///
/// On Linux this process adopts orphans, and every process of a test carries the test's mark in its
/// environment. A process that cleared its environment *and* left the group is found only if this
/// process starts nothing but tests outside of its own group, and no other process has adopted it.
/// On other Unix systems no process is found. On Windows all processes of a test are in its job.
#[derive(Debug)]
pub(crate) struct Leftovers {
    #[cfg(target_os = "linux")]
    orphans: Option<Orphans>,
}

impl Leftovers {
    /// Creates a search for processes with `mark` in the value of [`MARK`](super::MARK).
    ///
    /// With `owns_children`, every child of this process outside of its process group counts as one
    /// of a test.
    pub(crate) fn of(mark: &str, owns_children: bool) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = (mark, owns_children);
        Leftovers {
            #[cfg(target_os = "linux")]
            orphans: Orphans::new(mark, owns_children),
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

    /// Returns whether a process of the test with the given first process is stopped. On systems
    /// other than Linux it is always false.
    pub(crate) fn any_stopped(&self, leader: &Leader) -> bool {
        #[cfg(target_os = "linux")]
        return (self.orphans.as_ref()).is_some_and(|orphans| orphans.any_stopped(*leader));
        #[cfg(not(target_os = "linux"))]
        {
            let _ = leader;
            false
        }
    }

    /// Fills in the census of the test with the given first process. On Linux that takes three
    /// system calls for each process, and some more for each resource to measure. On Windows only
    /// the number of processes is filled in, and on other systems nothing.
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

    /// Kills the processes that a test in a fork server left, and nothing of the server.
    pub(crate) fn end_served(&mut self) {
        const NO_GROUP: i32 = 0;
        self.end(NO_GROUP);
    }

    /// Kills the processes. `group` is the number of the process group of the test. If there are no
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

/// Returns the processor time of a process, which may have exited and not been waited for, and of
/// the children for which it has waited. Linux only.
pub(crate) fn cpu_of(leader: &Leader) -> Option<Duration> {
    #[cfg(target_os = "linux")]
    return census::cpu_of(*leader);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = leader;
        None
    }
}
