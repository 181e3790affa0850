//! The sudden end of a program that runs tests.

use crate::{dialogue, over, process, root};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Kills every process of this program's tests and dialogues, and removes its private folders, for
/// a program that must exit immediately. The call waits at most `patience` for this. The next run
/// removes all leftovers.
///
/// Afterwards no test can be run: every thread that starts a test or waits for one waits forever.
/// So a test that this call kills has no verdict. Call it on a thread that runs no tests, and not
/// in a signal handler.
///
/// With `owns_children`, every descendant of this process outside of its process group is killed
/// (Linux), even a process without the environment variable by which nubbin finds other processes.
pub fn abandon(patience: Duration, owns_children: bool) {
    over::set();
    let begin = Instant::now();
    let until = begin + patience;
    let (done, is_done) = channel();
    // Cleaning up runs on its own thread, since a system call may take long and the caller wants to
    // end.
    let cleaning = std::thread::Builder::new()
        .name("abandon".into())
        .spawn(move || {
            // The processes are ended first, since they write to the folders.
            process::end_all(&marks(), owns_children, begin + patience / 2);
            root::remove_living(until);
            let _ = done.send(());
        });
    if cleaning.is_ok() {
        let _ = is_done.recv_timeout(patience);
    }
}

/// Returns the beginnings of the marks of all processes that may still run.
fn marks() -> Vec<String> {
    let mut marks = root::living_marks();
    marks.push(dialogue::own_mark());
    marks
}
