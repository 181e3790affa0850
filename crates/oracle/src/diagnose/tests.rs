use super::named::names_word;
use super::neighbors::NEIGHBORS;
use super::*;
use crate::command::TestCommand;
use crate::options::Options;
use crate::sandbox::Sandbox;
use std::time::Duration;

/// Creates a test from this script, for an input `in.c` with the content `bug` next to other files.
fn stage(
    script: &str,
    args: &str,
    change: impl FnOnce(&mut Options),
) -> (tempfile::TempDir, CommandOracle) {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let user_dir = dir.path();
    let script = script.replace("HERE", &user_dir.to_string_lossy());
    for (name, text) in [
        ("test.sh", &*script),
        ("in.c", "bug"),
        ("expected.txt", "bug"),
    ] {
        std::fs::write(user_dir.join(name), text).unwrap();
    }
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(user_dir.join("test.sh"), mode).unwrap();
    let words = format!("./test.sh {args}")
        .split_whitespace()
        .map(Into::into)
        .collect();
    let command = TestCommand::new(words, user_dir).unwrap();
    let mut options = Options::new(command, vec!["in.c".into()]);
    change(&mut options);
    let oracle = CommandOracle::new(options).unwrap();
    (dir, oracle)
}

fn findings(script: &str, args: &str, change: impl FnOnce(&mut Options)) -> (Vec<Finding>, String) {
    let (dir, oracle) = stage(script, args, change);
    let files = input();
    let diagnosis = diagnose(&oracle, &Candidate::new(&files), dir.path()).unwrap();
    (diagnosis.findings.clone(), diagnosis.to_string())
}

fn input() -> [File<'static>; 1] {
    [File {
        name: Path::new("in.c"),
        bytes: b"bug",
    }]
}

fn first(script: &str, args: &str) -> Finding {
    findings(script, args, |_| {}).0.remove(0)
}

#[test]
fn a_neighboring_file_is_found_by_a_run_with_copies() {
    let script = "#!/bin/sh\ncmp -s in.c expected.txt";
    let (findings, text) = findings(script, "", |_| {});
    let files = vec![PathBuf::from("expected.txt")];
    assert_eq!(findings, [Finding::NeedsFolder { files }]);
    assert!(
        text.contains("most likely: the test uses neighbors of the input"),
        "{text}"
    );
    assert!(
        text.contains("together with the files next to it: exit code 0"),
        "{text}"
    );
}

#[test]
fn files_that_a_missing_file_needs_are_found_as_well() {
    let (dir, oracle) = stage("#!/bin/sh\n. ./one.sh", "", |_| {});
    std::fs::write(dir.path().join("one.sh"), ". ./two.sh\n").unwrap();
    std::fs::write(dir.path().join("two.sh"), "exit 5\n").unwrap();
    let diagnosis = diagnose(&oracle, &Candidate::new(&input()), dir.path()).unwrap();
    let files = ["one.sh", "two.sh"].map(PathBuf::from).to_vec();
    let wanted = Finding::NeedsFolder { files };
    assert!(diagnosis.findings.contains(&wanted), "{diagnosis}");
}

#[test]
fn the_original_survives_a_test_that_writes_to_its_input() {
    let script = "#!/bin/sh\n[ -f expected.txt ] && echo gone >expected.txt
        chmod u+w \"$1\"; echo gone >\"$1\"; rm -f in.c expected.txt
        [ \"$(cat HERE/in.c HERE/expected.txt)\" = bugbug ] && exit 3; exit 4";
    let (_, text) = findings(script, "{}", |_| {});
    assert!(
        text.contains("together with the files next to it: exit code 3"),
        "{text}"
    );
    assert!(!text.contains("exit code 4"), "{text}");
}

#[test]
fn neighbors_that_are_too_many_to_copy_are_found_by_their_names() {
    let script = "#!/bin/sh\nls HERE/n1 >/dev/null 2>&1; cmp -s in.c expected.txt";
    let (dir, oracle) = stage(script, "", |_| {});
    for number in 0..NEIGHBORS {
        std::fs::write(dir.path().join(format!("n{number}")), "").unwrap();
    }
    let diagnosis = diagnose(&oracle, &Candidate::new(&input()), dir.path()).unwrap();
    assert!(diagnosis.own.is_none());
    let text = diagnosis.to_string();
    assert!(
        text.contains("not tried, there are more than 1000"),
        "{text}"
    );
    let names_it = |finding: &Finding| matches!(finding, Finding::NeedsFolder { files } if files.contains(&"expected.txt".into()));
    assert!(diagnosis.findings.iter().any(names_it), "{text}");
}

#[test]
fn a_link_beside_the_input_is_not_copied_for_the_test() {
    let script = "#!/bin/sh\necho gone 2>/dev/null >away; exit 1";
    let (dir, oracle) = stage(script, "in.c", |_| {});
    let target = dir.path().join("expected.txt");
    std::os::unix::fs::symlink(target, dir.path().join("away")).unwrap();
    diagnose(&oracle, &Candidate::new(&input()), dir.path()).unwrap();
    let text = std::fs::read_to_string(dir.path().join("expected.txt")).unwrap();
    assert_eq!(text, "bug");
}

#[test]
fn a_cancelled_diagnosis_has_its_runs_and_no_findings() {
    let (dir, oracle) = stage("#!/bin/sh\nsleep 1000", "{}", |_| {});
    let cancel = Cancel::new();
    let begin = std::time::Instant::now();
    let diagnosis = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        diagnose_with(&oracle, &Candidate::new(&input()), dir.path(), &cancel).unwrap()
    });
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(diagnosis.private.cut_short, Some(Unresolved::Cancelled));
    assert_eq!(diagnosis.findings, []);
    assert!(diagnosis.own.is_none());
}

