//! The pipeline as data: which passes run, in which order, and when to stop.

use crate::list_minimizer::MinimizerChoice;
use crate::order::Order;
use crate::pass::Pass;
use std::sync::Arc;

/// A pipeline of passes.
///
/// Tiers are climbed down one by one: a tier runs until it finds nothing more, then the next one
/// is tried, and whenever a lower tier finds something, the run goes back up to the first tier
/// that repeats. Passes that cost many tests and save few bytes stand low, so that they only see
/// a text that is small already.
#[derive(Clone)]
pub struct Plan {
    /// Name in logs and statistics: `auto`, or the list algorithm.
    pub name: String,
    /// The tiers, the coarsest first.
    pub tiers: Vec<Tier>,
    /// The list algorithm for every list that does not ask for one itself.
    pub algorithm: MinimizerChoice,
    /// Whether `algorithm` was named by the user and so overrides what passes ask for.
    pub insist: bool,
    /// Whether, before the end, everything that failed is tried once more, also where nothing near it
    /// has changed since. Otherwise only passes that [try
    /// everything](crate::pass::Pass::tries_everything) do.
    pub thorough: bool,
    /// Which of two failing inputs is better.
    pub order: Order,
}

/// Passes of similar cost.
#[derive(Clone)]
pub struct Tier {
    /// Name in logs.
    pub name: &'static str,
    /// In the order they run.
    pub passes: Vec<Arc<dyn Pass>>,
    /// When the tier has done its work.
    pub repeat: Repeat,
}

/// When a tier has done its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// After each pass has run once, as long as it saves much; the run never comes back to it. For
    /// the first cuts of a plan that will look again.
    Opening,
    /// As [`Repeat::Opening`], but only as long as it saves very much: for what is worth its tests on some
    /// inputs and not on others.
    Glance,
    /// In turns, as long as they save much; the run never comes back to it. Whenever a pass has found
    /// something, those before it are looked at again before it goes on. For the first cuts of a plan, the
    /// coarsest first: what a finer one takes out is often what a coarser one could not do without.
    Turns,
    /// After each pass has run once, to its own end: for the published algorithms by themselves.
    Once,
    /// When no pass finds anything more. Passes that found something run again first; when none
    /// does, all run once more. A find sends the run back up to the first tier that repeats.
    Fixpoint,
    /// As [`Repeat::Fixpoint`], but a find never sends the run back up: for passes that only make
    /// the text prettier.
    Polish,
}

impl Plan {
    /// One pass with one list algorithm, run once: the published algorithms by themselves.
    pub fn single(pass: Arc<dyn Pass>, algorithm: MinimizerChoice) -> Self {
        Plan {
            name: algorithm.to_string(),
            tiers: vec![Tier {
                name: "list",
                passes: vec![pass],
                repeat: Repeat::Once,
            }],
            algorithm,
            insist: true,
            thorough: true,
            order: Order::bytes(),
        }
    }

    /// These passes, in this order, repeated until none finds anything more.
    pub fn of(passes: Vec<Arc<dyn Pass>>) -> Self {
        Plan {
            name: "auto".into(),
            tiers: vec![Tier {
                name: "chosen",
                passes,
                repeat: Repeat::Fixpoint,
            }],
            algorithm: MinimizerChoice::default(),
            insist: false,
            thorough: true,
            order: Order::bytes(),
        }
    }

    /// All passes of the plan, each once, in order.
    pub fn passes(&self) -> impl Iterator<Item = &Arc<dyn Pass>> {
        self.tiers.iter().flat_map(|tier| &tier.passes)
    }

    /// Leaves passes out.
    pub fn without(&mut self, ids: &[&str]) {
        for tier in &mut self.tiers {
            tier.passes.retain(|pass| !ids.contains(&pass.id()));
        }
        self.tiers.retain(|tier| !tier.passes.is_empty());
    }
}
