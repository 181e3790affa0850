//! The process that loads libclang.

use super::message::ClangMessage;
use super::request::ClangRequest;
use crate::exit::Exit;
use crate::print::print;
use nubbin_clang::{CheckRequest, Checker, Item, Request, Slice, read};
use nubbin_oracle::{Dialogue, TestCommand};
use nubbin_reduce::pass::FrontEnd;
use std::io::BufRead as _;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The argument that makes this program the process that loads libclang. The argument is not a
/// command for users.
pub const PROCESS: &str = "--clang-process";

/// The largest address space of the process in bytes.
#[cfg(unix)]
const MEMORY: u64 = 6 << 30;

/// The additional time after the time limit of the request, after which the process ends itself.
pub(super) const GRACE: Duration = Duration::from_secs(20);

/// The maximum time to count the errors of a text.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// The longest line of the process in bytes.
pub(super) const LONGEST: usize = 64 << 20;

/// The interval at which a wait checks whether the run was asked to stop.
pub(super) const MOMENT: Duration = Duration::from_millis(100);

/// Starts the process with a request. Returns `None` if it cannot be started.
pub(super) fn begin(request: &ClangRequest) -> Option<Dialogue> {
    let line = serde_json::to_string(request).ok()?;
    let program = std::env::current_exe().ok()?;
    let words = vec![program.into_os_string(), PROCESS.into()];
    let folder = Path::new("/");
    let command = TestCommand::new(words, folder).ok()?;
    let mut dialogue = Dialogue::start(&command, folder, LONGEST, None, true).ok()?;
    dialogue.say(&line);
    Some(dialogue)
}

/// The size in bytes of the stack of the thread that parses. A parse of deep code needs much.
const STACK: usize = 256 << 20;

/// Reads one request, and writes one line for each slice, or for the errors of each text that
/// follows.
pub fn run() -> Exit {
    #[cfg(unix)]
    limit_memory();
    let mut line = String::new();
    let request = match std::io::stdin().lock().read_line(&mut line) {
        Ok(_) => serde_json::from_str::<ClangRequest>(&line),
        Err(_) => return Exit::Usage,
    };
    let Ok(request) = request else {
        return Exit::Usage;
    };
    let reader = std::thread::Builder::new().stack_size(STACK);
    let reader = reader.spawn(move || match request {
        ClangRequest::Slices(request) => write_slices(&request),
        ClangRequest::Errors(request) => write_errors(&request),
    });
    let end = match reader.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ClangMessage::Done,
        Ok(Ok(Err(why))) => ClangMessage::Failed(why),
        _ => ClangMessage::Failed("it stopped".into()),
    };
    write(&end);
    Exit::Done
}

/// Writes a line for each slice. The error is a reason for a message.
fn write_slices(request: &Request) -> Result<(), String> {
    let _watch = Watchdog::new(request.longest().saturating_add(GRACE));
    let size = request.text.len() as u64;
    let mut written = 0;
    let facts = read(request, &mut |facts, slice| {
        if facts.is_warning && facts.slices.is_empty() {
            write(&ClangMessage::Warning);
        }
        let parts = splices(request.text.as_bytes(), &facts.items, slice);
        let gone: u64 = parts.iter().map(|part| u64::from(part.1 - part.0)).sum();
        // A slice that saves little is not worth a test.
        if gone * 2 < size {
            return true;
        }
        written += 1;
        write(&ClangMessage::Slice(parts)) && written < FrontEnd::MAX_SLICES
    });
    facts.map(|_| ()).map_err(|error| error.to_string())
}

/// Writes a line with the number of errors of each text, until there are no more texts. The error
/// is a reason for a message.
fn write_errors(request: &CheckRequest) -> Result<(), String> {
    let checker = Checker::load(request).map_err(|error| error.to_string())?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let text: String = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let _watch = Watchdog::new(PATIENCE.saturating_add(GRACE));
        if !write(&ClangMessage::Errors(checker.errors(text.as_bytes()))) {
            break;
        }
    }
    Ok(())
}

/// Ends the process if it lives longer than a time limit. If nubbin was killed during a parse, no
/// other process ends this one.
struct Watchdog {
    /// The other end is never sent anything: it is dropped with the watchdog.
    _alive: Sender<()>,
}

