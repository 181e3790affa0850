//! The uses of files in the strace output.

use super::line::{Arg, Call, Line, Part};
use crate::access::{Access, Act};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The calls that are to be traced: those that take names of files, and those that change the
/// current folder or make a process, which inherits it.
pub(super) const CALLS: &str = "trace=%file,%process,fchdir";

/// Reads the strace output for a command that was started in the folder `here`.
pub(super) fn read(log: &[u8], here: &Path) -> Vec<Access> {
    let mut folders = Folders::new(here);
    let mut begun: HashMap<u32, Vec<u8>> = HashMap::new();
    let mut accesses = Vec::new();
    for line in log.split(|&byte| byte == b'\n') {
        let Some(Line { pid, part }) = Line::read(line) else {
            continue;
        };
        let text = match part {
            Part::Begin(text) => {
                folders.note_begin(pid, text);
                begun.insert(pid, text.to_vec());
                continue;
            }
            Part::End(text) => match begun.remove(&pid) {
                Some(begin) => [&begin, text].concat(),
                None => continue,
            },
            Part::Whole(text) => text.to_vec(),
        };
        let Some(call) = Call::read(&text) else {
            continue;
        };
        let here = folders.follow(pid, &call);
        if call.result >= 0 {
            add(&mut accesses, &call, &here);
        }
    }
    accesses
}

/// The current folder of each process.
struct Folders {
    first: PathBuf,
    of: HashMap<u32, PathBuf>,
    /// The processes that are making another one, the last one last.
    parents: Vec<u32>,
}

impl Folders {
    fn new(here: &Path) -> Self {
        Folders {
            first: here.to_owned(),
            of: HashMap::new(),
            parents: Vec::new(),
        }
    }

    fn note_begin(&mut self, pid: u32, text: &[u8]) {
        self.of(pid);
        if makes_process(text.split(|&byte| byte == b'(').next().unwrap_or_default()) {
            self.parents.push(pid);
        }
    }

    /// Returns the current folder of a process. A new process has the folder of its parent: the
    /// last process that has begun to create a process.
    fn of(&mut self, pid: u32) -> &PathBuf {
        let parent = self.parents.last().and_then(|parent| self.of.get(parent));
        let inherited = parent.unwrap_or(&self.first).clone();
        self.of.entry(pid).or_insert(inherited)
    }

    /// Updates the current folders after a call. Returns the folder of the process at the time of
    /// the call.
    fn follow(&mut self, pid: u32, call: &Call) -> PathBuf {
        let mut here = self.of(pid).clone();
        if let Some(Arg::Current(folder)) = call.args.first() {
            here.clone_from(folder);
        }
        let before = here.clone();
        match (call.name.as_str(), call.args.first()) {
            ("chdir", Some(Arg::Text(path))) if call.result == 0 => here = here.join(path),
            ("fchdir", Some(Arg::Descriptor(path))) if call.result == 0 => here.clone_from(path),
            (name, _) if makes_process(name.as_bytes()) => {
                self.parents.retain(|parent| *parent != pid);
                if let Ok(child) = u32::try_from(call.result)
                    && child > 0
                {
                    // A child that already appeared in the log has its own folder.
                    self.of.entry(child).or_insert_with(|| here.clone());
                }
            }
            _ => {}
        }
        self.of.insert(pid, here);
        before
    }
}

fn makes_process(name: &[u8]) -> bool {
    [&b"fork"[..], b"vfork", b"clone", b"clone2", b"clone3"].contains(&name)
}

/// Adds the uses of files of a call that succeeded.
fn add(accesses: &mut Vec<Access>, call: &Call, here: &Path) {
    let paths = call.paths(here);
    let mut add = |path: Option<&PathBuf>, act: Act| {
        if let Some(path) = path {
            let path = path.clone();
            accesses.push(Access { path, act });
        }
    };
    match call.name.as_str() {
        "open" | "openat" | "openat2" | "creat" => add(paths.first(), call.opening()),
        "execve" | "execveat" => add(paths.first(), Act::Run),
        "rename" | "renameat" | "renameat2" => {
            add(paths.first(), Act::Read);
            add(paths.first(), Act::Remove);
            add(paths.get(1), Act::Write);
        }
        "link" | "linkat" => {
            add(paths.first(), Act::Read);
            add(paths.get(1), Act::Write);
        }
        // The first argument is the content of the link.
        "symlink" | "symlinkat" => add(paths.last(), Act::Link),
        "mkdir" | "mkdirat" | "mknod" | "mknodat" => add(paths.first(), Act::Write),
        "unlink" | "unlinkat" | "rmdir" => add(paths.first(), Act::Remove),
        "truncate" | "truncate64" => add(paths.first(), Act::Change),
        "getcwd" | "mount" | "umount2" => {}
        _ => add(paths.first(), Act::Look),
    }
}

