use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, optional};

/// Takes blocks out of functions: a branch to one leads to the nearest block after it that is
/// left.
///
/// So any set of blocks can be taken out. Values of removed blocks become undefined where others
/// use them, phis lose the entries of removed edges, and blocks that nothing reaches any more are
/// removed as well.
///
/// Cost: the tests of the list minimizer over all blocks, by their length.
///
/// Source: LLVM: `llvm-reduce`, pass `basic-blocks`, where a branch to a removed block leads to the
/// other successor or becomes a return.
///
/// ```
/// use nubbin_reduce::pass::{IrBlocks, preview};
///
/// let text = b"define void @f() {\n  br label %a\na:\n  call void @g()\n  br label %b\nb:\n  ret void\n}\n";
/// let candidates = preview(&IrBlocks, text, 9);
/// let wanted = "define void @f() {\n  br label %b\nb:\n  ret void\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrBlocks;

impl Pass for IrBlocks {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-blocks",
            "takes blocks out of functions",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut blocks = vec![];
        for function in module
            .functions
            .iter()
            .filter(|function| !function.is_rigid)
        {
            for at in function.blocks.clone().skip(1) {
                let block = &module.blocks[at as usize];
                let of = block
                    .instructions
                    .clone()
                    .map(|at| &module.instructions[at as usize]);
                let weight = of.map(|of| of.span.end - of.span.start).sum();
                blocks.push((Step::Block(at), weight));
            }
        }
        let blocks = steps.extend(blocks);
        let works = vec![optional(Spans::new(blocks))];
        completed(file, context, module, steps, works)
    }
}
