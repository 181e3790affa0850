//! Pages in one file: no network, no script, light and dark, and words beside every picture.

mod document;
pub(crate) mod plot;

pub(crate) use document::document;
