use super::on_wasm::on_parts;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, optional};

/// Deletes exports, segments of tables, and the start function of a WebAssembly module.
///
/// A candidate is as valid as the module was: a segment that code names is kept, and so is the
/// declaration of a function that code uses as a value. The functions that nothing needs afterwards
/// are left to `wasm-code`, which begins with them.
///
/// Cost: the tests of the list minimizer over all exports and segments.
///
/// Source: Binaryen: `wasm-reduce`, which removes exports in groups.
///
/// ```
/// use nubbin_reduce::pass::{WasmExports, preview};
///
/// let head = "\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0";
/// let module = format!("{head}\x07\x09\x02\x01f\0\0\x01g\0\0\x0a\x04\x01\x02\0\x0b");
/// let wanted = format!("{head}\x07\x05\x01\x01g\0\0\x0a\x04\x01\x02\0\x0b");
/// assert!(preview(&WasmExports, module.as_bytes(), 9).contains(&wanted));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WasmExports;

impl Pass for WasmExports {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "wasm-exports",
            "deletes exports and table segments of WebAssembly",
            "Binaryen: wasm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_parts(file, context, |parts, place| {
            let exports: Vec<_> = parts.exports.iter().map(place).collect();
            Some(optional(Spans::new(exports)))
        })
    }
}
