use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ManFlags {
    /// Print the page of this command, such as `reduce` or `campaign run`
    pub command: Vec<String>,

    /// Write the manual pages of all commands to this folder; existing files are not replaced
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}
