use nubbin_circuits::{Circuit, CircuitChange, Literal};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document, View};
use std::sync::Arc;

/// The circuit of a file, which the passes share.
struct Read(Option<Arc<CircuitFile>>);

/// A circuit that is written again after each change.
pub(super) struct CircuitFile {
    pub(super) circuit: Circuit,
    /// The size of the file in bytes.
    bytes: usize,
}

impl View for Read {
    fn of(text: &[u8]) -> Self {
        let bytes = text.len();
        let circuit = Circuit::read(text);
        Read(circuit.map(|circuit| Arc::new(CircuitFile { circuit, bytes })))
    }
}

/// Returns the circuit of a file.
pub(super) fn circuit_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<CircuitFile>> {
    context.views.of::<Read>(file.text).0.clone()
}

/// A part of a change of a circuit.
pub(super) enum Step {
    /// Deletes unused gates, names, and comments.
    Clean,
    /// Deletes unused inputs.
    DropInputs,
    /// Deletes unused inputs, and latches on which no output depends.
    DropUnused,
    /// Replaces a gate.
    Gate(u32, Literal),
    /// Replaces an input or a latch.
    Leaf(u32, Literal),
    /// Deletes an output.
    Output(u32),
}

impl Document for CircuitFile {
    type Step = Step;

    /// Returns the bytes that a step deletes if all outputs need as many, and all leaves lead to as
    /// many.
    fn weight(&self, step: &Step) -> u32 {
        let circuit = &self.circuit;
        let parts = match step {
            Step::Output(_) => circuit.outputs.len(),
            Step::Leaf(..) => circuit.inputs.len() + circuit.latches.len(),
            Step::Gate(..) | Step::Clean | Step::DropInputs | Step::DropUnused => {
                circuit.gates.len()
            }
        };
        let bytes = self.bytes.checked_div(parts);
        bytes.map_or(1, |bytes| bytes.max(1) as u32)
    }

    fn write(&self, steps: &[&Step]) -> Vec<u8> {
        let mut change = CircuitChange::default();
        for step in steps {
            match step {
                Step::Clean => {}
                Step::DropInputs => change.drops_inputs = true,
                Step::DropUnused => {
                    change.drops_inputs = true;
                    change.drops_latches = true;
                }
                Step::Gate(variable, value) | Step::Leaf(variable, value) => {
                    change.values.entry(*variable).or_insert(*value);
                }
                Step::Output(output) => {
                    change.outputs.insert(*output);
                }
            }
        }
        self.circuit.write(&change)
    }
}
