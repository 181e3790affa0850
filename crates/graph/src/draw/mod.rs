//! Drawings of graphs: for Graphviz, as a picture, and as a page to look around in.

mod dot;
mod drawing;
mod escape;
mod layout;
mod page;
mod svg;
mod tree;

pub use dot::dot;
pub use drawing::Drawing;
pub use page::page;
pub use svg::svg;
