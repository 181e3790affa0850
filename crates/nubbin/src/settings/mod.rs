//! Settings of a run: from the command line, and from the keys of files.

mod command;
mod file;
mod keys;
mod lists;
mod output;
mod remote;
mod resolve;
mod search;
mod test;
#[cfg(test)]
mod tests;
mod trees;
mod value;

pub(crate) use command::{ExplainSettings, IsolateSettings, ReduceSettings};
pub(crate) use keys::Keys;
pub(crate) use output::OutputSettings;
pub(crate) use remote::RemoteSettings;
pub(crate) use resolve::resolve;
pub(crate) use search::{ProposerSettings, SearchSettings};
pub(crate) use test::{FailureSettings, LimitSettings, RunSettings, SandboxSettings, TestSettings};
pub(crate) use trees::{ChoicesSettings, TreeSettings};
