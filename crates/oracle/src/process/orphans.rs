use super::state::{State, environment};
use super::{MARK, gate};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

/// Finds and kills the processes that a test moved out of its process group (`setsid`, a daemon).
///
/// This process is their *subreaper*: when their parents have exited, they become its children,
/// which the system lists in one small file. The children with the mark of the test belong to it.
/// Other children of this process are not touched.
///
/// A process that also cleared its environment has no mark. If this process starts nothing but
/// tests outside of its own process group, such a child belongs to a test that ran when it was
/// started: a process of a test can leave its session, but not enter this one. So it is killed as
/// soon as all running tests were started after it.
#[derive(Debug)]
pub(crate) struct Orphans {
    /// `/proc/self/task/<first thread>/children`, read again from its start each time.
    children: File,
    /// The mark of the test, which may be only a part of the value of [`MARK`]: if nubbin runs
    /// inside a test of nubbin, the value holds the marks of both tests.
    mark: Vec<u8>,
    /// Whether all children of this process outside of its process group belong to tests.
    owns_children: bool,
}

/// The relation of a child of this process to the test that has just ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The child belongs to this test.
    ThisTest,
    /// The child is a zombie, so its test is no longer known.
    Zombie,
    /// The child belongs to another test, or to the program that embeds this crate.
    Other {
        /// The start time in clock ticks.
        start: u64,
    },
    /// The child is in the process group of this process, and does not belong to a test.
    Own,
    /// The child has exited and was reaped.
    Reaped,
    /// The child has no environment at this moment, since it is ending or starts a program. It may
    /// belong to this test, and so may its children.
    Unclear,
}

/// The children of this process, classified for one test.
#[derive(Debug, Default)]
struct Found {
    /// The children that belong to the test, or were left by an earlier one.
    ours: Vec<i32>,
    zombies: Vec<i32>,
    /// Whether the list is out of date: a child was reaped since it was made, or is
    /// [`Owner::Unclear`].
    is_old: bool,
    is_unclear: bool,
}

/// The time limit for ending the processes of one test. A fork bomb that is faster than this
/// process is left alone after it.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// The time limit for waiting for killed processes that are not children of this one.
const TIME_TO_DIE: Duration = Duration::from_millis(500);

impl Orphans {
    /// Makes this process adopt orphans. Returns `None` if the system cannot list children.
    pub(crate) fn new(mark: &str, owns_children: bool) -> Option<Self> {
        let this = rustix::process::getpid();
        rustix::process::set_child_subreaper(Some(this)).ok()?;
        let children =
            File::open(format!("/proc/self/task/{}/children", this.as_raw_pid())).ok()?;
        Some(Orphans {
            children,
            mark: mark.as_bytes().to_vec(),
            owns_children,
        })
    }

    /// Kills the processes that the test with this process group left.
    ///
    /// The children of a process that ends are given to this one at that moment. So a list of
    /// children is complete only if every process that could give some had exited *before* it was
    /// made.
    pub(crate) fn end(&mut self, group: i32) {
        let (mut killed, mut dead) = (HashSet::new(), HashSet::new());
        let (mut until, mut dying) = (None, None);
        loop {
            let group_lives = lives_as_group(group);
            let children = self.children();
            let is_complete = children.is_whole();
            let mut children = children.pids;
            // The first process of a running test is reaped by its slot.
            children.retain(|&pid| !gate::is_entered(pid));
            if children.is_empty() && is_complete && !group_lives {
                return;
            }
            let until = *until.get_or_insert_with(|| Instant::now() + TIME_TO_END);
            if Instant::now() > until {
                return;
            }
            let found = self.look(&children, group, &killed);
            let mut is_old = found.is_old;
            for zombie in found.zombies {
                reap_zombie(zombie);
                is_old |= dead.insert(zombie);
            }
            if !found.ours.is_empty() {
                killed.extend(kill_trees(&found.ours));
                found.ours.into_iter().for_each(reap);
            } else if found.is_unclear {
                // An unclear process needs a moment to end or to start its program.
                std::thread::sleep(Duration::from_micros(50));
            } else if is_complete && !is_old {
                let dying = *dying.get_or_insert_with(|| Instant::now() + TIME_TO_DIE);
                if !group_lives || Instant::now() > dying {
                    return;
                }
                std::thread::sleep(Duration::from_micros(50));
            }
        }
    }

