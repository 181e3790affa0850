use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind, Module, Target};

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
        let is_listed = listed(&module);
        let is_fit = |at: u32, item: &Item| {
            let kind = matches!(
                item.kind,
                ItemKind::Global | ItemKind::Alias | ItemKind::Declaration
            );
            kind && !item.is_frozen && !is_listed[at as usize] && !is_of_compiler(&module, item)
        };
        let items = (0..).zip(&module.items);
        let items = items.filter(|(at, item)| is_fit(*at, item));
        let items = items.map(|(at, item)| (Step::Item(at), item.span.end - item.span.start));
        let items = steps.extend(items);
        let works = vec![all_or_some(Spans::new(items))];
        completed(file, context, module, steps, works)
    }
}

fn is_of_compiler(module: &Module, item: &Item) -> bool {
    module.bytes(&item.name_span).starts_with(b"@llvm.")
}

/// Returns for each item whether it must have a name where other items name it: in the lists that
/// the compiler reads, such as `@llvm.used`, and as the target of an alias.
fn listed(module: &Module) -> Vec<bool> {
    let mut is_listed = vec![false; module.items.len()];
    for item in &module.items {
        if item.kind != ItemKind::Alias && !is_of_compiler(module, item) {
            continue;
        }
        for nth in item.uses.clone() {
            if let Target::Symbol(symbol) = module.uses[nth as usize].target
                && let Some(used) = module.symbols.item(symbol)
            {
                is_listed[used as usize] = true;
            }
        }
    }
    is_listed
}
