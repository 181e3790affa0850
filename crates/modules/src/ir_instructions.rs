use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some, optional};
use nubbin_ir::{Instruction, Op, Target};

/// Deletes instructions. Uses of their results become undefined.
///
/// Instructions that only removed ones needed are removed with them, and so are stores to a removed
/// place. The first test removes all instructions whose results nothing uses.
///
/// Cost: the tests of the list minimizer over all instructions, by their length.
///
/// Source: LLVM: `llvm-reduce`, pass `instructions`, which keeps the instructions that removed
/// instructions needed.
///
/// ```
/// use nubbin_reduce::pass::{IrInstructions, preview};
///
/// let text = b"define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = mul i32 %2, %2\n  ret i32 %3\n}\n";
/// let candidates = preview(&IrInstructions, text, 9);
/// let wanted = "define i32 @f(i32 %0) {\n  ret i32 undef\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrInstructions;

impl Pass for IrInstructions {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-instructions",
            "deletes instructions",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut is_used = vec![false; module.values.len()];
        // Names and decorations of a value do not count as uses.
        for nth in module.instructions.iter().flat_map(|of| of.uses.clone()) {
            if let Target::Value(value) = module.uses[nth as usize].target {
                is_used[value as usize] = true;
            }
        }
        let is_token = |value: u32| {
            let ty = module.values[value as usize].ty.as_ref();
            ty.is_some_and(|ty| module.bytes(ty) == b"token")
        };
        // Tokens cannot be undefined.
        let can_go = |of: &Instruction| {
            !of.op.is_terminator()
                && !matches!(of.op, Op::Pad | Op::Merge)
                && !of.result.is_some_and(is_token)
        };
        let weigh =
            |(at, of): (u32, &Instruction)| (Step::Instruction(at), of.span.end - of.span.start);
        let all = || (0..).zip(&module.instructions).filter(|(_, of)| can_go(of));
        let is_unused = |of: &Instruction| {
            let result = of.result.map(|value| is_used[value as usize]);
            matches!(of.op, Op::Pure | Op::Phi) && result == Some(false)
        };
        let unused = steps.extend(all().filter(|(_, of)| is_unused(of)).map(weigh));
        let rest = steps.extend(all().map(weigh));
        let works = vec![all_or_some(Spans::new(unused)), optional(Spans::new(rest))];
        completed(file, context, module, steps, works)
    }
}
