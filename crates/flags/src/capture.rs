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
      write one file, bug/foo.i, if the compiler fails on it in the same way

The command runs in the current folder, without a sandbox, and can change any file. nubbin itself
writes only to DIR, and to `.nubbin` next to DIR, which lists the files that nubbin wrote.";

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

    /// Find the files that the command reads by this method [default: strace if it works on this
    /// machine]
    #[arg(long, value_enum, value_name = "MEANS")]
    pub with: Option<Means>,

    /// Write one preprocessed file of the failing source instead of the folder, if it fails in the
    /// same way
    #[arg(long, conflicts_with = "with")]
    pub preprocess: bool,

    /// Copy files that the command reads through a link out of the root, in place of the link
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

/// A method of finding the files that a command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Means {
    /// Trace all processes of the command, and find all files that they use
    Strace,
    /// Find the files of the failing compile command in the depfile that the compiler writes. A
    /// wrapper in front of the compilers in `PATH` records their command lines; the test runs only
    /// the failing compile command
    Depfiles,
    /// Find the files in depfiles, with the compile commands of `compile_commands.json` in the root
    /// or in its folder `build`. After the given command, nubbin runs the compile commands one by
    /// one until one fails. Compile results are written to a temporary folder
    Database,
}
