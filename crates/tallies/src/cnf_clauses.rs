use super::formula::{Step, formula_of};
use nubbin_circuits::Value;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Deletes clauses of a formula in DIMACS or QDIMACS: of many variables all of one, then single
/// ones.
///
/// The header states the new number of clauses. Variables that were numbered consecutively are
/// numbered consecutively again.
///
/// Cost: the tests of a list minimizer on the variables, and of a list minimizer on the clauses.
///
/// Source: Brummayer, Lonsing, Biere, *Automated Testing and Debugging of SAT and QBF Solvers*
/// (SAT 2010).
///
/// ```
/// use nubbin_reduce::pass::{CnfClauses, preview};
///
/// let candidates = preview(&CnfClauses, b"p cnf 2 2\n1 0\n-1 2 0\n", 3);
/// assert_eq!(candidates[1..], ["p cnf 1 1\n1 0\n", "p cnf 2 1\n-1 2 0\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CnfClauses;

impl Pass for CnfClauses {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "cnf-clauses",
            "deletes clauses of a formula",
            "Brummayer, Lonsing, Biere (SAT 2010)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let read = formula_of(file, context)?;
        let variables = read.many_variables().unwrap_or_default().into_iter();
        let of_variables = variables.map(|variable| Step::Values(vec![(variable, Value::Dropped)]));
        let clauses = (0..read.formula.clauses.len() as u32).map(Step::Clause);
        let lists = vec![
            (of_variables.collect(), Steps::Some),
            (clauses.collect(), Steps::Some),
        ];
        on_document(file, context, read, lists)
    }
}
