use crate::cursor::Cursor;
use crate::facts::ItemKind;
use std::ops::Range;

/// An item for which facts are being collected.
pub(crate) struct Draft<'u> {
    pub(crate) range: Range<u32>,
    pub(crate) parent: Option<u32>,
    pub(crate) kind: ItemKind,
    pub(crate) name: String,
    /// The declarations in the item that are not in another item. For a body, its function is
    /// included.
    pub(crate) cursors: Vec<Cursor<'u>>,
}
