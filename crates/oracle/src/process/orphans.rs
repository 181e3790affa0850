use super::{MARK, gate};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

/// Finds and ends the processes that a test moved out of its process group (`setsid`, a daemon).
///
/// This process is their *subreaper*: when their parents have ended, they become its children,
/// which the system lists in one small file. The children with the mark of the test belong to it.
/// Other children of this process are not touched.
///
/// A process that also cleared its environment has no mark. If this process starts nothing but
/// tests outside of its own process group, such a child belongs to a test that ran when it was
/// started: a process of a test can leave its session, but not enter this one. So it is ended as
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
    /// The child has ended, or is in the process group of this process, and no one's concern here.
    Gone,
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

    pub(crate) fn end(&mut self, group: i32) {
        let mut killed = HashSet::new();
        let (mut until, mut dying) = (None, None);
        loop {
            let mut children = self.children();
            // The first process of a running test is reaped by its slot.
            children.retain(|&pid| !gate::is_entered(pid));
            if children.is_empty() {
                if wait_for(group, &mut dying) {
                    continue;
                }
                return;
            }
            let owner = |pid| {
                if killed.contains(&pid) {
                    Owner::ThisTest
                } else {
                    self.owner_of(pid, group)
                }
            };
            let (mut ours, mut zombies) = (Vec::new(), Vec::new());
            for pid in children {
                match owner(pid) {
                    Owner::ThisTest => ours.push(pid),
                    Owner::Zombie => zombies.push(pid),
                    Owner::Other { start } if self.is_left(pid, start) => ours.push(pid),
                    Owner::Other { .. } | Owner::Gone => {}
                }
            }
            zombies.into_iter().for_each(reap_zombie);
            let until = *until.get_or_insert_with(|| Instant::now() + TIME_TO_END);
            if Instant::now() > until {
                return;
            }
            if ours.is_empty() {
                if wait_for(group, &mut dying) {
                    continue;
                }
                return;
            }
            killed.extend(kill_trees(&ours));
            ours.into_iter().for_each(reap);
        }
    }

    /// Whether this child without a mark was left by a test that has ended.
    fn is_left(&self, pid: i32, start: u64) -> bool {
        if !self.owns_children {
            return false;
        }
        // Waits until a process that is being started is entered.
        let _alone = gate::close();
        !gate::is_entered(pid) && gate::is_before_all(start)
    }

    /// The adopted children of this process that belong to the test with this first process.
    pub(super) fn adopted(&self, leader: i32) -> Vec<i32> {
        let mut children = self.children();
        children.retain(|&pid| {
            pid != leader && !gate::is_entered(pid) && self.owner_of(pid, leader) == Owner::ThisTest
        });
        children
    }

    /// The children of the first thread, to which the system gives all adopted processes.
    fn children(&self) -> Vec<i32> {
        let mut buffer = [0; 512];
        let mut text = Vec::new();
        // If processes end between two reads of a long list, others may be missed. The caller lists
        // the children again.
        while let Ok(read @ 1..) = self.children.read_at(&mut buffer, text.len() as u64) {
            text.extend_from_slice(&buffer[..read]);
            if read < buffer.len() / 2 {
                break;
            }
        }
        numbers(&text)
    }

    fn owner_of(&self, pid: i32, group: i32) -> Owner {
        if is_marked(pid, &[&self.mark]) {
            return Owner::ThisTest;
        }
        let Some(state) = State::of(pid) else {
            return Owner::Gone;
        };
        if state.group == group {
            // The system does not reuse the number of a group that has a process.
            Owner::ThisTest
        } else if state.group == own_group() {
            Owner::Gone
        } else if state.is_dead {
            Owner::Zombie
        } else {
            Owner::Other { start: state.start }
        }
    }
}

/// Waits a moment for a killed group, and returns whether the caller must look again. This process
/// adopts the children of the group's last processes only after these have ended.
fn wait_for(group: i32, until: &mut Option<Instant>) -> bool {
    let lives = Pid::from_raw(group)
        .is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok());
    let until = until.get_or_insert_with(|| Instant::now() + TIME_TO_DIE);
    if lives && Instant::now() < *until {
        std::thread::sleep(Duration::from_micros(50));
        return true;
    }
    false
}

