use super::report::Report;
use super::{Signature, exception};
use crate::run::Run;
use std::collections::HashSet;

/// The line of an output that shows a failure. [`Message::of`] finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    line: String,
    parts: Vec<String>,
}

/// The minimum length of a word that distinguishes lines.
const TELLING: usize = 3;

impl Message {
    /// Returns the line of a run's output that shows the failure of its [`Signature`] best. The
    /// result is `None` if the run shows no failure, or prints no line about the failure: a program
    /// that a signal ended prints no such line.
    pub fn of(run: &Run) -> Option<Self> {
        let signature = Signature::of(run)?;
        let wanted = words(&signature.to_string());
        let report = Report::of(run);
        let mut best = (0, None);
        for line in &report.lines {
            let found = words(&report.stable(line)).intersection(&wanted).count();
            if found > best.0 {
                best = (found, Some(line));
            }
        }
        let line = best.1?;
        Some(Message {
            line: line.clone(),
            parts: report.fixed_parts(line),
        })
    }

    /// Returns the line with the type and the message of an uncaught exception, whether or not the
    /// [`Signature`] is that of the exception.
    pub fn of_exception(run: &Run) -> Option<String> {
        exception::line(&Report::of(run)).map(str::to_owned)
    }

    /// Returns the whole line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Returns the parts of the line that do not depend on the input, in their order: the line
    /// without numbers, quoted pieces, and positions in the input. The list is empty if nothing
    /// else is in the line.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }
}

/// Returns the words of a text by which its line can be recognized.
fn words(text: &str) -> HashSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    let telling = words.filter(|word| word.chars().count() >= TELLING);
    telling.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::run;
    use super::*;
    use crate::run::Exit;

    fn found(stderr: &str) -> (String, String) {
        let message = Message::of(&run(Exit::Code(1), stderr)).unwrap();
        (message.line, message.parts.join("|"))
    }

    #[test]
    fn the_line_is_the_one_that_the_signature_is_made_of() {
        let gcc = "In file included from t.c:1:\nt.c:2:19: error: ‘x’ undeclared (first use in \
                   this function)\nmake: *** [Makefile:2: foo.o] Error 1\n";
        let (line, parts) = found(gcc);
        assert!(line.starts_with("t.c:2:19: error"), "{line}");
        assert_eq!(parts, "error: |undeclared (first use in this function)");

        let python = "Traceback (most recent call last):\n  File \"/p/t.py\", line 1, in <module>\n\
                      \x20   1/0\nZeroDivisionError: division by zero\n";
        let (line, parts) = found(python);
        assert_eq!(line, "ZeroDivisionError: division by zero");
        assert_eq!(parts, line);

        let sanitizer = "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc\n\
                         READ of size 4 at 0x60 thread T0\n    #0 0x1 in deref a.c:2\n";
        assert!(found(sanitizer).0.starts_with("==12==ERROR"));
    }

    #[test]
    fn a_run_without_a_failure_or_without_a_line_about_it_has_no_message() {
        assert_eq!(Message::of(&run(Exit::Code(0), "error: x\n")), None);
        assert_eq!(Message::of(&run(Exit::Signal(11), "start\n")), None);
    }

    #[test]
    fn blanks_stay_as_they_are() {
        let (_, parts) = found("tool:   fatal  error 12 in  t.c here\n");
        assert_eq!(parts, "tool:   fatal  error |in  |here");
    }
}
