use super::circuit::circuit_of;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document};

/// Returns whether a text begins as a formula in DIMACS or a circuit in AIGER.
pub fn is_formal(text: &[u8]) -> bool {
    let is_comment = |line: &&[u8]| line.first() == Some(&b'c');
    let line = text
        .split(|&byte| byte == b'\n')
        .find(|line| !is_comment(line));
    let line = line.unwrap_or_default();
    [&b"p cnf "[..], b"aag ", b"aig "]
        .iter()
        .any(|begin| line.starts_with(begin))
}

/// Returns whether a file is a circuit as the passes over circuits write it. Then they make all
/// changes that keep the format, and nearly all candidates of other passes are no circuits.
pub fn is_written(file: &File<'_>, context: &Context<'_>) -> bool {
    if !is_formal(file.text) {
        return false;
    }
    circuit_of(file, context).is_some_and(|circuit| circuit.write(&[]) == file.text)
}
