use crate::cursor::Cursor;
use crate::facts::ItemKind;
use std::ops::Range;

/// An item while facts about it are collected.
pub(crate) struct Draft<'u> {
    pub(crate) range: Range<u32>,
    pub(crate) parent: Option<u32>,
    pub(crate) kind: ItemKind,
    pub(crate) name: String,
    /// The declarations in it that are not in another item, and for a body its function.
    pub(crate) cursors: Vec<Cursor<'u>>,
}
