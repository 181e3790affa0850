//! Published algorithms for test-case reduction, for comparisons and for callers who need a
//! published algorithm.
//!
//! No default plan uses them: `nubbin-minimize` and `nubbin-trees` have the algorithms that earn
//! most on real failures. Each is as it was published, and its documentation says what we changed.
//! They are checked against the programs of their authors or, where there are none, against what is
//! printed: `notes/data/faithful.md` has a row for each.
//!
//! ```
//! use nubbin_reduce::Algorithm;
//!
//! let all = nubbin_published::catalogue();
//! assert!(matches!(all.algorithm("probdd:p0=0.25")?, Algorithm::List(_)));
//! assert!(matches!(all.algorithm("hddr:dfs")?, Algorithm::Tree(_)));
//! assert!("probdd".parse::<Algorithm>().is_err(), "no default plan uses it");
//! # Ok::<(), nubbin_reduce::AlgorithmError>(())
//! ```

#![deny(missing_docs)]

pub mod list;
pub mod tree;

use nubbin_reduce::Catalogue;
use std::sync::LazyLock;

/// Returns the catalogue of [`nubbin_reduce`], extended by the algorithms of this crate.
pub fn catalogue() -> &'static Catalogue {
    static ALL: LazyLock<Catalogue> = LazyLock::new(|| {
        Catalogue::default()
            .with_list_minimizers(list::catalogue())
            .with_tree_reducers(tree::catalogue())
    });
    &ALL
}

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
