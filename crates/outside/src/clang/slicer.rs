use super::message::{ClangMessage, SliceAnswer};
use super::process::{GRACE, LONGEST, MOMENT, begin};
use super::request::ClangRequest;
use crate::problem::say;
use nubbin_clang::Request;
use nubbin_oracle::{Dialogue, DialogueError};
use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::pass::Slicer;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The minimum size in bytes of a text that is worth slicing.
pub const SMALLEST: usize = 16 << 10;
pub const LARGEST: usize = 8 << 20;

/// Slices that a process computes while the caller waits for them.
pub struct ClangSlicer {
    state: Mutex<State>,
    patience: Duration,
    must_compile: Arc<AtomicBool>,
    stop: Stop,
    is_quiet: bool,
}

struct State {
    /// `None` when the process has exited.
    dialogue: Option<Dialogue>,
    slices: Vec<Arc<Edit>>,
}

impl ClangSlicer {
    /// Starts the process. Returns `None` if it cannot be started.
    pub fn start(request: Request, stop: &Stop, is_quiet: bool) -> Option<Self> {
        let patience = request.longest().saturating_add(GRACE);
        let dialogue = begin(&ClangRequest::Slices(request))?;
        Some(ClangSlicer {
            state: Mutex::new(State {
                dialogue: Some(dialogue),
                slices: vec![],
            }),
            patience,
            must_compile: Arc::default(),
            stop: stop.clone(),
            is_quiet,
        })
    }

    /// Returns a flag that is set before the first slice if the process has found that the failure
    /// is a warning, so that a text with an error does not fail.
    pub fn must_compile(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.must_compile)
    }

    /// Waits for the next line.
    fn hear(&self, dialogue: &mut Dialogue) -> Result<SliceAnswer, String> {
        let until = Instant::now() + self.patience;
        let line = loop {
            match dialogue.hear(MOMENT, LONGEST) {
                Err(DialogueError::Silent(_)) if self.stop.is_requested() => {
                    return Ok(SliceAnswer::Done);
                }
                Err(DialogueError::Silent(_)) if Instant::now() < until => {}
                Err(DialogueError::Silent(_)) => {
                    return Err(DialogueError::Silent(self.patience).to_string());
                }
                heard => break heard.map_err(|error| error.to_string())?,
            }
        };
        ClangMessage::slice(&line)
    }
}

impl Slicer for ClangSlicer {
    fn slice(&self, number: usize) -> Option<Arc<Edit>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.slices.len() <= number {
            let dialogue = state.dialogue.as_mut()?;
            match self.hear(dialogue) {
                Ok(SliceAnswer::Warning) => self.must_compile.store(true, Ordering::Relaxed),
                Ok(SliceAnswer::Slice(edit)) => state.slices.push(Arc::new(edit)),
                Ok(SliceAnswer::Done) => state.dialogue = None,
                Err(why) => {
                    state.dialogue = None;
                    if !self.is_quiet {
                        let what = match state.slices.is_empty() {
                            true => "is not used",
                            false => "makes no more slices",
                        };
                        say(&format!("Clang's front end {what}: {why}"));
                    }
                }
            }
        }
        state.slices.get(number).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_oracle::TestCommand;
    use std::path::Path;

    /// Returns a slicer whose process writes these lines and ends.
    fn slicer(lines: &str) -> ClangSlicer {
        let command = TestCommand::shell(format!("printf '%s\\n' {lines}")).unwrap();
        let dialogue = Dialogue::start(&command, Path::new("/"), LONGEST, None, false).unwrap();
        ClangSlicer {
            state: Mutex::new(State {
                dialogue: Some(dialogue),
                slices: vec![],
            }),
            patience: Duration::from_secs(60),
            must_compile: Arc::default(),
            stop: Stop::default(),
            is_quiet: true,
        }
    }

    #[cfg(unix)]
    #[test]
    fn slices_before_a_crash_count_and_none_after_it() {
        let slicer = slicer(r#"'{"slice":[[0,2,";"],[4,5,""]]}' 'not json' '{"slice":[]}'"#);
        let first = slicer.slice(0).unwrap();
        assert_eq!(first.splices().len(), 2);
        assert!(slicer.slice(1).is_none() && slicer.slice(2).is_none());
        assert_eq!(slicer.slice(0), Some(first));
    }

    #[cfg(unix)]
    #[test]
    fn a_slice_that_is_no_change_of_the_text_ends_the_slices() {
        for line in [
            r#"'{"slice":[[5,2,""]]}'"#,
            r#"'{"slice":[[0,4,";"],[2,6,","]]}'"#,
            "''",
        ] {
            assert!(slicer(line).slice(0).is_none(), "{line}");
        }
        let failed = slicer(r#"'{"failed":"no libclang can be loaded"}'"#);
        assert!(failed.slice(0).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_silent_process_is_reported_with_the_whole_wait() {
        let command = TestCommand::shell("sleep 600").unwrap();
        let mut dialogue = Dialogue::start(&command, Path::new("/"), LONGEST, None, false).unwrap();
        let mut slicer = slicer("");
        slicer.patience = MOMENT * 2;
        let Err(why) = slicer.hear(&mut dialogue) else {
            panic!("the process writes nothing");
        };
        assert_eq!(why, DialogueError::Silent(slicer.patience).to_string());
    }

    #[cfg(unix)]
    #[test]
    fn a_stopped_run_does_not_wait_for_slices() {
        let command = TestCommand::shell("sleep 600").unwrap();
        let dialogue = Dialogue::start(&command, Path::new("/"), LONGEST, None, false).unwrap();
        let slicer = slicer("");
        slicer.stop.request();
        *slicer.state.lock().unwrap() = State {
            dialogue: Some(dialogue),
            slices: vec![],
        };
        assert!(slicer.slice(0).is_none());
    }
}
