use super::*;
use crate::command::TestCommand;
use crate::oracle::Options;
use std::time::Duration;

/// Diagnoses this script on an input `in.c` with the content `bug`, beside some other files.
fn findings(script: &str, args: &str, change: impl FnOnce(&mut Options)) -> (Vec<Finding>, String) {
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
    let files = [File {
        name: Path::new("in.c"),
        bytes: b"bug",
    }];
    let diagnosis = diagnose(&oracle, &Candidate::new(&files), user_dir).unwrap();
    (diagnosis.findings.clone(), diagnosis.to_string())
}

fn first(script: &str, args: &str) -> Finding {
    findings(script, args, |_| {}).0.remove(0)
}

#[test]
fn a_neighbouring_file_is_found_by_comparing_both_folders() {
    let script = "#!/bin/sh\ncmp -s in.c expected.txt";
    let (findings, text) = findings(script, "", |_| {});
    let files = vec![PathBuf::from("expected.txt")];
    assert_eq!(findings, [Finding::NeedsFolder { files }]);
    assert!(
        text.contains("most likely: the test uses files of your own folder"),
        "{text}"
    );
    assert!(text.contains("add `--with expected.txt`"), "{text}");
    assert!(text.contains("in your own folder: exit code 0"), "{text}");
}

#[test]
fn a_test_that_depends_on_its_folder_in_another_way_is_found_as_well() {
    let found = first("#!/bin/sh\n[ -f ./t*.sh ] && grep -q bug in.c", "");
    assert_eq!(found, Finding::NeedsFolder { files: vec![] });
}

#[test]
fn an_inverted_exit_code_is_found_by_an_empty_input() {
    let (findings, text) = findings("#!/bin/sh\n! grep -q bug in.c", "", |_| {});
    assert_eq!(findings, [Finding::Inverted { code: 1 }]);
    assert!(text.contains("use `--exit 1`"), "{text}");
}

#[test]
fn a_command_that_is_not_there_is_named() {
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
fn a_missing_argument_and_an_unnamed_input_are_told_apart() {
    let name = "in.c".to_owned();
    let found = first(
        "#!/bin/sh\ngrep -q bug \"$1\" 2>/dev/null && exit 0; exit 3",
        "",
    );
    assert_eq!(
        found,
        Finding::InputNotUsed {
            name: name.clone(),
            wants_argument: true
        }
    );
    let found = first("#!/bin/sh\ngrep -q bug", "");
    assert_eq!(
        found,
        Finding::InputNotUsed {
            name,
            wants_argument: false
        }
    );
}

#[test]
fn a_fixed_path_of_the_original_is_found() {
    let found = first("#!/bin/sh\ngrep -q other HERE/in.c", "{}");
    assert!(matches!(found, Finding::FixedPath { .. }), "{found:?}");
}

#[test]
fn a_test_that_is_too_slow_is_run_once_only() {
    let limit = Duration::from_millis(200);
    let change = |options: &mut Options| options.timeout = Some(limit);
    let (findings, text) = findings("#!/bin/sh\nsleep 1000", "{}", change);
    assert_eq!(findings, [Finding::TimedOut { limit }]);
    assert!(text.contains("timed out after 200ms"), "{text}");
}

#[test]
fn an_unsteady_test_is_counted() {
    let script = "#!/bin/sh\ncount=HERE/count; echo >> $count; [ $(($(wc -l < $count) % 2)) = 0 ]";
    assert_eq!(
        first(script, "{}"),
        Finding::Unsteady { failed: 2, runs: 4 }
    );
}

#[test]
fn a_crash_of_the_command_itself_is_answered_with_the_flag_for_it() {
    let found = first("#!/bin/sh\nkill -SEGV $$", "{}");
    assert_eq!(
        found,
        Finding::Crashed {
            name: "SIGSEGV".into()
        }
    );
    assert_eq!(first("#!/bin/sh\nexit 125", "{}"), Finding::Abstained);
}

#[test]
fn a_name_counts_as_a_whole_word_only() {
    assert!(names_word("cat a.c", "a.c"));
    assert!(names_word("cat ./a.c; rm b", "a.c"));
    assert!(names_word("uses a.c.", "a.c"));
    assert!(!names_word("cat aa.c a.cc a.c.orig", "a.c"));
}
