//! Every candidate of the passes over formulas and circuits is accepted by a strict reader.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_engine::testing::{proposals, reduce_with};
use nubbin_engine::work::Pass;
use nubbin_tallies::{
    AigGates, AigInputs, AigOutputs, CircuitCuts, CnfClauses, CnfHalves, CnfLiterals, CnfUnits,
    CnfVariables,
};

/// Whether a text is DIMACS whose header has exactly what follows.
fn is_dimacs(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).unwrap();
    let numbers: Vec<i64> = text
        .split_whitespace()
        .skip(2)
        .map(|word| word.parse().unwrap())
        .collect();
    let literals = &numbers[2..];
    let ends = literals.iter().filter(|&&literal| literal == 0).count() as i64;
    let are_known = literals.iter().all(|literal| literal.abs() <= numbers[0]);
    let is_ended = literals.last().is_none_or(|&last| last == 0);
    text.starts_with("p cnf ") && ends == numbers[1] && are_known && is_ended
}

/// Whether a text is AIGER whose variables are numbered without holes, each gate after those that
/// it uses.
fn is_aiger(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).unwrap();
    let mut lines = text.lines().map(|line| {
        let words = line.split(' ').filter(|word| *word != "aag");
        words
            .map(|word| word.parse().unwrap())
            .collect::<Vec<u32>>()
    });
    let header = lines.next().unwrap();
    let &[greatest, inputs, latches, outputs, gates] = header.as_slice() else {
        return false;
    };
    let mut defined = 0;
    let mut is_next = |literal: u32| {
        defined += 1;
        literal == 2 * defined
    };
    let is_known = |literal: &u32| literal / 2 <= greatest;
    let inputs = (0..inputs).all(|_| lines.next().is_some_and(|line| is_next(line[0])));
    let latches = (0..latches).all(|_| {
        let line = lines.next().unwrap();
        is_next(line[0]) && line[1..].iter().all(is_known)
    });
    let outputs = (0..outputs).all(|_| lines.next().unwrap().iter().all(is_known));
    let gates = (0..gates).all(|_| {
        let line = lines.next().unwrap();
        is_next(line[0]) && line[0] > line[1] && line[1] >= line[2]
    });
    inputs && latches && outputs && gates && lines.next().is_none() && defined == greatest
}

#[test]
fn every_candidate_is_strict() {
    let formula = b"c x\np cnf 9 6\n1 -2 0\n9\n2 0\n-4 0\n4 5\n-1 0\n-9 5 0\n-5 1 2 0\n";
    let passes: [&dyn Pass; 4] = [&CnfUnits, &CnfVariables, &CnfClauses, &CnfLiterals];
    for pass in passes {
        let all = proposals(pass, formula);
        assert!(
            !all.is_empty() && all.iter().all(|text| is_dimacs(text)),
            "{}",
            pass.id()
        );
    }
    let circuit = b"aag 8 2 1 2 4\n2\n4\n6 11 1\n10\n16\n10 4 2\n12 10 7\n14 2 2\n16 13 5\ni0 x\n";
    let passes: [&dyn Pass; 4] = [&CircuitCuts, &AigOutputs, &AigGates, &AigInputs];
    for pass in passes {
        let all = proposals(pass, circuit);
        assert!(
            !all.is_empty() && all.iter().all(|text| is_aiger(text)),
            "{}",
            pass.id()
        );
    }
}

#[test]
fn a_contradiction_is_found_in_a_formula() {
    let clauses = "1 2 0\n-1 2 0\n-2 3 0\n-3 -2 0\n4 5 0\n5 6 -4 0\n";
    let formula = format!("p cnf 6 6\n{clauses}");
    // The second variable must be true, and then the third one is true and false.
    let fails = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap();
        let clauses: Vec<Vec<i64>> = text
            .lines()
            .skip(1)
            .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
            .collect();
        let holds = |bits: u32| {
            let is_true = |&literal: &i64| {
                literal != 0 && (bits >> literal.unsigned_abs() & 1 == 1) == (literal > 0)
            };
            clauses.iter().all(|clause| clause.iter().any(is_true))
        };
        !(0..128).any(holds)
    };
    let left = reduce_with(&CnfVariables, formula.as_bytes(), fails);
    assert!(
        left.starts_with(b"p cnf 0 "),
        "only clauses without literals are left"
    );
}

#[test]
fn near_variables_are_found_in_few_tests() {
    let pairs: String = (1..255)
        .map(|nth| format!("{nth} -{} 0\n", nth + 1))
        .collect();
    let formula = format!("p cnf 255 255\n{pairs}202 203 204 0\n");
    let tests = std::cell::Cell::new(0);
    let fails = |text: &[u8]| {
        tests.set(tests.get() + 1);
        assert!(is_dimacs(text));
        let text = std::str::from_utf8(text).unwrap();
        text.lines()
            .skip(1)
            .any(|line| line.split(' ').count() == 4)
    };
    let mut text = formula.into_bytes();
    for _ in 0..6 {
        text = reduce_with(&CnfHalves, &text, fails);
    }
    let variables = std::str::from_utf8(&text).unwrap().split(' ').nth(2);
    assert!(variables.unwrap().parse::<u32>().unwrap() <= 8);
    assert!(tests.get() <= 24);
}

#[test]
fn latches_that_no_output_depends_on_are_deleted() {
    let circuit = b"aag 6 1 3 2 2\n2\n4 10\n6 8\n8 12\n4\n6\n10 4 2\n12 6 2\n";
    // One output is wanted, which is a latch.
    let fails = |text: &[u8]| {
        text.starts_with(b"aag 3 1 1 1 1\n") || text.split(|&b| b == b' ').nth(4) == Some(b"1")
    };
    let left = reduce_with(&AigOutputs, circuit, fails);
    assert_eq!(
        String::from_utf8(left).unwrap(),
        "aag 3 1 1 1 1\n2\n4 6\n4\n6 4 2\n"
    );
}

#[test]
fn a_circuit_keeps_the_gate_that_is_needed() {
    let circuit = b"aag 7 3 0 1 4\n2\n4\n6\n14\n8 2 4\n10 8 7\n12 3 5\n14 10 13\n";
    let fails = |text: &[u8]| text.starts_with(b"aag 3 ") || text.starts_with(b"aag 7 ");
    let left = reduce_with(&AigGates, circuit, fails);
    assert!(is_aiger(&left) && left.starts_with(b"aag 3 3 0 1 0\n"));
}
