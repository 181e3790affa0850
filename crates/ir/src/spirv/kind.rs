use super::code::{
    BRANCH, CAPABILITY, DECORATE, DECORATE_ID, DECORATE_STRING, ENTRY_POINT, EXECUTION_MODE,
    EXECUTION_MODE_ID, EXT_INST, LINE, LOOP_MERGE, MEMBER_DECORATE, MEMBER_DECORATE_STRING,
    NO_LINE, PHI, RETURN, RETURN_VALUE, SELECTION_MERGE, SWITCH, UNDEF, UNREACHABLE,
};
use super::opcode::name_of;
use crate::module::{ItemKind, Op};

/// Returns the kind of an instruction in a block. `has_result` states whether it has a result.
pub(super) fn op(code: u16, has_result: bool, is_about_debugging: bool) -> Op {
    match code {
        PHI => Op::Phi,
        LOOP_MERGE | SELECTION_MERGE => Op::Merge,
        BRANCH => Op::Jump,
        250 => Op::Branch,
        SWITCH => Op::Switch,
        RETURN | RETURN_VALUE => Op::Return,
        // Kill, Unreachable, TerminateInvocation, IgnoreIntersection, TerminateRay, EmitMeshTasks.
        252 | UNREACHABLE | 4416 | 4448 | 4449 | 5294 => Op::End,
        LINE | NO_LINE => Op::Debug,
        57 => Op::Call,
        62 => Op::Store,
        _ if is_about_debugging => Op::Debug,
        // These are atomic operations, and operations on groups and rays, which may have effects.
        227..=242 | 6035 => Op::Effect,
        _ if has_result => Op::Pure,
        _ => Op::Effect,
    }
}

/// Returns the kind of an item of one instruction.
pub(super) fn item(code: u16, is_about_debugging: bool) -> ItemKind {
    match code {
        2..=6 | LINE | NO_LINE | 330 => ItemKind::Note,
        EXT_INST if is_about_debugging => ItemKind::Note,
        // These are strings, imports of instruction sets, and groups of decorations.
        7 | 11 | 73 => ItemKind::Metadata,
        10 | CAPABILITY | EXECUTION_MODE | EXECUTION_MODE_ID => ItemKind::Property,
        ENTRY_POINT => ItemKind::EntryPoint,
        DECORATE | MEMBER_DECORATE | DECORATE_ID | DECORATE_STRING | MEMBER_DECORATE_STRING => {
            ItemKind::Decoration
        }
        UNDEF | 41..=52 => ItemKind::Constant,
        59 => ItemKind::Global,
        _ if is_type(code) => ItemKind::Type,
        _ => ItemKind::Opaque,
    }
}

fn is_type(code: u16) -> bool {
    name_of(code).starts_with("Type")
}
