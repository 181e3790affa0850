use rustc_hash::FxHashMap;

/// A numbering of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Names {
    /// Returns the number of a name. A new name gets a new number.
    pub(crate) fn add(&mut self, name: &[u8]) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                self.numbers.insert(name.to_vec(), next);
                next
            }
        }
    }

    pub(crate) fn get(&self, name: &[u8]) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// Returns a name without template arguments.
pub(crate) fn plain(name: &str) -> &str {
    if name.starts_with("operator") {
        return name;
    }
    name.split('<').next().unwrap_or(name)
}
