use super::report::Report;
use super::{FailureKind, Signature, boilerplate, frames};
use crate::run::{Exit, Run};
use crate::signal;
use crate::stack::Stack;

/// Returns the failure of a run without a more specific message: its signal, or its exit code and
/// the first error message. An exit code above 128 stands for the signal that a shell reports by
/// it.
pub(super) fn find(run: &Run, report: &Report) -> Option<Signature> {
    if let Some(stack) = &run.stack {
        return Some(of_signal(stack.signal(), report, frames::of_crash(stack)));
    }
    let code = match run.exit {
        Exit::Code(0) => return None,
        Exit::Signal(number) => return Some(of_signal(number, report, Vec::new())),
        Exit::Code(code) => code,
    };
    if let Some(number) = signal::of_exit_code(code) {
        return Some(of_signal(number, report, Vec::new()));
    }
    let is_error = |line: &&String| line.to_ascii_lowercase().contains("error");
    let mut errors = report.lines.iter().filter(is_error);
    // The first error may be a heading that is the same for all errors.
    let told = errors.clone().find(|line| boilerplate::is_telling(line));
    let message = told.or_else(|| errors.next());
    let message = message.map_or(String::new(), |line| format!(", {}", report.stable(line)));
    let what = format!("exit code {code}{message}");
    Some(match told {
        Some(_) => Signature::new(FailureKind::ExitCode, what, Vec::new()),
        None => Signature::general(FailureKind::ExitCode, what, Vec::new()),
    })
}

/// Beginnings of the messages with which a C library aborts a program that has damaged its memory.
const DAMAGE: [&str; 10] = [
    "free(): ",
    "malloc(): ",
    "realloc(): ",
    "calloc(): ",
    "munmap_chunk(): ",
    "malloc_consolidate(): ",
    "double free or corruption",
    "corrupted ",
    "*** stack smashing detected ***",
    "*** buffer overflow detected ***",
];

/// Returns the failure of a crash whose stack is known, by that alone.
pub(super) fn of_crash(stack: &Stack) -> Signature {
    let name = signal::name(stack.signal());
    Signature::general(FailureKind::Signal, name, frames::of_crash(stack))
}

/// Returns a signal, with the reason why the C library has sent it.
fn of_signal(number: i32, report: &Report, frames: Vec<String>) -> Signature {
    let is_reason = |line: &&String| DAMAGE.iter().any(|start| line.starts_with(start));
    let reason = report.lines.iter().find(is_reason);
    let name = signal::name(number);
    match reason {
        Some(line) => {
            let what = format!("{name}, {}", report.stable(line));
            Signature::new(FailureKind::Signal, what, frames)
        }
        None => Signature::general(FailureKind::Signal, name, frames),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Signature;
    use super::super::testing::run;
    use crate::run::Exit;

    #[test]
    fn other_failures_are_the_signal_or_the_exit_code_and_the_first_error() {
        for (exit, text, expected) in [
            (Exit::Signal(11), "", "signal: SIGSEGV"),
            (
                Exit::Signal(6),
                "free(): double free detected in tcache 2\n",
                "signal: SIGABRT, free(): double free detected in tcache N",
            ),
            (
                Exit::Signal(6),
                "*** stack smashing detected ***: terminated\n",
                "signal: SIGABRT, *** stack smashing detected ***: terminated",
            ),
            (
                Exit::Code(139),
                "Segmentation fault (core dumped)\n",
                "signal: SIGSEGV",
            ),
            (Exit::Code(2), "warning: a\n", "exit: exit code 2"),
            (
                Exit::Code(1),
                "t.c:3:5: error: 'x' undeclared\nt.c:9: error: other\n",
                "exit: exit code 1, INPUT: error: '…' undeclared",
            ),
        ] {
            let found = Signature::of(&run(exit, text)).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
    }
}
