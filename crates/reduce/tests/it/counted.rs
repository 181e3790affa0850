//! Texts that count themselves, reduced with tests that read the numbers.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::engine::Reduction;
use nubbin_reduce::{auto, input::Input};
use nubbin_verdict::Closure;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the result of the default plan, and the number of tests.
fn reduced(text: &str, fails: impl Fn(&str) -> bool + Sync) -> (String, u64) {
    let tests = AtomicU64::new(0);
    let oracle = Closure::new(|bytes: &[u8]| {
        tests.fetch_add(1, Ordering::Relaxed);
        std::str::from_utf8(bytes).is_ok_and(&fails)
    });
    let input = Input::single("input", text).unwrap();
    let plan = auto::plan(&input);
    let outcome = Reduction::new(input, &oracle, plan).jobs(1).run().unwrap();
    let left = String::from_utf8(outcome.input.bytes().to_vec()).unwrap();
    (left, tests.load(Ordering::Relaxed))
}

fn numbers(line: &str) -> Option<Vec<usize>> {
    line.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

#[test]
fn lines_that_are_counted_are_removed() {
    let fails = |text: &str| {
        let (head, rest) = text.split_once('\n')?;
        let lines: Vec<&str> = rest.lines().collect();
        Some(head.parse() == Ok(lines.len()) && rest.contains("crash"))
    };
    let (left, tests) = reduced("4\na\nb\ncrash\nd\n", |text| fails(text) == Some(true));
    assert_eq!(left.trim_end(), "1\ncrash");
    assert!(tests <= 60, "{tests} tests");
}

#[test]
fn rows_and_columns_that_are_counted_are_removed() {
    let fails = |text: &str| {
        let mut lines = text.lines();
        let size = numbers(lines.next()?)?;
        let rows: Option<Vec<Vec<usize>>> = lines.map(numbers).collect();
        let rows = rows.filter(|_| size.len() == 2)?;
        let is_right = rows.len() == size[0] && rows.iter().all(|row| row.len() == size[1]);
        Some(is_right && rows.iter().flatten().any(|&cell| cell == 54))
    };
    let rows = (1..=6).map(|row| format!("{row} 2 3{row} 4 5{row}\n"));
    let text = format!("6 5\n{}", rows.collect::<String>());
    let (left, tests) = reduced(&text, |text| fails(text) == Some(true));
    assert_eq!(left.trim_end(), "1 1\n54");
    assert!(tests <= 60, "{tests} tests");
}

/// Whether a text is strict DIMACS: the numbers of the header are those of the clauses.
fn is_strict(text: &str) -> Option<bool> {
    let mut words = text.split_whitespace();
    let is_header = words.next()? == "p" && words.next()? == "cnf";
    let variables = i64::from(words.next()?.parse::<u32>().ok()?);
    let clauses: usize = words.next()?.parse().ok()?;
    let literals: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
    let literals = literals?;
    let ends = literals.iter().filter(|&&literal| literal == 0).count();
    let is_ended = literals.last().is_none_or(|&last| last == 0);
    let are_known = literals.iter().all(|literal| literal.abs() <= variables);
    Some(is_header && ends == clauses && is_ended && are_known)
}

#[test]
fn clauses_that_are_counted_are_removed() {
    let clause = |nth: i64| format!("{nth} -{} 0\n-{nth} {} 0\n", nth % 10 + 1, nth % 7 + 1);
    let text = format!("p cnf 10 20\n{}", (1..=10).map(clause).collect::<String>());
    assert_eq!(is_strict(&text), Some(true));
    let (left, tests) = reduced(&text, |text| {
        is_strict(text) == Some(true) && text.split_whitespace().any(|word| word == "-9")
    });
    assert_eq!(left.split_whitespace().last(), Some("0"));
    assert_eq!(left.split_whitespace().count(), 6, "{left}");
    assert!(tests <= 160, "{tests} tests");
}

#[test]
fn a_wrong_number_that_the_failure_needs_is_kept() {
    let fails = |text: &str| text.starts_with("p cnf 2 7\n") && text.contains("-2 0");
    let (left, _) = reduced("p cnf 2 7\n1 0\n-1 2 0\n-2 0\n", fails);
    assert_eq!(left.trim_end(), "p cnf 2 7\n-2 0");
    let (left, _) = reduced("9\na\nb\nc\n", |text| {
        text.starts_with("9\n") && text.contains('b')
    });
    assert_eq!(left, "9\nb");
}

#[test]
fn a_number_that_is_right_and_needed_is_kept() {
    let fails = |text: &str| text.starts_with("4\n") && text.contains('b');
    assert_eq!(reduced("4\na\nb\nc\nd\n", fails).0, "4\nb");
}

#[test]
fn the_bytes_of_a_body_are_counted() {
    let fails = |text: &str| {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let field = head
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length:"))?;
        Some(field.trim().parse() == Ok(body.len()) && body.contains("crash"))
    };
    let body = "{\"name\": \"value\", \"crash\": true, \"more\": 12}";
    let length = body.len();
    let text =
        format!("POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: {length}\r\n\r\n{body}");
    let (left, _) = reduced(&text, |text| fails(text) == Some(true));
    assert_eq!(left, "Content-Length:5\r\n\r\ncrash");
}

#[test]
fn elements_beside_their_number_are_removed() {
    let elements = |text: &str| {
        let (head, list) = text.split_once('[')?;
        let digits: String = head.chars().filter(char::is_ascii_digit).collect();
        let list: Vec<&str> = list.split_once(']')?.0.split(',').collect();
        let is_list = list.iter().all(|element| !element.is_empty());
        let is_right = digits.parse() == Ok(list.len()) && is_list;
        Some(is_right && list.contains(&"crash") && head.starts_with("{\"count\":"))
    };
    let text = "{\"count\":5,\"items\":[1,2,crash,4,5]}";
    let (left, _) = reduced(text, |text| elements(text) == Some(true));
    assert!(left.contains("[crash]") && left.contains('1'), "{left}");
}
