//! Output for scripts: events as JSON lines, statistics as one document.

use super::Access;
use super::destination::{Destination, Growing};
use crate::exit::Exit;
use crate::problem::Problem;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The destination of `--json-events`: a file or standard output.
pub struct EventsFile(Option<Destination>);

impl EventsFile {
    /// Claims the file before the first test. A log that nubbin did not write is refused.
    pub fn claim(path: &Path, access: Access, force: bool) -> Result<Self, Problem> {
        let is_file = path != Path::new("-");
        let file = is_file.then(|| Destination::claim_log(path, "events", access, force));
        Ok(EventsFile(file.transpose()?))
    }
}

/// A writer of events as JSON lines.
pub struct JsonLines {
    out: Out,
    failed: Option<io::Error>,
}

enum Out {
    Printed(io::Stdout),
    File(Growing),
}

impl JsonLines {
    pub fn open(file: EventsFile) -> Result<Self, Problem> {
        let out = match file.0 {
            #[expect(clippy::disallowed_methods, reason = "JSON is data")]
            None => Out::Printed(io::stdout()),
            Some(file) => Out::File(file.begin()?),
        };
        Ok(JsonLines { out, failed: None })
    }

    /// Writes a line. Flushes it if a reader may wait for it.
    pub fn write(&mut self, line: &impl Serialize, at_once: bool) {
        let out: &mut dyn Write = match &mut self.out {
            Out::Printed(stdout) => stdout,
            Out::File(file) => file,
        };
        let written = serde_json::to_string(line)
            .map_err(io::Error::from)
            .and_then(|line| writeln!(out, "{line}"));
        let flushed = if at_once { out.flush() } else { Ok(()) };
        if let Err(error) = written.and(flushed) {
            self.failed.get_or_insert(error);
        }
    }

    /// Returns an error if not all events were written. A reader that closed the pipe early is not
    /// an error. + closed the pipe early.
    pub fn finish(self) -> Result<(), Problem> {
        let finished = match self.out {
            Out::Printed(mut stdout) => stdout.flush(),
            Out::File(file) => file.finish(),
        };
        match self.failed.or(finished.err()) {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Problem::new(Exit::Output, "not all events could be written").because(&error))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the last JSON document that a run of this program printed, or null. An error
/// document may follow the first document.
pub fn last_document(text: &str) -> serde_json::Value {
    let documents = serde_json::Deserializer::from_str(text).into_iter();
    documents.map_while(Result::ok).last().unwrap_or_default()
}

/// The destination of `--stats`: a file or standard output.
pub struct StatsFile(Option<Destination>);

impl StatsFile {
    /// Claims the file before the first test. A file that nubbin did not write is refused.
    pub fn claim(path: &Path, access: Access, force: bool) -> Result<Self, Problem> {
        let is_file = path != Path::new("-");
        let file = is_file.then(|| Destination::claim(path, "statistics", access, force));
        Ok(StatsFile(file.transpose()?))
    }

    /// Writes the statistics, on one line if the destination also receives JSON lines.
    pub fn write<S: Serialize>(&self, stats: &S, in_lines: bool) -> Result<(), Problem> {
        let to_string = if in_lines {
            serde_json::to_string
        } else {
            serde_json::to_string_pretty::<S>
        };
        let mut json = to_string(stats).map_err(|error| {
            Problem::new(Exit::Output, "cannot write the statistics").because(&error)
        })?;
        json.push('\n');
        match &self.0 {
            None => {
                crate::problem::answered_in_json();
                crate::print::print(&json).map(|_| ())
            }
            Some(file) => file.write(json.as_bytes()),
        }
    }
}

/// Rounds to milliseconds, since microseconds are noise.
pub fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_last_document_of_a_run_is_its_answer() {
        assert_eq!(
            last_document("{\"a\":1}\n{\n\"b\": 2}\n"),
            json!({ "b": 2 })
        );
        assert_eq!(last_document("thread panicked\n"), Value::Null);
        assert_eq!(last_document(""), Value::Null);
    }
}
