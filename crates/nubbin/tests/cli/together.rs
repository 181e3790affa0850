//! Parts of an input that belong together: pairs, copies, and levels of nesting.

use crate::stage::Stage;

/// Reduces an input and returns the number of tests.
fn tests_of(stage: &Stage, args: &[&str], test: &[&str]) -> u64 {
    let first = ["reduce", "-j1", "-q", "--stats", "stats.json"];
    let args = first.iter().chain(args).chain(&["--"]).chain(test);
    stage.run(args).ended(0);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    stats["tests"].as_u64().unwrap()
}

#[test]
fn deep_nesting_takes_the_same_few_tests_for_any_number_of_levels() {
    for levels in [1000, 3000, 50_000] {
        let stage = Stage::new();
        let text = [&"[".repeat(levels), "\"crash\"", &"]".repeat(levels)].concat();
        stage.file("d.json", text);
        let tests = tests_of(&stage, &["d.json"], &["grep", "-q", "\"crash\"", "{}"]);
        assert_eq!(stage.text("d.min.json").trim_end(), "\"crash\"");
        assert!(tests <= 20, "{levels} levels: {tests} tests");
    }
}
