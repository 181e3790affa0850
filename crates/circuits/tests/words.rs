//! Changes of circuits of words: each is a circuit for a reader that is strict.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_circuits::{WordChange, WordCircuit, WordValue};
use std::collections::BTreeMap;

const COUNTER: &str = "; a counter\n1 sort bitvec 8\n2 sort bitvec 1\n10 input 1 step\n11 state 1 count\n\
    12 zero 1\n13 init 1 11 12\n20 add 1 11 10\n21 ite 1 -22 20 11\n";

/// A circuit with each kind of line.
fn circuit() -> String {
    let lines = [
        "1 sort bitvec 8 ; bytes",
        "2 sort bitvec 1",
        "3 sort array 2 1",
        "10 input 1 step",
        "11 zero 1",
        "12 state 1 count",
        "13 init 1 12 11",
        "15 input 2",
        "20 add 1 12 10",
        "21 ite 1 -15 20 12",
        "22 next 1 12 21",
        "23 state 3",
        "24 write 3 23 15 -20",
        "25 next 3 23 24",
        "26 read 1 23 15",
        "30 slice 2 20 7 7",
        "31 uext 1 30 7",
        "32 eq 2 31 26",
        "33 constd 1 200",
        "34 ugt 2 12 33",
        "40 bad 34 reached",
        "41 constraint -32",
        "42 justice 2 32 34",
    ];
    lines.join("\n") + "\n"
}

/// Checks numbers, names of earlier lines, and sorts.
fn check(text: &str) {
    let mut sorts: BTreeMap<i64, String> = BTreeMap::new();
    let mut kinds: BTreeMap<i64, String> = BTreeMap::new();
    for (line, nth) in text.lines().zip(1..) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<i64>().unwrap();
        assert_eq!(number(0), nth, "{text}");
        let sort = |at: usize| sorts[&number(at).abs()].as_str();
        match words[1] {
            "sort" => {
                if words[2] == "array" {
                    assert!(kinds.contains_key(&number(3)) && kinds.contains_key(&number(4)));
                }
                kinds.insert(nth, words[2..].join(" "));
                continue;
            }
            "bad" | "constraint" => assert_eq!(kinds[&sort(2).parse().unwrap()], "bitvec 1"),
            "justice" => (3..3 + number(2) as usize).for_each(|at| assert!(!sort(at).is_empty())),
            "init" => {
                assert!(sort(3) == words[2] && sort(4) == words[2], "{line}");
                // BtorMC reads no other.
                assert!(number(4).abs() < number(3), "{line}");
            }
            "next" => assert!(sort(3) == words[2] && sort(4) == words[2], "{line}"),
            "add" => assert!(sort(3) == words[2] && sort(4) == words[2], "{line}"),
            "ite" => assert!(sort(4) == words[2] && sort(5) == words[2], "{line}"),
            "eq" | "ugt" => assert_eq!(sort(3), sort(4), "{line}"),
            "slice" | "uext" | "read" | "write" => assert!(!sort(3).is_empty()),
            _ => assert!(kinds.contains_key(&number(2)), "{line}"),
        }
        if !matches!(words[1], "bad" | "constraint" | "justice" | "init" | "next") {
            sorts.insert(nth, words[2].to_owned());
        }
    }
}

fn written(change: &WordChange) -> String {
    let circuit = WordCircuit::read(circuit().as_bytes()).unwrap();
    String::from_utf8(circuit.write(change)).unwrap()
}

#[test]
fn a_circuit_without_a_change_has_numbers_without_holes() {
    let text = written(&WordChange::default());
    check(&text);
    assert_eq!(text.lines().count(), 23);
    let again = WordCircuit::read(text.as_bytes()).unwrap();
    assert_eq!(again.write(&WordChange::default()), text.as_bytes());
}

