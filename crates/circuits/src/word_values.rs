use super::words::{Line, WordChange, WordCircuit, WordValue};
use std::collections::BTreeMap;

impl WordCircuit {
    /// Returns the circuit after a change, with consecutive numbers.
    pub fn write(&self, change: &WordChange) -> Vec<u8> {
        Changed::new(self, change).write()
    }
}

/// A circuit of words after a change.
struct Changed<'a> {
    circuit: &'a WordCircuit,
    change: &'a WordChange,
    /// For the number of each line, the replacement of its value.
    values: Vec<Stand>,
    /// For the number of each line, whether the line is kept.
    kept: Vec<bool>,
    /// The constants that are used.
    constants: BTreeMap<Constant, Option<i64>>,
}

/// A vector without bits, or with all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Constant {
    /// The number of the line that defines the sort of the constant.
    sort: u32,
    has_bits: bool,
}

/// The value that replaces the value of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// The value of a line, or its complement.
    Line(u32, bool),
    Constant(Constant),
}

impl Stand {
    fn negated_if(self, is_negated: bool) -> Stand {
        match self {
            Stand::Line(number, was_negated) => Stand::Line(number, was_negated ^ is_negated),
            Stand::Constant(Constant { sort, has_bits }) => Stand::Constant(Constant {
                sort,
                has_bits: has_bits ^ is_negated,
            }),
        }
    }

    /// Returns whether the value is known to have all bits set (`true`) or none (`false`).
    fn has_bits(self) -> Option<bool> {
        match self {
            Stand::Line(..) => None,
            Stand::Constant(constant) => Some(constant.has_bits),
        }
    }
}

impl<'a> Changed<'a> {
    fn new(circuit: &'a WordCircuit, change: &'a WordChange) -> Self {
        let greatest = circuit.lines.last().map_or(0, |line| line.number);
        let numbers = 0..=greatest;
        let mut changed = Changed {
            circuit,
            change,
            values: numbers.map(|number| Stand::Line(number, false)).collect(),
            kept: vec![],
            constants: BTreeMap::new(),
        };
        for line in circuit.lines.iter().filter(|line| line.is_value()) {
            changed.values[line.number as usize] = changed.value(line);
        }
        changed.keep();
        changed
    }

    /// Returns the replacement of the value of a line.
    fn value(&self, line: &Line) -> Stand {
        let itself = Stand::Line(line.number, false);
        let constant = |has_bits: bool| {
            let sort = line.sort.unwrap_or_default();
            Stand::Constant(Constant { sort, has_bits })
        };
        match self.change.values.get(&line.number) {
            Some(WordValue::Zero) => constant(false),
            Some(WordValue::Ones) => constant(true),
            Some(WordValue::Input) => itself,
            Some(&WordValue::Operand(place)) => match line.operands.get(place) {
                Some(&operand) => self.operand(operand),
                None => itself,
            },
            None if self.change.folds => match self.folded(line) {
                Some(Folded::Constant(has_bits)) => constant(has_bits),
                Some(Folded::Operand(stand)) => stand,
                None => itself,
            },
            None => itself,
        }
    }

    /// Returns the replacement of an operand.
    fn operand(&self, operand: i64) -> Stand {
        let stand = self.values.get(operand.unsigned_abs() as usize);
        let stand = stand.copied().unwrap_or(Stand::Line(0, false));
        stand.negated_if(operand < 0)
    }

    /// Returns the value that the value of a line equals, if this follows from its operands.
    fn folded(&self, line: &Line) -> Option<Folded> {
        let operands = line.operands.iter().map(|&operand| self.operand(operand));
        let operands: Vec<Stand> = operands.collect();
        let is_bit = || {
            let sort = self.circuit.line(line.sort.unwrap_or_default());
            sort.is_some_and(|sort| sort.rest.get(1).is_some_and(|width| width == "1"))
        };
        let constant = |has_bits| Some(Folded::Constant(has_bits));
        match (line.word.as_str(), operands.as_slice()) {
            ("zero", _) => constant(false),
            ("ones", _) => constant(true),
            ("one", _) if is_bit() => constant(true),
            ("const" | "constd" | "consth", _) => {
                let is_zero = |digits: &String| digits.bytes().all(|digit| digit == b'0');
                match line.rest.first() {
                    Some(digits) if is_zero(digits) => constant(false),
                    Some(digits) if digits == "1" && is_bit() => constant(true),
                    _ => None,
                }
            }
            (word, &[of]) => folded_one(word, of),
            (word, &[first, second]) => folded_two(word, first, second),
            ("ite", &[condition, yes, no]) => match condition.has_bits() {
                Some(true) => Some(Folded::Operand(yes)),
                Some(false) => Some(Folded::Operand(no)),
                None => (yes == no).then_some(Folded::Operand(yes)),
            },
            _ => None,
        }
    }

