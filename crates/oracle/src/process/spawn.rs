//! Starts a program in a new session, with default signals.
//!
//! In the session of nubbin, a test that prompts on the terminal (`sudo`, `git`, `ssh`, `gpg`)
//! would read what the user types, or the system would stop it, since it is in the background. In
//! its own session it cannot open `/dev/tty`, and its error says so.
//!
//! A process also inherits ignored signals and the signal mask. A parent that ignores SIGHUP
//! (`nohup`), SIGINT (a background job of a script), or SIGXFSZ would change the behavior of a
//! test, and with SIGXFSZ ignored nubbin would not notice that a file hit the size limit.
//!
//! The standard library can do neither without code between fork and exec. For such code it copies
//! this process, which costs a millisecond for 20 MB. `posix_spawn` shares the memory instead.

use super::Pipes;
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::ptr;

/// A program with its arguments, environment, folder, and standard streams. The type is used like
/// the type of this name in the standard library.
#[derive(Debug)]
pub(crate) struct Command {
    program: OsString,
    args: Vec<OsString>,
    folder: Option<PathBuf>,
    is_clean: bool,
    /// The changes of the environment; `None` removes a variable.
    changes: BTreeMap<OsString, Option<OsString>>,
    streams: [Option<Stdio>; 3],
    /// Further open files, with the numbers that they have in the program.
    passed: Vec<(OwnedFd, libc::c_int)>,
}

/// A standard stream of a program. A program without its own stream inherits the stream of this
/// process.
#[derive(Debug)]
pub(crate) enum Stdio {
    File(File),
    Pipe,
}

impl Stdio {
    pub(crate) fn piped() -> Self {
        Stdio::Pipe
    }
}

impl From<File> for Stdio {
    fn from(file: File) -> Self {
        Stdio::File(file)
    }
}

