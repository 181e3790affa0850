//! Recorded runs of generators, and their replay.

use super::{External, GeneratorError, Recipe, Recorded, recording};
use crate::exit::Exit;
use crate::files::Source;
use crate::flags::{GrammarFlags, NotationFlags};
use crate::grammar::{grammar, wrong_grammar};
use crate::graph;
use crate::problem::Problem;
use crate::settings::{ChoicesSettings, SandboxSettings};
use crate::{sandbox, signals};
use nubbin_generate::Generator;
use nubbin_generate::nubbin_choices::{Replay, Run, Value};
use nubbin_graph::Walker;
use nubbin_oracle::TestCommand;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recorded run, and the generator that can replay it.
pub struct RecordedRun {
    pub replay: Arc<dyn Replay>,
    pub external: Option<Arc<External>>,
    /// The path of the file with the choices.
    pub path: PathBuf,
    /// The path that the text would have. The file need not exist.
    text_path: PathBuf,
    /// The name of the text in the test's folder.
    pub name: PathBuf,
    pub run: Arc<Run>,
    pub recipe: Option<Recipe>,
}

impl RecordedRun {
    /// Reads a recording and replays it.
    pub fn open(
        options: &ChoicesSettings,
        grammar_paths: &[PathBuf],
        grammar_options: &NotationFlags,
        sandbox: &SandboxSettings,
        jobs: usize,
    ) -> Result<Option<Self>, Problem> {
        let Some(path) = &options.choices else {
            return Ok(None);
        };
        let recorded = recording::read(path)?;
        let [recorded] = &recorded[..] else {
            let what = format!("`{}` holds {} recordings", path.display(), recorded.len());
            return Err(Problem::new(Exit::Input, what).hint(format!(
                "nubbin reduces one recording at a time: print the third one with `sed -n 3p {}`",
                path.display()
            )));
        };
        let values = recording::values(recorded, path)?;
        let (replay, external) = match (grammar_paths, &options.generator) {
            ([], None) if options.graph.is_some() => (walker(options, recorded, path)?, None),
            ([_, ..], None) => {
                let grammar = GrammarFlags {
                    grammar: grammar_paths.to_vec(),
                    options: grammar_options.clone(),
                };
                (of_grammar(&grammar, recorded, path)?, None)
            }
            ([], Some(line)) => {
                let external = Arc::new(external(line, options, sandbox, jobs)?);
                (Arc::clone(&external) as Arc<dyn Replay>, Some(external))
            }
            _ => {
                let what = "choices cannot be reduced without their generator";
                return Err(Problem::new(Exit::Usage, what)
                    .hint("give `--generator COMMAND`, `--grammar GRAMMAR`, or `--graph GRAPH`"));
            }
        };
        let run = match &external {
            None => replay.replay(&values),
            Some(external) => replayed(external, &values, path)?,
        };
        let Some(run) = run else {
            let what = format!("the generator rejects the choices of `{}`", path.display());
            return Err(Problem::new(Exit::Input, what)
                .hint("were they recorded by the same generator, with the same options?"));
        };
        if run.choices.is_empty() {
            let what = format!(
                "there is nothing to reduce: `{}` has no choices",
                path.display()
            );
            return Err(Problem::new(Exit::Input, what));
        }
        let extension = if options.graph.is_some() { "js" } else { "txt" };
        let name = match &options.name {
            Some(name) => name.clone(),
            None => Path::new(path.file_stem().unwrap_or_default()).with_extension(extension),
        };
        Ok(Some(RecordedRun {
            text_path: path.with_file_name(name.file_name().unwrap_or_default()),
            replay,
            external,
            path: path.clone(),
            name,
            run,
            recipe: recorded.recipe,
        }))
    }

    /// Returns the text as an input, with its path in the test's folder.
    pub fn text(&self) -> Result<(Input, Vec<Source>), Problem> {
        let source = Source {
            path: self.text_path.clone(),
            name: self.name.clone(),
            tree: None,
        };
        let input = Input::single(self.name.clone(), self.run.text.clone());
        let input = input.map_err(|error| {
            Problem::new(Exit::Input, "the input cannot be reduced").because(&error)
        })?;
        Ok((input, vec![source]))
    }
}

/// Returns the generator of a grammar that a recording is of.
fn of_grammar(
    flags: &GrammarFlags,
    recorded: &Recorded,
    path: &Path,
) -> Result<Arc<dyn Replay>, Problem> {
    let grammar = Arc::new(grammar(flags)?);
    let recipe = recorded
        .recipe
        .unwrap_or(Recipe::LimitFuzzer { max_depth: 10 });
    let algorithm = recipe.algorithm().ok_or_else(|| {
        let what = format!("the choices of `{}` were made with a graph", path.display());
        Problem::new(Exit::Usage, what).hint("give `--graph GRAPH`")
    })?;
    let generator = Generator::new(grammar, algorithm)
        .map_err(|error| wrong_grammar(&flags.grammar, &error))?;
    Ok(Arc::new(generator))
}

/// Returns a program outside that generates.
fn external(
    line: &str,
    options: &ChoicesSettings,
    sandbox: &SandboxSettings,
    jobs: usize,
) -> Result<External, Problem> {
    let here = std::env::current_dir().map_err(|error| {
        Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
    })?;
    let command = TestCommand::shell_in(line, &here).map_err(|error| {
        Problem::new(Exit::Usage, "the generator cannot be run").because(&error)
    })?;
    let sandbox = sandbox::of(sandbox, true)?;
    External::new(command, &options.external, sandbox, jobs)
}

/// Replays choices with a program outside, twice to detect one that is not deterministic.
fn replayed(
    external: &External,
    values: &[Value],
    path: &Path,
) -> Result<Option<Arc<Run>>, Problem> {
    let once = || {
        external
            .run(values)
            .map_err(|trouble| broken(path, &trouble))
    };
    let (first, second) = (once()?, once()?);
    if first != second {
        return Err(differs(first.as_ref(), second.as_ref()));
    }
    // The size is known from this point on.
    Ok(first.and_then(|run| external.replay(&run.values())))
}

/// Returns the walks on a graph that a recording is of.
fn walker(
    options: &ChoicesSettings,
    recorded: &Recorded,
    path: &Path,
) -> Result<Arc<dyn Replay>, Problem> {
    let graph = options.graph.as_deref().map(graph::read).transpose()?;
    let walk = recording::walk_of(recorded, path)?;
    Ok(Arc::new(Walker::new(&graph.unwrap_or_default(), walk)))
}

fn broken(path: &Path, trouble: &GeneratorError) -> Problem {
    // A generator that was stopped has not failed.
    if signals::is_halted() {
        return signals::stopped();
    }
    let what = format!("the generator cannot replay `{}`", path.display());
    Problem::new(Exit::Test, what)
        .because(trouble)
        .hint("try the generator with random choices: `nubbin generate choices`")
}

fn differs(first: Option<&Run>, second: Option<&Run>) -> Problem {
    let shown = |run: Option<&Run>| match run {
        None => "nothing".to_owned(),
        Some(run) => {
            let text = String::from_utf8_lossy(&run.text);
            format!(
                "{} choices, `{}`",
                run.choices.len(),
                text.chars().take(60).collect::<String>()
            )
        }
    };
    let what = "the generator produces different inputs from the same choices";
    Problem::new(Exit::Test, what)
        .hint(format!(
            "at first: {}\nthen:     {}",
            shown(first),
            shown(second)
        ))
        .hint(
            "everything that the generator does randomly or by time must come from its choices; \
             if it \
             generates several inputs one after the other, it must start each from scratch",
        )
}
