//! The process that loads libclang.

use super::message::ClangMessage;
use crate::exit::Exit;
use crate::print::print;
use nubbin_clang::{Item, Request, Slice, read};
use nubbin_reduce::pass::FrontEnd;
use std::io::BufRead as _;
use std::time::Duration;

/// The argument that makes this program such a process. It is not a command for users.
pub const PROCESS: &str = "--clang-process";

/// The largest address space of the process in bytes.
#[cfg(unix)]
const MEMORY: u64 = 6 << 30;

/// The time that the process has beyond that of the request, before it ends itself.
const GRACE: Duration = Duration::from_secs(20);

/// Reads one request, and writes one line for each slice.
pub fn run() -> Exit {
    #[cfg(unix)]
    limit_memory();
    let mut line = String::new();
    let request = match std::io::stdin().lock().read_line(&mut line) {
        Ok(_) => serde_json::from_str::<Request>(&line),
        Err(_) => return Exit::Usage,
    };
    let Ok(request) = request else {
        return Exit::Usage;
    };
    let limit = Duration::from_secs(request.seconds).saturating_add(GRACE);
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        std::process::exit(Exit::Test as i32);
    });
    // A parse of deep code needs much stack.
    let reader = std::thread::Builder::new().stack_size(256 << 20);
    let reader = reader.spawn(move || {
        let size = request.text.len() as u64;
        let mut written = 0;
        read(&request, &mut |items, slice| {
            let parts = splices(items, slice);
            let gone: u64 = parts.iter().map(|part| u64::from(part.1 - part.0)).sum();
            // A slice that saves little is not worth a test.
            if gone * 2 < size {
                return true;
            }
            written += 1;
            write(&ClangMessage::Slice(parts)) && written < FrontEnd::MAX_SLICES
        })
    });
    let end = match reader.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(_))) => ClangMessage::Done,
        Ok(Ok(Err(error))) => ClangMessage::Failed(error.to_string()),
        _ => ClangMessage::Failed("it stopped".into()),
    };
    write(&end);
    Exit::Done
}

/// Writes a line, and returns whether somebody reads it.
fn write(message: &ClangMessage) -> bool {
    let Ok(line) = serde_json::to_string(message) else {
        return false;
    };
    print(&format!("{line}\n")).is_ok()
}

/// Returns what to replace in the text to get a slice.
fn splices(items: &[Item], slice: &Slice) -> Vec<(u32, u32, String)> {
    let mut kept = vec![false; items.len()];
    for &at in &slice.kept {
        kept[at as usize] = true;
    }
    let mut found: Vec<(u32, u32, String)> = vec![];
    let mut end = 0;
    for (item, _) in items.iter().zip(kept).filter(|(_, kept)| !kept) {
        if item.start >= end && item.end > item.start {
            found.push((item.start, item.end, item.kind.stand_in().to_owned()));
            end = item.end;
        }
    }
    found
}

#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::As);
    let most = Some(now.maximum.map_or(MEMORY, |most| most.min(MEMORY)));
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    // Without a limit, the text is parsed all the same.
    let _ = setrlimit(Resource::As, limit);
}
