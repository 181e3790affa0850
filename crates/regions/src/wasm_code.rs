use super::nested::Nested;
use super::on_wasm::{on_code, without_unneeded};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Proposals, Work, optional};

/// Deletes statements of functions in a WebAssembly module, and replaces expressions with zero or
/// with one of their operands.
///
/// The first test removes the functions and other items that nothing in the module needs. A call
/// is removed with its operands, and a block with all in it. Each candidate is as valid as
/// the module was. Changes are made from the outside in, where a chain of blocks of about the same
/// size is passed over in one list. Functions with vectors, references, or blocks with parameters
/// stay as they are.
///
/// Cost: the tests of the list minimizer over all statements and expressions, once per kind and
/// depth.
///
/// Source: Binaryen: `wasm-reduce`, which makes these changes one by one.
///
/// ```
/// use nubbin_reduce::pass::{WasmCode, preview};
///
/// let head = "\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x05\x01\x01f\0\0";
/// let module = format!("{head}\x0a\x07\x01\x05\0\x41\0\x1a\x0b");
/// let wanted = format!("{head}\x0a\x04\x01\x02\0\x0b");
/// assert_eq!(preview(&WasmCode, module.as_bytes(), 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WasmCode;

impl Pass for WasmCode {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "wasm-code",
            "deletes statements and simplifies WebAssembly expressions",
            "Binaryen: wasm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_code(file, context, |file, text, code| {
            let place = |span: &nubbin_binary::Span| {
                Span::at(file.span.start, span.start as usize..span.end as usize)
            };
            let statements = code.statements.iter().map(|span| {
                let span = place(span);
                (span, Edit::delete(span))
            });
            let constants = code.constants.iter().map(|(span, zero)| {
                let span = place(span);
                (span, Edit::replace(span, zero))
            });
            let mut last = None;
            let children = code.children.iter().map(|[before, behind]| {
                let whole = place(&(before.start..behind.end));
                let kept = text.get(before.end as usize..behind.start as usize);
                // With two operands, both deletions together would leave no operand.
                let edit = match last.replace(whole) == Some(whole) {
                    true => Edit::replace(whole, kept.unwrap_or_default()),
                    false => Edit::delete_all([place(before), place(behind)]),
                };
                (whole, edit)
            });
            let kinds = [
                Nested::of(statements.collect()),
                Nested::of(constants.collect()),
                Nested::of(children.collect()),
            ];
            let (early, late): (Vec<_>, Vec<_>) =
                kinds.into_iter().map(|of| (of.early, of.late)).unzip();
            let lists = early.into_iter().chain(late).flatten();
            let works = lists.map(|edits| optional(Proposals::new(edits)));
            let unneeded = without_unneeded(file, text).into_iter();
            Chain::work(unneeded.chain(works), context.lists)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;
    use std::cell::RefCell;

    #[test]
    fn an_expression_is_never_replaced_by_nothing() {
        let module = |code: &[u8]| {
            let section = |id: u8, content: &[u8]| [&[id, content.len() as u8], content].concat();
            let body = [&[1, code.len() as u8 + 2, 0], code, &[0x0b]].concat();
            [
                b"\0asm\x01\0\0\0".to_vec(),
                section(1, &[1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f]),
                section(3, &[1, 0]),
                section(7, &[1, 1, b'f', 0, 0]),
                section(10, &body),
            ]
            .concat()
        };
        // The function adds two parameters. A zero does not fail.
        let seen = RefCell::new(vec![]);
        let sum = module(&[0x20, 0, 0x20, 1, 0x6a]);
        let result = reduce_with(&WasmCode, &sum, |text| {
            seen.borrow_mut().push(text.to_vec());
            text != module(&[0x41, 0])
        });
        let seen = seen.into_inner();
        assert!(!seen.contains(&module(&[])), "{seen:?}");
        assert_eq!(result, module(&[0x20, 0]));
    }
}
