//! Flags of `nubbin report` and `nubbin compare`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ReportFlags {
    /// The events of a run, from `nubbin reduce --json-events`; the run may still be running
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Show which parts of the result matter, as `nubbin explain RESULT --json` prints it
    #[arg(long, value_name = "FILE")]
    pub explanation: Option<PathBuf>,

    /// Write the page to this file, `-` for standard output [default: RUN with the ending `.html`]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that nubbin did not write, or that was changed since
    #[arg(short, long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct CompareFlags {
    /// The events of each run, from `nubbin reduce --json-events`
    #[arg(value_name = "RUN", num_args = 2.., required = true)]
    pub runs: Vec<PathBuf>,

    /// Write the page to this file, or to standard output (`-`) [default: A-and-B.html next to the
    /// first file A, or A-and-2-more.html]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that nubbin did not write, or that was changed since
    #[arg(short, long)]
    pub force: bool,
}
