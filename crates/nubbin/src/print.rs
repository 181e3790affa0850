//! Standard output.

use crate::exit::Exit;
use crate::problem::Problem;
use std::io::{ErrorKind, Write};

/// Prints the answer of a command.
pub(crate) fn print(text: &str) -> Result<Exit, Problem> {
    print_bytes(text.as_bytes())
}

/// Prints an answer that need not be UTF-8.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<Exit, Problem> {
    match std::io::stdout().lock().write_all(bytes) {
        Ok(()) => Ok(Exit::Done),
        // The reader has seen enough (`nubbin passes | head`).
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(Problem::new(Exit::Output, format!("cannot print: {error}"))),
    }
}
