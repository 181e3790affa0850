use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::slice;
use nubbin_choices::{Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Replaces a span with the simplest choices, independent of its new shape.
///
/// Only the generator knows the simplest form. So the pass replays the choices before the span
/// without later ones, and replaces the span with the choices that the generator makes for it. The
/// choices after the span stay as they are. The outermost spans come first.
///
/// * *Wins:* if a part must exist but its content does not matter.
/// * *Cost:* at most one test per span of two or more choices.
/// * *Source:* Hypothesis (`try_trivial_spans`), which replaces each choice with the simplest one
///   and repairs the shape in a second test. The replay of the beginning makes this one test.
#[derive(Clone)]
pub struct Zero {
    replay: Arc<dyn Replay>,
}

impl Zero {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Zero { replay }
    }
}

impl Pass for Zero {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-zero",
            "replaces a thing with the simplest of its kind",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Simplify { span: 0 })
    }
}

#[derive(Clone)]
struct Simplify {
    span: usize,
}

impl Search for Simplify {
    fn next(&mut self, now: &Run, replay: &dyn Replay) -> Option<Attempt> {
        loop {
            let span = now.spans.get(self.span)?;
            let (start, end) = (span.start as usize, span.end as usize);
            let choices = now.choices.get(start..end).unwrap_or_default();
            let is_simplest = |choice: &_| is_simplest(choice);
            if span.len() >= 2 && !choices.iter().all(is_simplest) {
                let head: Vec<Value> = slice(now, 0, start).collect();
                if let Some(values) = filled(now, replay, head, self.span, end) {
                    return Some(Attempt::any(values));
                }
            }
            self.span += 1;
        }
    }

    fn record(&mut self, _: &Run, _: bool) {
        self.span += 1;
    }
}

pub(super) fn is_simplest(choice: &nubbin_choices::Choice) -> bool {
    choice.value == choice.kind.simplest()
}

/// Returns the start of a sequence, the span with the given number filled with the simplest
/// choices, and the choices after `end`.
pub(super) fn filled(
    now: &Run,
    replay: &dyn Replay,
    head: Vec<Value>,
    span: usize,
    end: usize,
) -> Option<Vec<Value>> {
    let shape = replay.replay(&head)?;
    let new_end = shape.spans.get(span)?.end as usize;
    let mut values: Vec<Value> = slice(&shape, 0, new_end).collect();
    values.extend(slice(now, end, now.choices.len()));
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{reduced_from, terms};
    use super::*;

    #[test]
    fn irrelevant_parts_become_the_simplest_of_their_kind() {
        let fails = |text: &str| text.ends_with("/7)");
        let zero = Zero::new(terms());
        let (text, tests) = reduced_from(&zero, &terms(), "(((1+2)+3)/7)", fails);
        assert_eq!(text, "(0/7)");
        assert!(tests < 6, "{tests}");
    }
}
