use std::fmt;

/// Options of one algorithm as they are written: words, some with a value.
///
/// `Display` writes those that are not at their default, each with a comma before it, in a
/// canonical order: reading them back gives the same options.
pub(super) trait Options: Default + fmt::Display {
    /// Sets one.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Refused>;
}

/// Why an option was not set.
pub(super) enum Refused {
    /// There is none of this name.
    Unknown,
    /// It has no such value; what it may be.
    Value(&'static str),
}

/// A number that an option may be set to.
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
