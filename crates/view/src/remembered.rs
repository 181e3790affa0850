use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A cache of values that follow from something that does not change. Each value is computed when
/// it is requested for the first time.
///
/// A value is known by its type and a key. A clone is empty: its owner may be changed.
#[derive(Default)]
pub struct Remembered {
    cells: Mutex<Vec<Cell>>,
}

struct Cell {
    key: Box<dyn Any + Send>,
    /// The value, as an `OnceLock<Arc<V>>`.
    value: Arc<dyn Any + Send + Sync>,
}

impl Remembered {
    /// Returns the value of a type and a key, and computes it at the first request. Other threads
    /// that request the value meanwhile wait. `make` may request other values.
    pub fn get<K, V>(&self, key: K, make: impl FnOnce() -> V) -> Arc<V>
    where
        K: PartialEq + Any + Send,
        V: Any + Send + Sync,
    {
        let cell = self.cell(key);
        // No lock is held during this call, so a panic only leaves an empty cell.
        Arc::clone(cell.get_or_init(|| Arc::new(make())))
    }

    fn cell<K, V>(&self, key: K) -> Arc<OnceLock<Arc<V>>>
    where
        K: PartialEq + Any + Send,
        V: Any + Send + Sync,
    {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = cells
            .iter()
            .filter(|cell| cell.key.downcast_ref::<K>() == Some(&key));
        let known = same.find_map(|cell| Arc::clone(&cell.value).downcast().ok());
        known.unwrap_or_else(|| {
            let value: Arc<OnceLock<Arc<V>>> = Arc::default();
            cells.push(Cell {
                key: Box::new(key),
                value: Arc::<OnceLock<Arc<V>>>::clone(&value),
            });
            value
        })
    }
}

impl Clone for Remembered {
    fn clone(&self) -> Self {
        Remembered::default()
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembered").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_verdict::contained;

    #[test]
    fn types_and_keys_tell_values_apart() {
        let all = Remembered::default();
        assert_eq!(*all.get(1, || 10), 10);
        assert_eq!(*all.get(1, || "ten"), "ten");
        assert_eq!(*all.get(2, || 20), 20);
        assert_eq!(*all.get("1", || 30), 30);
        assert_eq!((*all.get(1, || 0), *all.get(1, || "")), (10, "ten"));
        assert_eq!(*all.clone().get(1, || 40), 40);
    }

    #[test]
    fn a_value_may_be_made_of_others() {
        let all = Remembered::default();
        let inner = || *all.get((), || 3_u8);
        assert_eq!(*all.get((), || u16::from(inner()) + 1), 4);
    }

    #[test]
    fn a_value_whose_maker_panicked_is_made_again() {
        let all = Remembered::default();
        let broken = || all.get((), || -> u8 { panic!("no value") });
        assert!(contained(broken).is_err());
        assert_eq!(*all.get((), || 5_u8), 5);
    }
}
