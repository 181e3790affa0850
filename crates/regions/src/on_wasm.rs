use super::on_view::on_view;
use nubbin_binary::WasmCode;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Work};

/// Returns the work on the code of a WebAssembly module, by a function that makes the work on its
/// view.
pub(super) fn on_code(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>, &[u8], &WasmCode) -> Option<Work>,
) -> Option<Work> {
    if !file.text.starts_with(b"\0asm") {
        return None;
    }
    on_view(
        file,
        context,
        |_| None,
        |file, view, _| open(file, &view.text, &nubbin_binary::wasm_code(&view.text)?),
    )
}
