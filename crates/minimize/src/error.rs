use crate::written::KnownOptions;
use std::fmt;

/// The reason why the name or options of an algorithm cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MinimizerError {
    /// The algorithm is unknown.
    UnknownAlgorithm {
        /// The given name.
        name: String,
        /// A known name that is similar to the given name.
        nearest: Option<&'static str>,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// The algorithm does not have the option.
    UnknownOption {
        /// The name of the algorithm.
        algorithm: String,
        /// The given name.
        option: String,
        /// The known options of the algorithm.
        known: &'static [(&'static str, &'static str)],
    },
    /// The value is not valid for the option.
    BadValue {
        /// The name of the option.
        option: String,
        /// The given value.
        value: String,
        /// A description of the valid values.
        expected: &'static str,
    },
    /// The options skip both kinds of test.
    NothingToTry,
    /// The number of parts would not grow, because the split factor is too small; holds the factor.
    SplitFactor(u32),
}

impl fmt::Display for MinimizerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MinimizerError::UnknownAlgorithm {
                name,
                nearest,
                known,
            } => write!(f, "unknown list minimizer `{name}`{}", Hint(nearest, known)),
            MinimizerError::UnknownOption {
                algorithm,
                option,
                known,
            } => write!(
                f,
                "`{algorithm}` has no option `{option}`; {}",
                KnownOptions(known)
            ),
            MinimizerError::BadValue {
                option,
                value,
                expected,
            } => write!(f, "`{option}={value}`: `{option}` is {expected}"),
            MinimizerError::NothingToTry => {
                f.write_str("ddmin without subsets and without complements has nothing to try")
            }
            MinimizerError::SplitFactor(factor) => {
                write!(
                    f,
                    "a split factor of {factor} does not split; the least is 2"
                )
            }
        }
    }
}

impl std::error::Error for MinimizerError {}

struct Hint<'a>(&'a Option<&'static str>, &'a [&'static str]);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(nearest) => write!(f, ", did you mean `{nearest}`?"),
            None => {
                f.write_str("; there are")?;
                let mut comma = "";
                for id in self.1 {
                    write!(f, "{comma} {id}")?;
                    comma = ",";
                }
                Ok(())
            }
        }
    }
}
