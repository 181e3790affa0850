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

pub use command::{ExplainSettings, IsolateSettings, ReduceSettings};
pub use keys::Keys;
pub use output::OutputSettings;
pub use remote::RemoteSettings;
pub use resolve::resolve;
pub use search::{ProposerSettings, SearchSettings};
pub use test::{FailureSettings, LimitSettings, RunSettings, SandboxSettings, TestSettings};
pub use trees::{ChoicesSettings, TreeSettings};
