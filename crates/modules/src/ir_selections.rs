use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};

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
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut all = vec![];
        for function in 0..module.functions.len() as u32 {
            let branches = module.straight_branches(function).into_iter();
            all.extend(branches.map(|at| {
                let both = vec![Step::Straight(at), Step::Joints(function)];
                (Step::All(both), 1)
            }));
        }
        let works = vec![all_or_some(Spans::new(steps.extend(all)))];
        completed(file, context, module, steps, works)
    }
}
