use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::{Tree, slice};
use nubbin_choices::{Choice, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Sorts consecutive spans of one label, simplest first.
///
/// The pass sorts a whole family at once, then swaps neighbors, from the first to the last.
///
/// * *Cost:* a test per family that is out of order. If it is not adopted, one test per pair of
///   neighbors that is out of order.
/// * *Source:* Hypothesis (`reorder_spans`).
#[derive(Clone)]
pub struct OrderSpans {
    replay: Arc<dyn Replay>,
}

impl OrderSpans {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        OrderSpans { replay }
    }
}

impl Pass for OrderSpans {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-order",
            "puts things of one kind in order",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Sort {
            tree: Tree::of(run),
            family: 0,
            swap: None,
        })
    }
}

#[derive(Clone)]
struct Sort {
    tree: Tree,
    family: usize,
    /// The next swap; `None` sorts all spans.
    swap: Option<usize>,
}

/// Compares spans: fewer choices come first, then simpler ones.
fn key(run: &Run, number: u32) -> (u32, Vec<u8>) {
    let span = run.spans[number as usize];
    let mut key = vec![];
    let choices = run.choices.get(span.start as usize..span.end as usize);
    for Choice { kind, value } in choices.unwrap_or_default() {
        kind.key(value, &mut key);
    }
    (span.len(), key)
}

/// Returns a run with other spans at the given places.
fn with(run: &Run, places: &[u32], spans: &[u32]) -> Vec<Value> {
    let mut values = vec![];
    let mut at = 0;
    for (&place, &span) in places.iter().zip(spans) {
        let (place, span) = (run.spans[place as usize], run.spans[span as usize]);
        values.extend(slice(run, at, place.start as usize));
        values.extend(slice(run, span.start as usize, span.end as usize));
        at = place.end as usize;
    }
    values.extend(slice(run, at, run.choices.len()));
    values
}

impl Search for Sort {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        while self.family < self.tree.families() {
            let family = self.tree.family(self.family);
            match self.swap {
                None if family.len() > 1 => {
                    let mut sorted = family.to_vec();
                    // A span only replaces spans with the same label.
                    for like in sorted.chunk_by_mut(|&left, &right| {
                        now.spans[left as usize].label == now.spans[right as usize].label
                    }) {
                        like.sort_by_cached_key(|&span| key(now, span));
                    }
                    if sorted != family {
                        return Some(Attempt::exact(with(now, family, &sorted)));
                    }
                }
                Some(swap) if swap + 1 < family.len() => {
                    let (left, right) = (family[swap], family[swap + 1]);
                    let alike = now.spans[left as usize].label == now.spans[right as usize].label;
                    if alike && key(now, right) < key(now, left) {
                        let values = with(now, &[left, right], &[right, left]);
                        return Some(Attempt::exact(values));
                    }
                    self.swap = Some(swap + 1);
                    continue;
                }
                _ => {}
            }
            self.family += 1;
            self.swap = None;
        }
        None
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        if adopted {
            self.tree = Tree::of(now);
        }
        self.swap = match self.swap {
            None if adopted => {
                self.family += 1;
                None
            }
            None if self.tree.family(self.family).len() == 2 => {
                self.family += 1;
                None
            }
            None => Some(0),
            Some(swap) => Some(swap + 1),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn spans_without_a_required_order_are_sorted() {
        let order = OrderSpans::new(list());
        assert_eq!(reduced(&order, "[3, 1, 2]", |_| true), "[1, 2, 3]");
        let fails = |text: &str| text.starts_with("[3");
        assert_eq!(reduced(&order, "[3, 2, 1]", fails), "[3, 1, 2]");
    }
}
