use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some, optional};
use nubbin_ir::{Definition, ItemKind, Module, Op, Substitute, Target};
use std::collections::BTreeMap;

/// Replaces operands with simpler ones. A result is replaced with the result of an equal earlier
/// instruction, with an operand of its instruction or an argument of its call, with a parameter of
/// the same type, with a new parameter, or with the nearest earlier result of the same type. A use
/// is then replaced with a constant.
///
/// A replaced result is removed, with the instructions that only it needed.
///
/// Cost: the tests of the list minimizer over all results, and over all operands, once per kind of
/// replacement.
///
/// Source: LLVM: `llvm-reduce`, passes `operands-skip`, `operands-to-args`, `operands-one`, and
/// `operands-zero`; `spirv-reduce` for earlier results of the type. Instructions that are the same
/// are ours: two loads of one variable keep their relation if a parameter takes the place of both.
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
            "replaces operands with other values and with constants",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let results = Results::of(&module);
        let mut works = vec![all_or_some(Spans::new(steps.extend(results.repeated)))];
        let lists = [
            results.skipped,
            results.parameters,
            results.added,
            results.earlier,
            constant_items(&module),
            zeros(&module),
        ];
        for list in lists {
            works.push(optional(Spans::new(steps.extend(list))));
        }
        completed(file, context, module, steps, works)
    }
}

/// The steps that replace a result with another value, each with the weight of its instruction.
#[derive(Default)]
struct Results {
    /// Replacements by the result of an equal earlier instruction.
    repeated: Vec<(Step, u32)>,
    /// Replacements by an operand of the instruction.
    skipped: Vec<(Step, u32)>,
    /// Replacements by a parameter.
    parameters: Vec<(Step, u32)>,
    /// Replacements by a new parameter.
    added: Vec<(Step, u32)>,
    /// Replacements by the nearest earlier result of the same type.
    earlier: Vec<(Step, u32)>,
}

impl Results {
    fn of(module: &Module) -> Self {
        let mut all = Results::default();
        let weigh = |value: u32, to: Substitute| {
            let weight = match module.values[value as usize].definition {
                Definition::Instruction(at) => {
                    let span = &module.instructions[at as usize].span;
                    span.end - span.start
                }
                _ => 1,
            };
            (Step::Value(value, to), weight)
        };
        let weigh_value = |(value, to)| weigh(value, Substitute::Value(to));
        for (number, function) in (0..).zip(&module.functions) {
            let earlier = module.earlier(number);
            all.repeated
                .extend(earlier.repeated.into_iter().map(weigh_value));
            all.earlier
                .extend(earlier.of_type.into_iter().map(weigh_value));
            let is_free = module.has_free_signature(number);
            let range = function.blocks.clone();
            for at in range.flat_map(|block| module.blocks[block as usize].instructions.clone()) {
                let instruction = &module.instructions[at as usize];
                let Some(result) = instruction.result else {
                    continue;
                };
                let operand = same_type(module, at).map(|operand| (result, operand));
                all.skipped.extend(operand.map(weigh_value));
                if let Some(ty) = type_of(module, result) {
                    let mut parameters = function.parameters.clone();
                    let fit = parameters.find(|&value| type_of(module, value) == Some(ty));
                    all.parameters
                        .extend(fit.map(|fit| weigh_value((result, fit))));
                }
                let may_be_added = is_free && !matches!(instruction.op, Op::Invoke | Op::Pad);
                if may_be_added && module.parameter_type(result).is_some() {
                    all.added.push(weigh(result, Substitute::Parameter));
                }
            }
        }
        all
    }
}

/// Returns the steps that replace uses with the zero of their type.
fn zeros(module: &Module) -> Vec<(Step, u32)> {
    let mut steps = vec![];
    for (at, used) in (0..).zip(&module.uses) {
        let Target::Value(value) = used.target else {
            continue;
        };
        let is_block = matches!(
            module.values[value as usize].definition,
            Definition::Block(_)
        );
        let zero = match type_of(module, value) {
            Some(ty) if is_integer(ty) => "0",
            Some(ty) if ty.starts_with(b"ptr") || ty.ends_with(b"*") => "null",
            Some(b"float" | b"double") => "0.0",
            _ => continue,
        };
        if !is_block {
            steps.push((Step::Operand(at, Substitute::Constant(zero)), 1));
        }
    }
    steps
}

/// Returns the steps that replace results with a constant that is an item of the same type.
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
    // The value of another edge is not defined at this instruction.
    if !matches!(instruction.op, Op::Pure | Op::Call) {
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