#[test]
fn the_command_is_shown_with_the_path_of_the_candidate() {
    let (_, text) = findings("#!/bin/sh\nexit 3", "--in={}", |_| {});
    assert!(text.contains("/0/work/in.c\n"), "{text}");
}

#[test]
fn the_command_is_shown_with_its_arguments() {
    let (dir, oracle) = stage("#!/bin/sh\nexit 3", "{args} in.c", |options| {
        options.parameters.arguments = vec!["{args}".into()];
        let build = TestCommand::shell_in("true {args}", Path::new("/")).unwrap();
        options.build = Some(build);
    });
    let arguments = File {
        name: Path::new("{args}"),
        bytes: b"-O2\n'a b'\n",
    };
    let files = [input()[0], arguments];
    let diagnosis = diagnose(&oracle, &Candidate::new(&files), dir.path()).unwrap();
    let command = &diagnosis.command;
    assert!(command.ends_with("test.sh -O2 'a b' in.c"), "{command}");
    assert_eq!(diagnosis.build.as_deref(), Some("true -O2 'a b'"));
}

#[test]
fn the_path_of_the_original_in_the_command_is_a_finding_with_a_correction() {
    let (dir, _) = stage("#!/bin/sh\nexit 3", "", |_| {});
    let real = dir.path().canonicalize().unwrap().join("in.c");
    let here = std::env::current_dir().unwrap();
    let up = "../".repeat(here.components().count() - 1);
    let relative = format!("{up}{}", &real.display().to_string()[1..]);
    for typed in [relative, real.display().to_string()] {
        let words = [
            "sh".into(),
            "-c".into(),
            format!("cat '{typed}'; exit 3").into(),
        ];
        let command = TestCommand::new(words.into(), dir.path()).unwrap();
        let oracle = CommandOracle::new(Options::new(command, vec!["in.c".into()])).unwrap();
        let diagnosis = diagnose(&oracle, &Candidate::new(&input()), dir.path()).unwrap();
        let name = PathBuf::from("in.c");
        let text = diagnosis.to_string();
        assert_eq!(
            diagnosis.findings[0],
            Finding::TypedPath { typed, name },
            "{text}"
        );
        assert!(text.contains("(write `{}` or `in.c`)"), "{text}");
    }
    for args in ["in.c", "./in.c", "{}"] {
        let found = first("#!/bin/sh\nexit 3", args);
        assert!(
            !matches!(found, Finding::TypedPath { .. }),
            "{args}: {found:?}"
        );
    }
}

#[test]
fn a_command_to_compare_with_that_is_missing_or_agrees_is_reported() {
    let with = |line: &'static str| {
        findings("#!/bin/sh\nexit 0", "{}", move |options| {
            let other = TestCommand::shell(line).unwrap();
            options.predicate = crate::Predicate::new().differs_from(other);
        })
    };
    let (found, text) = with("./old-db {}");
    let is_missing = matches!(
        &found[..],
        [Finding::OtherCommand {
            code: Some(127),
            ..
        }]
    );
    assert!(is_missing && text.contains("absolute path"), "{text}");
    let (found, text) = with("true {}");
    let agrees = matches!(&found[..], [Finding::OtherCommand { code: None, .. }]);
    assert!(agrees && text.contains("no difference"), "{text}");
}

#[test]
fn a_test_that_depends_on_its_folder_without_naming_files_is_found() {
    let found = first("#!/bin/sh\n[ -f ./t*.sh ] && grep -q bug in.c", "");
    assert_eq!(found, Finding::NeedsFolder { files: vec![] });
}

#[test]
fn an_inverted_exit_code_is_found_by_an_empty_input() {
    let (findings, text) = findings("#!/bin/sh\n! grep -q bug in.c", "", |_| {});
    let (code, message) = (1, None);
    assert_eq!(findings, [Finding::Inverted { code, message }]);
    assert!(text.contains("invert the test"), "{text}");
}

#[test]
fn an_inverted_exit_code_with_a_message_is_found_with_the_message() {
    let script = "#!/bin/sh\ngrep -q bug in.c || exit 0\n\
                  echo 'Parse error near line 3: no such table: nosuch' >&2; exit 1";
    let (findings, _) = findings(script, "", |_| {});
    let parts = vec![
        "Parse error near line ".into(),
        "no such table: nosuch".into(),
    ];
    let is_stderr = true;
    let message = Some(FailureMessage { parts, is_stderr });
    assert_eq!(findings, [Finding::Inverted { code: 1, message }]);
}

