use nubbin_circuits::{Line, WordChange, WordCircuit, WordValue};
use nubbin_edit::File;
use nubbin_engine::work::{
    Context, Document, Pass, PassInfo, Steps, View, Work, largest_cuts, on_document,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Deletes properties of a circuit of words in BTOR2, and replaces its values: by no bits or all
/// bits, by one of their operands of the same sort, or by an input. Then vectors become narrower:
/// all of them to 1 bit, 2 bits, or half of the greatest width, then the vectors of each width by
/// themselves.
///
/// Lines that nothing uses are deleted, and the rest get numbers without holes, so that each
/// candidate is a circuit. Names and comments are deleted with the first change.
///
/// Cost: three tests, up to nine times the tests of a list minimizer on the values, and up to 15
/// for the widths.
///
/// Source: the format comes from Niemetz, Preiner, Wolf, Biere, *Btor2, BtorMC and Boolector 3.0*,
/// CAV 2018; the steps are the steps of [`AigGates`](super::AigGates), applied to words.
///
/// ```
/// use nubbin_reduce::pass::{BtorNodes, preview};
///
/// let text = b"1 sort bitvec 8\n2 input 1\n3 input 1\n5 add 1 2 3\n6 sort bitvec 1\n9 eq 6 5 -2\n10 bad 9\n";
/// let candidates = preview(&BtorNodes, text, 2);
/// assert_eq!(
///     candidates[0],
///     "1 sort bitvec 8\n2 input 1\n3 input 1\n4 add 1 2 3\n5 sort bitvec 1\n6 eq 5 4 -2\n7 bad 6\n"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BtorNodes;

impl Pass for BtorNodes {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "btor-nodes",
            "deletes properties of a circuit in BTOR2, and replaces its values",
            "nubbin; the format after Niemetz, Preiner, Wolf, Biere, CAV 2018",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let circuit = words_of(file, context)?;
        let steps = circuit.steps();
        let mut lists = vec![
            (vec![Step::Clean], Steps::AllFirst),
            (vec![Step::Fold], Steps::AllFirst),
            (steps.properties, Steps::Some),
            (steps.zeros, Steps::Some),
            (steps.ones, Steps::Some),
            (steps.first, Steps::Some),
            (steps.second, Steps::Some),
            (steps.third, Steps::Some),
            (steps.inputs, Steps::Some),
            (steps.of_states, Steps::Some),
            (steps.source_zeros, Steps::AllFirst),
            (steps.source_ones, Steps::Some),
        ];
        let narrower = narrower(&circuit.circuit.widths()).into_iter();
        lists.extend(narrower.map(|steps| (steps, Steps::FirstOf)));
        on_document(file, context, Arc::clone(&circuit), lists)
    }
}

/// The widths that are narrowed by themselves at most.
const MOST_WIDTHS: usize = 4;

/// Returns the widths that become narrower: all down to 1 bit, 2 bits, or half of the greatest,
/// then each by itself. The widths come the greatest first.
fn narrower(widths: &[u32]) -> Vec<Vec<Step>> {
    let others = |width: u32| {
        let mut others = vec![1, 2, width / 2];
        others.retain(|&other| 0 < other && other < width);
        others.dedup();
        others
    };
    let wide: Vec<u32> = widths.iter().copied().filter(|&width| width > 1).collect();
    let capped = |cap: u32| {
        let over = wide.iter().filter(|&&width| width > cap);
        Step::Widths(over.map(|&width| (width, cap)).collect())
    };
    let all = wide
        .first()
        .map(|&width| others(width).into_iter().map(capped).collect());
    let alone = |&width: &u32| {
        let each = others(width).into_iter();
        each.map(|other| Step::Widths([(width, other)].into()))
            .collect()
    };
    let each = wide.iter().filter(|_| wide.len() > 1).map(alone);
    all.into_iter().chain(each.take(MOST_WIDTHS)).collect()
}

