//! Parts of full-screen views: styles, words and numbers in cells, and curves.

pub(crate) mod characters;
pub(crate) mod curve;
pub(crate) mod theme;
pub(crate) mod write;
