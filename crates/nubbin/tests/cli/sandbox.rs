//! The sandbox: candidates that would do harm, and tests that need more than it permits.
//!
//! Whatever these candidates destroy lies in a folder of the test.

use crate::skip::skipped;
use crate::stage::{Ran, Stage};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Returns whether this machine has the whole sandbox. If not, reports that the test is skipped.
pub(crate) fn has_sandbox() -> bool {
    let stage = Stage::with_crash("crash\n");
    let ran = stage.run([
        "reduce",
        "--sandbox",
        "on",
        "-o",
        "out",
        "input.txt",
        "--",
        "./test.sh",
    ]);
    let is_whole = ran.code == Some(0) && !ran.stderr.contains("does not restrict");
    if !is_whole {
        skipped("sandbox");
    }
    is_whole
}

/// A stage beside a folder of files that must stay.
struct Harm {
    stage: Stage,
    victim: tempfile::TempDir,
}

impl Harm {
    fn new() -> Self {
        let victim = tempfile::tempdir().unwrap();
        std::fs::create_dir(victim.path().join("photos")).unwrap();
        std::fs::write(victim.path().join("photos/1"), "precious").unwrap();
        Harm {
            stage: Stage::confined(),
            victim,
        }
    }

    fn at(&self) -> String {
        self.victim.path().display().to_string()
    }

    fn photo(&self) -> PathBuf {
        self.victim.path().join("photos/1")
    }

    fn is_untouched(&self) -> bool {
        let names = |path: PathBuf| std::fs::read_dir(path).map_or(0, Iterator::count);
        std::fs::read(self.photo()).is_ok_and(|photo| photo == b"precious")
            && names(self.victim.path().to_owned()) == 1
            && names(self.victim.path().join("photos")) == 1
    }

    fn reduce(&self, flags: &str, input: &str) -> Ran {
        let args = format!("reduce -o out --algorithm ddmin {flags} {input} -- ./test.sh");
        self.stage.run(args.split_whitespace())
    }
}

/// Checks that the candidates of this input do harm outside of the sandbox, and none inside.
#[track_caller]
fn does_no_harm(name: &str, text: impl Fn(&str) -> String, test: &str) {
    if !has_sandbox() {
        return;
    }
    for (flags, is_safe) in [("", true), ("--sandbox off", false)] {
        let harm = Harm::new();
        harm.stage.file(name, text(&harm.at()));
        harm.stage.script("test.sh", test);
        let ran = harm.reduce(flags, name);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(harm.is_untouched(), is_safe, "{flags}: {}", ran.stderr);
    }
}

#[test]
fn a_script_without_the_line_that_names_a_folder_removes_nothing() {
    let text =
        |at: &str| format!("PART=build\nmkdir -p $PART\nrm -rf \"{at}/$PART\"\necho crash\n");
    does_no_harm("build.sh", text, "sh ./build.sh | grep -q crash");
}

#[test]
fn a_makefile_without_its_variable_cleans_nothing() {
    if !Command::new("make")
        .arg("--version")
        .output()
        .is_ok_and(|out| out.status.success())
    {
        skipped("make");
        return;
    }
    let text = |at: &str| {
        format!("OUT = build\nall: clean\n\t@echo crash\nclean:\n\trm -rf {at}/$(OUT)\n")
    };
    does_no_harm("Makefile", text, "make 2>&1 | grep -q '^crash'");
}

#[test]
fn a_program_that_moves_and_truncates_files_changes_nothing() {
    let text = |at: &str| {
        format!(
            "name = '{at}/photos/1'\nname = name and 'own'\nopen(name, 'w').close()\nprint('crash')\n"
        )
    };
    let test = "grep -q open app.py && python3 app.py | grep -q crash";
    does_no_harm("app.py", text, test);
}

/// A process that waits to be killed.
struct Victim(Child);

impl Victim {
    fn new() -> Self {
        Victim(Command::new("sleep").arg("1000").spawn().unwrap())
    }

