//! Passes: what could be changed in a file.
//!
//! A pass looks at the text once ([`Pass::open`]) and hands out proposals; it never runs a test,
//! never touches a file of the disk and does not know what language it reads. Wrong guesses are
//! welcome, the test rejects them; what counts is how many bytes a test is likely to save.
//!
//! One pass, one file here, under the name it has in flags, logs and statistics. The
//! documentation of each type says what it does, on what it wins, what it costs and where the
//! idea comes from. [`catalogue`] lists them all.
//!
//! # Writing a pass that is fast
//! * A proposal that fails must fail again when nothing near it has changed: base proposals on
//!   the text alone.
//! * Prefer a [`List`](crate::work::List): a list algorithm takes many units in one test while
//!   that works, and single ones only where it must.
//! * Large units first. Never propose the same text twice; the engine would catch it, but a
//!   proposal costs time too.
//! * Opening must be linear in the text, or nearly.

mod binary;
mod bracket;
pub mod choices;
mod folder;
mod format;
mod name;
mod number;
mod preview;
mod proposed;
mod space;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod token;

pub use crate::work::{
    Alternatives, Blocks, Chain, Forest, HeaviestFirst, Nested, Optional, Places, Replacements,
    Rewrite,
};
pub use binary::{Bytes, CheckedChunks, LengthFields, LowerBytes, SameByteSpans, ZeroFill};
pub use bracket::{Arguments, Bodies, Debracket, DepthPieces, Groups, Hollow, Lift, Statements};
pub use folder::{EmptyFiles, Files, Includes, InlineFiles};
pub use format::{Columns, Elements, SortedNames, SortedTerms, Unwrap};
pub use name::{MergeNames, Names};
pub use number::{Floats, IntegerValues, Integers};
pub use preview::preview;
pub use proposed::{Answer, Proposed, Proposer};
pub use space::{BlankLines, JoinLines, Whitespace};
pub use text::{
    BetweenRepeats, Chars, Comments, Duplicates, Ends, IndentedBlocks, LineSort, Lines, Paragraphs,
    ShortCuts, Trivial, WindowUnit, Windows,
};
pub use token::{Operators, Peephole, Strings, TokenInteriors, Tokens};

use crate::input::{File, Input};
use crate::work::{Lists, Work};
use std::sync::{Arc, LazyLock};

/// What a pass may know beside the file.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// All files.
    pub input: &'a Input,
    /// How lists are worked through, for passes that start some themselves.
    pub lists: &'a Lists,
}

/// A source of proposals. See the [module documentation](self).
pub trait Pass: Send + Sync {
    /// Its name in flags, logs and statistics.
    fn id(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where the idea comes from.
    fn source(&self) -> &'static str;

    /// Proposals for one file, or `None` where there is nothing to do.
    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work>;

    /// Whether its proposals are tested even where a run has
    /// [learnt](crate::engine::Screening::Learn) that what is badly formed never fails: someone must,
    /// or that could never turn out to be wrong.
    fn tries_everything(&self) -> bool {
        false
    }

    /// Whether it is about the input as a whole: opened once, on the first file, and not once for
    /// each file.
    fn whole_input(&self) -> bool {
        false
    }

    /// Whether opening it asks somebody outside, who is only to be asked where the plan has got to it.
    fn asks_outside(&self) -> bool {
        false
    }
}

/// All passes, the coarse ones first.
pub fn catalogue() -> &'static [Arc<dyn Pass>] {
    static ALL: LazyLock<Vec<Arc<dyn Pass>>> = LazyLock::new(|| {
        vec![
            Arc::new(Trivial),
            Arc::new(Files),
            Arc::new(EmptyFiles),
            Arc::new(Ends),
            Arc::new(Comments),
            Arc::new(Includes),
            Arc::new(InlineFiles),
            Arc::new(DepthPieces::new(0)),
            Arc::new(DepthPieces::new(1)),
            Arc::new(DepthPieces::new(2)),
            Arc::new(DepthPieces::new(3)),
            Arc::new(DepthPieces::new(4)),
            Arc::new(DepthPieces::new(6)),
            Arc::new(DepthPieces::new(8)),
            Arc::new(DepthPieces::new(10)),
            Arc::new(Paragraphs),
            Arc::new(BlankLines),
            Arc::new(Lines),
            Arc::new(IndentedBlocks),
            Arc::new(Duplicates),
            Arc::new(Groups),
            Arc::new(Elements),
            Arc::new(Hollow),
            Arc::new(Bodies),
            Arc::new(Arguments),
            Arc::new(Columns),
            Arc::new(Statements),
            Arc::new(Lift),
            Arc::new(Unwrap),
            Arc::new(SortedTerms),
            Arc::new(SortedNames),
            Arc::new(Debracket),
            Arc::new(Tokens),
            Arc::new(Operators),
            Arc::new(Strings),
            Arc::new(Integers),
            Arc::new(IntegerValues::default()),
            Arc::new(Floats),
            Arc::new(Peephole),
            Arc::new(MergeNames::default()),
            Arc::new(Names),
            Arc::new(Windows::lines()),
            Arc::new(Windows::tokens()),
            Arc::new(BetweenRepeats),
            Arc::new(SameByteSpans),
            Arc::new(CheckedChunks),
            Arc::new(LengthFields::default()),
            Arc::new(Bytes),
            Arc::new(TokenInteriors),
            Arc::new(Chars),
            Arc::new(ShortCuts::default()),
            Arc::new(ZeroFill::default()),
            Arc::new(LowerBytes::default()),
            Arc::new(Whitespace),
            Arc::new(JoinLines),
            Arc::new(LineSort::default()),
        ]
    });
    &ALL
}

/// A pass by its name.
pub fn by_id(id: &str) -> Option<Arc<dyn Pass>> {
    catalogue().iter().find(|pass| pass.id() == id).cloned()
}
