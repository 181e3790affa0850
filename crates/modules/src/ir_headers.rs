use super::completed::completed;
use super::ir_annotations::debug_steps;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind, Module};

/// Deletes the parts of a module that a failure rarely needs: debug information, and the bodies of
/// functions that each module may contain as a copy, such as functions in headers and templates of
/// C++.
///
/// Prefer it as the first pass over a module.
///
/// Cost: one test, or three if the failure needs some of it.
///
/// Source: the first pass of LLVM's `llvm-reduce`, `strip-debug-info`; the bodies are ours.
///
/// ```
/// use nubbin_reduce::pass::{IrHeaders, preview};
///
/// let text = b"define linkonce_odr void @g() {\n  ret void\n}\ndefine void @f() {\n  call void @g()\n  ret void\n}\n";
/// let candidates = preview(&IrHeaders, text, 9);
/// let wanted = "declare void @g()\ndefine void @f() {\n  call void @g()\n  ret void\n}\n";
/// assert_eq!(candidates, [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrHeaders;

impl Pass for IrHeaders {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-headers",
            "deletes debug information and the bodies of functions of headers",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let copied = |(_, item): &(u32, &Item)| is_copied(&module, item);
        let items = (0..).zip(&module.items).filter(copied);
        let mut bodies: Vec<Step> = items.map(|(at, _)| Step::Body(at)).collect();
        // If all functions of the module are copies, some of them are needed.
        if bodies.len() == module.functions.len() {
            bodies.clear();
        }
        let kinds = [debug_steps(&module), bodies].into_iter();
        let kinds = kinds.filter(|kind| !kind.is_empty());
        let kinds = steps.extend(kinds.map(|kind| (Step::All(kind), 1)));
        let works = vec![all_or_some(Spans::new(kinds))];
        completed(file, context, module, steps, works)
    }
}

/// Returns whether an item is a function of which a linker keeps one of several.
fn is_copied(module: &Module, item: &Item) -> bool {
    if !matches!(item.kind, ItemKind::Function(_)) || item.is_frozen {
        return false;
    }
    let head = module.bytes(&(item.core.start..item.name_span.start));
    let mut words = head.split(|byte| byte.is_ascii_whitespace());
    words.any(|word| {
        let linkages: [&[u8]; 4] = [
            b"linkonce",
            b"linkonce_odr",
            b"weak_odr",
            b"available_externally",
        ];
        linkages.contains(&word)
    })
}
