use super::formula::{Step, formula_of};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Deletes clauses of a formula in DIMACS or QDIMACS.
///
/// The header counts what is left, and the variables keep numbers without holes if they had them.
///
/// Cost: that of a list minimizer on the clauses.
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
        let clauses = 0..read.formula.clauses.len() as u32;
        let steps = clauses.map(Step::Clause).collect();
        on_document(file, context, read, vec![(steps, Steps::Some)])
    }
}
