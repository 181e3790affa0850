use crate::{Ddmin, DdminOptions, DfsHalving, NoOptions, Sweep, SweepOptions};
use crate::{
    ListMinimizer, ListShape, MinimizerError, MinimizerInfo, MinimizerOptions, NamedMinimizer,
};
use std::fmt;
use std::sync::Arc;

/// A list minimizer and its options, chosen by name.
///
/// A choice is written as the name and, after a colon, the options with commas between them.
/// Parsing the text of `Display` gives the same choice.
///
/// ```
/// use nubbin_minimize::ListShape;
///
/// let choice = nubbin_minimize::parse("ddmin:split=3,skip-subsets,backward")?;
/// assert_eq!(choice.to_string(), "ddmin:skip-subsets,backward,split=3");
/// assert_eq!(choice.info().id, "ddmin");
/// let mut minimizer = choice.start(&ListShape::uniform(9));
/// assert_eq!(minimizer.next().unwrap().remove.as_slice(), [6..9]);
/// # Ok::<(), nubbin_minimize::MinimizerError>(())
/// ```
#[derive(Clone)]
pub struct MinimizerChoice {
    info: MinimizerInfo,
    /// The options that differ from their default, in canonical order.
    options: Arc<str>,
    start: Arc<Start>,
}

type Start = dyn Fn(&ListShape) -> Box<dyn ListMinimizer> + Send + Sync;

impl MinimizerChoice {
    /// Creates the choice of a list minimizer with the given options.
    ///
    /// # Errors
    /// Returns [`MinimizerError`] if the options contradict each other.
    pub fn of<M: NamedMinimizer>(options: M::Options) -> Result<Self, MinimizerError> {
        options.check()?;
        Ok(MinimizerChoice::checked::<M>(options))
    }

    fn checked<M: NamedMinimizer>(options: M::Options) -> Self {
        MinimizerChoice {
            info: M::INFO,
            options: options.to_string().into(),
            start: Arc::new(move |shape| Box::new(M::begin(shape, &options))),
        }
    }

    /// Returns [`Ddmin`] with its default options. Most tree reducers were published with this list
    /// minimizer.
    pub fn ddmin() -> Self {
        MinimizerChoice::checked::<Ddmin>(DdminOptions::default())
    }

    /// Returns [`DfsHalving`], the list minimizer with which Perses was published.
    pub fn dfs_halving() -> Self {
        MinimizerChoice::checked::<DfsHalving>(NoOptions)
    }

    /// Returns the description of the list minimizer.
    pub fn info(&self) -> &MinimizerInfo {
        &self.info
    }

    /// Starts the list minimizer on a list of the given shape.
    pub fn start(&self, shape: &ListShape) -> Box<dyn ListMinimizer> {
        (self.start)(shape)
    }
}

impl Default for MinimizerChoice {
    /// [`Sweep`] with its defaults.
    fn default() -> Self {
        SweepOptions::default().into()
    }
}

impl From<SweepOptions> for MinimizerChoice {
    fn from(options: SweepOptions) -> Self {
        MinimizerChoice::checked::<Sweep>(options)
    }
}

impl PartialEq for MinimizerChoice {
    fn eq(&self, other: &Self) -> bool {
        self.info == other.info && self.options == other.options
    }
}

impl fmt::Display for MinimizerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.id)?;
        // Each option starts with a comma. The first comma is replaced with a colon.
        match self.options.strip_prefix(',') {
            Some(options) => write!(f, ":{options}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for MinimizerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MinimizerChoice({self})")
    }
}
