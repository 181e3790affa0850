use std::fmt;

/// The options of one list minimizer, which are written as words, some with a value.
///
/// `Display` writes the options that differ from their default, each with a comma before it, in a
/// canonical order. Reading that text gives the same options.
pub(super) trait Options: Default + fmt::Display {
    /// Sets one option.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Refused>;
}

/// The reason why an option was not set.
pub(super) enum Refused {
    /// There is no option of this name.
    Unknown,
    /// The option has no such value; holds a description of its values.
    Value(&'static str),
}

/// Reads a number as the value of an option.
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
