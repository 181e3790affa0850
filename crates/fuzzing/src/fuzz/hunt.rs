//! Finds the expression of a batch that crashes the engine.

use super::batch::Expression;
use super::engine_test::{Ending, EngineTest};
use crate::engine::ShellFault;
use nubbin_oracle::Signature;

/// The expressions that are run again together after a batch has not come to its end.
const PART: usize = 10;

/// The script that expressions are run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One expression, without a `try` statement.
    Single,
    /// A batch of expressions.
    Batch,
}

/// The expressions that show a bug.
pub(super) struct Catch {
    pub(super) bug: Signature,
    pub(super) form: Form,
    /// One expression, or all expressions up to the last needed one.
    pub(super) expressions: Vec<Expression>,
}

/// The findings of a batch.
#[derive(Default)]
pub(super) struct Hunted {
    pub(super) catches: Vec<Catch>,
    /// Expressions that were left out because their script hit a limit or did not come to its end.
    pub(super) left_out: u64,
    /// Crashes that did not happen again.
    pub(super) unstable: u64,
}

/// Looks at a batch that ended with a bug, at a limit, or early. The expressions after the one
/// that was to blame run in a process of their own, so that a bug hides nothing.
pub(super) fn hunt(
    test: &EngineTest,
    batch: &[Expression],
    ending: Ending,
    slot: usize,
) -> Result<Hunted, ShellFault> {
    let mut hunted = Hunted::default();
    let mut queue = vec![(batch, Some(ending))];
    while let Some((batch, ending)) = queue.pop() {
        let ending = match ending {
            Some(ending) => ending,
            None => test.run_batch(batch, slot)?,
        };
        match ending {
            Ending::Usual => {}
            Ending::Stopped => break,
            Ending::Limit if batch.len() <= PART => hunted.left_out += batch.len() as u64,
            Ending::Early if batch.len() == 1 => hunted.left_out += 1,
            Ending::Limit | Ending::Early => {
                let part = if batch.len() <= PART { 1 } else { PART };
                let parts = batch.chunks(part).rev();
                queue.extend(parts.map(|part| (part, None)));
            }
            Ending::Bug(bug) => {
                let (needed, is_settled) = match prefix(test, &bug, batch, slot)? {
                    Prefix::Shows(needed) => (needed, true),
                    Prefix::Stopped(needed) => (needed, false),
                    Prefix::Gone => {
                        hunted.unstable += 1;
                        continue;
                    }
                };
                let last = &batch[needed - 1..needed];
                let alone = match is_settled {
                    true => test.shows(&bug, &single(test, &last[0]), slot)?,
                    false => None,
                };
                let form = if alone == Some(true) {
                    Form::Single
                } else {
                    Form::Batch
                };
                let expressions = match form {
                    Form::Single => last,
                    Form::Batch => &batch[..needed],
                };
                hunted.catches.push(Catch {
                    bug,
                    form,
                    expressions: expressions.to_vec(),
                });
                if needed < batch.len() {
                    queue.push((&batch[needed..], None));
                }
            }
        }
    }
    Ok(hunted)
}

/// The number of first expressions that show a bug.
enum Prefix {
    /// These expressions show the bug, and fewer do not.
    Shows(usize),
    /// These expressions show the bug. The run was stopped before fewer expressions were tried.
    Stopped(usize),
    /// All expressions together no longer show the bug.
    Gone,
}

/// Returns the script of one expression, without a `try` statement.
pub(super) fn single(test: &EngineTest, expression: &Expression) -> Vec<u8> {
    test.profile.script(&expression.text)
}

/// Finds the shortest prefix with the bug, by bisection.
fn prefix(
    test: &EngineTest,
    bug: &Signature,
    batch: &[Expression],
    slot: usize,
) -> Result<Prefix, ShellFault> {
    let (mut without, mut with) = (0, batch.len());
    while with - without > 1 {
        let middle = without + (with - without) / 2;
        match test.shows(bug, &test.script(&batch[..middle]), slot)? {
            Some(true) => with = middle,
            Some(false) => without = middle,
            None => return Ok(Prefix::Stopped(with)),
        }
    }
    Ok(match test.shows(bug, &test.script(&batch[..with]), slot)? {
        Some(true) => Prefix::Shows(with),
        Some(false) => Prefix::Gone,
        None => Prefix::Stopped(with),
    })
}
