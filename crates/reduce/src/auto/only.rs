use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use std::sync::Arc;

/// A pass on some of the files only.
pub(super) struct Only<F> {
    pass: Arc<dyn Pass>,
    fits: F,
}

impl<F: Fn(&File<'_>) -> bool + Send + Sync + 'static> Only<F> {
    /// Returns a pass that is opened on the files for which `fits` returns true.
    pub(super) fn on(pass: Arc<dyn Pass>, fits: F) -> Arc<dyn Pass> {
        Arc::new(Only { pass, fits })
    }
}

impl<F: Fn(&File<'_>) -> bool + Send + Sync> Pass for Only<F> {
    fn id(&self) -> &'static str {
        self.pass.id()
    }

    fn about(&self) -> &'static str {
        self.pass.about()
    }

    fn source(&self) -> &'static str {
        self.pass.source()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        match (self.fits)(file) {
            true => self.pass.open(file, context),
            false => None,
        }
    }
}
