use super::is_plausible;
use super::literal::Literal;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A formula in conjunctive normal form, in the format DIMACS or QDIMACS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// The number of variables.
    pub variables: u32,
    /// The quantifiers of QDIMACS, from the outermost to the innermost.
    pub prefix: Vec<Quantifier>,
    /// The clauses.
    pub clauses: Vec<Vec<Literal>>,
}

/// A quantifier with its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantifier {
    /// Whether the quantifier is "for all" and not "exists".
    pub is_universal: bool,
    /// The variables.
    pub variables: Vec<u32>,
}

/// A replacement of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The literals of the variable are deleted.
    Deleted,
    /// The clauses of the variable are deleted.
    Dropped,
    /// The variable is replaced with this constant. Clauses that become true are deleted, and so
    /// are literals that become false.
    Constant(bool),
}

/// A change of a formula.
#[derive(Clone, Debug, Default)]
pub struct FormulaChange {
    /// Clauses to delete.
    pub clauses: BTreeSet<u32>,
    /// Literals to delete, as pairs of a clause and a position in it.
    pub literals: BTreeSet<(u32, u32)>,
    /// Variables to replace.
    pub values: BTreeMap<u32, Value>,
    /// Whether variables are numbered consecutively from 1.
    pub renumbers: bool,
}

impl Formula {
    /// Reads a formula. Returns `None` if the text is not a formula, or if its header states a
    /// wrong number of clauses.
    pub fn read(text: &[u8]) -> Option<Formula> {
        let text = std::str::from_utf8(text).ok()?;
        let mut lines = text.lines().filter(|line| !line.starts_with('c'));
        let header: Vec<&str> = lines.next()?.split_ascii_whitespace().collect();
        let &["p", "cnf", variables, count] = header.as_slice() else {
            return None;
        };
        let variables: u32 = variables.parse().ok()?;
        let mut formula = Formula {
            variables,
            ..Formula::default()
        };
        if !is_plausible(variables, text.len()) {
            return None;
        }
        let mut clause = vec![];
        for line in lines {
            let mut words = line.split_ascii_whitespace().peekable();
            if let Some(kind @ ("a" | "e")) = words.peek().copied() {
                let numbers = words.skip(1).map(|word| word.parse::<u32>().ok());
                let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
                let (0, variables) = numbers.split_last()? else {
                    return None;
                };
                formula.prefix.push(Quantifier {
                    is_universal: kind == "a",
                    variables: variables.to_vec(),
                });
                continue;
            }
            for word in words {
                let number: i64 = word.parse().ok()?;
                let variable = u32::try_from(number.unsigned_abs()).ok()?;
                match variable {
                    0 => formula.clauses.push(std::mem::take(&mut clause)),
                    _ if variable > variables => return None,
                    _ => clause.push(Literal::positive(variable).negated_if(number < 0)),
                }
            }
        }
        let is_right = clause.is_empty() && count.parse() == Ok(formula.clauses.len());
        is_right.then_some(formula)
    }

    /// Returns the text of the formula after a change, without comments.
    pub fn write(&self, change: &FormulaChange) -> Vec<u8> {
        let mut values = vec![None; self.variables as usize + 1];
        for (&variable, &value) in &change.values {
            if let Some(of) = values.get_mut(variable as usize) {
                *of = Some(value);
            }
        }
        let clauses: Vec<Vec<Literal>> = (0..)
            .zip(&self.clauses)
            .filter(|(at, _)| !change.clauses.contains(at))
            .filter_map(|(at, clause)| clause_after(at, clause, change, &values))
            .collect();
        // The new number of each variable, or 0 if the variable does not occur.
        let mut numbers: Vec<u32> = (0..=self.variables).collect();
        let mut greatest = self.variables;
        if change.renumbers {
            numbers.fill(0);
            for literal in clauses.iter().flatten() {
                numbers[literal.variable() as usize] = 1;
            }
            greatest = 0;
            for number in numbers.iter_mut().filter(|number| **number == 1) {
                greatest += 1;
                *number = greatest;
            }
        } else {
            for (number, value) in numbers.iter_mut().zip(&values) {
                *number = if value.is_some() { 0 } else { *number };
            }
        }
        let number = |variable: u32| numbers.get(variable as usize).copied().unwrap_or(0);
        let mut lines = vec![];
        for quantifier in &self.prefix {
            let all = quantifier
                .variables
                .iter()
                .map(|&variable| number(variable));
            let all = all.filter(|&number| number > 0);
            let all: String = all.map(|number| format!("{number} ")).collect();
            if !all.is_empty() {
                lines.push(format!(
                    "{} {all}0\n",
                    if quantifier.is_universal { "a" } else { "e" }
                ));
            }
        }
        let mut text = format!("p cnf {greatest} {}\n", clauses.len());
        for line in lines {
            text.push_str(&line);
        }
        for clause in &clauses {
            for literal in clause {
                let sign = if literal.is_negated() { "-" } else { "" };
                // Writing to a string cannot fail.
                let _ = write!(text, "{sign}{} ", number(literal.variable()));
            }
            text.push_str("0\n");
        }
        text.into_bytes()
    }

