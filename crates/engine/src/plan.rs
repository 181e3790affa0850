//! Plans: which passes run, in which order, and when to stop, as data.

use crate::order::Order;
use crate::work::{Facts, Pass};
use nubbin_minimize::MinimizerChoice;
use std::sync::Arc;

/// A plan of passes.
///
/// A tier runs until it finds nothing more, then the next one is tried. Whenever a lower tier finds
/// something, the run returns to the first tier that repeats. Passes that cost many tests and save
/// few bytes are in the lower tiers, so that they only see a text that is already small.
#[derive(Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The name in logs and statistics: `auto`, or the list minimizer.
    pub name: String,
    /// The tiers, the coarsest first.
    pub tiers: Vec<Tier>,
    /// The list minimizer for every list. If there is none, each list has the default one, and a
    /// tree reducer the one of its publication.
    pub algorithm: Option<MinimizerChoice>,
    /// Whether all known failures are tried once more before the end, also those near which nothing
    /// has changed since. Otherwise only passes that [try
    /// everything](crate::work::PassInfo::tries_everything) do so.
    pub thorough: bool,
    /// The order that decides which of two failing inputs is better.
    pub order: Order,
    /// Facts about languages, for the passes that read them.
    pub facts: Facts,
}

/// Passes of similar cost.
#[derive(Clone)]
pub struct Tier {
    /// The name in logs.
    pub name: &'static str,
    /// The passes in the order they run.
    pub passes: Vec<Arc<dyn Pass>>,
    /// The condition that ends the tier.
    pub repeat: Repeat,
}

/// The condition that ends a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Ends after each pass has run once, for as long as it saves much. The run never returns to
    /// it. For the first cuts of a plan, whose passes run again later.
    Opening,
    /// The passes run in turns, for as long as they save much. The run never returns to it. The
    /// first turns are short, those of passes that save much are longer and come first. Whenever a
    /// pass has found something, those before it run again before it continues. For the first cuts
    /// of a plan, the coarsest first: a finer pass often removes parts that a coarser one needed.
    Turns,
    /// Ends after each pass has run once, to its own end. For the published algorithms by
    /// themselves.
    Once,
    /// Ends when no pass finds anything more. Passes that found something run again first; when
    /// none does, all run once more. A success returns the run to the first tier that repeats.
    Fixpoint,
    /// As [`Repeat::Fixpoint`], but a success never returns the run to an earlier tier. For passes
    /// that only make the text more readable. Tiers of a fixpoint behind such a tier polish as
    /// well.
    Polish,
}

impl Plan {
    /// Makes a plan of tiers, with the default of all else: the order by bytes, the list minimizer
    /// that each list has by default, and known failures that are not tried again.
    pub fn new(name: impl Into<String>, tiers: Vec<Tier>) -> Self {
        Plan {
            name: name.into(),
            tiers,
            algorithm: None,
            thorough: false,
            order: Order::bytes(),
            facts: Facts::default(),
        }
    }

    /// Makes a plan of one pass with one list minimizer, run once: the published algorithms by
    /// themselves.
    pub fn single(pass: Arc<dyn Pass>, algorithm: MinimizerChoice) -> Self {
        Plan::once("list", algorithm.to_string(), vec![pass], algorithm)
    }

    /// Makes a plan of one tier whose passes run once each.
    pub fn once(
        tier: &'static str,
        name: String,
        passes: Vec<Arc<dyn Pass>>,
        algorithm: MinimizerChoice,
    ) -> Self {
        let repeat = Repeat::Once;
        let mut plan = Plan::new(
            name,
            vec![Tier {
                name: tier,
                passes,
                repeat,
            }],
        );
        plan.algorithm = Some(algorithm);
        plan.thorough = true;
        plan
    }

    /// Makes a plan of these passes, in this order, repeated until none finds anything more.
    pub fn of(passes: Vec<Arc<dyn Pass>>) -> Self {
        let tier = Tier {
            name: "chosen",
            passes,
            repeat: Repeat::Fixpoint,
        };
        let mut plan = Plan::new("auto", vec![tier]);
        plan.thorough = true;
        plan
    }

    /// Returns the plan with another order of failing inputs.
    #[must_use]
    pub fn with_order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Returns the plan with another fact, see [`Facts::with`].
    #[must_use]
    pub fn with_fact<T: std::any::Any + std::fmt::Debug + Send + Sync>(mut self, fact: T) -> Self {
        self.facts = self.facts.with(fact);
        self
    }

    /// Returns all passes of the plan, in order.
    pub fn passes(&self) -> impl Iterator<Item = &Arc<dyn Pass>> {
        self.tiers.iter().flat_map(|tier| &tier.passes)
    }

    /// Removes passes from the plan.
    pub fn without(&mut self, ids: &[&str]) {
        for tier in &mut self.tiers {
            tier.passes.retain(|pass| !ids.contains(&pass.id()));
        }
        self.tiers.retain(|tier| !tier.passes.is_empty());
    }
}
