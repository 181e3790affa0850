use crate::module::{ItemKind, Op};

/// Returns whether an operation contains items.
pub(super) fn is_container(name: &[u8]) -> bool {
    matches!(
        name,
        b"module" | b"builtin.module" | b"gpu.module" | b"spirv.module" | b"ml_program.module"
    )
}

/// Returns whether an operation defines a symbol, so that the operation is an item where items are
/// allowed.
pub(super) fn is_declared(name: &[u8]) -> bool {
    kind_of(name, None) != ItemKind::Opaque
}

/// Returns the kind of the item that an operation defines.
pub(super) fn kind_of(name: &[u8], function: Option<u32>) -> ItemKind {
    let last = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_function = last.ends_with(b"func") || last == b"named_sequence" || last == b"sequence";
    match function {
        Some(function) if is_function => ItemKind::Function(function),
        None if is_function => ItemKind::Declaration,
        _ if matches!(
            last,
            b"global" | b"GlobalVariable" | b"SpecConstant" | b"comdat"
        ) =>
        {
            ItemKind::Global
        }
        _ => ItemKind::Opaque,
    }
}

/// Returns whether a word names an operation, either with its dialect or as one of the usual short
/// names.
pub(super) fn is_operation(word: &[u8]) -> bool {
    let dialect = word.iter().position(|&byte| byte == b'.');
    let has_dialect = dialect.is_some_and(|at| at > 0 && at + 1 < word.len());
    has_dialect
        || matches!(
            word,
            b"module" | b"return" | b"call" | b"call_indirect" | b"constant" | b"cond_br" | b"br"
        )
}

/// Returns the kind of an operation, determined by its name, by whether it ends its block, and by
/// its numbers of successors, results, and regions.
pub(super) fn op_of(
    name: &[u8],
    is_last: bool,
    successors: usize,
    has_results: bool,
    has_regions: bool,
) -> Op {
    let dialect = name.iter().position(|&byte| byte == b'.');
    let (dialect, short) = match dialect {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => (&b""[..], name),
    };
    if is_last || successors > 0 {
        return match successors {
            0 if short.ends_with(b"return") || short.ends_with(b"yield") => Op::Return,
            0 => Op::End,
            1 if matches!(short, b"br" | b"Branch") => Op::Jump,
            2 if matches!(short, b"cond_br" | b"BranchConditional") => Op::Branch,
            _ if short == b"switch" => Op::Switch,
            _ => Op::Rigid,
        };
    }
    match short {
        _ if has_regions => Op::Effect,
        b"store" | b"Store" => Op::Store,
        b"call" | b"call_indirect" | b"FunctionCall" => Op::Call,
        _ if !has_results => Op::Effect,
        _ if PURE.contains(&dialect) => Op::Pure,
        b"load" | b"alloca" | b"alloc" | b"dim" | b"cast" | b"subview" | b"get_global"
        | b"apply" | b"constant" => Op::Pure,
        _ if dialect == b"llvm" && !short.starts_with(b"atomic") && !short.contains(&b'_') => {
            Op::Pure
        }
        _ => Op::Effect,
    }
}

/// The dialects whose operations have no effects.
const PURE: &[&[u8]] = &[
    b"arith", b"math", b"index", b"complex", b"tensor", b"vector", b"shape", b"tosa",
];
