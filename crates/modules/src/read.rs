use nubbin_edit::File;
use nubbin_engine::work::{Context, View};
use nubbin_ir::Module;
use std::sync::Arc;

/// The module of a text, which the passes share.
struct Read(Option<Arc<Module>>);

impl View for Read {
    fn of(text: &[u8]) -> Self {
        Read(nubbin_ir::read(text).map(Arc::new))
    }
}

/// Returns the module of a file, or `None` if the file is not a module.
pub(super) fn module_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<Module>> {
    context.views.of::<Read>(file.text).0.clone()
}
