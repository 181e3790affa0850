use crate::advice;
use crate::exit::Exit;
pub use crate::shown::{say, warn};
use crate::shown::{style, write_own};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether errors are printed as JSON on standard output.
static IN_JSON: AtomicBool = AtomicBool::new(false);

/// Whether standard output already has the JSON document of a command with `--json`.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Returns whether standard output is for a program that reads JSON.
pub fn is_in_json() -> bool {
    IN_JSON.load(Ordering::Relaxed)
}

/// Prints later errors on standard error, since standard output already has its one JSON document.
pub fn answered_in_json() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// Prints later errors as JSON, for a program that reads the output.
pub fn answer_in_json() {
    IN_JSON.store(true, Ordering::Relaxed);
}

/// An error as a command with `--json` prints it.
#[derive(Debug, Serialize)]
struct JsonError<'p> {
    /// The error, and its causes.
    error: String,
    /// Facts about it. Absent without any.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    details: &'p [String],
    /// The next step to take, or `null`.
    hint: Option<String>,
    exit: u8,
}

/// An error for the user, with its causes and with hints.
///
/// Its text says what happened and with which file, the causes, and the next step.
#[derive(Debug)]
pub struct Problem {
    exit: Exit,
    what: String,
    facts: Vec<String>,
    why: Vec<String>,
    hints: Vec<String>,
}

impl Problem {
    pub fn new(exit: Exit, what: impl Into<String>) -> Self {
        Problem {
            exit,
            what: what.into(),
            facts: vec![],
            why: vec![],
            hints: vec![],
        }
    }

    /// Replaces the description of the problem.
    pub fn saying(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }

    /// Adds the error that caused the problem, the causes of that error, and advice on them.
    pub fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            let text = error.to_string();
            // A transparent wrapper repeats the message of its source.
            if self.why.last() != Some(&text) && self.what != text {
                self.why.push(text);
            }
            self.hints.extend(advice::for_error(error));
            next = error.source();
        }
        self
    }

    /// Adds a line with a fact about the problem.
    pub fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    /// Adds a hint that names the next step.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns the description of the problem.
    pub fn what(&self) -> &str {
        &self.what
    }

    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Returns the problem of a command line that `clap` rejects.
    pub fn of_command_line(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let mut parts = text.trim().split("\n\n").map(str::trim);
        let what = parts.next().unwrap_or_default();
        let what = what.strip_prefix("error: ").unwrap_or(what);
        let what: Vec<&str> = what.lines().map(str::trim).collect();
        let problem = Problem::new(Exit::Usage, what.join(" "));
        parts.fold(problem, |problem, part| problem.hint(part))
    }

    pub fn print(&self) {
        if is_in_json() && !ANSWERED.load(Ordering::Relaxed) {
            return self.print_json();
        }
        let mut text = format!("{} {}\n", style("error:").red().bold(), self.what);
        for fact in &self.facts {
            let _ = writeln!(text, "  {}", fact.replace('\n', "\n  "));
        }
        for why in &self.why {
            let _ = writeln!(text, "  {} {}", style("cause:").dim(), indent(why));
        }
        if !self.hints.is_empty() {
            text.push('\n');
        }
        for hint in &self.hints {
            let _ = writeln!(text, "{} {}", style("hint:").cyan(), indent(hint));
        }
        say(text.trim_end());
    }
}

impl Problem {
    fn print_json(&self) {
        let parts = [slice::from_ref(&self.what), &self.why].concat();
        let error = JsonError {
            error: parts.join(": "),
            details: &self.facts,
            hint: (!self.hints.is_empty()).then(|| self.hints.join("\n")),
            exit: self.exit as u8,
        };
        // A closed standard output does not change the exit code.
        if let Ok(json) = serde_json::to_string(&error) {
            let _ = write_own(format!("{json}\n").as_bytes());
        }
    }
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n      ")
}
