//! `nubbin generate grammar`: generates texts from a grammar.

use super::output::Output;
use super::samples::{leave_out, samples};
use crate::choices::{self, Recipe, Recorded};
use crate::exit::Exit;
use crate::flags::{Expansion, GenerateGrammarFlags};
use crate::grammar::{bytes, grammar, wrong_grammar};
use crate::problem::{Problem, say};
use nubbin_generate::{
    Algorithm, Choices, Generator, GrammarFuzzer, LimitFuzzer, SizeTarget, Weights,
};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The number of consecutive attempts without a text after which the search for one ends:
/// duplicates with `--unique`, and texts that the lexer would divide into other tokens.
const PATIENCE: u32 = 10_000;

pub(super) fn run(options: &GenerateGrammarFlags) -> Result<Exit, Problem> {
    let grammar = Arc::new(grammar(&options.grammar)?);
    if options.learn.is_some() && options.record.is_some() && grammar.lexing().is_some() {
        return Err(Problem::new(
            Exit::Usage,
            "choices among learned words cannot be recorded: they mean nothing without the samples",
        )
        .hint("leave out `--learn` or `--record`"));
    }
    let generator = generator(options, grammar)?;
    let recipe = Some(Recipe::from(algorithm(options)));
    let recorded = |choices: &[u32]| Recorded {
        choices: choices.iter().map(|&choice| choice.into()).collect(),
        recipe,
    };
    let mut output = Output::new(&options.texts, options.record.as_deref())?;
    if let Some(recording) = &options.replay {
        for line in choices::read(recording)? {
            let mut choices = Choices::of(choices::values(&line, recording)?);
            let text = generator.generate(&mut choices);
            output.put(&text, || recorded(choices.recorded()))?;
        }
        output.finish()?;
        return Ok(Exit::Done);
    }
    let mut choices = Choices::seeded(options.texts.seed);
    let mut text = vec![];
    let mut seen = HashSet::new();
    let (mut made, mut in_vain) = (0, 0);
    let mut rejected = 0u64;
    while made < options.texts.count && !output.is_closed() {
        choices.forget();
        text.clear();
        generator.generate_into(&mut choices, &mut text);
        let is_rejected = choices.is_rejected();
        rejected += u64::from(is_rejected);
        if is_rejected || (options.unique && !seen.insert(text.clone())) {
            in_vain += 1;
            if in_vain == PATIENCE {
                break;
            }
            continue;
        }
        in_vain = 0;
        made += 1;
        output.put(&text, || recorded(choices.recorded()))?;
    }
    let closed = output.is_closed();
    output.finish()?;
    if made < options.texts.count && !closed {
        let what = match options.unique {
            true => "different inputs",
            false => "inputs",
        };
        say(&format!(
            "only {made} {what} were found, and {PATIENCE} more attempts found no others: the \
             grammar may have no others \
             within these limits"
        ));
    }
    if rejected > made {
        say(&format!(
            "{rejected} more attempts produced no input that the lexer rules divide into the \
             chosen tokens"
        ));
    }
    Ok(Exit::Done)
}

/// Returns the generator of texts of a grammar.
pub fn generator(
    options: &GenerateGrammarFlags,
    grammar: Arc<Grammar>,
) -> Result<Generator, Problem> {
    let weights = weights(options, &grammar)?;
    Ok(Generator::new(grammar, algorithm(options))
        .map_err(|error| wrong_grammar(&options.grammar.grammar, &error))?
        .max_tokens(options.max_tokens.unwrap_or(u64::MAX))
        .weights(weights))
}

fn algorithm(options: &GenerateGrammarFlags) -> Algorithm {
    match (options.size, options.algorithm) {
        (Some(bytes), _) => SizeTarget { bytes }.into(),
        (None, Expansion::GrammarFuzzer) => GrammarFuzzer {
            min_nonterminals: options.min_nonterminals,
            max_nonterminals: options.max_nonterminals.max(options.min_nonterminals),
        }
        .into(),
        (None, Expansion::LimitFuzzer) => LimitFuzzer {
            max_depth: options.max_depth,
        }
        .into(),
    }
}

fn weights(options: &GenerateGrammarFlags, grammar: &Arc<Grammar>) -> Result<Weights, Problem> {
    let mut weights = Weights::equal(grammar);
    if let Some(path) = &options.weights {
        let unusable = |error: &(dyn std::error::Error + 'static)| {
            let what = format!("cannot use the weights `{}`", path.display());
            Problem::new(Exit::Input, what)
                .because(error)
                .hint("write {\"<rule>\": [3, 1, 1]}, with one number per alternative")
        };
        let given: BTreeMap<String, Vec<f32>> =
            serde_json::from_slice(&bytes(path)?).map_err(|error| unusable(&error))?;
        for (name, numbers) in given {
            let bare = name.trim_start_matches('<').trim_end_matches('>');
            let set = weights.set(grammar, bare, numbers);
            set.map_err(|error| unusable(&error))?;
        }
    }
    if let Some(folder) = &options.learn {
        learn(&mut weights, folder, options, grammar)?;
    }
    Ok(weights)
}

/// Learns from the files of a folder. Files that do not fit the grammar are left out.
fn learn(
    weights: &mut Weights,
    folder: &Path,
    options: &GenerateGrammarFlags,
    grammar: &Arc<Grammar>,
) -> Result<(), Problem> {
    let parser = Parser::new(grammar.clone())
        .map_err(|error| wrong_grammar(&options.grammar.grammar, &error))?;
    let samples = samples(folder, "learn from")?;
    let count = samples.len();
    let mut misfits = vec![];
    for path in samples {
        if let Err(error) = weights.learn(&parser, &bytes(&path)?) {
            misfits.push((path, error));
        }
    }
    leave_out("learn from", &misfits, count)
}
