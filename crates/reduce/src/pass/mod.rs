//! Passes: sources of proposals for a file.
//!
//! A pass reads the text once ([`Pass::open`]) and hands out proposals. It never runs a test, never
//! touches a file on disk, and does not know the language of the text. A wrong guess is harmless,
//! since the test rejects it; the measure of a pass is how many bytes a test is likely to save.
//!
//! Each pass has a file with its name in flags, logs, and statistics, in the folder of its subject.
//! The documentation of its type has its effect, its use, its cost, and its source. [`catalogue`]
//! lists all passes.
//!
//! # Writing a pass that is fast
//! * A proposal that was rejected must be rejected again when nothing near it has changed: base
//!   proposals on the text alone.
//! * Prefer a [`List`](crate::work::List): a list minimizer removes many units in one test if
//!   possible, and single ones otherwise.
//! * Propose large units first. Never propose the same text twice: the engine does not test it
//!   again, but each proposal costs time.
//! * Opening must take time linear in the text, or nearly.

mod binary;
mod bracket;
mod catalogue;
#[cfg(feature = "choices")]
pub mod choices;
mod command;
mod folder;
mod format;
#[cfg(test)]
mod laws;
mod name;
mod number;
mod opened_by;
mod preview;
mod proposed;
mod space;
#[cfg(feature = "trees")]
mod term;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod token;

pub use crate::work::{
    Alternatives, Blocks, Chain, Context, Forest, HeaviestFirst, Nested, Optional, Pass, Places,
    Replacements, Rewrite, SortRules,
};
pub use binary::{
    Bytes, CheckedChunks, LengthFields, LowerBytes, NestedRegions, Regions, SameByteSpans, ZeroFill,
};
pub(crate) use binary::{beside_texts, has_texts, on_its_view, on_texts, regions_beside_texts};
#[cfg(feature = "trees")]
pub(crate) use binary::{each_text, on_view};
pub use bracket::{Arguments, Bodies, Debracket, DepthPieces, Groups, Hollow, Lift, Statements};
pub use catalogue::{by_id, catalogue};
pub use command::{CommandLevels, CommandValues, CommandWords};
pub use folder::{EmptyFiles, FileNames, Files, Includes, InlineFiles};
pub use format::{Columns, Elements, Unwrap};
pub use name::{MergeNames, Names};
#[cfg(feature = "trees")]
#[cfg(feature = "trees")]
pub(crate) use name::{fresh_names, is_simpler};
pub use number::{Floats, IntegerValues, Integers, NumberForms};
pub(crate) use opened_by::OpenedBy;
pub use preview::{preview, preview_with};
pub use proposed::{Answer, Proposed, Proposer};
pub use space::{BlankLines, JoinLines, Whitespace};
#[cfg(feature = "trees")]
pub use term::{SortedNames, SortedTerms};
pub use text::{
    BetweenRepeats, Chars, Comments, Duplicates, Ends, IndentedBlocks, LineSort, Lines, Paragraphs,
    ShortCuts, Trivial, WindowUnit, Windows,
};
pub use token::{
    JoinDeclarations, Operators, Peephole, QuotedCode, Strings, TokenInteriors, Tokens,
};
