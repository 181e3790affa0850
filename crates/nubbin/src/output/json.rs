//! Output for scripts: events as lines of JSON, statistics as one document.

use super::Access;
use crate::exit::Exit;
use crate::problem::Problem;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The destination of `--json-events`: a file or standard output.
pub(crate) struct JsonLines {
    out: Box<dyn Write>,
    failed: Option<io::Error>,
}

impl JsonLines {
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, Problem> {
        let out: Box<dyn Write> = if path == Path::new("-") {
            #[expect(clippy::disallowed_methods, reason = "JSON is data")]
            Box::new(io::stdout())
        } else {
            let file = access.create(path).map_err(|error| {
                let what = format!("cannot write events to `{}`", path.display());
                Problem::new(Exit::Output, what).because(&error)
            })?;
            Box::new(BufWriter::new(file))
        };
        Ok(JsonLines { out, failed: None })
    }

    /// Writes a line. Flushes it if a reader may wait for it.
    pub(crate) fn write(&mut self, line: &impl Serialize, at_once: bool) {
        let written = serde_json::to_string(line)
            .map_err(io::Error::from)
            .and_then(|line| writeln!(self.out, "{line}"));
        let flushed = if at_once { self.out.flush() } else { Ok(()) };
        if let Err(error) = written.and(flushed) {
            self.failed.get_or_insert(error);
        }
    }

    /// Returns an error if not all events were written. A reader that closed the pipe early is no
    /// error.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        let flushed = self.out.flush().err();
        match self.failed.or(flushed) {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Problem::new(Exit::Output, "not all events could be written").because(&error))
            }
            _ => Ok(()),
        }
    }
}

/// Checks before the first test whether the counts of `--stats` can be written.
pub(crate) fn probe_stats(path: &Path, access: Access) -> Result<(), Problem> {
    if path != Path::new("-") {
        let opened = access.append(path);
        opened.map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Writes the counts, on one line if the destination also receives lines of JSON.
pub(crate) fn write_stats<S: Serialize>(
    stats: &S,
    path: &Path,
    access: Access,
    in_lines: bool,
) -> Result<(), Problem> {
    let to_string = if in_lines {
        serde_json::to_string
    } else {
        serde_json::to_string_pretty::<S>
    };
    let mut json = to_string(stats).map_err(|error| cannot_write(path, &error))?;
    json.push('\n');
    if path == Path::new("-") {
        return crate::print::print(&json).map(|_| ());
    }
    let written = access
        .create(path)
        .and_then(|mut file| file.write_all(json.as_bytes()));
    written.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot write the statistics to `{}`", path.display());
    Problem::new(Exit::Output, what).because(error)
}

/// Rounds to milliseconds, since microseconds are noise.
pub(crate) fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
