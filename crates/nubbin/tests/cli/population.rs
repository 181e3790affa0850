//! `nubbin generate population`.

use crate::stage::{Ran, Stage};
use serde_json::Value;

/// The coverage of the program is the set of letters in a text, out of eight. It crashes on a word.
/// It uses only commands of the shell itself, since it runs a thousand times.
const LETTERS: &str = "IFS= read -r text <\"$1\"
for letter in a b c d e f g h; do
  case $text in *$letter*) echo \"letter $letter\" ;; esac
done >\"$NUBBIN_COVERAGE\"
case $text in
  *BOOM*) kill -SEGV $$ ;;
  *!*) echo 'error: no shouting' >&2; exit 3 ;;
esac
exit 0";

/// Searches for the word without starting a process.
const BOOM: &str = "IFS= read -r text <\"$1\"; case $text in *BOOM*)";

fn stage(target: &str) -> Stage {
    let stage = Stage::new();
    stage.file("seed.txt", "the seed of them all, a sentence of some words");
    stage.file("other.txt", "and another seed");
    stage.file("words", "BOOM\n");
    stage.script("target.sh", target);
    stage
}

fn fuzz(stage: &Stage, output: &str, options: &str) -> Ran {
    let args = format!(
        "generate population seed.txt other.txt --dictionary words -o {output} --stats stats.json \
         {options} -- ./target.sh {{}}"
    );
    stage.run(args.split(' ').filter(|arg| !arg.is_empty()))
}

fn stats(stage: &Stage) -> Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

fn outcomes(stats: &Value) -> Vec<(&str, u64)> {
    let list = stats["outcomes"].as_array().unwrap();
    list.iter()
        .map(|outcome| {
            (
                outcome["outcome"].as_str().unwrap(),
                outcome["bytes"].as_u64().unwrap(),
            )
        })
        .collect()
}

fn texts(stage: &Stage, stats: &Value, folder: &str) -> Vec<String> {
    let members = stats["members"].as_array().unwrap();
    let in_folder = std::fs::read_dir(stage.path(folder)).unwrap().count();
    assert_eq!(in_folder, members.len());
    members
        .iter()
        .map(|member| stage.text(&format!("{folder}/{}", member["file"].as_str().unwrap())))
        .collect()
}

#[test]
fn texts_with_new_behavior_are_kept_and_reduced() {
    let stage = stage(LETTERS);
    let ran = fuzz(&stage, "out", "--max-tests 300").ended(0);
    let first = stats(&stage);
    let found = texts(&stage, &first, "out");
    assert!(found.contains(&"BOOM".to_owned()), "{found:?}");
    assert!(found.contains(&"!".to_owned()), "{found:?}");
    // There is one text for each letter of the first seed.
    assert_eq!(found[0].len(), "acdefh".len(), "{found:?}");
    assert!(found[1..].iter().all(|text| text.len() <= 5), "{found:?}");
    let known = [
        ("exit code 0", 1),
        ("signal: SIGSEGV", 4),
        ("exit: exit code 3, error: no shouting", 1),
    ];
    let mut outcomes = outcomes(&first);
    outcomes.sort_unstable_by_key(|outcome| known.iter().position(|known| known == outcome));
    assert_eq!(outcomes, known);
    assert!(first["covered"].as_u64().unwrap() > 6);
    assert_eq!(first["ended"], "max-tests");
    let tests = first["tests"].as_u64().unwrap();
    assert!((300..=320).contains(&tests), "{tests}");
    ran.said(&[
        "signal: SIGSEGV",
        "3 outcomes",
        "parts of the program covered",
    ]);
    // A second run gives the same texts.
    fuzz(&stage, "again", "--max-tests 300 -q").ended(0);
    assert_eq!(texts(&stage, &stats(&stage), "again"), found);
    assert_eq!(stats(&stage)["members"], first["members"]);
}

#[test]
fn without_coverage_the_outcome_is_the_feedback() {
    let stage = stage(&format!("{BOOM} kill -ABRT $$ ;; esac; exit 0"));
    let ran = fuzz(&stage, "out", "--max-tests 100 --name input").ended(0);
    let stats = stats(&stage);
    let found = texts(&stage, &stats, "out");
    // The seeds are not reduced.
    let seed = stage.text("seed.txt");
    assert_eq!(found, [&seed, "and another seed", "BOOM"]);
    assert_eq!(stats["members"][2]["file"], "0003");
    ran.said(&["0003: signal: SIGABRT", "the program reported no coverage"]);
}

