//! A run ends soon after a signal or a limit on time, in whatever state it is.

use crate::stage::Stage;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// Far less than the states last that are ended here, also on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Makes a stage with a text that the parser of its grammar takes a minute for.
fn ambiguous() -> Stage {
    let stage = Stage::new();
    stage.file("s.bnf", "<s> ::= <s> <s> | <s> <s> <s> | \"a\" | \"b\"\n");
    stage.file("input.txt", "abaab".repeat(1000));
    stage.script("test.sh", "exit 0");
    stage
}

const PARSE: &str = "reduce --plain --grammar s.bnf -o out input.txt -- ./test.sh";

/// Makes a stage with a generator that takes minutes for one text.
fn slow_generator() -> Stage {
    let stage = Stage::new();
    stage.script(
        "gen.sh",
        "read begin; while :; do echo '{\"choose\": 3}'; read answer; sleep 0.01; done",
    );
    stage.file("run.choices", "{\"choices\": [1, 2]}\n");
    stage.script("test.sh", "exit 0");
    stage
}

const REPLAY: &str = "reduce --plain --choices run.choices --generator ./gen.sh -- ./test.sh {}";

#[test]
fn a_signal_ends_a_parse_a_replay_and_a_first_test() {
    let sleeping = || {
        let stage = Stage::with_crash("a crash");
        stage.script("test.sh", "sleep 1000");
        stage
    };
    type State = (fn() -> Stage, &'static str);
    let states: [State; 3] = [
        (ambiguous, PARSE),
        (slow_generator, REPLAY),
        (sleeping, "reduce --plain -o out input.txt -- ./test.sh"),
    ];
    for (make, line) in states {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            let stage = make();
            let mut run = stage.start(line.split(' '));
            // Long enough to be in the state, and short enough to be still in it.
            std::thread::sleep(Duration::from_secs(1));
            let begin = Instant::now();
            run.signal(signal);
            let ran = run.wait().ended(130);
            assert!(
                begin.elapsed() < TIME_LIMIT,
                "{line}: {:?}",
                begin.elapsed()
            );
            ran.said(&["stopped before the original input"]);
            stage.assert_clean();
            assert!(!stage.path("out").exists());
        }
    }
}

#[test]
fn a_limit_on_time_holds_for_a_parse_a_replay_and_a_first_test() {
    for (stage, line) in [(ambiguous(), PARSE), (slow_generator(), REPLAY)] {
        let line = line.replace("--plain", "--plain --max-time 2.5");
        let begin = Instant::now();
        let ran = stage.run(line.split(' ')).ended(8);
        assert!(
            begin.elapsed() < TIME_LIMIT,
            "{line}: {:?}",
            begin.elapsed()
        );
        ran.said(&[
            "still ",
            "the time limit was reached before the original input failed",
        ]);
    }
    let stage = Stage::with_crash("a crash");
    stage.script("test.sh", "sleep 1000");
    stage
        .run("reduce --plain --max-time 1 input.txt -- ./test.sh".split(' '))
        .ended(8);
}

#[test]
fn a_generator_has_a_limit_for_a_whole_text() {
    let stage = slow_generator();
    let line = REPLAY.replace("--plain", "--plain --generator-timeout 0.5");
    stage
        .run(line.split(' '))
        .ended(4)
        .said(&["the generator did not finish the input within 1.5s"]);
}

#[test]
fn a_long_test_is_named_in_the_progress() {
    let stage = Stage::with_crash("a crash");
    stage.script("test.sh", "sleep 5; grep -q crash input.txt");
    stage
        .run("reduce --plain --max-tests 1 -o out input.txt -- ./test.sh".split(' '))
        .said(&["still running the original"]);
}

#[test]
fn a_limit_on_time_ends_the_last_test_as_well() {
    let stage = Stage::with_crash("a crash");
    let begun = stage.path("begun").display().to_string();
    // Only the first run of the original ends soon.
    stage.script(
        "test.sh",
        &format!("[ -e {begun} ] && sleep 1000; echo >{begun}; grep -q crash input.txt"),
    );
    let begin = Instant::now();
    let line =
        "reduce -j 1 --private-failure --timeout 2000 --max-time 3 --test ./test.sh input.txt";
    stage.run(line.split(' ')).ended(0).said(&[
        "stopped at the time limit",
        "no time was left to test the result once more",
    ]);
    assert!(begin.elapsed() < TIME_LIMIT, "{:?}", begin.elapsed());
    assert_eq!(stage.text("input.min.txt"), "a crash");
}

#[test]
fn plain_lines_tell_of_a_test_only_if_it_takes_longer_than_others() {
    let stage = Stage::with_crash("a\ncrash\nb\n");
    stage.script("test.sh", "sleep 2.5; grep -q crash input.txt");
    let line = "reduce -j 1 --plain --private-failure --max-tests 3 --test ./test.sh input.txt";
    let ran = stage.run(line.split(' ')).ended(0);
    assert!(!ran.stderr.contains("test running for"), "{}", ran.stderr);
}
