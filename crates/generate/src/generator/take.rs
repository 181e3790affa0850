use crate::choices::Choices;

/// Decides whether to take an optional part. The index 0 in a recording takes it; not to take it is
/// simpler.
pub(super) fn take(weights: &[f32], choices: &mut Choices) -> bool {
    let index = match weights {
        [] => choices.choose(2, 1),
        weights => choices.choose_weighted(weights.iter().copied(), 1),
    };
    index == 0
}
