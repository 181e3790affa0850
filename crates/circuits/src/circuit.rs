use super::is_plausible;
use super::literal::Literal;
use std::collections::{BTreeMap, BTreeSet};

/// A circuit of gates with two inputs, in the text or binary form of AIGER.
///
/// Circuits with other properties of AIGER 1.9 than outputs are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// Whether the file has the binary form.
    pub is_binary: bool,
    /// The variables of the inputs.
    pub inputs: Vec<u32>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Literal>,
    /// The gates. A gate comes after the gates that it uses.
    pub gates: Vec<Gate>,
}

/// A latch of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The variable that the latch sets.
    pub variable: u32,
    /// The value of the latch after each step.
    pub next: Literal,
    /// The first value, unless it is 0. The value is either 1, or the latch itself if the latch is
    /// not initialized.
    pub reset: Option<Literal>,
}

/// A gate: the conjunction of two literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The variable that the gate sets.
    pub variable: u32,
    /// The two inputs.
    pub operands: [Literal; 2],
}

/// A change of a circuit. Gates that are not used after the change are deleted.
#[derive(Clone, Debug, Default)]
pub struct CircuitChange {
    /// Variables, each with the literal that replaces it: a constant, an input, or a literal that
    /// the gate uses. A latch or an input that is replaced is deleted.
    pub values: BTreeMap<u32, Literal>,
    /// Outputs to delete, by their position.
    pub outputs: BTreeSet<u32>,
    /// Whether unused inputs are deleted.
    pub drops_inputs: bool,
    /// Whether latches are deleted if no output depends on them.
    pub drops_latches: bool,
}

impl Circuit {
    /// Reads a circuit. Returns `None` if the file is not a circuit in AIGER.
    pub fn read(file: &[u8]) -> Option<Circuit> {
        let end = file.iter().position(|&byte| byte == b'\n')?;
        let header = std::str::from_utf8(&file[..end]).ok()?;
        let mut words = header.split(' ');
        let is_binary = match words.next()? {
            "aag" => false,
            "aig" => true,
            _ => return None,
        };
        let numbers = words.map(|word| word.parse::<u32>().ok());
        let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
        let &[greatest, inputs, latches, outputs, gates] = numbers.as_slice() else {
            return None;
        };
        let all = [inputs, latches, gates]
            .iter()
            .map(|&n| u64::from(n))
            .sum::<u64>();
        let is_right = is_plausible(greatest, file.len()) && all <= u64::from(greatest);
        if !is_right || (is_binary && all != u64::from(greatest)) {
            return None;
        }
        let mut reader = Reader {
            rest: &file[end + 1..],
            greatest,
        };
        let mut circuit = Circuit {
            is_binary,
            ..Circuit::default()
        };
        for at in 0..inputs {
            let variable = match is_binary {
                true => at + 1,
                false => reader.line(1)?[0].variable(),
            };
            circuit.inputs.push(variable);
        }
        for at in 0..latches {
            let mut line = reader.some(1, 3)?;
            if is_binary {
                line.insert(0, Literal::positive(inputs + at + 1));
            }
            circuit.latches.push(Latch {
                variable: line[0].variable(),
                next: *line.get(1)?,
                reset: line
                    .get(2)
                    .copied()
                    .filter(|&reset| reset != Literal::FALSE),
            });
        }
        for _ in 0..outputs {
            circuit.outputs.push(reader.line(1)?[0]);
        }
        for at in 0..gates {
            let (variable, operands) = match is_binary {
                true => {
                    let variable = inputs + latches + at + 1;
                    (variable, reader.deltas(Literal::positive(variable))?)
                }
                false => {
                    let line = reader.line(3)?;
                    (line[0].variable(), [line[1], line[2]])
                }
            };
            circuit.gates.push(Gate { variable, operands });
        }
        circuit.sort(greatest)?;
        Some(circuit)
    }

    /// Sorts the gates so that each gate is after the gates that it uses. Returns `None` if such an
    /// order does not exist, or if a variable has no definition or two definitions.
    fn sort(&mut self, greatest: u32) -> Option<()> {
        let mut definition: Vec<Option<usize>> = vec![None; greatest as usize + 1];
        let mut is_done = vec![false; greatest as usize + 1];
        is_done[0] = true;
        let leaves = self.inputs.iter().copied();
        for variable in leaves.chain(self.latches.iter().map(|latch| latch.variable)) {
            if std::mem::replace(&mut is_done[variable as usize], true) {
                return None;
            }
        }
        for (at, gate) in self.gates.iter().enumerate() {
            let is_defined = is_done[gate.variable as usize];
            if is_defined || definition[gate.variable as usize].replace(at).is_some() {
                return None;
            }
        }
        let mut sorted = Vec::with_capacity(self.gates.len());
        let mut is_open = vec![false; greatest as usize + 1];
        for gate in &self.gates {
            let mut stack = vec![gate.variable];
            while let Some(&variable) = stack.last() {
                if is_done[variable as usize] {
                    stack.pop();
                    continue;
                }
                let gate = self.gates[definition[variable as usize]?];
                let used = gate.operands.map(Literal::variable);
                let missing = used.iter().filter(|&&used| !is_done[used as usize]);
                let missing: Vec<u32> = missing.copied().collect();
                if missing.is_empty() {
                    is_done[variable as usize] = true;
                    sorted.push(gate);
                    stack.pop();
                } else if std::mem::replace(&mut is_open[variable as usize], true) {
                    return None;
                } else {
                    stack.extend(missing);
                }
            }
        }
        self.gates = sorted;
        let mut used = self
            .outputs
            .iter()
            .chain(self.latches.iter().map(|latch| &latch.next));
        used.all(|literal| is_done[literal.variable() as usize])
            .then_some(())
    }

