//! `generate = "mutate …"`: mutants of files, of bytes or of syntax trees.

use super::seed;
use super::setting::Setting;
use crate::flags::GenerateMutateFlags;
use crate::generate::{fitting, fuzzer, mutation};
use crate::problem::Problem;
use crate::reducer::ReductionMethod;
use nubbin_campaign::{FuzzError, Made, Source, Test};
use nubbin_generate::{MutationFuzzer, TreeFuzzer};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::syntax::Syntax;
use nubbin_verdict::Cancel;
use std::sync::Arc;

struct Bytes {
    fuzzer: MutationFuzzer,
    seed: u64,
}

struct Trees {
    fuzzer: TreeFuzzer,
    /// The files themselves, which come first.
    files: Vec<Vec<u8>>,
    seed: u64,
}

pub(super) fn source(
    setting: &Setting<'_>,
    flags: &GenerateMutateFlags,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    let seed = setting.own_seed(flags.texts.seed);
    if flags.mutation.grammar.is_empty() {
        let fuzzer = mutation(&flags.seeds, &flags.mutation)?;
        return Ok((Box::new(Bytes { fuzzer, seed }), ReductionMethod::Text));
    }
    let mut fuzzer = fuzzer(&flags.mutation)?;
    let files = fitting(&flags.seeds, |text| fuzzer.add(text))?;
    let syntax = Arc::<Parser>::clone(fuzzer.parser()) as Arc<dyn Syntax>;
    let trees = Trees {
        fuzzer,
        files,
        seed,
    };
    Ok((Box::new(trees), ReductionMethod::Tree(syntax)))
}

impl Source for Bytes {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let mut choices = seed::choices(self.seed, position);
        let text = self.fuzzer.generate(position, &mut choices);
        Ok(Made::Test(Test::new(text)))
    }
}

impl Source for Trees {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let file = usize::try_from(position).ok();
        if let Some(text) = file.and_then(|file| self.files.get(file)) {
            return Ok(Made::Test(Test::new(&**text)));
        }
        let mut choices = seed::choices(self.seed, position);
        let mutant = self.fuzzer.mutant(&mut choices);
        Ok(mutant.map_or(Made::Nothing, |text| Made::Test(Test::new(text))))
    }
}
