//! HTML pages of runs.

use crate::stage::Stage;

fn page(stage: &Stage, name: &str) -> String {
    stage.text(name)
}

#[test]
fn a_run_becomes_a_page() {
    let stage = Stage::with_crash("<b>some & text</b>\nwith a crash in it\nand more\n");
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--test",
        "./test.sh",
        "--report",
        "run.html",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = page(&stage, "run.html");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("<mark>crash</mark>"), "{page}");
    let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}: {page}"));
    // A reader looks for the test, the result, and the difference; the counts come after them.
    let order = [
        "Test: <code>",
        ">The result<",
        ">Side by side<",
        ">Passes<",
        "passes without a change",
    ];
    assert!(order.map(place).is_sorted(), "{page}");
    assert!(
        page.contains("&lt;b&gt;some &amp; text&lt;/b&gt;"),
        "text is text"
    );
    assert!(
        page.contains("--test ./test.sh --report run.html"),
        "how to run it again"
    );
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(
            !page.contains(outside),
            "the page stands by itself: {outside}"
        );
    }
    // The browser keeps it so, and runs the one script that the policy names.
    assert!(page.contains("; script-src 'sha256-"), "{page}");
    let policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';";
    let head = page.split("<title>").next().unwrap();
    assert!(head.contains(policy), "{head}");
}

#[test]
fn the_log_gives_the_same_page() {
    let stage = Stage::with_crash("a crash b\n");
    let events = ["--json-events", "run.jsonl", "--report", "now.html"];
    let ran = stage.run(
        ["reduce", "input.txt", "--test", "./test.sh"]
            .iter()
            .chain(&events),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = stage.run(["report", "run.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(page(&stage, "run.html"), page(&stage, "now.html"));
    let ran = stage.run(["compare", "run.jsonl", "run.jsonl", "-o", "-"]);
    assert_eq!(
        ran.stdout.matches("to the first").count(),
        1,
        "{}",
        ran.stderr
    );
    let ran = stage.run(["compare", "run.jsonl", "run.jsonl", "run.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let three = page(&stage, "run-and-2-more.html");
    assert_eq!(three.matches("to the first").count(), 2, "{three}");
    assert!(three.contains("class=\"line c2\""), "{three}");
    stage.run(["compare", "run.jsonl"]).ended(2);
}

#[test]
fn an_explanation_of_the_result_is_shown_and_one_of_another_text_is_refused() {
    let stage = Stage::new();
    stage.file("note.txt", "first\nload file 17, crash 3\nlast\n");
    stage.script("test.sh", "grep -q 'load [a-z]* [0-9]*, crash' note.txt");
    let test = ["--test", "./test.sh"];
    let lines = [
        "reduce",
        "note.txt",
        "-o",
        "out/note.txt",
        "--atom",
        "line",
        "--algorithm",
        "ddmin",
    ];
    stage
        .run(
            lines
                .iter()
                .chain(&["--json-events", "run.jsonl"])
                .chain(&test),
        )
        .ended(0);
    let explain = |file: &str, to: &str| {
        let ran = stage
            .run(["explain", file, "--json"].iter().chain(&test))
            .ended(0);
        stage.file(to, &ran.stdout);
    };
    explain("out/note.txt", "parts.json");
    explain("note.txt", "other.json");
    let report = ["report", "run.jsonl", "--explanation"];
    stage.run(report.iter().chain(&["parts.json"])).ended(0);
    let page = page(&stage, "run.html");
    let section = page.split("<h2>The parts that matter</h2>").nth(1).unwrap();
    let section = section.split("<h2>").next().unwrap();
    assert!(
        section.contains("load file <span class=\"any\""),
        "{section}"
    );
    assert!(section.contains(">17</span>"), "{section}");
    for (file, what) in [
        ("other.json", "does not explain the result of `run.jsonl`"),
        ("run.jsonl", "is not an explanation"),
        ("missing.json", "cannot read the explanation"),
    ] {
        let ran = stage.run(report.iter().chain(&[file])).ended(5);
        ran.said(&[what]);
    }
}

#[test]
fn each_of_several_files_is_shown() {
    let stage = Stage::with_crash("a crash\n");
    stage.file("other.txt", "not needed\n");
    stage.file("third.txt", "a third\n");
    stage.script(
        "test.sh",
        "grep -q crash input.txt && grep -q third third.txt",
    );
    let ran = stage.run([
        "reduce",
        "input.txt",
        "other.txt",
        "third.txt",
        "--test",
        "./test.sh",
        "--report",
        "page.html",
        "-o",
        "out",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = page(&stage, "page.html");
    let result = page.split("<h2>The result</h2>").nth(1).unwrap();
    let result = result.split("<h2>").next().unwrap();
    assert!(
        result.contains("<h3>input.txt</h3>") && result.contains("<h3>third.txt</h3>"),
        "{result}"
    );
    assert!(!result.contains("other.txt"), "{result}");
    assert!(result.contains(">third</pre>"), "{result}");
}

#[test]
fn a_binary_file_is_shown_in_hexadecimal_digits() {
    let stage = Stage::new();
    stage.file("in.wav", b"RIFF\x16\0\0\0WAVEabcd\x01\0\0\0x\0data\0\0\0\0");
    let report = ["reduce", "in.wav", "--report", "run.html", "--"];
    let test = ["grep", "-aq", "data", "in.wav"];
    stage.run(report.iter().chain(&test)).ended(0);
    assert_eq!(stage.text("in.min.wav"), "data");
    let page = page(&stage, "run.html");
    let (digits, gap) = ("64 61 74 61", " ".repeat(39));
    let result = format!("00000000  {digits}{gap}data\n");
    assert!(page.contains(&result), "{page}");
    // The kept bytes are marked, and all others say what removed them.
    let kept = "<mark>64 61  74 61</mark>";
    assert!(
        page.contains(kept) && page.contains("<mark>data</mark>"),
        "{page}"
    );
    assert!(page.contains("title=\"removed by "), "{page}");
    assert!(!page.contains("Side by side"), "a binary file has no lines");
}

#[test]
fn a_file_that_is_not_a_log_is_refused() {
    let stage = Stage::with_crash("a crash\n");
    let ran = stage.run(["report", "input.txt"]);
    assert_eq!(ran.code, Some(5));
    assert!(
        ran.stderr.contains("is not the log of a run"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--json-events"), "{}", ran.stderr);
    let ran = stage.run(["report", "missing.jsonl"]);
    assert_eq!(ran.code, Some(5));
    stage.file(
        "new.jsonl",
        "{\"event\":\"started\",\"version\":99,\"bytes\":1}\n",
    );
    let ran = stage.run(["report", "new.jsonl"]);
    assert!(ran.stderr.contains("format 99"), "{}", ran.stderr);
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--test",
        "./test.sh",
        "--report",
        "input.txt",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(stage.text("input.txt"), "a crash\n");
}

#[test]
fn an_incomplete_log_gives_a_page() {
    let stage = Stage::with_crash("a crash b\n");
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--test",
        "./test.sh",
        "--json-events",
        "run.jsonl",
    ]);
    assert_eq!(ran.code, Some(0));
    let log = stage.text("run.jsonl");
    stage.file("cut.jsonl", &log[..log.len() / 3]);
    let ran = stage.run(["report", "cut.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(page(&stage, "cut.html").contains("the log ends here"));
}
