use super::machine::{Attempt, ChoiceMachine, Search};
use super::value::ValueSearch;
use super::zero::is_simplest;
use nubbin_choices::{Kind, Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Lowers each choice by itself, as its type allows.
///
/// The pass tries up to eight simpler alternatives that ask the same questions. The pass sets
/// numbers to their simplest value and to the same distance on its other side. Then it sets the
/// distance to 1, halves it as often as possible, and searches the remaining range. The pass makes
/// floating-point numbers whole and gives them fewer bits after the point. The pass deletes, sorts,
/// and lowers the elements of texts and byte strings. The pass works from the first choice to the
/// last, which is the order in which sequences are compared.
///
/// * *Cost:* up to four tests for a number that cannot be lowered; about 60 tests for a 64-bit
///   number that cannot become short, and 20 tests for a 64-bit number that can.
/// * *Source:* Hypothesis and hegel (`minimize_individual_choices`).
#[derive(Clone)]
pub struct Values {
    replay: Arc<dyn Replay>,
}

impl Values {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Values { replay }
    }
}

impl Pass for Values {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-values",
            "lowers each choice: numbers, strings, alternatives",
            "Hypothesis, hegel (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Each {
            at: 0,
            search: None,
        })
    }
}

#[derive(Clone)]
struct Each {
    at: usize,
    search: Option<ValueSearch>,
}

impl Search for Each {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            let choice = now.choices.get(self.at)?;
            if self.search.is_none() && !is_simplest(choice) {
                self.search = Some(ValueSearch::of(choice));
            }
            if let Some(value) = self.search.as_mut().and_then(ValueSearch::next) {
                let mut values = now.values();
                values[self.at] = value;
                return Some(match choice.kind {
                    // Alternatives with other questions are left to `choice-branch`, and the
                    // removal of elements to `choice-spans`.
                    Kind::Boolean | Kind::Index { .. } => Attempt::same_shape(values),
                    _ => Attempt::any(values),
                });
            }
            self.at += 1;
            self.search = None;
        }
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if let Some(search) = &mut self.search {
            search.record(adopted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn each_number_is_lowered() {
        let sum = |text: &str| {
            let digits = text.bytes().filter(u8::is_ascii_digit);
            digits.map(|digit| u32::from(digit - b'0')).sum::<u32>() >= 10
        };
        assert_eq!(reduced(&Values::new(list()), "[9, 8, 7]", sum), "[0, 3, 7]");
        assert_eq!(
            reduced(&Values::new(list()), "[9, 8, 7]", |_| true),
            "[0, 0, 0]"
        );
    }
}
