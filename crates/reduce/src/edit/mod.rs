//! The one currency: a change to an input, as data.
//!
//! Every pass proposes [`Edit`]s and nothing else, so anything that fails can be combined with
//! anything else that failed, and a proposal survives a base that moved under it. The law, which
//! the property tests in `laws` check on thousands of random edits:
//!
//! ```text
//! render(render(base, applied), rebase(e, applied)) == render(base, combine(applied, e))
//! ```

mod between;
mod combine;
#[expect(clippy::module_inception)]
mod edit;
#[cfg(test)]
mod laws;
mod rebase;
mod render;
mod splice;

pub use combine::Conflict;
pub use edit::Edit;
pub use rebase::Applied;
pub use render::{Fingerprint, fingerprint};
pub use splice::Splice;
