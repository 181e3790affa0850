//! Work: the proposals that a pass hands to the engine, as data and as machines.
//!
//! A pass does not loop and does not test. It opens a [`Work`]: a list of units for any [list
//! minimizer](nubbin_minimize), or its own [`Machine`]. Both become a machine that returns the next
//! [`Edit`](nubbin_edit::Edit) and receives its verdict. All edits of one work refer to the input
//! on which it was opened. The engine rebases them to the current input, so a machine never has to
//! read the text again.

mod alternatives;
mod blocks;
mod chain;
mod comma_tiling;
mod completed;
mod document;
mod each_byte;
mod facts;
mod guarded;
mod heaviest_first;
mod joined;
mod largest_cuts;
mod list;
mod machine;
mod one_by_one;
mod opened_by;
mod optional;
mod pass;
mod pass_info;
mod preview;
mod proposals;
mod replacements;
mod spans;
mod tiles;
mod tiling;
mod units;
#[expect(clippy::module_inception)]
mod work;

pub use alternatives::{Alternatives, Places};
pub use blocks::{Blocks, Rewrite};
pub use chain::Chain;
pub use comma_tiling::CommaTiling;
pub use completed::{Complete, Completed};
pub use document::{Document, Steps, on_document};
pub use each_byte::EachByte;
pub use facts::Facts;
pub(crate) use guarded::guard;
pub use heaviest_first::{Forest, HeaviestFirst, Nested};
use joined::Joined;
pub use largest_cuts::largest_cuts;
pub use list::{List, Lists};
pub use machine::{Machine, Taken};
pub use nubbin_view::{Remembered, View, Views};
pub use one_by_one::OneByOne;
pub use opened_by::OpenedBy;
pub use optional::Optional;
pub use optional::{all_or_some, optional};
pub use pass::{Context, Pass};
pub use pass_info::{PassInfo, Scope};
pub use preview::{preview, preview_with};
pub use proposals::Proposals;
pub use replacements::Replacements;
pub use spans::Spans;
pub use tiles::{pieces, tiling};
pub use tiling::Tiling;
pub use units::Units;
pub use work::Work;
