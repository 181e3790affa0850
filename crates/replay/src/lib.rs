//! Passes over the choices of a generator.
//!
//! The input is not a text but an encoded [sequence of choices](nubbin_choices). A [replay](Replay)
//! of the sequence gives its text. A pass proposes other sequences. Each sequence is replayed at
//! once, so that the proposal contains only the choices that the generator used: it is shorter if
//! the generator ended sooner, and its values fit the questions. A proposal that is not simpler
//! than the current sequence costs a replay and no test. The second of two proposals with the same
//! text costs no test either. [`Judge`] is the oracle for such inputs.
//!
//! Each pass has its own file. A pass receives the recorded run, with the kind of each choice and
//! the spans of choices that belong together.
//!
//! ```
//! use nubbin_choices::{Replay, decode, encode_run};
//! use nubbin_generate::{Choices, Function};
//! use nubbin_reduce::engine::Reduction;
//! use nubbin_reduce::input::Input;
//! use nubbin_reduce::pass::choices::{Judge, plan};
//! use nubbin_verdict::Closure;
//! use std::sync::Arc;
//!
//! // A generator: lists of numbers, sorted.
//! let sorted = Function::new(|choices: &mut Choices| {
//!     let mut list = choices.list(0..=20, |choices| choices.integer(0..=999));
//!     list.sort();
//!     format!("{list:?}").into_bytes()
//! });
//! // A test, and a run that fails.
//! let fails = |text: &[u8]| text.split(|&byte| byte == b',').count() > 2;
//! let run = (0..).filter_map(|seed| sorted.record(seed)).find(|run| fails(&run.text)).unwrap();
//!
//! let replay: Arc<dyn Replay> = Arc::new(sorted);
//! let test = Closure::new(fails);
//! let judge = Judge::new(Arc::clone(&replay), &test, "list.txt");
//! let input = Input::single("choices", encode_run(&run))?;
//! let outcome = Reduction::new(input, &judge, plan(&replay)).run()?;
//! let small = replay.replay(&decode(outcome.input.bytes())?).unwrap();
//! assert_eq!(small.text, b"[0, 0, 0]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * *Source:* D. R. MacIver, A. F. Donaldson, "Test-Case Reduction via Test-Case Generation",
//!   ECOOP 2020, and the shrinkers of Hypothesis and hegel. Each pass names the parts that it takes
//!   from them, and its differences.

#![deny(missing_docs)]

mod blank;
mod branch;
mod choice_subject;
mod chunks;
mod ddmin;
mod ddmin_aligned;
mod ddmin_nop;
mod descend;
mod discards;
mod equal;
mod grow;
mod judge;
mod lift;
mod machine;
mod r#move;
mod offset;
mod order;
mod pairs;
mod prefix;
mod raise;
mod renumber;
mod repair;
mod repeats;
mod sites;
mod spans;
mod together;
mod tree;
mod value;
mod values;
mod zero;

pub use blank::Blank;
pub use branch::Branch;
pub use choice_subject::{ChoiceSubject, DrawValue};
pub use chunks::Chunks;
pub use ddmin::Ddmin;
pub use ddmin_aligned::DdminAligned;
pub use ddmin_nop::DdminNop;
pub use discards::Discards;
pub use equal::Equal;
pub use judge::Judge;
pub use lift::LiftSpans;
pub use r#move::Move;
pub use offset::Offset;
pub use order::OrderSpans;
pub use prefix::Prefix;
pub use raise::Raise;
pub use renumber::Renumber;
pub use repair::Repair;
pub use repeats::Repeats;
pub use spans::Spans;
pub use together::Together;
pub use values::Values;
pub use zero::Zero;

use nubbin_choices::Replay;
use nubbin_engine::order::Order;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use nubbin_minimize::MinimizerChoice;
use std::sync::Arc;

/// Returns all passes over choices for a generator.
pub fn catalogue(replay: &Arc<dyn Replay>) -> Vec<Arc<dyn Pass>> {
    let replay = || Arc::clone(replay);
    vec![
        Arc::new(Prefix::new(replay())),
        Arc::new(Discards::new(replay())),
        Arc::new(Spans::new(replay())),
        Arc::new(LiftSpans::new(replay())),
        Arc::new(Zero::new(replay())),
        Arc::new(Blank::new(replay())),
        Arc::new(Repeats::new(replay())),
        Arc::new(Equal::new(replay())),
        Arc::new(Values::new(replay())),
        Arc::new(OrderSpans::new(replay())),
        Arc::new(Chunks::new(replay())),
        Arc::new(Repair::new(replay())),
        Arc::new(Renumber::new(replay())),
        Arc::new(Raise::new(replay())),
        Arc::new(Move::new(replay())),
        Arc::new(Together::new(replay())),
        Arc::new(Offset::new(replay())),
        Arc::new(Branch::new(replay())),
        Arc::new(Ddmin::new(replay())),
        Arc::new(DdminNop::new(replay())),
        Arc::new(DdminAligned::new(replay())),
    ]
}

/// Returns the default plan for choices.
pub fn plan(replay: &Arc<dyn Replay>) -> Plan {
    let replay = || Arc::clone(replay);
    let tier = |name, repeat, passes| Tier {
        name,
        repeat,
        passes,
    };
    let tiers = vec![
        tier(
            "start",
            Repeat::Opening,
            vec![
                Arc::new(Discards::new(replay())) as Arc<dyn Pass>,
                Arc::new(Prefix::new(replay())),
            ],
        ),
        tier(
            "structure",
            Repeat::Fixpoint,
            vec![
                Arc::new(Discards::new(replay())) as Arc<dyn Pass>,
                Arc::new(Spans::new(replay())),
                Arc::new(LiftSpans::new(replay())),
                Arc::new(Zero::new(replay())),
                Arc::new(Repeats::new(replay())),
            ],
        ),
        tier(
            "values",
            Repeat::Fixpoint,
            vec![
                Arc::new(Blank::new(replay())) as Arc<dyn Pass>,
                Arc::new(Equal::new(replay())),
                Arc::new(Values::new(replay())),
                Arc::new(OrderSpans::new(replay())),
            ],
        ),
        tier(
            "repairs",
            Repeat::Fixpoint,
            vec![
                Arc::new(Chunks::new(replay())) as Arc<dyn Pass>,
                Arc::new(Renumber::new(replay())),
                Arc::new(Raise::new(replay())),
                Arc::new(Repair::new(replay())),
                Arc::new(Move::new(replay())),
                Arc::new(Together::new(replay())),
                Arc::new(Offset::new(replay())),
                Arc::new(Branch::new(replay())),
            ],
        ),
    ];
    let mut plan = Plan::new("choices", tiers);
    plan.thorough = true;
    plan.with_order(Order::choices())
}

/// Returns a plan of one pass, run once.
pub fn single(pass: Arc<dyn Pass>) -> Plan {
    let name = pass.id().into();
    let mut plan = Plan::single(pass, MinimizerChoice::default());
    plan.name = name;
    plan.with_order(Order::choices())
}

#[cfg(test)]
mod testing;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
