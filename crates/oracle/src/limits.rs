//! Limits on one run of a test, and their checks while it runs.

use crate::disk;
use crate::folder::Folder;
use crate::output;
use crate::process::{self, Census, Leader, Leftovers, Wake};
use crate::run::Exit;
use nubbin_verdict::{Cancel, Limit, Unresolved};
use regex::bytes::Regex;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

/// Bounds on one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    /// The processor time limit for all processes together that follows from earlier runs. A run
    /// that reaches this limit has taken too long, like a run that reaches the time limit.
    pub(crate) busy: Option<Duration>,
    /// Whether the processor time of the run is measured.
    pub(crate) measures_cpu: bool,
    /// The limit for each of the two outputs, in bytes.
    pub(crate) output: u64,
    /// The limit for all processes together, in bytes.
    pub(crate) memory: Option<u64>,
    /// The limit for all processes together.
    pub(crate) cpu: Option<Duration>,
    pub(crate) processes: Option<usize>,
    pub(crate) file_size: Option<u64>,
    pub(crate) disk: Option<u64>,
}

/// The time between two checks of a test that may hit one of its limits quickly.
const SHORT: Duration = Duration::from_millis(10);
/// The longest time between two checks if only wide limits are set.
const LONG: Duration = Duration::from_millis(100);
/// The time until the next check after one that found twice as many processes.
const GROWING: Duration = Duration::from_millis(2);
/// A check of a test with many processes or files takes a while; the pause after it is this many
/// times as long.
const PAUSES_PER_LOOK: u32 = 20;
/// The longest pause after a slow check on a busy machine.
const LONGEST: Duration = Duration::from_secs(1);
/// The longest match of a pattern that is found for sure, in bytes.
const OVERLAP: u64 = 4 << 10;
/// The shortest time between two checks of the processor time of a test that computes.
const SHORTEST_BUSY: Duration = Duration::from_millis(20);
/// The part of the processor time of a process that the system may not report.
const UNTOLD: Duration = Duration::from_millis(20);
/// A high estimate of the speed of a disk, in bytes per second: a test that has run for a short
/// time cannot have written much, and need not be checked for a wide limit.
const FASTEST_DISK: u64 = 8 << 30;

/// The end of the wait for a test.
#[derive(Debug)]
pub(crate) struct Waited {
    pub(crate) wake: io::Result<Wake>,
    /// The time limit that the test had then.
    time: Option<Duration>,
}

/// Checks the limits of one running test.
#[derive(Debug)]
pub(crate) struct Guard<'s> {
    limits: Limits,
    outputs: [Option<&'s File>; 2],
    folder: &'s Folder,
    leftovers: &'s Leftovers,
    /// The first process.
    leader: Leader,
    begin: Instant,
    /// The number of processes of the machine at the start.
    others: u16,
    /// The number of processes at the last check.
    processes: usize,
    /// Whether that number had doubled since the check before.
    is_growing: bool,
    pause: Duration,
    broken: Option<Unresolved>,
    /// The pattern in the outputs that stops the test.
    until: Option<&'s Regex>,
    /// The number of bytes of each output that were searched.
    searched: [u64; 2],
    is_matched: bool,
    /// The processor time at the first check, if the process of the test has run others before.
    cpu_before: Option<Option<Duration>>,
    /// The largest processor time that was seen. That of a process is lost if another one than its
    /// parent waits for it.
    most_cpu: Duration,
}

