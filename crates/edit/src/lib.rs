//! Inputs, and edits of inputs as data.
//!
//! An [`Input`] is one file or several, end to end in one address space. A [`Span`] is a range of
//! an input, and an [`Edit`] is a change of an input.
//!
//! Every pass proposes [`Edit`]s and nothing else, so any failing edit can be combined with any
//! other failing edit, and a proposal can still be applied after its base has changed. The property
//! tests in `laws` check these laws on thousands of random edits:
//!
//! ```text
//! render(render(base, applied), rebase(e, applied)) == render(base, combine(applied, e))
//! render(render(base, a), b) == render(base, then(a, b))
//! ```

#![deny(missing_docs)]

mod combine;
mod conflict;
mod edit;
pub mod input;
#[cfg(test)]
mod laws;
pub mod protect;
mod rebase;
mod render;
pub mod span;
mod splice;
mod then;

pub use conflict::Conflict;
pub use edit::Edit;
pub use input::{File, Input, InputError};
pub use rebase::Applied;
pub use render::{Fingerprint, fingerprint};
pub use span::Span;
pub use splice::Splice;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
