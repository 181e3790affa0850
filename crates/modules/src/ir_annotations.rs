use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind, Module, Op, WordKind};

/// Deletes the parts of a module that a compiler or a debugger uses but the program itself does not
/// need: names and debug information, other metadata, groups of attributes, flags, and alignments.
///
/// Nodes of metadata and groups that nothing names afterwards are removed with them. `ir-kinds`
/// deletes each kind by itself.
///
/// Cost: a test.
///
/// Source: LLVM: `llvm-reduce` has a pass for each of these kinds.
///
/// ```
/// use nubbin_reduce::pass::{IrAnnotations, preview};
///
/// let text = b"define i32 @f() #0 {\n  ret i32 0, !dbg !1\n}\n\nattributes #0 = { cold }\n!1 = !{}\n";
/// let candidates = preview(&IrAnnotations, text, 9);
/// assert_eq!(candidates, ["define i32 @f() {\n  ret i32 0\n}\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrAnnotations;

impl Pass for IrAnnotations {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-annotations",
            "deletes all debug information, metadata, and attributes of a module",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let all: Vec<Step> = annotations(&module).into_iter().flatten().collect();
        let all = steps.extend((!all.is_empty()).then_some((Step::All(all), 1)));
        let works = vec![all_or_some(Spans::new(all))];
        completed(file, context, module, steps, works)
    }
}

/// Returns the steps that delete annotations of a module, grouped by kind.
pub(super) fn annotations(module: &Module) -> Vec<Vec<Step>> {
    let mut kinds: [Vec<Step>; 5] = Default::default();
    kinds[0] = debug_steps(module);
    for (at, word) in (0..).zip(&module.words) {
        let kind = match word.kind {
            WordKind::Metadata => 1,
            WordKind::Attributes => 2,
            WordKind::Alignment => 3,
            WordKind::Flag => 4,
            _ => continue,
        };
        // The words of a group are removed together with the group.
        kinds[kind].push(Step::Word(at));
    }
    for (at, item) in (0..).zip(&module.items) {
        if item.kind == ItemKind::NamedMetadata && !is_debug(module, item) {
            kinds[1].push(Step::Item(at));
        }
    }
    kinds.into_iter().filter(|kind| !kind.is_empty()).collect()
}

/// Returns the steps that delete information for debuggers and readers.
pub(super) fn debug_steps(module: &Module) -> Vec<Step> {
    let words = (0..).zip(&module.words);
    let words = words.filter(|(_, word)| word.kind == WordKind::Debug);
    let instructions = (0..).zip(&module.instructions);
    let instructions = instructions.filter(|(_, of)| of.op == Op::Debug);
    let items = (0..).zip(&module.items);
    let items = items.filter(|(_, item)| item.kind == ItemKind::Note || is_debug(module, item));
    let words = words.map(|(at, _)| Step::Word(at));
    let instructions = instructions.map(|(at, _)| Step::Instruction(at));
    let items = items.map(|(at, _)| Step::Item(at));
    words.chain(instructions).chain(items).collect()
}

/// Returns whether an item is the list of all debug information.
fn is_debug(module: &Module, item: &Item) -> bool {
    let name = module.bytes(&item.name_span);
    item.kind == ItemKind::NamedMetadata && name.starts_with(b"!llvm.dbg")
}
