use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};

/// Replaces local variables with values: a load becomes the stored value, or a new phi of several
/// stored values.
///
/// The variables, loads, and stores are removed, with the instructions that only they needed. Other
/// passes can then see the dependencies between values.
///
/// Cost: one test, or the tests of the list minimizer over all variables.
///
/// Source: LLVM: `llvm-reduce`, pass `ir-passes`, which runs `sroa` of the optimizer.
///
/// ```
/// use nubbin_reduce::pass::{IrVariables, preview};
///
/// let text = b"define i32 @f(i32 %0) {\n  %2 = alloca i32\n  store i32 %0, ptr %2\n  %3 = load i32, ptr %2\n  ret i32 %3\n}\n";
/// let candidates = preview(&IrVariables, text, 9);
/// assert_eq!(candidates, ["define i32 @f(i32 %0) {\n  ret i32 %0\n}\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrVariables;

impl Pass for IrVariables {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-variables",
            "makes values of local variables",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let functions = 0..module.functions.len() as u32;
        let variables = functions.flat_map(|function| module.variables(function));
        let variables = variables.map(|at| (Step::Variable(at), 1));
        let variables = steps.extend(variables.collect::<Vec<_>>());
        let works = vec![all_or_some(Spans::new(variables))];
        completed(file, context, module, steps, works)
    }
}
