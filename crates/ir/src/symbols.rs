use rustc_hash::FxHashMap;

/// The names of items, each with the item that it names.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: FxHashMap<Box<[u8]>, u32>,
    items: Vec<Option<u32>>,
}

impl Symbols {
    /// Returns the number of a name. A new name gets a new number.
    pub(crate) fn intern(&mut self, name: &[u8]) -> u32 {
        if let Some(&symbol) = self.names.get(name) {
            return symbol;
        }
        let symbol = self.items.len() as u32;
        self.names.insert(name.into(), symbol);
        self.items.push(None);
        symbol
    }

    /// Records the item of a name, unless the name already has an item.
    pub(crate) fn define(&mut self, symbol: u32, item: u32) {
        if let Some(old @ None) = self.items.get_mut(symbol as usize) {
            *old = Some(item);
        }
    }

    /// Returns the number of a name, or `None` if the name is unknown.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Returns the item of a name, by the number of the name.
    pub fn item(&self, symbol: u32) -> Option<u32> {
        *self.items.get(symbol as usize)?
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