/// Returns the work of the largest cuts of a circuit of words.
pub(super) fn word_cuts(file: &File<'_>, context: &Context<'_>) -> Option<Work> {
    let circuit = words_of(file, context)?;
    let steps = circuit.steps();
    let lists = vec![
        steps.properties,
        steps.source_zeros,
        steps.source_ones,
        steps.zeros,
        steps.ones,
        steps.first,
        steps.second,
        steps.third,
        steps.inputs,
        steps.of_states,
    ];
    largest_cuts(file, circuit, vec![Step::Fold], lists)
}

/// The steps of all changes of a circuit of words.
struct WordSteps {
    properties: Vec<Step>,
    zeros: Vec<Step>,
    ones: Vec<Step>,
    /// Steps that replace a value with one of its operands.
    first: Vec<Step>,
    second: Vec<Step>,
    third: Vec<Step>,
    /// Steps that replace a value with an input.
    inputs: Vec<Step>,
    of_states: Vec<Step>,
    source_zeros: Vec<Step>,
    source_ones: Vec<Step>,
}

impl WordFile {
    fn numbers(&self, is: impl Fn(&Line) -> bool) -> Vec<u32> {
        let lines = self.circuit.lines.iter().filter(|line| is(line));
        lines.map(|line| line.number).collect()
    }

    /// Returns the values that the first values of states are computed from. No input is allowed
    /// there.
    fn initial_values(&self) -> BTreeSet<u32> {
        let inits = self.circuit.lines.iter().filter(|line| line.word == "init");
        let mut open: Vec<i64> = inits
            .filter_map(|line| line.operands.get(1).copied())
            .collect();
        let mut found = BTreeSet::new();
        while let Some(number) = open.pop().map(|number| number.unsigned_abs() as u32) {
            if found.insert(number) {
                let line = self.circuit.line(number);
                open.extend(line.iter().flat_map(|line| &line.operands));
            }
        }
        found
    }

    fn steps(&self) -> WordSteps {
        let is_vector = |line: &Line| line.sort.is_some_and(|sort| self.circuit.is_vector(sort));
        let is_computed = |line: &Line| line.is_value() && !is_source(line) && !is_constant(line);
        let computed = self.numbers(|line| is_computed(line) && is_vector(line));
        let sources = self.numbers(|line| is_source(line) && is_vector(line));
        let values = |numbers: &[u32], value: WordValue| -> Vec<Step> {
            let step = |&number: &u32| Step::Value(number, value);
            numbers.iter().map(step).collect()
        };
        let operands = |place: usize| -> Vec<Step> {
            let fits = |line: &Line| {
                let operand = line.operands.get(place);
                let operand = operand.map(|operand| operand.unsigned_abs() as u32);
                let sort = operand.and_then(|operand| self.circuit.line(operand)?.sort);
                line.is_value() && sort.is_some() && sort == line.sort
            };
            values(&self.numbers(fits), WordValue::Operand(place))
        };
        let initial = self.initial_values();
        let becomes_input = |line: &Line| {
            let is_state = line.word == "state";
            (is_computed(line) || is_state) && is_vector(line) && !initial.contains(&line.number)
        };
        let drops = self.numbers(Line::is_of_state).into_iter();
        let properties = self.numbers(Line::is_property).into_iter();
        WordSteps {
            properties: properties.map(Step::Property).collect(),
            zeros: values(&computed, WordValue::Zero),
            ones: values(&computed, WordValue::Ones),
            first: operands(0),
            second: operands(1),
            third: operands(2),
            inputs: values(&self.numbers(becomes_input), WordValue::Input),
            of_states: drops.map(Step::Drop).collect(),
            source_zeros: values(&sources, WordValue::Zero),
            source_ones: values(&sources, WordValue::Ones),
        }
    }
}

fn is_constant(line: &Line) -> bool {
    matches!(
        line.word.as_str(),
        "zero" | "ones" | "one" | "const" | "constd" | "consth"
    )
}

/// The circuit of a file, which is read once.
struct Read(Option<Arc<WordFile>>);

/// A circuit of words that is written again after each change.
pub(super) struct WordFile {
    circuit: WordCircuit,
    /// The size of the file in bytes.
    bytes: usize,
    properties: usize,
    sources: usize,
    /// Whether no value equals a constant or an operand. This then remains true after each change.
    folds: bool,
}