    /// Returns the variables whose values follow by unit propagation: from clauses with one
    /// literal, and from clauses with one literal that is not false.
    ///
    /// Of two clauses that contradict each other, the first one found holds. This takes time linear
    /// in the formula.
    pub fn units(&self) -> BTreeMap<u32, bool> {
        let mut clauses_of: BTreeMap<Literal, Vec<usize>> = BTreeMap::new();
        let mut open: Vec<usize> = self.clauses.iter().map(Vec::len).collect();
        for (at, clause) in self.clauses.iter().enumerate() {
            for &literal in clause {
                clauses_of.entry(literal).or_default().push(at);
            }
        }
        let mut values: BTreeMap<u32, bool> = BTreeMap::new();
        let mut units: Vec<usize> = (0..open.len()).filter(|&at| open[at] == 1).collect();
        while let Some(at) = units.pop() {
            let is_known = |literal: &&Literal| values.contains_key(&literal.variable());
            let clause = &self.clauses[at];
            let Some(&unit) = clause.iter().find(|literal| !is_known(literal)) else {
                continue;
            };
            values.insert(unit.variable(), !unit.is_negated());
            for &other in clauses_of.get(&unit.negated_if(true)).into_iter().flatten() {
                open[other] -= 1;
                if open[other] == 1 {
                    units.push(other);
                }
            }
        }
        values
    }

    /// Returns the variables that occur only negated or only not negated, each with the value that
    /// makes its literals true.
    pub fn pure(&self) -> BTreeMap<u32, bool> {
        let mut signs: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
        for literal in self.clauses.iter().flatten() {
            let sign = signs.entry(literal.variable()).or_default();
            sign.0 |= literal.is_negated();
            sign.1 |= !literal.is_negated();
        }
        let pure = signs.into_iter().filter(|(_, (no, yes))| no != yes);
        pure.map(|(variable, (_, yes))| (variable, yes)).collect()
    }
}

/// Returns a clause after a change, or `None` if it is deleted.
fn clause_after(
    at: u32,
    clause: &[Literal],
    change: &FormulaChange,
    values: &[Option<Value>],
) -> Option<Vec<Literal>> {
    let mut left = Vec::with_capacity(clause.len());
    let mut is_false = false;
    for (nth, literal) in (0..).zip(clause) {
        match values[literal.variable() as usize] {
            _ if !change.literals.is_empty() && change.literals.contains(&(at, nth)) => {}
            Some(Value::Deleted) => {}
            Some(Value::Dropped) => return None,
            Some(Value::Constant(value)) if value != literal.is_negated() => return None,
            Some(Value::Constant(_)) => is_false = true,
            None => left.push(*literal),
        }
    }
    // A clause without literals is a contradiction, and no deletion may create one.
    (!left.is_empty() || is_false || clause.is_empty()).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_takes_no_more_memory_than_the_file_is_worth() {
        assert!(Formula::read(b"p cnf 60000 1\n1 0\n").is_some());
        assert!(Formula::read(b"p cnf 268435456 1\n1 0\n").is_none());
        assert!(crate::Circuit::read(b"aag 268435456 0 0 0 0\n").is_none());
    }
}
