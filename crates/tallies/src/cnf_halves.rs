use super::formula::{Step, formula_of};
use nubbin_circuits::Value;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Removes half of the variables of a formula in DIMACS or QDIMACS: as false, or with all their
/// clauses.
///
/// Variables with neighboring numbers usually belong together, such as the variables of one part of
/// a circuit. The needed clauses are therefore often in one half.
///
/// Prefer it before passes over single variables and clauses. A half of the variables has more than
/// half of the clauses of three literals: about seven in eight.
///
/// Cost: up to four tests, and no tests for fewer than 16 variables. The run opens the pass again
/// after a success.
///
/// Source: our own. Brummayer, Lonsing, Biere, *Automated Testing and Debugging of SAT and QBF
/// Solvers* (SAT 2010), delete groups of clauses and of literals.
///
/// ```
/// use nubbin_reduce::pass::{CnfHalves, preview};
///
/// let clauses: String = (1..16).map(|nth| format!("{nth} {} 0\n", nth + 1)).collect();
/// let candidates = preview(&CnfHalves, format!("p cnf 16 15\n{clauses}").as_bytes(), 3);
/// assert!(candidates[1].starts_with("p cnf 8 15\n1 2 0\n"));
/// assert!(candidates[2].starts_with("p cnf 8 7\n1 2 0\n"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CnfHalves;

impl Pass for CnfHalves {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "cnf-halves",
            "removes half of the variables of a formula, usually with their clauses",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let read = formula_of(file, context)?;
        let all = read.many_variables()?;
        let (first, last) = all.split_at(all.len() / 2);
        let step = |half: &[u32], value: Value| {
            Step::Values(half.iter().map(|&variable| (variable, value)).collect())
        };
        let steps = vec![
            step(first, Value::Constant(false)),
            step(last, Value::Constant(false)),
            step(first, Value::Dropped),
            step(last, Value::Dropped),
        ];
        on_document(file, context, read, vec![(steps, Steps::FirstOf)])
    }
}
