use std::process::ExitCode;

/// The exit codes of `nubbin`, as listed in the help of the commands that search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The result is written. No pass finds anything more, or a limit was reached.
    Done = 0,
    /// The command line is wrong.
    Usage = 2,
    /// The original input does not fail, or the input that should pass does not pass.
    NotFailing = 3,
    /// The test cannot be run, or broke during the run.
    Test = 4,
    /// An input cannot be read, or has nothing to reduce.
    Input = 5,
    /// A result cannot be written.
    Output = 6,
    /// The result is written, but did not fail when it was tested again. The test is flaky.
    Flaky = 7,
    /// A limit ended the run before its first success, and the result of an earlier run is still in
    /// place.
    NoResult = 8,
    /// An empty input fails as well, so the failure does not depend on the input.
    EmptyFails = 9,
    /// A signal or a key stopped the run. The best so far is written, if there is one.
    Stopped = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
