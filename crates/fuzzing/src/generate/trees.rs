//! `nubbin generate mutate --grammar`: generates mutants of syntax trees.

use super::output::{Output, nothing};
use super::samples::{leave_out, seeds};
use crate::exit::Exit;
use crate::flags::{GenerateMutateFlags, MutationFlags};
use crate::grammar::{complete, wrong_grammar};
use crate::problem::{Problem, say};
use nubbin_generate::{Choices, Generator, LimitFuzzer, TreeFuzzer};
use nubbin_grammar::parse::ParseError;
use std::path::PathBuf;
use std::sync::Arc;

/// The number of consecutive attempts without a mutant after which the search for one ends.
const PATIENCE: u32 = 1_000;

pub(super) fn mutate(options: &GenerateMutateFlags) -> Result<Exit, Problem> {
    let mut fuzzer = fuzzer(&options.mutation)?;
    let seeds = fitting(&options.seeds, |text| fuzzer.add(text))?;
    let mut output = Output::new(&options.texts, None)?;
    let mut choices = Choices::seeded(options.texts.seed);
    let (mut made, mut in_vain) = (0, 0);
    let mut first = seeds.into_iter();
    while made < options.texts.count && !output.is_closed() {
        choices.forget();
        let Some(text) = first.next().or_else(|| fuzzer.mutant(&mut choices)) else {
            in_vain += 1;
            if in_vain == PATIENCE {
                break;
            }
            continue;
        };
        in_vain = 0;
        made += 1;
        output.put(&text, nothing)?;
    }
    let closed = output.is_closed();
    output.finish()?;
    if made < options.texts.count && !closed {
        say(&format!(
            "only {made} inputs were generated: none of the creators can change the files further"
        ));
    }
    Ok(Exit::Done)
}

/// Returns a fuzzer without parents.
pub fn fuzzer(options: &MutationFlags) -> Result<TreeFuzzer, Problem> {
    let paths = &options.grammar;
    let grammar = Arc::new(complete(paths, &options.notation)?);
    let algorithm = LimitFuzzer {
        max_depth: options.max_depth,
    };
    let generator =
        Generator::new(grammar, algorithm.into()).map_err(|error| wrong_grammar(paths, &error))?;
    let fuzzer = TreeFuzzer::new(generator).map_err(|error| wrong_grammar(paths, &error))?;
    Ok(match options.creator.is_empty() {
        true => fuzzer,
        false => fuzzer.creators(options.creator.clone()),
    })
}

/// Returns the files that fit the grammar, including files in folders.
pub fn fitting(
    paths: &[PathBuf],
    mut fits: impl FnMut(&[u8]) -> Result<(), ParseError>,
) -> Result<Vec<Vec<u8>>, Problem> {
    let files = seeds(paths)?;
    let count = files.len();
    let mut fitting = vec![];
    let mut misfits = vec![];
    for (path, text) in files {
        match fits(&text) {
            Ok(()) => fitting.push(text),
            Err(error) => misfits.push((path, error)),
        }
    }
    leave_out("mutate", &misfits, count)?;
    Ok(fitting)
}
