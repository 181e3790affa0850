//! Flags of `nubbin capture`.

use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin capture -o bug -- make -k foo.o
      run the build once, and copy the files of the project that it reads to bug/src
  nubbin reduce bug/src --test bug/test.sh
      reduce these files with the drafted test
  nubbin capture --preprocess -o bug -- make foo.o
      make one file, bug/foo.i, if the compiler fails on it in the same way

The command runs where it stands and as you run it, without a sandbox: it changes what it always
changes. nubbin itself writes to DIR, and to `.nubbin` beside it which files are its own.";

#[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has captures"))]
#[derive(Debug, Args)]
pub struct CaptureFlags {
    /// Write to this folder: `src` has the files, `test.sh` is the draft of the test, `output.txt`
    /// is the output of the command, and `files.txt` lists all files with their roles
    ///
    /// The folder must be absent, empty, or an earlier capture without changes.
    #[arg(short, long, value_name = "DIR", default_value = "captured")]
    pub output: PathBuf,

    /// Copy files below this folder; files elsewhere are left out [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// See by this means what the command reads [default: strace if it can trace here]
    #[arg(long, value_enum, value_name = "MEANS")]
    pub with: Option<Means>,

    /// Make one preprocessed file of the source whose compile command fails, if it fails in the
    /// same way; the folder otherwise
    #[arg(long, conflicts_with = "with")]
    pub preprocess: bool,

    /// Copy files that the command read through a link out of the root, in the place of the link
    ///
    /// The link may lead to a file, or to a folder such as `node_modules`.
    #[arg(long)]
    pub follow_links: bool,

    /// Print the paths of the capture, or the error, as JSON
    #[arg(long)]
    pub json: bool,

    /// The command, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The means to see what a command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Means {
    /// All files that all processes of the command use
    Strace,
    /// The files of the compile command that fails, by the depfile that the compiler writes. A
    /// program before the compilers in `PATH` records how they are called; the test runs that
    /// command alone
    Depfiles,
    /// As `depfiles`, with the compile commands of `compile_commands.json` in the root or in its
    /// folder `build`: after the command they are run one by one until one fails. Their results
    /// are written to a temporary folder
    Database,
}
