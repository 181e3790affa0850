use super::Removal;

/// A list algorithm in the middle of its work. See the [module documentation](super).
pub trait ListMinimizer: Send {
    /// The elements to leave out in the next test, or `None` when the algorithm has ended.
    fn next(&mut self) -> Option<Removal>;

    /// The outcome of the test that [`ListMinimizer::next`] asked for: `true` where the list without
    /// these elements still fails (they are gone now).
    fn record(&mut self, fails: bool);

    /// A copy that can be driven into a hypothetical future. Cheap: machines share what they do
    /// not change.
    fn fork(&self) -> Box<dyn ListMinimizer>;
}
