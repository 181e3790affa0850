use crate::output::Access;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The folder of the outputs of fuzzers, inside the folder of the campaign.
pub(super) const LOGS: &str = "sources";

/// The number of bytes above which an output becomes the old one.
const MAX_BYTES: u64 = 4 << 20;

/// The output of the fuzzer of a generator.
#[derive(Clone, Debug)]
pub(super) struct Log {
    path: PathBuf,
    max_bytes: u64,
}

impl Log {
    /// Returns the output of the fuzzer of a generator. No two generators share it.
    pub(super) fn of(folder: &Path, generator: &str) -> Self {
        let words = crate::reports::words(generator);
        // Other generator names may consist of the same words, and some file systems ignore case.
        let file = match words == generator {
            true => format!("{words}.log"),
            false => {
                let hash = nubbin_reduce::edit::fingerprint(generator.as_bytes()).0;
                format!("{words}.{:08x}.log", hash as u32)
            }
        };
        Log {
            path: folder.join(LOGS).join(file.trim_start_matches('.')),
            max_bytes: MAX_BYTES,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file with the output before.
    fn old(&self) -> PathBuf {
        let mut old = self.path.clone().into_os_string();
        old.push(".old");
        old.into()
    }

    /// Empties an output that has become too large, and keeps its end as the old one. The fuzzer
    /// must append to it.
    pub(super) fn bound(&self) -> io::Result<()> {
        let mut file = match File::open(&self.path) {
            // The fuzzer has not been started yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        let bytes = file.metadata()?.len();
        if bytes <= self.max_bytes {
            return Ok(());
        }
        file.seek(SeekFrom::Start(bytes - self.max_bytes))?;
        let mut old = Access::OWNER.create(&self.old())?;
        io::copy(&mut file.take(self.max_bytes), &mut old)?;
        Access::OWNER.append(&self.path)?.set_len(0)
    }

    /// Returns the last bytes of the output, preceded by the last bytes of the old output.
    pub(super) fn end(&self, bytes: u64) -> String {
        let (old, new) = (end_of(&self.old(), bytes), end_of(&self.path, bytes));
        let both = [old.unwrap_or_default(), new.unwrap_or_default()].concat();
        String::from_utf8_lossy(&both).into_owned()
    }
}

/// Returns the end of a file.
fn end_of(path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let all = file.metadata()?.len();
    file.seek(SeekFrom::Start(all.saturating_sub(bytes)))?;
    let mut end = vec![];
    file.take(bytes).read_to_end(&mut end)?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn an_output_that_grows_is_bounded_and_its_last_lines_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        Access::OWNER.make_dirs(&folder.path().join(LOGS)).unwrap();
        let log = Log {
            max_bytes: 100,
            ..Log::of(folder.path(), "g")
        };
        log.bound().unwrap();
        let mut fuzzer = Access::OWNER.append(log.path()).unwrap();
        let mut largest = 0;
        for line in 0..100 {
            writeln!(fuzzer, "line {line:04}").unwrap();
            log.bound().unwrap();
            let [new, old] = [log.path().to_owned(), log.old()]
                .map(|path| std::fs::metadata(path).map_or(0, |it| it.len()));
            largest = largest.max(new).max(old);
        }
        assert_eq!(largest, 100);
        let end = log.end(100);
        let last: Vec<&str> = end.lines().rev().take(10).collect();
        assert_eq!((last[0], last[9]), ("line 0099", "line 0090"));
    }

    #[test]
    fn no_two_generators_share_an_output() {
        let names = [
            "a-b",
            "a_b",
            "A B",
            "a-B",
            "",
            "_",
            &"x".repeat(60),
            &"x".repeat(61),
        ];
        let mut files: Vec<PathBuf> = names
            .iter()
            .map(|name| Log::of(Path::new("c"), name).path().to_owned())
            .collect();
        assert_eq!(files[0], Path::new("c/sources/a-b.log"));
        files.sort();
        files.dedup();
        assert_eq!(files.len(), names.len());
    }
}