    fn lives(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn no_candidate_kills_a_process_outside() {
    if !has_sandbox() {
        return;
    }
    for (flags, lives) in [("", true), ("--sandbox off", false)] {
        let mut victim = Victim::new();
        let harm = Harm::new();
        let text = format!(
            "exit_early=yes\n[ $exit_early ] || kill -9 {}\necho crash\n",
            victim.0.id()
        );
        harm.stage.file("stop.sh", text);
        harm.stage.script("test.sh", "sh ./stop.sh | grep -q crash");
        let ran = harm.reduce(flags, "stop.sh");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(victim.lives(), lives, "{flags}: {}", ran.stderr);
    }
}

/// A program that fails only if it can write to the home folder.
fn writes_home() -> Harm {
    let harm = Harm::new();
    harm.stage
        .file("app.sh", "x=1\necho x > ~/log || exit 1\necho crash >&2\n");
    harm.stage.script(
        "test.sh",
        "sh ./app.sh 2> err; cat err >&2; grep -q '^crash' err",
    );
    harm
}

fn reduce_home(harm: &Harm, flags: &str) -> Ran {
    let args = format!("reduce -o out --stats stats.json {flags} app.sh -- ./test.sh");
    let mut command = harm.stage.nubbin(args.split_whitespace());
    command.env("HOME", harm.victim.path().join("photos"));
    let ran = Ran::from(command.output().unwrap());
    harm.stage.assert_clean();
    ran
}

fn stats(harm: &Harm) -> Value {
    serde_json::from_slice(&harm.stage.read("stats.json")).unwrap()
}

#[test]
fn a_test_that_needs_a_file_of_the_home_folder_writes_it_and_the_run_says_so() {
    if !has_sandbox() {
        return;
    }
    let harm = writes_home();
    let log = harm.victim.path().join("photos/log");
    let refused = format!("cannot create {}: Permission denied", log.display());
    let flag = format!("--writable {}", log.display());
    let ran = reduce_home(&harm, "").ended(0);
    let ran = ran.said(&["more permissions", &refused, &format!("`{flag}`")]);
    assert!(!ran.stderr.contains("without a sandbox"), "{}", ran.stderr);
    assert_eq!(stats(&harm)["sandbox"], "on");
    assert_eq!(stats(&harm)["sandbox_permitted"][0], flag.as_str());
    assert_eq!(stats(&harm).get("sandbox_reason"), None);

    // A quiet run says it as well.
    std::fs::remove_file(&log).unwrap();
    let ran = reduce_home(&harm, "--force -q").ended(0);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.said(&["more permissions", &format!("`{flag}`")]);

    // What the run says helps.
    let ran = reduce_home(&harm, &format!("--force {flag}")).ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    assert_eq!(stats(&harm)["sandbox"], "on");
    assert_eq!(stats(&harm).get("sandbox_permitted"), None);

    let ran = reduce_home(&harm, "--force --sandbox off").ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    assert_eq!(stats(&harm)["sandbox_reason"], "`--sandbox off`");
}

#[test]
fn a_test_that_needs_the_home_folder_runs_outside_and_the_run_says_so() {
    if !has_sandbox() {
        return;
    }
    let harm = writes_home();
    // The file is removed at the end, so that only the folder would do.
    harm.stage.file(
        "app.sh",
        "x=1\necho x > ~/log || exit 1\nrm ~/log\necho crash >&2\n",
    );
    let home = harm.victim.path().join("photos");
    let refused = format!("cannot create {}/log: Permission denied", home.display());
    let hint = format!("`--writable {}`", home.display());
    let ran = reduce_home(&harm, "").ended(0);
    let ran = ran.said(&["run without a sandbox", &refused, &hint, "`--sandbox off`"]);
    assert_eq!(
        ran.stderr.matches("run without a sandbox").count(),
        1,
        "{}",
        ran.stderr
    );
    assert_eq!(stats(&harm)["sandbox"], "off");
    let reason = stats(&harm)["sandbox_reason"].as_str().unwrap().to_owned();
    assert!(
        reason.contains("only outside") && reason.contains(&refused),
        "{reason}"
    );

    // A quiet run says it as well.
    let ran = reduce_home(&harm, "--force -q").ended(0);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.said(&["run without a sandbox"]);

    // What the run says helps.
    let ran = reduce_home(&harm, &format!("--force --writable {}", home.display())).ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    assert_eq!(stats(&harm)["sandbox"], "on");
}

#[test]
fn a_program_with_a_log_in_the_home_folder_removes_no_project_there() {
    if !has_sandbox() {
        return;
    }
    let before = |harm: &Harm, name: &str| {
        let path = harm.victim.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    };
    // A new file, one that exists, and temporary files in a folder of the program's own.
    for (log, permitted, made) in [
        (".tool.log", ".tool.log", None),
        (".tool.log", ".tool.log", Some(".tool.log")),
        (".cache/tool/$$", ".cache/tool", Some(".cache/tool/index")),
        (".cache/tool/$$", ".cache/tool", None),
    ] {
        for flags in ["", "-q"] {
            let harm = Harm::new();
            if let Some(made) = made {
                before(&harm, made);
            }
            let home = harm.at();
            let text = format!(
                "PART=build\nmkdir -p \"$(dirname {home}/{log})\" || exit 1\n\
                 echo run > {home}/{log} || exit 1\nrm -rf \"{home}/photos/$PART\"\necho crash\n"
            );
            harm.stage.file("build.sh", text);
            harm.stage
                .script("test.sh", "sh ./build.sh > out; grep -q crash out");
            let args = format!("reduce -o out --algorithm ddmin {flags} build.sh -- ./test.sh");
            let mut command = harm.stage.nubbin(args.split_whitespace());
            let ran = Ran::from(command.env("HOME", harm.at()).output().unwrap()).ended(0);
            assert!(harm.photo().exists(), "{log}: {}", ran.stderr);
            ran.said(&[&format!("`--writable {home}/{permitted}`")]);
        }
    }
}

#[test]
fn a_flaky_test_stays_in_the_sandbox() {
    if !has_sandbox() {
        return;
    }
    let stage = Stage::confined();
    stage.file("input.txt", "a\n");
    for seed in 0..25 {
        stage.file("count", format!("{seed}\n"));
        // Three of ten runs fail, in an order that looks random.
        let script = "read n < $COUNT; n=$(((n * 1103515245 + 12345) % 2147483648)); \
                      echo $n > $COUNT; [ $((n / 65536 % 10)) -lt 3 ]";
        stage.script("test.sh", script);
        let count = stage.path("count").display().to_string();
        let args = format!(
            "reduce --force --fresh -o out --max-tests 1 --env COUNT={count} --writable {count} \
             input.txt -- ./test.sh"
        );
        let ran = stage.run(args.split_whitespace());
        assert!(
            !ran.stderr.contains("without a sandbox") && !ran.stderr.contains("permissions"),
            "{seed}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_sandbox_that_is_demanded_is_never_left() {
    if !has_sandbox() {
        return;
    }
    let harm = writes_home();
    let ran = reduce_home(&harm, "--sandbox on").ended(3);
    ran.said(&[
        "does not fail",
        "ran in a sandbox",
        "--writable",
        "Permission denied",
    ]);
    assert!(harm.is_untouched());
}

#[test]
fn a_port_needs_a_permission() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    harm.stage.file(
        "serve.py",
        "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nprint('crash')\n",
    );
    harm.stage
        .script("test.sh", "python3 serve.py > out; grep -q crash out");
    // Every candidate that prints the word fails, but the original needs the port.
    harm.reduce("", "serve.py")
        .ended(0)
        .said(&["more permissions", "`--network`"]);
    let ran = harm
        .reduce("--force --network --sandbox on", "serve.py")
        .ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    assert_eq!(harm.stage.text("out").trim(), "print('crash')");
}

#[test]
fn a_build_that_needs_the_network_is_told() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    harm.stage.file("proj/main.txt", "nothing\ncrash\n");
    harm.stage.file(
        "fetch.py",
        format!("import socket\nsocket.create_connection(('127.0.0.1', {port})).close()\n"),
    );
    let fetch = harm.stage.path("fetch.py");
    let build = format!("python3 {} && cp proj/main.txt proj/built", fetch.display());
    let args = ["reduce", "proj", "--build", &build];
    let test = ["--", "grep", "-q", "crash", "{}/built"];
    let run = |flags: &[&str]| harm.stage.run(args.iter().chain(flags).chain(&test));
    run(&[]).ended(0).said(&["more permissions", "`--network`"]);
    run(&["--force", "--sandbox", "on"]).ended(3).said(&[
        "the original does not build",
        "sandbox",
        "`--network`",
    ]);
    let ran = run(&["--force", "--sandbox", "on", "--network"]).ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
}

#[test]
fn the_failure_that_is_kept_is_the_one_outside() {
    if !has_sandbox() {
        return;
    }
    let harm = writes_home();
    harm.stage.file(
        "app.py",
        "import os\nopen(os.path.expanduser('~/log'), 'w').close()\n{}['port']\n",
    );
    let home = harm.victim.path().join("photos");
    let args = "reduce -o out --same-failure app.py -- python3 app.py";
    let mut command = harm.stage.nubbin(args.split_whitespace());
    let ran = Ran::from(command.env("HOME", home).output().unwrap());
    let ran = ran.ended(0).said(&["more permissions"]);
    let kept = harm.stage.text("out");
    assert!(
        kept.contains("{}[") && !kept.contains("open"),
        "{kept}{}",
        ran.stderr
    );
}

#[test]
fn a_diagnosis_says_nothing_of_the_sandbox() {
    let stage = Stage::with_crash("well\n");
    let ran = stage.run(["reduce", "-o", "out", "input.txt", "--", "./test.sh"]);
    let ran = ran.ended(3);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
}

#[test]
fn a_path_that_may_be_written_must_exist() {
    let stage = Stage::with_crash("crash\n");
    let args = "reduce -o out --writable nowhere input.txt -- ./test.sh";
    let ran = stage.run(args.split_whitespace());
    ran.ended(2).said(&["`--writable nowhere`"]);
}

#[test]
fn log_and_page_say_whether_there_was_a_sandbox() {
    if !has_sandbox() {
        return;
    }
    let stage = Stage::with_crash("a\ncrash\n");
    for (flag, word, page) in [
        ("auto", "on", "The tests ran in a sandbox."),
        (
            "off",
            "off",
            "The tests ran without a sandbox: `--sandbox off`.",
        ),
    ] {
        let args = format!(
            "reduce --force --fresh -o out --report page.html --json-events log --sandbox {flag} \
             input.txt -- ./test.sh"
        );
        stage.run(args.split_whitespace()).ended(0);
        let log = stage.text("log");
        let started: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        assert_eq!(started["sandbox"], word, "{started}");
        assert!(stage.text("page.html").contains(page));
    }
}

#[test]
fn isolate_and_explain_use_the_sandbox() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    let deed = format!("rm -rf {}/photos", harm.at());
    harm.stage.script(
        "test.sh",
        &format!("{deed} 2>/dev/null\ngrep -q crash input.txt"),
    );
    harm.stage.file("good.txt", "a\n");
    harm.stage.file("input.txt", "a\ncrash\n");
    harm.stage
        .run("isolate good.txt input.txt -- ./test.sh".split_whitespace())
        .ended(0);
    assert!(harm.is_untouched());
    harm.stage.file("input.json", "{\"a\": [1, 2]}");
    harm.stage.script(
        "test.sh",
        &format!("{deed} 2>/dev/null\ngrep -q a input.json"),
    );
    let ran = harm
        .stage
        .run("explain input.json -- ./test.sh".split_whitespace())
        .ended(0);
    assert!(harm.is_untouched(), "{}", ran.stderr);
}

#[test]
fn a_generator_writes_to_its_own_folder_only() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    let own = "echo a > \"$(mktemp)\" && read line && printf '{\"done\": \"text\"}\\n'";
    let args = ["generate", "choices", "--", "sh", "-c", own];
    assert_eq!(harm.stage.run(args).ended(0).stdout, "text\n");
    let own = "read line && printf '{\"done\": \"text\"}\\n'";
    let outside = format!("echo a > {}/new && {own}", harm.at());
    let args = ["generate", "choices", "--", "sh", "-c", &outside];
    let hint = format!("`--writable {}`", harm.at());
    harm.stage
        .run(args)
        .ended(4)
        .said(&["in a sandbox", &hint, "`--sandbox off`"]);
    assert!(harm.is_untouched());
    for flag in [
        "--sandbox=off".to_owned(),
        format!("--writable={}", harm.at()),
    ] {
        let args = ["generate", "choices", &flag, "--", "sh", "-c", &outside];
        harm.stage.run(args).ended(0);
        assert!(!harm.is_untouched());
        std::fs::remove_file(harm.victim.path().join("new")).unwrap();
    }
}

