use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind, Op, WordKind};

/// Deletes from a module what tells a compiler or a debugger more than the program itself: names
/// and debug information, other metadata, groups of attributes, flags, alignments, and properties.
///
/// Each kind is one unit, with the nodes of metadata and the groups that nothing names afterwards.
/// The first test removes all of them but the properties.
///
/// Cost: a test if the failure needs none of them, otherwise about ten.
///
/// Source: LLVM: `llvm-reduce` has a pass for each of these kinds.
///
/// ```
/// use nubbin_reduce::pass::{IrAnnotations, preview};
///
/// let text = b"define i32 @f() #0 {\n  ret i32 0, !dbg !1\n}\n\nattributes #0 = { cold }\n!1 = !{}\n";
/// let candidates = preview(&IrAnnotations, text, 9);
/// assert_eq!(candidates[0], "define i32 @f() {\n  ret i32 0\n}\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrAnnotations;

impl Pass for IrAnnotations {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-annotations",
            "deletes debug information, metadata, and attributes of a module",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut kinds: Vec<Vec<Step>> = vec![vec![]; 5];
        for (at, word) in (0..).zip(&module.words) {
            let kind = match word.kind {
                WordKind::Debug => 0,
                WordKind::Metadata => 1,
                WordKind::Attributes => 2,
                WordKind::Alignment => 3,
                WordKind::Flag => 4,
                _ => continue,
            };
            // The words of a group are those of the group.
            kinds[kind].push(Step::Word(at));
        }
        let debug = (0..)
            .zip(&module.instructions)
            .filter(|(_, of)| of.op == Op::Debug);
        kinds[0].extend(debug.map(|(at, _)| Step::Instruction(at)));
        for (at, item) in (0..).zip(&module.items) {
            if item.kind == ItemKind::Note {
                kinds[0].push(Step::Item(at));
            } else if item.kind == ItemKind::NamedMetadata {
                let is_debug = module.bytes(&item.name_span).starts_with(b"!llvm.dbg");
                kinds[usize::from(!is_debug)].push(Step::Item(at));
            }
        }
        let kinds = kinds.into_iter().filter(|kind| !kind.is_empty());
        let kinds = steps.extend(kinds.map(|kind| (Step::All(kind), 1)));
        let is_property = |item: &Item| item.kind == ItemKind::Property && !item.is_frozen;
        let items = (0..)
            .zip(&module.items)
            .filter(|(_, item)| is_property(item));
        let items = steps.extend(items.map(|(at, _)| (Step::Item(at), 1)));
        let works = vec![
            all_or_some(Spans::new(kinds)),
            all_or_some(Spans::new(items)),
        ];
        completed(file, context, module, steps, works)
    }
}
