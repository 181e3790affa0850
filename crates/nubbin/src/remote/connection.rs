//! The connection of a program of a campaign to a farm.

use crate::settings::RemoteSettings;
use nubbin_verdict::Cancel;

/// How the program of a campaign is connected to a farm.
pub(crate) struct Connection<'a> {
    pub(crate) flags: &'a RemoteSettings,
    /// The slots of this machine, and those of the farm.
    pub(crate) slots: (usize, usize),
    /// The test of an issue that is known.
    pub(crate) known: Option<&'a [u8]>,
    pub(crate) is_quiet: bool,
    pub(crate) stop: &'a Cancel,
}
