use super::formula::{Step, formula_of};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Deletes literals of a formula in DIMACS or QDIMACS. A clause that loses all is deleted.
///
/// Cost: the tests of a list minimizer on the literals.
///
/// Source: Brummayer, Lonsing, Biere, *Automated Testing and Debugging of SAT and QBF Solvers*
/// (SAT 2010).
///
/// ```
/// use nubbin_reduce::pass::{CnfLiterals, preview};
///
/// let candidates = preview(&CnfLiterals, b"p cnf 2 1\n1 -2 0\n", 3);
/// assert_eq!(candidates[1..], ["p cnf 1 1\n1 0\n", "p cnf 1 1\n-1 0\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CnfLiterals;

impl Pass for CnfLiterals {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "cnf-literals",
            "deletes literals of a formula",
            "Brummayer, Lonsing, Biere (SAT 2010)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let read = formula_of(file, context)?;
        let clauses = (0..).zip(&read.formula.clauses);
        let literals = clauses.filter(|(_, clause)| clause.len() > 1);
        let literals =
            literals.flat_map(|(at, clause)| (0..clause.len() as u32).map(move |nth| (at, nth)));
        let steps = literals.map(|(at, nth)| Step::Literal(at, nth)).collect();
        on_document(file, context, read, vec![(steps, Steps::Some)])
    }
}
