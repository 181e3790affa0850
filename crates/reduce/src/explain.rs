//! Explaining: searching for the parts of a failing input on which the failure does not depend. See
//! [`nubbin_engine::explain`].

pub use nubbin_engine::explain::*;
#[cfg(feature = "choices")]
pub use nubbin_replay::{ChoiceSubject, DrawValue};
#[cfg(feature = "trees")]
pub use nubbin_trees::nodes;
