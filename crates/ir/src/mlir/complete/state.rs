use rustc_hash::FxHashMap;

/// The values that are defined to replace others.
#[derive(Debug)]
pub(super) struct Undefineds {
    pub(super) next: u32,
    /// The names of the values, by their functions and operations.
    pub(super) names: FxHashMap<(u32, Vec<u8>), Vec<u8>>,
    /// The new operations of functions, in order.
    pub(super) new: Vec<(u32, Vec<u8>)>,
}

impl Undefineds {
    pub(super) fn new(next: u32) -> Self {
        Undefineds {
            next,
            names: FxHashMap::default(),
            new: vec![],
        }
    }
}
