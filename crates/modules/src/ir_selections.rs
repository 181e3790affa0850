use super::branches::of_branches;
use super::step::Step;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use nubbin_ir::Module;

/// Executes both sides of a branch, one after the other, if the sides meet and nothing else leads
/// to them. A selection by the condition takes the place of each phi after the branch.
///
/// The branch, the jumps, and the labels are removed. Afterwards, the instructions of both sides
/// are always executed, so the module may compute something else. A side may contain other such
/// branches.
///
/// Cost: one test, or the tests of the list minimizer over all branches.
///
/// Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of Control Dependence to
/// Data Dependence", 1983, where instructions with effects keep the condition.
///
/// ```
/// use nubbin_reduce::pass::{IrSelections, preview};
///
/// let text = b"define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %0 ], [ 2, %a ]\n  ret i32 %x\n}\n";
/// let wanted = "define i32 @f(i1 %c) {\n  %1 = select i1 %c, i32 2, i32 1\n  ret i32 %1\n}\n";
/// assert_eq!(preview(&IrSelections, text, 9), [wanted]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrSelections;

impl Pass for IrSelections {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-selections",
            "makes selections of branches",
            "Allen et al. 1983",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        of_branches(file, context, Module::straight_branches, Step::Straight)
    }
}
