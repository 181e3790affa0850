//! All that is known at the end of a comparison.

use super::pace::Pace;
use super::speedup::Speedup;
use super::standings::{Group, Growth, Standing};
use serde::Serialize;

/// All that is known at the end.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    pub(super) command: String,
    pub(super) seed: u64,
    pub(super) reductions: usize,
    pub(super) contestants: usize,
    pub(super) tasks: usize,
    /// What inputs were made of; none where they are real.
    pub(super) grammars: Vec<&'static str>,
    /// The real ones.
    pub(super) cases: Vec<CaseFacts>,
    /// Cases that not everybody was through with when somebody stopped it: they count for nobody.
    pub(super) left_out: usize,
    pub(super) standings: Vec<Standing>,
    pub(super) groups: Vec<Group>,
    pub(super) growth: Vec<Growth>,
    pub(super) speedup: Vec<Speedup>,
    /// How long cases take with so many workers.
    pub(super) paces: Vec<Pace>,
    pub(super) rows: Vec<Row>,
}

/// What is known of a real case beforehand.
#[derive(Debug, Serialize)]
pub(super) struct CaseFacts {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) bytes: usize,
}

/// What was reduced.
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
    pub(super) unresolved: u64,
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) complete: bool,
}
