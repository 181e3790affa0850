use super::{Context, Pass, PassInfo};
use crate::work::Work;
use nubbin_edit::File;
use std::sync::Arc;

/// A pass that is opened by a function, for example only on some files, or on another form of a
/// file.
pub struct OpenedBy<F> {
    pass: Arc<dyn Pass>,
    open: F,
}

impl<F> OpenedBy<F>
where
    F: Fn(&dyn Pass, &[File<'_>], &Context<'_>) -> Option<Work> + Send + Sync + 'static,
{
    /// Returns a pass that is opened by `open`, on one or more files, and otherwise equals `pass`.
    pub fn wrap(pass: Arc<dyn Pass>, open: F) -> Arc<dyn Pass> {
        Arc::new(OpenedBy { pass, open })
    }
}

impl<F> Pass for OpenedBy<F>
where
    F: Fn(&dyn Pass, &[File<'_>], &Context<'_>) -> Option<Work> + Send + Sync,
{
    fn info(&self) -> PassInfo {
        self.pass.info()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        (self.open)(self.pass.as_ref(), std::slice::from_ref(file), context)
    }

    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        (self.open)(self.pass.as_ref(), files, context)
    }
}
