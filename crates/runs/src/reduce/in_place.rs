//! `--in-place`: at the end, results replace the originals.

use crate::exit::Exit;
use crate::output::{Access, Targets};
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The originals that the results replace, each with the path of its backup.
#[derive(Debug)]
pub(super) struct InPlace {
    files: Vec<(PathBuf, PathBuf)>,
}

impl InPlace {
    /// Checks before the first test that every input is a file without a backup.
    pub(super) fn new(inputs: &[PathBuf]) -> Result<Self, Problem> {
        let each = inputs.iter().map(|input| {
            let what = format!("`--in-place` cannot replace `{}`", input.display());
            let problem = Problem::new(Exit::Usage, what);
            if input == Path::new("-") || input.is_dir() {
                return Err(problem.hint("`--in-place` replaces files"));
            }
            // The target of a link is replaced, and the link is kept.
            let real = (input.canonicalize()).map_err(|error| problem.because(&error))?;
            let backup = backup_of(&real);
            match backup.symlink_metadata() {
                Ok(_) => Err(Problem::new(
                    Exit::Output,
                    format!("the backup `{}` exists", backup.display()),
                )
                .hint(
                    "the file may be the first original: move the file, or leave out \
                `--in-place`",
                )),
                Err(_) => Ok((real, backup)),
            }
        });
        Ok(InPlace {
            files: each.collect::<Result<_, _>>()?,
        })
    }

    /// Moves the results to the paths of the originals, which are kept as backups. An original that
    /// was changed during the run is not replaced. Returns a line about each.
    pub(super) fn replace(
        &self,
        targets: &Targets,
        original: &Input,
    ) -> Result<Vec<String>, Problem> {
        let mut lines = vec![];
        for (number, ((input, backup), result)) in
            self.files.iter().zip(targets.paths()).enumerate()
        {
            let cannot = |error: &io::Error| {
                Problem::new(
                    Exit::Output,
                    format!("cannot replace `{}`", input.display()),
                )
                .because(error)
                .hint(format!("the result is in `{}`", result.display()))
            };
            let text = std::fs::read(input).map_err(|error| cannot(&error))?;
            if original.file(number).is_none_or(|file| file.text != text) {
                let what = format!("`{}` was changed during the run", input.display());
                return Err(Problem::new(Exit::Output, what).hint(format!(
                    "the changed file is kept; the result is in `{}`",
                    result.display()
                )));
            }
            keep(input, backup, &text).map_err(|error| cannot(&error))?;
            let backup = backup.display();
            let shown = input.display();
            if result.exists() {
                std::fs::rename(result, input).map_err(|error| cannot(&error))?;
                lines.push(format!("{shown} is replaced; the original is {backup}"));
            } else {
                std::fs::remove_file(input).map_err(|error| cannot(&error))?;
                lines.push(format!(
                    "{shown} is removed: not needed; the original is {backup}"
                ));
            }
        }
        Ok(lines)
    }
}

/// Returns `NAME.orig`, as C-Reduce and C-Vise have it.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or(OsString::new(), OsString::from);
    name.push(".orig");
    path.with_file_name(name)
}

/// Creates the backup, which must not exist: a hard link, or a copy if the file system has no hard
/// links.
fn keep(input: &Path, backup: &Path, text: &[u8]) -> io::Result<()> {
    if std::fs::hard_link(input, backup).is_ok() {
        return Ok(());
    }
    let mut copy = Access::OWNER.create_new(backup)?;
    copy.set_permissions(input.metadata()?.permissions())?;
    copy.write_all(text)?;
    copy.sync_all()
}
