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
fn vectors_become_narrower_with_their_parts() {
    let text = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort bitvec 1\n4 sort bitvec 24\n5 sort bitvec 16\n\
                6 input 1\n7 input 2\n8 constd 1 1027\n9 consth 5 abcd\n10 const 2 10000101\n\
                11 slice 5 6 31 16\n12 slice 4 6 23 0\n13 uext 1 11 16\n14 concat 1 12 7\n\
                15 concat 5 10 7\n16 add 1 13 14\n17 eq 3 16 8\n18 eq 3 15 9\n19 constd 1 -1\n\
                20 ugt 3 19 16\n21 and 3 17 18\n22 and 3 21 20\n23 bad 22\n";
    let circuit = WordCircuit::read(text.as_bytes()).unwrap();
    assert_eq!(circuit.widths(), [32, 24, 16, 8, 1]);
    let capped = |cap: u32| {
        let wide = circuit.widths().into_iter().filter(|&width| width > cap);
        let narrower = circuit.with_widths(&wide.map(|width| (width, cap)).collect());
        String::from_utf8(narrower.unwrap().write(&WordChange::default())).unwrap()
    };
    for cap in 1..=32 {
        let text = capped(cap);
        check(&text);
        check_widths(&text);
    }
    // Lines without a use are deleted.
    let wanted = "1 sort bitvec 4\n2 sort bitvec 4\n3 sort bitvec 1\n4 sort bitvec 4\n5 input 1\n6 input 2\n\
                  7 constd 1 3\n8 consth 4 d\n9 slice 4 5 3 0\n10 uext 1 9 0\n11 uext 1 6 0\n12 uext 4 6 0\n\
                  13 add 1 10 11\n14 eq 3 13 7\n15 eq 3 12 8\n16 constd 1 15\n17 ugt 3 16 13\n18 and 3 14 15\n\
                  19 and 3 18 17\n20 bad 19\n";
    assert_eq!(capped(4), wanted);
    // A part cannot be wider than the whole.
    assert!(circuit.with_widths(&[(32, 8)].into()).is_none());
    assert!(circuit.with_widths(&[(8, 0)].into()).is_none());
}

/// Checks the widths of parts and wholes, and the digits of constants.
fn check_widths(text: &str) {
    let circuit = WordCircuit::read(text.as_bytes()).unwrap();
    let width_of = |sort: u32| circuit.line(sort).unwrap().rest[1].parse::<u32>().unwrap();
    for line in circuit.lines.iter().filter(|line| line.is_value()) {
        let own = width_of(line.sort.unwrap());
        let of = |at: usize| {
            let operand = circuit
                .line(line.operands[at].unsigned_abs() as u32)
                .unwrap();
            width_of(operand.sort.unwrap())
        };
        let number = |at: usize| line.rest[at].parse::<u32>().unwrap();
        match line.word.as_str() {
            "slice" => assert!(
                number(0) < of(0) && number(0) + 1 == number(1) + own,
                "{text}"
            ),
            "uext" | "sext" => assert_eq!(of(0) + number(0), own, "{text}"),
            "concat" => assert_eq!(of(0) + of(1), own, "{text}"),
            "const" => assert_eq!(line.rest[0].len(), own as usize, "{text}"),
            "constd" => assert!(line.rest[0].starts_with('-') || u64::from(number(0)) < 1 << own),
            "consth" => assert!(u64::from_str_radix(&line.rest[0], 16).unwrap() < 1 << own),
            _ => {}
        }
    }
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
