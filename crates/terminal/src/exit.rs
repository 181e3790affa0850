use std::process::ExitCode;

/// The exit codes of `nubbin`, as the help of the commands that search lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The result is written: no pass finds anything more, or a budget was used up.
    Done = 0,
    /// The command line does not make sense.
    Usage = 2,
    /// The original input does not fail, or the one that is to pass does not.
    NotFailing = 3,
    /// The test cannot be run, or broke in the middle.
    Test = 4,
    /// An input cannot be read, or there is nothing in it to work on.
    Input = 5,
    /// A result cannot be written.
    Output = 6,
    /// The result is written, but did not hold when it was tested once more: the test is not
    /// reliable.
    Flaky = 7,
    /// A limit ended the run before its first success, and the result of an earlier run is still in
    /// place.
    NoResult = 8,
    /// An empty input fails as well, so the failure does not depend on the input.
    EmptyFails = 9,
    /// Stopped by a signal or a key; the best so far is written, if there is one.
    Stopped = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
