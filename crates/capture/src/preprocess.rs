//! Capture as one preprocessed file instead of a folder of files.

use super::captured::{Captured, Running};
use super::check::check;
use super::compilers::{Compile, preprocessed_ending};
use super::draft::Draft;
use super::place::Place;
use super::record::write;
use super::tell::{next, tell_failure};
use crate::exit::Exit;
use crate::output::mode_of;
use crate::problem::{Problem, say};
use crate::shown::count;
use indicatif::HumanBytes;
use nubbin_oracle::Message;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl Running<'_> {
    /// Creates one preprocessed file, if the compiler fails on it in the same way. Returns the path
    /// of the file, and reports the choice and its reason.
    pub(super) fn preprocess(
        &self,
        captured: &Captured,
        compile: &Compile,
        message: Option<&Message>,
        place: &Place,
    ) -> Result<Option<PathBuf>, Problem> {
        let [source] = compile.sources()[..] else {
            say("the compile command does not have exactly one source, so the folder is created");
            return Ok(None);
        };
        let source = &compile.args[source];
        let mut name = Path::new(Path::new(source).file_name().unwrap_or(source)).to_owned();
        name.set_extension(preprocessed_ending(source).unwrap_or("i"));
        let output = self.private.join("preprocessed");
        for has_places in [false, true] {
            let words = compile.preprocessing(has_places, &output);
            let ran = self.run(&words, &compile.folder, None)?;
            if ran.end != nubbin_oracle::Exit::Code(0) {
                say("the preprocessor itself fails, so the folder is created");
                return Ok(None);
            }
            let text = std::fs::read(&output).map_err(|error| {
                Problem::new(
                    Exit::Output,
                    "the output of the preprocessor cannot be read",
                )
                .because(&error)
            })?;
            let unfinished = place.begin()?;
            let mode = mode_of(self.root).unwrap_or(0o700);
            unfinished.write(&name, &text, mode & 0o666 | 0o600)?;
            let words = compile.of_preprocessed(name.as_os_str());
            let draft = Draft {
                words: &words,
                place: None,
                ..captured.draft(self, message)
            };
            write(&unfinished, &draft, captured, &BTreeSet::new())?;
            let (file, test) = (
                unfinished.path().join(&name),
                unfinished.path().join("test.sh"),
            );
            match check(&file, &test, self.stop) {
                Ok(()) => {}
                Err(problem) if problem.exit() == Exit::NotFailing => continue,
                Err(problem) => return Err(problem),
            }
            let path = place.path().to_owned();
            place.conclude(unfinished)?;
            let flags = if has_places { "-E" } else { "-E -P" };
            say(&format!(
                "chosen: one preprocessed file (`{flags}`), since the compiler fails on it in the \
                 same way: `{}`, {}",
                path.join(&name).display(),
                HumanBytes(text.len() as u64)
            ));
            say(&format!(
                "the folder of {} was not created",
                count(captured.seen.files.len() as u64, "file")
            ));
            tell_failure(&captured.ran, message, self.flags);
            say(&format!(
                "next: {}",
                next(&path.join(&name), &path.join("test.sh"), "")
            ));
            return Ok(Some(path.join(&name)));
        }
        say(
            "the compiler does not fail in the same way on the preprocessed file, so the folder \
             is created",
        );
        Ok(None)
    }
}
