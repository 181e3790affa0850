//! Two signals in quick succession, while programs run that hide their processes: these clear their
//! environment, and leave the process group and the session of the program.

use crate::running::wait_until;
use crate::stage::Stage;
use rustix::process::Signal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The pauses between the signals in milliseconds.
const PAUSES: [u64; 6] = [0, 1, 5, 15, 30, 50];

/// Returns a number of seconds by which the processes of one run are found.
fn seconds() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    (1_000_000_000 + u64::from(std::process::id()) * 100 + next).to_string()
}

/// A script that starts such processes, says so by the file `begun`, and continues.
fn hostile(stage: &Stage, seconds: &str) -> String {
    let begun = stage.path("begun");
    format!(
        "env -i setsid sleep {seconds} >/dev/null 2>&1 &
        (env -i setsid sleep {seconds} >/dev/null 2>&1 &)
        env -i setsid sh -c 'sleep {seconds} & setsid sleep {seconds}' >/dev/null 2>&1 &
        echo > {}; sleep {seconds}",
        begun.display()
    )
}

/// The processes with this number in their command lines.
fn processes(seconds: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let command = |entry: std::fs::DirEntry| {
        let command = std::fs::read(entry.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        command.contains(seconds).then_some(command)
    };
    entries.filter_map(command).collect()
}

/// Runs a command line with a hostile script in `name`, and stops it at once.
fn nothing_stays(name: &str, line: &str, test: &str) {
    nothing_stays_with(name, line, |stage| stage.script("test.sh", test));
}

/// As [`nothing_stays`], on a stage with more files.
fn nothing_stays_with(name: &str, line: &str, prepare: impl Fn(&Stage)) {
    for pause in PAUSES {
        let stage = Stage::with_crash("a crash");
        let seconds = seconds();
        prepare(&stage);
        stage.script(name, &hostile(&stage, &seconds));
        let mut run = stage.start(line.split(' '));
        run.until("the program began", || stage.path("begun").exists());
        run.signal(Signal::TERM);
        std::thread::sleep(Duration::from_millis(pause));
        // Of two equal signals in no time, the system delivers one.
        run.try_signal(Signal::INT);
        run.wait();
        // A killed process takes a moment to end.
        wait_until("all processes have ended", || {
            processes(&seconds).is_empty()
        });
        stage.assert_clean();
    }
}

/// Writes a campaign of a program that crashes on each test, with more tables.
fn campaign(stage: &Stage, tables: &str) {
    stage.script("prog.sh", "kill -SEGV $$");
    let here = stage.path("").display().to_string();
    let tables = tables.replace("HERE", &here);
    stage.file(
        "c/campaign.toml",
        format!("[program.prog]\ncommand = [\"{here}/prog.sh\", \"{{}}\"]\n{tables}"),
    );
}

#[test]
fn no_hidden_process_of_a_test_outlives_two_signals() {
    let line = "reduce -j 2 --test ./test.sh input.txt";
    nothing_stays("test.sh", line, "");
}

#[test]
fn no_hidden_process_of_a_build_outlives_two_signals() {
    let line =
        "reduce -j 1 --sandbox off --build ./build.sh --with build.sh --test ./test.sh input.txt";
    nothing_stays("build.sh", line, "grep -q crash input.txt");
}

#[test]
fn no_hidden_process_of_a_proposer_outlives_two_signals() {
    let line = "reduce --test ./test.sh input.txt --passes lines --proposer ./propose";
    nothing_stays("propose", line, "grep -q crash input.txt");
}

#[test]
fn no_hidden_process_of_the_last_command_outlives_two_signals() {
    let line = "reduce --passes lines --notify=./notify --test ./test.sh input.txt";
    nothing_stays("notify", line, "grep -q crash input.txt");
}

#[test]
fn a_signal_lets_the_last_command_end_and_no_process_stays() {
    let run = |rest: &dyn Fn(&str) -> String| {
        let stage = Stage::with_crash("a crash");
        let seconds = seconds();
        stage.script("test.sh", "grep -q crash input.txt");
        stage.script("notify", &rest(&seconds));
        let line = "reduce --passes lines --notify=./notify --test ./test.sh input.txt";
        let mut run = stage.start(line.split(' '));
        run.until("the command began", || stage.path("begun").exists());
        run.signal(Signal::INT);
        let ran = run.wait();
        wait_until("all processes have ended", || {
            processes(&seconds).is_empty()
        });
        stage.assert_clean();
        (stage, ran)
    };
    let (stage, ran) = run(&|_| "echo >begun; sleep 0.5; echo >done".to_owned());
    ran.ended(0);
    assert!(stage.path("done").exists());
    // One that takes too long is ended, with what it hides. The result is that of the run.
    let hide =
        "env -i setsid sleep SECONDS >/dev/null 2>&1 & echo >begun; sleep SECONDS; echo >done";
    let (stage, ran) = run(&|seconds| hide.replace("SECONDS", seconds));
    ran.ended(0)
        .said(&["`--notify ./notify`: the command took too long"]);
    assert!(!stage.path("done").exists());
    assert_eq!(stage.text("input.min.txt"), "a crash");
}

#[test]
fn no_hidden_process_of_a_formatter_outlives_two_signals() {
    let line = "reduce --passes lines --format ./format --test ./test.sh input.txt";
    nothing_stays("format", line, "grep -q crash input.txt");
}

#[test]
fn no_hidden_process_of_a_generator_outlives_two_signals() {
    let line = "generate choices --seed 1 --record run.choices -- ./generator";
    nothing_stays("generator", line, "");
    let line = "reduce --choices run.choices --generator ./generator -- ./test.sh {}";
    nothing_stays_with("generator", line, |stage| {
        stage.file("run.choices", "{\"choices\":[true,2,2,0]}\n");
        stage.script("test.sh", "");
    });
    nothing_stays_with("generator", "campaign run c", |stage| {
        let tables = "[generator.g]\ncommand = [\"HERE/generator\", \"{}\"]\nsandbox = \"off\"\n";
        campaign(stage, tables);
    });
}

#[test]
fn no_hidden_process_of_a_hook_outlives_two_signals() {
    nothing_stays_with("hook", "campaign run c", |stage| {
        stage.file("c/tests/0", "a crash");
        let tables = "[generator.files]\nfolder = \"tests\"\n\
                      [[hook]]\nevents = [\"issue-added\"]\ncommand = [\"HERE/hook\"]\n";
        campaign(stage, tables);
    });
}

#[test]
fn no_hidden_process_of_a_captured_command_outlives_two_signals() {
    nothing_stays("command.sh", "capture -o bug -- ./command.sh", "");
}
