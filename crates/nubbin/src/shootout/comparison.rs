//! The data of a complete benchmark.

use super::ranking::{Group, Growth, Ranked};
use super::simulated_time::SimulatedTime;
use super::speedup::Speedup;
use serde::Serialize;

/// The data of a complete benchmark.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    pub(super) command: String,
    pub(super) seed: u64,
    /// The steps that prepare all trees. `None` if each algorithm has its own.
    pub(super) preparation: Option<String>,
    pub(super) reductions: usize,
    pub(super) algorithms: usize,
    pub(super) tasks: usize,
    /// The grammars of generated inputs. Empty for real cases.
    pub(super) grammars: Vec<&'static str>,
    /// The real cases. Empty for generated inputs.
    pub(super) cases: Vec<CaseFacts>,
    /// The number of cases that were incomplete when the user stopped the benchmark. These cases do
    /// not count.
    pub(super) left_out: usize,
    pub(super) ranking: Vec<Ranked>,
    pub(super) groups: Vec<Group>,
    pub(super) growth: Vec<Growth>,
    pub(super) speedup: Vec<Speedup>,
    /// The simulated times of cases, by number of workers.
    pub(super) simulated_times: Vec<SimulatedTime>,
    pub(super) rows: Vec<Row>,
}

impl Comparison {
    /// Says how trees were prepared.
    pub(super) fn prepared(&self) -> String {
        match self.preparation.as_deref() {
            None => {
                "Each tree reducer prepares trees as its publication does; `nubbin algorithms` \
                     lists the steps."
                    .to_owned()
            }
            Some("none") => "No tree is prepared.".to_owned(),
            Some(steps) => format!("All trees are prepared by {}.", steps.replace(',', ", ")),
        }
    }
}

/// The description of a real case.
#[derive(Debug, Serialize)]
pub(super) struct CaseFacts {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) bytes: usize,
}

/// The subject of a reduction.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Reduced {
    Generated {
        grammar: &'static str,
        size: u64,
        symbols: usize,
        depth: u32,
        spread: f64,
    },
    Case {
        case: String,
        language: String,
    },
}

/// One reduction.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) subject: Reduced,
    pub(super) algorithm: String,
    pub(super) tests: u64,
    pub(super) tests_unresolved: u64,
    pub(super) bytes_before: usize,
    pub(super) bytes_after: usize,
    pub(super) complete: bool,
}
