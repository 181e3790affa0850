use std::fmt;

/// The options of one list minimizer as they are written: words, some with a value.
///
/// `Display` writes those that are not at their default, each with a comma before it, in a
/// canonical order: reading them back gives the same options.
pub(super) trait Options: Default + fmt::Display {
    /// Sets one option.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Refused>;
}

/// Why an option was not set.
pub(super) enum Refused {
    /// There is no option of this name.
    Unknown,
    /// The option has no such value; holds a description of its values.
    Value(&'static str),
}

/// Reads the number that an option is set to.
pub(super) fn number<T: std::str::FromStr + PartialOrd>(
    value: Option<&str>,
    allowed: impl FnOnce(&T) -> bool,
    expected: &'static str,
) -> Result<T, Refused> {
    value
        .and_then(|value| value.parse().ok())
        .filter(allowed)
        .ok_or(Refused::Value(expected))
}
