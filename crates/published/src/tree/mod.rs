//! Published tree reducers. The crate `nubbin-trees` contains the tree reducers of the default
//! plans, and the [interface](nubbin_trees::tree_reducer).
//!
//! [`Hdd`] and [`Hddr`] remove nodes level by level, [`Pardis`] and [`PersesArticle`] by their
//! weight. [`Gtr`], [`Hoist`], and `Grabr` of `nubbin-trees` replace nodes with parts of them.

mod descent;
mod gtr;
mod hdd;
#[cfg(test)]
mod hdd_family;
mod hddr;
mod hoist;
mod level;
mod pardis;
mod perses_article;
#[cfg(test)]
mod tests;

pub use gtr::{Examples, Gtr};
pub use hdd::Hdd;
pub use hddr::Hddr;
pub use hoist::Hoist;
pub use pardis::Pardis;
pub use perses_article::PersesArticle;

use nubbin_trees::tree_reducer::{Grabr, TreeReducer};
use std::sync::{Arc, LazyLock};

/// Returns the tree reducers of this crate. The catalogue includes variants of `Grabr` that no
/// default plan uses.
pub fn catalogue() -> &'static [Arc<dyn TreeReducer>] {
    static ALL: LazyLock<Vec<Arc<dyn TreeReducer>>> = LazyLock::new(|| {
        vec![
            Arc::new(Hdd::default()),
            Arc::new(Hdd::STAR),
            Arc::new(Hddr::default()),
            Arc::new(Hdd::COARSE),
            Arc::new(Hdd::COARSE_STAR),
            Arc::new(PersesArticle),
            Arc::new(Pardis::plain()),
            Arc::new(Pardis::hybrid()),
            Arc::new(Gtr::by_grammar()),
            Arc::new(Gtr::learned(Examples::default())),
            Arc::new(Hoist),
            Arc::new(Grabr::plain()),
            Arc::new(Grabr::by_depth()),
            Arc::new(Grabr::all_combinations()),
        ]
    });
    &ALL
}
