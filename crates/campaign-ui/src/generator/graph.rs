//! `generate = "graph …"`: batches of expressions of a prototype graph.

use super::choices;
use super::setting::Setting;
use crate::choices::{Recipe as Walk, Recorded, to_json};
use crate::exit::Exit;
use crate::flags::GenerateGraphFlags;
use crate::fuzz::{Expression, expressions, script};
use crate::graph;
use crate::problem::Problem;
use crate::program::Built;
use crate::reducer::{Recipe, ReductionMethod, Wrap};
use nubbin_campaign::{FuzzError, Made, Source, Test};
use nubbin_generate::nubbin_choices::Run;
use nubbin_graph::{Language, WalkOptions, Walker};
use nubbin_verdict::Cancel;
use std::sync::Arc;

/// The expressions of a batch, as in `nubbin fuzz`.
const BATCH: u64 = 100;
/// The expressions that are run together to find the one that is to blame.
const PART: usize = 10;
/// The last line of a batch.
const LAST: &str = "nubbin-campaign end";

struct Walks {
    walker: Arc<Walker>,
    walk: WalkOptions,
    /// The language of the engine.
    language: Language,
    /// The function that prints in the engine.
    print: String,
    /// Makes the script of one expression.
    wrap: Wrap,
    batch: u64,
    seed: u64,
}

pub(super) fn source(
    setting: &Setting<'_>,
    flags: &GenerateGraphFlags,
    built: &Built,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    let profile = built.profile.clone().ok_or_else(|| {
        Problem::new(
            Exit::Usage,
            format!("`{}` has no profile of an engine", built.program.name()),
        )
        .hint("write `engine = \"NAME\"` in the table of the program")
    })?;
    let graph = graph::read(&flags.graph)?;
    let walker = Arc::new(graph::walker(&graph, &flags.walk)?);
    let walk = walker.options();
    let print = profile.probed.print.clone();
    let language = profile.language();
    let wrap: Wrap = Arc::new(move |text: &[u8]| profile.script(text));
    let recipe = Recipe {
        replay: Arc::<Walker>::clone(&walker),
        read: choices::values,
        write: Arc::new(move |run: &Run| {
            let values = run.choices.iter().map(|choice| to_json(&choice.value));
            recorded(values.collect(), walk)
        }),
        wrap: Arc::clone(&wrap),
    };
    let source = Walks {
        walker,
        walk,
        language,
        print,
        wrap,
        batch: flags.batch.map_or(BATCH, u64::from),
        seed: setting.own_seed(flags.texts.seed),
    };
    Ok((Box::new(source), ReductionMethod::Choices(recipe)))
}

impl Walks {
    /// Returns several expressions as one test.
    fn several(&self, expressions: &[Expression], parts: Vec<Test>) -> Test {
        let mut text = script(self.language, expressions);
        text.extend_from_slice(format!("{}(\"{LAST}\");\n", self.print).as_bytes());
        Test {
            count: expressions.len() as u64,
            parts,
            last_line: Some(LAST.to_owned()),
            ..Test::new(text)
        }
    }

    fn single(&self, expression: &Expression) -> Test {
        let choices = expression.choices.iter();
        let recipe = recorded(choices.map(|&choice| choice.into()).collect(), self.walk);
        Test {
            recipe: Some(recipe),
            ..Test::new((self.wrap)(&expression.text))
        }
    }
}

impl Source for Walks {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let all = expressions(&self.walker, self.seed, position, self.batch, u64::MAX);
        let parts = all.chunks(PART).map(|part| {
            let singles = part.iter().map(|expression| self.single(expression));
            self.several(part, singles.collect())
        });
        Ok(Made::Test(self.several(&all, parts.collect())))
    }
}

fn recorded(choices: Vec<serde_json::Value>, walk: WalkOptions) -> String {
    let recorded = Recorded {
        choices,
        recipe: Some(Walk::Walk(walk)),
    };
    serde_json::to_string(&recorded).unwrap_or_default()
}
