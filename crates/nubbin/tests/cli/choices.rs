//! Reduction of the choices of a generator.

use crate::skip::skipped;
use crate::stage::{Ran, Stage};
use std::path::Path;
use std::process::Command;

const ASSIGNMENTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/grammars/assignments.json"
);

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/generators");
    examples.join(name).to_str().unwrap().to_owned()
}

/// Records the choices of the first seed whose text fails the test.
fn record(stage: &Stage, test: &str, generate: &[&str], command: &[&str]) {
    stage.script("test.sh", test);
    for seed in 0..200 {
        let seed = seed.to_string();
        let _ = std::fs::remove_file(stage.path("run.choices"));
        let mut args = vec!["generate"];
        args.extend(generate);
        args.extend(["--seed", &seed, "--record", "run.choices"]);
        if !command.is_empty() {
            args.push("--");
            args.extend(command);
        }
        let text = stage.run(args).ended(0).stdout;
        stage.file("text", text);
        let fails = Command::new(stage.path("test.sh"))
            .arg(stage.path("text"))
            .status();
        if fails.unwrap().success() {
            return;
        }
    }
    panic!("no text fails");
}

fn reduce(stage: &Stage, args: &[&str]) -> Ran {
    let before = ["reduce", "--choices", "run.choices", "--plain"];
    let args = before.iter().chain(args).chain(&["--", "./test.sh", "{}"]);
    stage.run(args)
}

#[test]
fn a_generator_in_python_communicates_over_pipes() {
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("python3");
        return;
    }
    let stage = Stage::new();
    let generator = example("assignments.py");
    record(&stage, "grep -q '((' \"$1\"", &["choices"], &[&generator]);
    let ran = reduce(&stage, &["--generator", &generator]).ended(0);
    assert_eq!(stage.text("run.min.txt"), "a = ((0));\n");
    assert_eq!(
        stage.text("run.min.choices"),
        "{\"choices\":[true,\"a\",2,2,0,0,false]}\n"
    );
    ran.said(&["choices became 7, in `run.min.choices`"]);
    // The written recording replays.
    let args = [
        "generate",
        "choices",
        "--replay",
        "run.min.choices",
        "--",
        &generator,
    ];
    assert_eq!(stage.run(args).ended(0).stdout, "a = ((0));\n\n");
}

#[test]
fn a_generator_in_c_reads_bytes() {
    let stage = Stage::new();
    let packets = stage.path("packets");
    let built = Command::new("cc")
        .args(["-o", packets.to_str().unwrap(), &example("packets.c")])
        .status();
    assert!(built.unwrap().success());
    let test = "grep -q 'kind=3.*data=..*f' \"$1\"";
    for (place, line) in [
        (&["./packets", "{}"][..], "./packets {}"),
        (&["./packets"], "./packets"),
    ] {
        record(&stage, test, &["choices", "--protocol", "bytes"], place);
        reduce(&stage, &["--protocol", "bytes", "--generator", line]).ended(0);
        let text = stage.text("run.min.txt");
        assert!(
            text.starts_with("packet kind=3 length=") && text.lines().count() == 1,
            "{text}"
        );
        assert!(text.len() < 45, "{text}");
    }
}

#[test]
fn choices_of_a_grammar_are_reduced_and_names_stay_defined() {
    let stage = Stage::new();
    let generate = [
        "grammar",
        "--grammar",
        ASSIGNMENTS,
        "--algorithm",
        "limit-fuzzer",
    ];
    record(&stage, "grep -q '((.*))' \"$1\"", &generate, &[]);
    let mut sizes = vec![];
    for algorithm in [
        "auto",
        "choice-ddmin",
        "choice-ddmin-nop",
        "choice-ddmin-aligned",
    ] {
        let args = ["--grammar", ASSIGNMENTS, "--algorithm", algorithm];
        reduce(&stage, &args).ended(0);
        let text = stage.text("run.min.txt");
        stage
            .run(["grammar", "parse", "--grammar", ASSIGNMENTS, "run.min.txt"])
            .ended(0);
        sizes.push(text.len());
    }
    // A name without a definition needs fewer choices than a digit.
    assert_eq!(sizes[0], "a = ((00));\n".len());
    assert!(sizes[1..].iter().all(|&size| sizes[0] <= size), "{sizes:?}");
}

