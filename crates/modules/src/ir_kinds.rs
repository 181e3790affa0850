use super::completed::completed;
use super::ir_annotations::annotations;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some, optional};
use nubbin_ir::{Item, ItemKind};

/// Deletes the annotations of a module, one kind after another: names and debug information, other
/// metadata, groups of attributes, flags, alignments, and then properties.
///
/// Prefer `ir-annotations` before it, which deletes all of them together.
///
/// Cost: one test if there is one kind, otherwise up to ten tests, and the tests of the list
/// minimizer over all properties.
///
/// Source: LLVM: `llvm-reduce` has a pass for each of these kinds.
///
/// ```
/// use nubbin_reduce::pass::{IrKinds, preview};
///
/// let text = b"define i32 @f() #0 {\n  ret i32 0, !dbg !1\n}\n\nattributes #0 = { cold }\n!1 = !{}\n";
/// let candidates = preview(&IrKinds, text, 9);
/// let wanted = "define i32 @f() #0 {\n  ret i32 0\n}\n\nattributes #0 = { cold }\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrKinds;

impl Pass for IrKinds {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-kinds",
            "deletes annotations of a module, each kind by itself",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let kinds = annotations(&module).into_iter();
        let kinds = steps.extend(kinds.map(|kind| (Step::All(kind), 1)));
        let is_property = |item: &Item| item.kind == ItemKind::Property && !item.is_frozen;
        let items = (0..).zip(&module.items);
        let items = items.filter(|(_, item)| is_property(item));
        let items = steps.extend(items.map(|(at, _)| (Step::Item(at), 1)));
        let works = vec![optional(Spans::new(kinds)), all_or_some(Spans::new(items))];
        completed(file, context, module, steps, works)
    }
}