#[test]
fn texts_can_be_kept_unreduced() {
    let stage = stage(LETTERS);
    fuzz(&stage, "out", "--max-tests 50 --reduction-tests 0").ended(0);
    let stats = stats(&stage);
    assert_eq!(
        (&stats["tests"], &stats["tests_reducing"]),
        (&50.into(), &0.into())
    );
    assert_eq!(texts(&stage, &stats, "out")[0], stage.text("seed.txt"));
}

#[test]
fn the_algorithm_that_reduces_can_be_chosen() {
    let stage = stage(LETTERS);
    let first = |options: &str| {
        let folder = format!("out{}", options.len());
        fuzz(&stage, &folder, &format!("--max-tests 300 {options}")).ended(0);
        texts(&stage, &stats(&stage), &folder)[0].clone()
    };
    let seed = stage.text("seed.txt");
    let book = first("--reduction-algorithm ddmin-book --reduction-tests 300");
    assert_eq!(book.len(), "acdefh".len(), "{book}");
    // The text is one line.
    let lines = first("--reduction-algorithm ddmin --reduction-atom line");
    assert_eq!(lines, seed);
    let wrong = fuzz(&stage, "none", "--reduction-algorithm ddmim").ended(2);
    wrong.said(&["unknown list minimizer `ddmim`", "`ddmin`"]);
}

#[test]
fn a_run_over_the_time_limit_is_an_outcome() {
    let stage = stage(&format!("{BOOM} sleep 60 ;; esac; exit 0"));
    fuzz(
        &stage,
        "out",
        "--max-tests 25 --timeout 0.3 --reduction-tests 5",
    )
    .ended(0);
    let stats = stats(&stage);
    let outcomes: Vec<&str> = outcomes(&stats)
        .into_iter()
        .map(|(outcome, _)| outcome)
        .collect();
    assert_eq!(outcomes, ["exit code 0", "timed out after 300ms"]);
}

#[test]
fn a_population_without_limits_runs_until_it_is_stopped() {
    let stage = stage(LETTERS);
    let args = "generate population seed.txt -o out -- ./target.sh {}";
    let mut run = stage.start(args.split(' '));
    run.until("a second text was found", || {
        stage.path("out/0002.txt").exists()
    });
    run.signal(rustix::process::Signal::INT);
    let ran = run.wait().ended(130);
    ran.said(&["inputs of", "parts of the program covered"]);
    stage.assert_clean();
}

#[test]
fn contradictory_flags_are_refused() {
    let stage = stage(LETTERS);
    stage.file("full/0001.txt", "somebody's");
    for (args, code, said) in [
        (
            "seed.txt -o full -- ./target.sh {}",
            6,
            "the folder `full` is not empty",
        ),
        (
            "nothing -o out -- ./target.sh {}",
            5,
            "cannot read `nothing`",
        ),
        (
            "seed.txt -o out -- ./no-such-program {}",
            4,
            "the test cannot be run",
        ),
        (
            "seed.txt -o out --min-mutations 3 --max-mutations 1 -- ./target.sh {}",
            2,
            "the smallest number of mutations, 3, exceeds the largest, 1",
        ),
        (
            "seed.txt -o out --stats seed.txt -- ./target.sh {}",
            2,
            "the statistics would overwrite the seed",
        ),
        (
            "seed.txt -o out --env 5 -- ./target.sh {}",
            2,
            "is not of the form NAME=VALUE",
        ),
        ("seed.txt -- ./target.sh {}", 2, "--output"),
        ("seed.txt -o out", 2, "COMMAND"),
    ] {
        let args = format!("generate population {args}");
        stage.run(args.split(' ')).ended(code).said(&[said]);
    }
    assert_eq!(stage.text("full/0001.txt"), "somebody's");
    assert_eq!(stage.text("seed.txt").len(), 46);
}

#[test]
fn coverage_that_cannot_be_read_is_an_error() {
    let stage = stage("mkdir -p \"$NUBBIN_COVERAGE\"");
    let ran = fuzz(&stage, "out", "--max-tests 5").ended(4);
    ran.said(&["cannot read the program's coverage from `$NUBBIN_COVERAGE`"]);
}