    /// Returns the greatest variable.
    fn greatest(&self) -> u32 {
        let latches = self.latches.iter().map(|latch| latch.variable);
        let gates = self.gates.iter().map(|gate| gate.variable);
        let all = self.inputs.iter().copied().chain(latches).chain(gates);
        all.max().unwrap_or(0)
    }

    /// Returns the file of the circuit after a change, without names and comments.
    ///
    /// A conjunction with a constant, or of a literal with itself, is replaced with the literal
    /// that it equals.
    pub fn write(&self, change: &CircuitChange) -> Vec<u8> {
        let made = Changed::new(self, change);
        made.write(self.is_binary)
    }
}

/// The rest of a file that is being read.
struct Reader<'a> {
    rest: &'a [u8],
    greatest: u32,
}

impl Reader<'_> {
    /// Reads a line of so many literals.
    fn line(&mut self, count: usize) -> Option<Vec<Literal>> {
        self.some(count, count)
    }

    /// Reads a line of literals.
    fn some(&mut self, least: usize, most: usize) -> Option<Vec<Literal>> {
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.unwrap_or(self.rest.len());
        let line = std::str::from_utf8(&self.rest[..end]).ok()?;
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        let literals = line.trim_ascii().split(' ').map(|word| {
            let code: u32 = word.parse().ok()?;
            (code >> 1 <= self.greatest).then_some(Literal::from_code(code))
        });
        let literals: Vec<Literal> = literals.collect::<Option<_>>()?;
        (least..=most).contains(&literals.len()).then_some(literals)
    }

    /// Reads the operands of a gate, which are differences.
    fn deltas(&mut self, of: Literal) -> Option<[Literal; 2]> {
        let first = of.code().checked_sub(self.number()?)?;
        let second = first.checked_sub(self.number()?)?;
        (first < of.code()).then_some([first, second].map(Literal::from_code))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in (0..32).step_by(7) {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// A circuit after a change, with new numbers.
struct Changed {
    inputs: u32,
    latches: Vec<(Literal, Option<bool>)>,
    outputs: Vec<Literal>,
    gates: Vec<[Literal; 2]>,
}

impl Changed {
    fn new(circuit: &Circuit, change: &CircuitChange) -> Self {
        let folded = folded(circuit, change);
        let literal = |literal: Literal| resolved(&folded, literal);
        let outputs = (0..).zip(&circuit.outputs);
        let outputs = outputs.filter(|(at, _)| !change.outputs.contains(at));
        let outputs: Vec<Literal> = outputs.map(|(_, &output)| literal(output)).collect();
        let used = used(circuit, change, &outputs, &literal);
        let is_used = |variable: u32| used[variable as usize];
        let is_left = |variable: u32, drops: bool| {
            let is_kept = !drops || is_used(variable);
            is_kept && !change.values.contains_key(&variable)
        };
        let latches: Vec<&Latch> = (circuit.latches.iter())
            .filter(|latch| is_left(latch.variable, change.drops_latches))
            .collect();
        let gates: Vec<&Gate> = (circuit.gates.iter())
            .filter(|gate| is_used(gate.variable))
            .collect();
        let mut numbers: Vec<u32> = vec![0; used.len()];
        let mut number = 0;
        let mut add = |variable: u32| {
            number += 1;
            numbers[variable as usize] = number;
        };
        let inputs = circuit.inputs.iter().copied();
        let inputs = inputs.filter(|&input| is_left(input, change.drops_inputs));
        let inputs = inputs.map(&mut add).count() as u32;
        latches.iter().for_each(|latch| add(latch.variable));
        gates.iter().for_each(|gate| add(gate.variable));
        let renamed = |of: Literal| {
            let of = literal(of);
            let variable = numbers[of.variable() as usize];
            Literal::positive(variable).negated_if(of.is_negated())
        };
        Changed {
            inputs,
            latches: latches
                .iter()
                .map(|latch| {
                    let reset = latch.reset.map(|reset| reset == Literal::TRUE);
                    (renamed(latch.next), reset)
                })
                .collect(),
            outputs: outputs.into_iter().map(renamed).collect(),
            gates: gates
                .into_iter()
                .map(|gate| gate.operands.map(renamed))
                .collect(),
        }
    }

    fn write(&self, is_binary: bool) -> Vec<u8> {
        let (latches, gates) = (self.latches.len() as u32, self.gates.len() as u32);
        let greatest = self.inputs + latches + gates;
        let kind = if is_binary { "aig" } else { "aag" };
        let outputs = self.outputs.len();
        let mut text = format!(
            "{kind} {greatest} {} {latches} {outputs} {gates}\n",
            self.inputs
        );
        let mut variables = 1..=greatest;
        let mut variable = || Literal::positive(variables.next().unwrap_or(greatest)).code();
        for _ in 0..self.inputs {
            let input = variable();
            if !is_binary {
                text += &format!("{input}\n");
            }
        }
        for (next, reset) in &self.latches {
            let latch = variable();
            if !is_binary {
                text += &format!("{latch} ");
            }
            text += &next.code().to_string();
            text += &match reset {
                Some(true) => " 1\n".to_owned(),
                Some(false) => format!(" {latch}\n"),
                None => "\n".to_owned(),
            };
        }
        for output in &self.outputs {
            text += &format!("{}\n", output.code());
        }
        let mut file = text.into_bytes();
        for [first, second] in &self.gates {
            let gate = variable();
            let (less, more) = (first.min(second).code(), first.max(second).code());
            match is_binary {
                true => {
                    write_number(&mut file, gate.saturating_sub(more));
                    write_number(&mut file, more - less);
                }
                false => file.extend(format!("{gate} {more} {less}\n").into_bytes()),
            }
        }
        file
    }
}

/// Writes a number with seven bits per byte, least significant bits first.
fn write_number(file: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        file.push(number as u8 | 0x80);
        number >>= 7;
    }
    file.push(number as u8);
}

/// Returns, for each variable, whether it is needed: the gates and leaves that outputs depend on
/// and, unless the change drops them, the latches.
fn used(
    circuit: &Circuit,
    change: &CircuitChange,
    outputs: &[Literal],
    literal: &impl Fn(Literal) -> Literal,
) -> Vec<bool> {
    let mut uses: Vec<&[Literal]> = vec![&[]; circuit.greatest() as usize + 1];
    for gate in &circuit.gates {
        uses[gate.variable as usize] = &gate.operands;
    }
    let mut open: Vec<u32> = outputs.iter().map(|output| output.variable()).collect();
    for latch in &circuit.latches {
        let is_replaced = change.values.contains_key(&latch.variable);
        if !is_replaced {
            uses[latch.variable as usize] = std::slice::from_ref(&latch.next);
        }
        if !is_replaced && !change.drops_latches {
            open.push(literal(latch.next).variable());
        }
    }
    let mut used = vec![false; uses.len()];
    while let Some(variable) = open.pop() {
        if !std::mem::replace(&mut used[variable as usize], true) {
            let of = uses[variable as usize].iter();
            open.extend(of.map(|&operand| literal(operand).variable()));
        }
    }
    used
}

/// The literals that replace variables, by variable.
type Values = [Option<Literal>];

fn resolved(values: &Values, literal: Literal) -> Literal {
    let value = values[literal.variable() as usize];
    value.map_or(literal, |value| value.negated_if(literal.is_negated()))
}

/// Returns the literals that replace variables after a change: the literals of the change, and the
/// literals that gates with constants equal.
fn folded(circuit: &Circuit, change: &CircuitChange) -> Vec<Option<Literal>> {
    let mut values = vec![None; circuit.greatest() as usize + 1];
    let leaves = circuit.inputs.iter().copied();
    let leaves = leaves.chain(circuit.latches.iter().map(|latch| latch.variable));
    // An input or a latch is replaced by a constant or by another one, so the search ends after one
    // step.
    let is_replaced = |variable: u32| change.values.contains_key(&variable);
    // A literal that comes after a gate could depend on the gate, so only earlier literals are
    // used.
    let mut seen = vec![false; values.len()];
    seen[0] = true;
    for leaf in leaves {
        seen[leaf as usize] = true;
        if let Some(value) = change.values.get(&leaf) {
            let is_leaf = value.variable() != leaf && !is_replaced(value.variable());
            values[leaf as usize] = Some(if is_leaf { *value } else { Literal::FALSE });
        }
    }
    for gate in &circuit.gates {
        let [first, second] = gate.operands.map(|operand| resolved(&values, operand));
        let wanted = change.values.get(&gate.variable);
        let is_before = |value: &&Literal| seen.get(value.variable() as usize) == Some(&true);
        values[gate.variable as usize] = match wanted.filter(is_before) {
            Some(value) => Some(resolved(&values, *value)),
            None if first == Literal::FALSE || second == Literal::FALSE => Some(Literal::FALSE),
            None if first == second.negated_if(true) => Some(Literal::FALSE),
            None if first == Literal::TRUE || first == second => Some(second),
            None if second == Literal::TRUE => Some(first),
            None => None,
        };
        seen[gate.variable as usize] = true;
    }
    values
}
