use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::slice;
use nubbin_choices::{Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes the choices between two occurrences of the same choices, with one of the occurrences.
///
/// A short sequence of choices that occurs repeatedly marks the beginnings of elements, even if the
/// generator marks no spans. The pass tries the stretches from the longest to the shortest. A
/// deletion is proposed only if the generator takes the other choices exactly as they are.
///
/// * *Cost:* at most 64 tests, for the stretches that fit and are not spans.
/// * *Source:* Shrink Ray (MacIver), which does so for texts.
#[derive(Clone)]
pub struct Repeats {
    replay: Arc<dyn Replay>,
}

impl Repeats {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Repeats { replay }
    }
}

impl Pass for Repeats {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-repeats",
            "deletes the choices between repeated choices",
            "Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Between {
            stretches: stretches(run),
        })
    }
}

/// The number of consecutive choices that must be the same.
const SAME: usize = 2;

/// The limit on the stretches that are tried.
const MAX_STRETCHES: usize = 64;

#[derive(Clone)]
struct Between {
    /// The stretches to try, in reverse order.
    stretches: Vec<(usize, usize)>,
}

/// Returns the stretches from an occurrence of some choices to the next, the longest last.
fn stretches(run: &Run) -> Vec<(usize, usize)> {
    let is_span = |start: usize, end: usize| {
        let same =
            |span: &nubbin_choices::Span| (span.start as usize, span.end as usize) == (start, end);
        run.spans.iter().any(same)
    };
    let mut found = vec![];
    for (at, here) in run.choices.windows(SAME).enumerate() {
        let after = run.choices.windows(SAME).skip(at + 1);
        // Only the next occurrence is needed, since later stretches start at that occurrence.
        if let Some(next) = after.take(MAX_STRETCHES).position(|there| there == here)
            && !is_span(at, at + 1 + next)
        {
            found.push((at, at + 1 + next));
        }
        if found.len() >= 4 * MAX_STRETCHES {
            break;
        }
    }
    found.sort_by_key(|&(start, end)| (end - start, start));
    let few = found.len().saturating_sub(MAX_STRETCHES);
    found.drain(..few);
    found
}

impl Search for Between {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        let &(start, end) = self.stretches.last()?;
        let mut values: Vec<_> = slice(now, 0, start).collect();
        values.extend(slice(now, end, now.choices.len()));
        Some(Attempt::exact(values))
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        self.stretches.pop();
        if adopted {
            self.stretches = stretches(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use nubbin_choices::Value;
    use nubbin_generate::{Choices, Function};

    #[test]
    fn elements_without_spans_are_removed() {
        let plain: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
            let mut text = String::new();
            while choices.boolean() {
                let number = choices.integer(0..=9);
                text += &format!("{number}{} ", if choices.boolean() { "!" } else { "" });
            }
            text.into_bytes()
        }));
        let mut values = vec![];
        for number in [1, 2, 3, 7, 5] {
            values.extend([
                Value::Boolean(true),
                Value::Integer(number),
                Value::Boolean(false),
            ]);
        }
        let repeats = Repeats::new(Arc::clone(&plain));
        let fails = |text: &str| text.contains('3') && text.contains('5');
        let (run, _) = tests_of(&repeats, &plain, values, fails);
        assert!(
            run.text.len() < 15,
            "{}",
            String::from_utf8_lossy(&run.text)
        );
    }
}
