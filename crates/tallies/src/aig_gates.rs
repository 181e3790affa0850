use super::circuit::{Step, circuit_of};
use nubbin_circuits::{Gate, Literal};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};

/// Replaces gates of a circuit in AIGER, text or binary: by the constants, or by one of the two
/// literals that they join.
///
/// Gates with a constant are folded, those that nothing uses are deleted, and the rest get numbers
/// without holes. Names and comments are deleted with the first change.
///
/// Cost: four times the tests of a list minimizer on the gates.
///
/// Source: Biere, *The AIGER And-Inverter Graph (AIG) Format*, 2007: `aigdd` replaces literals
/// with constants. Whole groups in one test, and operands, are nubbin's.
///
/// ```
/// use nubbin_reduce::pass::{AigGates, preview};
///
/// let text = b"aag 4 2 0 1 2\n2\n4\n8\n6 2 4\n8 3 6\n";
/// let candidates = preview(&AigGates, text, 2);
/// assert_eq!(candidates[0], "aag 4 2 0 1 2\n2\n4\n8\n6 4 2\n8 6 3\n");
/// assert_eq!(candidates[1], "aag 2 2 0 1 0\n2\n4\n0\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AigGates;

impl Pass for AigGates {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "aig-gates",
            "replaces gates of a circuit with constants or with their operands",
            "Biere: aigdd; nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let circuit = circuit_of(file, context)?;
        let each = |value: fn(&Gate) -> Literal| {
            let step = |gate: &Gate| Step::Gate(gate.variable, value(gate));
            circuit.circuit.gates.iter().map(step).collect::<Vec<_>>()
        };
        let lists = vec![
            (vec![Step::Clean], Steps::AllFirst),
            (each(|_| Literal::FALSE), Steps::Some),
            (each(|_| Literal::TRUE), Steps::Some),
            (each(|gate| gate.operands[0]), Steps::Some),
            (each(|gate| gate.operands[1]), Steps::Some),
        ];
        on_document(file, context, circuit, lists)
    }
}
