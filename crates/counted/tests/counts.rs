//! The counts of small texts, and their values after a change.

use nubbin_counted::{Count, Cut, Place, Unit, complete, read};

/// Returns the values of the counts of a text, with their units.
fn values(text: &str) -> Vec<(u64, Unit)> {
    let counts = read(text.as_bytes());
    counts
        .iter()
        .map(|count| (count.value, count.unit))
        .collect()
}

/// Returns a text after some of its parts were removed, with the numbers that follow.
fn without(text: &str, parts: &[&str]) -> String {
    let counts: Vec<Count> = read(text.as_bytes());
    let mut cuts: Vec<Cut> = parts
        .iter()
        .filter_map(|part| {
            let start = text.find(part)? as u32;
            Some(Cut {
                span: start..start + part.len() as u32,
                text: vec![],
            })
        })
        .collect();
    assert_eq!(cuts.len(), parts.len());
    cuts.extend(complete(text.as_bytes(), &counts, &cuts));
    cuts.sort_by_key(|cut| cut.span.start);
    let mut after = text.to_owned();
    for cut in cuts.iter().rev() {
        let span = cut.span.start as usize..cut.span.end as usize;
        after.replace_range(span, std::str::from_utf8(&cut.text).unwrap_or("?"));
    }
    after
}

#[test]
fn clauses_and_variables_of_dimacs_follow() {
    let text = "c a comment 0\np cnf 4 3\n1 -2 0\n2\n3 0\n-4 0\n";
    let clauses = (3, Unit::Clauses);
    assert_eq!(values(text), [(4, Unit::Variables), clauses]);
    assert_eq!(
        without(text, &["-4 0\n", "c a comment 0\n"]),
        "p cnf 3 2\n1 -2 0\n2\n3 0\n"
    );
    assert_eq!(without(text, &["-2 "]), text.replace("-2 ", ""));
    // Quantifiers are no clauses.
    let quantified = "p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n";
    assert_eq!(
        values(quantified),
        [(2, Unit::Variables), (1, Unit::Clauses)]
    );
}

#[test]
fn a_header_that_states_more_variables_keeps_them() {
    assert_eq!(values("p cnf 9 1\n1 0\n"), [(1, Unit::Clauses)]);
}

#[test]
fn wrong_numbers_are_no_counts() {
    assert!(values("p cnf 3 5\n1 0\n").is_empty());
    assert!(values("P2 3 3 255\n1 2 3\n").is_empty());
    assert!(values("Content-Length: 99\n\nshort").is_empty());
    assert!(values("%%MatrixMarket\n2 2 7\n1 1 1\n").is_empty());
    assert!(values("ply\nelement vertex 7\nend_header\n1\n").is_empty());
    assert!(values("{\"count\": 3, \"items\": [1, 2]}").is_empty());
}

#[test]
fn the_samples_of_an_image_are_rows_on_lines_of_any_length() {
    let text = "P2\n# two by three\n2 3\n9\n1 2 3\n4 5 6\n";
    assert_eq!(
        without(text, &["3\n4 "]),
        "P2\n# two by three\n2 2\n9\n1 2 5 6\n"
    );
    let columns = without(text, &[" 2 3", " 5 6"]);
    assert_eq!(columns, "P2\n# two by three\n1 2\n9\n1\n4\n");
}

#[test]
fn entries_of_a_matrix_and_sections_of_a_mesh_follow() {
    let matrix = "%%MatrixMarket matrix coordinate real general\n% x\n2 2 3\n1 1 1\n1 2 1\n2 2 5\n";
    assert_eq!(
        without(matrix, &["1 2 1\n"]),
        matrix.replace("1 2 1\n", "").replace("2 2 3", "2 2 2")
    );
    let ply = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nelement face 1\nend_header\n\
               0\n1\n2 0 1\n";
    assert_eq!(
        without(ply, &["\n1\n"]),
        ply.replace("vertex 2", "vertex 1").replace("\n1\n", "")
    );
    let off = "OFF\n3 2 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n3 2 1 0\n";
    assert!(without(off, &["3 2 1 0\n"]).starts_with("OFF\n3 1 0\n"));
    assert!(without(off, &["1 0 0\n"]).starts_with("OFF\n2 2 0\n"));
}

#[test]
fn bytes_of_several_messages_follow() {
    let text = "Content-Length: 3\r\n\r\nabcContent-Length: 5\r\n\r\nhello";
    assert_eq!(
        without(text, &["b", "llo"]),
        "Content-Length: 2\r\n\r\nacContent-Length: 2\r\n\r\nhe"
    );
}

#[test]
fn elements_beside_a_value_follow() {
    let text = r#"{"items": [{"a": "],"}, 2, 3], "count": 3}"#;
    assert_eq!(
        without(text, &["2, "]),
        r#"{"items": [{"a": "],"}, 3], "count": 2}"#
    );
}

#[test]
fn numbers_of_unknown_texts_are_guessed() {
    assert_eq!(values("3\na\nb\nc\n")[0], (3, Unit::Lines));
    // One more, and one less.
    assert!(
        read(b"x 5\na\nb\nc\nd\ne\nf\n")
            .iter()
            .any(|count| count.more == -1)
    );
    assert!(
        read(b"x 7\na\nb\nc\nd\ne\nf\n")
            .iter()
            .any(|count| count.more == 1)
    );
    assert_eq!(values("4 one two three four\n")[0], (4, Unit::Words));
    assert_eq!(
        values("2\n1 9\nmore\nlines\nand more\n")[0],
        (2, Unit::Words)
    );
    let map = "2 3\n#.#\n...\n";
    assert_eq!(without(map, &["...\n"]), "1 3\n#.#\n");
    let all = read(b"int main() { return 2; }\n");
    assert!(all.is_empty(), "{all:?}");
}

#[test]
fn a_number_that_is_cut_is_left_to_the_cut() {
    assert_eq!(without("3\na\nb\nc\n", &["3\na\n"]), "b\nc\n");
}

#[test]
fn any_bytes_have_counts_within_them() {
    for text in [
        &b"\xff\n3\n\0\n1\n2"[..],
        b"p cnf",
        b"P3",
        b"ply",
        b"{\"a\":1,\"b\":[",
        b"9 9\n",
    ] {
        for count in read(text) {
            assert!(count.number.end as usize <= text.len());
            assert!(count.region.end as usize <= text.len());
            assert!(count.region.start <= count.region.end);
        }
    }
    let known = read(b"P1 2 1\n10");
    assert!(known.iter().all(|count| count.place == Place::Known));
    assert_eq!(known.len(), 2);
}
