/// The event that ended the wait for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    Ended,
    TimeUp,
    /// The check of the limits found that the test must be stopped.
    Over,
}
