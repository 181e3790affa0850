//! All proposers of a run, with the state of each.

use super::clang::{ClangDelta, ClangFormat};
use super::dialogue::Outside;
use super::parking::Parking;
use super::setting::Setting;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::programs;
use crate::sandbox;
use crate::settings::{ProposerSettings, SandboxSettings};
use nubbin_oracle::TestCommand;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::{Pass, Proposed, Proposer};
use std::sync::{Arc, LazyLock};

/// The names of the passes of proposers that are commands, by their place on the command line.
/// The name of a pass must live as long as the program.
static IDS: LazyLock<[String; 99]> =
    LazyLock::new(|| std::array::from_fn(|place| format!("proposer-{}", place + 1)));

/// All proposers of a run, created from the command line.
#[derive(Default)]
pub struct Proposers {
    passes: Vec<Arc<dyn Pass>>,
    /// The number of the proposers that are asked before the passes as well: the last ones.
    early: usize,
    /// The proposers, by the names of their passes.
    parking: Vec<(&'static str, Arc<Parking>)>,
}

impl Proposers {
    /// Creates the proposers from the command line.
    pub fn new(
        args: &ProposerSettings,
        input: &Input,
        language: Option<&str>,
        sandbox: &SandboxSettings,
        jobs: usize,
        stop: &Stop,
    ) -> Result<Self, Problem> {
        let setting = Setting {
            args,
            input,
            language,
            sandbox: match args.proposer.is_empty() && args.proposer_early.is_empty() {
                true => None,
                false => sandbox::of(sandbox, true)?,
            },
            jobs,
            stop,
        };
        let mut proposers = Proposers::default();
        if args.proposer.iter().any(|name| name == "none") {
            if args.proposer.len() > 1 || !args.proposer_early.is_empty() {
                let what = "`--proposer none` cannot be used with another proposer";
                return Err(Problem::new(Exit::Usage, what));
            }
            return Ok(proposers);
        }
        for name in &args.proposer {
            proposers.add("--proposer", name, &setting)?;
        }
        for name in &args.proposer_early {
            proposers.add("--proposer-early", name, &setting)?;
        }
        proposers.early = args.proposer_early.len();
        Ok(proposers)
    }

    fn add(&mut self, flag: &str, name: &str, setting: &Setting<'_>) -> Result<(), Problem> {
        let parking = Arc::new(Parking::default());
        let (id, about, proposer): (_, _, Arc<dyn Proposer>) = match name {
            "clang_delta" => {
                let proposer = ClangDelta::new(setting, Arc::clone(&parking))?;
                (
                    "clang_delta",
                    "transforms C and C++ with C-Vise's clang_delta",
                    Arc::new(proposer),
                )
            }
            "clang-format" => {
                let proposer = ClangFormat::new(setting, Arc::clone(&parking))?;
                (
                    "clang-format",
                    "removes parts of C and C++ with clang-format",
                    Arc::new(proposer),
                )
            }
            line => {
                let here = std::env::current_dir().map_err(|error| {
                    Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
                })?;
                programs::require(flag, line)?;
                let command = TestCommand::shell_in(line, &here).map_err(|error| {
                    let what = format!("the proposer `{line}` cannot be run");
                    Problem::new(Exit::Usage, what).because(&error)
                })?;
                let proposer = Outside::new(command, here, setting, Arc::clone(&parking))?;
                let id = IDS.get(self.passes.len()).ok_or_else(|| {
                    let what = format!("there are more than {} proposers", IDS.len());
                    Problem::new(Exit::Usage, what)
                })?;
                (
                    id.as_str(),
                    "the changes that a command proposes",
                    Arc::new(proposer),
                )
            }
        };
        if self.parking.iter().any(|(other, _)| *other == id) {
            let what = format!("the proposer `{name}` is given twice");
            return Err(Problem::new(Exit::Usage, what));
        }
        self.passes
            .push(Arc::new(Proposed::new(id, about, proposer)));
        self.parking.push((id, parking));
        Ok(())
    }

    /// Returns a pass for each proposer.
    pub fn passes(&self) -> Vec<Arc<dyn Pass>> {
        self.passes.clone()
    }

    /// Returns the passes of the proposers that also run before all other passes.
    pub fn early(&self) -> Vec<Arc<dyn Pass>> {
        self.passes[self.passes.len() - self.early..].to_vec()
    }

    /// Returns the proposers that were disabled since the last call, with the reasons.
    pub fn parked(&self) -> Vec<(&'static str, String)> {
        let news = |(id, parking): &(&'static str, Arc<Parking>)| Some((*id, parking.news()?));
        self.parking.iter().filter_map(news).collect()
    }
}
