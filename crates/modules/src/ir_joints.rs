use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};

/// Joins each block that only one jump leads to with the block before it.
///
/// Cost: one test, or the tests of the list minimizer over all functions.
///
/// Source: LLVM: `llvm-reduce`, pass `simplify-cfg`, which does more at once.
///
/// ```
/// use nubbin_reduce::pass::{IrJoints, preview};
///
/// let text = b"define void @f() {\n  br label %a\na:\n  call void @g()\n  ret void\n}\n";
/// let wanted = "define void @f() {\n  call void @g()\n  ret void\n}\n";
/// assert_eq!(preview(&IrJoints, text, 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrJoints;

impl Pass for IrJoints {
    fn info(&self) -> PassInfo {
        PassInfo::new("ir-joints", "joins blocks", "LLVM: llvm-reduce")
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let functions = (0..)
            .zip(&module.functions)
            .filter(|(_, function)| function.blocks.len() > 1);
        let functions = steps.extend(functions.map(|(at, _)| (Step::Joints(at), 1)));
        let works = vec![all_or_some(Spans::new(functions))];
        completed(file, context, module, steps, works)
    }
}
