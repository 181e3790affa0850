use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Spans, Work, all_or_some};
use nubbin_ir::{Item, ItemKind, Module, Target};

/// Deletes bodies of functions, which become declarations, and initial values of variables.
///
/// Items that only the removed bodies needed are removed with them: declarations, local variables,
/// types, metadata. A local function that loses a caller is not local any more. Then items that
/// nothing names are removed.
///
/// An item is first deleted with all items that only it needs, so that no body is left without a
/// function that it calls. Tests that run a module require this. The bodies of the remaining items
/// are deleted next.
///
/// Cost: the tests of the list minimizer over all of these groups, and over the bodies and values
/// of each remaining group, weighted by their length.
///
/// Source: LLVM: `llvm-reduce`, passes `function-bodies`, `functions`, and `global-initializers`.
///
/// ```
/// use nubbin_reduce::pass::{IrBodies, preview};
///
/// let text = b"define i32 @f() {\n  ret i32 0\n}\ndefine i32 @g() {\n  %1 = call i32 @f()\n  ret i32 %1\n}\n";
/// let candidates = preview(&IrBodies, text, 9);
/// let wanted = "declare i32 @f()\ndefine i32 @g() {\n  %1 = call i32 @f()\n  ret i32 %1\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrBodies;

impl Pass for IrBodies {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-bodies",
            "deletes bodies of functions and initial values of a module",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let has_body = |item: &Item| {
            let is_fit = match item.kind {
                ItemKind::Function(_) => true,
                ItemKind::Global => item.initializer.is_some(),
                _ => false,
            };
            is_fit && !item.is_frozen
        };
        let mut groups = module.items_by_need();
        for group in &mut groups {
            group.retain(|&at| has_body(&module.items[at as usize]));
        }
        groups.retain(|group| !group.is_empty());
        let weigh = |at: u32| {
            let core = &module.items[at as usize].core;
            core.end - core.start
        };
        let mut spans = vec![];
        for group in groups {
            let bodies = group.iter().map(|&at| (body(&module, at), weigh(at)));
            let bodies = steps.extend(bodies);
            if let (Some(first), Some(last)) = (bodies.first(), bodies.last()) {
                spans.push(Span::new(first.start, last.end));
            }
            spans.extend(bodies);
        }
        let nested = Nested::of(spans);
        let bodies = Forest::new(Spans::new(nested.spans), &nested.parents).walk();
        let unused = unused(&module).into_iter().map(|at| (Step::Item(at), 1));
        let unused = steps.extend(unused);
        let unused = all_or_some(Spans::new(unused));
        let works = bodies.into_iter().chain([unused]).collect();
        completed(file, context, module, steps, works)
    }
}

/// Returns the step that deletes a body. The local functions that the body calls become external,
/// so that a list minimizer can keep their bodies without the bodies of their callers.
fn body(module: &Module, item: u32) -> Step {
    let uses = module.items[item as usize].uses.clone();
    let used = uses.filter_map(|nth| match module.uses[nth as usize].target {
        Target::Symbol(symbol) => module.symbols.item(symbol),
        Target::Value(_) => None,
    });
    let mut words: Vec<u32> = used.filter_map(|item| module.locality(item)).collect();
    words.sort_unstable();
    words.dedup();
    let words = words.into_iter().map(Step::Word);
    let mut steps: Vec<Step> = [Step::Body(item)].into_iter().chain(words).collect();
    match steps.len() {
        1 => steps.remove(0),
        _ => Step::All(steps),
    }
}

/// Returns the items that no other item names, except for properties of the module.
fn unused(module: &Module) -> Vec<u32> {
    let mut is_used = vec![false; module.items.len()];
    for used in &module.uses {
        if let Target::Symbol(symbol) = used.target
            && let Some(item) = module.symbols.item(symbol)
        {
            is_used[item as usize] = true;
        }
    }
    use ItemKind::{Decoration, EntryPoint, Note, Opaque, Property};
    let entries = module.items.iter().filter(|item| item.kind == EntryPoint);
    let is_last_entry = entries.count() == 1;
    let is_fit = |item: &Item| match item.kind {
        EntryPoint => !is_last_entry,
        Decoration | Note | Opaque | Property => false,
        _ => true,
    };
    let items = (0..).zip(&module.items).filter(|(at, item)| {
        let at: &u32 = at;
        is_fit(item) && !is_used[*at as usize]
    });
    items.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn a_local_function_is_kept_without_its_callers() {
        let function = |head: &str, code: &str| format!("define {head} {{\n{code}  ret void\n}}\n");
        let long = "  call void @h()\n".repeat(8);
        let text = [
            function("internal void @f()", "  fence seq_cst\n"),
            function("void @g()", &["  call void @f()\n", &long].concat()),
        ]
        .concat();
        let has_fence = |text: &[u8]| text.windows(5).any(|word| word == b"fence");
        let result = reduce_with(&IrBodies, text.as_bytes(), has_fence);
        let wanted = function("void @f()", "  fence seq_cst\n");
        assert_eq!(String::from_utf8_lossy(&result), wanted);
    }
}
