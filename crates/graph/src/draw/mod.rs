//! Drawings of graphs: for Graphviz, as a picture, and as an interactive page.

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
