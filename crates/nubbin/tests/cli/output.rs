use crate::stage::{Stage, haystack};
use serde_json::Value;

#[test]
fn an_input_is_never_overwritten() {
    let stage = Stage::with_crash("crash and burn");
    for output in ["input.txt", "./input.txt"] {
        let args = ["reduce", "--test", "./test.sh", "input.txt", "-o", output];
        stage
            .run(args)
            .ended(2)
            .said(&["never writes to a file that it reads"]);
    }
    assert_eq!(stage.text("input.txt"), "crash and burn");
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_first_test() {
    let stage = Stage::with_crash("crash");
    stage.script(
        "test.sh",
        &format!("echo >{}; exit 0", stage.path("ran").display()),
    );
    let args = "reduce --test ./test.sh input.txt -o test.sh/out";
    stage
        .run(args.split(' '))
        .ended(6)
        .said(&["cannot write the result", "-o PATH"]);
    assert!(!stage.path("ran").exists());
}

#[test]
fn the_folder_of_the_output_is_created() {
    let stage = Stage::with_crash("a crash");
    stage
        .run("reduce --test ./test.sh input.txt -o deep/er/out".split(' '))
        .ended(0);
    assert_eq!(stage.text("deep/er/out"), "crash");
}

#[test]
fn statistics_have_the_documented_names() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let args = "reduce --test ./test.sh input.txt --stats stats.json";
    stage.run(args.split(' ')).ended(0);
    let stats: Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    for name in [
        "tests",
        "tests_failing",
        "cache_hits",
        "bytes_before",
        "bytes_after",
        "tokens_before",
        "tokens_after",
        "wall_s",
        "algorithm",
        "result",
    ] {
        assert!(!stats[name].is_null(), "{name} in {stats}");
    }
    assert_eq!(stats["bytes_after"], 5);
    assert_eq!(stats["tokens_after"], 1);
    assert_eq!(stats["algorithm"], "auto");
    assert_eq!(stats["verified"], true);
    assert_eq!(stats["result"][0], "input.min.txt");
    let per_pass: u64 = stats["passes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pass| pass["tests"].as_u64().unwrap())
        .sum();
    // The tests of the original and of the result belong to no pass.
    assert_eq!(per_pass + 2, stats["tests"].as_u64().unwrap());
}

#[test]
fn events_are_lines_of_json_that_add_up() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let args = "reduce -q --test ./test.sh input.txt --json-events - --stats stats.json";
    let ran = stage.run(args.split(' ')).ended(0);
    let events: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |kind: &str| {
        events
            .iter()
            .filter(|event| event["event"] == kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(events[0]["event"], "started");
    let stats: Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let [.., ended, result] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(ended["event"], "ended");
    assert_eq!(result["event"], "result");
    assert_eq!(result["statistics"], stats);
    assert_eq!(
        of("tested").len() as u64 + 2,
        stats["tests"].as_u64().unwrap()
    );
    let sizes: Vec<u64> = of("adopted")
        .iter()
        .map(|e| e["bytes"].as_u64().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(
        *sizes.last().unwrap(),
        stats["bytes_after"].as_u64().unwrap()
    );
}

#[test]
fn quiet_prints_nothing() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let ran = stage
        .run("reduce -q --test ./test.sh input.txt".split(' '))
        .ended(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn verbose_prints_every_test() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let ran = stage
        .run("reduce -v --test ./test.sh input.txt --stats -".split(' '))
        .ended(0);
    let stats: Value = serde_json::from_str(&ran.stdout).unwrap();
    let lines = ran.stderr.lines().filter(|line| line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len() as u64, stats["tests"].as_u64().unwrap());
    let last = lines.last().unwrap();
    assert!(last.ends_with("  result  \"crash\""), "{last}");
    let once = format!("; {} tests in ", lines.len() - 1);
    assert!(ran.stderr.contains(&once), "{}", ran.stderr);
    assert!(lines[0].starts_with("#1 fail"), "{}", lines[0]);
    assert!(lines[0].contains("  original  \""), "{}", lines[0]);
    assert!(lines[0].ends_with("…\""), "{}", lines[0]);
    assert!(
        lines.iter().any(|line| line.ends_with("\"crash\"")),
        "{lines:?}"
    );
}

/// The published log of the Fuzzing Book: 29 tests, of which the first is the input.
#[test]
fn the_log_is_that_of_the_book() {
    let text = include_str!("../../../published/tests/golden/ddmin_book_mystery.txt");
    let golden: Vec<(bool, &str)> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| (line.starts_with('+'), &line[3..line.len() - 1]))
        .collect();
    let stage = Stage::new();
    stage.file("input.txt", golden[0].1);
    stage.script("test.sh", "grep -q '(.*)' input.txt");
    let ran = stage
        .run(
            "reduce --log --json-events events --log-texts --algorithm ddmin-book --atom char -j 1 \
             --test ./test.sh input.txt"
                .split_whitespace(),
        )
        .ended(0);
    let lines = ran.stderr.lines().filter(|line| line.starts_with('#'));
    for (number, (line, (fails, text))) in (1..).zip(lines.clone().zip(&golden)) {
        let verdict = if *fails { "fail" } else { "pass" };
        let start = format!("#{number} {verdict:10} {:>9} bytes", text.len());
        assert!(line.starts_with(&start), "{line}\n{start}");
    }
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 30);
    assert!(lines[29].starts_with("#30 fail") && lines[29].ends_with("  result  \"()\""));
    ran.said(&["29 tests in ", "s, and the result once more"]);
    let events = stage.text("events");
    let tested: Vec<String> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "tested")
        .map(|event| event["text"].as_str().unwrap().to_owned())
        .collect();
    let texts: Vec<&str> = golden[1..].iter().map(|(_, text)| *text).collect();
    assert_eq!(tested, texts);
}

