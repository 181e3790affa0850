use super::Removal;

/// The state of a list minimizer on one list. See the [module documentation](super).
pub trait ListMinimizer: Send {
    /// Returns the elements to leave out in the next test, or `None` at the end.
    fn next(&mut self) -> Option<Removal>;

    /// Records the outcome of the test that [`ListMinimizer::next`] asked for: `true` if the list
    /// without these elements still fails and was adopted.
    fn record(&mut self, fails: bool);

    /// Returns a copy that can be given hypothetical outcomes. A copy is cheap, since machines
    /// share the data that they do not change.
    fn fork(&self) -> Box<dyn ListMinimizer>;
}
