//! Passes: sources of proposals for a file.
//!
//! A pass reads the text once ([`Pass::open`]) and returns proposals. It never runs a test, never
//! accesses a file on disk, and does not know the language of the text. A wrong guess is harmless,
//! since the test rejects it. The measure of a pass is the number of bytes that a test is likely to
//! remove.
//!
//! Each pass has a file with its name in flags, logs, and statistics, in the folder of its subject.
//! The documentation of its type states its effect, its use, its cost, and its source.
//! [`catalogue`] lists all passes.
//!
//! # Writing a pass that is fast
//! * A proposal that was rejected must be rejected again when nothing near it has changed: base
//!   proposals on the text alone.
//! * Prefer a [`List`](nubbin_engine::work::List): a list minimizer removes many units in one test
//!   if possible, and single ones otherwise.
//! * Propose large units first. Never propose the same text twice: the engine does not test it
//!   again, but each proposal costs time.
//! * Opening must take time linear in the text, or nearly.

mod catalogue;
#[cfg(test)]
mod laws;

pub use catalogue::{by_id, catalogue};
pub use nubbin_engine::work::{
    Alternatives, Blocks, Chain, Context, Facts, Forest, HeaviestFirst, Nested, Optional, Pass,
    PassInfo, Places, Replacements, Rewrite, Scope, preview, preview_with,
};
#[cfg(feature = "ir")]
pub use nubbin_modules::{
    IrAnnotations, IrBlocks, IrBodies, IrEdges, IrHeaders, IrInstructions, IrItems, IrJoints,
    IrKinds, IrLoops, IrOperands, IrParameters, IrReturns, IrSelections, IrVariables, IrWords,
};
#[cfg(feature = "binary")]
pub use nubbin_regions::{
    CheckedChunks, NestedRegions, Regions, WasmBodies, WasmCode, WasmData, WasmExports, WasmLocals,
};
#[cfg(feature = "choices")]
pub use nubbin_replay as choices;
#[cfg(feature = "counts")]
pub use nubbin_tallies::{
    AigGates, AigInputs, AigOutputs, BtorNodes, CircuitCuts, CnfClauses, CnfHalves, CnfLiterals,
    CnfUnits, CnfVariables, CountedTables, Counts,
};
pub use nubbin_text::*;
#[cfg(feature = "trees")]
pub use nubbin_trees::term::{
    FoldedTerms, ScriptCommands, ShortNames, SortTables, SortedBindings, SortedNames, SortedTerms,
};
