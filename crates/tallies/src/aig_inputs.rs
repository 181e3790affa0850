use super::circuit::{Step, circuit_of};
use nubbin_circuits::Literal;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Deletes outputs of a circuit in AIGER, and replaces its latches and inputs by constants.
///
/// Cost: two tests, and that of a list minimizer on the outputs, the latches, and the inputs, the
/// last two twice.
///
/// Source: Biere, *The AIGER And-Inverter Graph (AIG) Format*, 2007 (`aigdd`).
///
/// ```
/// use nubbin_reduce::pass::{AigInputs, preview};
///
/// let text = b"aag 3 2 0 2 1\n2\n4\n6\n4\n6 2 4\n";
/// let candidates = preview(&AigInputs, text, 3);
/// assert_eq!(candidates[1], "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n");
/// assert_eq!(candidates[2], "aag 2 2 0 1 0\n2\n4\n4\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AigInputs;

impl Pass for AigInputs {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "aig-inputs",
            "deletes outputs of a circuit, and replaces inputs and latches by constants",
            "Biere: aigdd",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let circuit = circuit_of(file, context)?;
        let values = |variables: &[u32], value: Literal| {
            let step = |&variable: &u32| Step::Value(variable, value);
            variables.iter().map(step).collect::<Vec<_>>()
        };
        let outputs = (0..circuit.0.outputs.len() as u32).map(Step::Output);
        let latches: Vec<u32> = circuit
            .0
            .latches
            .iter()
            .map(|latch| latch.variable)
            .collect();
        let lists = vec![
            (outputs.collect(), Steps::Some),
            (values(&latches, Literal::FALSE), Steps::AllFirst),
            (values(&latches, Literal::TRUE), Steps::Some),
            (vec![Step::DropInputs], Steps::AllFirst),
            (values(&circuit.0.inputs, Literal::FALSE), Steps::Some),
            (values(&circuit.0.inputs, Literal::TRUE), Steps::Some),
        ];
        on_document(file, context, circuit, lists)
    }
}
