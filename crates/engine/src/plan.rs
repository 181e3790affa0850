//! Plans: the passes that run, their order, and the condition that ends each tier, as data.

use crate::order::Order;
use crate::work::{Facts, Pass};
use nubbin_minimize::MinimizerChoice;
use std::sync::Arc;

/// A plan of passes: the tiers, the order of inputs, and the facts of a run.
///
/// A tier runs until it finds nothing more, then the next one is tried. Whenever a lower tier finds
/// something, the run returns to the first tier that repeats. Passes that cost many tests and save
/// few bytes are in the lower tiers, so that they only see a text that is already small.
#[derive(Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The name of the plan in logs and statistics: `auto`, or the name of the list minimizer.
    pub name: String,
    /// The tiers, coarsest first.
    pub tiers: Vec<Tier>,
    /// The list minimizer for all lists. If it is `None`, each list has its default list minimizer,
    /// and a tree reducer has the list minimizer of its publication.
    pub algorithm: Option<MinimizerChoice>,
    /// Whether all known failures are tried once more before the end, even if the text near them
    /// has not changed. Otherwise only passes that [try
    /// everything](crate::work::PassInfo::tries_everything) do so.
    pub thorough: bool,
    /// The order that decides which of two failing inputs is better.
    pub order: Order,
    /// Facts about languages, for the passes that read them.
    pub facts: Facts,
}

/// A tier of a plan: passes of similar cost.
#[derive(Clone)]
pub struct Tier {
    /// The name of the tier in logs.
    pub name: &'static str,
    /// The passes, in the order in which they run.
    pub passes: Vec<Arc<dyn Pass>>,
    /// The condition that ends the tier.
    pub repeat: Repeat,
}

/// The condition that ends a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The tier ends after each pass has run once, for as long as it removes much. The run never
    /// returns to the tier. It is for the first cuts of a plan, whose passes run again later.
    Opening,
    /// The passes run in turns, for as long as they remove much. The run never returns to the tier.
    ///
    /// The first turns are short. Passes that remove much get longer and earlier turns. When a pass
    /// has a success, the passes before it run again before it continues. It is for the first cuts
    /// of a plan, coarsest first: a finer pass often removes parts that a coarser pass needed.
    Turns,
    /// The tier ends after each pass has run once, to its own end. It is for the published
    /// algorithms by themselves.
    Once,
    /// The tier ends when no pass has a success. Passes that had a success run again first. When
    /// none of them has another success, all passes run once more. A success returns the run to the
    /// first tier that repeats.
    Fixpoint,
    /// The tier ends as [`Repeat::Fixpoint`] does, but a success never returns the run to an
    /// earlier tier. It is for passes that only make the text more readable. Tiers of a fixpoint
    /// after such a tier do not return to an earlier tier either.
    Polish,
}

impl Plan {
    /// Creates a plan of tiers, with default settings: the order by bytes, the default list
    /// minimizer of each list, and known failures that are not tried again.
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

    /// Creates a plan that runs one pass once, with one list minimizer. Such a plan runs a
    /// published algorithm by itself.
    pub fn single(pass: Arc<dyn Pass>, algorithm: MinimizerChoice) -> Self {
        Plan::once("list", algorithm.to_string(), vec![pass], algorithm)
    }

    /// Creates a plan of one tier whose passes run once each.
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

    /// Creates a plan of the given passes in the given order, repeated until none of them has a
    /// success.
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

    /// Returns the plan with an additional fact. See [`Facts::with`].
    #[must_use]
    pub fn with_fact<T: std::any::Any + std::fmt::Debug + Send + Sync>(mut self, fact: T) -> Self {
        self.facts = self.facts.with(fact);
        self
    }

    /// Returns all passes of the plan, in order.
    pub fn passes(&self) -> impl Iterator<Item = &Arc<dyn Pass>> {
        self.tiers.iter().flat_map(|tier| &tier.passes)
    }

    /// Removes passes from the plan by their names.
    pub fn without(&mut self, ids: &[&str]) {
        for tier in &mut self.tiers {
            tier.passes.retain(|pass| !ids.contains(&pass.id()));
        }
        self.tiers.retain(|tier| !tier.passes.is_empty());
    }
}
