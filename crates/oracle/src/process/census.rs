//! The resources that a running test uses.

use super::Census;
use super::orphans::{Orphans, children_of};
use super::state::State;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use std::collections::HashSet;
use std::fs;
use std::time::Duration;

impl Orphans {
    /// Fills in the census from the first process, the adopted processes, and their descendants.
    pub(super) fn count(&self, leader: i32, mut census: Census) -> Census {
        let mut next = vec![leader];
        let adopted = self.adopted(leader);
        next.extend(adopted);
        let mut seen = HashSet::new();
        while let Some(pid) = next.pop() {
            if !seen.insert(pid) {
                continue;
            }
            census.processes += 1;
            if census.processes > census.most_processes {
                break;
            }
            // The limit is set before the children are listed, since later children inherit it.
            if let Some(size) = census.file_size {
                limit_files(pid, size);
            }
            if census.wants_memory {
                census.memory += memory_of(pid);
            }
            if census.wants_cpu {
                census.cpu += cpu_of(pid).unwrap_or_default();
            }
            next.extend(children_of(pid));
        }
        census
    }
}

impl Orphans {
    /// Returns whether the first process, an adopted process, or a descendant of them is stopped.
    pub(super) fn any_stopped(&self, leader: i32) -> bool {
        let mut next = vec![leader];
        next.extend(self.adopted(leader));
        let mut seen = HashSet::new();
        while let Some(pid) = next.pop() {
            if !seen.insert(pid) || seen.len() > MOST_LOOKED_AT {
                continue;
            }
            if State::of(pid).is_some_and(|state| state.is_stopped) {
                return true;
            }
            next.extend(children_of(pid));
        }
        false
    }
}

/// The number of processes of a test of which it is known whether they are stopped.
const MOST_LOOKED_AT: usize = 1000;

/// Limits the size of files that a process and its later children write.
pub(super) fn limit_files(pid: i32, size: u64) {
    if let Some(pid) = Pid::from_raw(pid) {
        let limit = Rlimit {
            current: Some(size),
            maximum: Some(size),
        };
        // This fails if the process has exited or has a lower limit.
        let _ = prlimit(Some(pid), Resource::Fsize, limit);
    }
}

/// Stops the process group of a process, or lets it continue.
pub(super) fn hold(leader: i32, is_held: bool) {
    // The first process of a test in a fork server is not the leader of its group.
    let group = State::of(leader).map_or(leader, |state| state.group);
    if let Some(group) = Pid::from_raw(group) {
        let signal = if is_held { Signal::STOP } else { Signal::CONT };
        // This fails if the group has ended.
        let _ = kill_process_group(group, signal);
    }
}

fn memory_of(pid: i32) -> u64 {
    // This fails if the process has exited.
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kibibytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    ["RssAnon:", "RssShmem:"]
        .into_iter()
        .filter_map(kibibytes)
        .sum::<u64>()
        .saturating_mul(1024)
}

pub(super) fn cpu_of(pid: i32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain any character. After the name, the fields 14 to 17 are the times of the
    // process and of the children for which it has waited.
    let words = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: u64 = words
        .skip(11)
        .take(4)
        .filter_map(|word| word.parse::<u64>().ok())
        .sum();
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_millis(
        ticks.saturating_mul(1000) / per_second,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory_and_processor_time() {
        let this = rustix::process::getpid().as_raw_pid();
        assert!(memory_of(this) > 10_000);
        let begin = cpu_of(this).unwrap();
        while cpu_of(this).unwrap() < begin + Duration::from_millis(30) {
            std::hint::spin_loop();
        }
    }
}
