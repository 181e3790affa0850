//! Flags for a generator that is an external program.

use super::duration::duration;
use clap::{Args, ValueEnum};
use std::time::Duration;

#[derive(Clone, Debug, Args)]
pub struct GeneratorFlags {
    /// Set the protocol by which the generator gets its choices
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value = "json")]
    pub protocol: Protocol,

    /// Stop the generator after this time without an answer or an input
    ///
    /// With the protocol `json`, the limit for a whole input is three times as long.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub generator_timeout: Duration,

    /// Allow at most this many choices for one input
    ///
    /// A generator that asks for more choices gets the simplest choice until it ends. nubbin
    /// discards the input.
    #[arg(long, value_name = "N", default_value_t = 65_536)]
    pub max_choices: usize,
}

/// The protocol by which a generator gets its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// JSON lines: the generator asks for each choice on standard output, and reads the choice
    /// from standard input
    Json,
    /// A string of bytes, as fuzz targets read: the generator reads it from the file `{}`, or from
    /// standard input if the command has no `{}`
    Bytes,
}
