//! The state and the environment of a process, as `/proc` shows them.

use std::{fs, io};

/// The environment of a process. It is empty if the process was started without one, and also while
/// the process ends or starts a program.
pub(super) fn environment(pid: i32) -> io::Result<Vec<u8>> {
    fs::read(format!("/proc/{pid}/environ"))
}

/// The state of a process of this machine.
pub(super) struct State {
    pub(super) is_dead: bool,
    /// Whether the first thread has exited while others run. Such a process has no environment.
    pub(super) has_other_threads: bool,
    /// Whether a signal stopped the process and no signal continued it.
    pub(super) is_stopped: bool,
    /// Whether the process is ending: it has no memory, or is about to lose it.
    is_ending: bool,
    /// The size of the environment in bytes; `None` while the process starts a program or ends.
    environment_size: Option<u64>,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// The start time in clock ticks since the machine was started.
    pub(super) start: u64,
}

/// The bit of a process that is ending (`PF_EXITING`) in the flags that Linux shows.
const IS_ENDING: u64 = 4;

impl State {
    pub(super) fn of(pid: i32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::read(&stat)
    }

    /// Reads the text of `/proc/<pid>/stat`. Its fields are counted from 1, as in `proc(5)`.
    fn read(stat: &[u8]) -> Option<Self> {
        // The name, field 2, may contain any character.
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        let rest = String::from_utf8_lossy(&stat[name_end + 1..]).into_owned();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let field = |number: usize| words.get(number - 3).copied();
        let count = |number: usize| field(number)?.parse::<u64>().ok();
        let state = field(3)?;
        let (is_zombie, threads) = (state == "Z", count(20)?);
        let is_ending = count(9)? & IS_ENDING != 0;
        // Both are 0 until a started program has its environment.
        // The address of the program is set after the environment. All are 0 before.
        let (program, environment_start, environment_end) = (count(26)?, count(50)?, count(51)?);
        Some(State {
            is_dead: is_zombie && threads <= 1,
            has_other_threads: is_zombie && threads > 1,
            is_stopped: state == "T",
            is_ending,
            environment_size: environment_end
                .checked_sub(environment_start)
                .filter(|_| program != 0 && environment_end != 0),
            parent: field(4)?.parse().ok()?,
            group: field(5)?.parse().ok()?,
            start: count(22)?,
        })
    }

    /// Returns whether the process has no environment at this moment, since it is ending or starts
    /// a program.
    ///
    /// The text of an environment is read in parts. The memory of a process that ends in between
    /// gives no further part, and no error.
    pub(super) fn lacks_environment(&self, read: &io::Result<Vec<u8>>) -> bool {
        // Some systems report `ESRCH` for a process that is ending. Any other error means that this
        // process may not read the environment, and then its addresses are hidden as well.
        let has_no_memory = match read {
            Ok(_) => true,
            Err(error) => error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()),
        };
        self.is_ending || has_no_memory && self.environment_size.is_none()
    }

    /// Returns whether a text is the whole environment of the process.
    pub(super) fn has_all_of(&self, read: &io::Result<Vec<u8>>) -> bool {
        match (read, self.environment_size) {
            (Ok(text), Some(size)) => text.len() as u64 == size,
            // The environment cannot be read. A second attempt does not change that.
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The text of `/proc/<pid>/stat` of a `python3 a) b` with these flags and this environment.
    fn stat(flags: u64, environment: (u64, u64)) -> String {
        let (start, end) = environment;
        format!(
            "8412 (python3 a) b) R 15053 8400 8412 0 -1 {flags} 67 0 0 0 0 0 0 0 20 0 1 0 2739071 0 0 \
             18446744073709551615 94820738764800 0 0 0 0 0 0 16781318 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 {start} \
             {end} 0\n"
        )
    }

    #[test]
    fn fields_of_a_state_are_counted_after_the_name() {
        let state = State::read(stat(0, (100, 200)).as_bytes()).unwrap();
        assert_eq!((state.parent, state.group), (15053, 8400));
        assert_eq!(state.start, 2_739_071);
        assert!(!state.is_dead && !state.is_stopped);
        assert!(State::read(b"8412 (python3) R 1").is_none());
    }

    #[test]
    fn the_size_of_an_environment_is_known_while_a_process_runs() {
        let size = |environment| {
            let state = State::read(stat(4_194_304, environment).as_bytes()).unwrap();
            state.environment_size
        };
        assert_eq!(size((200, 200)), Some(0));
        assert_eq!(size((100, 200)), Some(100));
        assert_eq!(size((0, 0)), None);
        // The environment is written before the address of the program is set.
        let starts = stat(4_194_304, (200, 200)).replace(" 94820738764800 ", " 0 ");
        assert_eq!(
            State::read(starts.as_bytes()).unwrap().environment_size,
            None
        );
    }

    #[test]
    fn a_part_of_an_environment_shows_an_owner_only_if_the_process_lives_on() {
        let state = |flags, environment| State::read(stat(flags, environment).as_bytes()).unwrap();
        let part = || Ok(b"PATH=/bin".to_vec());
        let hidden = || Err(io::Error::from(io::ErrorKind::PermissionDenied));
        let (running, ending) = (state(4_194_304, (100, 200)), state(4_194_380, (0, 0)));
        assert!(ending.lacks_environment(&part()) && ending.lacks_environment(&Ok(Vec::new())));
        assert!(ending.lacks_environment(&hidden()));
        // The process ran another program when the first part was read.
        assert!(!running.lacks_environment(&part()) && !running.has_all_of(&part()));
        assert!(running.has_all_of(&Ok(vec![b'x'; 100])));
        // The system shows no addresses of a process of another user.
        let others = state(4_194_304, (0, 0));
        assert!(!others.lacks_environment(&hidden()) && others.has_all_of(&hidden()));
        assert!(others.lacks_environment(&part()));
    }

    #[test]
    fn the_environment_of_a_running_process_is_read_as_a_whole() {
        for name in [None, Some("NUBBIN_SIZE")] {
            let mut command = std::process::Command::new("sleep");
            command.arg("1000").env_clear();
            command.envs(name.map(|name| (name, "x".repeat(10_000))));
            let mut child = command.spawn().unwrap();
            let pid = i32::try_from(child.id()).unwrap();
            // The system may set the environment a moment after the start of a process.
            let is_whole = |_| {
                std::thread::sleep(Duration::from_millis(1));
                let text = environment(pid);
                let state = State::of(pid).unwrap();
                let size = name.map_or(0, |name| name.len() as u64 + 10_002);
                state.environment_size == Some(size) && state.has_all_of(&text)
            };
            let is_whole = (0..5000).any(is_whole);
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(is_whole, "{name:?}");
        }
    }
}
