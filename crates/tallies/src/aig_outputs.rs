use super::circuit::{Step, circuit_of};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Deletes outputs of a circuit in AIGER that has several, then the inputs and latches that no
/// output depends on.
///
/// Prefer it before all other passes over circuits: usually one output shows the failure, and the
/// others need most of the gates.
///
/// Cost: the tests of a list minimizer on the outputs, and one test.
///
/// Source: Biere, *The AIGER And-Inverter Graph (AIG) Format*, 2007: `aigdd` replaces outputs with
/// constants.
///
/// ```
/// use nubbin_reduce::pass::{AigOutputs, preview};
///
/// let text = b"aag 3 2 0 2 1\n2\n4\n6\n4\n6 2 4\n";
/// let candidates = preview(&AigOutputs, text, 4);
/// assert_eq!(candidates[1], "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n");
/// assert_eq!(candidates[2], "aag 2 2 0 1 0\n2\n4\n4\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AigOutputs;

impl Pass for AigOutputs {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "aig-outputs",
            "deletes outputs of a circuit, and what no output depends on",
            "Biere: aigdd; nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let circuit = circuit_of(file, context)?;
        let outputs = (0..circuit.circuit.outputs.len() as u32).map(Step::Output);
        if outputs.len() < 2 {
            return None;
        }
        let lists = vec![
            (outputs.collect(), Steps::Some),
            (vec![Step::DropUnused], Steps::AllFirst),
        ];
        on_document(file, context, circuit, lists)
    }
}
