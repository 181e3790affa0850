use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Spans, Work, all_or_some};
use nubbin_ir::Module;

/// Returns the work of a pass that changes branches and joins the blocks of their functions. The
/// branches of a function are those that `find` returns.
pub(super) fn of_branches(
    file: &File<'_>,
    context: &Context<'_>,
    find: impl Fn(&Module, u32) -> Vec<u32>,
    step: impl Fn(u32) -> Step,
) -> Option<Work> {
    let module = module_of(file, context)?;
    let mut steps = Steps::default();
    let mut all = vec![];
    for function in 0..module.functions.len() as u32 {
        let branches = find(&module, function).into_iter();
        all.extend(branches.map(|at| {
            let both = vec![step(at), Step::Joints(function)];
            (Step::All(both), 1)
        }));
    }
    let works = vec![all_or_some(Spans::new(steps.extend(all)))];
    completed(file, context, module, steps, works)
}
