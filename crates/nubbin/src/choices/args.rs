//! What can be typed of a generator outside.

use clap::{Args as ClapArgs, ValueEnum};
use std::time::Duration;

/// How a generator outside is run.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct ExternalArgs {
    /// How the generator gets its choices: `json` asks for each on standard output and reads the
    /// answer on standard input, `bytes` reads a string of bytes from the file `{}`, or from standard
    /// input where there is no `{}`
    #[arg(long, value_enum, value_name = "HOW", default_value = "json")]
    pub(crate) protocol: Protocol,

    /// How long the generator may take, for one answer or for one text
    #[arg(long, value_name = "SECS", value_parser = crate::args::seconds, default_value = "10")]
    pub(crate) generator_timeout: Duration,

    /// Choices of one text, at most; a generator that wants more is told the simplest until it ends,
    /// and nothing comes of it
    #[arg(long, value_name = "N", default_value_t = 65_536)]
    pub(crate) max_choices: usize,
}

/// How a generator gets its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// Lines of JSON over pipes: typed choices and spans
    Json,
    /// A string of bytes, as fuzz targets read it
    Bytes,
}
