use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// A way through a tree. See the [module documentation](super).
pub trait TreeReducer: Send + Sync {
    /// Its name in flags, logs and statistics.
    fn id(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where it comes from.
    fn source(&self) -> &'static str;

    /// Its options: how they are written and what they do.
    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The same walk with an option set; `None` where there is no such option, or not with this value.
    fn with(&self, option: &str, value: Option<&str>) -> Option<Arc<dyn TreeReducer>> {
        let _ = (option, value);
        None
    }

    /// Proposals for a tree, or `None` where there is nothing to do.
    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work>;
}
