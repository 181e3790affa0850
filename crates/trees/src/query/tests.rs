use crate::tree_reducer::cases::stays_in_the_grammar;
use crate::tree_reducer::{Queries, Trace, trace_with};
use nubbin_engine::work::Lists;
use nubbin_languages::catalogue;

fn trace(text: &str, fails: impl Fn(&str) -> bool) -> Trace {
    let syntax = catalogue::named("sql").unwrap().syntax().unwrap();
    let fails = |text: &[u8]| fails(str::from_utf8(text).unwrap());
    trace_with(
        &Queries,
        &*syntax,
        text.as_bytes(),
        &Lists::default(),
        fails,
    )
}

#[test]
fn nothing_is_proposed_without_rules() {
    stays_in_the_grammar(&Queries);
}

#[test]
fn a_query_within_stands_for_the_whole_without_references_to_outer_tables() {
    let text = "SELECT a FROM t AS x WHERE x.b = 1 AND x.c > \
                (SELECT d FROM u WHERE u.e = x.e AND u.f > 2) ORDER BY 1";
    let run = trace(text, |text| text.contains("d FROM u WHERE"));
    assert_eq!(run.tests[0].0, "SELECT (SELECT d FROM u WHERE u.f > 2)");
    assert_eq!(run.tests[1].0, "SELECT d FROM u WHERE u.f > 2");
    assert!(
        run.result.starts_with("SELECT d FROM u WHERE "),
        "{}",
        run.result
    );
    assert!(run.result.len() < 27, "{}", run.result);
}

#[test]
fn a_side_of_a_union_and_a_named_query_stand_for_the_whole() {
    let text = "WITH c AS (SELECT 1 FROM t) SELECT 2 FROM c UNION ALL SELECT 3 FROM u";
    let run = trace(text, |_| false);
    let with_named = "WITH c AS (SELECT 1 FROM t) SELECT 2 FROM c";
    for whole in ["SELECT 1 FROM t", with_named, "SELECT 3 FROM u"] {
        assert!(run.texts().contains(&whole), "{whole}: {:?}", run.texts());
    }
}

#[test]
fn a_named_query_is_removed_with_its_last_use() {
    let text = "WITH a AS (SELECT 1 FROM t), b AS (SELECT 2 FROM a), c AS (SELECT 3 FROM u) \
                SELECT b.x, c.y FROM b JOIN c ON c.z = b.z";
    let run = trace(text, |_| false);
    for candidate in [
        "WITH a AS (SELECT 1 FROM t) SELECT 2 FROM a",
        "WITH a AS (SELECT 1 FROM t), b AS (SELECT 2 FROM a) SELECT b.x FROM b",
    ] {
        assert!(run.texts().contains(&candidate), "{:?}", run.texts());
    }
    // No part of the query uses `a`, so `a` itself may be needed.
    let text = "WITH a AS (SELECT 1 FROM t) SELECT b, c FROM u WHERE d ORDER BY e";
    let run = trace(text, |text| text.contains("WITH a AS (SELECT 1 FROM t)"));
    assert!(
        run.result.starts_with("WITH a AS (SELECT 1 FROM t) SELECT"),
        "{}",
        run.result
    );
    assert!(!run.result.contains("WHERE"), "{}", run.result);
}

#[test]
fn a_named_query_moves_to_its_only_use() {
    let text = "WITH a AS (SELECT 1 AS x FROM t), b AS (SELECT x FROM a WHERE x > 2) \
                SELECT b.x FROM b JOIN u ON u.y = b.x";
    let needed = ["1 AS x FROM t", "JOIN"];
    let run = trace(text, |text| needed.iter().all(|part| text.contains(part)));
    let moved = "SELECT b.x FROM (SELECT x FROM (SELECT 1 AS x FROM t) a WHERE x > 2) b JOIN u";
    assert!(
        run.texts().iter().any(|text| text.starts_with(moved)),
        "{:?}",
        run.texts()
    );
    assert!(!run.result.contains("WITH"), "{}", run.result);
    // The first query calls itself, and the second one has two uses.
    let text = "WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT 2 FROM a), b AS (SELECT 3 FROM t) \
                SELECT a.x FROM a, b AS c, b AS d WHERE c.y = d.y";
    let run = trace(text, |text| {
        text.contains("RECURSIVE") && text.contains("b AS d")
    });
    assert!(
        run.texts()
            .iter()
            .all(|text| !text.contains("(SELECT 3 FROM t) c")),
        "{:?}",
        run.texts()
    );
}

