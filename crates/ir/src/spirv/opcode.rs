use super::opcodes::OPCODES;
use rustc_hash::FxHashMap;

fn row(code: u16) -> Option<&'static (u16, &'static str, &'static str)> {
    let at = OPCODES.binary_search_by_key(&code, |row| row.0);
    at.ok().map(|at| &OPCODES[at])
}

/// Returns whether the grammar has an instruction with the given number.
pub(super) fn is_known(code: u16) -> bool {
    row(code).is_some()
}

/// Returns the name of an instruction.
pub(super) fn name_of(code: u16) -> &'static str {
    row(code).map_or("Nop", |row| row.1)
}

/// Returns the layout of an instruction.
pub(super) fn layout_of(code: u16) -> &'static str {
    row(code).map_or("", |row| row.2)
}

/// Returns the numbers of all instructions, by their names.
pub(super) fn codes() -> FxHashMap<&'static [u8], u16> {
    let rows = OPCODES.iter();
    rows.map(|(code, name, _)| (name.as_bytes(), *code))
        .collect()
}
