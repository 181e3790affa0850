use nubbin_ir::Op;

/// Returns the numbers of functions with a body and of instructions in a module, without statements
/// for debuggers. Returns `None` if the text is not a module.
///
/// The function reads the whole module.
pub fn size(text: &[u8]) -> Option<(u64, u64)> {
    let module = nubbin_ir::read(text)?;
    let instructions = module.instructions.iter();
    let count = instructions.filter(|of| of.op != Op::Debug).count();
    Some((module.functions.len() as u64, count as u64))
}
