//! The settings of tests on a farm.

use crate::flags::RemoteFlags;
use std::path::PathBuf;

/// The settings of the farm that runs tests.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug, Default)]
pub struct RemoteSettings {
    pub remote: Option<String>,
    pub remote_input: Vec<PathBuf>,
    pub remote_platform: Vec<String>,
    pub remote_instance: Option<String>,
    pub remote_token_file: Option<PathBuf>,
    pub remote_token_command: Option<String>,
    pub remote_ca: Option<PathBuf>,
    pub remote_cert: Option<PathBuf>,
    pub remote_key: Option<PathBuf>,
}

impl From<RemoteFlags> for RemoteSettings {
    fn from(flags: RemoteFlags) -> Self {
        RemoteSettings {
            remote: flags.remote,
            remote_input: flags.remote_input,
            remote_platform: flags.remote_platform,
            remote_instance: flags.remote_instance,
            remote_token_file: flags.remote_token_file,
            remote_token_command: flags.remote_token_command,
            remote_ca: flags.remote_ca,
            remote_cert: flags.remote_cert,
            remote_key: flags.remote_key,
        }
    }
}

impl RemoteSettings {
    /// Returns the address of the farm.
    pub fn address(&self) -> Option<&str> {
        self.remote.as_deref()
    }

    /// Returns the settings with absolute paths, for another current folder.
    pub fn absolute(&self) -> Self {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or(path.clone());
        RemoteSettings {
            remote_input: self.remote_input.iter().map(absolute).collect(),
            remote_token_file: self.remote_token_file.as_ref().map(absolute),
            remote_ca: self.remote_ca.as_ref().map(absolute),
            remote_cert: self.remote_cert.as_ref().map(absolute),
            remote_key: self.remote_key.as_ref().map(absolute),
            ..self.clone()
        }
    }
}