impl<'s> Guard<'s> {
    pub(crate) fn new(
        limits: Limits,
        outputs: [Option<&'s File>; 2],
        folder: &'s Folder,
        leftovers: &'s Leftovers,
        leader: Leader,
        begin: Instant,
    ) -> Self {
        Guard {
            limits,
            outputs,
            folder,
            leftovers,
            leader,
            begin,
            others: process::machine_count(),
            processes: 8,
            is_growing: false,
            pause: SHORT,
            broken: None,
            until: None,
            searched: [0; 2],
            is_matched: false,
            cpu_before: None,
            most_cpu: Duration::ZERO,
        }
    }

    /// Stops the test as soon as one of its outputs matches.
    pub(crate) fn until(mut self, until: Option<&'s Regex>) -> Self {
        self.until = until;
        self
    }

    /// Returns whether the test was stopped since an output matches.
    pub(crate) fn is_matched(&self) -> bool {
        self.is_matched
    }

    /// Subtracts the processor time that the process of the test had used before the first check,
    /// since it runs many tests.
    #[cfg(target_os = "linux")]
    pub(crate) fn begin_within_a_process(&mut self) {
        self.cpu_before = Some(None);
    }

    /// Waits for the end of the test with both time limits. `wait` gets the time at which to
    /// stop, the time until the first check, and the check.
    pub(crate) fn wait(
        &mut self,
        mut wait: impl FnMut(
            Option<Instant>,
            Option<Duration>,
            &mut dyn FnMut() -> Option<Duration>,
        ) -> io::Result<Wake>,
    ) -> Waited {
        let Limits { time, busy, .. } = self.limits;
        let begin = self.begin;
        let is_shorter = |at: &Duration| time.is_none_or(|time| *at < time);
        // With one process, the processor time cannot reach its limit earlier.
        let mut asked = busy.filter(is_shorter);
        loop {
            // A time limit too large for the clock is ignored.
            let until = asked.or(time).and_then(|time| begin.checked_add(time));
            let wake = wait(until, self.first(), &mut || self.look());
            let (Ok(Wake::TimeUp), Some(_), Some(busy)) = (&wake, asked, busy) else {
                return Waited { wake, time };
            };
            let left = busy.saturating_sub(self.cpu());
            if left.is_zero() {
                return Waited {
                    wake,
                    time: Some(busy),
                };
            }
            let next = begin.elapsed() + left.max(SHORTEST_BUSY);
            asked = Some(next).filter(is_shorter);
        }
    }

    /// Returns the processor time of a test that has ended by itself and is not reaped; `None` if
    /// it is not measured.
    pub(crate) fn used(&self, waited: &Waited, elapsed: Duration) -> Option<Duration> {
        if !self.limits.measures_cpu || !matches!(waited.wake, Ok(Wake::Ended)) {
            return None;
        }
        // The sum of an earlier check includes processes that the test has left behind.
        let used = process::cpu_of(&self.leader)?.max(self.most_cpu);
        // The system counts time in steps, which are coarse for a short test.
        Some(used.max((used + UNTOLD).min(elapsed)))
    }

    /// Returns whether a process of the test is stopped.
    pub(crate) fn has_stopped(&self) -> bool {
        self.leftovers.any_stopped(&self.leader)
    }

    /// Returns the reason why a finished test does not count.
    pub(crate) fn cut_short(
        self,
        waited: Waited,
        exit: Exit,
        cancel: &Cancel,
    ) -> io::Result<Option<Unresolved>> {
        Ok(match waited.wake? {
            _ if self.is_matched => None,
            _ if cancel.is_cancelled() => Some(Unresolved::Cancelled),
            Wake::TimeUp => waited.time.map(Unresolved::TimedOut),
            Wake::Over => self.broken,
            Wake::Ended => self.after(exit).or_else(|| {
                // If the disk is full, the exit code does not depend on the candidate.
                let is_full = disk::is_full(self.folder.dir());
                is_full.then_some(Unresolved::OverLimit(Limit::Disk))
            }),
        })
    }

    /// Returns the time until the first check; `None` for no check.
    fn first(&self) -> Option<Duration> {
        let Limits {
            time: _,
            busy: _,
            measures_cpu: _,
            output: _,
            memory,
            cpu,
            processes,
            file_size,
            disk,
        } = self.limits;
        let any = self.reads_output()
            || memory.is_some()
            || cpu.is_some()
            || processes.is_some()
            || file_size.is_some()
            || disk.is_some();
        any.then_some(SHORT)
    }

    /// Checks the limits. Returns the time until the next check, or `None` if the test must be
    /// stopped.
    fn look(&mut self) -> Option<Duration> {
        if self.cpu_before == Some(None) {
            self.cpu_before = Some(Some(self.counted_cpu()));
        }
        let begin = Instant::now();
        self.broken = self.over_output().or_else(|| {
            let over = self.over_census().or_else(|| self.over_disk());
            over.map(Unresolved::OverLimit)
        });
        if self.broken.is_some() || self.search() {
            return None;
        }
        let limits = &self.limits;
        let is_close = self.reads_output()
            || limits.memory.is_some()
            || limits.cpu.is_some()
            || limits.file_size.is_some();
        if !is_close {
            self.pause = (self.pause * 3 / 2).min(LONG);
        }
        if self.is_growing {
            return Some(GROWING);
        }
        let paid = begin.elapsed() * PAUSES_PER_LOOK;
        Some(self.pause.max(paid.min(LONGEST)))
    }

    /// The processor time of all processes of the test.
    fn cpu(&self) -> Duration {
        self.counted_cpu().saturating_sub(self.used_before())
    }

    /// The processor time of these processes, including earlier tests.
    fn counted_cpu(&self) -> Duration {
        let census = Census {
            most_processes: usize::MAX,
            wants_cpu: true,
            ..Census::default()
        };
        self.leftovers.count(&self.leader, census).cpu
    }

    /// The processor time that earlier tests have used in the process of this one.
    fn used_before(&self) -> Duration {
        self.cpu_before.flatten().unwrap_or_default()
    }

    /// The limit that a test hit although it ended by itself.
    fn after(&self, exit: Exit) -> Option<Unresolved> {
        let over = || {
            let is_cut_off = self.limits.file_size.is_some() && exit.is_signal(XFSZ);
            if is_cut_off {
                return Some(Limit::FileSize);
            }
            self.over_disk()
        };
        self.over_output()
            .or_else(|| over().map(Unresolved::OverLimit))
    }

    /// Searches the new part of the outputs for the pattern.
    fn search(&mut self) -> bool {
        let Some(until) = self.until else {
            return false;
        };
        for (file, searched) in self.outputs.into_iter().zip(&mut self.searched) {
            let Some(file) = file else { continue };
            let length = output::length(file).unwrap_or(0);
            if length == *searched {
                continue;
            }
            // A match may start before the searched part.
            let from = searched.saturating_sub(OVERLAP);
            let new = output::read_from(file, from, length - from).unwrap_or_default();
            *searched = length;
            self.is_matched |= until.is_match(&new);
        }
        self.is_matched
    }

    fn reads_output(&self) -> bool {
        self.outputs.iter().any(Option::is_some)
    }

    fn over_output(&self) -> Option<Unresolved> {
        let mut lengths = self.outputs.into_iter().flatten().map(output::length);
        let is_full = lengths.any(|length| length.is_ok_and(|length| length > self.limits.output));
        is_full.then_some(Unresolved::OutputLimit)
    }

    fn over_census(&mut self) -> Option<Limit> {
        let Limits {
            memory,
            cpu,
            processes,
            file_size,
            ..
        } = self.limits;
        if memory.is_none() && cpu.is_none() && processes.is_none() && file_size.is_none() {
            return None;
        }
        let census = Census {
            most_processes: processes.unwrap_or(usize::MAX),
            wants_memory: memory.is_some(),
            wants_cpu: cpu.is_some() || self.limits.measures_cpu,
            file_size,
            ..Census::default()
        };
        // Counting the processes of a fork bomb takes so long that thousands more appear in the
        // meantime. One system call returns the number of processes of the machine, so a suspect
        // test is stopped before its processes are counted. A test that was stopped by mistake
        // continues at once.
        let grown = process::machine_count().wrapping_sub(self.others);
        let is_suspect = processes.is_some_and(|most| {
            usize::from(grown) > most && usize::from(grown) < usize::from(u16::MAX / 2)
        });
        if is_suspect {
            self.leftovers.hold(&self.leader, true);
        }
        let census = self.leftovers.count(&self.leader, census);
        let is_over = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used > limit);
        self.is_growing = census.processes >= 2 * self.processes;
        self.processes = census.processes.max(8);
        let used = census.cpu.saturating_sub(self.used_before());
        self.most_cpu = self.most_cpu.max(used);
        let is_bomb = processes.is_some_and(|most| census.processes > most);
        if is_suspect && !is_bomb {
            self.leftovers.hold(&self.leader, false);
        }
        if is_bomb {
            Some(Limit::Processes)
        } else if is_over(memory, census.memory) {
            Some(Limit::Memory)
        } else if cpu.is_some_and(|most| census.cpu > most + self.used_before()) {
            Some(Limit::Cpu)
        } else {
            None
        }
    }

    /// Checks the folders, if the test has run for long enough to have filled them and to be worth
    /// the check.
    fn over_disk(&self) -> Option<Limit> {
        let Limits {
            file_size, disk, ..
        } = self.limits;
        let least = disk.into_iter().chain(file_size).min()?;
        let filled = Duration::from_micros(least.saturating_mul(1000) / (FASTEST_DISK / 1000));
        let paid = (self.folder.look_cost() * PAUSES_PER_LOOK).min(LONGEST);
        if self.begin.elapsed() < filled.max(paid) {
            return None;
        }
        let most = disk.map_or(u64::MAX, |disk| disk.saturating_add(self.folder.given()));
        let usage = disk::usage(self.folder.dir(), most);
        // The system stops writes to a file at the limit.
        if file_size.is_some_and(|most| usage.largest >= most.max(self.folder.largest_given() + 1))
        {
            Some(Limit::FileSize)
        } else if usage.total > most {
            Some(Limit::Disk)
        } else {
            None
        }
    }
}

/// The signal that kills a process at the file size limit.
#[cfg(unix)]
const XFSZ: i32 = rustix::process::Signal::XFSZ.as_raw();
#[cfg(not(unix))]
const XFSZ: i32 = 25;