    /// Classifies the children of a list.
    fn look(&self, children: &[i32], group: i32, killed: &HashSet<i32>) -> Found {
        let mut found = Found::default();
        for &pid in children {
            let owner = match killed.contains(&pid) {
                true => Owner::ThisTest,
                false => self.owner_of(pid, group),
            };
            match owner {
                Owner::ThisTest => found.ours.push(pid),
                Owner::Zombie => found.zombies.push(pid),
                Owner::Reaped => found.is_old = true,
                Owner::Unclear => (found.is_old, found.is_unclear) = (true, true),
                Owner::Other { start } if self.is_left(pid, start) => found.ours.push(pid),
                Owner::Other { .. } | Owner::Own => {}
            }
        }
        found
    }

    /// Returns whether this child without a mark was left by a test that has ended.
    fn is_left(&self, pid: i32, start: u64) -> bool {
        if !self.owns_children {
            return false;
        }
        // Closing the gate waits until each process that is being started is registered.
        let _alone = gate::close();
        !gate::is_entered(pid) && gate::is_before_all(start)
    }

    /// The adopted children of this process that belong to the test with the given first process.
    pub(super) fn adopted(&self, leader: i32) -> Vec<i32> {
        let mut children = self.children().pids;
        children.retain(|&pid| {
            pid != leader && !gate::is_entered(pid) && self.owner_of(pid, leader) == Owner::ThisTest
        });
        children
    }

    /// The children of the first thread, to which the system gives all adopted processes.
    fn children(&self) -> Listing {
        let mut buffer = [0; 512];
        let mut text = Vec::new();
        while let Ok(read @ 1..) = self.children.read_at(&mut buffer, text.len() as u64) {
            text.extend_from_slice(&buffer[..read]);
            if read < buffer.len() / 2 {
                break;
            }
        }
        Listing {
            pids: numbers(&text),
            all_read: true,
        }
    }

    fn owner_of(&self, pid: i32, group: i32) -> Owner {
        let mut other = Owner::Reaped;
        for _ in 0..READS_OF_AN_ENVIRONMENT {
            let environment = environment(pid);
            // The state is read after the environment: a process whose environment could not be
            // read as a whole because it was ending is still ending, or has ended.
            let state = State::of(pid);
            if has_mark(environment.as_deref().unwrap_or_default(), &[&self.mark]) {
                return Owner::ThisTest;
            }
            let Some(state) = state else {
                return Owner::Reaped;
            };
            if state.group == group {
                // The system does not reuse the number of a group that still has a process.
                return Owner::ThisTest;
            } else if state.group == own_group() {
                return Owner::Own;
            } else if state.is_dead {
                return Owner::Zombie;
            } else if state.has_other_threads && self.is_in_threads_of(pid) {
                return Owner::ThisTest;
            } else if !state.has_other_threads && state.lacks_environment(&environment) {
                return Owner::Unclear;
            }
            other = Owner::Other { start: state.start };
            if state.has_all_of(&environment) {
                break;
            }
        }
        other
    }

    /// Returns whether another thread than the first one has the mark in its environment.
    fn is_in_threads_of(&self, pid: i32) -> bool {
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return false;
        };
        let mut environments =
            (threads.flatten()).filter_map(|thread| fs::read(thread.path().join("environ")).ok());
        environments.any(|environment| has_mark(&environment, &[&self.mark]))
    }
}

/// The number of times that an environment is read whose size is not that of the process: it was
/// read while the process started a program.
const READS_OF_AN_ENVIRONMENT: usize = 3;

/// Returns whether a process group has a process, which may be a zombie.
fn lives_as_group(group: i32) -> bool {
    Pid::from_raw(group)
        .is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

/// Returns whether an environment has one of the marks in its [`MARK`].
fn has_mark(environment: &[u8], marks: &[&[u8]]) -> bool {
    let mut variables = environment.split(|&byte| byte == 0);
    variables.any(|variable| {
        let value = variable
            .strip_prefix(MARK.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"="));
        value.is_some_and(|value| {
            let has = |mark: &&[u8]| value.windows(mark.len()).any(|part| part == *mark);
            marks.iter().any(has)
        })
    })
}

