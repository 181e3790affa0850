use crate::choices::Recorded;
use crate::exit::Exit;
use crate::flags::{ENDLESS, TextsFlags};
use crate::output::Access;
use crate::problem::Problem;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The destination of texts and their choices.
pub(super) struct Output {
    folder: Option<PathBuf>,
    extension: String,
    /// The number of digits in the names of files.
    digits: usize,
    next: u64,
    stdout: BufWriter<io::Stdout>,
    record: Option<(PathBuf, BufWriter<File>)>,
    /// Whether the reader of standard output has closed it.
    closed: bool,
}

#[expect(clippy::disallowed_methods, reason = "a text is data")]
fn stdout() -> io::Stdout {
    io::stdout()
}

impl Output {
    pub(super) fn new(options: &TextsFlags, record: Option<&Path>) -> Result<Self, Problem> {
        if options.extension.contains(['/', '\\']) {
            let what = format!("`{}` is not a file extension", options.extension);
            return Err(Problem::new(Exit::Usage, what));
        }
        if let Some(folder) = &options.output {
            std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
        }
        let record = record.map(|path| {
            let file = Access::ALL
                .create_new(path)
                .map_err(|error| cannot(path, &error))?;
            Ok((path.to_path_buf(), BufWriter::new(file)))
        });
        Ok(Output {
            folder: options.output.clone(),
            extension: options.extension.clone(),
            digits: match options.count {
                ENDLESS => 8,
                count => count.to_string().len().max(4),
            },
            next: 1,
            stdout: BufWriter::new(stdout()),
            record: record.transpose()?,
            closed: false,
        })
    }

    pub(super) fn put(
        &mut self,
        text: &[u8],
        recorded: impl FnOnce() -> Recorded,
    ) -> Result<(), Problem> {
        match &self.folder {
            Some(folder) => {
                let name = format!("{:0width$}", self.next, width = self.digits);
                let dot = if self.extension.is_empty() { "" } else { "." };
                let path = folder.join(format!("{name}{dot}{}", self.extension));
                // An existing file may be the only copy of its content.
                let written = Access::ALL.write_new(&path, text);
                written.map_err(|error| cannot(&path, &error))?;
            }
            None => {
                let stdout = &mut self.stdout;
                let written = stdout
                    .write_all(text)
                    .and_then(|()| stdout.write_all(b"\n"));
                self.printed(written)?;
            }
        }
        if let Some((path, file)) = &mut self.record {
            let line = serde_json::to_string(&recorded()).unwrap_or_default();
            writeln!(file, "{line}").map_err(|error| cannot(path, &error))?;
        }
        self.next += 1;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Problem> {
        let flushed = self.stdout.flush();
        self.printed(flushed)?;
        match &mut self.record {
            Some((path, file)) => file.flush().map_err(|error| cannot(path, &error)),
            None => Ok(()),
        }
    }

    fn printed(&mut self, result: io::Result<()>) -> Result<(), Problem> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Problem::new(Exit::Output, format!("cannot print: {error}"))),
            Ok(()) => Ok(()),
        }
    }

    /// Returns whether standard output is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}

fn cannot(path: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot write `{}`", path.display());
    let problem = Problem::new(Exit::Output, what).because(error);
    match error.kind() {
        io::ErrorKind::AlreadyExists => problem.hint("existing files are never overwritten"),
        _ => problem,
    }
}

/// Returns the record of a generator without recorded choices.
pub(super) fn nothing() -> Recorded {
    Recorded {
        choices: vec![],
        recipe: None,
    }
}