    /// Finds the lines to keep: properties, and the lines that they need.
    fn keep(&mut self) {
        let circuit = self.circuit;
        let change = self.change;
        let left = || {
            let lines = circuit.lines.iter();
            lines.filter(|line| !change.dropped.contains(&line.number))
        };
        let mut of_states: BTreeMap<i64, Vec<&Line>> = BTreeMap::new();
        for line in left().filter(|line| line.is_of_state()) {
            let state = line.operands.first().copied().unwrap_or_default();
            of_states.entry(state).or_default().push(line);
        }
        let mut kept = vec![false; self.values.len()];
        let mut open: Vec<&Line> = left().filter(|line| line.is_property()).collect();
        while let Some(line) = open.pop() {
            if std::mem::replace(&mut kept[line.number as usize], true) {
                continue;
            }
            open.extend(line.sort.and_then(|sort| circuit.line(sort)));
            if change.values.get(&line.number) == Some(&WordValue::Input) {
                continue;
            }
            for &operand in &line.operands {
                let number = match self.operand(operand) {
                    Stand::Line(number, _) => number,
                    Stand::Constant(constant) => {
                        self.constants.insert(constant, None);
                        constant.sort
                    }
                };
                open.extend(circuit.line(number));
            }
            let state = i64::from(line.number);
            open.extend(of_states.get(&state).into_iter().flatten());
        }
        self.kept = kept;
    }

    /// Returns the text, in which each constant has a line before its first use.
    fn write(mut self) -> Vec<u8> {
        let mut numbers = Numbers {
            new: vec![0; self.values.len()],
            last: 0,
        };
        let mut out = String::new();
        // The initial value of a state must come before the line of the state.
        let inits = self.circuit.lines.iter().filter(|line| line.word == "init");
        let inits = inits.filter(|line| self.kept[line.number as usize]);
        let initial: BTreeMap<i64, i64> = inits
            .filter_map(|line| Some((*line.operands.first()?, *line.operands.get(1)?)))
            .collect();
        for line in &self.circuit.lines {
            let own = match self.values[line.number as usize] {
                Stand::Constant(constant) => Some(constant),
                Stand::Line(..) => None,
            };
            // A line that became a constant is written at this position if the constant is used.
            if let Some(constant) = own.filter(|_| line.operands.is_empty()) {
                let is_free = self.constants.get(&constant) == Some(&None);
                let has_sort = numbers.new[constant.sort as usize] != 0;
                if is_free && has_sort {
                    self.write_constant(constant, &mut numbers, &mut out);
                }
            }
            if !self.kept[line.number as usize] {
                continue;
            }
            if let Some(&value) = initial.get(&i64::from(line.number))
                && let Stand::Constant(constant) = self.operand(value)
                && self.constants.get(&constant) == Some(&None)
            {
                self.write_constant(constant, &mut numbers, &mut out);
            }
            let becomes_input = self.change.values.get(&line.number) == Some(&WordValue::Input);
            let operands = match becomes_input {
                true => &[][..],
                false => &line.operands,
            };
            let mut named = vec![];
            for &operand in operands {
                named.push(match self.operand(operand) {
                    Stand::Line(number, is_negated) => {
                        let number = numbers.new[number as usize];
                        if is_negated { -number } else { number }
                    }
                    Stand::Constant(constant) => match self.constants.get(&constant) {
                        Some(&Some(number)) => number,
                        _ => self.write_constant(constant, &mut numbers, &mut out),
                    },
                });
            }
            let number = numbers.next();
            numbers.new[line.number as usize] = number;
            let sort = line.sort.map(|sort| numbers.new[sort as usize]);
            match becomes_input {
                true => {
                    let sort = sort.unwrap_or_default();
                    out.push_str(&format!("{number} input {sort}\n"));
                }
                false => write_line(&mut out, line, (number, sort), &named),
            }
        }
        out.into_bytes()
    }

