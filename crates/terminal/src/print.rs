//! Prints data and texts to standard output.

use crate::exit::Exit;
use crate::problem::{Problem, answered_in_json};
use crate::shown;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints output that is data: JSON, a page, a grammar.
pub fn print(text: &str) -> Result<Exit, Problem> {
    print_bytes(text.as_bytes())
}

/// Prints a value as one JSON document.
pub fn print_json(answer: &impl Serialize) -> Result<Exit, Problem> {
    let json = serde_json::to_string_pretty(answer)
        .map_err(|error| Problem::new(Exit::Output, "cannot print").because(&error))?;
    answered_in_json();
    print(&format!("{json}\n"))
}

/// Prints data that need not be UTF-8.
pub fn print_bytes(bytes: &[u8]) -> Result<Exit, Problem> {
    #[expect(clippy::disallowed_methods, reason = "data is printed as it is")]
    let mut out = io::stdout().lock();
    ended(out.write_all(bytes))
}

/// Prints output for people: a table, a report.
pub fn print_text(text: &str) -> Result<Exit, Problem> {
    ended(shown::write_text(text))
}

/// Prints output with parts of the user's own texts: byte for byte, except on a terminal.
pub fn print_own(text: &[u8]) -> Result<Exit, Problem> {
    ended(shown::write_own(text))
}

/// Prints a long report for people while it is generated.
pub fn print_long(report: &dyn Display) -> Result<Exit, Problem> {
    ended(shown::stream(report))
}

fn ended(printed: io::Result<()>) -> Result<Exit, Problem> {
    match printed {
        Ok(()) => Ok(Exit::Done),
        // The reader has closed the pipe (`nubbin passes | head`).
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(Problem::new(Exit::Output, format!("cannot print: {error}"))),
    }
}
