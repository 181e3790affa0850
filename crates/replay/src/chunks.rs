use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::slice;
use nubbin_choices::{Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes consecutive choices, independent of spans.
///
/// The pass deletes eight choices to one, from the end. Some parts are in no span: the choices that
/// join two lists into one, or that cut a span in the middle. A deletion is proposed only if the
/// generator takes the other choices exactly as they are. After a success, the pass tries the same
/// position once more.
///
/// * *Cost:* one test per position and length that results in a new text, and no test if choices
///   would answer other questions.
/// * *Source:* Hypothesis (`node_program`), hegel. The replay that decides which deletions are
///   worth a test is our addition.
#[derive(Clone)]
pub struct Chunks {
    replay: Arc<dyn Replay>,
}

impl Chunks {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Chunks { replay }
    }
}

impl Pass for Chunks {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-chunks",
            "deletes consecutive choices",
            "Hypothesis, hegel (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Windows {
            length: LONGEST.min(run.choices.len()),
            end: run.choices.len(),
        })
    }
}

/// The maximum number of choices that are deleted at once.
const LONGEST: usize = 8;

#[derive(Clone)]
struct Windows {
    length: usize,
    end: usize,
}

impl Search for Windows {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            self.end = self.end.min(now.choices.len());
            if self.length == 0 {
                return None;
            }
            if self.end < self.length {
                self.length -= 1;
                self.end = now.choices.len();
                continue;
            }
            let mut values: Vec<_> = slice(now, 0, self.end - self.length).collect();
            values.extend(slice(now, self.end, now.choices.len()));
            return Some(Attempt::exact(values));
        }
    }

    fn record(&mut self, _: &Run, _: bool) {
        // After a deletion, the choices that followed it lie after `end`.
        self.end -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use nubbin_choices::Value;
    use nubbin_generate::{Choices, Function};

    #[test]
    fn two_lists_become_one() {
        let lists: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
            let lists = choices.list(0..=9, |choices| choices.list(0..=9, |_| ()).len());
            format!("{lists:?}").into_bytes()
        }));
        let values = [1, 1, 1, 0, 1, 1, 0, 0].map(|flag| Value::Boolean(flag == 1));
        let fails = |text: &str| {
            let digits = text.bytes().filter(u8::is_ascii_digit);
            digits.map(|digit| u32::from(digit - b'0')).sum::<u32>() >= 3
        };
        let (run, _) = tests_of(
            &Chunks::new(Arc::clone(&lists)),
            &lists,
            values.to_vec(),
            fails,
        );
        assert_eq!(String::from_utf8_lossy(&run.text), "[3]");
    }
}
