use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

/// A panic of a test, or of a part of the engine that a run can do without.
#[derive(Debug)]
#[non_exhaustive]
pub struct Panicked {
    /// The message of the panic.
    pub message: String,
    /// The location in the source, if a panic hook has reported it by [`contains`].
    pub place: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the test panicked: {}", self.message)
    }
}

impl std::error::Error for Panicked {}

impl Panicked {
    /// Reads the message from the payload that [`catch_unwind`] returns.
    pub fn new(payload: &(dyn Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Panicked {
            message: message.to_owned(),
            place: None,
        }
    }
}

thread_local! {
    /// The calls of [`contained`] that this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The place of the last contained panic of this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Calls a function, and returns its panic as an error. Values that the function changed before it
/// panicked must not be used afterwards.
///
/// # Errors
/// Returns [`Panicked`] if the function panics.
pub fn contained<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    PLACE.take();
    DEPTH.set(DEPTH.get() + 1);
    let ran = catch_unwind(AssertUnwindSafe(run));
    DEPTH.set(DEPTH.get() - 1);
    ran.map_err(|payload| Panicked {
        place: PLACE.take(),
        ..Panicked::new(&*payload)
    })
}

/// Returns whether a panic is [`contained`], for a panic hook: the caller of that function reports
/// it, so that the hook need not. The location of the panic becomes a part of the error.
///
/// ```
/// use nubbin_verdict::{contained, contains};
///
/// let usual = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !contains(panic) {
///         usual(panic);
///     }
/// }));
/// let error = contained(|| panic!("no such line")).unwrap_err();
/// assert_eq!(error.message, "no such line");
/// assert!(error.place.is_some());
/// ```
pub fn contains(panic: &PanicHookInfo<'_>) -> bool {
    let is_contained = DEPTH.get() > 0;
    if is_contained {
        let place = panic.location().map(ToString::to_string);
        PLACE.set(place);
    }
    is_contained
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_contained_panic_is_reported_by_its_caller_alone() {
        static TOLD: AtomicU32 = AtomicU32::new(0);
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(|panic| {
            if !contains(panic) {
                TOLD.fetch_add(1, Ordering::Relaxed);
            }
        }));
        let inner = contained(|| contained(|| panic!("inside")).map_err(|error| error.message));
        let outer = contained(|| {
            let _ = contained(|| panic!("first"));
            panic!("second {}", 2)
        });
        let free = catch_unwind(|| panic!("free"));
        std::panic::set_hook(usual);
        assert_eq!(inner.unwrap(), Err::<(), _>("inside".to_owned()));
        let outer: Panicked = outer.map(|(): ()| ()).unwrap_err();
        assert_eq!(outer.message, "second 2");
        assert!(outer.place.unwrap().contains("contained.rs:"));
        assert!(free.is_err());
        assert_eq!(TOLD.load(Ordering::Relaxed), 1);
    }
}
