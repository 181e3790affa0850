//! Explaining: finding the parts of a failing input that the failure does not depend on. See
//! [`nubbin_engine::explain`].

pub use nubbin_engine::explain::*;
#[cfg(feature = "choices")]
pub use nubbin_replay::{ChoiceSubject, DrawValue};
#[cfg(feature = "trees")]
pub use nubbin_trees::nodes;
