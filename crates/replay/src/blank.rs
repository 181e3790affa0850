use super::machine::{Attempt, ChoiceMachine, Search};
use super::zero::is_simplest;
use nubbin_choices::{Kind, Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Sets many numbers, texts, and byte strings to the simplest value at once: all, halves, quarters.
///
/// Most values of a generated input do not matter. `choice-values` tests each value by itself. This
/// pass tests blocks of values, and splits a block only if some value in it matters. Other passes
/// handle the choices that shape the input: which alternative, and whether a list has one more
/// element.
///
/// * *Cost:* at most as many tests as there are values, about 2k·log₂(n/k) if k of n values matter.
/// * *Source:* as `zero-fill` for bytes, after halfempty (Ormandy).
#[derive(Clone)]
pub struct Blank {
    replay: Arc<dyn Replay>,
}

impl Blank {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Blank { replay }
    }
}

impl Pass for Blank {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-blank",
            "replaces many values with the simplest at once",
            "halfempty (Ormandy)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| {
            let matters = |&at: &usize| {
                let choice = &run.choices[at];
                !is_simplest(choice) && !matches!(choice.kind, Kind::Boolean | Kind::Index { .. })
            };
            let places: Vec<usize> = (0..run.choices.len()).filter(matters).collect();
            Blocks {
                todo: vec![(0, places.len())],
                places: places.into(),
            }
        })
    }
}

#[derive(Clone)]
struct Blocks {
    places: Arc<[usize]>,
    /// Blocks of places, in reverse order.
    todo: Vec<(usize, usize)>,
}

impl Search for Blocks {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            let &(start, end) = self.todo.last()?;
            if end - start < 2 {
                self.todo.pop();
                continue;
            }
            let mut values = now.values();
            for &place in self.places.get(start..end)? {
                if let (Some(value), Some(choice)) = (values.get_mut(place), now.choices.get(place))
                {
                    *value = choice.kind.simplest();
                }
            }
            return Some(Attempt::any(values));
        }
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if let Some((start, end)) = self.todo.pop()
            && !adopted
        {
            let middle = start + (end - start) / 2;
            self.todo.extend([(middle, end), (start, middle)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced_from};
    use super::*;

    #[test]
    fn irrelevant_values_become_zero_in_few_tests() {
        let before = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]";
        let blank = Blank::new(list());
        let (text, tests) = reduced_from(&blank, &list(), before, |text| text.contains('8'));
        assert_eq!(text, "[0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0]");
        assert!(tests <= 8, "{tests}");
    }
}
