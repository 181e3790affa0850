use super::machine::{Attempt, ChoiceMachine, Search};
use super::zero::filled;
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Kind, Replay, Run, Value};
use std::sync::Arc;

/// A simpler alternative taken, and the rest of the thing it is in filled up with the simplest.
///
/// What was chosen behind an alternative answers questions that another alternative does not ask.
/// So the rest of the span is made anew, and what comes after the span stays. Where all of it
/// simplest is too simple, one of its last two numbers or flags is next to simplest.
///
/// * *Cost:* at most three tests for each simpler alternative of each choice with few of them.
/// * *Source:* Hypothesis (`mutate_and_shrink` of short choices), hegel; they fill up at random.
#[derive(Clone)]
pub struct Branch {
    replay: Arc<dyn Replay>,
}

impl Branch {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Branch { replay }
    }
}

impl Pass for Branch {
    fn id(&self) -> &'static str {
        "choice-branch"
    }

    fn about(&self) -> &'static str {
        "takes a simpler alternative and the simplest of what it asks"
    }

    fn source(&self) -> &'static str {
        "Hypothesis, hegel (MacIver)"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Other {
            at: 0,
            number: 0,
            raised: 0,
        })
    }
}

/// Choices with more possibilities are no alternatives.
const MOST: u32 = 16;

#[derive(Clone)]
struct Other {
    at: usize,
    /// Which of the simpler alternatives.
    number: i64,
    /// Which choice of those filled in is not the simplest, from the last, from 1.
    raised: usize,
}

/// The innermost span that has a choice.
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
                    if of <= MOST && place != i64::from(simplest) =>
                {
                    // The simplest is simpler than all before it.
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
                // Something in it has to be a little more.
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

/// Choices that are tried with another value than the simplest, at most.
const RAISED: usize = 2;

/// With one choice of a span, behind another one, that is next to simplest.
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
    fn another_alternative_asks_other_things() {
        let branch = Branch::new(terms());
        let fails = |text: &str| text.ends_with("/0)");
        let (text, _) = reduced_from(&branch, &terms(), "(((1+2)+3)/0)", fails);
        assert_eq!(text, "(0/0)");
    }
}
