use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind};

/// Deletes variables, aliases, and declarations that others name. Their uses become undefined.
///
/// Cost: the tests of the list minimizer over these items.
///
/// Source: LLVM: `llvm-reduce`, passes `global-variables` and `aliases`.
///
/// ```
/// use nubbin_reduce::pass::{IrItems, preview};
///
/// let text = b"@x = global i32 0\n\ndefine ptr @f() {\n  ret ptr @x\n}\n";
/// let candidates = preview(&IrItems, text, 9);
/// assert!(candidates.contains(&"\ndefine ptr @f() {\n  ret ptr undef\n}\n".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrItems;

impl Pass for IrItems {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-items",
            "deletes items of a module that others name",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let is_fit = |item: &Item| {
            let kind = matches!(
                item.kind,
                ItemKind::Global | ItemKind::Alias | ItemKind::Declaration
            );
            kind && !item.is_frozen && !module.bytes(&item.name_span).starts_with(b"@llvm.")
        };
        let items = (0..).zip(&module.items).filter(|(_, item)| is_fit(item));
        let items = items.map(|(at, item)| (Step::Item(at), item.span.end - item.span.start));
        let items = steps.extend(items);
        let works = vec![all_or_some(Spans::new(items))];
        completed(file, context, module, steps, works)
    }
}
