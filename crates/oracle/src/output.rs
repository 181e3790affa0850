//! The targets of the outputs of a test: `/dev/null` or an unnamed file.

#[cfg(unix)]
use crate::access;
use crate::folder::Folder;
use crate::folder_error::FolderError;
use crate::process::Stdio;
use crate::run_error::RunError;
use std::fs::File;
use std::io;

/// A choice of the outputs of a run to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Keep {
    /// Whether standard output is kept.
    pub stdout: bool,
    /// Whether standard error is kept.
    pub stderr: bool,
    /// Whether the texts that the test has [written](crate::Run::written) in its folder are kept.
    pub written: bool,
}

impl Keep {
    /// Keeps standard output and standard error.
    pub const BOTH: Keep = Keep {
        stdout: true,
        stderr: true,
        written: false,
    };
    /// Both outputs, and the texts that the test wrote.
    pub(crate) const ALL: Keep = Keep {
        written: true,
        ..Keep::BOTH
    };
    /// Returns the same with both outputs.
    pub(crate) fn with_outputs(self) -> Self {
        Keep {
            written: self.written,
            ..Keep::BOTH
        }
    }

    /// Standard output, which is compared with another command's.
    pub(crate) const STDOUT: Keep = Keep {
        stdout: true,
        ..Keep::NOTHING
    };
    const NOTHING: Keep = Keep {
        stdout: false,
        stderr: false,
        written: false,
    };
}

/// Opens `/dev/null` once for all tests of a command. The standard library would open it for each.
pub(crate) fn nothing() -> Result<Stdio, RunError> {
    #[cfg(unix)]
    {
        let null = std::path::Path::new("/dev/null");
        let opened = access::to_open().read(true).write(true).open(null);
        Ok(opened
            .map_err(|source| FolderError::write(null, source))?
            .into())
    }
    #[cfg(not(unix))]
    Ok(Stdio::null())
}

/// Returns the unnamed file for an output, which is made once and emptied for every test.
pub(crate) fn file(
    file: &mut Option<File>,
    is_kept: bool,
    folder: &Folder,
) -> Result<Stdio, RunError> {
    if !is_kept {
        return nothing();
    }
    let place = folder.work().parent().unwrap_or(folder.work());
    let fail = |source| FolderError::write(place, source);
    let kept = match file {
        Some(kept) => kept,
        None => {
            let made = tempfile::tempfile_in(place).map_err(fail)?;
            // Every writer appends to the file, as with a pipe.
            #[cfg(unix)]
            rustix::fs::fcntl_setfl(&made, rustix::fs::OFlags::APPEND)
                .map_err(|error| fail(error.into()))?;
            file.insert(made)
        }
    };
    Ok(kept.try_clone().map_err(fail)?.into())
}

pub(crate) fn length(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

pub(crate) fn rewind(file: &File) -> io::Result<()> {
    use std::io::Seek as _;
    if length(file)? > 0 {
        file.set_len(0)?;
        let mut file = file;
        file.rewind()?;
    }
    Ok(())
}

pub(crate) fn read(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    use std::io::{Read as _, Seek as _};
    let length = length(file)?.min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    if length > 0 {
        let mut file = file;
        file.rewind()?;
        file.take(length).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a part of an output without moving its position, which the test may share.
pub(crate) fn read_from(file: &File, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    #[cfg(unix)]
    let read = std::os::unix::fs::FileExt::read_at(file, &mut bytes, from)?;
    #[cfg(not(unix))]
    let read = {
        let _ = (file, from);
        0
    };
    bytes.truncate(read);
    Ok(bytes)
}
