use crate::written::{name_and_options, options_of};
use crate::{
    Ddmin, DfsHalving, MinimizerChoice, MinimizerError, MinimizerInfo, MinimizerOptions,
    NamedMinimizer, RefusedOption, Sweep,
};
use std::fmt;
use std::str::FromStr;

/// An entry of a catalogue of list minimizers.
#[derive(Clone, Copy)]
pub struct Minimizer {
    /// The description of the list minimizer.
    pub info: MinimizerInfo,
    read: fn(&str) -> Result<MinimizerChoice, MinimizerError>,
}

impl Minimizer {
    /// Creates the catalogue entry of a list minimizer.
    pub const fn of<M: NamedMinimizer>() -> Self {
        Minimizer {
            info: M::INFO,
            read: read::<M>,
        }
    }
}

impl fmt::Debug for Minimizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Minimizer").field(&self.info.id).finish()
    }
}

const CATALOGUE: &[Minimizer] = &[
    Minimizer::of::<Sweep>(),
    Minimizer::of::<DfsHalving>(),
    Minimizer::of::<Ddmin>(),
];

/// Returns the list minimizers of this crate. The default is the first.
pub fn catalogue() -> &'static [Minimizer] {
    CATALOGUE
}

/// Parses the name and options of a list minimizer of this crate, such as
/// `ddmin:skip-subsets,backward,split=3`.
///
/// # Errors
/// Returns [`MinimizerError`] if there is no such list minimizer or option, or if options
/// contradict each other.
pub fn parse(text: &str) -> Result<MinimizerChoice, MinimizerError> {
    parse_in(CATALOGUE, text)
}

/// Parses the name and options of a list minimizer of a catalogue.
///
/// # Errors
/// Returns [`MinimizerError`] if there is no such list minimizer or option, or if options
/// contradict each other.
pub fn parse_in(catalogue: &[Minimizer], text: &str) -> Result<MinimizerChoice, MinimizerError> {
    let (id, options) = name_and_options(text);
    match catalogue.iter().find(|minimizer| minimizer.info.id == id) {
        Some(minimizer) => (minimizer.read)(options),
        None => Err(MinimizerError::UnknownAlgorithm {
            name: id.into(),
            nearest: nearest(id, catalogue),
            known: catalogue
                .iter()
                .map(|minimizer| minimizer.info.id)
                .collect(),
        }),
    }
}

impl FromStr for MinimizerChoice {
    type Err = MinimizerError;

    fn from_str(text: &str) -> Result<Self, MinimizerError> {
        parse(text)
    }
}

fn read<M: NamedMinimizer>(text: &str) -> Result<MinimizerChoice, MinimizerError> {
    let mut options = M::Options::default();
    for (name, value) in options_of(text) {
        options.set(name, value).map_err(|refused| match refused {
            RefusedOption::Unknown => MinimizerError::UnknownOption {
                algorithm: M::INFO.id.into(),
                option: name.into(),
                known: M::INFO.options,
            },
            RefusedOption::Value(expected) => MinimizerError::BadValue {
                option: name.into(),
                value: value.unwrap_or_default().into(),
                expected,
            },
        })?;
    }
    MinimizerChoice::of::<M>(options)
}

/// Returns the most similar name, if it is a likely misspelling of it.
#[cfg(feature = "suggest")]
fn nearest(name: &str, catalogue: &[Minimizer]) -> Option<&'static str> {
    nubbin_suggest::nearest(name, catalogue.iter().map(|minimizer| minimizer.info.id))
}

#[cfg(not(feature = "suggest"))]
fn nearest(_: &str, _: &[Minimizer]) -> Option<&'static str> {
    None
}