/// The program of the book counts no test of the original where it reduces by a grammar.
#[test]
fn a_reduction_by_grammar_numbers_its_tests_as_the_book_does() {
    let stage = Stage::new();
    stage.file(
        "sums.bnf",
        "<s> ::= <t> '+' <s> | <t>\n<t> ::= '(' <s> ')' | [0-9]\n",
    );
    stage.file("input.txt", "1+(2+3)");
    stage.script("test.sh", "grep -q 3 input.txt");
    let args = "reduce --log --algorithm grabr -g sums.bnf --test ./test.sh input.txt";
    let ran = stage.run(args.split(' ')).ended(0);
    let lines = ran.stderr.lines().filter(|line| line.starts_with('#'));
    let lines: Vec<String> = lines.map(String::from).collect();
    let starts = ["#0 fail ", "#1 fail ", "#2 fail ", "#3 fail "];
    assert_eq!(lines.len(), starts.len(), "{lines:?}");
    assert!(
        lines
            .iter()
            .zip(starts)
            .all(|(line, start)| line.starts_with(start))
    );
    ran.said(&[
        "2 tests in ",
        "s, and the original and the result once each",
    ]);
}

#[test]
fn a_list_of_one_line_is_not_reduced_silently() {
    let stage = Stage::with_crash("a long line with a crash in it");
    let reduce = |more: &str| {
        let args =
            format!("reduce --fresh --force --algorithm ddmin --test ./test.sh input.txt{more}");
        stage.run(args.split(' ')).ended(0)
    };
    let ran = reduce("").said(&["one line of 30 bytes; `--atom char` divides it"]);
    assert!(!ran.stderr.contains("bytes to"), "{}", ran.stderr);
    reduce(" --atom char").said(&["30 bytes to 5"]);
    stage.file("input.txt", "two\nlines with a crash\n");
    reduce("").said(&["23 bytes to 19"]);
}

#[test]
fn kept_folders_are_printed() {
    let stage = Stage::with_crash("a crash");
    let keep = tempfile::tempdir().unwrap();
    let ran = stage
        .nubbin("reduce --keep-temp --test ./test.sh input.txt".split(' '))
        .env("TMPDIR", keep.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    let left: Vec<_> = std::fs::read_dir(keep.path()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(said.contains(left[0].path().to_str().unwrap()), "{said}");
    assert!(stage.folder().exists());
}

#[test]
fn a_size_in_tokens_falls_with_the_text_whatever_is_in_comments() {
    let stage = Stage::new();
    let lines = |of: std::ops::Range<u32>| -> String {
        of.map(|line| format!("var v{line} = [{line}, 1]; f(v{line});\n"))
            .collect()
    };
    let text = format!("// It doesn't matter.\n{}// It isn't kept.\n", lines(0..40));
    for name in ["in.js", "in.txt", "in.unknown"] {
        stage.file(name, &text);
        for most in ["4", "6", "10", "1000"] {
            let args = format!("reduce {name} -f -j 1 --max-tests {most} -q --stats stats -o out");
            let ran = stage.run(args.split(' ').chain(["--", "grep", "-q", "v39 =", "{}"]));
            ran.ended(0);
            let stats: Value = serde_json::from_slice(&stage.read("stats")).unwrap();
            assert_eq!(stats["tokens_before"], 40 * 14, "{name}");
            let after = stats["tokens_after"].as_u64().unwrap();
            let least = if most == "1000" { 3 } else { 40 * 14 };
            assert!(after <= least, "{name}, {most} tests: {stats}");
        }
    }
}
