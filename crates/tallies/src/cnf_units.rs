use super::formula::{Step, formula_of};
use nubbin_circuits::Value;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};
use std::collections::BTreeMap;

/// Propagates the clauses of one literal of a formula in DIMACS or QDIMACS, and deletes the clauses
/// of pure literals.
///
/// Before that, the variables get numbers without holes. Each of these changes takes one test. A
/// formula that is not satisfiable remains so, and often loses most of its clauses at once.
///
/// Cost: three tests.
///
/// Source: Davis, Putnam, *A Computing Procedure for Quantification Theory* (1960), as edits.
///
/// ```
/// use nubbin_reduce::pass::{CnfUnits, preview};
///
/// let candidates = preview(&CnfUnits, b"p cnf 9 3\n1 9 0\n-9 0\n3 0\n", 2);
/// assert_eq!(candidates[0], "p cnf 3 3\n1 3 0\n-3 0\n2 0\n");
/// assert_eq!(candidates[1], "p cnf 9 0\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CnfUnits;

impl Pass for CnfUnits {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "cnf-units",
            "propagates clauses of one literal, and deletes those of pure literals",
            "Davis, Putnam (1960)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let read = formula_of(file, context)?;
        let constants = |values: BTreeMap<u32, bool>| {
            let values = values.into_iter();
            let values = values.map(|(of, value)| (of, Value::Constant(value)));
            vec![Step::Values(values.collect())]
        };
        let lists = vec![
            (vec![Step::Renumber], Steps::AllFirst),
            (constants(read.formula.units()), Steps::AllFirst),
            (constants(read.formula.pure()), Steps::AllFirst),
        ];
        on_document(file, context, read, lists)
    }
}
