//! HTML pages in one file, without network access and scripts, in light and dark mode, with a text
//! for every picture.

mod document;
pub mod plot;

pub use document::{STYLE, document};
