use nubbin_circuits::{Circuit, CircuitChange, Literal};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Document, View};
use std::sync::Arc;

/// The circuit of a file, which the passes share.
struct Read(Option<Arc<CircuitFile>>);

/// A circuit that is written again after each change.
pub(super) struct CircuitFile(pub(super) Circuit);

impl View for Read {
    fn of(text: &[u8]) -> Self {
        Read(Circuit::read(text).map(|circuit| Arc::new(CircuitFile(circuit))))
    }
}

/// Returns the circuit of a file.
pub(super) fn circuit_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<CircuitFile>> {
    context.views.of::<Read>(file.text).0.clone()
}

/// A part of a change of a circuit.
pub(super) enum Step {
    /// Deletes what nothing uses, names, and comments.
    Clean,
    /// Deletes inputs that nothing uses.
    DropInputs,
    /// Replaces a variable.
    Value(u32, Literal),
    /// Deletes an output.
    Output(u32),
}

impl Document for CircuitFile {
    type Step = Step;

    fn write(&self, steps: &[&Step]) -> Vec<u8> {
        let mut change = CircuitChange::default();
        for step in steps {
            match step {
                Step::Clean => {}
                Step::DropInputs => change.drops_inputs = true,
                Step::Value(variable, value) => {
                    change.values.entry(*variable).or_insert(*value);
                }
                Step::Output(output) => {
                    change.outputs.insert(*output);
                }
            }
        }
        self.0.write(&change)
    }
}
