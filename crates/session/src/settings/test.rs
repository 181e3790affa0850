//! The settings of a test.

use super::remote::RemoteSettings;
use crate::flags::{
    CoverageMode, FailureFlags, Jobs, LimitFlags, PROCESSES, PersistentMode, SandboxFlags,
    SandboxMode, TestFlags, TestRunFlags,
};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of the test of a run: its command, its failure, and its environment.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub struct TestSettings {
    pub command: Vec<OsString>,
    pub program: Option<PathBuf>,
    pub jobs: Option<Jobs>,
    pub failure: FailureSettings,
    pub run: RunSettings,
    pub sandbox: SandboxSettings,
    pub remote: RemoteSettings,
    pub limits: LimitSettings,
}

impl From<TestFlags> for TestSettings {
    fn from(flags: TestFlags) -> Self {
        TestSettings {
            command: flags.command,
            program: flags.program,
            jobs: flags.jobs,
            failure: flags.failure.into(),
            run: flags.run.into(),
            sandbox: flags.sandbox.into(),
            remote: flags.remote.into(),
            limits: flags.limits.into(),
        }
    }
}

/// The conditions on a run of the test. All given conditions must hold.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub struct FailureSettings {
    pub exit: Vec<String>,
    pub signal: Vec<String>,
    pub stdout: Vec<String>,
    pub stderr: Vec<String>,
    pub not_stdout: Vec<String>,
    pub not_stderr: Vec<String>,
    pub valid_for: Vec<PathBuf>,
    pub timeout_fails: bool,
    pub differs_from: Option<String>,
    pub ub_free: Option<String>,
    pub same_failure: bool,
    pub same_stack: bool,
    pub same_coverage: Option<CoverageMode>,
}

impl From<FailureFlags> for FailureSettings {
    fn from(flags: FailureFlags) -> Self {
        FailureSettings {
            exit: flags.exit,
            signal: flags.signal,
            stdout: flags.stdout,
            stderr: flags.stderr,
            not_stdout: flags.not_stdout,
            not_stderr: flags.not_stderr,
            valid_for: flags.valid_for,
            timeout_fails: flags.timeout_fails,
            differs_from: flags.differs_from,
            ub_free: flags.ub_free,
            same_failure: flags.same_failure,
            same_stack: flags.same_stack,
            same_coverage: flags.same_coverage,
        }
    }
}

/// The settings of the environment in which a test runs.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub struct RunSettings {
    pub timeout: Option<Duration>,
    pub stdin: bool,
    pub persistent: Option<PersistentMode>,
    pub build: Option<String>,
    pub with: Vec<PathBuf>,
    pub with_siblings: bool,
    pub private_failure: bool,
    pub env: Vec<OsString>,
    pub unset_env: Vec<OsString>,
    pub clean_env: bool,
    pub keep_temp: bool,
}

impl From<TestRunFlags> for RunSettings {
    fn from(flags: TestRunFlags) -> Self {
        RunSettings {
            timeout: flags.timeout,
            stdin: flags.stdin,
            persistent: flags.persistent,
            build: flags.build,
            with: flags.with,
            with_siblings: flags.with_siblings,
            private_failure: flags.private_failure,
            env: flags.env,
            unset_env: flags.unset_env,
            clean_env: flags.clean_env,
            keep_temp: flags.keep_temp,
        }
    }
}

/// The limits on one test.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug)]
pub struct LimitSettings {
    pub memory: Option<u64>,
    pub cpu: Option<Duration>,
    pub processes: u32,
    pub file_size: Option<u64>,
    pub output_limit: u64,
    pub disk: Option<u64>,
}

impl From<LimitFlags> for LimitSettings {
    fn from(flags: LimitFlags) -> Self {
        LimitSettings {
            memory: flags.memory,
            cpu: flags.cpu,
            processes: flags.processes,
            file_size: flags.file_size,
            output_limit: flags.output_limit,
            disk: flags.disk,
        }
    }
}

/// The settings of the sandbox of all programs that a run starts.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug, Default)]
pub struct SandboxSettings {
    pub sandbox: SandboxMode,
    pub writable: Vec<PathBuf>,
    pub network: bool,
}

impl From<SandboxFlags> for SandboxSettings {
    fn from(flags: SandboxFlags) -> Self {
        SandboxSettings {
            sandbox: flags.sandbox,
            writable: flags.writable,
            network: flags.network,
        }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        LimitSettings {
            memory: None,
            cpu: None,
            processes: PROCESSES,
            file_size: None,
            output_limit: 64 << 20,
            disk: None,
        }
    }
}
