use super::circuit::{Step, circuit_of};
use nubbin_circuits::Literal;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Replaces latches and inputs of a circuit in AIGER with constants, and deletes its outputs.
///
/// Cost: two tests, and the tests of a list minimizer on the latches (twice), on the inputs
/// (twice), and on the outputs.
///
/// Source: Biere, *The AIGER And-Inverter Graph (AIG) Format*, 2007 (`aigdd`).
///
/// ```
/// use nubbin_reduce::pass::{AigInputs, preview};
///
/// let text = b"aag 3 2 0 2 1\n2\n4\n6\n4\n6 2 4\n";
/// let candidates = preview(&AigInputs, text, 2);
/// assert_eq!(candidates[1], "aag 0 0 0 2 0\n0\n0\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AigInputs;

impl Pass for AigInputs {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "aig-inputs",
            "replaces inputs and latches of a circuit with constants, and deletes outputs",
            "Biere: aigdd",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let circuit = circuit_of(file, context)?;
        let values = |variables: &[u32], value: Literal| {
            let step = |&variable: &u32| Step::Leaf(variable, value);
            variables.iter().map(step).collect::<Vec<_>>()
        };
        let latches: Vec<u32> = circuit
            .circuit
            .latches
            .iter()
            .map(|latch| latch.variable)
            .collect();
        // The last output is included, since `aig-outputs` keeps it.
        let outputs = (0..circuit.circuit.outputs.len() as u32).map(Step::Output);
        let lists = vec![
            (values(&latches, Literal::FALSE), Steps::AllFirst),
            (values(&latches, Literal::TRUE), Steps::Some),
            (vec![Step::DropInputs], Steps::AllFirst),
            (values(&circuit.circuit.inputs, Literal::FALSE), Steps::Some),
            (values(&circuit.circuit.inputs, Literal::TRUE), Steps::Some),
            (outputs.collect(), Steps::Some),
        ];
        on_document(file, context, circuit, lists)
    }
}
