//! Text for people: the only way from nubbin to a terminal.
//!
//! Names of files, outputs of tests, words of proposers, grammars, and inputs may hold escape
//! sequences that move the cursor, change the title, or type for the user. No message shows such
//! sequences: this module writes every invisible character in a visible form. Only the escape
//! sequences of [`style()`] are passed through.
//!
//! Data (results, JSON, generated texts, pages) is not escaped. `clippy.toml` forbids the other
//! ways to a terminal.

mod attention;
mod duration;
mod escape;
mod fence;
mod line;
mod panic;
mod percent;
mod size;
mod style;

pub use attention::{copy, notify};
pub use duration::{run_time, test_time};
pub use escape::{is_seen, text_of, visible};
pub use fence::fence;
pub use line::ProgressLine;
pub use panic::{REPORTS, report_panics};
pub use size::{count, rate, shrinkage, tests};
pub use style::style;

use std::fmt::{self, Display, Write as _};
use std::io::{self, BufWriter, IsTerminal, Write};

/// Prints a line for the user. A closed terminal is ignored.
pub fn say(line: &str) {
    let _ = writeln!(stderr().lock(), "{}", for_stderr(line));
}

/// Prints a warning.
pub fn warn(text: &str) {
    say(&warning(text));
}

/// Returns the text of a warning.
pub fn warning(text: &str) -> String {
    format!("{} {text}", style("warning:").yellow())
}

/// Writes a table or a report to standard output.
pub fn write_text(text: &str) -> io::Result<()> {
    let shown = style::render(text, console::colors_enabled());
    stdout().lock().write_all(shown.as_bytes())
}

/// Writes a text with parts of the user's own texts to standard output: unchanged for a program,
/// and in a visible form for a terminal.
pub fn write_own(text: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    if !out.is_terminal() {
        return out.write_all(&style::without(text));
    }
    let shown = style::render(&escape::text_of(text), console::colors_enabled());
    out.write_all(shown.as_bytes())
}

/// Writes a long text to standard output while it is generated.
pub fn stream(text: &dyn Display) -> io::Result<()> {
    let mut out = Visible {
        out: BufWriter::new(stdout().lock()),
        failed: None,
    };
    let written = write!(out, "{text}");
    match out.failed {
        Some(error) => Err(error),
        None => written
            .map_err(io::Error::other)
            .and_then(|()| out.out.flush()),
    }
}

/// Writes every part of a text in a form that can be seen.
struct Visible<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: io::Write> fmt::Write for Visible<W> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let shown = style::render(part, false);
        self.out.write_all(shown.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}

/// Returns a text as standard error shows it.
fn for_stderr(text: &str) -> String {
    style::render(text, console::colors_enabled_stderr())
}

#[expect(clippy::disallowed_methods, reason = "this is the boundary")]
fn stderr() -> io::Stderr {
    io::stderr()
}

#[expect(clippy::disallowed_methods, reason = "this is the boundary")]
fn stdout() -> io::Stdout {
    io::stdout()
}
