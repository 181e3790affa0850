//! `cargo bench -p nubbin --bench overhead`: compares the tests per second of the whole program
//! with the rate of a plain loop, for a trivial test and two jobs. The loop has two threads, which
//! write the same candidate, start the same command, and wait for it. Rounds alternate, so that
//! other load affects both.

#![expect(clippy::print_stdout, reason = "the figures are the output")]
#![expect(
    clippy::disallowed_methods,
    reason = "what it measures needs no access rights"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot run says why by panicking"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 9;
const TESTS: u64 = 1500;

fn main() {
    let folder = tempfile::tempdir_in(shared_memory()).unwrap();
    let text: String = (0..400)
        .map(|i| format!("line {i} of some text\n"))
        .collect();
    let reference = folder.path().join("reference");
    std::fs::write(&reference, &text).unwrap();
    std::fs::write(folder.path().join("input"), &text).unwrap();
    let mut ratios: Vec<(f64, f64, f64)> = (0..ROUNDS)
        .map(|_| {
            let bare = bare_loop(folder.path(), &reference, &text);
            let ours = nubbin(folder.path(), &reference);
            (ours / bare, ours, bare)
        })
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, ours, bare) = ratios[ROUNDS / 2];
    let (worst, best) = (ratios[0].0, ratios[ROUNDS - 1].0);
    println!(
        "{ours:.0} tests/s through nubbin, {bare:.0}/s in the bare loop: {:.0} % \
         (median of {ROUNDS} rounds, {:.0} to {:.0} %)",
        ratio * 100.0,
        worst * 100.0,
        best * 100.0,
    );
}

/// Returns a memory-backed folder, as nubbin itself uses, or else the temporary folder.
fn shared_memory() -> &'static Path {
    let shm = Path::new("/dev/shm");
    if shm.is_dir() { shm } else { Path::new("/tmp") }
}

fn bare_loop(folder: &Path, reference: &Path, text: &str) -> f64 {
    let started = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..2 {
            scope.spawn(move || {
                let own = folder.join(format!("bare{thread}"));
                std::fs::create_dir_all(&own).unwrap();
                for _ in 0..TESTS / 2 {
                    std::fs::write(own.join("input"), text).unwrap();
                    Command::new("/usr/bin/cmp")
                        .args(["-s".as_ref(), "input".as_ref(), reference.as_os_str()])
                        .current_dir(&own)
                        .stdin(Stdio::null())
                        .stdout(Stdio::null())
                        .stderr(Stdio::null())
                        .status()
                        .unwrap();
                }
            });
        }
    });
    TESTS as f64 / started.elapsed().as_secs_f64()
}

fn nubbin(folder: &Path, reference: &Path) -> f64 {
    let stats = folder.join("stats");
    // No line can be removed, so every test passes, as most tests do.
    let status = Command::new(env!("CARGO_BIN_EXE_nubbin"))
        .args([
            "reduce",
            "-q",
            "-j",
            "2",
            "--atom",
            "byte",
            "input",
            "-o",
            "out",
            "--max-tests",
        ])
        .arg(TESTS.to_string())
        .arg("--stats")
        .arg(&stats)
        .args(["--", "/usr/bin/cmp", "-s", "input"])
        .arg(reference)
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(status.success());
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    stats["tests_started"].as_f64().unwrap() / stats["wall_s"].as_f64().unwrap()
}
