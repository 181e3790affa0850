use super::on_wasm::on_parts;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};

/// Deletes custom sections and segments of data from a WebAssembly module.
///
/// A candidate is as valid as the module was: a segment that code names is kept.
///
/// Cost: one test, or the tests of the list minimizer over all data.
///
/// Source: Binaryen: `wasm-reduce`, which removes segments in groups.
///
/// ```
/// use nubbin_reduce::pass::{WasmData, preview};
///
/// // A custom section without a name.
/// let module = b"\0asm\x01\0\0\0\0\x04\0abc";
/// assert_eq!(preview(&WasmData, module, 9), ["\0asm\x01\0\0\0"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WasmData;

impl Pass for WasmData {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "wasm-data",
            "deletes data and custom sections of WebAssembly",
            "Binaryen: wasm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_parts(file, context, |parts, place| {
            let data: Vec<_> = parts.data.iter().map(place).collect();
            Some(all_or_some(Spans::new(data)))
        })
    }
}
