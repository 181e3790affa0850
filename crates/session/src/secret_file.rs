//! Files with a secret, and a check whether other users may read them.

use std::fs::Metadata;

/// Returns the reason why other users may read a file, or `None` if they may not.
#[cfg(unix)]
pub fn seen_by_others(facts: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    if facts.mode() & 0o077 != 0 {
        return Some("can be read by other users");
    }
    let own = rustix::process::geteuid().as_raw();
    (facts.uid() != own && facts.uid() != 0).then_some("belongs to another user")
}

/// Returns `None`, since this system has no such rights.
#[cfg(not(unix))]
pub fn seen_by_others(_facts: &Metadata) -> Option<&'static str> {
    None
}
