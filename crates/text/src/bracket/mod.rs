//! Passes over bracket groups and their headers.

mod bodies;
pub(super) mod comma_lists;
mod debracket;
mod deep_nesting;
mod depth_pieces;
mod groups;
mod hollow;
mod lift;
mod statements;

pub use bodies::Bodies;
pub use debracket::Debracket;
pub use deep_nesting::DeepNesting;
pub use depth_pieces::DepthPieces;
pub use groups::Groups;
pub(super) use groups::{Headed, with_headers};
pub use hollow::Hollow;
pub use lift::Lift;
pub use statements::Statements;
