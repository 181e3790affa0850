//! A change to an input, as data.
//!
//! Every pass proposes [`Edit`]s and nothing else, so any failing edit can be combined with any
//! other failing edit, and a proposal can still be applied after its base has changed. The property
//! tests in `laws` check these laws on thousands of random edits:
//!
//! ```text
//! render(render(base, applied), rebase(e, applied)) == render(base, combine(applied, e))
//! render(render(base, a), b) == render(base, then(a, b))
//! ```

#[cfg(feature = "isolate")]
mod between;
mod combine;
#[expect(clippy::module_inception)]
mod edit;
#[cfg(test)]
mod laws;
mod rebase;
mod render;
mod splice;
mod then;

pub use combine::Conflict;
pub use edit::Edit;
pub use rebase::Applied;
pub use render::{Fingerprint, fingerprint};
pub use splice::Splice;
