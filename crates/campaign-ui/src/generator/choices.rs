//! `generate = "choices -- COMMAND"`: a generator outside that draws choices.

use super::seed;
use super::setting::{Setting, broken};
use crate::choices::{External, Recorded, from_json, to_json};
use crate::exit::Exit;
use crate::flags::GenerateChoicesFlags;
use crate::problem::Problem;
use crate::reducer::{Recipe, ReductionMethod};
use crate::sandbox;
use nubbin_campaign::{FuzzError, Made, Source, Test};
use nubbin_generate::nubbin_choices::{Run, Value};
use nubbin_oracle::TestCommand;
use nubbin_verdict::Cancel;
use std::sync::Arc;

struct Outside {
    name: String,
    external: Arc<External>,
    bytes: u32,
    seed: u64,
}

pub(super) fn source(
    setting: &Setting<'_>,
    flags: &GenerateChoicesFlags,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    let around = setting.around;
    let command = TestCommand::new(flags.command.clone(), around.folder).map_err(|error| {
        Problem::new(Exit::Usage, "the generator cannot be run").because(&error)
    })?;
    let sandbox = sandbox::of(&flags.sandbox.clone().into(), around.is_quiet)?;
    let external = Arc::new(External::new(
        command,
        &flags.external,
        sandbox,
        around.cores,
    )?);
    let recipe = Recipe {
        replay: Arc::<External>::clone(&external),
        read: values,
        write: Arc::new(written),
        wrap: Arc::new(<[u8]>::to_vec),
    };
    let source = Outside {
        name: setting.name.to_owned(),
        external,
        bytes: flags.bytes,
        seed: setting.own_seed(flags.texts.seed),
    };
    Ok((Box::new(source), ReductionMethod::Choices(recipe)))
}

impl Source for Outside {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let run = self
            .external
            .record(seed::of(self.seed, position), self.bytes)
            .map_err(|error| broken(&self.name, error.to_string()))?;
        Ok(run.map_or(Made::Nothing, |run| {
            Made::Test(Test {
                recipe: Some(written(&run)),
                ..Test::new(run.text)
            })
        }))
    }
}

/// Reads the values of a recording.
pub(super) fn values(text: &str) -> Option<Vec<Value>> {
    let recorded: Recorded = serde_json::from_str(text).ok()?;
    recorded.choices.iter().map(from_json).collect()
}

fn written(run: &Run) -> String {
    let values = run.choices.iter().map(|choice| to_json(&choice.value));
    let recorded = Recorded {
        choices: values.collect(),
        recipe: None,
    };
    serde_json::to_string(&recorded).unwrap_or_default()
}
