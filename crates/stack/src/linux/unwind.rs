//! The walk over a stack, from the innermost function to its callers.

use super::image::Image;
use super::memory::Memory;
use super::modules::Modules;
use super::registers::{FRAME, LINK, Registers, STACK, without_signature};
use super::section::Bytes;
use crate::MOST_FRAMES;
use gimli::{
    CfaRule, Encoding, EvaluationResult, Format, RegisterRule, UnwindContext, UnwindExpression,
    Value,
};

/// The largest number of operations of an expression in an unwind table.
const MAX_OPERATIONS: u32 = 10_000;

const ENCODING: Encoding = Encoding {
    address_size: 8,
    format: Format::Dwarf32,
    version: 4,
};

/// A location on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// An address inside the instruction: the address of the instruction itself, or of the last
    /// byte of a call.
    pub(super) address: u64,
    /// Whether the function is that by which the system calls a signal handler.
    pub(super) is_trampoline: bool,
}

/// Returns the locations on the stack of a process, innermost first.
pub(super) fn walk(first: Registers, modules: &mut Modules, memory: &Memory) -> Vec<Point> {
    let mut points = Vec::new();
    let mut registers = first;
    // The address of the instruction itself is needed for the innermost function and for a function
    // that a signal interrupted. For all others, the address of the call before it is needed.
    let mut is_exact = true;
    while points.len() < MOST_FRAMES && registers.pc != 0 || points.is_empty() {
        let address = match is_exact {
            true => registers.pc,
            false => registers.pc.wrapping_sub(1),
        };
        if !modules.has_code(address) {
            if !points.is_empty() && !is_exact {
                break;
            }
            // The call of an invalid address has just stored the location of the caller.
            let Some(caller) = after_call(&registers, memory) else {
                break;
            };
            points.push(Point {
                address,
                is_trampoline: false,
            });
            (registers, is_exact) = (caller, false);
            continue;
        }
        let stepped = step(&registers, address, modules, memory);
        points.push(Point {
            address,
            is_trampoline: stepped.as_ref().is_some_and(|(_, it)| *it),
        });
        let Some((caller, is_trampoline)) = stepped else {
            break;
        };
        // A stack that was overwritten may contain a cycle.
        if !is_trampoline && caller.get(STACK) <= registers.get(STACK) && LINK.is_none() {
            break;
        }
        (registers, is_exact) = (caller, is_trampoline);
    }
    points
}

/// Returns the registers of the caller, right after a call.
fn after_call(registers: &Registers, memory: &Memory) -> Option<Registers> {
    let mut caller = registers.clone();
    match LINK {
        Some(link) => caller.pc = without_signature(registers.get(link)?),
        None => {
            let stack = registers.get(STACK)?;
            caller.pc = memory.number(stack, 8)?;
            caller.set(STACK, Some(stack.wrapping_add(8)));
        }
    }
    Some(caller)
}

/// Returns the registers of the caller, and whether the function is a trampoline.
fn step(
    registers: &Registers,
    address: u64,
    modules: &mut Modules,
    memory: &Memory,
) -> Option<(Registers, bool)> {
    let place = modules.place(address, memory);
    let in_file = place.as_ref().map(|place| address.wrapping_sub(place.bias));
    let stepped = place
        .and_then(|place| place.image)
        .zip(in_file)
        .map(|(image, address)| by_table(registers, address, image, memory));
    match stepped {
        Some(Step::To(caller, is_trampoline)) => Some((*caller, is_trampoline)),
        Some(Step::End) => None,
        Some(Step::Unknown) | None => by_frame_pointer(registers, modules, memory),
    }
}

enum Step {
    To(Box<Registers>, bool),
    /// The table says that the function has no caller.
    End,
    /// The table says nothing about the function.
    Unknown,
}