#[test]
fn progress_shows_choices_and_the_bytes_of_the_text() {
    let stage = Stage::new();
    let generate = [
        "grammar",
        "--grammar",
        ASSIGNMENTS,
        "--algorithm",
        "limit-fuzzer",
    ];
    record(&stage, "grep -q '((.*))' \"$1\"", &generate, &[]);
    let before = stage.read("text").len() - 1;
    for jobs in ["1", "3"] {
        let args = [
            "--grammar",
            ASSIGNMENTS,
            "-v",
            "-j",
            jobs,
            "--stats",
            "stats.json",
        ];
        let ran = reduce(&stage, &args).ended(0);
        assert_eq!(stage.text("run.min.txt"), "a = ((00));\n");
        let smallest: Vec<&str> = ran
            .stderr
            .lines()
            .filter(|line| {
                line.contains(" fail ") && line.contains(" 5 choices,     12 bytes  choice-")
            })
            .collect();
        assert!(!smallest.is_empty(), "{}", ran.stderr);
        let first = ran.stderr.lines().find(|line| line.contains(" · 1 test, "));
        assert!(
            first
                .unwrap()
                .contains(&format!(" choices, {before} bytes · 1 test, "))
        );
        let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
        let passes = stats["passes"].as_array().unwrap().iter();
        let removed: i64 = passes
            .map(|pass| pass["bytes_removed"].as_i64().unwrap())
            .sum();
        assert_eq!(removed, before as i64 - 12);
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let stage = Stage::new();
    let generate = [
        "grammar",
        "--grammar",
        ASSIGNMENTS,
        "--algorithm",
        "limit-fuzzer",
    ];
    record(&stage, "grep -q ' - .* + ' \"$1\"", &generate, &[]);
    let results = ["1", "4"].map(|jobs| {
        let args = [
            "--grammar",
            ASSIGNMENTS,
            "-j",
            jobs,
            "--stats",
            "stats.json",
        ];
        reduce(&stage, &args).ended(0);
        let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
        (
            stage.text("run.min.txt"),
            stage.text("run.min.choices"),
            stats["tests"].clone(),
        )
    });
    assert_eq!(results[0], results[1]);
    assert!(results[0].2.as_u64().unwrap() > 5);
}

/// Each kind of error of a generator has its own message.
#[test]
fn errors_of_generators_have_clear_messages() {
    let stage = Stage::new();
    stage.file("run.choices", "{\"choices\":[1,2,3]}\n");
    stage.script("test.sh", "exit 0");
    let asks = "echo '{\"choose\":9}'; read answer";
    let cases = [
        (
            "read begin; echo oh no >&2; exit 3",
            "it ended with exit code 3\nit wrote: oh no",
        ),
        (
            "read begin; sleep 100",
            "the program wrote nothing for 300ms",
        ),
        (
            "read begin; while :; do echo '{\"boolean\":null}'; done",
            "the generator requested more than 50 choices",
        ),
        (
            "read begin; echo hello",
            "the generator wrote a line that is not a request: `hello`",
        ),
        (
            "read begin; echo '{\"chose\":3}'",
            "unknown variant `chose`",
        ),
        (
            "read begin; echo '\"end\"'; read more",
            "the generator ended a span that it had not begun",
        ),
        (
            &format!("read begin; {asks}"),
            "the generator ended in the middle of an input, without `done`",
        ),
        (
            "read begin; echo '{\"integer\":{\"min\":3,\"max\":1}}'; read answer",
            "the generator asked for an integer from 3 to 1",
        ),
        (
            &format!("read begin; {asks}; echo \"{{\\\"done\\\":\\\"$$\\\"}}\""),
            "the generator produces different inputs from the same choices",
        ),
        (
            &format!("read begin; {asks}; echo '\"reject\"'; read more"),
            "the generator rejects the choices",
        ),
        (
            "read begin; echo '{\"done\":\"always\"}'",
            "`run.choices` has no choices",
        ),
    ];
    for (body, expected) in cases {
        stage.script("gen.sh", body);
        let limits = ["--generator-timeout", "0.3", "--max-choices", "50"];
        let args = [&["--generator", "./gen.sh"], &limits[..]].concat();
        let ran = reduce(&stage, &args);
        assert!(
            [Some(4), Some(5)].contains(&ran.code),
            "{body}: {}",
            ran.stderr
        );
        let stderr: Vec<&str> = ran.stderr.lines().map(str::trim).collect();
        for line in expected.lines() {
            assert!(stderr.join("\n").contains(line), "{body}: {}", ran.stderr);
        }
    }
    for (body, expected) in [
        ("exit 7", "it ended with exit code 7"),
        ("sleep 100", "timed out"),
    ] {
        stage.script("gen.sh", body);
        let args = [
            "--generator",
            "./gen.sh",
            "--protocol",
            "bytes",
            "--generator-timeout",
            "0.3",
        ];
        reduce(&stage, &args).ended(4).said(&[expected]);
    }
}

#[test]
fn errors_of_a_generator_during_the_run_are_only_reported() {
    let stage = Stage::new();
    stage.file("run.choices", "{\"choices\":[7,2]}\n");
    stage.script("test.sh", "grep -q 7 \"$1\"");
    stage.script(
        "gen.sh",
        "while read begin; do
           echo '{\"integer\":{\"min\":0,\"max\":9}}'; read first
           [ $first = 0 ] && exit 3
           echo '{\"integer\":{\"min\":0,\"max\":9}}'; read second
           echo \"{\\\"done\\\":\\\"$first $second\\\"}\"
         done",
    );
    reduce(&stage, &["--generator", "./gen.sh"])
        .ended(0)
        .said(&["the generator failed on", "it ended with exit code 3"]);
    assert_eq!(stage.text("run.min.txt"), "7 0");
}

#[test]
fn contradictory_flags_are_refused() {
    let stage = Stage::new();
    stage.script("test.sh", "exit 0");
    let with = |choices: &str, args: &[&str], code: i32, said: &str| {
        stage.file("run.choices", choices);
        reduce(&stage, args).ended(code).said(&[said]);
    };
    let grammar = ["--grammar", ASSIGNMENTS];
    with(
        "{\"choices\":[1]}",
        &[],
        2,
        "choices cannot be reduced without their generator",
    );
    with(
        "{\"choices\":[1]}\n{\"choices\":[2]}",
        &grammar,
        5,
        "holds 2 recordings",
    );
    with("", &grammar, 5, "holds 0 recordings");
    with(
        "{\"choices\":[[1]]}",
        &grammar,
        5,
        "choice 1 of `run.choices` is not a value: [1]",
    );
    with(
        "choices",
        &grammar,
        5,
        "line 1 of `run.choices` is not a recording",
    );
    let stop = [&grammar[..], &["--stop-at", "10"]].concat();
    with(
        "{\"choices\":[1]}",
        &stop,
        2,
        "`--stop-at` and `--keep` apply to text",
    );
    let algorithm = [&grammar[..], &["--algorithm", "ddmin"]].concat();
    with(
        "{\"choices\":[1]}",
        &algorithm,
        2,
        "`ddmin` is not an algorithm for choices",
    );
    let pass = [&grammar[..], &["--passes", "lines"]].concat();
    with(
        "{\"choices\":[1]}",
        &pass,
        2,
        "unknown pass over choices `lines`",
    );
    let missing = ["--generator", "./nothing-there"];
    with(
        "{\"choices\":[1]}",
        &missing,
        4,
        "it ended with exit code 127",
    );
    let over = [&grammar[..], &["-o", "run.choices"]].concat();
    with(
        "{\"choices\":[1]}",
        &over,
        2,
        "would overwrite the file with the choices",
    );
}

#[test]
fn random_texts_stay_within_their_bounds() {
    let stage = Stage::new();
    let args = "generate random -n 50 --min-length 3 --max-length 5 --char-start 97 --char-range 3";
    let texts = stage.run(args.split(' ')).ended(0).stdout;
    assert_eq!(texts.lines().count(), 50);
    for text in texts.lines() {
        assert!(
            (3..=5).contains(&text.len()) && text.bytes().all(|b| b"abc".contains(&b)),
            "{text}"
        );
    }
    assert_eq!(stage.run(args.split(' ')).ended(0).stdout, texts);
    let args = "generate random --min-length 9 --max-length 5";
    stage
        .run(args.split(' '))
        .ended(2)
        .said(&["the minimum length 9 is above the maximum length 5"]);
}

#[test]
fn mutants_come_after_their_seeds() {
    let stage = Stage::new();
    stage.file("one", "first seed");
    stage.file("two", "second seed");
    stage.file("words", "<!--\n");
    let args = "generate mutate one two -n 40 --dictionary words";
    let texts = stage.run(args.split(' ')).ended(0).stdout;
    let texts: Vec<&str> = texts.lines().collect();
    assert_eq!(texts[..2], ["first seed", "second seed"]);
    assert!(texts.len() >= 40 && texts.iter().any(|text| text.contains("<!--")));
    assert!(
        texts[2..]
            .iter()
            .any(|text| *text != "first seed" && *text != "second seed")
    );
    let into = "generate mutate one -n 3 -o out --extension seed";
    stage.run(into.split(' ')).ended(0);
    assert_eq!(stage.text("out/0001.seed"), "first seed");
    stage.run("generate mutate nothing".split(' ')).ended(5);
    let args = "generate mutate one --min-mutations 3 --max-mutations 1";
    stage.run(args.split(' ')).ended(2);
}
