use super::output::Output;
use crate::choices::Recorded;
use crate::exit::Exit;
use crate::flags::{GenerateMutateFlags, GenerateRandomFlags, MutationFlags};
use crate::grammar::bytes;
use crate::problem::Problem;
use nubbin_generate::{Choices, MutationFuzzer, RandomFuzzer};
use std::path::PathBuf;

/// Returns the record of a generator without recorded choices.
fn nothing() -> Recorded {
    Recorded {
        choices: vec![],
        recipe: None,
    }
}

pub(super) fn random(options: &GenerateRandomFlags) -> Result<Exit, Problem> {
    let fuzzer = RandomFuzzer {
        min_length: options.min_length,
        max_length: options.max_length,
        char_start: options.char_start,
        char_range: options.char_range,
    };
    fuzzer
        .check()
        .map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
    let mut output = Output::new(&options.texts, None)?;
    let mut choices = Choices::seeded(options.texts.seed);
    for _ in 0..options.texts.count {
        if output.is_closed() {
            break;
        }
        choices.forget();
        output.put(&fuzzer.generate(&mut choices), nothing)?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

pub(super) fn mutate(options: &GenerateMutateFlags) -> Result<Exit, Problem> {
    let fuzzer = mutation(&options.seeds, &options.mutation)?;
    let mut output = Output::new(&options.texts, None)?;
    let mut choices = Choices::seeded(options.texts.seed);
    for number in 0..options.texts.count {
        if output.is_closed() {
            break;
        }
        choices.forget();
        output.put(&fuzzer.generate(number, &mut choices), nothing)?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// Returns a mutator of files and of the files in folders.
pub(super) fn mutation(
    paths: &[PathBuf],
    options: &MutationFlags,
) -> Result<MutationFuzzer, Problem> {
    if options.min_mutations > options.max_mutations {
        let what = format!(
            "the smallest number of mutations, {}, exceeds the largest, {}",
            options.min_mutations, options.max_mutations
        );
        return Err(Problem::new(Exit::Usage, what));
    }
    let mut seeds = vec![];
    for path in paths {
        if path.is_dir() {
            for file in super::samples::samples(path, "mutate")? {
                seeds.push(bytes(&file)?);
            }
        } else {
            seeds.push(bytes(path)?);
        }
    }
    let words = match &options.dictionary {
        None => vec![],
        Some(path) => bytes(path)?
            .split(|&byte| byte == b'\n')
            .filter(|word| !word.is_empty())
            .map(<[u8]>::to_vec)
            .collect(),
    };
    let fuzzer =
        MutationFuzzer::new(seeds).map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
    Ok(fuzzer
        .dictionary(words)
        .mutations(options.min_mutations, options.max_mutations))
}
