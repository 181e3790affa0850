use super::on_wasm::on_code;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Pass, PassInfo, Proposals, Work, all_or_some};

/// Joins the WebAssembly instructions that set a local and read its value immediately, so that the
/// value becomes an operand of the following instruction.
///
/// Code that is not optimized keeps each value in a local of its own. No expression there is within
/// another one, and `wasm-code` could not replace one with its operand. The program does the same
/// as before.
///
/// Cost: one test, or the tests of the list minimizer over all such instructions.
///
/// Source: Binaryen: `wasm-reduce`, which runs the pass `simplify-locals` of the optimizer.
///
/// ```
/// use nubbin_reduce::pass::{WasmLocals, preview};
///
/// let head = "\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7f\x03\x02\x01\0\x0a";
/// let module = format!("{head}\x0c\x01\x0a\x01\x01\x7f\x41\x07\x21\0\x20\0\x0b");
/// let wanted = format!("{head}\x0a\x01\x08\x01\x01\x7f\x41\x07\x22\0\x0b");
/// assert_eq!(preview(&WasmLocals, module.as_bytes(), 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WasmLocals;

impl Pass for WasmLocals {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "wasm-locals",
            "joins WebAssembly instructions that set a local and take its value",
            "Binaryen: wasm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_code(file, context, |file, _, code| {
            let edits = code.locals.iter().map(|(both, one)| {
                let span = Span::at(file.span.start, both.start as usize..both.end as usize);
                Edit::replace(span, one)
            });
            Some(all_or_some(Proposals::new(edits.collect::<Vec<_>>())))
        })
    }
}
