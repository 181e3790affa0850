//! The settings for all proposers, and the languages of their texts.

use crate::settings::ProposerSettings;
use nubbin_oracle::Sandbox;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::{File, Input};

/// The settings for all proposers.
pub(super) struct Setting<'a> {
    pub(super) args: &'a ProposerSettings,
    pub(super) input: &'a Input,
    /// The language of all files, if the user has named one.
    pub(super) language: Option<&'a str>,
    pub(super) sandbox: Option<Sandbox>,
    pub(super) jobs: usize,
    pub(super) stop: &'a Stop,
}

/// Returns the language of a file: the language that the user named, or the language detected from
/// the file.
pub(super) fn language_of(named: Option<&str>, file: &File<'_>) -> Option<&'static str> {
    match named {
        Some(name) => nubbin_languages::catalogue::named(name).map(|entry| entry.id),
        None => {
            nubbin_languages::detect::detect(file.name.to_str(), file.text).map(|entry| entry.id)
        }
    }
}
