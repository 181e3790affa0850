//! The pages of a campaign on disk, which need no server and no script: one of the campaign, one of
//! each issue, the tests as files, and a feed of the issues.

mod feed;
mod file;
mod index;
mod issue;
mod snapshot;
#[cfg(test)]
mod tests;
mod write;

pub(super) use write::write;