impl Call {
    /// Returns the names of files, made absolute. A name follows the descriptor of its folder, if
    /// there is one.
    fn paths(&self, here: &Path) -> Vec<PathBuf> {
        let mut folder = None;
        let mut paths = Vec::new();
        for arg in &self.args {
            match arg {
                Arg::Current(path) | Arg::Descriptor(path) => folder = Some(path),
                // An empty name stands for the descriptor itself, which an earlier call opened.
                Arg::Text(name) if name.as_os_str().is_empty() => {}
                Arg::Text(name) => paths.push(folder.take().map_or(here, |it| it).join(name)),
                Arg::Other(_) => {}
            }
        }
        paths
    }

    fn opening(&self) -> Act {
        let flags = self.args.iter().find_map(|arg| match arg {
            Arg::Other(text) if text.contains("O_") => Some(text.as_str()),
            _ => None,
        });
        let has = |flag: &str| flags.is_some_and(|flags| flags.contains(flag));
        match () {
            () if self.name == "creat" || has("O_TRUNC") || has("O_TMPFILE") => Act::Write,
            // It is unknown whether the file existed. Files that a build appends to are mostly its
            // own: logs, caches, locks.
            () if has("O_CREAT") => Act::Write,
            () if has("O_WRONLY") || has("O_RDWR") => Act::Change,
            () if has("O_DIRECTORY") || has("O_PATH") => Act::Look,
            () => Act::Read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(log: &str) -> Vec<String> {
        let accesses = read(log.as_bytes(), Path::new("/p"));
        let accesses = accesses.iter();
        accesses
            .map(|access| format!("{:?} {}", access.act, access.path.display()))
            .collect()
    }

    #[test]
    fn a_build_in_a_folder_below_is_followed_through_its_processes() {
        // This is the output of strace 6.1 for make, sh, and gcc, with fewer arguments.
        let log = r#"
4004  execve("/usr/bin/make", ["make", "-k", "foo.o"], 0x7ffd /* 35 vars */) = 0
4004  access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
4004  openat(AT_FDCWD</p>, "Makefile", O_RDONLY) = 3</p/Makefile>
4004  clone3({flags=CLONE_VM|CLONE_VFORK, exit_signal=SIGCHLD, stack_size=0x9000}, 88 <unfinished ...>
4005  execve("/bin/sh", ["/bin/sh", "-c", "cd sub && gcc"...], 0x55a2 /* 38 vars */ <unfinished ...>
4004  <... clone3 resumed>)             = 4005
4004  wait4(-1,  <unfinished ...>
4005  <... execve resumed>)             = 0
4005  chdir("sub")                      = 0
4005  vfork( <unfinished ...>
4006  execve("/usr/bin/gcc", ["gcc", "-c", "../foo.c"], 0x55ca /* 38 vars */ <unfinished ...>
4005  <... vfork resumed>)              = 4006
4006  <... execve resumed>)             = 0
4006  access("../foo.c", R_OK) = 0
4006  openat(AT_FDCWD</p/sub>, "foo.o", O_RDWR|O_CREAT|O_TRUNC, 0666) = 3</p/sub/foo.o>
4006  unlink("foo.o")                   = 0
4004  <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 1}], 0, NULL) = 4005
4004  newfstatat(AT_FDCWD</p>, "foo.c", {st_mode=S_IFREG|0644, st_size=3, ...}, 0) = 0
"#;
        let expected = [
            "Run /usr/bin/make",
            "Read /p/Makefile",
            "Run /bin/sh",
            "Look /p/sub",
            "Run /usr/bin/gcc",
            "Look /p/sub/../foo.c",
            "Write /p/sub/foo.o",
            "Remove /p/sub/foo.o",
            "Look /p/foo.c",
        ];
        assert_eq!(shown(log), expected);
    }

    #[test]
    fn names_are_relative_to_the_descriptor_before_them() {
        let log = r#"
1  openat(3</q/sub>, "../a", O_RDONLY) = 4</q/a>
1  renameat2(3</q>, "a", AT_FDCWD</p>, "b", 0) = 0
1  linkat(AT_FDCWD</p>, "c", AT_FDCWD</p>, "d", 0) = 0
1  symlinkat("../else", AT_FDCWD</p>, "e") = 0
1  fchdir(3</q/sub>) = 0
1  openat(AT_FDCWD, "f", O_WRONLY) = 5
1  open("g", O_RDONLY|O_DIRECTORY) = 6
1  newfstatat(6</q/sub/g>, "", {st_mode=S_IFDIR|0755, ...}, AT_EMPTY_PATH) = 0
1  openat(AT_FDCWD, "h", O_RDONLY <detached ...>
"#;
        assert_eq!(
            shown(log),
            [
                "Read /q/sub/../a",
                "Read /q/a",
                "Remove /q/a",
                "Write /p/b",
                "Read /p/c",
                "Write /p/d",
                "Link /p/e",
                "Change /q/sub/f",
                "Look /q/sub/g",
            ]
        );
    }
}
