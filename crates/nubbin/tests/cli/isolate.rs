use crate::stage::{Ran, Stage, haystack};
use serde_json::Value;

/// Makes a stage with `pass.txt` and `fail.txt`, and a script that finds `crash` in the latter.
fn pair(passing: impl AsRef<[u8]>, failing: impl AsRef<[u8]>) -> Stage {
    let stage = Stage::new();
    stage.file("pass.txt", passing);
    stage.file("fail.txt", failing);
    stage.script("test.sh", "grep -q crash fail.txt");
    stage
}

fn isolate(stage: &Stage, flags: &str) -> Ran {
    let args = format!("isolate --test ./test.sh pass.txt fail.txt {flags}");
    stage.run(args.split_whitespace())
}

fn stats(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap()
}

fn levels(stats: &Value) -> Vec<(String, u64, u64)> {
    let levels = stats["levels"].as_array().unwrap().iter();
    levels
        .map(|level| {
            let number = |name: &str| level[name].as_u64().unwrap();
            let atom = level["atom"].as_str().unwrap().to_owned();
            (atom, number("changes"), number("left"))
        })
        .collect()
}

#[test]
fn one_bad_line_among_many_is_found() {
    let (passing, failing) = (haystack(40, "calm"), haystack(60, "crash"));
    let stage = pair(&passing, &failing);
    let ran = isolate(&stage, "--atom line").ended(0);
    assert!(
        ran.stdout
            .starts_with("--- fail.pass.txt\n+++ fail.fail.txt\n@@ "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\n+the crash!\n"), "{}", ran.stdout);
    let changed = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++");
    assert!(
        ran.stdout.lines().skip(1).filter(changed).count() <= 2,
        "{}",
        ran.stdout
    );
    ran.said(&[
        "1 of ",
        "changed lines",
        "tests in",
        "passes: fail.pass.txt",
        "fails:  fail.fail.txt",
    ]);
    assert!(!stage.text("fail.pass.txt").contains("crash"));
    assert!(stage.text("fail.fail.txt").contains("crash"));
    assert_eq!(stage.text("pass.txt"), passing);
    assert_eq!(stage.text("fail.txt"), failing);
}

#[test]
fn the_diff_leads_from_one_result_to_the_other() {
    let stage = pair(haystack(40, "calm"), haystack(60, "crash"));
    for context in ["0", "1", "3", "100"] {
        let ran = isolate(&stage, &format!("--context {context}")).ended(0);
        stage.file("minimal.diff", &ran.stdout);
        std::fs::copy(stage.path("fail.pass.txt"), stage.path("patched")).unwrap();
        let patch = std::process::Command::new("patch")
            .args(["-s", "patched", "minimal.diff"])
            .current_dir(stage.folder())
            .status();
        // Not every machine has `patch`.
        let Ok(status) = patch else { return };
        assert!(status.success(), "{}", ran.stdout);
        assert_eq!(
            stage.read("patched"),
            stage.read("fail.fail.txt"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn of_two_lines_that_are_needed_together_one_is_isolated() {
    let stage = pair("a\nb\n", "one\na\ntwo\nb\nthree\nfour\n");
    stage.script("test.sh", "grep -q one fail.txt && grep -q four fail.txt");
    let ran = isolate(&stage, "--atom line --algorithm dd --stats -").ended(0);
    assert_eq!(levels(&stats(&ran)), [("line".into(), 4, 1)]);
    let passing = stage.text("fail.pass.txt");
    assert!(
        passing.contains("one") != passing.contains("four"),
        "{passing}"
    );
    let failing = stage.text("fail.fail.txt");
    assert!(
        failing.contains("one") && failing.contains("four"),
        "{failing}"
    );
}

#[test]
fn lines_that_are_unresolved_alone_stay_together() {
    let stage = pair("a\nz\n", "a\nbegin\ncrash\nend\nb\nz\n");
    stage.script(
        "test.sh",
        "case $(grep -c -e begin -e end fail.txt) in 1) exit 125;; 0) exit 1;; esac\n\
         grep -q crash fail.txt || exit 125",
    );
    let ran = isolate(&stage, "--atom line").ended(0);
    assert!(ran.stdout.contains("+begin\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("+end\n"), "{}", ran.stdout);
    ran.said(&["of 4 changed lines", "cannot decide"]);
}

#[test]
fn a_single_character_in_a_line_is_isolated() {
    let stage = pair(
        "first\nlimit = 250, margin = 10\nlast\n",
        "fast\nlimit = 25O, margin = 12\nleast\n",
    );
    stage.script("test.sh", "grep -q 'limit = [0-9]*[^0-9,]' fail.txt");
    let ran = isolate(&stage, "--stats -").ended(0);
    let found = levels(&stats(&ran));
    assert_eq!(
        found
            .iter()
            .map(|level| level.0.as_str())
            .collect::<Vec<_>>(),
        ["line", "token", "char"]
    );
    assert_eq!(found[2].2, 1);
    let (passing, failing) = (stage.text("fail.pass.txt"), stage.text("fail.fail.txt"));
    assert_eq!(passing.replace("250", "25O"), failing);
}

#[test]
fn a_pair_that_is_not_text_is_compared_by_bytes() {
    let passing: Vec<u8> = (0..2000u32).map(|i| (i * i % 256) as u8).collect();
    let mut failing = passing.clone();
    failing[300] = 7;
    failing[1234] = 0xfe;
    failing.splice(1700..1700, [1, 2, 3]);
    let stage = pair(&passing, &failing);
    stage.script("test.sh", "[ $(od -An -tx1 -j1234 -N1 fail.txt) = fe ]");
    let ran = isolate(&stage, "").ended(0);
    assert!(
        ran.stdout.contains("@@ byte 1234 @@\n-44\n+fe\n"),
        "{}",
        ran.stdout
    );
    let (left, right) = (stage.read("fail.pass.txt"), stage.read("fail.fail.txt"));
    assert_eq!(left.iter().zip(&right).filter(|(a, b)| a != b).count(), 1);
    assert_eq!(stage.read("fail.txt"), failing);
}

#[test]
fn a_culprit_among_ten_thousand_lines_takes_a_test_per_halving() {
    let stage = pair("", haystack(10_000, "crash"));
    let run =
        |flags: &str| stats(&isolate(&stage, &format!("--atom line --stats - {flags}")).ended(0));
    let alone = run("-j 1");
    // Two tests of the inputs, two of the results, and 13 or 14 halvings of 10,000.
    assert_eq!(alone["tests"], 17, "{alone}");
    assert_eq!(levels(&alone), [("line".into(), 10_000, 1)]);
    assert_eq!(run("-j 4")["tests"], 17);
    assert_eq!(run("-j 1 --algorithm dd")["tests"], 18);
}

#[test]
fn the_results_and_the_counts_are_the_same_for_any_number_of_jobs() {
    let stage = pair("a\nz\n", haystack(80, "crash"));
    // The test is unresolved for a third of all texts.
    stage.script(
        "test.sh",
        "[ $(($(cksum <fail.txt | cut -d' ' -f1) % 3)) = 0 ] && [ $(wc -c <fail.txt) -gt 3 ] &&\n\
         [ $(wc -c <fail.txt) -lt 600 ] && exit 125\ngrep -q crash fail.txt",
    );
    let run = |jobs: &str| {
        let stats = stats(&isolate(&stage, &format!("--stats - -j {jobs}")).ended(0));
        let counts = [
            "tests",
            "tests_unresolved",
            "tests_passing",
            "cache_hits",
            "levels",
        ];
        let counts = counts.map(|name| stats[name].clone());
        (
            counts,
            stage.text("fail.pass.txt"),
            stage.text("fail.fail.txt"),
        )
    };
    let alone = run("1");
    assert!(alone.0[1].as_u64().unwrap() > 0, "{alone:?}");
    assert_eq!(run("4"), alone);
    assert_eq!(run("3"), alone);
}

#[test]
fn every_algorithm_runs_by_its_name() {
    for algorithm in ["dd", "dd:book", "dd:eager"] {
        let stage = pair("a\nb\n", haystack(30, "crash"));
        let ran = isolate(&stage, &format!("--algorithm {algorithm} --stats -")).ended(0);
        assert_eq!(stats(&ran)["algorithm"], algorithm);
        assert_eq!(stats(&ran)["changes_after"], 1);
    }
    let stage = pair("a\n", "crash\n");
    isolate(&stage, "--algorithm ddmin")
        .ended(2)
        .said(&["ddmin", "dd:book"]);
}

#[test]
fn the_test_sees_the_name_of_the_failing_file() {
    let stage = Stage::new();
    stage.file("old/a.c", "int a;\n");
    stage.file("new/a.c", "int a;\ncrash\n");
    let args = "isolate old/a.c new/a.c -o out --atom line -- grep -q crash a.c";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("out/a.pass.c"), "int a;\n");
    assert_eq!(stage.text("out/a.fail.c"), "int a;\ncrash\n");
    assert_eq!(stage.names(), ["new", "old", "out"]);
}

#[test]
fn swapped_files_are_detected() {
    let stage = pair("crash\n", "calm\n");
    isolate(&stage, "").ended(3).said(&[
        "swapped",
        " --test ./test.sh fail.txt pass.txt`",
        "add `--same-failure`",
        " --test ./test.sh pass.txt fail.txt --same-failure`",
    ]);
    assert!(!stage.path("fail.pass.txt").exists());
}

/// A program that fails in two ways, and inputs for both.
fn two_failures() -> Stage {
    let stage = Stage::new();
    stage.script(
        "app",
        "grep -q bad $1 && { echo 'error: a wrong word' >&2; exit 1; }\n\
         grep -q odd $1 && { echo 'error: an odd thing' >&2; exit 1; }\nexit 0",
    );
    for (name, text) in [("good", "a\n"), ("well", "b\n"), ("bad", "bad\n")] {
        stage.file(name, text);
    }
    stage.file("bad2", "bad 2\n");
    stage.file("odd", "odd\n");
    stage
}

fn compare(stage: &Stage, flags: &str) -> Ran {
    let args = format!("isolate {flags} -- ./app {{}}");
    stage.run(args.split_whitespace())
}

#[test]
fn swapped_files_are_detected_by_the_same_failure() {
    let stage = two_failures();
    compare(&stage, "bad good --same-failure").ended(3).said(&[
        "the files are swapped: `bad` fails, and `good` shows no failure",
        "hint: the passing file comes first: `nubbin isolate ",
        " good bad --same-failure -- ./app '{}'`",
    ]);
    compare(&stage, "good well --same-failure").ended(3).said(&[
        "neither file fails: neither `good` nor `well` shows a failure that can be recognized",
    ]);
    compare(&stage, "bad good --exit 1").ended(3).said(&[
        "the files are swapped: `bad` fails, and `good` passes",
        " good bad --exit 1 -- ./app '{}'`",
    ]);
}

#[test]
fn two_files_that_fail_are_told_with_their_failures() {
    let stage = two_failures();
    compare(&stage, "odd bad --exit 1").ended(3).said(&[
        "`odd` and `bad` both fail in different ways",
        "`odd`: exit: exit code 1, error: an odd thing",
        "`bad`: exit: exit code 1, error: a wrong word",
        " odd bad --exit 1 --same-failure -- ./app '{}'`",
    ]);
    compare(&stage, "odd bad --exit 1 --same-failure").ended(0);
    compare(&stage, "bad bad2 --exit 1").ended(3).said(&[
        "`bad` and `bad2` both fail in the same way: exit: exit code 1, error: a wrong word",
        "is `bad` the right one? `nubbin isolate ",
        " PASSING bad2 --exit 1 -- ./app '{}'`",
    ]);
}

#[test]
fn a_long_line_is_cut_around_its_change_unless_a_file_gets_it() {
    let long = |word: &str| format!("{}{word}{}\n", "a".repeat(5000), "b".repeat(5000));
    let stage = pair(long("calm"), long("crash"));
    let ran = isolate(&stage, "").ended(0);
    assert!(ran.stdout.len() < 1500, "{}", ran.stdout.len());
    assert!(ran.stdout.contains("crash"), "{}", ran.stdout);
    ran.said(&[
        "long lines are cut",
        "`diff -u fail.pass.txt fail.fail.txt`",
    ]);
    let line = "nubbin isolate --force --test ./test.sh pass.txt fail.txt > minimal.diff";
    let ran = stage.shell(line, None).ended(0);
    assert!(!ran.stderr.contains("long lines"), "{}", ran.stderr);
    assert!(stage.text("minimal.diff").len() > 20_000);
}

#[test]
fn two_files_that_both_fail_or_both_pass_are_refused() {
    isolate(&pair("crash 1\n", "crash 2\n"), "")
        .ended(3)
        .said(&["both fail", "--same-failure"]);
    isolate(&pair("calm\n", "well\n"), "")
        .ended(3)
        .said(&["neither file fails", "exit code 1"]);
    let stage = pair("?\n", "crash\n");
    stage.script(
        "test.sh",
        "grep -q '?' fail.txt && exit 125; grep -q crash fail.txt",
    );
    isolate(&stage, "")
        .ended(3)
        .said(&["could not decide whether `pass.txt` passes"]);
    stage.file("pass.txt", "crash\n");
    stage.file("fail.txt", "?\n");
    isolate(&stage, "")
        .ended(3)
        .said(&["could not decide whether `fail.txt` fails"]);
}

#[test]
fn equal_files_have_no_difference() {
    let stage = pair("crash\n", "crash\n");
    isolate(&stage, "").ended(5).said(&["same content"]);
    stage
        .run("isolate fail.txt ./fail.txt -- true".split(' '))
        .ended(2)
        .said(&["are one file"]);
}

#[test]
fn inputs_are_never_written() {
    let stage = pair("calm\n", "crash\n");
    std::fs::rename(stage.path("pass.txt"), stage.path("fail.pass.txt")).unwrap();
    let args = "isolate fail.pass.txt fail.txt --test ./test.sh";
    stage
        .run(args.split(' '))
        .ended(2)
        .said(&["would overwrite the passing input"]);
    assert_eq!(stage.text("fail.pass.txt"), "calm\n");
    // Another path is accepted.
    stage.run(format!("{args} -o out").split(' ')).ended(0);
    assert_eq!(stage.text("fail.pass.txt"), "calm\n");
    stage
        .run(format!("{args} -o out --stats fail.txt").split(' '))
        .ended(2)
        .said(&["would overwrite the failing input"]);
    stage
        .run(format!("{args} -o -").split(' '))
        .ended(2)
        .said(&["is not a folder"]);
    stage.file("file", "");
    stage
        .run(format!("{args} -o file").split(' '))
        .ended(6)
        .said(&["cannot write the result"]);
}

#[test]
fn a_missing_file_and_a_missing_test_are_errors() {
    let stage = pair("calm\n", "crash\n");
    stage
        .run("isolate pass.tx fail.txt --test ./test.sh".split(' '))
        .ended(5)
        .said(&["cannot read `pass.tx`", "did you mean `pass.txt`?"]);
    stage.run("isolate pass.txt fail.txt".split(' ')).ended(2);
    stage.run("isolate pass.txt -- true".split(' ')).ended(2);
    stage
        .run("isolate pass.txt fail.txt -- no-such-command".split(' '))
        .ended(4);
}

#[test]
fn a_budget_leaves_the_closest_two_so_far() {
    let stage = pair("", haystack(1000, "crash"));
    let ran = isolate(&stage, "--max-tests 8 --stats -").ended(0);
    let counts = stats(&ran);
    // Two are of the inputs, and two of the results.
    assert_eq!(
        (&counts["ended"], &counts["tests"]),
        (&"max-tests".into(), &8.into())
    );
    assert_eq!(levels(&counts), [("line".into(), 1000, 62)]);
    assert!(!stage.text("fail.pass.txt").contains("crash"));
    assert!(stage.text("fail.fail.txt").contains("crash"));
}

#[test]
fn a_flaky_test_is_detected_at_the_end() {
    let stage = pair("", haystack(100, "crash"));
    let count = stage.path("count").display().to_string();
    stage.script(
        "test.sh",
        &format!("echo >>{count}; [ $(wc -l <{count}) -gt 8 ] || grep -q crash fail.txt"),
    );
    isolate(&stage, "-j 1 --atom line --max-tests 10")
        .ended(7)
        .said(&["fail.pass.txt", "the test is flaky"]);
}

#[test]
fn the_same_failure_is_that_of_the_failing_file() {
    let stage = Stage::new();
    stage.file("good.sh", "exit 3\n");
    stage.file("bad.sh", "x=1\nkill -ABRT $$\n");
    let args = "isolate good.sh bad.sh --same-failure --atom line -- sh {}";
    let ran = stage.run(args.split(' ')).ended(0);
    assert!(ran.stdout.contains("+kill -ABRT $$"), "{}", ran.stdout);
}

#[test]
fn events_on_standard_output_are_lines_of_json_only() {
    let stage = pair("a\n", haystack(30, "crash"));
    let ran = isolate(&stage, "--json-events - --stats -").ended(0);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let events: Vec<_> = lines
        .iter()
        .filter_map(|line| line["event"].as_str())
        .collect();
    assert_eq!(events.first(), Some(&"tested"), "{events:?}");
    for event in ["started", "level-started", "narrowed", "ended"] {
        assert!(events.contains(&event), "{event} in {events:?}");
    }
    let quiet = isolate(&stage, "-q").ended(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn a_signal_leaves_the_closest_two_so_far() {
    let stage = pair("", haystack(1000, "crash"));
    let count = stage.path("count");
    stage.script(
        "test.sh",
        &format!(
            "echo >>{0}; [ $(wc -l <{0}) -lt 7 ] || sleep 1000; grep -q crash fail.txt",
            count.display()
        ),
    );
    let args = "isolate -j 1 --private-failure pass.txt fail.txt --test ./test.sh";
    let mut run = stage.start(args.split(' '));
    run.until("the seventh test began", || {
        std::fs::read(&count).map_or(0, |lines| lines.len()) >= 7
    });
    run.signal(rustix::process::Signal::TERM);
    run.wait().ended(130);
    stage.assert_clean();
    let (passing, failing) = (stage.text("fail.pass.txt"), stage.text("fail.fail.txt"));
    assert!(!passing.contains("crash") && failing.contains("crash"));
    // The signal comes after four halvings of a thousand lines.
    assert_eq!(failing.lines().count() - passing.lines().count(), 62);
}

#[test]
fn the_manual_page_has_the_examples() {
    let page = Stage::new().run(["man", "isolate"]).ended(0).stdout;
    assert!(
        page.contains("nubbin\\-isolate") && page.contains("minimal.diff"),
        "{page}"
    );
    let help = Stage::new().run(["isolate", "--help"]).ended(0).stdout;
    assert!(
        help.contains("json.tool") && help.contains("help exit-codes"),
        "{help}"
    );
    assert!(!help.contains("--resume"), "{help}");
}

#[test]
fn progress_has_the_requested_form() {
    let stage = pair(haystack(40, "calm"), haystack(60, "crash"));
    isolate(&stage, "--progress view")
        .ended(2)
        .said(&["no full-screen view", "--progress line"]);
    let every_test = isolate(&stage, "--verbose --progress plain").ended(0);
    assert!(every_test.stderr.contains("#2 "), "{}", every_test.stderr);
    let none = isolate(&stage, "--verbose --progress none").ended(0);
    assert!(!none.stderr.contains('#'), "{}", none.stderr);
}

#[test]
fn a_passing_result_that_fails_in_another_way_is_told() {
    let stage = Stage::new();
    let text = |from: &str, plan: &str, to: &str| format!("{from}\n{plan}\n{to}\n");
    stage.file("good.txt", text("north", "3", "south"));
    stage.file("bad.txt", text("nort", "99", "sout"));
    stage.file(
        "app.py",
        "import sys\n\
         start, plan, end = open(sys.argv[1]).read().split()\n\
         rates = {\"north\": 2, \"south\": 3}\n\
         if int(plan) > 9: raise ValueError(\"plan exceeds limit\")\n\
         print(rates[start] * rates[end])\n",
    );
    let args = "isolate good.txt bad.txt --with app.py --stderr exceeds -- python3 app.py {}";
    let ran = stage.run(args.split(' ')).ended(0);
    let passing = stage.shell("python3 app.py bad.pass.txt", None);
    // A candidate with a misspelled name passes, since its failure is another one.
    assert_eq!(passing.code, Some(1), "{}", ran.stdout);
    ran.said(&[
        "warning: the passing result fails in another way: exception: Python",
        "it is `bad.pass.txt`",
    ]);
}