    /// Writes the line of a constant and returns its number.
    fn write_constant(
        &mut self,
        constant: Constant,
        numbers: &mut Numbers,
        out: &mut String,
    ) -> i64 {
        let number = numbers.next();
        let word = if constant.has_bits { "ones" } else { "zero" };
        let sort = numbers.new[constant.sort as usize];
        out.push_str(&format!("{number} {word} {sort}\n"));
        self.constants.insert(constant, Some(number));
        number
    }
}

/// The numbers of lines after a change.
struct Numbers {
    /// The new number of each line that was written; 0 for other lines.
    new: Vec<i64>,
    last: i64,
}

impl Numbers {
    fn next(&mut self) -> i64 {
        self.last += 1;
        self.last
    }
}

fn write_line(out: &mut String, line: &Line, (number, sort): (i64, Option<i64>), named: &[i64]) {
    let mut words = vec![number.to_string(), line.word.clone()];
    words.extend(sort.map(|sort| sort.to_string()));
    if line.word == "justice" {
        words.push(named.len().to_string());
    }
    // A sort line has the kind of the sort before the sorts that it names.
    let is_sort = line.word == "sort";
    words.extend(line.rest.iter().filter(|_| is_sort).cloned());
    words.extend(named.iter().map(i64::to_string));
    words.extend(line.rest.iter().filter(|_| !is_sort).cloned());
    out.push_str(&words.join(" "));
    out.push('\n');
}

/// The equal of a value.
enum Folded {
    /// A constant with all bits of the sort set, or with none.
    Constant(bool),
    Operand(Stand),
}

fn folded_one(word: &str, of: Stand) -> Option<Folded> {
    let has_bits = of.has_bits()?;
    let known = match (word, has_bits) {
        ("not", _) => !has_bits,
        ("slice" | "sext" | "redand" | "redor", _) => has_bits,
        ("uext" | "redxor" | "neg", false) => false,
        _ => return None,
    };
    Some(Folded::Constant(known))
}

fn folded_two(word: &str, first: Stand, second: Stand) -> Option<Folded> {
    let (a, b) = (first.has_bits(), second.has_bits());
    let is_same = first == second;
    let is_opposite = first == second.negated_if(true);
    let known = |has_bits| Some(Folded::Constant(has_bits));
    match word {
        "and" if a == Some(false) || b == Some(false) || is_opposite => known(false),
        "or" if a == Some(true) || b == Some(true) || is_opposite => known(true),
        "xor" | "sub" | "neq" | "ult" | "ugt" | "slt" | "sgt" if is_same => known(false),
        "eq" | "iff" | "implies" | "ulte" | "ugte" | "slte" | "sgte" if is_same => known(true),
        "xor" if is_opposite => known(true),
        "eq" | "iff" if is_opposite => known(false),
        "neq" if is_opposite => known(true),
        "and" | "or" if is_same => Some(Folded::Operand(first)),
        "and" if a == Some(true) => Some(Folded::Operand(second)),
        "and" if b == Some(true) => Some(Folded::Operand(first)),
        "or" | "xor" | "add" if a == Some(false) => Some(Folded::Operand(second)),
        "or" | "xor" | "add" | "sub" | "sll" | "srl" | "sra" if b == Some(false) => {
            Some(Folded::Operand(first))
        }
        "mul" if a == Some(false) || b == Some(false) => known(false),
        "sll" | "srl" if a == Some(false) => known(false),
        "concat" if a.is_some() && a == b => known(a == Some(true)),
        "ult" if b == Some(false) => known(false),
        "ugt" if a == Some(false) => known(false),
        "ugte" if b == Some(false) => known(true),
        "ulte" if a == Some(false) => known(true),
        "implies" if a == Some(false) || b == Some(true) => known(true),
        "implies" if a == Some(true) => Some(Folded::Operand(second)),
        _ => None,
    }
}
