use nubbin_circuits::{Formula, FormulaChange, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document, View};
use std::sync::Arc;

/// The size in bytes of the largest formula that is read. Passes over lines make a larger one
/// smaller in less time.
const MAX_FORMULA_BYTES: usize = 16 << 20;

/// The formula of a text, which the passes share.
struct Read(Option<Arc<Numbered>>);

impl View for Read {
    fn of(text: &[u8]) -> Self {
        let is_small = text.len() <= MAX_FORMULA_BYTES;
        let formula = is_small.then(|| Formula::read(text)).flatten();
        Read(formula.map(|formula| {
            let change = FormulaChange {
                renumbers: true,
                ..FormulaChange::default()
            };
            let renumbers = formula.write(&change) == text;
            Arc::new(Numbered { formula, renumbers })
        }))
    }
}

/// A formula, and whether its variables have numbers without holes. They keep them then.
pub(super) struct Numbered {
    pub(super) formula: Formula,
    pub(super) renumbers: bool,
}

/// Returns the formula of a file.
pub(super) fn formula_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<Numbered>> {
    context.views.of::<Read>(file.text).0.clone()
}

/// A part of a change of a formula.
pub(super) enum Step {
    /// Gives new numbers to all variables, and deletes comments.
    Renumber,
    /// Deletes a clause.
    Clause(u32),
    /// Deletes a literal of a clause.
    Literal(u32, u32),
    /// Replaces variables.
    Values(Vec<(u32, Value)>),
}

impl Document for Numbered {
    type Step = Step;

    fn write(&self, steps: &[&Step]) -> Vec<u8> {
        let mut change = FormulaChange {
            renumbers: self.renumbers,
            ..FormulaChange::default()
        };
        for step in steps {
            match step {
                Step::Renumber => change.renumbers = true,
                Step::Clause(clause) => {
                    change.clauses.insert(*clause);
                }
                Step::Literal(clause, nth) => {
                    change.literals.insert((*clause, *nth));
                }
                Step::Values(values) => {
                    for (variable, value) in values {
                        change.values.entry(*variable).or_insert(*value);
                    }
                }
            }
        }
        self.formula.write(&change)
    }
}
