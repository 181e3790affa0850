//! `nubbin cmin`, with commands that print their coverage.

use crate::stage::Stage;

/// A program that covers a place for each word of its input, and crashes at `crash`.
const PROGRAM: &str = "tr ' ' '\\n' < \"$1\"\ngrep -q crash \"$1\" && kill -SEGV $$\nexit 0";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    for (name, text) in [
        ("in/all", "a b c d e f g h i j k l m n"),
        ("in/first", "a b c d e f g"),
        ("in/deep/second", "h i j k l m n"),
        ("in/third", "a b"),
        ("in/crashing", "crash z"),
    ] {
        let folder = stage.path(name).parent().unwrap().to_owned();
        std::fs::create_dir_all(folder).unwrap();
        stage.file(name, text);
    }
    stage
}

/// Returns the files of the result with their texts.
fn kept(stage: &Stage) -> Vec<(&'static str, String)> {
    let names = ["all", "first", "deep/second", "third", "crashing"];
    let kept = names.into_iter().filter_map(|name| {
        let text = std::fs::read_to_string(stage.path("out").join(name));
        text.ok().map(|text| (name, text))
    });
    kept.collect()
}

#[test]
fn the_smallest_inputs_that_cover_all_are_copied() {
    let stage = stage();
    let words = "cmin in -o out --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(0);
    let expected = [
        ("first", "a b c d e f g".to_owned()),
        ("deep/second", "h i j k l m n".to_owned()),
    ];
    assert_eq!(kept(&stage), expected);
    assert!(
        ran.stderr.contains("5 inputs with 63 bytes to 2 with 26"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .contains("left out 1 input, on which the program crashes"),
        "{}",
        ran.stderr
    );
    // The output of a program that prints no locations gives a choice as well.
    ran.said(&["each line that the command printed counts as a covered location"]);
    assert_eq!(stage.text("in/all"), "a b c d e f g h i j k l m n");
}

#[test]
fn the_answer_in_json_has_the_inputs_and_counts() {
    let stage = stage();
    let words = "cmin in -o out --json --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(0);
    assert_eq!(ran.stderr, "");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let kept =
        serde_json::json!([{"file": "deep/second", "bytes": 13}, {"file": "first", "bytes": 13}]);
    assert_eq!(answer["kept"], kept);
    let counts = ["inputs", "bytes_before", "bytes", "places", "crashed"].map(|key| &answer[key]);
    assert_eq!(
        counts.map(|count| count.as_u64()),
        [5, 63, 26, 14, 1].map(Some)
    );
    // The folder has something in it now.
    let ran = stage.run(words.split_whitespace()).ended(2);
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(error["exit"], 2);
    assert!(
        error["hint"].as_str().unwrap().contains("--output"),
        "{error}"
    );
}

#[test]
fn a_folder_that_cannot_be_used_is_refused_and_none_is_left() {
    let stage = stage();
    let line = |rest: &str| format!("cmin in {rest} {{}}");
    let run = |rest: &str| stage.run(line(rest).split_whitespace());
    run("-o in/out -- ./program")
        .ended(2)
        .said(&["is in the folder of the files"]);
    assert!(!stage.path("in/out").exists());
    stage.file("full/mine", "text");
    run("-o full -- ./program").ended(2).said(&["is not empty"]);
    run("-o out -- ./missing").ended(4);
    stage.script("silent", "exit 0");
    run("-o out --coverage command -- ./silent")
        .ended(3)
        .said(&["no input has any coverage"]);
    assert!(!stage.path("out").exists());
}

#[cfg(unix)]
#[test]
fn links_to_files_are_inputs() {
    let stage = stage();
    std::os::unix::fs::symlink("all", stage.path("in/link")).unwrap();
    std::os::unix::fs::symlink("..", stage.path("in/back")).unwrap();
    std::os::unix::fs::symlink("nowhere", stage.path("in/dangling")).unwrap();
    let words = "cmin in -o out --coverage command -- ./program {}";
    stage
        .run(words.split_whitespace())
        .ended(0)
        .said(&["6 inputs"]);
}

#[test]
fn crashing_inputs_are_kept_on_request() {
    let stage = stage();
    let words = "cmin in -o out --with-crashes -j1 --coverage command -- ./program {}";
    stage.run(words.split_whitespace()).ended(0);
    assert_eq!(kept(&stage).len(), 3);
}

#[test]
fn tracefiles_of_lcov_are_read() {
    let stage = Stage::new();
    let body = "echo SF:a.c; for word in $(cat \"$1\"); do echo \"DA:$word,2\"; done; echo DA:9,0";
    stage.script("program", body);
    std::fs::create_dir(stage.path("in")).unwrap();
    stage.file("in/one", "1 2 3");
    stage.file("in/two", "1 2");
    let words = "cmin in -o out --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(0);
    assert!(
        ran.stderr.contains("all 3 covered locations are kept"),
        "{}",
        ran.stderr
    );
    assert_eq!(std::fs::read_dir(stage.path("out")).unwrap().count(), 1);
}

#[test]
fn nothing_is_written_over_and_nothing_is_kept_without_coverage() {
    let stage = stage();
    std::fs::create_dir(stage.path("out")).unwrap();
    stage.file("out/mine", "x");
    let words = "cmin in -o out --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(2);
    assert!(ran.stderr.contains("is not empty"), "{}", ran.stderr);
    assert_eq!(stage.text("out/mine"), "x");
    let ran = stage
        .run("cmin in -o new --coverage command -- true".split_whitespace())
        .ended(3);
    assert!(
        ran.stderr.contains("no input has any coverage"),
        "{}",
        ran.stderr
    );
    let ran = stage.run("cmin in -o newer --coverage afl -- true".split_whitespace());
    let ran = ran.ended(4);
    assert!(ran.stderr.contains("for its coverage"), "{}", ran.stderr);
}

/// A program that merges inputs as libFuzzer does: each number in an input is a feature.
const LIBFUZZER: &str = r#"for word; do
    case $word in -merge_control_file=*) control=${word#*=} ;; esac
done
sed 1,2d "$control" >names
number=0
while read -r name; do
    echo "STARTED $number 1" >>"$control"
    grep -q crash "$name" && kill -SEGV $$
    grep -q slow "$name" && exit 70
    grep -q exit "$name" && exit 0
    echo "FT $number $(cat "$name")" >>"$control"
    echo "COV $number" >>"$control"
    number=$((number + 1))
done <names"#;

fn stage_of_libfuzzer() -> Stage {
    let stage = Stage::new();
    stage.script("program", LIBFUZZER);
    std::fs::create_dir(stage.path("in")).unwrap();
    for (name, text) in [
        ("in/one", "1 2 3"),
        ("in/two", "1 2"),
        ("in/four", "4"),
        ("in/crashing", "crash 5"),
        ("in/slow", "slow 6"),
        ("in/last", "3 2 1 44444444"),
        ("in/all", "1 2 3 44444444"),
    ] {
        stage.file(name, text);
    }
    stage
}

fn names(stage: &Stage, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(stage.path(folder)).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

#[cfg(unix)]
#[test]
fn the_merge_of_libfuzzer_continues_after_inputs_that_end_it() {
    let stage = stage_of_libfuzzer();
    let run = |rest: &str| {
        let words = format!("cmin in -o {rest} --json --timeout 3 -- ./program -rss_limit_mb=9");
        let ran = stage.run(words.split_whitespace()).ended(0);
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        answer
    };
    for jobs in 1..4 {
        let answer = run(&format!("out{jobs} -j{jobs}"));
        assert_eq!(names(&stage, &format!("out{jobs}")), ["all", "four"]);
        let counts = ["places", "crashed", "cut_short"].map(|key| answer[key].as_u64());
        assert_eq!(counts, [5, 1, 1].map(Some), "{answer}");
        assert_eq!(answer["coverage"], "libfuzzer");
    }
    run("crashes --with-crashes");
    assert_eq!(names(&stage, "crashes"), ["all", "crashing", "four"]);
}

#[cfg(unix)]
#[test]
fn flags_of_libfuzzer_come_after_all_words_of_the_command() {
    let stage = stage_of_libfuzzer();
    // A wrapper runs in the folder of the test.
    let program = stage.path("program").display().to_string();
    let expect = |flags: &str, rest: &str| {
        let own = "-merge_control_file=control -merge_inner=2";
        let check = format!("[ \"$A $*\" = '1 {flags} {own}' ] || exit 9");
        stage.script(
            "program",
            &format!(
                "{check}
{LIBFUZZER}"
            ),
        );
        let out = flags.replace('-', "");
        let line = format!("cmin in -j1 --coverage libfuzzer -- env A=1 {program} {rest}");
        let output = ["-o".to_owned(), out.replace(' ', "")];
        let words = line.split_whitespace().map(str::to_owned);
        let words: Vec<String> = words.collect();
        stage
            .run([&words[..2], &output, &words[2..]].concat())
            .ended(0);
    };
    expect("-timeout=5", "");
    expect("-timeout=7", "-timeout=7");
    let large = "1 ".repeat(1 << 20) + "1";
    stage.file("in/large", &large);
    expect(&format!("-timeout=5 -max_len={}", large.len()), "");
    expect("-max_len=10 -timeout=5", "-max_len=10");
}

#[cfg(unix)]
#[test]
fn an_input_on_which_the_program_exits_is_no_crash() {
    let stage = stage_of_libfuzzer();
    stage.file("in/exiting", "exit 7");
    let run = |words: &str| stage.run(words.split_whitespace()).ended(0);
    let ran = run("cmin in -j1 --with-crashes -o out -- ./program");
    let what = "left out 1 input, on which the program exits before libFuzzer records the coverage";
    assert!(ran.stderr.contains(what), "{}", ran.stderr);
    assert_eq!(names(&stage, "out"), ["all", "crashing", "four"]);
    let ran = run("cmin in -j1 --json -o other -- ./program");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let counts = ["crashed", "cut_short", "exited"].map(|key| answer[key].as_u64());
    assert_eq!(counts, [1, 1, 1].map(Some), "{answer}");
}

#[cfg(unix)]
#[test]
fn all_crashing_inputs_are_kept_if_no_input_has_coverage() {
    let stage = Stage::new();
    stage.script("program", LIBFUZZER);
    std::fs::create_dir(stage.path("in")).unwrap();
    stage.file("in/one", "crash 1");
    stage.file("in/two", "crash 2");
    let words = "cmin in -o out --with-crashes -- ./program";
    stage.run(words.split_whitespace()).ended(0);
    assert_eq!(names(&stage, "out"), ["one", "two"]);
    let words = "cmin in -o none -- ./program";
    let ran = stage.run(words.split_whitespace()).ended(3);
    assert!(
        ran.stderr.contains("no input has any coverage"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("expects"), "{}", ran.stderr);
    ran.said(&[
        "on `one`, the program ends with",
        "`--with-crashes` keeps them",
    ]);
}

#[cfg(unix)]
#[test]
fn a_program_that_notes_no_coverage_is_told_of() {
    let stage = stage_of_libfuzzer();
    let run = |words: &str| stage.run(words.split_whitespace());
    let line = "cmin in -o out --coverage libfuzzer --";
    run(&format!("{line} true"))
        .ended(4)
        .said(&["ends with exit code 0 before its first input", "LLVM 14"]);
    stage.script("other", "echo DONE >>control");
    run(&format!("{line} ./other"))
        .ended(4)
        .said(&["line 1 after the inputs in the control file is unknown"]);
    stage.file("in/a\nb", "1");
    run(&format!("{line} ./program"))
        .ended(5)
        .said(&["has a line break"]);
    assert!(!stage.path("out").exists());
}

#[cfg(unix)]
#[test]
fn the_first_error_ends_the_other_processes() {
    let stage = Stage::new();
    // The slow process outlives the time that a test waits for nubbin.
    let body =
        "if grep -q slow control 2>&1; then exec sleep 1000; fi\nsleep 1\necho DONE >>control";
    stage.script("program", body);
    std::fs::create_dir(stage.path("in")).unwrap();
    stage.file("in/slow", "1");
    stage.file("in/other", "12");
    let words = "cmin in -o out --coverage libfuzzer -j2 -- ./program";
    stage
        .run(words.split_whitespace())
        .ended(4)
        .said(&["line 1 after the inputs in the control file is unknown"]);
}

/// A program that writes the digits of its input as places, as SanitizerCoverage does.
const SANCOV: &str = r#"file=${ASAN_OPTIONS##*coverage_dir=}
file=$(echo "$file" | tr -d '"')/program.$$.sancov
printf '\144\377\377\377\377\377\277\300' >"$file"
for digit in $(cat "$1"); do printf "\\00$digit\0\0\0\0\0\0\0" >>"$file"; done"#;

#[cfg(unix)]
#[test]
fn files_of_sanitizer_coverage_are_read() {
    let stage = Stage::new();
    stage.script("program", SANCOV);
    std::fs::create_dir(stage.path("in")).unwrap();
    for (name, text) in [("in/one", "1 2 3"), ("in/two", "1 2"), ("in/three", "7")] {
        stage.file(name, text);
    }
    let words = "cmin in -o out --coverage sancov -j2 -- ./program {}";
    stage
        .run(words.split_whitespace())
        .ended(0)
        .said(&["all 4 covered locations are kept"]);
    assert_eq!(names(&stage, "out"), ["one", "three"]);
}

#[test]
fn the_output_of_a_program_that_covers_nothing_is_shown() {
    let stage = stage();
    let run = |line: &str| stage.run(line.split_whitespace());
    stage.script("lost", "cat list.txt || exit 3");
    run("cmin in -o out --coverage command -- ./lost {}")
        .ended(3)
        .said(&[
            "no input has any coverage",
            "on `third`, the program ends with exit code 3; the end of its output:",
            "stderr: cat: list.txt: No such file",
            "`--with FILE`",
        ]);
    stage.script("silent", "exit 0");
    let ran = run("cmin in -o out --coverage command -- ./silent {}").ended(3);
    ran.said(&["it prints nothing", "`--coverage command` expects"]);
    stage.script("crashing", "echo broken >&2; kill -SEGV $$");
    let ran = run("cmin in -o out --coverage command -- ./crashing {}").ended(3);
    ran.said(&["stderr: broken", "`--with-crashes` keeps them"]);
    assert!(!stage.path("out").exists());
}

#[test]
fn the_usual_output_of_a_program_is_not_taken_for_coverage() {
    let stage = stage();
    stage.script("program", "echo ok");
    let line = "cmin in -o out -- ./program {}";
    let ran = stage.run(line.split_whitespace()).ended(2);
    ran.said(&["program` is not known", "`--coverage command`"]);
    assert!(!stage.path("out").exists());
}

#[test]
fn a_program_that_does_not_exist_ends_the_run_at_the_first_input() {
    let stage = stage();
    let log = stage.path("log");
    let line = "cmin in -o out --sandbox off --coverage command -- ./missing {}";
    let run = || stage.run(line.split_whitespace()).ended(4);
    stage.script(
        "missing",
        &format!("echo run >>{}\nno-such-program \"$1\"", log.display()),
    );
    run().said(&["which does not exist", "no-such-program: not found"]);
    assert_eq!(stage.text("log"), "run\n");
    // Also if the script hides it.
    stage.script("missing", "no-such-program \"$1\" 2>&1 | grep '^[0-9]'");
    run().said(&["the command runs `no-such-program`", "exit code 1"]);
    assert!(!stage.path("out").exists());
}

#[cfg(unix)]
#[test]
fn the_hint_for_a_program_without_coverage_is_a_line_that_works() {
    let stage = stage();
    let refused = |line: &str| {
        let said = stage.run(line.split_whitespace()).ended(2).stderr;
        let hint = said
            .lines()
            .find(|line| line.contains("--coverage command -- sh -c"));
        let hint = hint.unwrap_or_else(|| panic!("{said}"));
        let (_, line) = hint.split_once("`nubbin ").unwrap();
        shlex::split(line.strip_suffix('`').unwrap()).unwrap()
    };
    let program = "import sys\nfor word in open(sys.argv[1]).read().split():\n    \
                   if word == 'a':\n        print(1)\n    if word == 'z':\n        print(2)\n";
    stage.file("prog.py", program);
    let words = refused("cmin in -o out -- python3 prog.py {}");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    stage
        .run(words)
        .ended(0)
        .said(&["covered locations are kept"]);
    assert_eq!(kept(&stage).len(), 2);

    let words = refused("cmin in -o gcov -- ./program {}");
    let script = words.last().unwrap();
    let begin = format!(
        "GCOV_PREFIX=. GCOV_PREFIX_STRIP=99 {}",
        stage.path("program").display()
    );
    assert!(script.starts_with(&begin), "{script}");
}

#[test]
fn files_next_to_the_inputs_are_copied_for_each_run() {
    let stage = stage();
    stage.file("lib/list.txt", "one\ntwo\n");
    stage.script("program", "cat lib/list.txt");
    let words = "cmin in -o out --with lib --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(0);
    ran.said(&["all 2 covered locations are kept"]);
    let words = "cmin in -o other --with missing --coverage command -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(5);
    ran.said(&["cannot use `--with missing`"]);
}
