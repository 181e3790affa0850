//! The connection of a program of a campaign to a farm.

use crate::settings::RemoteSettings;
use nubbin_verdict::Cancel;

/// The connection of the program of a campaign to a farm.
pub struct Connection<'a> {
    pub flags: &'a RemoteSettings,
    /// The number of slots on this machine and on the farm.
    pub slots: (usize, usize),
    /// The test of a known issue, if there is one.
    pub known: Option<&'a [u8]>,
    pub is_quiet: bool,
    pub stop: &'a Cancel,
}
