//! Runs [`Dd`](crate::isolate::Dd) to its end.

mod ahead;
mod search;

pub(crate) use search::isolate;
