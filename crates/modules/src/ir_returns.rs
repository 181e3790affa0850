use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some, optional};
use nubbin_ir::Change;

/// Returns a value from its function in the place of an instruction that has it as an operand: a
/// call, a store, or an instruction whose result is returned and has another type than the value.
///
/// The instruction is removed, with the instructions that only it and the former result needed. If
/// the failure needs a value and not its use, the value remains as the result of the function. A
/// jump back to the start of a loop then becomes a return, so that the content of the loop remains
/// without the loop.
///
/// Cost: the tests of the list minimizer over all operands of these instructions that a return
/// can have, and one test for the jumps, or the tests of the list minimizer over them.
///
/// Source: ours; `llvm-reduce` removes such an instruction only with its operands.
///
/// ```
/// use nubbin_reduce::pass::{IrReturns, preview};
///
/// let text = b"define void @f(ptr %0, i32 %1) {\n  %3 = add i32 %1, 1\n  store i32 %3, ptr %0\n  ret void\n}\n";
/// let candidates = preview(&IrReturns, text, 9);
/// let wanted = "define i32 @f(ptr %0, i32 %1) {\n  %3 = add i32 %1, 1\n  ret i32 %3\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrReturns;

impl Pass for IrReturns {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-returns",
            "returns values in the place of calls and stores that have them",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut all = vec![];
        for function in 0..module.functions.len() as u32 {
            for (at, value) in module.returns(function) {
                let span = &module.instructions[at as usize].span;
                let both = vec![Step::Instruction(at), Step::Returned(function, value)];
                all.push((Step::All(both), span.end - span.start));
            }
        }
        // A return may be longer than a jump, but the block is then joined with its predecessor.
        let mut back = vec![];
        for function in 0..module.functions.len() as u32 {
            back.extend(module.jumps_back(function).into_iter().map(|at| {
                let both = vec![Step::Edge(at, Change::NO_EDGE), Step::Joints(function)];
                (Step::All(both), 1)
            }));
        }
        let works = vec![
            optional(Spans::new(steps.extend(all))),
            all_or_some(Spans::new(steps.extend(back))),
        ];
        completed(file, context, module, steps, works)
    }
}
