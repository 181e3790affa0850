//! Units that contain each other, visited from the outside in.

mod forest;
mod layer;
mod machine;

pub use forest::{Forest, Nested};
pub use machine::HeaviestFirst;
