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

/// A script that starts such processes, says so by the file `begun`, and goes on.
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
fn nothing_stays(name: &str, line: &str, other: &str) {
    for pause in PAUSES {
        let stage = Stage::with_crash("a crash");
        let seconds = seconds();
        stage.script("test.sh", other);
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
