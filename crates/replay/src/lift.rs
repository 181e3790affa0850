use super::machine::{Attempt, ChoiceMachine, Search};
use nubbin_choices::{Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Replaces a span with a span of the same label within it: an expression with a part of it, a list
/// with its tail.
///
/// The outermost spans come first. Of the spans within, the pass tries those that are in no other
/// of the same label, smallest first. The pass proposes only sequences for which the generator asks
/// the same questions as before, or fewer.
///
/// * *Wins:* on recursive structures: each success halves a tree, or does better.
/// * *Cost:* for each span, as many tests as it has nearest descendants of its label, usually two.
/// * *Source:* Hypothesis (`pass_to_descendant`), which picks descendants at random.
#[derive(Clone)]
pub struct LiftSpans {
    replay: Arc<dyn Replay>,
}

impl LiftSpans {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        LiftSpans { replay }
    }
}

impl Pass for LiftSpans {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-lift",
            "replaces a thing with a smaller one of the same kind within it",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Lift {
            span: 0,
            within: None,
        })
    }
}

#[derive(Clone)]
struct Lift {
    span: usize,
    /// The replacements to try, in reverse order; `None` if they are not determined yet.
    within: Option<Vec<u32>>,
}

/// Returns the nearest spans of the same label within a span, the smallest last.
fn nearest(run: &Run, number: usize) -> Vec<u32> {
    let Some(span) = run.spans.get(number) else {
        return vec![];
    };
    let mut found: Vec<u32> = vec![];
    let mut end = span.start;
    for (inner, other) in run.spans.iter().enumerate().skip(number + 1) {
        if other.start >= span.end {
            break;
        }
        if other.label == span.label && other.start >= end && other.len() < span.len() {
            end = other.end;
            found.push(inner as u32);
        }
    }
    found.sort_by_key(|&inner| std::cmp::Reverse(run.spans[inner as usize].len()));
    found
}

impl Search for Lift {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            let span = now.spans.get(self.span)?;
            let within = self.within.get_or_insert_with(|| nearest(now, self.span));
            let Some(inner) = within.last() else {
                self.span += 1;
                self.within = None;
                continue;
            };
            let inner = now.spans.get(*inner as usize)?;
            let part = |start: u32, end: u32| {
                let part = now.choices.get(start as usize..end as usize);
                part.unwrap_or_default()
            };
            let head = part(0, span.start).iter();
            let tail = part(span.end, now.choices.len() as u32).iter();
            let choices = head.chain(part(inner.start, inner.end)).chain(tail);
            return Some(Attempt::aligned(choices));
        }
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if adopted {
            // The new span is tried next.
            self.within = None;
        } else if let Some(within) = &mut self.within {
            within.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{reduced_from, terms};
    use super::*;

    #[test]
    fn a_part_replaces_the_whole() {
        let lift = LiftSpans::new(terms());
        let fails = |text: &str| text.contains("/0");
        let before = "((1+2)+((3/0)+(4+5)))";
        let (text, tests) = reduced_from(&lift, &terms(), before, fails);
        assert_eq!(text, "(3/0)");
        assert!(tests < 8, "{tests}");
    }
}
