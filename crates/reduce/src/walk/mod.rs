//! Walks: which lists of a tree, in which order.
//!
//! A walk looks at an [`Outline`] once ([`Walk::open`]) and hands out proposals, as a
//! [pass](crate::pass) does for a text; [`TreePass`] makes a pass of a walk and a source of trees. Where
//! a walk has a list of nodes to take out, any [list algorithm](crate::pick) works through it: walk and
//! list algorithm are chosen independently.
//!
//! Which one: to delete, the hierarchical ones ([`Hdd`]) take whole levels at once, [`Perses`] and
//! [`Pardis`] the heaviest first, and no test is lost on what does not fit the grammar. To change
//! shapes as well, [`Perses`], [`Gtr`], [`Hoist`] and [`Grabr`], each more thorough than the one before.
//! When nothing more can be deleted: [`SameKind`], [`Phrases`], [`SiblingWindows`], [`Coupled`],
//! [`Identifiers`], [`FormConversion`].
//!
//! One walk, one file here, under the name it has in flags, logs and statistics. The documentation of
//! each type says what it does, when to prefer it, what it costs and where it comes from.
//! [`catalogue`] lists them all.

#[cfg(test)]
mod cases;
mod coupled;
mod form_conversion;
mod grabr;
mod gtr;
mod hdd;
mod hoist;
mod identifiers;
#[cfg(test)]
mod laws;
mod names;
mod node_list;
mod one_at_a_time;
mod pardis;
mod perses;
mod perses_article;
mod phrases;
mod same_kind;
mod sibling_windows;
mod trace;
mod tree_pass;

pub use coupled::Coupled;
pub use form_conversion::FormConversion;
pub use grabr::Grabr;
pub use gtr::{Gtr, Lore};
pub use hdd::Hdd;
pub use hoist::Hoist;
pub use identifiers::Identifiers;
pub use pardis::Pardis;
pub use perses::Perses;
pub use perses_article::PersesArticle;
pub use phrases::Phrases;
pub use same_kind::SameKind;
pub use sibling_windows::SiblingWindows;
pub use trace::{Trace, trace, trace_with};
pub use tree_pass::TreePass;

use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::{Arc, LazyLock};

/// A way through a tree. See the [module documentation](self).
pub trait Walk: Send + Sync {
    /// Its name in flags, logs and statistics.
    fn id(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where it comes from.
    fn source(&self) -> &'static str;

    /// Proposals for a tree, or `None` where there is nothing to do.
    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work>;
}

/// All walks.
pub fn catalogue() -> &'static [Arc<dyn Walk>] {
    static ALL: LazyLock<Vec<Arc<dyn Walk>>> = LazyLock::new(|| {
        vec![
            Arc::new(Hdd),
            Arc::new(Perses),
            Arc::new(PersesArticle),
            Arc::new(Pardis::plain()),
            Arc::new(Pardis::hybrid()),
            Arc::new(Gtr::by_grammar()),
            Arc::new(Gtr::learned(Lore::default())),
            Arc::new(Hoist),
            Arc::new(Grabr::plain()),
            Arc::new(Grabr::by_depth()),
            Arc::new(Grabr::all_combinations()),
            Arc::new(Grabr::generative()),
            Arc::new(SameKind),
            Arc::new(Phrases),
            Arc::new(FormConversion),
            Arc::new(SiblingWindows),
            Arc::new(Identifiers),
            Arc::new(Coupled),
        ]
    });
    &ALL
}

/// A walk by its name.
pub fn by_id(id: &str) -> Option<Arc<dyn Walk>> {
    catalogue().iter().find(|walk| walk.id() == id).cloned()
}
