//! `generate = "random …"`: random characters.

use super::seed;
use super::setting::Setting;
use crate::exit::Exit;
use crate::flags::GenerateRandomFlags;
use crate::problem::Problem;
use crate::reducer::ReductionMethod;
use nubbin_campaign::{FuzzError, Made, Source, Test};
use nubbin_generate::RandomFuzzer;
use nubbin_verdict::Cancel;

struct Random {
    fuzzer: RandomFuzzer,
    seed: u64,
}

pub(super) fn source(
    setting: &Setting<'_>,
    flags: &GenerateRandomFlags,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    let fuzzer = RandomFuzzer {
        min_length: flags.min_length,
        max_length: flags.max_length,
        char_start: flags.char_start,
        char_range: flags.char_range,
    };
    fuzzer
        .check()
        .map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
    let seed = setting.own_seed(flags.texts.seed);
    Ok((Box::new(Random { fuzzer, seed }), ReductionMethod::Text))
}

impl Source for Random {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let mut choices = seed::choices(self.seed, position);
        Ok(Made::Test(Test::new(self.fuzzer.generate(&mut choices))))
    }
}
