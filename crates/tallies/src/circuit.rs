use super::on_document::Document;
use nubbin_circuits::{Circuit, CircuitChange, Literal};
use nubbin_edit::File;
use nubbin_engine::work::{Context, View};
use std::sync::Arc;

/// The circuit of a file, which the passes share.
struct Read(Option<Arc<Circuit>>);

impl View for Read {
    fn of(text: &[u8]) -> Self {
        Read(Circuit::read(text).map(Arc::new))
    }
}

/// Returns the circuit of a file.
pub(super) fn circuit_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<Circuit>> {
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

impl Document for Circuit {
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
        Circuit::write(self, &change)
    }
}
