//! Parts of full-screen views: styles, words and numbers in cells, and curves.

pub mod characters;
pub mod curve;
pub mod theme;
pub mod write;
