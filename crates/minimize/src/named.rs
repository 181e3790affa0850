use crate::{ListMinimizer, ListShape, MinimizerError};
use std::fmt;

/// A list minimizer that is chosen by its name and options.
///
/// A catalogue has a [`Minimizer`](crate::Minimizer) for each.
///
/// ```
/// use nubbin_minimize::{ListMinimizer, ListShape, Minimizer, MinimizerInfo, NamedMinimizer, NoOptions, Removal};
///
/// /// Leaves out the last element, once.
/// #[derive(Clone)]
/// struct Last(Option<u32>);
///
/// impl ListMinimizer for Last {
///     fn next(&mut self) -> Option<Removal> {
///         self.0.map(|last| Removal { remove: [last..last + 1].into_iter().collect() })
///     }
///     fn record(&mut self, _: bool) {
///         self.0 = None;
///     }
///     fn fork(&self) -> Box<dyn ListMinimizer> {
///         Box::new(self.clone())
///     }
/// }
///
/// impl NamedMinimizer for Last {
///     const INFO: MinimizerInfo = MinimizerInfo::new("last", "leaves out the last element", "nubbin");
///     type Options = NoOptions;
///     fn begin(shape: &ListShape, _: &NoOptions) -> Self {
///         Last(shape.len.checked_sub(1))
///     }
/// }
///
/// let all = [Minimizer::of::<Last>()];
/// let mut last = nubbin_minimize::parse_in(&all, "last")?.start(&ListShape::uniform(3));
/// assert_eq!(last.next().unwrap().remove.as_slice(), [2..3]);
/// # Ok::<(), nubbin_minimize::MinimizerError>(())
/// ```
pub trait NamedMinimizer: ListMinimizer + Sized + 'static {
    /// The description.
    const INFO: MinimizerInfo;

    /// The options.
    type Options: MinimizerOptions;

    /// Starts on a list of the given shape.
    fn begin(shape: &ListShape, options: &Self::Options) -> Self;
}

/// The description of a list minimizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MinimizerInfo {
    /// The name that [`parse`](crate::parse) reads.
    pub id: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The publication or program from which the algorithm comes.
    pub source: &'static str,
    /// Whether the result is 1-minimal with default options: no single element can be removed from
    /// it. A list of one element is an exception.
    pub one_minimal: bool,
    /// The options of the list minimizer, each with its syntax and its effect.
    pub options: &'static [(&'static str, &'static str)],
}

impl MinimizerInfo {
    /// Creates the description of a list minimizer without options, whose result need not be
    /// 1-minimal.
    pub const fn new(id: &'static str, about: &'static str, source: &'static str) -> Self {
        MinimizerInfo {
            id,
            about,
            source,
            one_minimal: false,
            options: &[],
        }
    }

    /// Returns this description with the result marked as 1-minimal.
    #[must_use]
    pub const fn one_minimal(mut self) -> Self {
        self.one_minimal = true;
        self
    }

    /// Returns this description with options.
    #[must_use]
    pub const fn with_options(mut self, options: &'static [(&'static str, &'static str)]) -> Self {
        self.options = options;
        self
    }
}

/// The options of a list minimizer. The options are written as words, some of them with a value.
///
/// `Display` writes the options that differ from their default, each with a comma before it, in a
/// canonical order. Reading that text gives the same options.
pub trait MinimizerOptions: Clone + Default + fmt::Display + Send + Sync + 'static {
    /// Sets one option.
    ///
    /// # Errors
    /// Returns [`RefusedOption`] if there is no such option, or if it has no such value.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), RefusedOption>;

    /// Checks the options together.
    ///
    /// # Errors
    /// Returns [`MinimizerError`] if two options contradict each other.
    fn check(&self) -> Result<(), MinimizerError> {
        Ok(())
    }
}

/// The options of a list minimizer that has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoOptions;

impl fmt::Display for NoOptions {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl MinimizerOptions for NoOptions {
    fn set(&mut self, _: &str, _: Option<&str>) -> Result<(), RefusedOption> {
        Err(RefusedOption::Unknown)
    }
}

/// The reason why an option was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedOption {
    /// The option is unknown.
    Unknown,
    /// The value is not valid for the option; holds a description of the valid values.
    Value(&'static str),
}

/// Parses a number as the value of an option.
///
/// # Errors
/// Returns [`RefusedOption::Value`] with `expected` if the value is missing, is not a number, or is
/// not allowed.
pub fn number_option<T: std::str::FromStr + PartialOrd>(
    value: Option<&str>,
    allowed: impl FnOnce(&T) -> bool,
    expected: &'static str,
) -> Result<T, RefusedOption> {
    value
        .and_then(|value| value.parse().ok())
        .filter(allowed)
        .ok_or(RefusedOption::Value(expected))
}
