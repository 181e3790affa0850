//! The written form of an algorithm: a name, and options after a colon.

use std::fmt;

/// Splits a written algorithm into its name and its options.
///
/// ```
/// use nubbin_minimize::written::{name_and_options, options_of};
///
/// let (name, options) = name_and_options("ddmin: backward, split=3");
/// assert_eq!(name, "ddmin");
/// let options: Vec<_> = options_of(options).collect();
/// assert_eq!(options, [("backward", None), ("split", Some("3"))]);
/// ```
pub fn name_and_options(text: &str) -> (&str, &str) {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    (name.trim(), options)
}

/// Returns the options in a text, each with its value if it has one.
pub fn options_of(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.split_once('=')
                .map_or((word, None), |(name, value)| (name, Some(value)))
        })
}

/// The options of an algorithm, for an error: `it has backward, split`.
#[derive(Clone, Copy, Debug)]
pub struct KnownOptions<'a>(pub &'a [(&'static str, &'static str)]);

impl fmt::Display for KnownOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "it has";
        for (option, _) in self.0 {
            write!(f, "{before} {option}")?;
            before = ",";
        }
        if self.0.is_empty() {
            f.write_str("it has none")
        } else {
            Ok(())
        }
    }
}