/// Kills all processes with one of the given marks, and their descendants.
///
/// A process can start another one and exit while this process looks for it. So the search is
/// repeated until it finds none, for a limited time.
pub(crate) fn end_marked(marks: &[String]) {
    let marks: Vec<&[u8]> = marks.iter().map(String::as_bytes).collect();
    // An ancestor of this process must not be killed, since that would end this process as well.
    let above = ancestors();
    let until = Instant::now() + Duration::from_secs(1);
    let mut killed = HashSet::new();
    loop {
        let marked = marked(&marks, &above);
        killed.extend(kill_trees(&marked));
        // The processes may have open files in the folder that is removed next.
        killed.retain(|&pid| lives(pid));
        if marked.is_empty() && killed.is_empty() || Instant::now() > until {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The processes of this machine with one of the given marks, without those `above`.
fn marked(marks: &[&[u8]], above: &[i32]) -> Vec<i32> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| !above.contains(pid))
        .filter(|pid| environment(*pid).is_ok_and(|text| has_mark(&text, marks)))
        .collect()
}

/// Makes this process adopt orphans.
pub(crate) fn adopt_orphans() {
    // Without this setting, processes that have left their group are not found.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Kills all descendants of this process that have left its process group, whatever their
/// environment is. To be called when this process starts no more.
///
/// The first processes of tests and dialogues lead groups of their own. Everything that they have
/// started has such a process above it, or was adopted by this process, their subreaper, when that
/// one ended. So when no child outside of the group lives any more, none of their descendants does.
///
/// A child that ends after the list of children was made may have given some to this process. So
/// the list counts only if all children outside of the group had exited before it was made.
pub(crate) fn end_descendants(until: Instant) {
    let this = rustix::process::getpid().as_raw_pid();
    let mut dead = HashSet::new();
    let mut pause = Duration::from_micros(50);
    loop {
        let children = Listing::of(this);
        let (mut living, mut has_ended) = (Vec::new(), false);
        for &pid in &children.pids {
            match State::of(pid) {
                None => has_ended = true,
                Some(state) if state.group == own_group() => {}
                Some(state) if state.is_dead => has_ended |= dead.insert(pid),
                Some(_) => living.push(pid),
            }
        }
        let is_over = living.is_empty() && !has_ended && children.is_whole();
        if is_over || Instant::now() > until {
            return;
        }
        if !living.is_empty() {
            kill_trees(&living);
            // A killed process takes a moment to end, and its children are adopted only then.
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

fn own_group() -> i32 {
    rustix::process::getpgrp().as_raw_pid()
}

/// This process and its ancestors.
fn ancestors() -> Vec<i32> {
    let mut pid = rustix::process::getpid().as_raw_pid();
    let mut above = vec![pid];
    while let Some(state) = State::of(pid).filter(|state| state.parent > 0) {
        pid = state.parent;
        above.push(pid);
    }
    above
}

/// Reaps a zombie, unless a slot reaps it.
fn reap_zombie(pid: i32) {
    let _alone = gate::close();
    if !gate::is_entered(pid)
        && let Some(pid) = Pid::from_raw(pid)
    {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

/// Stops and then kills the processes and their descendants.
///
/// They are stopped first, so that none makes new processes while the others are being found.
fn kill_trees(roots: &[i32]) -> Vec<i32> {
    let mut found: Vec<i32> = Vec::new();
    let mut next: Vec<i32> = roots.to_vec();
    while let Some(pid) = next.pop() {
        if found.contains(&pid) {
            continue;
        }
        signal(pid, Signal::STOP);
        found.push(pid);
        next.extend(children_of(pid));
        if next.is_empty() {
            // A process that was stopped while it created a child lists the child only now.
            next.extend(found.iter().flat_map(|&pid| children_of(pid)));
            next.retain(|pid| !found.contains(pid));
        }
    }
    found.iter().for_each(|&pid| signal(pid, Signal::KILL));
    found
}

/// Kills a process that was made by `parent`, if it still is its child.
pub(crate) fn kill_child(pid: i32, parent: i32) {
    if State::of(pid).is_some_and(|state| state.parent == parent) {
        signal(pid, Signal::KILL);
    }
}

/// Returns the parent of a process: the process that started or adopted it. Returns `None` if the
/// parent is unknown.
pub(crate) fn parent_of(pid: i32) -> Option<i32> {
    let parent = State::of(pid).map(|state| state.parent);
    // The system reports 0 for a process that is reaped while its state is read.
    parent.filter(|parent| *parent != 0)
}

/// Returns whether a process has not exited.
pub(crate) fn lives(pid: i32) -> bool {
    State::of(pid).is_some_and(|state| !state.is_dead)
}

/// Returns whether a process is a child of `parent`, and has neither exited nor stopped.
pub(crate) fn is_running_child(pid: i32, parent: i32) -> bool {
    let state = State::of(pid);
    state.is_some_and(|state| state.parent == parent && !state.is_dead && !state.is_stopped)
}

/// Returns whether a process has children.
pub(crate) fn has_children(pid: i32) -> bool {
    !children_of(pid).is_empty()
}

/// Kills a process and its descendants.
pub(crate) fn end_tree(pid: i32) {
    kill_trees(&[pid]);
}

/// The list of the children that the first thread of a process has made.
#[derive(Debug)]
pub(crate) struct ChildList(File);

impl ChildList {
    /// Opens the list; `None` if the process has exited.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        let path = format!("/proc/{pid}/task/{pid}/children");
        File::open(path).ok().map(ChildList)
    }

    /// Returns whether there are no children now.
    pub(crate) fn is_empty(&self) -> bool {
        !matches!(self.0.read_at(&mut [0], 0), Ok(1..))
    }
}

/// A list of the children of a process, as the system printed it.
///
/// The system prints one child after the other, and finds the next one by the last one or, if that
/// one has been reaped meanwhile, by a count. Then it leaves out a child.
#[derive(Debug)]
struct Listing {
    pids: Vec<i32>,
    /// Whether the lists of all threads could be read. A thread that ends gives its children to
    /// another one.
    all_read: bool,
}

impl Listing {
    /// Reads the list of a process.
    fn of(pid: i32) -> Self {
        let mut listing = Listing {
            pids: Vec::new(),
            all_read: true,
        };
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return listing;
        };
        for thread in threads.flatten() {
            match fs::read(thread.path().join("children")) {
                Ok(text) => listing.pids.extend(numbers(&text)),
                // A system may list no children. A thread that has ended has no folder.
                Err(_) => listing.all_read &= thread.path().exists(),
            }
        }
        listing
    }

    /// Returns whether no child was left out: none on the list has been reaped.
    fn is_whole(&self) -> bool {
        // Any other error means that the child exists, and that this process may not signal it.
        let is_there = |pid| {
            Pid::from_raw(pid).is_some_and(|pid| {
                rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
            })
        };
        self.all_read && self.pids.iter().copied().all(is_there)
    }
}

pub(super) fn children_of(pid: i32) -> Vec<i32> {
    Listing::of(pid).pids
}

fn numbers(text: &[u8]) -> Vec<i32> {
    let words = text.split(|byte| byte.is_ascii_whitespace());
    words
        .filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok())
        .collect()
}

fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// Reaps a killed child, and waits for its end for a limited time. A process in the middle of a
/// system call may take longer; it is found again after the next test.
fn reap(pid: i32) {
    let Some(pid) = Pid::from_raw(pid) else {
        return;
    };
    let until = Instant::now() + Duration::from_secs(1);
    let mut pause = Duration::from_micros(20);
    while let Ok(None) = waitpid(Some(pid), WaitOptions::NOHANG) {
        if Instant::now() > until {
            return;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each process of the chain starts the next one and exits.
    const CHAIN: &str = "
import os
while True:
    if os.fork():
        os._exit(0)
    os.setsid()
";

    /// Runs this test in a process of its own, whose children belong to this test alone.
    #[test]
    fn a_process_that_is_ending_still_belongs_to_its_test() {
        const IS_ALONE: &str = "NUBBIN_ORPHANS_TEST_ALONE";
        if std::env::var_os(IS_ALONE).is_some() {
            return look_at_a_chain();
        }
        let name = "process::orphans::tests::a_process_that_is_ending_still_belongs_to_its_test";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env(IS_ALONE, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        // A wrong name runs no test, which is a success.
        let is_passed = output.status.success() && text.contains("1 passed");
        assert!(is_passed, "{text}");
    }

    fn look_at_a_chain() {
        let mut orphans = Orphans::new("mark-of-the-chain", true).unwrap();
        // A large environment is read in many parts, and the process can exit between two of them.
        let mut first = std::process::Command::new("setsid")
            .args(["python3", "-c", CHAIN])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("LARGE", "x".repeat(100_000))
            .env(MARK, "mark-of-the-chain")
            .spawn()
            .unwrap();
        let (mut looks, mut others) = (0, 0);
        let until = Instant::now() + Duration::from_secs(20);
        let mut numbers = HashSet::new();
        while looks < 4_000 && Instant::now() < until {
            for pid in orphans.children().pids {
                numbers.insert(pid);
                looks += 1;
                match orphans.owner_of(pid, 0) {
                    Owner::Other { .. } => others += 1,
                    Owner::Zombie => reap_zombie(pid),
                    _ => {}
                }
            }
        }
        orphans.end(0);
        // The first process was reaped with the others.
        let _ = first.wait();
        assert!(
            numbers.len() > 100,
            "the chain has {} processes",
            numbers.len()
        );
        assert!(orphans.children().pids.is_empty());
        assert_eq!(others, 0, "of {looks} looks");
    }
}
