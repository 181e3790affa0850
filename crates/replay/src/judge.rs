use nubbin_choices::{Replay, decode};
use nubbin_verdict::{Ask, Candidate, Fault, File, Oracle, Unresolved, Verdict};
use std::path::PathBuf;
use std::sync::Arc;

/// An oracle that judges a sequence of choices by the text that the generator creates from it.
///
/// The engine reduces an encoded sequence, but the test needs a text. This oracle replays the
/// sequence and hands the text to the test.
pub struct Judge<'a> {
    replay: Arc<dyn Replay>,
    test: &'a dyn Oracle,
    name: PathBuf,
}

impl<'a> Judge<'a> {
    /// Creates an oracle that passes the text to `test` as a file with the given name.
    pub fn new(replay: Arc<dyn Replay>, test: &'a dyn Oracle, name: impl Into<PathBuf>) -> Self {
        Judge {
            replay,
            test,
            name: name.into(),
        }
    }
}

impl Oracle for Judge<'_> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let values = decode(candidate.bytes()).map_err(Fault::new)?;
        let Some(run) = self.replay.replay(&values) else {
            return Ok(Verdict::Unresolved(Unresolved::Invalid));
        };
        let file = [File {
            name: &self.name,
            bytes: &run.text,
        }];
        self.test.judge(&Candidate::new(&file), ask)
    }
}
