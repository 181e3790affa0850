use super::output::Output;
use crate::choices::{self, External, GeneratorError, Recorded, to_json};
use crate::exit::Exit;
use crate::flags::GenerateChoicesFlags;
use crate::problem::{Problem, say};
use crate::{sandbox, signals};
use nubbin_generate::nubbin_choices::Run;
use nubbin_oracle::TestCommand;

/// The number of consecutive rejections after which the command gives up.
const PATIENCE: u32 = 1_000;

pub(super) fn run(options: &GenerateChoicesFlags) -> Result<Exit, Problem> {
    signals::end_on_signals()?;
    let here = std::env::current_dir().map_err(|error| {
        Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
    })?;
    let command = TestCommand::new(options.command.clone(), &here).map_err(|error| {
        Problem::new(Exit::Usage, "the generator cannot be run").because(&error)
    })?;
    let external = External::new(
        command,
        &options.external,
        sandbox::of(&options.sandbox.clone().into(), false)?,
        1,
    )?;
    let mut output = Output::new(&options.texts, options.record.as_deref())?;
    if let Some(recording) = &options.replay {
        for (at, line) in choices::read(recording)?.iter().enumerate() {
            let values = choices::values(line, recording)?;
            let run = external
                .run(&values)
                .map_err(|trouble| broken(&trouble, None))?;
            let Some(run) = run else {
                let what = format!(
                    "the generator rejects line {} of `{}`",
                    at + 1,
                    recording.display()
                );
                return Err(Problem::new(Exit::Input, what));
            };
            output.put(&run.text, || recorded(&run))?;
        }
        output.finish()?;
        return Ok(Exit::Done);
    }
    let (mut made, mut tries, mut in_vain) = (0, 0u64, 0);
    while made < options.texts.count && !output.is_closed() {
        let seed = options
            .texts
            .seed
            .wrapping_add(tries.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        tries += 1;
        let run = external
            .record(seed, options.bytes)
            .map_err(|trouble| broken(&trouble, Some(made)))?;
        let Some(run) = run else {
            in_vain += 1;
            if in_vain == PATIENCE {
                break;
            }
            continue;
        };
        in_vain = 0;
        made += 1;
        output.put(&run.text, || recorded(&run))?;
    }
    let closed = output.is_closed();
    output.finish()?;
    if made < options.texts.count && !closed {
        let what = format!("the generator rejected {PATIENCE} sequences in a row");
        return Err(Problem::new(Exit::Input, what).hint(
            "the generator may need more choices (`--max-choices`), or accept only few \
            sequences",
        ));
    }
    let rejected = tries - made;
    if rejected > made && !closed {
        say(&format!(
            "the generator rejected {rejected} of {tries} sequences"
        ));
    }
    Ok(Exit::Done)
}

fn recorded(run: &Run) -> Recorded {
    let values = run.choices.iter().map(|choice| to_json(&choice.value));
    Recorded {
        choices: values.collect(),
        recipe: None,
    }
}

fn broken(trouble: &GeneratorError, made: Option<u64>) -> Problem {
    let problem = Problem::new(Exit::Test, "the generator is broken").because(trouble);
    match made {
        Some(0) | None => problem.hint(
            "a generator reads a line `\"begin\"`, writes requests such as {\"choose\": 3} and \
            reads the \
             answers, and writes {\"done\": \"the input\"}; `--protocol bytes` is for one that \
             reads bytes",
        ),
        Some(made) => problem.hint(format!(
            "the generator finished {made} inputs before this error"
        )),
    }
}
