use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some};

/// Deletes parameters of functions with the arguments of all calls, and results.
///
/// Cost: the tests of the list minimizer over all parameters and results.
///
/// Source: LLVM: `llvm-reduce`, pass `arguments`; results are ours.
///
/// ```
/// use nubbin_reduce::pass::{IrParameters, preview};
///
/// let text = b"define void @f(i32 %0) {\n  call void @f(i32 %0)\n  ret void\n}\n";
/// let candidates = preview(&IrParameters, text, 9);
/// assert_eq!(candidates, ["define void @f() {\n  call void @f()\n  ret void\n}\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrParameters;

impl Pass for IrParameters {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-parameters",
            "deletes parameters and results of functions",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut all = vec![];
        for (at, function) in (0..).zip(&module.functions) {
            if !module.has_free_signature(at) {
                continue;
            }
            let of = &module.items[function.item as usize];
            if of.ty.as_ref().is_some_and(|ty| module.bytes(ty) != b"void") {
                all.push((Step::Result(at), 1));
            }
            all.extend(
                function
                    .parameters
                    .clone()
                    .map(|value| (Step::Parameter(value), 1)),
            );
        }
        let works = vec![all_or_some(Spans::new(steps.extend(all)))];
        completed(file, context, module, steps, works)
    }
}
