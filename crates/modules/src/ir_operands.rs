use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, optional};
use nubbin_ir::{Definition, ItemKind, Module, Op, Substitute, Target};
use std::collections::BTreeMap;

/// Replaces operands by simpler ones: a result by an operand of its instruction or by a parameter
/// of the same type, and then a use by a constant.
///
/// A result that is replaced is removed, with what only it needed.
///
/// Cost: the tests of the list minimizer over all results, and over all operands, once for each
/// kind of replacement.
///
/// Source: LLVM: `llvm-reduce`, passes `operands-skip`, `operands-to-args`, `operands-one`, and
/// `operands-zero`.
///
/// ```
/// use nubbin_reduce::pass::{IrOperands, preview};
///
/// let text = b"define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n";
/// let candidates = preview(&IrOperands, text, 9);
/// assert!(candidates.contains(&"define i32 @f(i32 %0) {\n  ret i32 %0\n}\n".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrOperands;

impl Pass for IrOperands {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-operands",
            "replaces operands by other values and by constants",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let (mut skipped, mut parameters) = (vec![], vec![]);
        for function in &module.functions {
            let range = function.blocks.clone();
            for at in range.flat_map(|block| module.blocks[block as usize].instructions.clone()) {
                let instruction = &module.instructions[at as usize];
                let Some(result) = instruction.result else {
                    continue;
                };
                let weight = instruction.span.end - instruction.span.start;
                if let Some(operand) = same_type(&module, at) {
                    skipped.push((Step::Value(result, Substitute::Value(operand)), weight));
                }
                let ty = |value| type_of(&module, value);
                let of = ty(result);
                let mut fit = function
                    .parameters
                    .clone()
                    .filter(|&value| of.is_some() && ty(value) == of);
                if let Some(parameter) = fit.next() {
                    parameters.push((Step::Value(result, Substitute::Value(parameter)), weight));
                }
            }
        }
        let mut constants: [Vec<(Step, u32)>; 2] = [vec![], vec![]];
        for (nth, text) in ["0", "null"].into_iter().enumerate() {
            for (at, used) in (0..).zip(&module.uses) {
                let Target::Value(value) = used.target else {
                    continue;
                };
                let of = &module.values[value as usize];
                let ty = type_of(&module, value).unwrap_or_default();
                let fits = match text {
                    "0" => is_integer(ty),
                    _ => ty.starts_with(b"ptr") || ty.ends_with(b"*"),
                };
                if fits && !matches!(of.definition, Definition::Block(_)) {
                    constants[nth].push((Step::Operand(at, Substitute::Constant(text)), 1));
                }
            }
        }
        let items = constant_items(&module);
        let mut works = vec![];
        for list in [skipped, parameters, items].into_iter().chain(constants) {
            works.push(optional(Spans::new(steps.extend(list))));
        }
        completed(file, context, module, steps, works)
    }
}

/// Returns the steps that replace results by a constant that is an item of the same type.
fn constant_items(module: &Module) -> Vec<(Step, u32)> {
    let mut first: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (at, item) in (0..).zip(&module.items) {
        if let (ItemKind::Constant, Some(ty)) = (item.kind, &item.ty) {
            first.entry(module.bytes(ty)).or_insert(at);
        }
    }
    let mut steps = vec![];
    for instruction in module.instructions.iter().filter(|_| !first.is_empty()) {
        let result = instruction.result;
        let constant = result.and_then(|value| first.get(type_of(module, value)?));
        if let (Some(value), Some(&item)) = (result, constant) {
            let weight = instruction.span.end - instruction.span.start;
            steps.push((Step::Value(value, Substitute::Item(item)), weight));
        }
    }
    steps
}

/// Returns the text of the type of a value, where it is known.
fn type_of(module: &Module, value: u32) -> Option<&[u8]> {
    let ty = module.values[value as usize].ty.as_ref()?;
    Some(module.bytes(ty))
}

/// Returns the first operand of an instruction that has the type of its result.
fn same_type(module: &Module, at: u32) -> Option<u32> {
    let instruction = &module.instructions[at as usize];
    // A value of another edge is not defined here.
    if !matches!(instruction.op, Op::Pure) {
        return None;
    }
    let ty = |value| type_of(module, value);
    let result = ty(instruction.result?)?;
    let values =
        instruction
            .uses
            .clone()
            .filter_map(|nth| match module.uses[nth as usize].target {
                Target::Value(value) => Some(value),
                Target::Symbol(_) => None,
            });
    values.into_iter().find(|&value| ty(value) == Some(result))
}

/// Returns whether a type is one of integers: `i32`.
fn is_integer(ty: &[u8]) -> bool {
    let digits = ty.strip_prefix(b"i").unwrap_or_default();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