#[test]
fn a_proposer_writes_to_its_own_folder_only() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    harm.stage.file("input.txt", "a\ncrash\n");
    harm.stage.script("test.sh", "grep -q crash input.txt");
    let body = format!(
        "echo a > \"$(mktemp)\" || exit 9\necho a > {}/new || exit 3\nread line\necho '\"done\"'",
        harm.at()
    );
    harm.stage.script("proposer.sh", &body);
    let args = "reduce -o out --proposer ./proposer.sh input.txt -- ./test.sh";
    let hint = format!("`--writable {}`", harm.at());
    let ran = harm.stage.run(args.split_whitespace()).ended(0);
    ran.said(&["exit code 3", "in a sandbox", &hint]);
    assert!(harm.is_untouched());
}

#[test]
fn verdicts_of_a_sandbox_do_not_count_outside() {
    if !has_sandbox() {
        return;
    }
    let harm = Harm::new();
    harm.stage.file("input.txt", "a\nb\nc\nd\ncrash\n");
    harm.stage.script("test.sh", "grep -q crash input.txt");
    let run = |flags: &str| {
        let args =
            format!("reduce --force --stats stats.json -o out {flags} input.txt -- ./test.sh");
        harm.stage.run(args.split_whitespace());
        stats(&harm)["tests_started"].as_u64().unwrap()
    };
    run("-j 1 --max-tests 3");
    assert_eq!(harm.stage.journals("out").len(), 1);
    let other = run("-j 1 --sandbox off");
    let again = run("-j 1 --fresh --sandbox off");
    assert_eq!(other, again);
}
