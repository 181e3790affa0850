use std::sync::Arc;

/// The facts that a list minimizer knows about its list.
#[derive(Clone, Debug)]
pub struct ListShape {
    /// The number of elements in the list.
    pub len: u32,
    /// The weight of each element (bytes or tokens), or `None` if all elements have the same
    /// weight.
    pub weights: Option<Arc<[u32]>>,
    /// The seed of algorithms with random orders.
    pub seed: u64,
}

impl ListShape {
    /// Creates the shape of a list of `len` elements of equal weight.
    pub fn uniform(len: u32) -> Self {
        ListShape {
            len,
            weights: None,
            seed: 0,
        }
    }

    /// Creates the shape of a list whose elements have the given weights.
    pub fn weighted(weights: impl Into<Arc<[u32]>>) -> Self {
        let weights = weights.into();
        ListShape {
            len: weights.len() as u32,
            weights: Some(weights),
            seed: 0,
        }
    }

    /// Returns the weight of an element.
    pub fn weight(&self, element: u32) -> u32 {
        self.weights
            .as_ref()
            .map_or(1, |weights| weights[element as usize])
    }
}