impl Command {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Command {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            folder: None,
            is_clean: false,
            changes: BTreeMap::new(),
            streams: [const { None }; 3],
            passed: Vec::new(),
        }
    }

    /// Makes the command an argument of another command, which has the given words.
    #[cfg(target_os = "linux")]
    pub(crate) fn put_behind(&mut self, words: impl IntoIterator<Item = OsString>) -> &mut Self {
        let mut words = words.into_iter();
        if let Some(program) = words.next() {
            let inner = std::mem::replace(&mut self.program, program);
            self.args.splice(0..0, words.chain([inner]));
        }
        self
    }

    pub(crate) fn get_program(&self) -> &OsStr {
        &self.program
    }

    pub(crate) fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub(crate) fn args(&mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.args.extend(args);
        self
    }

    pub(crate) fn current_dir(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    pub(crate) fn env_clear(&mut self) -> &mut Self {
        self.is_clean = true;
        self.changes.clear();
        self
    }

    pub(crate) fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        let value = value.as_ref().to_owned();
        self.changes.insert(name.as_ref().to_owned(), Some(value));
        self
    }

    pub(crate) fn envs(
        &mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> &mut Self {
        for (name, value) in variables {
            self.env(name, value);
        }
        self
    }

    pub(crate) fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Self {
        self.changes.insert(name.as_ref().to_owned(), None);
        self
    }

    pub(crate) fn stdin(&mut self, stream: impl Into<Stdio>) -> &mut Self {
        self.stream(0, stream.into())
    }

    pub(crate) fn stdout(&mut self, stream: impl Into<Stdio>) -> &mut Self {
        self.stream(1, stream.into())
    }

    pub(crate) fn stderr(&mut self, stream: impl Into<Stdio>) -> &mut Self {
        self.stream(2, stream.into())
    }

    /// Gives the program an open file under the given number, which must be larger than 2. The
    /// number of the file in this process must be larger than all given numbers.
    #[cfg(target_os = "linux")]
    pub(crate) fn pass(&mut self, file: OwnedFd, number: libc::c_int) -> &mut Self {
        self.passed.push((file, number));
        self
    }

    fn stream(&mut self, number: usize, stream: Stdio) -> &mut Self {
        self.streams[number] = Some(stream);
        self
    }

    /// Starts the program, and returns its number and the other ends of its pipes.
    pub(super) fn spawn(&self) -> io::Result<(Pid, Pipes)> {
        let program = CString::new(self.program.as_bytes())?;
        let words = std::iter::once(&self.program).chain(&self.args);
        let words = words
            .map(|word| CString::new(word.as_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let variables = self.variables()?;
        let folder = self.folder.as_deref();
        let folder = folder
            .map(|folder| CString::new(folder.as_os_str().as_bytes()))
            .transpose()?;
        let (mut theirs, mut ours) = (Vec::new(), [const { None }; 3]);
        let mut moved = Vec::new();
        for (number, stream) in (0..).zip(&self.streams) {
            let fd = match stream {
                None => continue,
                Some(Stdio::File(file)) => file.as_raw_fd(),
                Some(Stdio::Pipe) => {
                    let (reader, writer) = io::pipe()?;
                    let (reader, writer) = (OwnedFd::from(reader), OwnedFd::from(writer));
                    let (their, our) = match number {
                        0 => (reader, writer),
                        _ => (writer, reader),
                    };
                    ours[number as usize] = Some(our);
                    let fd = their.as_raw_fd();
                    theirs.push(their);
                    fd
                }
            };
            moved.push((fd, number));
        }
        let passed = self.passed.iter();
        moved.extend(passed.map(|(file, number)| (file.as_raw_fd(), *number)));
        let pid = spawn(&program, &words, &variables, folder.as_deref(), &moved)?;
        let [stdin, stdout, stderr] = ours;
        Ok((
            pid,
            (
                stdin.map(Into::into),
                stdout.map(Into::into),
                stderr.map(Into::into),
            ),
        ))
    }

    /// Returns the environment, each variable as `NAME=value`.
    fn variables(&self) -> io::Result<Vec<CString>> {
        let mut all: BTreeMap<OsString, OsString> = match self.is_clean {
            true => BTreeMap::new(),
            false => std::env::vars_os().collect(),
        };
        for (name, value) in &self.changes {
            match value {
                Some(value) => all.insert(name.clone(), value.clone()),
                None => all.remove(name),
            };
        }
        let line = |(name, value): (OsString, OsString)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat())
        };
        Ok(all.into_iter().map(line).collect::<Result<_, _>>()?)
    }
}

/// The flag for a new session.
#[cfg(target_os = "linux")]
const NEW_SESSION: libc::c_short = libc::POSIX_SPAWN_SETSID;
#[cfg(target_os = "macos")]
const NEW_SESSION: libc::c_short = 0x400;
/// Other systems have no such flag, and get a new process group.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
const NEW_SESSION: libc::c_short = libc::POSIX_SPAWN_SETPGROUP as libc::c_short;

