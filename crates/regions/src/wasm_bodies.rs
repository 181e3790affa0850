use super::on_wasm::on_code;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Pass, PassInfo, Proposals, Work, optional};

/// Replaces bodies of functions in a WebAssembly module with one that returns zero.
///
/// A candidate is as valid as the module was. A body that traps fits any function, but makes the
/// code after each of its calls dead, and an optimizer removes dead code. Therefore only functions
/// with a result that is not a number trap.
///
/// Cost: the tests of the list minimizer over all functions, by their length.
///
/// Source: Binaryen: `wasm-reduce`, which empties bodies in groups, and makes those with a result
/// trap.
///
/// ```
/// use nubbin_reduce::pass::{WasmBodies, preview};
///
/// let module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x07\x01\x05\0\x41\0\x1a\x0b";
/// let wanted = "\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x04\x01\x02\0\x0b";
/// assert_eq!(preview(&WasmBodies, module, 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WasmBodies;

impl Pass for WasmBodies {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "wasm-bodies",
            "replaces bodies of functions in WebAssembly with one that returns zero",
            "Binaryen: wasm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_code(file, context, |file, _, code| {
            let bodies = code.bodies.iter();
            let edits = bodies.map(|(body, least)| {
                let span = Span::at(file.span.start, body.start as usize..body.end as usize);
                Edit::replace(span, least)
            });
            Some(optional(Proposals::new(edits.collect::<Vec<_>>())))
        })
    }
}
