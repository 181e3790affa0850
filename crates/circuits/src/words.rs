use super::is_plausible;
use std::collections::{BTreeMap, BTreeSet};

/// A circuit of words in BTOR2: numbered lines that refer to earlier lines.
///
/// Names and comments are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordCircuit {
    /// The lines, in order.
    pub lines: Vec<Line>,
}

/// A line of BTOR2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line.
    pub number: u32,
    /// The word that states the kind of the line: an operator, `sort`, `input`, or `bad`.
    pub word: String,
    /// The sort of the line's value, by the number of the line that defines it; `None` for a line
    /// that defines a sort.
    pub sort: Option<u32>,
    /// The lines to which the line refers. Negated lines are negative numbers.
    pub operands: Vec<i64>,
    /// The remaining arguments, which refer to no line: widths, bounds of slices, and digits.
    pub rest: Vec<String>,
}

/// A change of a circuit of words. Lines that are not used after the change are deleted.
#[derive(Clone, Debug, Default)]
pub struct WordChange {
    /// The replacement of a value, by the number of its line.
    pub values: BTreeMap<u32, WordValue>,
    /// The lines to delete, for lines that are not values.
    pub dropped: BTreeSet<u32>,
    /// Whether values that equal a constant or an operand are replaced, such as `and` with a zero,
    /// or `ite` with a known condition. Each sort then has one line with no bits set and one line
    /// with all bits set.
    pub folds: bool,
}

/// The replacement of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordValue {
    /// The constant with no bits set.
    Zero,
    /// The constant with all bits set.
    Ones,
    /// An operand of the value with the same sort, by its position.
    Operand(usize),
    /// A new input of the same sort.
    Input,
}

/// The words of lines that ask for something, so that other lines are needed.
const PROPERTIES: [&str; 5] = ["bad", "constraint", "fair", "output", "justice"];

impl Line {
    /// Returns whether the line states a property.
    pub fn is_property(&self) -> bool {
        PROPERTIES.contains(&self.word.as_str())
    }

    /// Returns whether the line states the first or the next value of a state.
    pub fn is_of_state(&self) -> bool {
        matches!(self.word.as_str(), "init" | "next")
    }

    /// Returns whether other lines may use the line as a value.
    pub fn is_value(&self) -> bool {
        self.sort.is_some() && !self.is_of_state()
    }

    fn read(words: &[&str]) -> Option<Line> {
        let (&number, words) = words.split_first()?;
        let (&word, words) = words.split_first()?;
        let number = number.parse().ok()?;
        let mut line = Line {
            number,
            word: word.to_owned(),
            sort: None,
            operands: vec![],
            rest: vec![],
        };
        let mut words = words;
        match word {
            "sort" => {
                let (&kind, parts) = words.split_first()?;
                line.rest.push(kind.to_owned());
                match (kind, parts) {
                    ("bitvec", &[width]) => line.rest.push(width.parse::<u32>().ok()?.to_string()),
                    ("array", &[index, element]) => {
                        line.operands = vec![index.parse().ok()?, element.parse().ok()?];
                    }
                    _ => return None,
                }
                return Some(line);
            }
            _ if line.is_property() => {}
            _ => {
                let (&sort, rest) = words.split_first()?;
                (line.sort, words) = (Some(sort.parse().ok()?), rest);
            }
        }
        let (operands, numbers) = match word {
            "input" | "state" | "zero" | "one" | "ones" => (0, 0),
            "const" | "constd" | "consth" => (0, 1),
            "slice" => (1, 2),
            "uext" | "sext" => (1, 1),
            "justice" => {
                let (&count, rest) = words.split_first()?;
                words = rest;
                (count.parse().ok()?, 0)
            }
            "bad" | "constraint" | "fair" | "output" => (1, 0),
            "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => (1, 0),
            "ite" | "write" => (3, 0),
            _ => (2, 0),
        };
        if words.len() < operands + numbers {
            return None;
        }
        let is_named = words.len() == operands + numbers + 1;
        if !is_named && words.len() > operands + numbers {
            return None;
        }
        let (named, rest) = words.split_at(operands);
        line.operands = named
            .iter()
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?;
        line.rest = rest[..numbers]
            .iter()
            .map(|&word| word.to_owned())
            .collect();
        Some(line)
    }
}

impl WordCircuit {
    /// Reads a circuit. Returns `None` if the file is not a circuit in BTOR2.
    pub fn read(file: &[u8]) -> Option<WordCircuit> {
        let text = std::str::from_utf8(file).ok()?;
        let mut circuit = WordCircuit::default();
        let mut sorts: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for line in text.lines() {
            let line = line.split(';').next().unwrap_or_default();
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let line = Line::read(&words)?;
            let is_known = |number: &i64| {
                u32::try_from(number.unsigned_abs()).is_ok_and(|number| sorts.contains_key(&number))
            };
            let last = sorts.last_key_value().map_or(0, |(&last, _)| last);
            let has_sort = line.sort.is_none_or(|sort| sorts.get(&sort) == Some(&None));
            let is_right = line.number > last
                && is_plausible(line.number, file.len())
                && has_sort
                && line.operands.iter().all(is_known);
            if !is_right {
                return None;
            }
            sorts.insert(line.number, line.sort);
            circuit.lines.push(line);
        }
        let is_circuit = circuit
            .lines
            .first()
            .is_some_and(|line| line.word == "sort");
        is_circuit.then_some(circuit)
    }

    /// Returns the line with a number, or `None` if there is no such line.
    pub fn line(&self, number: u32) -> Option<&Line> {
        let at = self.lines.binary_search_by_key(&number, |line| line.number);
        at.ok().map(|at| &self.lines[at])
    }

    /// Returns whether the values of a sort are bit vectors.
    pub fn is_vector(&self, sort: u32) -> bool {
        let line = self.line(sort);
        line.is_some_and(|line| line.rest.first().is_some_and(|kind| kind == "bitvec"))
    }
}
