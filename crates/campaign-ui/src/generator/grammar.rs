//! `generate = "grammar …"`: texts of a grammar.

use super::seed;
use super::setting::Setting;
use crate::flags::GenerateGrammarFlags;
use crate::generate::generator;
use crate::grammar;
use crate::problem::Problem;
use crate::reducer::ReductionMethod;
use nubbin_campaign::{FuzzError, Made, Source, Test};
use nubbin_generate::Generator;
use nubbin_grammar::parse::Parser;
use nubbin_verdict::Cancel;
use std::sync::Arc;

struct Texts {
    generator: Generator,
    seed: u64,
}

pub(super) fn source(
    setting: &Setting<'_>,
    flags: &GenerateGrammarFlags,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    let grammar = Arc::new(grammar::grammar(&flags.grammar)?);
    let generator = generator(flags, Arc::clone(&grammar))?;
    // A grammar can generate texts even if no parser can be built for it.
    let way = match Parser::new(grammar) {
        Ok(parser) => ReductionMethod::Tree(Arc::new(parser)),
        Err(_) => ReductionMethod::Text,
    };
    let seed = setting.own_seed(flags.texts.seed);
    Ok((Box::new(Texts { generator, seed }), way))
}

impl Source for Texts {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let mut choices = seed::choices(self.seed, position);
        let text = self.generator.generate(&mut choices);
        Ok(match choices.is_rejected() {
            true => Made::Nothing,
            false => Made::Test(Test::new(text)),
        })
    }
}
