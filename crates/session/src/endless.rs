//! Devices, pipes, and sockets. Such files are refused as inputs, since reading them may never
//! start or never end.

use crate::exit::Exit;
use crate::problem::Problem;
use std::fs::FileType;
use std::path::Path;

/// Returns an error if the path leads to an entry that is neither a file nor a folder. A missing
/// file is not an error here, since reading it fails at once.
pub fn refuse(path: &Path) -> Result<(), Problem> {
    let Some(what) = std::fs::metadata(path)
        .ok()
        .and_then(|there| kind(there.file_type()))
    else {
        return Ok(());
    };
    let path = path.display();
    let problem = Problem::new(
        Exit::Input,
        format!("cannot read `{path}`: it is {what}, not a file"),
    );
    Err(problem.hint(match what {
        SOCKET => "name a file instead".to_owned(),
        PIPE => format!("copy it into a file first: `cat {path} > input`"),
        _ => format!("copy a part of it into a file first: `head -c 1M {path} > input`"),
    }))
}

const PIPE: &str = "a pipe";
const SOCKET: &str = "a socket";

/// Returns the word for a file of the given type; `None` for a plain file or a folder.
fn kind(of: FileType) -> Option<&'static str> {
    if of.is_file() || of.is_dir() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if of.is_fifo() {
            return Some(PIPE);
        }
        if of.is_socket() {
            return Some(SOCKET);
        }
        if of.is_block_device() {
            return Some("a disk");
        }
    }
    Some("a device")
}
