//! Processes: starting one, waiting for it with limits, and leaving none behind.

pub(crate) mod gate;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{Process, start};
#[cfg(unix)]
pub(crate) use unix::{Process, start};

/// Ends whatever processes a test left outside its process group.
///
/// On Linux they are found as follows: this process adopts orphans, and every process of a test
/// carries the test's mark in its environment. A process that cleared its environment *and* left
/// the group escapes. Elsewhere nothing is found.
#[derive(Debug)]
pub(crate) struct Leftovers {
    #[cfg(target_os = "linux")]
    orphans: Option<orphans::Orphans>,
}

impl Leftovers {
    /// Looks for processes with `mark` in the value of [`MARK`].
    pub(crate) fn of(mark: &str) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = mark;
        Leftovers {
            #[cfg(target_os = "linux")]
            orphans: orphans::Orphans::new(mark),
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

/// What ended the waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    Ended,
    TimeUp,
    Full,
}
