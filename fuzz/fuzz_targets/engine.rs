//! The engine with passes that propose any edits: the result fails, and it and the number of tests
//! are the same for one worker and for three.
//!
//! An input is a byte for the test, one for the number of passes, and then splices of four bytes
//! each: start, length, new text, and the edit and the pass that it belongs to.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_reduce::Closure;
use nubbin_reduce::edit::{Edit, Splice};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Context, Pass, PassInfo};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::span::Span;
use nubbin_reduce::work::{List, Proposals, Work};
use std::sync::Arc;

const TEXT: &[u8] = b"a(b[c]d{e}f)g\nh 12 ij 345 k\n\tl m no\np;q;r;st\nuvwx yz\n";

const NAMES: [&str; 3] = ["first", "second", "third"];

/// The limit on the number of tests of a run.
const MAX_TESTS: u64 = 60;

/// A pass that proposes edits at the same places of any text.
struct Random {
    name: &'static str,
    splices: Vec<[u8; 4]>,
}

impl Pass for Random {
    fn info(&self) -> PassInfo {
        PassInfo::new(self.name, "proposes any edits", "this target")
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let len = file.text.len();
        let splice = |part: &[u8; 4]| {
            let start = usize::from(part[0]) % (len + 1);
            let end = start + usize::from(part[1]) % (len - start + 1);
            let text = vec![b'a' + part[2] % 3; usize::from(part[2] % 4)];
            Splice::replace(Span::at(file.span.start, start..end), &text)
        };
        let groups = self.splices.chunk_by(|one, other| one[3] / 4 == other[3] / 4);
        let edits = groups.filter_map(|group| Edit::new(group.iter().map(splice)).ok());
        let edits: Vec<Edit> = edits.filter(|edit| !edit.is_none()).collect();
        (!edits.is_empty()).then(|| Work::List(List::new(Proposals::new(edits)).try_all()))
    }
}

/// Returns whether a text fails, by its bytes alone.
fn fails(text: &[u8], test: u8) -> bool {
    let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
    match test % 4 {
        0 => text.contains(&b'k'),
        1 => sum.is_multiple_of(2) || text.len() == TEXT.len(),
        2 => text.windows(2).any(|pair| pair == b"st") && text.contains(&b'a'),
        _ => !sum.is_multiple_of(u32::from(test / 4) + 2) || text.len() == TEXT.len(),
    }
}

fn run(test: u8, splices: &[[u8; 4]], passes: usize, workers: usize) -> Outcome {
    let passes = NAMES.iter().take(passes).zip(0_u8..).map(|(name, number)| {
        let own = splices.iter().filter(|part| part[3] % 4 % passes as u8 == number);
        let splices = own.copied().collect();
        Arc::new(Random { name, splices }) as Arc<dyn Pass>
    });
    let oracle = Closure::new(|text: &[u8]| fails(text, test));
    let input = Input::single("text", TEXT).expect("it is small");
    Reduction::new(input, &oracle, Plan::of(passes.collect()))
        .max_tests(MAX_TESTS)
        .jobs(workers)
        .run()
        .expect("the original fails")
}

fuzz_target!(|data: &[u8]| {
    let Some(([test, passes], rest)) = data.split_first_chunk::<2>() else { return };
    if !fails(TEXT, *test) {
        return;
    }
    let (splices, _) = rest.as_chunks::<4>();
    let passes = usize::from(passes % 3) + 1;
    let one = run(*test, splices, passes, 1);
    assert!(fails(one.input.bytes(), *test));
    assert!(one.input.size() <= TEXT.len());
    let three = run(*test, splices, passes, 3);
    assert_eq!(one.input.bytes(), three.input.bytes());
    assert_eq!(one.statistics.tests, three.statistics.tests);
});
