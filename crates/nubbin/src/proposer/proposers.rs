//! All proposers of a run, and which of them are still asked.

use super::clang::{ClangDelta, ClangFormat};
use super::dialogue::Outside;
use crate::exit::Exit;
use crate::flags::ProposerFlags;
use crate::problem::Problem;
use nubbin_oracle::TestCommand;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Pass, Proposed, Proposer};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// All proposers of a run.
#[derive(Default)]
pub(crate) struct Proposers {
    passes: Vec<Arc<dyn Pass>>,
    /// By the names of their passes.
    parking: Vec<(&'static str, Arc<Parking>)>,
}

/// What every proposer is told at its beginning.
pub(super) struct Setting<'a> {
    pub(super) args: &'a ProposerFlags,
    pub(super) input: &'a Input,
    /// The language of all files, where the user has named one.
    pub(super) language: Option<&'a str>,
    pub(super) jobs: usize,
    pub(super) stop: &'a Stop,
}

impl Proposers {
    /// The proposers that are asked for.
    pub(crate) fn new(
        args: &ProposerFlags,
        input: &Input,
        language: Option<&str>,
        jobs: usize,
        stop: &Stop,
    ) -> Result<Self, Problem> {
        let setting = Setting {
            args,
            input,
            language,
            jobs,
            stop,
        };
        let mut proposers = Proposers::default();
        if args.proposer.iter().any(|name| name == "none") {
            if args.proposer.len() > 1 {
                let what = "`--proposer none` says that there are none, and another one is given";
                return Err(Problem::new(Exit::Usage, what));
            }
            return Ok(proposers);
        }
        for name in &args.proposer {
            proposers.add(name, &setting)?;
        }
        Ok(proposers)
    }

    fn add(&mut self, name: &str, setting: &Setting<'_>) -> Result<(), Problem> {
        let parking = Arc::new(Parking::default());
        let (id, about, proposer): (_, _, Arc<dyn Proposer>) = match name {
            "clang_delta" => {
                let proposer = ClangDelta::new(setting, Arc::clone(&parking))?;
                (
                    "clang_delta",
                    "what clang_delta of C-Vise makes of C and C++",
                    Arc::new(proposer),
                )
            }
            "clang-format" => {
                let proposer = ClangFormat::new(setting, Arc::clone(&parking))?;
                (
                    "clang-format",
                    "what clang-format takes for superfluous",
                    Arc::new(proposer),
                )
            }
            line => {
                let here = std::env::current_dir().map_err(|error| {
                    Problem::new(Exit::Test, "the folder you are in cannot be read").because(&error)
                })?;
                let command = TestCommand::shell_in(line, &here).map_err(|error| {
                    let what = format!("the proposer `{line}` cannot be run");
                    Problem::new(Exit::Usage, what).because(&error)
                })?;
                let proposer = Outside::new(command, here, setting, Arc::clone(&parking))?;
                // Passes are known by names that last as long as the program.
                let id = format!("proposer-{}", self.passes.len() + 1);
                let about = format!("what `{line}` proposes");
                (
                    String::leak(id) as &str,
                    String::leak(about) as &str,
                    Arc::new(proposer),
                )
            }
        };
        if self.parking.iter().any(|(other, _)| *other == id) {
            let what = format!("`--proposer {name}` is given twice");
            return Err(Problem::new(Exit::Usage, what));
        }
        self.passes
            .push(Arc::new(Proposed::new(id, about, proposer)));
        self.parking.push((id, parking));
        Ok(())
    }

    /// A pass for each.
    pub(crate) fn passes(&self) -> Vec<Arc<dyn Pass>> {
        self.passes.clone()
    }

    /// Those that have been parked since this was last asked, and why.
    pub(crate) fn parked(&self) -> Vec<(&'static str, String)> {
        let news = |(id, parking): &(&'static str, Arc<Parking>)| Some((*id, parking.news()?));
        self.parking.iter().filter_map(news).collect()
    }
}

/// Whether a proposer is still asked: one that breaks is not.
#[derive(Default)]
pub(super) struct Parking {
    is_parked: AtomicBool,
    has_news: AtomicBool,
    why: Mutex<String>,
}

impl Parking {
    pub(super) fn is_parked(&self) -> bool {
        self.is_parked.load(Ordering::Acquire)
    }

    pub(super) fn park(&self, why: String) {
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
        self.is_parked.store(true, Ordering::Release);
        self.has_news.store(true, Ordering::Release);
    }

    pub(super) fn news(&self) -> Option<String> {
        let is_new = self.has_news.swap(false, Ordering::AcqRel);
        is_new.then(|| {
            self.why
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }
}

/// The language of a file, by what the user says or by the file.
pub(super) fn language_of(named: Option<&str>, file: &File<'_>) -> Option<&'static str> {
    match named {
        Some(name) => nubbin_languages::catalogue::named(name).map(|entry| entry.id),
        None => {
            nubbin_languages::detect::detect(file.name.to_str(), file.text).map(|entry| entry.id)
        }
    }
}
