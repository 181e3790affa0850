//! Flags for tests on a farm. A program that is built without farms has these flags too, and
//! refuses them with an error.

use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Default, Args)]
pub struct RemoteFlags {
    /// Run tests on this farm, which speaks the Remote Execution API, version 2
    ///
    /// The address is `grpcs://HOST[:PORT]`, or `grpc://HOST[:PORT]` without TLS. nubbin trusts a
    /// worker only after it gives the same verdicts as this machine for the original and for an
    /// empty input. In a campaign, the check uses an empty test and the test of an issue. A test on
    /// a worker has only the environment variables set with `--env`.
    #[arg(long, value_name = "ADDRESS")]
    pub remote: Option<String>,

    /// Send this file or folder to the workers, where it has the same path below the input's root
    ///
    /// nubbin also sends the test's program and the files that the command names by absolute paths,
    /// unless they belong to the system. Scripts find the sent files below `$root`.
    #[arg(long, value_name = "PATH", requires = "remote")]
    pub remote_input: Vec<PathBuf>,

    /// Require that workers have this property
    #[arg(long, value_name = "NAME=VALUE", requires = "remote")]
    pub remote_platform: Vec<String>,

    /// Use the instance of the server with this name
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

    /// Run this shell command to get the bearer token for the farm
    #[arg(long, value_name = "COMMAND", requires = "remote")]
    pub remote_token_command: Option<String>,

    /// Trust the certificates in this PEM file instead of those of the system
    #[arg(long, value_name = "FILE", requires = "remote")]
    pub remote_ca: Option<PathBuf>,

    /// Present this client certificate to the farm, in PEM (mutual TLS)
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_key"])]
    pub remote_cert: Option<PathBuf>,

    /// Read the private key for `--remote-cert` from this file, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_cert"])]
    pub remote_key: Option<PathBuf>,
}
