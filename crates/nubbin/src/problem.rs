use crate::advice;
use crate::exit::Exit;
use crate::shown::style;
pub(crate) use crate::shown::{say, warn};
use std::error::Error;
use std::fmt::Write;

/// An error for the user, with its causes and with hints.
///
/// Reads as: what happened, with which file; why; what to do next.
#[derive(Debug)]
pub(crate) struct Problem {
    exit: Exit,
    what: String,
    facts: Vec<String>,
    why: Vec<String>,
    hints: Vec<String>,
}

impl Problem {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Problem {
            exit,
            what: what.into(),
            facts: vec![],
            why: vec![],
            hints: vec![],
        }
    }

    /// Replaces the description of what happened.
    pub(crate) fn saying(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }

    /// Adds the error that caused it, the causes of that error, and advice on them.
    pub(crate) fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            let text = error.to_string();
            // Transparent wrappers say the same twice.
            if self.why.last() != Some(&text) && self.what != text {
                self.why.push(text);
            }
            self.hints.extend(advice::for_error(error));
            next = error.source();
        }
        self
    }

    /// Adds a line with a fact about what happened.
    pub(crate) fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    /// Adds a hint: what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns what happened.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    pub(crate) fn print(&self) {
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

fn indent(text: &str) -> String {
    text.replace('\n', "\n      ")
}
