//! Changes of small formulas and circuits, and the texts that follow from them.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_circuits::{Circuit, CircuitChange, Formula, FormulaChange, Literal, Value};

const FORMULA: &str = "c comment\np cnf 5 4\n1 -2 0\n2 4 0\n-4 0\n4 5\n-1 0\n";

fn formula_after(change: &FormulaChange) -> String {
    let text = Formula::read(FORMULA.as_bytes()).unwrap().write(change);
    assert!(Formula::read(&text).is_some());
    String::from_utf8(text).unwrap()
}

#[test]
fn clauses_literals_and_variables_are_deleted() {
    let mut change = FormulaChange {
        renumbers: true,
        ..FormulaChange::default()
    };
    assert_eq!(
        formula_after(&change),
        "p cnf 4 4\n1 -2 0\n2 3 0\n-3 0\n3 4 -1 0\n"
    );
    change.clauses.insert(3);
    change.literals.insert((1, 0));
    assert_eq!(formula_after(&change), "p cnf 3 3\n1 -2 0\n3 0\n-3 0\n");
    change.values.insert(4, Value::Deleted);
    assert_eq!(formula_after(&change), "p cnf 2 1\n1 -2 0\n");
    change.values.insert(4, Value::Dropped);
    change.values.insert(2, Value::Dropped);
    assert_eq!(formula_after(&change), "p cnf 0 0\n");
}

#[test]
fn a_constant_deletes_true_and_false_parts() {
    let mut change = FormulaChange::default();
    change.values.insert(4, Value::Constant(false));
    assert_eq!(formula_after(&change), "p cnf 5 3\n1 -2 0\n2 0\n5 -1 0\n");
    change.values.insert(4, Value::Constant(true));
    assert_eq!(formula_after(&change), "p cnf 5 2\n1 -2 0\n0\n");
}

#[test]
fn units_are_propagated_and_pure_variables_found() {
    let formula = Formula::read(FORMULA.as_bytes()).unwrap();
    let units: Vec<(u32, bool)> = formula.units().into_iter().collect();
    assert_eq!(units, [(1, true), (2, true), (4, false), (5, true)]);
    let pure: Vec<(u32, bool)> = formula.pure().into_iter().collect();
    assert_eq!(pure, [(5, true)]);
}

#[test]
fn quantifiers_lose_their_variables() {
    let text = "p cnf 3 2\na 1 2 0\ne 3 0\n1 3 0\n-3 2 0\n";
    let formula = Formula::read(text.as_bytes()).unwrap();
    let mut change = FormulaChange::default();
    assert_eq!(formula.write(&change), text.as_bytes());
    change.values.insert(2, Value::Deleted);
    change.values.insert(3, Value::Constant(true));
    change.renumbers = true;
    assert_eq!(formula.write(&change), b"p cnf 0 1\n0\n");
    change.values.remove(&2);
    assert_eq!(formula.write(&change), b"p cnf 1 1\na 1 0\n1 0\n");
}

#[test]
fn other_texts_are_no_formulas() {
    for text in [
        "",
        "p cnf 1 2\n1 0\n",
        "p cnf 1 1\n2 0\n",
        "p cnf 1 1\n1",
        "p cnf 1 1\nx 0\n",
    ] {
        assert!(Formula::read(text.as_bytes()).is_none(), "{text}");
    }
}

/// A latch that toggles, and gates of which one is used by nothing.
const CIRCUIT: &str =
    "aag 8 2 1 2 4\n2\n4\n6 11 1\n10\n16\n10 4 2\n12 10 7\n14 2 2\n16 13 5\ni0 x\nc\nno\n";

fn circuit_after(change: &CircuitChange) -> String {
    let circuit = Circuit::read(CIRCUIT.as_bytes()).unwrap();
    let text = circuit.write(change);
    let again = Circuit::read(&text).unwrap();
    // The binary form has the same circuit.
    let binary = Circuit {
        is_binary: true,
        ..again
    };
    let binary = Circuit::read(&binary.write(&CircuitChange::default())).unwrap();
    let back = Circuit {
        is_binary: false,
        ..binary
    };
    assert_eq!(back.write(&CircuitChange::default()), text);
    String::from_utf8(text).unwrap()
}

#[test]
fn unused_gates_are_deleted_and_numbers_have_no_holes() {
    assert_eq!(
        circuit_after(&CircuitChange::default()),
        "aag 6 2 1 2 3\n2\n4\n6 9 1\n8\n12\n8 4 2\n10 8 7\n12 11 5\n"
    );
}

#[test]
fn gates_inputs_latches_and_outputs_are_replaced() {
    let mut change = CircuitChange::default();
    change.values.insert(5, Literal::positive(1));
    assert_eq!(
        circuit_after(&change),
        "aag 5 2 1 2 2\n2\n4\n6 3 1\n2\n10\n8 7 2\n10 9 5\n"
    );
    change.outputs.insert(1);
    change.drops_inputs = true;
    assert_eq!(circuit_after(&change), "aag 2 1 1 1 0\n2\n4 3 1\n2\n");
    change.values.insert(3, Literal::FALSE);
    assert_eq!(circuit_after(&change), "aag 1 1 0 1 0\n2\n2\n");
    change.values.insert(1, Literal::TRUE);
    assert_eq!(circuit_after(&change), "aag 0 0 0 1 0\n1\n");
}

#[test]
fn latches_without_outputs_are_deleted_where_wanted() {
    let mut change = CircuitChange {
        outputs: [0, 1].into(),
        ..CircuitChange::default()
    };
    assert_eq!(
        circuit_after(&change),
        "aag 4 2 1 0 1\n2\n4\n6 9 1\n8 4 2\n"
    );
    change.drops_latches = true;
    assert_eq!(circuit_after(&change), "aag 2 2 0 0 0\n2\n4\n");
}

#[test]
fn a_gate_is_never_replaced_by_one_of_its_users() {
    let mut change = CircuitChange::default();
    change.values.insert(5, Literal::positive(8));
    let kept = circuit_after(&CircuitChange::default());
    assert_eq!(circuit_after(&change), kept);
}

#[test]
fn other_files_are_no_circuits() {
    for text in [
        "",
        "aag 1 1 0 0 0\n",
        "aag 1 0 0 0 1\n2 2 2\n",
        "aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n",
        "aag 1 0 0 1 0\n2\n",
        "aag 2 2 0 0 0\n2\n2\n",
        "aig 9 1 0 0 1\n",
        "aig 2 1 0 0 1\n\u{0}",
        "aag 1 0 0 1 0 1\n2\n",
    ] {
        assert!(Circuit::read(text.as_bytes()).is_none(), "{text}");
    }
}
