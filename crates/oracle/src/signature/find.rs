//! The search for the signature of a failure. The search tries the most specific kind first.

use super::report::Report;
use super::{
    Signature, assertion, exception, exit, internal, interpreter, panic, recursion, sanitizer,
};
use crate::run::Run;
use crate::stack::Stack;

impl Signature {
    /// Returns the signature of the failure that a run shows. The result is `None` if the run
    /// exited with code 0 and printed no known error message, or if it was cut short.
    ///
    /// Only the first and the last 256 KiB of each output are read.
    pub fn of(run: &Run) -> Option<Self> {
        if run.cut_short.is_some() {
            return None;
        }
        let report = Report::of(run);
        [
            recursion::find,
            sanitizer::find,
            internal::find,
            interpreter::find,
            assertion::find,
            panic::find,
            exception::find,
        ]
        .iter()
        .find_map(|find| find(&report))
        .or_else(|| exit::find(run, &report))
    }

    /// Returns the signature of a crash by its stack alone: the signal and the innermost functions
    /// of the program, or `None` if no function of the stack is the program's own.
    pub fn of_stack(stack: &Stack) -> Option<Self> {
        let found = exit::of_crash(stack);
        (!found.frames().is_empty()).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{run, shown};
    use super::*;
    use crate::run::Exit;

    #[test]
    fn the_most_specific_kind_counts() {
        let both = "t: a.c:1: f: Assertion `x' failed.\n\
                    ==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x1 in g a.c:2\n";
        assert_eq!(shown(both), "sanitizer: AddressSanitizer: SEGV in g");
        let assertion = Signature::of(&run(Exit::Signal(6), both.lines().next().unwrap())).unwrap();
        assert_eq!(assertion.to_string(), "assertion: `x` at a.c:1");
    }

    #[test]
    fn a_run_with_exit_code_0_and_no_error_message_shows_no_failure() {
        assert_eq!(Signature::of(&run(Exit::Code(0), "all is well\n")), None);
    }

    #[test]
    fn text_on_standard_output_counts_as_well() {
        let mut run = run(Exit::Code(1), "make: *** [Makefile:3: all] Error 1\n");
        run.stdout = Some(b"t: x.c:7: f: Assertion `ok' failed.\n".to_vec());
        let shown = Signature::of(&run).unwrap().to_string();
        assert_eq!(shown, "assertion: `ok` at x.c:7");
    }
}
