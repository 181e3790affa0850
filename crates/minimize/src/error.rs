use crate::written::KnownOptions;
use std::fmt;

/// The reason why a choice of algorithm cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MinimizerError {
    /// The algorithm is unknown.
    UnknownAlgorithm {
        /// The given name.
        name: String,
        /// A similar name.
        nearest: Option<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The algorithm has no such option.
    UnknownOption {
        /// The algorithm.
        algorithm: String,
        /// The given name.
        option: String,
        /// The known options.
        known: &'static [(&'static str, &'static str)],
    },
    /// The option has no such value.
    BadValue {
        /// The option.
        option: String,
        /// The given value.
        value: String,
        /// A description of its values.
        expected: &'static str,
    },
    /// Both kinds of test are skipped.
    NothingToTry,
    /// The number of parts would not grow.
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
