use super::on_view::on_view;
use nubbin_binary::{WasmCode, WasmParts};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Proposals, Work, optional};

/// Returns the work on the code of a WebAssembly module. The function creates the work on its view.
pub(super) fn on_code(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>, &[u8], &WasmCode) -> Option<Work>,
) -> Option<Work> {
    on_module(file, context, |file, text| {
        open(file, text, &nubbin_binary::wasm_code(text)?)
    })
}

/// Returns the work on the optional parts of a WebAssembly module. The function returns the spans
/// of these parts in the input.
pub(super) fn on_parts(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&WasmParts, &dyn Fn(&nubbin_binary::Span) -> Span) -> Option<Work>,
) -> Option<Work> {
    on_module(file, context, |file, text| {
        open(&nubbin_binary::wasm_parts(text)?, &|span| place(file, span))
    })
}

/// Returns the place in the input of a span of the file.
fn place(file: &File<'_>, span: &nubbin_binary::Span) -> Span {
    Span::at(file.span.start, span.start as usize..span.end as usize)
}

fn on_module(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>, &[u8]) -> Option<Work>,
) -> Option<Work> {
    if !file.text.starts_with(b"\0asm") {
        return None;
    }
    on_view(
        file,
        context,
        |_| None,
        |file, view, _| open(file, &view.text),
    )
}

/// Returns the work that removes all unneeded functions and other items of a module in one test.
pub(super) fn without_unneeded(file: &File<'_>, text: &[u8]) -> Option<Work> {
    let parts = nubbin_binary::wasm_parts(text)?;
    let unneeded = parts.unneeded.iter().map(|span| place(file, span));
    let unneeded: Vec<Span> = unneeded.collect();
    // Some of the unneeded parts need others.
    (!unneeded.is_empty()).then(|| optional(Proposals::new(vec![Edit::delete_all(unneeded)])))
}
