//! Flags of `nubbin shootout`.

use super::duration::duration;
use super::sandbox::SandboxFlags;
use clap::Args;
use nubbin_reduce::tree::Preparation;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct ShootoutFlags {
    /// Reduce this failing input, instead of inputs from grammars; its test follows after `--`
    #[arg(value_name = "FILE", requires = "command", group = "real",
        conflicts_with_all = ["inputs", "sizes"])]
    pub file: Option<PathBuf>,

    /// Reduce the real failures in this folder, instead of inputs from grammars
    ///
    /// Each case is a subfolder with a failing input, `input.EXT`, and its test, `interesting.sh`.
    /// The test runs next to a copy of the input, and exits with 0 if the failure is present.
    /// nubbin recognizes the language by the name and content of the input. A file `grammar.bnf`,
    /// `grammar.ebnf`, `grammar.json`, or `grammar.g4` next to the input is its grammar. Other
    /// files in the folder are ignored.
    #[arg(long, value_name = "DIR", group = "real", conflicts_with_all = ["inputs", "sizes"])]
    pub cases: Option<PathBuf>,

    /// Stop a reduction of a case after this many tests [default: 20000]
    #[arg(long, value_name = "N", requires = "real")]
    pub max_tests: Option<u64>,

    /// Stop a reduction of a case after this time; figures then depend on the machine
    #[arg(long, value_name = "TIME", requires = "real", value_parser = duration)]
    pub max_time: Option<Duration>,

    /// Stop a test of a case after this time [default: 60 s]
    #[arg(long, value_name = "TIME", requires = "real", value_parser = duration)]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub sandbox: SandboxFlags,

    /// Also measure the time of each case with these numbers of workers, on a virtual clock
    ///
    /// On the virtual clock, each test takes 200 ms, plus or minus 30 %, independent of its real
    /// time. The first number is the baseline.
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', requires = "real",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Vec<u16>,

    /// Let one test in twenty take fifteen times as long on the virtual clock
    #[arg(long, requires = "workers")]
    pub uneven: bool,

    /// Let each test take as long on the virtual clock as its first run took on this machine
    ///
    /// With `-j 1`, no other test runs at the same time.
    #[arg(long, requires = "workers", conflicts_with = "uneven")]
    pub measured: bool,

    /// Use longer inputs, more of them, and every tree reducer with every list minimizer; takes
    /// hours
    #[arg(long)]
    pub full: bool,

    /// Generate this many inputs for each grammar, size, and number of symbols [default: 3, or 10
    /// with --full]
    #[arg(long, value_name = "N")]
    pub inputs: Option<u64>,

    /// Compare only these algorithms, by their names in the tables
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    pub algorithms: Vec<String>,

    /// Prepare all trees by these steps: `all`, `published`, `none`, or a list [default: the steps
    /// of each tree reducer, see `nubbin algorithms`]
    #[arg(long, value_name = "STEP[,STEP...]")]
    pub prepare: Option<Preparation>,

    /// Set the sizes of the inputs, in bytes [default: 20,40,80,160, or 25,50,100,200,400,800 with
    /// --full]
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',')]
    pub sizes: Vec<u64>,

    /// Set the seed of the inputs and tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Run this many reductions at the same time; the figures are the same for any number
    /// [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Write an HTML page with plots to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write a line of CSV for each reduction to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write all figures as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Replace files that nubbin did not write, or that were changed since
    #[arg(long)]
    pub force: bool,

    /// The test of the failing input, which exits with 0 if the failure is present; `{}` stands for
    /// the path of the candidate
    #[arg(last = true, requires = "file", value_name = "TEST")]
    pub command: Vec<OsString>,
}
