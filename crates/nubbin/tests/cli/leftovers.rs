//! Tests that leave files beside their working folder. The next test must not find them: its
//! verdict would be about the candidate of the test before.

use crate::stage::{Ran, Stage, haystack};

/// Copies the candidate to a place outside of the working folder, but only if it has `alpha`, and
/// looks for `crash` in the copy. So a candidate fails if it has both words.
fn script(place: &str) -> String {
    format!(
        "mkdir -p {place}; grep -q alpha in && cp in {place}/app; grep -q crash {place}/app 2>/dev/null"
    )
}

/// The folder of the slot, the root of the run, and the folder of another slot.
const PLACES: [&str; 3] = ["../out", "../../out", "../../1/work"];

fn text() -> String {
    haystack(20, "alpha") + &haystack(20, "crash")
}

fn stage_with(place: &str) -> Stage {
    let stage = Stage::confined();
    stage.file("in", text());
    stage.script("test.sh", &script(place));
    stage
}

fn run(stage: &Stage, line: &str) -> Ran {
    stage.run(line.split_whitespace()).ended(0)
}

#[track_caller]
fn assert_both(stage: &Stage, how: &str) {
    let mut result = stage.text("out.min");
    result.retain(|char| !char.is_whitespace());
    assert_eq!(result, "alphacrash", "{how}");
}

#[test]
fn a_file_beside_the_working_folder_does_not_reach_the_next_test() {
    for flags in [
        "-j1",
        "-j2",
        "-j1 --sandbox on",
        "-j1 --sandbox off",
        "-j2 --sandbox off",
    ] {
        let stage = stage_with("../out");
        run(
            &stage,
            &format!("reduce {flags} in -o out.min -- ./test.sh"),
        );
        assert_both(&stage, flags);
    }
}

#[test]
fn a_file_in_the_root_of_the_run_does_not_reach_the_next_test() {
    for place in PLACES {
        let stage = stage_with(place);
        let line = "reduce -j1 --sandbox off in -o out.min -- ./test.sh";
        run(&stage, line);
        assert_both(&stage, place);
    }
}

#[test]
fn a_file_of_the_build_does_not_reach_the_next_test() {
    for flags in ["--sandbox on", "--sandbox off"] {
        let stage = Stage::confined();
        stage.file("in", text());
        stage.script("test.sh", "grep -q crash ../out/app");
        let build = "mkdir -p ../out; ! grep -q alpha in || cp in ../out/app";
        let words = ["reduce", "-j1", "in", "-o", "out.min", "--build", build];
        let words = words.into_iter().chain(flags.split(' '));
        stage.run(words.chain(["--", "./test.sh"])).ended(0);
        assert_both(&stage, flags);
    }
}

#[test]
fn isolate_and_explain_see_no_file_of_an_earlier_test() {
    let stage = stage_with("../out");
    stage.file("pass/in", haystack(20, "alpha"));
    let line = "isolate -j1 --sandbox on --atom line -o out pass/in in -- ./test.sh";
    let ran = run(&stage, line);
    assert!(ran.stdout.contains("\n+the crash!\n"), "{}", ran.stdout);

    stage.file("in", "one alpha two crash three\n");
    let ran = run(&stage, "explain -j1 --sandbox on in -- ./test.sh");
    for word in ["alpha", "crash"] {
        assert!(ran.stdout.contains(word), "{}", ran.stdout);
    }
}

#[test]
fn reduce_all_sees_no_file_of_an_earlier_test() {
    let stage = Stage::confined();
    std::fs::create_dir(stage.path("crashes")).unwrap();
    stage.file("crashes/1", text());
    stage.file(
        "prog.sh",
        "mkdir -p ../out; grep -q alpha \"$1\" && cp \"$1\" ../out/app\n\
         grep -q crash ../out/app 2>/dev/null && kill -SEGV $$\nexit 0\n",
    );
    run(&stage, "reduce-all crashes -- sh prog.sh {}");
    let results: Vec<_> = std::fs::read_dir(stage.path("crashes.min"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "jsonl"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let has_both = |text: &String| text.contains("alpha") && text.contains("crash");
    assert!(
        !results.is_empty() && results.iter().all(has_both),
        "{results:?}"
    );
}
