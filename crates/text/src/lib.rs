//! Passes over text and over any bytes that need no parser.
//!
//! A pass reads the text once ([`Pass::open`](nubbin_engine::work::Pass::open)) and hands out
//! proposals. A pass never runs a test, never touches a file on disk, and does not know the
//! language of the text. A wrong guess is harmless, since the test rejects it.
//!
//! Each pass has a file with its name in flags, logs, and statistics, in the folder of its subject.
//! The documentation of its type states its effect, its use, its cost, and its source.

#![deny(missing_docs)]

mod bracket;
mod bytes;
mod command;
mod folder;
mod format;
mod front_end;
mod name;
mod number;
mod pair;
mod proposed;
mod space;
mod text;
mod token;

pub use bracket::{Bodies, Debracket, DeepNesting, DepthPieces, Groups, Hollow, Lift, Statements};
pub use bytes::{Bytes, LengthFields, LowerBytes, ZeroFill};
pub use command::{CommandLevels, CommandValues, CommandWords};
pub use folder::{EmptyFiles, FileNames, Files, Includes, InlineFiles};
pub use format::{Columns, Elements, Unwrap};
pub use front_end::{FrontEnd, Slicer};
pub use name::{MergeNames, Names};
pub use number::{Floats, IntegerValues, Integers, NumberForms};
pub use pair::{Copies, LinePairs, SharedWords};
pub use proposed::{Answer, Changes, Proposed, Proposer};
pub use space::{BlankLines, JoinLines, Whitespace};
pub use text::{
    Chars, Comments, Ends, IndentedBlocks, Lines, ShortCuts, Trivial, WindowUnit, Windows,
};
pub use token::{
    JoinDeclarations, Operators, Peephole, QuotedCode, Strings, TokenInteriors, Tokens,
};

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
