//! The settings of a test.

use super::remote::RemoteSettings;
use crate::flags::{
    CoverageMode, FailureFlags, Jobs, LimitFlags, PROCESSES, PersistentMode, SandboxFlags,
    SandboxMode, TestFlags, TestRunFlags,
};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The test of a run: its command, its failure, and how it runs.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub(crate) struct TestSettings {
    pub(crate) command: Vec<OsString>,
    pub(crate) program: Option<PathBuf>,
    pub(crate) jobs: Option<Jobs>,
    pub(crate) failure: FailureSettings,
    pub(crate) run: RunSettings,
    pub(crate) sandbox: SandboxSettings,
    pub(crate) remote: RemoteSettings,
    pub(crate) limits: LimitSettings,
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

/// Conditions on a run of the test; all that are given must hold.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub(crate) struct FailureSettings {
    pub(crate) exit: Vec<String>,
    pub(crate) signal: Vec<String>,
    pub(crate) stdout: Vec<String>,
    pub(crate) stderr: Vec<String>,
    pub(crate) not_stdout: Vec<String>,
    pub(crate) not_stderr: Vec<String>,
    pub(crate) valid_for: Vec<PathBuf>,
    pub(crate) timeout_fails: bool,
    pub(crate) differs_from: Option<String>,
    pub(crate) ub_free: Option<String>,
    pub(crate) same_failure: bool,
    pub(crate) same_stack: bool,
    pub(crate) same_coverage: Option<CoverageMode>,
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

/// The environment in which a test runs.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug, Default)]
pub(crate) struct RunSettings {
    pub(crate) timeout: Option<Duration>,
    pub(crate) stdin: bool,
    pub(crate) persistent: Option<PersistentMode>,
    pub(crate) build: Option<String>,
    pub(crate) with: Vec<PathBuf>,
    pub(crate) with_siblings: bool,
    pub(crate) private_failure: bool,
    pub(crate) env: Vec<OsString>,
    pub(crate) unset_env: Vec<OsString>,
    pub(crate) clean_env: bool,
    pub(crate) keep_temp: bool,
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

/// Limits on one test.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug)]
pub(crate) struct LimitSettings {
    pub(crate) memory: Option<u64>,
    pub(crate) cpu: Option<Duration>,
    pub(crate) processes: u32,
    pub(crate) file_size: Option<u64>,
    pub(crate) output_limit: u64,
    pub(crate) disk: Option<u64>,
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

/// The sandbox of all programs that a run starts.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct SandboxSettings {
    pub(crate) sandbox: SandboxMode,
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) network: bool,
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
