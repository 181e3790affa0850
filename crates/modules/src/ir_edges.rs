use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::Op;

/// Replaces branches and switches with unconditional jumps, and calls that catch exceptions with
/// plain calls.
///
/// The first test keeps the first successor of every branch of the module, and the second test
/// keeps the last successor. Blocks that are no longer reached are removed.
///
/// Cost: two tests, and the tests of the list minimizer over all branches, once per side.
///
/// Source: LLVM: `llvm-reduce`, passes `simplify-conditionals-true`, `simplify-conditionals-false`,
/// and `invokes`.
///
/// ```
/// use nubbin_reduce::pass::{IrEdges, preview};
///
/// let text = b"define void @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret void\nb:\n  ret void\n}\n";
/// let candidates = preview(&IrEdges, text, 9);
/// let wanted = "define void @f(i1 %c) {\n  br label %b\nb:\n  ret void\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrEdges;

impl Pass for IrEdges {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-edges",
            "makes branches unconditional",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut sides = [vec![], vec![]];
        for function in module
            .functions
            .iter()
            .filter(|function| !function.is_rigid)
        {
            for block in function.blocks.clone() {
                let Some(at) = module.blocks[block as usize]
                    .instructions
                    .end
                    .checked_sub(1)
                else {
                    continue;
                };
                let count = match module.instructions[at as usize].op {
                    Op::Branch | Op::Switch => module.successors(block).len() as u32,
                    Op::Invoke => 1,
                    _ => continue,
                };
                sides[0].push((Step::Edge(at, 0), 1));
                if count > 1 {
                    sides[1].push((Step::Edge(at, count - 1), 1));
                }
            }
        }
        let works = sides
            .map(|side| all_or_some(Spans::new(steps.extend(side))))
            .into();
        completed(file, context, module, steps, works)
    }
}
