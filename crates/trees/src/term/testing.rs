//! Passes that read rules for sorts, in tests.

use super::SortTables;
use nubbin_engine::work::{Context, Facts, OpenedBy, Pass};
use nubbin_languages::hints::SORTS;
use std::sync::Arc;

/// Returns a pass that is opened with the rules of all languages.
pub(super) fn with_sorts(pass: impl Pass + 'static) -> Arc<dyn Pass> {
    let facts = Facts::default().with(SortTables(SORTS));
    OpenedBy::wrap(Arc::new(pass), move |pass, files, context| {
        let context = Context::new(context.input, context.lists, &facts, context.views);
        pass.open(files.first()?, &context)
    })
}
