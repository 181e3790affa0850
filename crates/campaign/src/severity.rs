use crate::identity::Identity;
use nubbin_oracle::Run;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The potential harm of an issue. It is a first guess, for the order of a list.
///
/// The order is that of CASR (A. Fedotov et al., *CASR: Crash Analysis and Severity Report*), in
/// three classes: writing outside of an object may give control to an attacker. Changed: a use
/// after free and a double free are severe, whether the object is read or written.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program ends, or gives a wrong result: assertions, panics, exceptions, hangs, exhausted
    /// stacks, undefined behavior.
    #[default]
    Low,
    /// The program reads invalid memory, or is killed by a signal without further information.
    Medium,
    /// The program writes to invalid memory, frees it, or jumps to it.
    High,
}

/// Words of reports, most severe first.
const HIGH: [&str; 9] = [
    "use-after-free",
    "double-free",
    "bad-free",
    // AddressSanitizer describes a bad free in these words.
    "attempting free",
    "use-after-return",
    "use-after-scope",
    "negative-size-param",
    "param-overlap",
    "alloc-dealloc-mismatch",
];
const MEDIUM: [&str; 6] = [
    "buffer-overflow",
    "buffer-underflow",
    "use-of-uninitialized-value",
    "container-overflow",
    "unknown-crash",
    "SEGV",
];

/// The text before the address of an access without memory:
/// `AddressSanitizer: SEGV on unknown address 0x000000004000 (pc 0x55 …`.
const ADDRESS: &str = " on unknown address 0x";
/// An address below is that of a member of an object without a place, as in CASR.
const NEAR_NULL: u64 = 64 << 10;

impl Severity {
    /// Returns the severity of the failure that a run shows.
    pub fn of(identity: &Identity, run: &Run) -> Self {
        let says = |words: &[&str]| words.iter().any(|word| identity.what.contains(word));
        match &*identity.kind {
            "sanitizer" if says(&["stack-overflow"]) => Severity::Low,
            "sanitizer" if says(&HIGH) => Severity::High,
            "sanitizer" if says(&MEDIUM) => of_access(run),
            // The C library has detected memory corruption.
            "signal" if identity.what.contains(", ") => Severity::Medium,
            "signal" if says(&["SIGABRT"]) => Severity::Low,
            "signal" => Severity::Medium,
            _ => Severity::Low,
        }
    }

    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn of_number(number: i64) -> Self {
        match number {
            2.. => Severity::High,
            1 => Severity::Medium,
            _ => Severity::Low,
        }
    }
}

/// Returns the severity of an access, which depends on whether it reads or writes according to the
/// report.
fn of_access(run: &Run) -> Severity {
    let report = String::from_utf8_lossy(run.stderr());
    let line = |line: &str| {
        let line = line.trim_start();
        line.starts_with("WRITE of size") || line.contains("caused by a WRITE")
    };
    // A pointer near zero was not set, and an attacker cannot choose its value.
    let is_null = report.contains("address points to the zero page")
        || number(&report, ADDRESS).is_some_and(|at| at < NEAR_NULL);
    let is_jump = [
        "pc points to the zero page",
        "PC is at a non-executable region",
    ];
    let pc = number(&report, " (pc 0x");
    let is_at_pc = pc.is_some() && pc == number(&report, ADDRESS);
    if is_at_pc || is_jump.iter().any(|hint| report.contains(hint)) {
        return Severity::High;
    }
    match report.lines().any(line) {
        true if !is_null => Severity::High,
        _ if is_null => Severity::Low,
        _ => Severity::Medium,
    }
}

/// Returns the hexadecimal number after a text.
fn number(report: &str, before: &str) -> Option<u64> {
    let (_, rest) = report.split_once(before)?;
    let end = rest.find(|char: char| !char.is_ascii_hexdigit());
    u64::from_str_radix(&rest[..end.unwrap_or(rest.len())], 16).ok()
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_oracle::{Exit, Signature};
    use std::time::Duration;

    fn severity(exit: Exit, stderr: &str) -> Severity {
        let run = Run {
            exit,
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: None,
            stderr: Some(stderr.into()),
            written: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            inputs: vec![],
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        };
        let identity = Identity::from(&Signature::of(&run).unwrap());
        Severity::of(&identity, &run)
    }

    #[test]
    fn writing_is_worse_than_reading_and_that_than_a_null_pointer() {
        let report = |kind: &str, rest: &str| {
            let text = format!(
                "==1==ERROR: AddressSanitizer: {kind} on address 0x602000000038 at pc 0x1\n\
                 {rest}\n    #0 0x1 in f /src/a.c:3\n"
            );
            severity(Exit::Code(1), &text)
        };
        assert_eq!(
            report("heap-buffer-overflow", "WRITE of size 4"),
            Severity::High
        );
        assert_eq!(
            report("heap-buffer-overflow", "READ of size 4"),
            Severity::Medium
        );
        assert_eq!(
            report("heap-use-after-free", "READ of size 4"),
            Severity::High
        );
        let null = "The signal is caused by a WRITE memory access.\n\
                    Hint: address points to the zero page.";
        assert_eq!(report("SEGV", null), Severity::Low);
        assert_eq!(report("stack-overflow", ""), Severity::Low);
        let unknown = |address: &str, rest: &str| {
            let text = format!(
                "==1==ERROR: AddressSanitizer: SEGV on unknown address {address} (pc 0x1 bp 0x2)\n\
                 ==1==The signal is caused by a WRITE memory access.\n{rest}    #0 0x1 in f a.c:3\n"
            );
            severity(Exit::Code(1), &text)
        };
        assert_eq!(unknown("0x000000004000", ""), Severity::Low);
        assert_eq!(unknown("0x000000014000", ""), Severity::High);
        // A jump to an address reads from it.
        assert_eq!(unknown("0x000000000001", ""), Severity::High);
        let jump = "==1==Hint: PC is at a non-executable region. Maybe a wild jump?\n";
        assert_eq!(unknown("0x000000004000", jump), Severity::High);
        let text = "==1==ERROR: AddressSanitizer: attempting free on address which was not \
                    malloc()-ed: 0x602000000011 in thread T0\n    #0 0x1 in f a.c:3\n";
        assert_eq!(severity(Exit::Code(1), text), Severity::High);
    }

    #[test]
    fn a_signal_without_a_report_is_in_the_middle() {
        assert_eq!(severity(Exit::Signal(11), ""), Severity::Medium);
        assert_eq!(severity(Exit::Signal(6), ""), Severity::Low);
        let damaged = "free(): invalid pointer\n";
        assert_eq!(severity(Exit::Signal(6), damaged), Severity::Medium);
        let assertion = "a: a.c:3: f: Assertion `x' failed.\n";
        assert_eq!(severity(Exit::Signal(6), assertion), Severity::Low);
    }
}
