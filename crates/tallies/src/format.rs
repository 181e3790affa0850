use super::btor_nodes::words_of;
use super::circuit::circuit_of;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document};

/// Returns whether a text begins like a formula in DIMACS or a circuit in AIGER or BTOR2.
pub fn is_formal(text: &[u8]) -> bool {
    let is_comment = |line: &&[u8]| line.first() == Some(&b'c');
    let line = text
        .split(|&byte| byte == b'\n')
        .find(|line| !is_comment(line));
    let line = line.unwrap_or_default();
    [&b"p cnf "[..], b"aag ", b"aig "]
        .iter()
        .any(|begin| line.starts_with(begin))
        || begins_with_sort(text)
}

/// Returns whether the first line of BTOR2 that is not a comment defines a sort.
fn begins_with_sort(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(b";"));
    let mut words = line.unwrap_or_default().split(|&byte| byte == b' ');
    let number = words.next().unwrap_or_default();
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    let is_sort = words.next() == Some(b"sort");
    is_number && is_sort && matches!(words.next(), Some(b"bitvec" | b"array"))
}

/// Returns whether a file is a circuit in the form that the passes over circuits write. These
/// passes then make all changes that keep the format, and nearly all candidates of other passes are
/// not circuits.
pub fn is_written(file: &File<'_>, context: &Context<'_>) -> bool {
    if !is_formal(file.text) {
        return false;
    }
    let is_own = circuit_of(file, context).is_some_and(|circuit| circuit.write(&[]) == file.text);
    is_own || words_of(file, context).is_some_and(|words| words.write(&[]) == file.text)
}
