use super::formula::{Step, formula_of};
use nubbin_circuits::Value;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Replaces variables of a formula in DIMACS or QDIMACS with constants, or deletes their literals.
///
/// Groups of variables become false, or true, or lose their literals. A clause that is true is
/// deleted, and so are literals that are false; a formula that is not satisfiable remains so.
///
/// Prefer it over passes for text, whose candidates keep the variables.
///
/// Cost: three times the tests of a list minimizer on the variables.
///
/// Source: Brummayer, Lonsing, Biere, *Automated Testing and Debugging of SAT and QBF Solvers*
/// (SAT 2010), delete clauses and literals. Values of variables are nubbin's.
///
/// ```
/// use nubbin_reduce::pass::{CnfVariables, preview};
///
/// let candidates = preview(&CnfVariables, b"p cnf 2 2\n1 2 0\n-1 -2 0\n", 3);
/// assert_eq!(candidates[1..], ["p cnf 1 1\n1 0\n", "p cnf 1 1\n-1 0\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CnfVariables;

impl Pass for CnfVariables {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "cnf-variables",
            "replaces variables of a formula with constants, or deletes their literals",
            "Brummayer, Lonsing, Biere (SAT 2010); nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let read = formula_of(file, context)?;
        let all = read.variables();
        let each = |value: Value| {
            let step = |&variable: &u32| Step::Values(vec![(variable, value)]);
            all.iter().map(step).collect::<Vec<_>>()
        };
        let lists = vec![
            (each(Value::Constant(false)), Steps::Some),
            (each(Value::Constant(true)), Steps::Some),
            (each(Value::Deleted), Steps::Some),
        ];
        on_document(file, context, read, lists)
    }
}
