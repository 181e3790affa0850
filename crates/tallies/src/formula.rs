use nubbin_circuits::{Formula, FormulaChange, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document, View};
use std::sync::Arc;

/// The maximum size in bytes of a formula that is read. Passes over lines shrink a larger formula
/// in less time.
const MAX_FORMULA_BYTES: usize = 16 << 20;

/// The number of variables from which groups of them are deleted with their clauses. Those of a
/// smaller formula cost as many tests as its clauses.
const MANY_VARIABLES: usize = 16;

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
            let mut occurrences: Vec<u32> = vec![0; formula.variables as usize + 1];
            for literal in formula.clauses.iter().flatten() {
                occurrences[literal.variable() as usize] += 1;
            }
            Arc::new(Numbered {
                formula,
                renumbers,
                bytes: text.len() as u32 / occurrences.iter().sum::<u32>().max(1) + 1,
                occurrences,
            })
        }))
    }
}

/// A formula, and whether its variables are numbered consecutively. If they are, they keep
/// consecutive numbers.
pub(super) struct Numbered {
    pub(super) formula: Formula,
    pub(super) renumbers: bool,
    /// The number of literals of each variable.
    occurrences: Vec<u32>,
    /// The size of an average literal in bytes.
    bytes: u32,
}

impl Numbered {
    /// Returns the variables that have literals, in ascending order, or `None` if there are only a
    /// few.
    pub(super) fn many_variables(&self) -> Option<Vec<u32>> {
        Some(self.variables()).filter(|all| all.len() >= MANY_VARIABLES)
    }

    /// Returns the variables that have literals, in ascending order.
    pub(super) fn variables(&self) -> Vec<u32> {
        let occurrences = self.occurrences.iter().zip(0..);
        let used = occurrences.filter(|(count, _)| **count > 0);
        used.map(|(_, variable)| variable).collect()
    }
}

/// Returns the formula of a file.
pub(super) fn formula_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<Numbered>> {
    context.views.of::<Read>(file.text).0.clone()
}

/// A part of a change of a formula.
pub(super) enum Step {
    /// Renumbers all variables, and deletes comments.
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

    /// Returns the bytes of the literals that a step deletes by itself.
    fn weight(&self, step: &Step) -> u32 {
        let literals = match step {
            Step::Renumber | Step::Literal(..) => 1,
            Step::Clause(clause) => self.formula.clauses[*clause as usize].len() as u32,
            Step::Values(values) => {
                let each = values.iter().map(|(variable, _)| *variable as usize);
                each.map(|variable| self.occurrences[variable]).sum()
            }
        };
        literals.saturating_mul(self.bytes)
    }

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
