use super::machine::{Attempt, ChoiceMachine, Search};
use super::zero::filled;
use nubbin_choices::{Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Takes a simpler alternative, and fills the rest of the innermost span with the simplest choices.
///
/// The choices after an alternative answer questions that another alternative does not ask. So the
/// pass replaces the rest of the span, and keeps the choices after the span. If the simplest
/// choices are too simple, one of the last two numbers or flags becomes next to simplest.
///
/// * *Cost:* at most three tests per simpler alternative of each choice with few alternatives.
/// * *Source:* Hypothesis (`mutate_and_shrink` of short choices) and hegel; both fill the span at
///   random.
#[derive(Clone)]
pub struct Branch {
    replay: Arc<dyn Replay>,
}

impl Branch {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Branch { replay }
    }
}

impl Pass for Branch {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-branch",
            "takes a simpler alternative, with the simplest answers to its questions",
            "Hypothesis, hegel (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Other {
            at: 0,
            number: 0,
            raised: 0,
        })
    }
}

/// The maximum number of possibilities of a choice between alternatives.
const MAX_ALTERNATIVES: u32 = 16;

#[derive(Clone)]
struct Other {
    at: usize,
    /// The index of the simpler alternative.
    number: i64,
    /// The position of the filled-in choice that is not the simplest, counted from the last choice,
    /// from 1.
    raised: usize,
}

/// Returns the innermost span that contains a choice.
fn around(run: &Run, at: usize) -> Option<usize> {
    let has = |span: &nubbin_choices::Span| (span.start as usize..span.end as usize).contains(&at);
    run.spans.iter().rposition(has)
}

impl Search for Other {
    fn next(&mut self, now: &Run, replay: &dyn Replay) -> Option<Attempt> {
        loop {
            let choice = now.choices.get(self.at)?;
            let place = match (&choice.kind, &choice.value) {
                (&Kind::Index { of, simplest }, &Value::Integer(place))
                    if of <= MAX_ALTERNATIVES && place != i64::from(simplest) =>
                {
                    // The simplest value is simpler than all values before it.
                    let others = std::iter::once(i64::from(simplest));
                    let others = others.chain((0..place).filter(|&o| o != i64::from(simplest)));
                    others.into_iter().nth(self.number as usize)
                }
                _ => None,
            };
            let span = around(now, self.at);
            let (Some(place), Some(span)) = (place, span) else {
                self.at += 1;
                self.number = 0;
                self.raised = 0;
                continue;
            };
            let mut head: Vec<Value> = now.values();
            head.truncate(self.at);
            head.push(Value::Integer(place));
            let end = now.spans[span].end as usize;
            match filled(now, replay, head, span, end) {
                Some(values) if self.raised == 0 => return Some(Attempt::any(values)),
                // Some choice in the span must be less simple.
                Some(values) => {
                    let run = replay.replay(&values);
                    let raised = run.and_then(|run| raised(&run, self.at, span, self.raised));
                    if let Some(values) = raised {
                        return Some(Attempt::any(values));
                    }
                }
                None => {}
            }
            self.number += 1;
            self.raised = 0;
        }
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if adopted {
            self.at += 1;
            self.number = 0;
            self.raised = 0;
        } else {
            self.raised += 1;
        }
    }
}

/// The maximum number of choices that are tried with a value next to the simplest.
const RAISED: usize = 2;

/// Returns a run in which one choice of a span has the value next to the simplest, after another
/// choice.
fn raised(run: &Run, at: usize, span: usize, number: usize) -> Option<Vec<Value>> {
    let end = run.spans.get(span)?.end as usize;
    let free = (at + 1..end).rev();
    let mut free = free.filter_map(|at| {
        let value = match run.choices[at].kind {
            Kind::Boolean => Value::Boolean(true),
            Kind::Integer { max, toward, .. } if toward < max => Value::Integer(toward + 1),
            _ => return None,
        };
        Some((at, value))
    });
    let (at, value) = free.by_ref().take(RAISED).nth(number - 1)?;
    let mut values = run.values();
    values[at] = value;
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{reduced_from, terms};
    use super::*;

    #[test]
    fn another_alternative_asks_other_questions() {
        let branch = Branch::new(terms());
        let fails = |text: &str| text.ends_with("/0)");
        let (text, _) = reduced_from(&branch, &terms(), "(((1+2)+3)/0)", fails);
        assert_eq!(text, "(0/0)");
    }
}
