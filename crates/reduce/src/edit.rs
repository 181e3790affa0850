//! Changes of an input, as data. See [`nubbin_edit`].

pub use nubbin_edit::{Applied, Conflict, Edit, Fingerprint, Splice, fingerprint};
#[cfg(feature = "isolate")]
pub use nubbin_view::between;
