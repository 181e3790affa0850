use super::form::Form;
use crate::Set;
use std::ops::Range;

/// The facts about a module in SPIR-V that modules in other languages have in their text.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(super) form: Form,
    /// The bound of all ids, which a binary module states in its header.
    pub(super) bound: u32,
    /// The numbers of the instructions in blocks.
    pub(super) codes: Vec<u16>,
    /// The numbers of the first instructions of items; 0 for the header.
    pub(super) item_codes: Vec<u16>,
    /// The symbols of the types of values.
    pub(super) types: Vec<Option<u32>>,
    /// The types, by their item, whose values can be undefined.
    pub(super) undefinable: Set,
    /// The functions, by their item, at which the program begins.
    pub(super) entries: Set,
    /// The values, by the symbols of their names.
    pub(super) values: Vec<Option<u32>>,
    /// A position of each name, by its symbol.
    pub(super) names: Vec<Range<u32>>,
}
