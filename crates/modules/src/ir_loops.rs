use super::branches::of_branches;
use super::step::Step;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use nubbin_ir::Module;

/// Moves the branch that leaves a loop from the start of the loop to its end, and joins the blocks.
///
/// Afterwards, the loop has one jump fewer, and often one block fewer. Its instructions are
/// executed once more than before, since the condition is still the condition of the start. Uses
/// after the loop have the values of the last iteration in the place of phis.
///
/// Cost: one test, or the tests of the list minimizer over all loops.
///
/// Source: LLVM: `loop-rotate` of the optimizer, which keeps a copy of the condition before the
/// loop.
///
/// ```
/// use nubbin_reduce::pass::{IrLoops, preview};
///
/// let text = b"define void @f() {\n  br label %a\na:\n  %x = call i1 @g()\n  br i1 %x, label %b, label %c\nb:\n  br label %a\nc:\n  ret void\n}\n";
/// let wanted = "define void @f() {\n  br label %a\na:\n  %x = call i1 @g()\n  br i1 %x, label %a, label %c\nc:\n  ret void\n}\n";
/// assert_eq!(preview(&IrLoops, text, 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrLoops;

impl Pass for IrLoops {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-loops",
            "moves the conditions of loops to their ends",
            "LLVM: loop-rotate",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        of_branches(file, context, Module::turned_branches, Step::Turned)
    }
}
