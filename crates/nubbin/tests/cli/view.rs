//! The full-screen view, on a pseudo-terminal.

use crate::running::{LONG, Running};
use crate::stage::{Stage, haystack};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

const TAKEN: &str = "\x1b[?1049h";
const GIVEN_BACK: &str = "\x1b[?1049l";

/// A pseudo-terminal and its output.
pub(crate) struct Screen {
    keyboard: File,
    user: File,
    pieces: Receiver<Vec<u8>>,
    closed: Arc<AtomicBool>,
    seen: String,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, vec![]).unwrap().into_string().unwrap();
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        let keyboard = File::from(master);
        let mut output = keyboard.try_clone().unwrap();
        let (send, pieces) = channel();
        let closed = Arc::new(AtomicBool::new(false));
        let is_closed = Arc::clone(&closed);
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(len @ 1..) = output.read(&mut piece) {
                if send.send(piece[..len].to_vec()).is_err() || is_closed.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        // The terminal stays open, so that the last output can still be read.
        let user = File::options().read(true).write(true).open(name).unwrap();
        Screen {
            keyboard,
            user,
            pieces,
            closed,
            seen: String::new(),
        }
    }

    fn start(&self, stage: &Stage, args: &str) -> Running {
        let args: Vec<&str> = args.split(' ').collect();
        self.start_with(stage, &args)
    }

    /// Runs to the end.
    pub(crate) fn run(&self, stage: &Stage, args: &[&str]) {
        self.start_with(stage, args).wait().ended(0);
    }

    /// Returns what was printed so far, as far as [`Screen::wait_for`] has read it.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    fn start_with(&self, stage: &Stage, args: &[&str]) -> Running {
        self.start_command(stage.nubbin(args))
    }

    fn start_command(&self, mut command: std::process::Command) -> Running {
        let side = || Stdio::from(self.user.try_clone().unwrap());
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        Running::start(command.stdin(side()).stdout(side()).stderr(side()))
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text was printed.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            match self.pieces.recv_timeout(LONG) {
                Ok(piece) => self.seen += &String::from_utf8_lossy(&piece),
                Err(_) => panic!("no {text:?} in:\n{:?}", self.seen),
            }
        }
    }

    /// Waits until a text was printed a number of times.
    #[track_caller]
    fn wait_for_times(&mut self, text: &str, times: usize) {
        while self.seen.matches(text).count() < times {
            match self.pieces.recv_timeout(LONG) {
                Ok(piece) => self.seen += &String::from_utf8_lossy(&piece),
                Err(_) => panic!("not {times} times {text:?} in:\n{:?}", self.seen),
            }
        }
    }

    /// Closes the terminal. Returns after the next frame was drawn.
    fn hang_up(self) {
        self.closed.store(true, Ordering::SeqCst);
        drop((self.keyboard, self.user));
        while self.pieces.recv_timeout(LONG).is_ok() {}
    }

    /// Returns whether the terminal reads lines and echoes them, as for a shell.
    fn is_as_before(&self) -> bool {
        let modes = tcgetattr(&self.user).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }
}

/// Makes a stage for a run of minutes: little can be removed, and each test is slow.
fn stage() -> Stage {
    let stage = Stage::with_crash(&haystack(300, "crash"));
    let test = "sleep 0.05; grep -q crash input.txt && test $(grep -c line input.txt) -ge 290";
    stage.script("test.sh", test);
    stage
}

const ARGS: &str = "reduce --jobs 2 --passes bytes --test ./test.sh input.txt";

#[test]
fn a_key_ends_the_run_and_restores_the_terminal() {
    for key in ["q", "\x03"] {
        let (stage, mut screen) = (stage(), Screen::new());
        let run = screen.start(&stage, ARGS);
        screen.wait_for(TAKEN);
        screen.wait_for("tests");
        screen.wait_for("help");
        // A pass runs, so the original has failed.
        screen.wait_for("▶");
        assert!(!screen.is_as_before());
        screen.press(key);
        screen.wait_for(GIVEN_BACK);
        // The report is on the main screen.
        screen.wait_for("stopped; this is the best so far");
        run.wait().ended(130);
        assert!(screen.is_as_before());
        assert!(stage.text("input.min.txt").contains("crash"));
        stage.assert_clean();
    }
}

