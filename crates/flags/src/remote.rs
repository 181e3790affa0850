//! Flags for tests on a farm. A program that is built without farms has them too, and says so.

use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Default, Args)]
pub struct RemoteFlags {
    /// Run tests on this farm, which speaks the Remote Execution API, version 2
    ///
    /// `grpcs://HOST[:PORT]`, or `grpc://HOST[:PORT]` without TLS. Before it is trusted, a worker
    /// must have the same verdicts as this machine on the original and on an empty input; in a
    /// campaign, on an empty test and on that of an issue. A test on a worker has the environment
    /// of `--env` and no other.
    #[arg(long, value_name = "ADDRESS")]
    pub remote: Option<String>,

    /// Send this file or folder to the workers, where it has the same path below the input's root
    ///
    /// The test's program and files that the command names by absolute paths are sent by
    /// themselves, unless they belong to the system. Scripts find what is sent below `$root`.
    #[arg(long, value_name = "PATH", requires = "remote")]
    pub remote_input: Vec<PathBuf>,

    /// Require that workers have this property
    #[arg(long, value_name = "NAME=VALUE", requires = "remote")]
    pub remote_platform: Vec<String>,

    /// Use this instance of the server
    #[arg(long, value_name = "NAME", requires = "remote")]
    pub remote_instance: Option<String>,

    /// Read the bearer token for the farm from this file
    #[arg(
        long,
        value_name = "FILE",
        requires = "remote",
        conflicts_with = "remote_token_command"
    )]
    pub remote_token_file: Option<PathBuf>,

    /// Run this command, for the shell, to get the bearer token for the farm
    #[arg(long, value_name = "COMMAND", requires = "remote")]
    pub remote_token_command: Option<String>,

    /// Trust the certificates in this PEM file instead of those of the system
    #[arg(long, value_name = "FILE", requires = "remote")]
    pub remote_ca: Option<PathBuf>,

    /// Show this certificate to the farm, in PEM (mutual TLS)
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_key"])]
    pub remote_cert: Option<PathBuf>,

    /// The key of `--remote-cert`, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_cert"])]
    pub remote_key: Option<PathBuf>,
}
