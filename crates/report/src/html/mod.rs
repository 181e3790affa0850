//! HTML pages in one file, without network access, in light and dark mode, with a text for every
//! picture. A page has no scripts except nubbin's own.

mod document;
pub(crate) mod facts;
pub mod plot;

pub use document::{STYLE, Script, document};