impl Watchdog {
    fn new(limit: Duration) -> Self {
        let (alive, end) = channel();
        std::thread::spawn(move || {
            if end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                std::process::exit(Exit::Test as i32);
            }
        });
        Watchdog { _alive: alive }
    }
}

/// Writes a line, and returns whether the line could be written.
fn write(message: &ClangMessage) -> bool {
    let Ok(line) = serde_json::to_string(message) else {
        return false;
    };
    print(&format!("{line}\n")).is_ok()
}

/// Returns the replacements in the text that yield a slice. Lines of which nothing is left are
/// removed.
fn splices(text: &[u8], items: &[Item], slice: &Slice) -> Vec<(u32, u32, String)> {
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
    // The end of the previous splice, and whether a line starts there.
    let (mut before, mut at_start) = (0, true);
    for at in 0..found.len() {
        let next = found.get(at + 1).map_or(text.len() as u32, |next| next.0);
        let (start, end, stand_in) = &mut found[at];
        let line = line_start(&text[before as usize..*start as usize], at_start);
        let line = line.filter(|_| stand_in.is_empty());
        let blank = blank_lines(&text[*end as usize..next as usize]) as u32;
        if let Some(line) = line.filter(|_| blank > 0) {
            *start = before + line as u32;
            *end += blank;
        }
        (before, at_start) = (*end, line.is_some());
    }
    found
}

/// Returns the offset of the line that a text ends in, if there is nothing but space in it. The
/// text begins `at_start` of a line or not.
fn line_start(text: &[u8], at_start: bool) -> Option<usize> {
    let space = text
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |at| at + 1);
    let is_start = match space {
        0 => at_start,
        space => text[space - 1] == b'\n',
    };
    is_start.then_some(space)
}

/// Returns the length of the space that a text begins with, up to its last line feed.
fn blank_lines(text: &[u8]) -> usize {
    let space = text.iter().take_while(|byte| byte.is_ascii_whitespace());
    let space = &text[..space.count()];
    space
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1)
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
    // If the limit cannot be set, the text is parsed without it.
    let _ = setrlimit(Resource::As, limit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_clang::ItemKind;

    #[test]
    fn lines_of_which_nothing_is_left_are_removed() {
        let text = b"int a;\n\n  int b;\n\nint c; int d;\n# 1 \"x\"\nint f() {}\n";
        let item = |part: &str, kind: ItemKind| {
            let whole = std::str::from_utf8(text).unwrap();
            let start = whole.find(part).unwrap() as u32;
            Item {
                start,
                end: start + part.len() as u32,
                parent: None,
                kind,
                name: String::new(),
            }
        };
        let items = [
            item("int a;", ItemKind::Variable),
            item("int b;", ItemKind::Variable),
            item("int c;", ItemKind::Variable),
            item("int d;", ItemKind::Variable),
            item("{}", ItemKind::Body),
        ];
        let left = |kept: &[u32]| {
            let slice = Slice {
                kept: kept.to_vec(),
            };
            let (mut out, mut from) = (String::new(), 0);
            for (start, end, stand_in) in splices(text, &items, &slice) {
                out += std::str::from_utf8(&text[from..start as usize]).unwrap();
                out += &stand_in;
                from = end as usize;
            }
            out + std::str::from_utf8(&text[from..]).unwrap()
        };
        let end = "\n# 1 \"x\"\nint f() ;\n";
        assert_eq!(left(&[0, 2, 3]), format!("int a;\n\nint c; int d;{end}"));
        assert_eq!(left(&[2]), format!("int c; {end}"));
        assert_eq!(left(&[3]), format!(" int d;{end}"));
        assert_eq!(left(&[0]), format!("int a;\n{end}"));
        // A directive has its own line, as in the text that clang has accepted.
        let text = b"int c(); int d(); int e();\n# 5 \"x.h\"\n";
        let item = |start, end| Item {
            start,
            end,
            ..items[0].clone()
        };
        let items = [item(0, 8), item(9, 17), item(18, 26)];
        let parts = splices(text, &items, &Slice { kept: vec![0] });
        assert_eq!(parts, [(9, 17, String::new()), (18, 26, String::new())]);
    }
}