#[test]
fn a_missing_command_is_named() {
    let (findings, _) = findings("#!/bin/sh\nno-such-tool in.c", "", |_| {});
    let Finding::NotRun {
        code: 127,
        line: Some(line),
    } = &findings[0]
    else {
        panic!("{findings:?}")
    };
    assert!(line.contains("no-such-tool"), "{line}");
}

#[test]
fn a_missing_argument_and_an_unnamed_input_are_different_findings() {
    let name = "in.c".to_owned();
    let found = first(
        "#!/bin/sh\ngrep -q bug \"$1\" 2>/dev/null && exit 0; exit 3",
        "",
    );
    assert_eq!(
        found,
        Finding::InputNotUsed {
            name: name.clone(),
            wants_argument: true,
            is_folder: false,
        }
    );
    let found = first("#!/bin/sh\ngrep -q bug", "");
    assert_eq!(
        found,
        Finding::InputNotUsed {
            name,
            wants_argument: false,
            is_folder: false,
        }
    );
}

#[test]
fn a_fixed_path_of_the_original_is_found() {
    let found = first("#!/bin/sh\ngrep -q other HERE/in.c", "{}");
    assert!(matches!(found, Finding::FixedPath { .. }), "{found:?}");
}

#[test]
fn a_test_that_is_too_slow_is_run_only_once() {
    let limit = Duration::from_millis(200);
    let change = |options: &mut Options| options.timeout = Some(limit);
    let (findings, text) = findings("#!/bin/sh\nsleep 1000", "{}", change);
    assert_eq!(findings, [Finding::TimedOut { limit }]);
    assert!(text.contains("timed out after 200ms"), "{text}");
}

#[test]
fn a_flaky_test_is_found_with_the_number_of_its_failures() {
    let script = "#!/bin/sh\ncount=HERE/count; echo >> $count; [ $(($(wc -l < $count) % 2)) = 0 ]";
    assert_eq!(first(script, "{}"), Finding::Flaky { failed: 2, runs: 4 });
}

#[test]
fn a_crash_of_the_command_itself_is_found() {
    let found = first("#!/bin/sh\nkill -SEGV $$", "{}");
    assert_eq!(
        found,
        Finding::Crashed {
            name: "SIGSEGV".into()
        }
    );
    assert_eq!(first("#!/bin/sh\nexit 125", "{}"), Finding::Abstained);
}

/// Creates a test from this script, next to a folder `project` with a file.
fn folder_findings(script: &str, name: &str) -> Vec<Finding> {
    let name = Path::new(name);
    let (dir, oracle) = stage(script, "", |options| {
        options.names = vec![name.into()];
        options.place = Some("project".into());
        options.sandbox = Some(Sandbox::new());
    });
    let folder = name.parent().unwrap();
    std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    std::fs::write(dir.path().join(name), "bug").unwrap();
    let bytes = b"bug";
    let files = [File { name, bytes }];
    let diagnosis = diagnose(&oracle, &Candidate::new(&files), dir.path()).unwrap();
    diagnosis.findings
}

#[test]
fn a_test_that_starts_inside_the_input_folder_is_found_by_a_run_there() {
    let name = || "project".to_owned();
    let found = folder_findings("#!/bin/sh\ngrep -q bug part.c", "project/part.c");
    assert_eq!(found, [Finding::StartsInside { name: name() }]);
    let within = "project/project/part.c";
    let found = folder_findings("#!/bin/sh\ngrep -q bug project/part.c", within);
    assert_eq!(found, [Finding::StartsInside { name: name() }]);
    let found = folder_findings("#!/bin/sh\ngrep -q other part.c", "project/part.c");
    let unused = Finding::InputNotUsed {
        name: name(),
        wants_argument: false,
        is_folder: true,
    };
    assert_eq!(found[0], unused);
}

#[test]
fn an_exception_of_the_command_is_told_with_the_files_that_it_needs() {
    let print = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'a'";
    let script = format!(
        "#!/bin/sh\n: in.c\ncat expected.txt || exit 2\n[ -s in.c ] || exit 0\nprintf '%s\\n' \"{print}\" >&2; exit 1"
    );
    let (findings, text) = findings(&script, "", |_| {});
    let [
        Finding::NeedsFolder { .. },
        Finding::OwnFailure { signature },
    ] = &findings[..]
    else {
        panic!("{text}")
    };
    assert!(signature.contains("KeyError"), "{signature}");
    let by_code = first("#!/bin/sh\n: in.c\nexit 4", "");
    assert!(matches!(by_code, Finding::Unmet { .. }), "{by_code:?}");
}

#[test]
fn a_name_counts_only_as_a_whole_word() {
    assert!(names_word("cat a.c", "a.c"));
    assert!(names_word("cat ./a.c; rm b", "a.c"));
    assert!(names_word("uses a.c.", "a.c"));
    assert!(!names_word("cat aa.c a.cc a.c.orig", "a.c"));
}
