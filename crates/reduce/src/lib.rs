//! Test-case reduction as a library: finds a small input that still fails.
//!
//! ```
//! use nubbin_reduce::reduce;
//!
//! let small = reduce(b"the crash is here", |bytes| bytes.windows(5).any(|w| w == b"crash"));
//! assert_eq!(small.unwrap(), b"crash");
//! ```
//!
//! # Data flow
//!
//! ```text
//! input ──► view ──► pass ──► edit ──► engine ──► oracle ──► verdict
//! ```
//!
//! Data flows in one direction only. A [view] finds units in the text (lines, tokens, brackets). A
//! [pass] proposes [edits](mod@edit), as data. A [list minimizer](list_minimizer) decides how many
//! units one proposal removes. The [engine] tests candidates with the oracle and adopts the
//! candidates that still fail. A [plan] states which passes run and when to stop. [`auto`] has the
//! default plans.
//!
//! [Isolating](isolate) uses the same oracle to find a small difference between a failing input and
//! one that passes.
//!
//! No code in this crate starts a process, opens a file, or reads a clock: the caller provides the
//! oracle, and the clock for budgets.
//!
//! # Modules
//!
//! | task | start at |
//! |---|---|
//! | reduce a text with a closure | [`reduce()`] |
//! | reduce with workers, budgets, events, a syntax filter | [`engine::Reduction`] |
//! | reduce several files | [`input::Input::files`] |
//! | write an interestingness test that is not a closure | [`Oracle`] |
//! | choose an algorithm by its name | [`Catalogue`], [`Algorithm::plan`] |
//! | choose passes, or leave some out | [`plan::Plan`], [`pass::by_id`] |
//! | use syntax trees | [`auto::plan_with_syntax`], [`tree_reducer::Trees`] |
//! | reduce the choices of a generator | [`pass::choices`] |
//! | write a pass | [`pass::Pass`], [`work`] |
//! | write a list minimizer | [`list_minimizer::ListMinimizer`] |
//! | compare a passing and a failing input | [`isolate`] |
//! | find the parts of an input that matter | [`explain`] |
//!
//! # Features
//!
//! All features are enabled by default. Without features, this crate and its dependencies are ten
//! crates.
//!
//! | feature | adds | needed for |
//! |---|---|---|
//! | `trees` | [`tree`], [`tree_reducer`], [`auto::with_trees`], [`explain::nodes`], [`pass::SortedTerms`], [`pass::SortedNames`] | inputs with a grammar or a parser; SMT-LIB |
//! | `choices` | [`pass::choices`], [`explain::ChoiceSubject`] | the choices of a generator, as in property-based testing |
//! | `binary` | [`pass::Regions`] and its siblings, texts in archives, [`order::Order::packed`] | binary files, archives |
//! | `ir` | [`pass::IrBodies`] and the other passes over modules, [`ModuleSize`], [`by_instructions()`] | LLVM IR and SPIR-V modules |
//! | `counts` | [`pass::Counts`] and its siblings | texts that count their lines, elements, or bytes; DIMACS, AIGER |
//! | `isolate` | [`isolate`], [`edit::between`] | the difference between a passing and a failing input; own passes that compare texts |
//!
//! # Examples
//!
//! The folder `examples` contains the programs `closure`, `language` (a closure and the syntax
//! trees of a language), `own_list_minimizer`, and `own_pass`.

#![deny(missing_docs)]

pub mod auto;
pub mod edit;
pub mod engine;
pub mod explain;
pub mod input;
pub mod pass;

mod algorithm;
mod catalogue;
#[cfg(feature = "ir")]
mod module_size;
mod reduce;

pub use nubbin_edit::{protect, span};
#[cfg(feature = "isolate")]
pub use nubbin_engine::isolate;
pub use nubbin_engine::{order, plan, work};
pub use nubbin_minimize as list_minimizer;
pub use nubbin_minimize::random;
#[cfg(feature = "trees")]
pub use nubbin_trees::{tree, tree_reducer};
pub use nubbin_view as view;
pub use nubbin_view::mentions;

pub use algorithm::{Algorithm, AlgorithmError, PlanError};
pub use catalogue::Catalogue;
#[cfg(feature = "ir")]
pub use module_size::{ModuleSize, by_instructions};
pub use nubbin_verdict::{
    Ask, Cancel, Candidate, Closure, Fault, Limit, OnCancel, Oracle, Panicked, Unresolved, Verdict,
};
pub use reduce::{Error, reduce};

/// The examples of the front page, which are tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
