//! Protected regions: `--keep` and marks.

use crate::stage::{Stage, haystack};

#[test]
fn matches_stay_unchanged_and_in_order() {
    let stage = Stage::new();
    let code = "/* Licence: free */\nint unused(void) { return 1; }\n\
                int main(void) { int x = 12345; crash(x, 2, 3); return unused(); }\n";
    stage.file("a.c", code);
    let args = [
        "reduce",
        "a.c",
        "--keep",
        "Licence: \\w+",
        "--keep",
        "^int main.*x = 12345",
    ];
    let test = ["--", "grep", "-q", "crash", "{}"];
    stage
        .run(args.iter().chain(&test))
        .ended(0)
        .said(&["keeping 2 regions (43 bytes) unchanged"]);
    assert_eq!(
        stage.text("a.min.c"),
        "Licence: freeint main(void) { int x = 12345crash"
    );
}

#[test]
fn marks_in_comments_protect_lines() {
    let text = haystack(30, "crash")
        .replace("line 3\n", "line 3   # nubbin:keep\n")
        .replace("line 8\n", "# nubbin:keep-begin\nline 8\n")
        .replace("line 9\n", "line 9\n# nubbin:keep-end\n");
    let stage = Stage::with_crash(&text);
    let run = "reduce --test ./test.sh input.txt";
    stage
        .run(run.split(' '))
        .ended(0)
        .said(&["2 regions", "2 are marked in the input"]);
    assert_eq!(stage.text("input.min.txt"), "line 3line 8\nline 9\ncrash");
    stage
        .run(format!("{run} --no-keep-marks").split(' '))
        .ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_file_with_a_protected_region_is_not_removed() {
    let stage = Stage::new();
    stage.file("a.txt", haystack(20, "crash"));
    stage.file("b.txt", haystack(20, "nothing"));
    stage.file("c.txt", haystack(20, "nothing"));
    stage.script("test.sh", "grep -q crash a.txt");
    let args = [
        "reduce",
        "--test",
        "./test.sh",
        "-o",
        "out",
        "--keep",
        "line 17$",
    ];
    let files = ["a.txt", "b.txt"];
    stage.run(args.iter().chain(&files)).ended(0);
    assert_eq!(stage.text("out/a.txt"), "crashline 17");
    assert_eq!(stage.text("out/b.txt"), "line 17");
}

#[test]
fn an_unused_expression_is_a_warning_and_an_invalid_one_an_error() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    stage
        .run("reduce --test ./test.sh input.txt --keep absent".split(' '))
        .ended(0)
        .said(&["`--keep absent` matches nothing"]);
    stage
        .run("reduce --test ./test.sh input.txt --keep (".split(' '))
        .ended(2)
        .said(&["is not a regular expression"]);
    stage.file("input.txt", "crash\n# nubbin:keep-begin\nx\n");
    stage
        .run("reduce --test ./test.sh input.txt".split(' '))
        .ended(0)
        .said(&["there is no `nubbin:keep-end`"]);
    assert_eq!(stage.text("input.min.txt"), "crashx\n");
}

#[test]
fn counts_are_the_same_for_any_number_of_jobs() {
    let stage = Stage::with_crash(&haystack(100, "crash"));
    let run = |jobs: &str| {
        let args = [
            "reduce",
            "-q",
            "-j",
            jobs,
            "--keep",
            "line [0-9]*7$",
            "--stats",
            "-",
        ];
        let test = ["--test", "./test.sh", "input.txt"];
        let ran = stage.run(args.iter().chain(&test)).ended(0);
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let counts = ["tests", "tests_failing", "cache_hits"].map(|name| stats[name].clone());
        (counts, stage.text("input.min.txt"))
    };
    let alone = run("1");
    assert_eq!(alone.1.matches("line").count(), 10);
    assert_eq!(run("2"), alone);
}