fn is_source(line: &Line) -> bool {
    matches!(line.word.as_str(), "input" | "state")
}

/// Reads a circuit. One whose numbers have many holes is read as it is written, with numbers
/// without holes: the changes need memory for each number.
fn read_dense(text: &[u8]) -> Option<WordCircuit> {
    let circuit = WordCircuit::read(text)?;
    let greatest = circuit.lines.iter().map(|line| line.number).max()?;
    match greatest as usize > 4 * circuit.lines.len() {
        true => WordCircuit::read(&circuit.write(&WordChange::default())),
        false => Some(circuit),
    }
}

impl View for Read {
    fn of(text: &[u8]) -> Self {
        Read(read_dense(text).map(|circuit| {
            let count =
                |is: fn(&Line) -> bool| circuit.lines.iter().filter(|line| is(line)).count();
            let folded = WordChange {
                folds: true,
                ..WordChange::default()
            };
            Arc::new(WordFile {
                folds: circuit.write(&folded) == circuit.write(&WordChange::default()),
                properties: count(Line::is_property),
                sources: count(is_source),
                bytes: text.len(),
                circuit,
            })
        }))
    }
}

/// Returns the circuit of words of a file.
pub(super) fn words_of(file: &File<'_>, context: &Context<'_>) -> Option<Arc<WordFile>> {
    context.views.of::<Read>(file.text).0.clone()
}

/// A part of a change of a circuit of words.
pub(super) enum Step {
    /// Deletes unused lines, names, and comments.
    Clean,
    /// Replaces values that equal a constant or an operand.
    Fold,
    /// Replaces a value.
    Value(u32, WordValue),
    /// Deletes a property.
    Property(u32),
    /// Deletes the first or the next value of a state.
    Drop(u32),
    /// Makes all vectors of some widths narrower.
    Widths(BTreeMap<u32, u32>),
}

impl Document for WordFile {
    type Step = Step;

    /// Returns the bytes that a step deletes if all properties need as many, and all inputs and
    /// states lead to as many.
    fn weight(&self, step: &Step) -> u32 {
        let is_source = |number: u32| self.circuit.line(number).is_some_and(is_source);
        let parts = match step {
            Step::Property(_) => self.properties,
            Step::Value(number, _) if is_source(*number) => self.sources,
            _ => self.circuit.lines.len(),
        };
        let bytes = self.bytes.checked_div(parts);
        bytes.map_or(1, |bytes| bytes.max(1) as u32)
    }

    fn write(&self, steps: &[&Step]) -> Vec<u8> {
        let mut change = WordChange {
            folds: self.folds,
            ..WordChange::default()
        };
        let mut widths: BTreeMap<u32, u32> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Clean => {}
                Step::Widths(narrower) => {
                    for (&width, &other) in narrower {
                        let now = widths.entry(width).or_insert(other);
                        *now = other.min(*now);
                    }
                }
                Step::Fold => change.folds = true,
                Step::Value(number, value) => {
                    change.values.entry(*number).or_insert(*value);
                }
                Step::Property(number) | Step::Drop(number) => {
                    change.dropped.insert(*number);
                }
            }
        }
        let narrowed = match widths.is_empty() {
            true => None,
            false => self.circuit.with_widths(&widths),
        };
        narrowed.as_ref().unwrap_or(&self.circuit).write(&change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn vectors_become_as_narrow_as_the_failure_allows() {
        let text = b"1 sort bitvec 32\n2 sort bitvec 8\n3 sort bitvec 1\n4 input 1\n5 input 2\n6 uext 1 5 24\n\
                     7 mul 1 4 6\n8 constd 1 200\n9 eq 3 7 8\n10 bad 9\n";
        let has = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|window| window == part);
        let fails = |text: &[u8]| {
            let is_wide =
                has(text, b"bitvec 32") || has(text, b"bitvec 16") || has(text, b"bitvec 8");
            is_wide && has(text, b" mul ") && has(text, b" constd ")
        };
        let left = reduce_with(&BtorNodes, text, fails);
        let left = String::from_utf8_lossy(&left).into_owned();
        assert!(!left.contains("bitvec 32"), "{left}");
    }
}
