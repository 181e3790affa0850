//! The names of roots, and of files and folders in them.

pub(super) const PREFIX: &str = "nubbin-";
/// The prefix of a root until its owner is written. A folder with the final prefix but without an
/// owner was therefore not made by nubbin (a checkout of the sources is called `nubbin-0.1.0`).
pub(super) const NEW_PREFIX: &str = ".nubbin-new-";
pub(super) const RANDOM: usize = 6;
pub(super) const OWNER: &str = "owner";
/// The content of the owner file of a kept root.
pub(super) const KEPT: &str = "kept";
/// The folder of the slot for the diagnosis. The folders of other slots have numbers.
pub(crate) const BESIDE: &str = "beside";
/// The folders of a slot.
pub(crate) const WORK: &str = "work";
pub(crate) const TMP: &str = "tmp";

pub(super) fn is_random(text: &str) -> bool {
    text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The common beginning of the marks of all slots of a run, see [`Root::id`](super::Root::id).
pub(super) fn mark_of(pid: u32, random: &str) -> String {
    format!(" {pid}-{random}.")
}