#[test]
fn any_change_of_one_value_or_two_is_a_circuit() {
    let circuit = WordCircuit::read(circuit().as_bytes()).unwrap();
    let mut changes: Vec<(u32, WordValue)> = vec![];
    for line in circuit.lines.iter().filter(|line| line.is_value()) {
        if line.sort.is_some_and(|sort| circuit.is_vector(sort)) {
            let values = [WordValue::Zero, WordValue::Ones, WordValue::Input];
            changes.extend(values.map(|value| (line.number, value)));
        }
        for (place, operand) in line.operands.iter().enumerate() {
            let inner = circuit.line(operand.unsigned_abs() as u32).unwrap();
            if inner.sort == line.sort {
                changes.push((line.number, WordValue::Operand(place)));
            }
        }
    }
    assert!(changes.len() > 20);
    for &one in &changes {
        for &other in &changes {
            for folds in [false, true] {
                let change = WordChange {
                    values: [one, other].into_iter().collect(),
                    folds,
                    ..WordChange::default()
                };
                let text = String::from_utf8(circuit.write(&change)).unwrap();
                check(&text);
                let again = WordCircuit::read(text.as_bytes()).unwrap();
                let change = WordChange {
                    folds,
                    ..WordChange::default()
                };
                assert_eq!(again.write(&change), text.as_bytes(), "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn unused_values_are_removed_with_a_property() {
    let change = WordChange {
        dropped: [41, 42].into(),
        ..WordChange::default()
    };
    let text = written(&change);
    check(&text);
    assert!(!text.contains("array") && !text.contains("slice"), "{text}");
    let values = [(21, WordValue::Operand(2))].into();
    let text = written(&WordChange { values, ..change });
    let wanted = "1 sort bitvec 8\n2 sort bitvec 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n\
                  6 next 1 4 4\n7 constd 1 200\n8 ugt 2 4 7\n9 bad 8\n";
    assert_eq!(text, wanted);
}

#[test]
fn values_with_constants_are_folded() {
    let text = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 input 2\n6 one 2\n7 zero 1\n\
                8 add 1 3 7\n9 ite 1 6 8 4\n10 and 1 9 -7\n11 ugte 2 10 7\n12 and 2 5 11\n\
                13 eq 2 10 4\n14 or 2 12 13\n15 bad 14\n";
    let circuit = WordCircuit::read(text.as_bytes()).unwrap();
    let mut change = WordChange {
        folds: true,
        ..WordChange::default()
    };
    let folded = circuit.write(&change);
    let wanted = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 input 2\n6 eq 2 3 4\n\
                  7 or 2 5 6\n8 bad 7\n";
    assert_eq!(String::from_utf8(folded).unwrap(), wanted);
    change.values.insert(13, WordValue::Ones);
    let folded = String::from_utf8(circuit.write(&change)).unwrap();
    assert_eq!(folded, "1 sort bitvec 1\n2 ones 1\n3 bad 2\n");
    // Without it, a value that is not replaced keeps its line.
    change.folds = false;
    let text = String::from_utf8(circuit.write(&change)).unwrap();
    assert!(
        text.contains("14 or 2 12 13") && text.contains("13 ones 2"),
        "{text}"
    );
}

#[test]
fn a_value_becomes_an_input() {
    let values = [(20, WordValue::Input), (12, WordValue::Input)].into();
    let text = written(&WordChange {
        values,
        ..WordChange::default()
    });
    check(&text);
    assert!(!text.contains("add") && !text.contains("next 1"), "{text}");
}

#[test]
fn other_texts_are_no_circuits() {
    // The last line names a later one.
    assert!(WordCircuit::read(COUNTER.as_bytes()).is_none());
    for text in [
        "",
        "1 input 1\n",
        "1 sort bitvec\n",
        "1 sort bitvec 8\n1 input 1\n",
        "p cnf 1 1\n1 0\n",
    ] {
        assert!(WordCircuit::read(text.as_bytes()).is_none(), "{text}");
    }
}