fn by_table(registers: &Registers, address: u64, image: &Image, memory: &Memory) -> Step {
    let Some(entry) = image.entry(address) else {
        return Step::Unknown;
    };
    let section = image.eh_frame();
    let mut context = UnwindContext::new();
    let row = entry.unwind_info_for_address(&section, image.bases(), &mut context, address);
    let Ok(row) = row else {
        return Step::Unknown;
    };
    let evaluated = |expression: &UnwindExpression<usize>, initial: Option<u64>| {
        let expression = expression.get(&section).ok()?;
        evaluate(expression, initial, registers, memory)
    };
    let cfa = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => registers
            .get(register.0)
            .map(|value| value.wrapping_add_signed(*offset)),
        CfaRule::Expression(expression) => evaluated(expression, None),
    };
    let Some(cfa) = cfa else {
        return Step::Unknown;
    };
    let mut caller = registers.clone();
    caller.set(STACK, Some(cfa));
    let back = entry.cie().return_address_register();
    let mut back_is_known = LINK == Some(back.0);
    for (register, rule) in row.registers() {
        let value = match rule {
            RegisterRule::Undefined => None,
            RegisterRule::SameValue => registers.get(register.0),
            RegisterRule::Offset(offset) => memory.number(cfa.wrapping_add_signed(*offset), 8),
            RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add_signed(*offset)),
            RegisterRule::Register(other) => registers.get(other.0),
            RegisterRule::Expression(expression) => {
                evaluated(expression, Some(cfa)).and_then(|at| memory.number(at, 8))
            }
            RegisterRule::ValExpression(expression) => evaluated(expression, Some(cfa)),
            RegisterRule::Constant(value) => Some(*value),
            // Other rules are ignored, such as the mark of signed return addresses.
            _ => continue,
        };
        if *register == back {
            back_is_known = true;
            if value.is_none() {
                return Step::End;
            }
        }
        caller.set(register.0, value);
    }
    let pc = caller.get(back.0).filter(|_| back_is_known);
    let Some(pc) = pc.map(without_signature) else {
        return Step::End;
    };
    let is_trampoline = entry.is_signal_trampoline();
    if !is_trampoline && LINK.is_some() && pc == registers.pc {
        return Step::End;
    }
    caller.pc = pc;
    Step::To(Box::new(caller), is_trampoline)
}

/// Returns the value of an expression of an unwind table.
fn evaluate(
    expression: gimli::Expression<Bytes<'_>>,
    initial: Option<u64>,
    registers: &Registers,
    memory: &Memory,
) -> Option<u64> {
    let mut evaluation = expression.evaluation(ENCODING);
    // An expression may contain a loop.
    evaluation.set_max_iterations(MAX_OPERATIONS);
    if let Some(initial) = initial {
        evaluation.set_initial_value(initial);
    }
    let mut result = evaluation.evaluate().ok()?;
    loop {
        result = match result {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresMemory { address, size, .. } => {
                let value = Value::Generic(memory.number(address, size)?);
                evaluation.resume_with_memory(value).ok()?
            }
            EvaluationResult::RequiresRegister { register, .. } => {
                let value = Value::Generic(registers.get(register.0)?);
                evaluation.resume_with_register(value).ok()?
            }
            _ => return None,
        };
    }
    match evaluation.as_result().first()?.location {
        gimli::Location::Address { address } => Some(address),
        gimli::Location::Value { value } => value.to_u64(u64::MAX).ok(),
        _ => None,
    }
}

/// Returns the registers of the caller of a function that keeps a frame pointer, as code without a
/// table may do.
fn by_frame_pointer(
    registers: &Registers,
    modules: &Modules,
    memory: &Memory,
) -> Option<(Registers, bool)> {
    let frame = registers.get(FRAME)?;
    let stack = registers.get(STACK)?;
    // A register with another value would lead to a wrong frame.
    if frame < stack || frame % 8 != 0 {
        return None;
    }
    let pc = without_signature(memory.number(frame.wrapping_add(8), 8)?);
    let mut caller = registers.clone();
    caller.pc = pc;
    caller.set(FRAME, memory.number(frame, 8));
    caller.set(STACK, Some(frame.wrapping_add(16)));
    modules.has_code(pc).then_some((caller, false))
}