#[test]
fn sides_of_a_union_are_removed_in_halves() {
    let sides: Vec<String> = (0..16)
        .map(|nth| format!("SELECT a{nth} FROM t{nth}"))
        .collect();
    let run = trace(&sides.join(" UNION ALL "), |text| {
        text.contains("a5 FROM t5")
    });
    assert_eq!(run.result, "SELECT a5 FROM t5");
    assert!(run.tests.len() < 14, "{:?}", run.texts());
}

#[test]
fn a_query_of_several_columns_is_not_a_value() {
    let text = "SELECT a FROM (SELECT b, c FROM t) AS x WHERE d > (SELECT e FROM u)";
    let run = trace(text, |_| false);
    let is_value = |columns: &str| {
        run.texts()
            .contains(&format!("SELECT (SELECT {columns})").as_str())
    };
    assert!(
        is_value("e FROM u") && !is_value("b, c FROM t"),
        "{:?}",
        run.texts()
    );
}

#[test]
fn clauses_go_together_and_conditions_in_halves() {
    let text = "SELECT a, b FROM t WHERE c = 1 AND d = 2 AND e = 3 AND f = 4 OR g GROUP BY a \
                HAVING h ORDER BY b LIMIT 3";
    let run = trace(text, |text| text.contains("d = 2"));
    assert_eq!(run.result, "SELECT a FROM t WHERE d = 2");
    assert!(run.tests.len() < 30, "{}", run.tests.len());
}

#[test]
fn a_relation_goes_with_all_that_means_it() {
    let text = "SELECT x.a, y.b FROM t AS x JOIN u AS y ON y.c = x.c AND y.d WHERE x.e AND y.f";
    let needed = ["y.b", "y.f", "u AS y"];
    let run = trace(text, |text| needed.iter().all(|part| text.contains(part)));
    assert_eq!(run.result, "SELECT y.b FROM u AS y WHERE y.f");
}

#[test]
fn a_table_and_a_column_go_with_their_rows_and_uses() {
    let text = "CREATE TABLE t (a INT, b INT); CREATE TABLE u (c INT);\n\
                INSERT INTO t VALUES (1, 2), (3, 4); INSERT INTO u (c) VALUES (5);\n\
                SELECT a, t.b, u.c FROM t, u WHERE b > 1;";
    let texts = trace(text, |_| false);
    let without_table = "CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, 2), (3, 4); \
                         SELECT a, t.b FROM t WHERE b > 1;";
    assert!(
        texts.texts().contains(&without_table),
        "{:?}",
        texts.texts()
    );
    let without_column = "CREATE TABLE t (a INT); CREATE TABLE u (c INT);\n\
                          INSERT INTO t VALUES (1), (3); INSERT INTO u (c) VALUES (5);\n\
                          SELECT a, u.c FROM t, u;";
    assert!(
        texts.texts().contains(&without_column),
        "{:?}",
        texts.texts()
    );
}

#[test]
fn at_most_sixteen_tests_where_nothing_fits() {
    let query = |nth: usize| format!("SELECT a, b, c, {nth} FROM t{nth} WHERE k AND l AND m;");
    let text: String = (0..9).map(query).collect();
    assert_eq!(trace(&text, |_| false).tests.len(), 16);
}

#[test]
fn statements_in_texts_with_errors_are_reduced() {
    let text = "FROBNICATE x WITH ??; SELECT a FROM t WHERE b AND c = 7 ORDER BY 1; PRAGMA q(;";
    let run = trace(text, |text| text.contains("c = 7"));
    assert!(run.result.trim().len() < 36, "{}", run.result);
}
