use super::btor_nodes::word_cuts;
use super::circuit::{Step, circuit_of};
use nubbin_circuits::{Gate, Literal};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work, largest_cuts};

/// Makes the largest cuts of a circuit in AIGER or BTOR2 first. Outputs, latches, inputs, gates,
/// and values are deleted, or are replaced with a constant or an operand.
///
/// Prefer it before all other passes over circuits. One input that selects a part of a circuit may
/// save more than many gates, and the size of that part is known without a test, since each circuit
/// is written before it is tested.
///
/// Cost: one test per cut that is made, and per failed cut that saves a 64th of the file.
///
/// Source: our own. The steps come from [`AigGates`](super::AigGates),
/// [`AigInputs`](super::AigInputs), and [`BtorNodes`](super::BtorNodes).
///
/// ```
/// use nubbin_reduce::pass::{CircuitCuts, preview};
///
/// // The gates make half of the text, and all of them follow from the last one.
/// let text = b"aag 6 3 0 1 3\n2\n4\n6\n13\n8 4 2\n10 6 3\n12 11 9\n";
/// let candidates = preview(&CircuitCuts, text, 1);
/// assert_eq!(candidates[0], "aag 3 3 0 1 0\n2\n4\n6\n1\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CircuitCuts;

impl Pass for CircuitCuts {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "circuit-cuts",
            "makes the largest cuts of a circuit, each measured before its test",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let Some(read) = circuit_of(file, context) else {
            return word_cuts(file, context);
        };
        let circuit = &read.circuit;
        let gates = |value: fn(&Gate) -> Literal| {
            let step = |gate: &Gate| Step::Gate(gate.variable, value(gate));
            circuit.gates.iter().map(step).collect::<Vec<_>>()
        };
        let latches: Vec<u32> = circuit.latches.iter().map(|latch| latch.variable).collect();
        let leaves = |variables: &[u32], value: Literal| {
            let step = |&variable: &u32| Step::Leaf(variable, value);
            variables.iter().map(step).collect::<Vec<_>>()
        };
        let lists = vec![
            vec![Step::DropUnused],
            (0..circuit.outputs.len() as u32)
                .map(Step::Output)
                .collect(),
            leaves(&latches, Literal::FALSE),
            leaves(&latches, Literal::TRUE),
            leaves(&circuit.inputs, Literal::FALSE),
            leaves(&circuit.inputs, Literal::TRUE),
            gates(|_| Literal::FALSE),
            gates(|_| Literal::TRUE),
            gates(|gate| gate.operands[0]),
            gates(|gate| gate.operands[1]),
        ];
        largest_cuts(file, read, vec![], lists)
    }
}
