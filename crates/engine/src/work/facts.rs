use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Facts about languages that the caller of a run knows and some passes read. There is at most one
/// value per type. The engine knows none of the types.
///
/// ```
/// use nubbin_reduce::work::Facts;
///
/// /// Words that are never names.
/// #[derive(Debug)]
/// struct Keywords(&'static [&'static str]);
///
/// let facts = Facts::default().with(Keywords(&["if", "while"]));
/// assert_eq!(facts.get::<Keywords>().unwrap().0.len(), 2);
/// assert!(facts.get::<String>().is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Facts {
    by_type: BTreeMap<TypeId, Arc<dyn Fact>>,
}

/// A value that a map of facts can hold.
trait Fact: Any + std::fmt::Debug + Send + Sync {}

impl<T: Any + std::fmt::Debug + Send + Sync> Fact for T {}

impl Facts {
    /// Returns the facts with an additional value, which replaces the value of the same type.
    #[must_use]
    pub fn with<T: Any + std::fmt::Debug + Send + Sync>(mut self, fact: T) -> Self {
        self.by_type.insert(TypeId::of::<T>(), Arc::new(fact));
        self
    }

    /// Returns the value of a type, or `None` if there is none.
    pub fn get<T: Any>(&self) -> Option<&T> {
        let fact: &dyn Any = self.by_type.get(&TypeId::of::<T>())?.as_ref();
        fact.downcast_ref()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.by_type.len()
    }

    /// Returns whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.by_type.is_empty()
    }
}