/// Starts a program with the given words, variables, and folder. Each of `moved` is a file of this
/// process and the number that it has in the other one.
#[expect(unsafe_code, reason = "the system has no other interface")]
fn spawn(
    program: &CStr,
    words: &[CString],
    variables: &[CString],
    folder: Option<&CStr>,
    moved: &[(libc::c_int, libc::c_int)],
) -> io::Result<Pid> {
    let list = |texts: &[CString]| -> Vec<*mut libc::c_char> {
        let texts = texts.iter().map(|text| text.as_ptr().cast_mut());
        texts.chain([ptr::null_mut()]).collect()
    };
    let (words, variables) = (list(words), list(variables));
    let flags = NEW_SESSION
        | libc::POSIX_SPAWN_SETSIGDEF as libc::c_short
        | libc::POSIX_SPAWN_SETSIGMASK as libc::c_short;
    let mut place = MaybeUninit::uninit();
    let attributes = Attributes::new(&mut place)?;
    let mut place = MaybeUninit::uninit();
    let actions = Actions::new(&mut place)?;
    // SAFETY: `attributes` and `actions` were initialized, the sets are initialized before they are
    // read, and all strings live until the end of this function. `posix_spawnp` reads the two lists
    // up to their null pointers and writes only the process number.
    unsafe {
        let mut signals = MaybeUninit::<libc::sigset_t>::uninit();
        check(libc::posix_spawnattr_setflags(attributes.0, flags))?;
        libc::sigemptyset(signals.as_mut_ptr());
        check(libc::posix_spawnattr_setsigmask(
            attributes.0,
            signals.as_ptr(),
        ))?;
        libc::sigfillset(signals.as_mut_ptr());
        for fixed in [libc::SIGKILL, libc::SIGSTOP] {
            libc::sigdelset(signals.as_mut_ptr(), fixed);
        }
        check(libc::posix_spawnattr_setsigdefault(
            attributes.0,
            signals.as_ptr(),
        ))?;
        for &(from, to) in moved {
            check(libc::posix_spawn_file_actions_adddup2(actions.0, from, to))?;
        }
        if let Some(folder) = folder {
            check(libc::posix_spawn_file_actions_addchdir_np(
                actions.0,
                folder.as_ptr(),
            ))?;
        }
        let mut pid = 0;
        check(libc::posix_spawnp(
            &raw mut pid,
            program.as_ptr(),
            actions.0,
            attributes.0,
            words.as_ptr(),
            variables.as_ptr(),
        ))?;
        Pid::from_raw(pid).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Returns the error of a call that returns an error number.
fn check(number: libc::c_int) -> io::Result<()> {
    match number {
        0 => Ok(()),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}

/// The attributes of a start, which are initialized and removed at the end.
struct Attributes<'a>(&'a mut libc::posix_spawnattr_t);

impl<'a> Attributes<'a> {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn new(place: &'a mut MaybeUninit<libc::posix_spawnattr_t>) -> io::Result<Self> {
        // SAFETY: the call initializes the attributes, unless it reports an error.
        unsafe {
            check(libc::posix_spawnattr_init(place.as_mut_ptr()))?;
            Ok(Attributes(place.assume_init_mut()))
        }
    }
}

impl Drop for Attributes<'_> {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn drop(&mut self) {
        // SAFETY: the attributes were initialized, and are not used after this call.
        unsafe { libc::posix_spawnattr_destroy(self.0) };
    }
}

/// The actions of the new process before it runs the program, in the same way.
struct Actions<'a>(&'a mut libc::posix_spawn_file_actions_t);

impl<'a> Actions<'a> {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn new(place: &'a mut MaybeUninit<libc::posix_spawn_file_actions_t>) -> io::Result<Self> {
        // SAFETY: the call initializes the actions, unless it reports an error.
        unsafe {
            check(libc::posix_spawn_file_actions_init(place.as_mut_ptr()))?;
            Ok(Actions(place.assume_init_mut()))
        }
    }
}

impl Drop for Actions<'_> {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn drop(&mut self) {
        // SAFETY: the actions were initialized, and are not used after this call.
        unsafe { libc::posix_spawn_file_actions_destroy(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn a_program_gets_its_words_variables_folder_and_streams() {
        let mut command = Command::new("sh");
        command
            .args(["-c", r#"pwd; echo "$0 $A ${HOME-none}"; cat >&2"#, "word"])
            .current_dir("/")
            .env_clear()
            .env("A", "b")
            .env("C", "d")
            .env_remove("C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (pid, (stdin, stdout, stderr)) = command.spawn().unwrap();
        io::Write::write_all(&mut stdin.unwrap(), b"in").unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        stdout.unwrap().read_to_string(&mut out).unwrap();
        stderr.unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((&*out, &*err), ("/\nword b none\n", "in"));
        rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty()).unwrap();
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error() {
        let kind = |command: &Command| command.spawn().unwrap_err().kind();
        let missing = Command::new("/no/such/program");
        assert_eq!(kind(&missing), io::ErrorKind::NotFound);
        let mut lost = Command::new("sh");
        lost.current_dir("/no/such/folder");
        assert_eq!(kind(&lost), io::ErrorKind::NotFound);
        assert_eq!(kind(&Command::new("/")), io::ErrorKind::PermissionDenied);
        assert_eq!(kind(&Command::new("a\0b")), io::ErrorKind::InvalidInput);
    }
}
