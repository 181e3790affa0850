//! `nubbin reduce-all`, from a folder of failing files to one result for each failure.

use crate::running::Running;
use crate::stage::{Ran, Stage};
use serde_json::Value;
use std::process::Stdio;

/// Fails by the words in its file: `boom` by a signal, `bang` with an assertion, `odd` with exit
/// code 9 and no message.
const PROGRAM: &str = "\
text=$(cat \"$1\")\n\
case $text in\n\
  *boom*) kill -SEGV $$ ;;\n\
  *bang*) echo \"prog: /src/a.c:12: f: Assertion \\`x' failed.\" >&2; kill -ABRT $$ ;;\n\
  *odd*) exit 9 ;;\n\
esac\n";

fn with_files(files: &[(&str, &str)]) -> Stage {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("crashes/more")).unwrap();
    stage.file("prog.sh", PROGRAM);
    for (name, text) in files {
        stage.file(&format!("crashes/{name}"), text);
    }
    stage
}

fn reduce_all(stage: &Stage, flags: &str) -> Ran {
    let line = format!("reduce-all crashes {flags} -- sh prog.sh {{}}");
    stage.run(line.split_whitespace())
}

/// Returns the list of the results.
fn listed(stage: &Stage) -> Vec<Value> {
    let text = std::fs::read_to_string(stage.path("crashes.min/failures.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut all: Vec<Value> = lines.collect();
    all.sort_by_key(|issue| issue["identity"]["kind"].to_string());
    all
}

fn result(stage: &Stage, issue: &Value) -> String {
    let name = issue["file"].as_str().unwrap();
    std::fs::read_to_string(stage.path(&format!("crashes.min/{name}"))).unwrap()
}

#[test]
fn each_failure_of_a_folder_has_one_result() {
    let stage = with_files(&[
        ("1.txt", "some text\nwith boom in it\n"),
        ("2.txt", "here it is: boom\n"),
        ("more/3.txt", "(bang)\nand what follows\n"),
        ("4.txt", "all is well\n"),
        ("5.txt", "an odd one\n"),
    ]);
    let ran = reduce_all(&stage, "").ended(0);
    assert!(
        ran.stderr.contains("5 files: 3 fail\n2 failures"),
        "{}",
        ran.stderr
    );
    let all = listed(&stage);
    let texts: Vec<_> = all.iter().map(|issue| result(&stage, issue)).collect();
    assert_eq!(texts, ["bang", "boom"]);
    let seen: Vec<_> = all.iter().map(|issue| &issue["seen"]).collect();
    assert_eq!(seen, [1, 2]);
    assert!(all.iter().all(|issue| issue["done"] == true));
    // The tests keep the extension that all files have.
    assert!(all[0]["file"].as_str().unwrap().ends_with(".txt"));

    // What is done is not done again, and a new file is.
    let again = reduce_all(&stage, "").ended(0);
    assert!(!again.stderr.contains("reduced"), "{}", again.stderr);
    assert!(again.stderr.contains("5 files: 3 fail\n2 failures"));
    stage.file("crashes/6.txt", "one more boom");
    let again = reduce_all(&stage, "").ended(0);
    assert!(
        again.stderr.contains("6 files: 4 fail\n2 failures"),
        "{}",
        again.stderr
    );
    assert_eq!(listed(&stage)[1]["seen"], 3);
}

#[test]
fn a_log_of_sarif_has_each_failure_with_its_files() {
    let stage = with_files(&[
        ("1.txt", "some text\nwith boom in it\n"),
        ("2.txt", "here it is: boom\n"),
        ("3.txt", "(bang)\n"),
    ]);
    stage.file("mine.sarif", "a file of the user");
    reduce_all(&stage, "--sarif mine.sarif")
        .ended(6)
        .said(&["mine.sarif", "--force"]);
    assert_eq!(stage.text("mine.sarif"), "a file of the user");
    stage.file("file", "");
    reduce_all(&stage, "--sarif file/log.sarif")
        .ended(6)
        .said(&["cannot write the log to"]);
    reduce_all(&stage, "--sarif log.sarif").ended(0);
    let log: Value = serde_json::from_str(&stage.text("log.sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let mut results: Vec<&Value> = run["results"].as_array().unwrap().iter().collect();
    results.sort_by_key(|result| result["ruleId"].to_string());
    let facts = |result: &Value| {
        let files = result["properties"]["files"].as_array().unwrap().len();
        (
            result["ruleId"].to_string(),
            result["occurrenceCount"].to_string(),
            files,
        )
    };
    assert_eq!(facts(results[0]), ("\"assertion\"".into(), "1".into(), 1));
    assert_eq!(facts(results[1]), ("\"signal\"".into(), "2".into(), 2));
    // The log names the results by their paths in the folder, and has their texts.
    for (result, issue) in results.iter().zip(listed(&stage)) {
        let at = result["attachments"][0]["artifactLocation"]["index"]
            .as_u64()
            .unwrap();
        let artifact = &run["artifacts"][at as usize];
        let uri = artifact["location"]["uri"].as_str().unwrap();
        assert!(uri.ends_with(issue["file"].as_str().unwrap()), "{uri}");
        assert_eq!(artifact["contents"]["text"], self::result(&stage, &issue));
    }
}

/// Returns the number of tests of reductions that a run tells of.
fn tests_of_reductions(said: &str) -> u32 {
    let lines = said.lines().filter(|line| line.starts_with("reduced  "));
    let counts = lines.map(|line| {
        let (_, tests) = line.split_once(" in ").unwrap();
        tests.split(' ').next().unwrap().parse::<u32>().unwrap()
    });
    counts.sum()
}

#[test]
fn a_killed_run_continues_with_its_results() {
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let text = |word: &str| format!("{lines}{word}\n{lines}");
    let (boom, bang) = (text("boom"), text("(bang)"));
    let files = [("1.txt", &*boom), ("2.txt", &*bang), ("3.txt", &*boom)];
    let whole = with_files(&files);
    let ran = reduce_all(&whole, "-j 1").ended(0);
    let all = tests_of_reductions(&ran.stderr);
    let results = |stage: &Stage| -> Vec<String> {
        let all = listed(stage);
        all.iter().map(|issue| result(stage, issue)).collect()
    };
    assert_eq!(results(&whole), ["bang", "boom"]);

    let killed = with_files(&files);
    // The tests are slow enough that the run is killed within a reduction.
    killed.file("prog.sh", format!("sleep 0.05\n{PROGRAM}"));
    let mut command = killed.nubbin("reduce-all crashes -j 1 -- sh prog.sh {}".split(' '));
    let said = std::fs::File::create(killed.path("said")).unwrap();
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(said));
    running.until("a result", || killed.text("said").contains("reduced  "));
    running.kill();
    let before = tests_of_reductions(&killed.text("said"));
    let ran = reduce_all(&killed, "-j 1").ended(0);
    assert_eq!(results(&killed), results(&whole));
    let after = tests_of_reductions(&ran.stderr);
    assert!(before > 0 && after < all, "{all}, {before}, {after}");
    assert!(
        ran.stderr.contains("3 files: 3 fail\n2 failures"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_exit_code_without_a_message_is_a_failure_if_the_user_says_so() {
    let stage = with_files(&[("1", "an odd one\n"), ("2", "all is well\n")]);
    let ran = reduce_all(&stage, "").ended(3);
    assert!(
        ran.stderr.contains("no file makes `prog` fail"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--exit"), "{}", ran.stderr);
    reduce_all(&stage, "-o other --exit 9").ended(0);
    let found = std::fs::read_dir(stage.path("other")).unwrap();
    let names = found.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names
        .into_iter()
        .find(|name| name.starts_with("exit-code-9"))
        .unwrap();
    let text = std::fs::read_to_string(stage.path(&format!("other/{name}"))).unwrap();
    assert_eq!(text, "odd");
}

#[test]
fn a_mistake_in_a_flag_is_told_with_the_name_of_the_flag() {
    let stage = with_files(&[("1", "boom it is\n")]);
    for (flag, value, said) in [
        ("--stderr", "[", "`--stderr`: regex parse error"),
        ("--identity", "(", "`--identity`: regex parse error"),
        ("--language", "none-such", "`--language`: unknown language"),
        (
            "--memory",
            "much",
            "'--memory <SIZE>': `much` is not a size",
        ),
    ] {
        let ran = reduce_all(&stage, &format!("{flag} {value}")).ended(2);
        assert!(!ran.stderr.contains("campaign.toml"), "{}", ran.stderr);
        ran.said(&[said]);
    }
    reduce_all(&stage, "").ended(0);
}

#[test]
fn results_of_another_command_are_not_replaced() {
    let stage = with_files(&[("1", "boom it is\n")]);
    reduce_all(&stage, "").ended(0);
    let other = reduce_all(&stage, "--env A=b").ended(6);
    assert!(
        other.stderr.contains("results of another command"),
        "{}",
        other.stderr
    );
    assert!(other.stderr.contains("-o DIR"), "{}", other.stderr);
    // Nor is a result that the user has changed.
    let name = listed(&stage)[0]["file"].as_str().unwrap().to_owned();
    stage.file(&format!("crashes.min/{name}"), "mine");
    stage.file("crashes/2", "boom");
    reduce_all(&stage, "").ended(6);
    assert_eq!(result(&stage, &listed(&stage)[0]), "mine");
}

#[test]
fn a_run_with_more_limits_or_exit_codes_continues_the_earlier_one() {
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let stage = with_files(&[
        ("1", &*format!("{lines}boom\n")),
        ("2", "an odd one\n"),
        ("3", "all is well\n"),
    ]);
    reduce_all(&stage, "--max-tests 3")
        .ended(0)
        .said(&["a limit stopped the reduction", "`--exit 9`"]);
    assert_eq!(listed(&stage)[0]["done"], false);
    // Both at once: the reduction continues, and only the file with this exit code is run again.
    let ran = reduce_all(&stage, "--exit 9").ended(0);
    ran.said(&[
        "continuing the earlier run: 1 file to run again, 1 reduction to go on with",
        "3 files: 2 fail\n2 failures",
    ]);
    let all = listed(&stage);
    let texts: Vec<_> = all.iter().map(|issue| result(&stage, issue)).collect();
    assert_eq!(texts, ["odd", "boom"]);
    assert!(all.iter().all(|issue| issue["done"] == true));
    assert!(all.iter().all(|issue| issue["seen"] == 1));
    // A new file is run, and no other one.
    stage.file("crashes/4", "odd as well");
    let ran = reduce_all(&stage, "--exit 9").ended(0);
    assert!(!ran.stderr.contains("continuing"), "{}", ran.stderr);
    assert_eq!(listed(&stage)[0]["seen"], 2);
    // A failure of the earlier run may not be none now.
    reduce_all(&stage, "")
        .ended(6)
        .said(&["results of another command"]);

    // More time, as the hint says.
    let stage = with_files(&[("1", "slow boom")]);
    stage.file("prog.sh", format!("sleep 2\n{PROGRAM}"));
    reduce_all(&stage, "--timeout 0.5").ended(3);
    let ran = reduce_all(&stage, "--timeout 1000 --max-tests 1").ended(0);
    ran.said(&["1 file: 1 fails"]);
}

#[test]
fn every_file_is_run_before_the_first_reduction_and_the_worst_failure_is_reduced_first() {
    let stage = with_files(&[
        ("1.txt", "some text\n(bang)\n"),
        ("2.txt", "all is well\n"),
        ("3.txt", "some text\nboom\n"),
    ]);
    let ran = reduce_all(&stage, "-j 1").ended(0);
    let lines: Vec<&str> = (ran.stderr.lines())
        .filter(|line| line.starts_with("found ") || line.starts_with("reduced "))
        .collect();
    assert_eq!(lines.len(), 4, "{}", ran.stderr);
    assert!(
        lines[..2].iter().all(|line| line.starts_with("found ")),
        "{lines:?}"
    );
    assert!(lines[2].contains("segfault.txt"), "{lines:?}");
}

#[test]
fn a_run_without_a_failure_whose_command_lacks_something_is_an_error_also_in_a_job() {
    let stage = with_files(&[("1", "Error here\n"), ("2", "well\n")]);
    let run = |line: &str| stage.run(line.split(' '));
    // The message of the shell is hidden.
    stage.script(
        "t",
        "no-such-program \"$1\" 2>&1 | grep Error && exit 9\nexit 0",
    );
    let missing = "`t` runs `no-such-program`, which does not exist";
    run("reduce-all crashes --exit 9 --ci -- ./t {}")
        .ended(4)
        .said(&[missing, "no-such-program` or install it"]);
    run("reduce-all crashes -o each --each --ci --exit 9 -- ./t {}")
        .ended(4)
        .said(&[missing]);
    // So is a failure that every file shows for this reason.
    stage.script("all", "no-such-program \"$1\" 2>&1 | grep Error");
    run("reduce-all crashes -o of-all --exit 1 --ci -- ./all {}")
        .ended(4)
        .said(&["which does not exist"]);
    run("reduce crashes/1 --exit 9 -- ./t {}")
        .ended(3)
        .said(&["the script of the test runs `no-such-program`"]);
    // The same command runs the files again when it is mended.
    stage.script("t", "cat \"$1\" 2>&1 | grep Error && exit 9\nexit 0");
    run("reduce-all crashes --exit 9 --ci -- ./t {}")
        .ended(0)
        .said(&[
            "continuing the earlier run: 2 files to run again",
            "2 files: 1 fails",
        ]);
    // A file that is missing is told by its line.
    stage.script("lost", "cat list.txt; exit 0");
    for (each, out) in [("", "lost-all"), ("--each", "lost-each")] {
        let line = format!("reduce-all crashes -o {out} --exit 9 {each} --ci -- ./lost {{}}");
        let line: Vec<&str> = line.split_whitespace().collect();
        stage.run(line).ended(4).said(&[
            "reports that something is missing",
            "list.txt: No such file or directory",
        ]);
    }
}

#[test]
fn folders_that_cannot_be_used_are_refused() {
    let stage = with_files(&[("1", "boom\n")]);
    let within = reduce_all(&stage, "-o crashes/more").ended(2);
    assert!(
        within.stderr.contains("is in the folder of the files"),
        "{}",
        within.stderr
    );
    stage.file("full/mine", "text");
    reduce_all(&stage, "-o full").ended(6);
    let file = stage
        .run("reduce-all prog.sh -- sh prog.sh {}".split(' '))
        .ended(5);
    assert!(
        file.stderr.contains("nubbin reduce FILE"),
        "{}",
        file.stderr
    );
    std::fs::create_dir_all(stage.path("none")).unwrap();
    let none = stage
        .run("reduce-all none -- sh prog.sh {}".split(' '))
        .ended(5);
    assert!(none.stderr.contains("contains no file"), "{}", none.stderr);
    assert!(!stage.path("none.min").exists());
}

#[test]
fn nothing_is_written_into_the_folder_of_the_files() {
    let stage = with_files(&[("1", "boom\n")]);
    for flags in [
        "-o crashes/more",
        "--report crashes/page.html",
        "--report crashes/1 --force",
    ] {
        reduce_all(&stage, flags)
            .ended(2)
            .said(&["is in the folder of the files"]);
    }
    assert_eq!(stage.text("crashes/1"), "boom\n");
    let names = std::fs::read_dir(stage.path("crashes")).unwrap();
    // The file, and the folder of the stage.
    assert_eq!(names.count(), 2);
}

#[test]
fn the_same_command_continues_after_files_of_another_extension() {
    let stage = with_files(&[("1.txt", "boom here\n")]);
    reduce_all(&stage, "").ended(0);
    assert_eq!(on_disk(&stage), ["segfault.txt"]);
    stage.file("crashes/2.c", "int boom;");
    reduce_all(&stage, "").ended(0).said(&["2 files: 2 fail"]);
    assert_eq!(on_disk(&stage), ["segfault.txt"]);
}

#[test]
fn an_answer_in_json_is_one_document() {
    let stage = with_files(&[("1", "fine\n")]);
    let none = reduce_all(&stage, "--json").ended(3);
    let answer: Value = serde_json::from_str(&none.stdout).unwrap();
    assert_eq!(answer["counts"]["run"], 1);
    none.said(&["no file makes `prog` fail"]);
    stage.file("crashes/2", "boom\n");
    let found = reduce_all(&stage, "--json --ci -o other").ended(0);
    let answer: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(answer["failures"].as_array().unwrap().len(), 1);
    found.said(&["SIGSEGV"]);
}

#[test]
fn a_limit_on_time_before_the_first_failure_is_told_as_such() {
    let stage = with_files(&[("1", "slow")]);
    stage.file("prog.sh", "sleep 1000\n");
    reduce_all(&stage, "--max-time 1")
        .ended(8)
        .said(&["the time limit was reached before a file failed"]);
}

/// Returns the names of the results on disk.
fn on_disk(stage: &Stage) -> Vec<String> {
    let entries = std::fs::read_dir(stage.path("crashes.min")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".txt")).collect();
    names.sort();
    names
}

/// A program whose file `second` takes so long that a run never comes to its end.
fn endless_at_the_second() -> Stage {
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let stage = with_files(&[]);
    stage.file("crashes/1.txt", format!("{lines}boom\n"));
    stage.file("crashes/2.txt", "second");
    // The oldest file comes first.
    let first = std::fs::File::options()
        .write(true)
        .open(stage.path("crashes/1.txt"));
    first.unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    stage.file(
        "prog.sh",
        format!("grep -q second \"$1\" && sleep 1000\n{PROGRAM}"),
    );
    stage
}

#[test]
fn results_are_on_disk_before_the_run_ends() {
    let stage = endless_at_the_second();
    let line = "reduce-all crashes -q -j 2 --timeout 1000 -- sh prog.sh {}";
    let mut command = stage.nubbin(line.split(' '));
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let is_reduced = || {
        let text = std::fs::read_to_string(stage.path("crashes.min/failures.jsonl"));
        text.is_ok_and(|text| text.contains("\"done\":true"))
    };
    running.until("the result", is_reduced);
    assert_eq!(on_disk(&stage), ["segfault.txt"]);
    let all = listed(&stage);
    assert_eq!(result(&stage, &all[0]), "boom");
    // A run that is killed would leave the second file's test.
    running.signal(rustix::process::Signal::INT);
    running.wait().ended(130);
}

#[test]
fn a_stopped_run_reports_the_remaining_files() {
    let stage = endless_at_the_second();
    let line = "reduce-all crashes -j 2 --timeout 1000 -- sh prog.sh {}";
    let mut command = stage.nubbin(line.split(' '));
    let said = std::fs::File::create(stage.path("said")).unwrap();
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(said));
    running.until("a result", || stage.text("said").contains("reduced  "));
    running.signal(rustix::process::Signal::INT);
    running.wait().ended(130);
    let said = stage.text("said");
    assert!(
        said.contains("1 file: 1 fails; 1 file was not run\n1 failure"),
        "{said}"
    );
    assert_eq!(on_disk(&stage), ["segfault.txt"]);
}

#[test]
fn files_at_the_limit_on_time_are_counted_and_told_with_the_flags() {
    let stage = with_files(&[("1", "boom"), ("2", "slow it is"), ("3", "as slow")]);
    stage.file(
        "prog.sh",
        format!("grep -q slow \"$1\" && sleep 1000\n{PROGRAM}"),
    );
    let ran = reduce_all(&stage, "--timeout 1").ended(0);
    assert!(
        ran.stderr.contains(
            "3 files: 1 fails, 2 hit the time limit\n  at the time limit: `2`, `3`\n1 failure"
        ),
        "{}",
        ran.stderr
    );
    let hint = "hint: `--hang TIME` takes a run of this time for a failure, and `--timeout TIME`";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
    std::fs::remove_file(stage.path("crashes/1")).unwrap();
    let none = reduce_all(&stage, "-o other --timeout 1").ended(3);
    assert!(
        none.stderr
            .contains("no file makes `prog` fail (2 files: 0 fail, 2 hit the time limit"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_folder_of_crashes_is_no_sign_of_a_wrong_command() {
    let names: Vec<String> = (0..60).map(|number| number.to_string()).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "boom")).collect();
    let ran = reduce_all(&with_files(&files), "").ended(0);
    assert!(
        ran.stderr.contains("60 files: 60 fail\n1 failure"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn files_and_tests_of_reductions_are_counted_apart() {
    // Without its first line, the file shows another failure.
    let stage = with_files(&[("1", "first\nbang\n"), ("2", "all is well\n")]);
    let program = "\
        grep -q first \"$1\" && grep -q bang \"$1\" && kill -SEGV $$\n\
        grep -q bang \"$1\" && kill -ABRT $$\n\
        exit 0\n";
    stage.file("prog.sh", program);
    let ran = reduce_all(&stage, "-j 1").ended(0);
    let said = &ran.stderr;
    assert!(said.contains("2 files: 1 fails\n1 failure\n"), "{said}");
    assert!(said.contains("\n    in 1 file, 11 → "), "{said}");
    let heading = "\n1 other failure shows only in tests of reductions, and in no file; `--other";
    assert!(said.contains(heading), "{said}");
    assert_eq!(said.matches("found ").count(), 1, "{said}");
    assert_eq!(said.matches("reduced ").count(), 1, "{said}");
    let all = listed(&stage);
    assert_eq!(all.len(), 1, "{said}");
    assert_eq!((&all[0]["seen"], &all[0]["met"]), (&1.into(), &0.into()));
    // One test of the other failure is kept, as it was found.
    let other = || -> Value {
        let list = stage.text("crashes.min/other/failures.jsonl");
        serde_json::from_str(list.trim_end()).unwrap()
    };
    let test = |failure: &Value| {
        stage.text(&format!(
            "crashes.min/{}",
            failure["file"].as_str().unwrap()
        ))
    };
    assert_eq!(
        (&other()["seen"], &other()["done"]),
        (&0.into(), &false.into())
    );
    assert_eq!(test(&other()).len() as u64, other()["bytes_before"]);
    // The flag reduces it, and it is not a result of the files then either.
    let ran = reduce_all(&stage, "-j 1 --other-failures --json").ended(0);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["failures"].as_array().unwrap().len(), 1);
    assert_eq!(answer["other_failures"][0]["done"], true);
    assert_eq!(answer["files"][1]["failure"], Value::Null);
    assert_eq!(test(&other()), "bang");
    let ran = reduce_all(&stage, "-j 1").ended(0);
    assert!(!ran.stderr.contains("`--other-failures`"), "{}", ran.stderr);
}

#[test]
fn a_failure_that_a_later_file_shows_becomes_a_result() {
    let stage = with_files(&[("1", "first\nbang\n")]);
    let program = "\
        grep -q first \"$1\" && grep -q bang \"$1\" && kill -SEGV $$\n\
        grep -q bang \"$1\" && kill -ABRT $$\n\
        exit 0\n";
    stage.file("prog.sh", program);
    reduce_all(&stage, "-j 1").ended(0);
    assert_eq!(listed(&stage).len(), 1);
    stage.file("crashes/2", "more\nbang\nand more\n");
    let ran = reduce_all(&stage, "-j 1").ended(0);
    let said = &ran.stderr;
    assert!(said.contains("2 files: 2 fail\n2 failures\n"), "{said}");
    assert!(!said.contains("other failure"), "{said}");
    let all = listed(&stage);
    assert_eq!(all[1]["files"], serde_json::json!(["2"]));
    assert_eq!(result(&stage, &all[1]), "bang");
    let left = std::fs::read_dir(stage.path("crashes.min/other")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let is_list = |name: &&std::ffi::OsString| *name != "failures.jsonl" && *name != ".nubbin";
    assert_eq!(left.iter().find(is_list), None, "{left:?}");
    assert_eq!(stage.text("crashes.min/other/failures.jsonl"), "");
}

#[test]
fn a_command_that_cannot_be_started_is_an_error_before_the_first_file() {
    let stage = with_files(&[("1", "boom\n")]);
    let run = |command: &[&str]| {
        let all = ["reduce-all", "crashes", "--"].iter().chain(command);
        stage.run(all).ended(4).stderr
    };
    let missing = run(&["./no-such-program", "{}"]);
    assert!(
        missing.contains("no-such-program` does not exist"),
        "{missing}"
    );
    assert!(!stage.path("crashes.min/results.jsonl").exists());
    // A shell says by its exit code that it has found nothing to run.
    let missing = run(&["sh", "-c", "no-such-program {}"]);
    assert!(
        missing.contains("the command cannot be started"),
        "{missing}"
    );
    assert!(missing.contains("no-such-program: not found"), "{missing}");
    assert!(!missing.contains("found "), "{missing}");
}

#[test]
fn a_failure_that_an_empty_file_shows_is_not_reduced_to_nothing() {
    let stage = with_files(&[("1", "more text\n"), ("2", "boom\n")]);
    let run = |flags: &[&str], script: &str| {
        let line = ["reduce-all", "crashes", "-j", "1"].iter().chain(flags);
        stage.run(line.chain(&["--", "sh", "-c", script, "{}"]))
    };
    // As by an interpreter without its module, in a command that does not come to read the file.
    let script = "echo \"error: module 'nope' is missing\" >&2; exit 2";
    let ran = run(&["--exit", "2"], script).ended(9);
    let all = listed(&stage);
    assert_eq!(all.len(), 1);
    assert_eq!(
        (&all[0]["done"], &all[0]["seen"]),
        (&Value::from(false), &Value::from(2))
    );
    assert_eq!(result(&stage, &all[0]), "more text\n");
    for part in [
        "whatever it is given",
        "module 'nope' is missing",
        "not reduced, since an empty file shows it as well",
        "error: an empty file shows a failure as well",
        "--allow-empty",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    // The same command again has the same end, and the flag continues from there.
    run(&["--exit", "2"], script).ended(9);
    run(&["--exit", "2", "--allow-empty"], script).ended(0);
    assert_eq!(result(&stage, &listed(&stage)[0]), "");

    // A program that fails at the end of its input has other failures as well.
    let script = "test -s \"$0\" || kill -SEGV $$\n\
                  grep -q boom \"$0\" && kill -ABRT $$\n\
                  grep -q more \"$0\" && kill -SEGV $$\n\
                  exit 0";
    let ran = run(&["-o", "other"], script).ended(9);
    assert!(
        ran.stderr.contains("with an empty test as well"),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stderr.contains("whatever it is given"),
        "{}",
        ran.stderr
    );
    let names = std::fs::read_dir(stage.path("other")).unwrap();
    let names = names.map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = names
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    texts.sort();
    assert_eq!(texts, ["boom", "more text\n"]);
}

#[test]
fn an_empty_candidate_that_fails_otherwise_does_not_fail_the_run() {
    let stage = with_files(&[("1", "some\nboom\n"), ("2", "all is well\n")]);
    let script = "test -s \"$0\" || kill -SEGV $$\n\
                  grep -q boom \"$0\" && kill -ABRT $$\n\
                  exit 0";
    let line = [
        "reduce-all",
        "crashes",
        "-j",
        "1",
        "--",
        "sh",
        "-c",
        script,
        "{}",
    ];
    let ran = stage.run(line).ended(0);
    let only_met = "\n    in 1 test of reductions, 0 bytes: ";
    assert!(ran.stderr.contains(only_met), "{}", ran.stderr);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

/// A program that fails for a reason of its own as long as it lacks a module, which is where the
/// user stands.
fn lacking_a_module() -> (Stage, [&'static str; 3]) {
    let stage = with_files(&[
        ("1.txt", "well\n"),
        ("2.txt", "some text\nwith boom in it\n"),
    ]);
    let module = "def check(path):\n    if 'boom' in open(path).read():\n        return None + 1\n";
    stage.file("helper.py", module);
    stage.file("lib/more.py", "");
    stage.file("unused.py", "");
    let script =
        "import sys; sys.path += ['', 'lib']; import helper, more; helper.check(sys.argv[1])";
    (stage, ["python3", "-c", script])
}

#[test]
fn a_program_that_lacks_a_file_of_the_user_is_refused() {
    let (stage, command) = lacking_a_module();
    let run = |flags: &[&str]| {
        let line = ["reduce-all", "crashes"].iter().chain(flags);
        stage.run(line.chain(&["--"]).chain(&command).chain(&["{}"]))
    };
    let ran = run(&[]).ended(3);
    let ran = ran.said(&[
        "nothing was reduced: where the tests run, the test cannot find",
        "in your folder: exit code 0",
        "in the folder of the test: exit code 1, exception: Python ModuleNotFoundError",
        "--private-failure",
    ]);
    assert!(!ran.stderr.contains("unused.py"), "{}", ran.stderr);
    assert!(!stage.path("crashes.min/failures.jsonl").exists());
    // The flags that it names help, also after the run that was refused.
    let (_, flags) = ran.stderr.split_once("add `").unwrap();
    let (flags, _) = flags.split_once('`').unwrap();
    let flags: Vec<&str> = flags.split(' ').collect();
    assert!(
        flags.iter().any(|flag| flag.ends_with("/helper.py")),
        "{flags:?}"
    );
    run(&flags).ended(0);
    assert_eq!(result(&stage, &listed(&stage)[0]), "boom");
    // Paths from where the user stands are the same.
    run(&[
        "-o",
        "other",
        "--with",
        "helper.py",
        "--with",
        "lib/more.py",
    ])
    .ended(0);
}

#[test]
fn a_program_that_lacks_a_file_and_fails_on_no_input_is_refused() {
    let stage = with_files(&[("1.txt", "some text\n"), ("2.txt", "an odd one\n")]);
    stage.file("tool.sh", ". ./prog.sh\n");
    let args = "reduce-all crashes --exit 9 -- sh tool.sh {}";
    stage.run(args.split(' ')).ended(3).said(&[
        "the program cannot find `prog.sh`",
        "in the folder of the test: exit: exit code 2",
        "prog.sh --with",
    ]);
}

#[test]
fn a_fuzzer_s_name_for_the_file_is_known_and_results_of_nubbin_are_no_files() {
    let stage = with_files(&[("1.txt", "some text with boom in it\n")]);
    let args = "reduce crashes/1.txt --with prog.sh --signal SEGV -- sh prog.sh {}";
    stage.run(args.split(' ')).ended(0);
    let args = "reduce-all crashes -- sh prog.sh @@";
    let ran = stage.run(args.split(' ')).ended(0);
    assert!(ran.stderr.contains("1 file: 1 fails"), "{}", ran.stderr);
}

#[test]
fn the_failure_without_a_file_may_be_the_wanted_one() {
    let (stage, command) = lacking_a_module();
    let line = "reduce-all crashes --private-failure --allow-empty --".split(' ');
    stage.run(line.chain(command).chain(["{}"])).ended(0);
    assert_eq!(result(&stage, &listed(&stage)[0]), "");
}

#[test]
fn each_file_is_listed_with_its_failure_in_the_folder_as_json_and_on_the_page() {
    let stage = with_files(&[
        ("1.txt", "some text\nwith boom in it\n"),
        ("more/2.txt", "(bang)\nand what follows\n"),
        ("3.txt", "all is well\n"),
        ("4.txt", "here it is: boom\n"),
    ]);
    let ran = reduce_all(&stage, "-j 1 --json --report page.html").ended(0);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["program"], "prog");
    assert_eq!(answer["counts"]["failing"], 3);
    let files = |failure: &Value| failure["files"].as_array().unwrap().clone();
    let all = listed(&stage);
    assert_eq!(files(&all[0]), ["more/2.txt"]);
    assert_eq!(files(&all[1]), ["1.txt", "4.txt"]);
    let shown: Vec<_> = (answer["files"].as_array().unwrap().iter())
        .map(|file| (file["file"].clone(), file["failure"].clone()))
        .collect();
    let bang = all[0]["file"].clone();
    let expected = [
        ("1.txt", Value::from("segfault.txt")),
        ("3.txt", Value::Null),
        ("4.txt", Value::from("segfault.txt")),
        ("more/2.txt", bang),
    ];
    assert_eq!(
        shown,
        expected.map(|(file, failure)| (file.into(), failure))
    );
    let lines = stage.text("crashes.min/files.jsonl");
    assert_eq!(lines.lines().count(), 4, "{lines}");
    let page = stage.text("page.html");
    for part in [
        "prog: 2 failures",
        "more/2.txt",
        "Without a failure",
        "3.txt",
        "id=\"segfault.txt\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // A page of the user is not replaced.
    stage.file("mine.html", "mine");
    reduce_all(&stage, "--report mine.html").ended(6);
    assert_eq!(stage.text("mine.html"), "mine");
}

#[test]
fn a_message_is_a_failure_if_the_user_says_so_and_variables_reach_the_program() {
    let stage = with_files(&[("1.txt", "more odd text\n"), ("2.txt", "boom\n")]);
    stage.file(
        "prog.sh",
        "grep -q odd \"$1\" && echo \"error $CODE\" >&2\ngrep -q boom \"$1\" && kill -SEGV $$\nexit 0\n",
    );
    reduce_all(&stage, "--env CODE=77 --stderr error.77").ended(0);
    let all = listed(&stage);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["title"], "error 77");
    assert_eq!(result(&stage, &all[0]), "odd");
}

#[test]
fn a_limit_on_time_ends_the_run_with_its_results() {
    let stage = endless_at_the_second();
    let ran = reduce_all(&stage, "-j 1 --timeout 1000 --max-time 20").ended(0);
    assert!(
        ran.stderr.contains("stopped at the time limit"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("1 file was not run\n1 failure"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_job_of_continuous_integration_is_told_of_each_failure() {
    let stage = with_files(&[("1.txt", "some boom\n")]);
    let mut command = stage.nubbin("reduce-all crashes --ci -- sh prog.sh {}".split(' '));
    command.env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_STEP_SUMMARY", stage.path("summary.md"));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("::notice title=nubbin::SIGSEGV"), "{said}");
    let summary = stage.text("summary.md");
    assert!(
        summary.contains("| `SIGSEGV` | 1 | 10 → 4 | `segfault.txt` |"),
        "{summary}"
    );
    assert!(
        summary.contains("\n`SIGSEGV`:\n\n```\nboom\n```\n"),
        "{summary}"
    );
    let command = "```sh\nnubbin reduce-all crashes -- sh prog.sh '{}'\n```";
    assert!(summary.contains(command), "{summary}");
    // A folder without a failure is not a failure of the job.
    std::fs::remove_file(stage.path("crashes/1.txt")).unwrap();
    stage.file("crashes/2.txt", "well\n");
    let none = reduce_all(&stage, "-o other --ci").ended(0);
    assert!(
        none.stderr.contains("no file makes `prog` fail"),
        "{}",
        none.stderr
    );
}

#[test]
fn each_file_is_reduced_and_equal_results_are_grouped() {
    let stage = Stage::new();
    for (name, text) in [
        ("a.txt", "one boom two"),
        ("b.txt", "fine"),
        ("c.txt", "three bang"),
        ("d.txt", "boom four"),
    ] {
        stage.file(&format!("in/{name}"), text);
    }
    // One failure for the messages, and two for the results.
    stage.script(
        "app",
        "grep -q -e boom -e bang \"$1\" && echo broken >&2 && exit 3",
    );
    let line = "reduce-all in --each --json -o out --exit 3 --sandbox off -- ./app {}";
    let ran = stage.run(line.split(' ')).ended(0);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let results = serde_json::json!([
        { "file": "a.txt", "bytes": 4, "done": true, "files": ["a.txt", "d.txt"] },
        { "file": "c.txt", "bytes": 4, "done": true, "files": ["c.txt"] },
    ]);
    assert_eq!(answer["results"], results);
    assert_eq!(answer["counts"]["failing"], 3);
    assert_eq!(answer["files"][1]["outcome"], "no-failure");
    assert_eq!(stage.text("out/d.txt"), "boom");
    assert_eq!(stage.text("out/results.jsonl").lines().count(), 2);
    let refused = "reduce-all in --each --identity x -o out -- ./app {}";
    stage.run(refused.split(' ')).ended(2).said(&["--identity"]);
    let none = "reduce-all in --each -o other --exit 9 --sandbox off -- ./app {}";
    stage
        .run(none.split(' '))
        .ended(3)
        .said(&["no file makes `app` fail"]);
}

/// Fails by an assertion that depends on two words, and by another one if the second is missing.
const TWO_FAILURES: &str = "\
    grep -q one \"$1\" || exit 0\n\
    what=y; grep -q two \"$1\" && what=x\n\
    echo \"app: /src/a.c:12: f: Assertion \\`$what' failed.\" >&2\nexit 3";

#[test]
fn a_reduction_of_each_file_keeps_its_failure_or_says_that_the_result_has_another() {
    let stage = Stage::new();
    stage.file("in/a.txt", "zero\none\ntwo\n");
    stage.script("app", TWO_FAILURES);
    let run = |line: &str| stage.run(line.split(' ')).ended(0);
    run("reduce-all in --each -o out --exit 3 -- ./app {}");
    let text = stage.text("out/a.txt");
    assert!(text.contains("one") && text.contains("two"), "{text}");
    let ran = run("reduce-all in --each -o other --stderr Assertion -- ./app {}");
    ran.said(&[
        "it shows another failure: assertion: `y`",
        "warning: 1 result shows another failure than its file",
        "`a.txt`: assertion: `x`",
    ]);
    let ran = run("reduce-all in --each --json -o json --stderr Assertion -- ./app {}");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let changed = &answer["files"][0]["changed_failure"];
    assert!(
        changed["result"].as_str().unwrap().contains("`y`"),
        "{answer}"
    );
}

#[test]
fn with_a_limit_on_the_time_each_file_is_run_before_one_is_reduced() {
    let stage = with_files(&[
        ("1.txt", "some text\n(bang)\n"),
        ("2.txt", "all is well\n"),
        ("3.txt", "more text\n(bang)\n"),
        ("4.txt", "some text\nboom\n"),
    ]);
    let ran = reduce_all(&stage, "--each --max-time 1000").ended(0);
    let lines: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains(" of "))
        .collect();
    // One file of each failure comes first.
    for (line, begin) in lines.iter().zip([
        "2 of 4  2.txt: does not fail",
        "1 of 3  1.txt: ",
        "2 of 3  4.txt: ",
        "3 of 3  3.txt: ",
    ]) {
        assert!(line.starts_with(begin), "{lines:?}");
    }
    assert_eq!(stage.text("crashes.min/3.txt"), "bang");
    // A file that the limit stopped before its first test ended was not run.
    let stage = with_files(&[("1", "slow")]);
    stage.file("prog.sh", "sleep 1000\n");
    let ran = reduce_all(&stage, "--each --max-time 1 --json --timeout 1000").ended(8);
    let text = ran.stdout.lines().collect::<String>();
    let mut answers = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let answer = answers.next().unwrap().unwrap();
    assert_eq!(answer["counts"]["not_run"], 1, "{answer}");
    assert_eq!(answer["files"], serde_json::json!([]));
}

#[test]
fn a_job_of_continuous_integration_reduces_each_file() {
    let stage = with_files(&[("1.txt", "some boom\n"), ("2.txt", "well\n")]);
    let mut command = stage.nubbin("reduce-all crashes --each --ci -- sh prog.sh {}".split(' '));
    command.env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_STEP_SUMMARY", stage.path("summary.md"));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("::notice title=nubbin::1.txt: 4 bytes, in 1 file"),
        "{said}"
    );
    let summary = stage.text("summary.md");
    assert!(summary.contains("2 files: 1 fail"), "{summary}");
    std::fs::remove_file(stage.path("crashes/1.txt")).unwrap();
    reduce_all(&stage, "--each -o other --ci")
        .ended(0)
        .said(&["no file makes `prog` fail"]);
}

#[test]
fn a_result_of_a_reduction_that_a_limit_stopped_is_marked_everywhere() {
    let stage = Stage::new();
    for name in ["a", "b"] {
        let lines: String = (0..99).map(|line| format!("{name}{line} x;\n")).collect();
        stage.file(&format!("in/{name}"), lines + "boom\n");
    }
    stage.script("app", "grep -q boom \"$1\" && echo broken >&2 && exit 3");
    let run = |line: &str| stage.run(line.split(' ')).ended(0);
    run("reduce-all in --each -o out --exit 3 --max-tests 4 -- ./app {}").said(&[
        "tests, not reduced to the end",
        "0 different results\n2 results not reduced to the end",
        "`--max-tests N`",
    ]);
    let ran = run("reduce-all in --each --json -o out2 --exit 3 --max-tests 4 -- ./app {}");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["counts"]["not_done"], 2);
    assert_eq!(answer["files"][0]["done"], false);
    assert_eq!(answer["results"][1]["done"], false);
    let line = "reduce-all in -o out3 --exit 3 --max-tests 4 --report r.html -- ./app {}";
    run(line).said(&["not reduced to the end: a limit stopped the reduction"]);
    assert!(stage.text("out3/failures.jsonl").contains("\"done\":false"));
    assert!(stage.text("r.html").contains("not reduced to the end"));
}

#[test]
fn a_result_that_says_little_is_told_of() {
    let stage = Stage::new();
    stage.file("in/a", "one two three four five\n".repeat(9));
    stage.script("app", "test -s \"$1\" && exit 3; exit 0");
    for each in ["", "--each "] {
        let line = format!("reduce-all in {each}-o out{each} --exit 3 -- ./app {{}}");
        let note = "the result has 1 byte, so the failure may not depend on the input";
        stage.run(line.split_whitespace()).ended(0).said(&[note]);
    }
    let line = "reduce in/a -o r --exit 3 -- ./app {}";
    stage
        .run(line.split(' '))
        .ended(0)
        .said(&["warning: the result has 1 byte"]);
    let line = "explain in/a --exit 3 -- ./app {}";
    stage
        .run(line.split(' '))
        .ended(0)
        .said(&["no part of the input is needed"]);
}

#[test]
fn a_condition_that_an_empty_file_meets_as_well_is_told_once() {
    let stage = Stage::new();
    for (name, text) in [("a", "one boom"), ("b", "fine"), ("c", "boom two")] {
        stage.file(&format!("in/{name}"), text);
    }
    stage.script("app", "test -s \"$1\" || exit 1\n! grep -q boom \"$1\"");
    let line = "reduce-all in --each -o out --exit 1 -- ./app {}";
    let ran = stage.run(line.split(' ')).ended(9).said(&[
        "3 files: 0 fail, and 2 as an empty file does",
        "error: `app` fails on 2 files and on an empty one, so none is reduced",
        "leave out `--exit`",
    ]);
    assert_eq!(ran.stderr.matches("error:").count(), 1, "{}", ran.stderr);
}

#[test]
fn several_inputs_that_do_not_fail_together_are_told_of_reduce_all() {
    let stage = Stage::new();
    stage.file("in/a", "boom");
    stage.file("in/b", "boom");
    let ran = stage
        .run(["reduce", "in/a", "in/b", "--", "false"])
        .ended(3);
    ran.said(&["nubbin reduce-all in"]);
}

#[test]
fn a_folder_whose_files_fail_by_themselves_is_told_of_reduce_all() {
    let stage = Stage::new();
    stage.file("in/a", "boom");
    stage.file("in/b", "boom");
    stage.script(
        "app",
        "[ -f \"$1\" ] || exit 0; grep -q boom \"$1\" && exit 3",
    );
    // The line has the conditions of the command.
    let line = "nubbin reduce-all in --exit 3 -- ./app {}";
    let args = "reduce in --exit 3 -- ./app {}";
    stage.run(args.split(' ')).ended(3).said(&[line]);
    stage.run(line.split(' ').skip(1)).ended(0);
    std::fs::remove_dir_all(stage.path("in.min")).unwrap();
    let args = "reduce in --same-failure -- ./app {}";
    let ran = stage.run(args.split(' '));
    ran.ended(3).said(&["nubbin reduce-all in -- ./app {}"]);
    // A folder with folders is a project.
    stage.file("in/sub/c", "boom");
    let ran = stage
        .run("reduce in --exit 3 -- ./app {}".split(' '))
        .ended(3);
    assert!(!ran.stderr.contains("reduce-all"), "{}", ran.stderr);
}

#[test]
fn exit_codes_that_are_not_failures_are_told() {
    let stage = with_files(&[("1", "boom"), ("2", "odd"), ("3", "as odd"), ("4", "fine")]);
    let hint = "hint: on 2 files without a failure, the program ends with exit code 9: `--exit 9`";
    reduce_all(&stage, "").ended(0).said(&[hint]);
    let ran = reduce_all(&stage, "-o other --exit 9").ended(0);
    assert!(!ran.stderr.contains("without a failure"), "{}", ran.stderr);
    let stage = with_files(&[("1", "boom"), ("2", "fine")]);
    let ran = reduce_all(&stage, "").ended(0);
    assert!(!ran.stderr.contains("without a failure"), "{}", ran.stderr);
}

#[test]
fn files_that_only_an_exit_code_groups_are_told_of_each() {
    let stage = with_files(&[
        ("1.txt", "an odd one\n"),
        ("2.txt", "odd\n"),
        ("3.txt", "bang\n"),
    ]);
    let ran = reduce_all(&stage, "--exit 9").ended(0);
    ran.said(&["hint: only `exit code 9` groups 2 files; `--each`"]);
    let stage = with_files(&[
        ("1.txt", "an odd one\n"),
        ("2.txt", "bang\n"),
        ("3.txt", "bang\n"),
    ]);
    let ran = reduce_all(&stage, "--exit 9").ended(0);
    assert!(!ran.stderr.contains("--each"), "{}", ran.stderr);
}

#[test]
fn the_list_of_each_keeps_its_name_and_tells_of_missing_results() {
    let stage = with_files(&[("results.jsonl", "boom")]);
    reduce_all(&stage, "--each").ended(5).said(&[
        "crashes/results.jsonl` would have the name of the list of results",
        "give the file another name",
    ]);
    assert!(!stage.path("crashes.min/results.jsonl").exists());

    let stage = with_files(&[]);
    let ran = reduce_all(&stage, "--each").ended(5);
    ran.said(&["contains no file"]);

    // A list of an earlier run does not remain, and a file that cannot be made ends no run.
    let stage = with_files(&[("a", "boom"), ("b", "odd boom")]);
    reduce_all(&stage, "--each").ended(0);
    std::fs::remove_file(stage.path("crashes/a")).unwrap();
    stage.file("crashes/a/c", "boom");
    let ran = reduce_all(&stage, "--each --force").ended(0);
    ran.said(&["2 files: 1 fail", "1 file could not be reduced"]);
    stage.file("crashes/b", "all is well");
    reduce_all(&stage, "--each --force").ended(3);
    assert_eq!(stage.text("crashes.min/results.jsonl"), "");
}