#[test]
fn a_run_controlled_by_keys_reports_it() {
    let (stage, mut screen) = (stage(), Screen::new());
    let run = screen.start(&stage, ARGS);
    screen.wait_for("▶");
    screen.press("d");
    screen.wait_for("left out by hand");
    run.wait().ended(0);
    assert!(screen.is_as_before());
}

#[test]
fn a_pager_and_an_editor_have_a_copy_and_the_whole_terminal() {
    let (stage, mut screen) = (stage(), Screen::new());
    let opens = "grep -c crash \"$2\"; echo \"$1 has $2\"; echo changed > \"$2\"; read key";
    stage.script("opens.sh", opens);
    let program = stage.path("opens.sh").display().to_string();
    let mut command = stage.nubbin(ARGS.split(' '));
    command
        .env("PAGER", format!("{program} pager"))
        .env("EDITOR", format!("{program} editor"))
        .env_remove("VISUAL");
    let run = screen.start_command(command);
    screen.wait_for("▶");
    for (times, (key, told)) in [
        ("v", "pager has ./input.txt"),
        ("e", "editor has ./input.txt"),
    ]
    .into_iter()
    .enumerate()
    {
        screen.press(key);
        screen.wait_for(told);
        assert!(screen.is_as_before());
        screen.press("\n");
        screen.wait_for_times(TAKEN, times + 2);
    }
    screen.press("q");
    screen.wait_for("stopped; this is the best so far");
    run.wait().ended(130);
    assert!(screen.is_as_before());
    assert!(stage.text("input.min.txt").contains("crash"));
    stage.assert_clean();
}

#[test]
fn the_output_of_the_last_test_is_a_key_away() {
    let (stage, mut screen) = (stage(), Screen::new());
    let test = "sleep 0.05; echo seen-by-the-test; grep -q crash input.txt && \
                test $(grep -c line input.txt) -ge 290";
    stage.script("test.sh", test);
    let run = screen.start(&stage, ARGS);
    screen.wait_for("▶");
    assert!(!screen.seen().contains("seen-by-the-test"));
    screen.press("o");
    screen.wait_for("seen-by-the-test");
    screen.press("q");
    run.wait().ended(130);
}

#[test]
fn a_signal_restores_the_terminal() {
    let (stage, mut screen) = (stage(), Screen::new());
    let mut run = screen.start(&stage, ARGS);
    screen.wait_for("▶");
    run.signal(Signal::TERM);
    screen.wait_for(GIVEN_BACK);
    run.wait().ended(130);
    assert!(screen.is_as_before());
}

#[test]
fn a_run_ends_when_its_terminal_is_closed() {
    let (stage, mut screen) = (stage(), Screen::new());
    let mut run = screen.start(&stage, ARGS);
    screen.wait_for("▶");
    screen.hang_up();
    run.signal(Signal::TERM);
    run.wait();
    assert!(stage.text("input.min.txt").contains("crash"));
    stage.assert_clean();
}

#[test]
fn another_kind_of_progress_shows_no_view() {
    for flags in ["--progress line", "--plain", "--progress none", "-q", "-v"] {
        let (stage, mut screen) = (Stage::with_crash("a crash here"), Screen::new());
        stage.script("test.sh", "sleep 0.1; grep -q crash input.txt");
        let args = format!("reduce {flags} --max-tests 8 --test ./test.sh input.txt");
        let run = screen.start(&stage, &args);
        assert_eq!(run.wait().code, Some(0), "{flags}");
        if flags != "-q" {
            screen.wait_for("tests");
        }
        assert!(!screen.seen.contains(TAKEN), "{flags}");
    }
}

#[test]
fn an_impossible_view_is_refused_before_the_first_test() {
    let stage = Stage::with_crash("a crash");
    stage
        .run("reduce --progress view --test ./test.sh input.txt".split(' '))
        .ended(2)
        .said(&["needs a terminal", "--progress line"]);
    assert_eq!(stage.names(), ["input.txt", "test.sh"]);
}