/// Whether the environment of the process has one of the marks in its [`MARK`].
fn is_marked(pid: i32, marks: &[&[u8]]) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
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

/// Ends all processes with one of these marks, and their descendants.
pub(crate) fn end_marked(marks: &[String]) {
    let marks: Vec<&[u8]> = marks.iter().map(String::as_bytes).collect();
    let Ok(processes) = fs::read_dir("/proc") else {
        return;
    };
    // An ancestor of this process must not be killed, since that would end this process as well.
    let above = ancestors();
    let marked: Vec<i32> = processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| !above.contains(pid) && is_marked(*pid, &marks))
        .collect();
    let killed = kill_trees(&marked);
    // The processes may hold files open in the folder that is removed next.
    let until = Instant::now() + Duration::from_secs(1);
    let lives = |pid: &i32| State::of(*pid).is_some_and(|state| !state.is_dead);
    while killed.iter().any(lives) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Makes this process adopt orphans.
pub(crate) fn adopt_orphans() {
    // Without it, processes that have left their group are not found.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends all descendants of this process that have left its process group, whatever their
/// environment is. To be called when this process starts no more.
///
/// The first processes of tests and dialogues lead groups of their own. Everything that they have
/// started has such a process above it, or was adopted by this process, their subreaper, when that
/// one ended. So when no child outside of the group lives any more, none of their descendants does.
pub(crate) fn end_descendants(until: Instant) {
    let this = rustix::process::getpid().as_raw_pid();
    let is_outside = |pid: &i32| {
        State::of(*pid).is_some_and(|state| !state.is_dead && state.group != own_group())
    };
    let mut pause = Duration::from_micros(50);
    loop {
        let mut children = children_of(this);
        children.retain(is_outside);
        if children.is_empty() || Instant::now() > until {
            return;
        }
        kill_trees(&children);
        // A killed process takes a moment to end, and only then are its children adopted.
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(2));
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

/// The state of a process of this machine.
pub(super) struct State {
    is_dead: bool,
    /// Whether a signal stopped it and none continued it.
    pub(super) is_stopped: bool,
    parent: i32,
    pub(super) group: i32,
    /// The start time in clock ticks since the machine was started.
    start: u64,
}

impl State {
    pub(super) fn of(pid: i32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The name may contain any character. State, parent, and group come after it.
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        let rest = String::from_utf8_lossy(&stat[name_end + 1..]).into_owned();
        let mut words = rest.split_whitespace();
        let state = words.next()?;
        Some(State {
            is_dead: state == "Z",
            is_stopped: state == "T",
            parent: words.next()?.parse().ok()?,
            group: words.next()?.parse().ok()?,
            // Field 22; the group is field 5.
            start: words.nth(16)?.parse().ok()?,
        })
    }
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
            // A process that was stopped while it made a child lists the child only now.
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

/// Returns the process that has made another one, or has adopted it. `None` if there is no such
/// process.
pub(crate) fn parent_of(pid: i32) -> Option<i32> {
    let parent = State::of(pid).map(|state| state.parent);
    // The system says 0 of a process that is reaped while its state is read.
    parent.filter(|parent| *parent != 0)
}

/// Whether a process has not ended.
pub(crate) fn lives(pid: i32) -> bool {
    State::of(pid).is_some_and(|state| !state.is_dead)
}

/// Whether a process is a child of `parent`, and has neither ended nor stopped.
pub(crate) fn is_running_child(pid: i32, parent: i32) -> bool {
    let state = State::of(pid);
    state.is_some_and(|state| state.parent == parent && !state.is_dead && !state.is_stopped)
}

/// Whether a process has children.
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
    /// Opens the list; `None` if the process has ended.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        let path = format!("/proc/{pid}/task/{pid}/children");
        File::open(path).ok().map(ChildList)
    }

    /// Whether there are no children now.
    pub(crate) fn is_empty(&self) -> bool {
        !matches!(self.0.read_at(&mut [0], 0), Ok(1..))
    }
}

pub(super) fn children_of(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| fs::read(thread.path().join("children")).ok())
        .flat_map(|text| numbers(&text))
        .collect()
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
