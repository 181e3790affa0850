use super::output::{Output, nothing};
use super::samples::seeds;
use crate::exit::Exit;
use crate::flags::{GenerateMutateFlags, GenerateRandomFlags, MutationFlags, NotationFlags};
use crate::grammar::bytes;
use crate::problem::Problem;
use nubbin_generate::{Choices, MutationFuzzer, RandomFuzzer};
use std::path::PathBuf;

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

/// Returns a fuzzer that mutates the given files, and the files in the given folders.
pub fn mutation(paths: &[PathBuf], options: &MutationFlags) -> Result<MutationFuzzer, Problem> {
    if options.min_mutations > options.max_mutations {
        let what = format!(
            "the smallest number of mutations, {}, exceeds the largest, {}",
            options.min_mutations, options.max_mutations
        );
        return Err(Problem::new(Exit::Usage, what));
    }
    without_grammar(&options.notation)?;
    let seeds = seeds(paths)?.into_iter().map(|(_, text)| text).collect();
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

/// Refuses options about a grammar where there is none.
fn without_grammar(notation: &NotationFlags) -> Result<(), Problem> {
    let given = [
        (notation.start.is_some(), "--start"),
        (notation.grammar_format.is_some(), "--grammar-format"),
        (!notation.predicate.is_empty(), "--predicate"),
    ];
    match given.iter().find(|(given, _)| *given) {
        None => Ok(()),
        Some((_, flag)) => {
            let what = format!("`{flag}` applies to a grammar, but no grammar is given");
            Err(Problem::new(Exit::Usage, what).hint("give one with `--grammar`"))
        }
    }
}
