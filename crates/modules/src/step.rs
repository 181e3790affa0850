use nubbin_edit::Span;
use nubbin_ir::{Change, Module, Substitute};

/// A change of a module that a list minimizer treats as one unit.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Removes an instruction.
    Instruction(u32),
    /// Removes a block.
    Block(u32),
    /// Keeps only one successor of a terminator.
    Edge(u32, u32),
    /// Removes the body or initializer of an item.
    Body(u32),
    /// Removes an item.
    Item(u32),
    /// Removes a parameter.
    Parameter(u32),
    /// Removes the result of a function.
    Result(u32),
    /// Replaces one use.
    Operand(u32, Substitute),
    /// Replaces all uses of a value.
    Value(u32, Substitute),
    /// Replaces a local variable with values.
    Variable(u32),
    /// Returns another value from a function.
    Returned(u32, u32),
    /// Executes both sides of a branch.
    Straight(u32),
    /// Moves a branch to the end of its loop.
    Turned(u32),
    /// Joins blocks of a function.
    Joints(u32),
    /// Removes words.
    Word(u32),
    /// Makes several changes.
    All(Vec<Step>),
}

impl Step {
    /// Adds the step to a change. Of two that contradict each other, the first one holds.
    fn add_to(&self, change: &mut Change) {
        match self {
            Step::Instruction(at) => change.instructions.extend([*at]),
            Step::Block(at) => change.blocks.extend([*at]),
            Step::Edge(at, chosen) => {
                change.edges.entry(*at).or_insert(*chosen);
            }
            Step::Body(at) => change.bodies.extend([*at]),
            Step::Item(at) => change.items.extend([*at]),
            Step::Parameter(at) => change.parameters.extend([*at]),
            Step::Result(at) => change.results.extend([*at]),
            Step::Operand(at, to) => {
                change.operands.entry(*at).or_insert_with(|| to.clone());
            }
            Step::Value(at, to) => {
                change.values.entry(*at).or_insert_with(|| to.clone());
            }
            Step::Variable(at) => change.variables.extend([*at]),
            Step::Returned(at, value) => {
                change.returned.entry(*at).or_insert(*value);
            }
            Step::Straight(at) => change.straight.extend([*at]),
            Step::Turned(at) => change.turned.extend([*at]),
            Step::Joints(at) => change.merged.extend([*at]),
            Step::Word(at) => change.words.extend([*at]),
            Step::All(all) => all.iter().for_each(|step| step.add_to(change)),
        }
    }
}

/// The steps of a pass. Each step has a span on a *scale*, whose length is the weight of the step.
/// List minimizers delete spans of the scale as they delete text.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    steps: Vec<(Span, Step)>,
}

/// The greatest weight of a step.
const MAX_STEP_WEIGHT: u32 = 1 << 20;

/// The largest total weight of all steps.
const MAX_SCALE: u32 = 1 << 31;

impl Steps {
    /// Adds a step with a weight, and returns its span.
    pub(super) fn add(&mut self, step: Step, weight: u32) -> Option<Span> {
        let start = self.steps.last().map_or(0, |(span, _)| span.end);
        if start > MAX_SCALE {
            return None;
        }
        let span = Span::new(start, start + weight.clamp(1, MAX_STEP_WEIGHT));
        self.steps.push((span, step));
        Some(span)
    }

    /// Adds steps, each with its weight, and returns their spans.
    pub(super) fn extend(&mut self, steps: impl IntoIterator<Item = (Step, u32)>) -> Vec<Span> {
        steps
            .into_iter()
            .filter_map(|(step, weight)| self.add(step, weight))
            .collect()
    }

    /// Returns whether there are no steps.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the change that consists of the steps within some spans of the scale.
    pub(super) fn change(&self, module: &Module, spans: impl Iterator<Item = Span>) -> Change {
        let mut change = Change::new(module);
        for within in spans {
            let first = self
                .steps
                .partition_point(|(span, _)| span.start < within.start);
            let steps = self.steps[first..]
                .iter()
                .take_while(|(span, _)| span.end <= within.end);
            steps.for_each(|(_, step)| step.add_to(&mut change));
        }
        change
    }
}
