//! Keys of `campaign.toml` that are settings of a test.

use super::origin::Origin;
use crate::problem::Problem;
use crate::sandbox;
use crate::settings::Keys;
use crate::settings::{SandboxSettings, TestSettings};
use nubbin_oracle::Sandbox;
use toml::{Spanned, Value};

/// Returns the settings of a test that a table has.
pub(super) fn test_flags<'a>(
    keys: impl Iterator<Item = (&'static str, &'a Spanned<Value>)>,
    origin: &Origin,
) -> Result<TestSettings, Problem> {
    let mut test = TestSettings::default();
    for (key, value) in keys {
        set(&mut test, key, value, origin)?;
    }
    Ok(test)
}

/// Sets a key, or returns the problem of a value that does not fit.
pub(super) fn set(
    settings: &mut impl Keys,
    key: &str,
    value: &Spanned<Value>,
    origin: &Origin,
) -> Result<(), Problem> {
    let set = settings.set(key, value.get_ref());
    let set = set.unwrap_or_else(|| Err("this nubbin was built without it".to_owned()));
    set.map_err(|why| {
        let what = format!("this key cannot have this value: {why}");
        origin.wrong(&value.span(), &what)
    })
}

/// Returns the sandbox of the given flags, and a mistake with its position.
pub(super) fn sandbox_of(
    flags: &SandboxSettings,
    writable: Option<&Spanned<Value>>,
    (origin, is_quiet): (&Origin, bool),
) -> Result<Option<Sandbox>, Problem> {
    sandbox::of(flags, is_quiet).map_err(|problem| match writable {
        Some(writable) => origin.wrong(&writable.span(), problem.what()),
        None => problem,
    })
}
