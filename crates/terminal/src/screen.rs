//! The terminal. The view takes it over, and gives it back at every end of the process.

use crate::shown::is_seen;
use console::Term;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::{cursor, event, execute, queue, terminal};
use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Whether nubbin has taken over the terminal. The lock is held during drawing, so that no other
/// thread gives the terminal back meanwhile.
static TAKEN: Mutex<bool> = Mutex::new(false);

/// Whether a program of the user has the terminal, see [`Screen::lend`].
static LENT: AtomicBool = AtomicBool::new(false);

/// Returns whether a program of the user has the terminal. Ctrl-C is meant for that program then,
/// although it reaches nubbin as well.
pub fn is_lent() -> bool {
    LENT.load(Ordering::Acquire)
}

/// Returns whether there is a terminal to show a view on and to read keys from.
pub fn is_able() -> bool {
    Term::stderr().is_term() && io::stdin().is_terminal() && !is_dumb()
}

/// Returns whether the terminal cannot move its cursor.
fn is_dumb() -> bool {
    cfg!(unix) && std::env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb")
}

/// The screen of the view. Dropping it gives the terminal back.
pub struct Screen {
    inner: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
    /// Whether nubbin was stopped and continued, and the shell had the terminal meanwhile.
    continued: Arc<AtomicBool>,
}

impl Screen {
    /// Creates a screen. The screen does not take over the terminal yet.
    pub fn new() -> io::Result<Self> {
        give_back_on_panic();
        let out = BufWriter::with_capacity(1 << 16, stderr());
        let continued = Arc::default();
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&continued))?;
        Ok(Screen {
            inner: Terminal::new(CrosstermBackend::new(out))?,
            continued,
        })
    }

    /// Takes the terminal over, unless it was taken before. Returns `false` in the background,
    /// where the system stops a process that uses the terminal.
    pub fn take(&mut self) -> io::Result<bool> {
        let mut taken = lock();
        let continued = self.continued.load(Ordering::Acquire);
        if *taken && !continued {
            return Ok(true);
        }
        if !is_foreground() {
            return Ok(false);
        }
        self.continued.store(false, Ordering::Release);
        if *taken {
            terminal::disable_raw_mode()?;
        }
        terminal::enable_raw_mode()?;
        *taken = true;
        execute!(
            self.inner.backend_mut(),
            terminal::EnterAlternateScreen,
            cursor::Hide
        )?;
        self.wipe()?;
        Ok(true)
    }

    /// Draws the screen if the terminal is taken over.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        let taken = lock();
        if !*taken {
            return Ok(());
        }
        queue!(self.inner.backend_mut(), terminal::BeginSynchronizedUpdate)?;
        self.inner.draw(|frame| {
            paint(frame.buffer_mut());
            hide(frame.buffer_mut());
        })?;
        execute!(self.inner.backend_mut(), terminal::EndSynchronizedUpdate)
    }

    /// Draws everything again, after another process has written to the screen.
    pub fn forget(&mut self) -> io::Result<()> {
        let taken = lock();
        if *taken { self.wipe() } else { Ok(()) }
    }

    /// Clears the screen. `Terminal::clear` would ask the terminal for the position of its cursor,
    /// and wait for seconds if the terminal does not respond.
    fn wipe(&mut self) -> io::Result<()> {
        let size = self.inner.size()?;
        self.inner.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Gives the terminal to a program of the user until that has exited: a pager, an editor.
    /// `is_over` is called repeatedly, and returns whether the program has to end. A program that
    /// does not end on request is killed. The terminal is then restored.
    ///
    /// The program is in the process group of nubbin, so that Ctrl-Z stops both, and the shell
    /// continues both.
    ///
    /// # Errors
    /// Returns the system's error if the program cannot be started.
    pub fn lend(&self, command: &mut Command, is_over: impl Fn() -> bool) -> io::Result<()> {
        give_back();
        LENT.store(true, Ordering::Release);
        #[cfg(unix)]
        let before = rustix::termios::tcgetattr(std::io::stdin()).ok();
        // Standard output may be a file, in which case a pager does not page.
        let started = command
            .stdin(Stdio::inherit())
            .stdout(Stdio::from(stderr()))
            .stderr(Stdio::inherit())
            .spawn();
        let ended = started.map(|child| wait_for(child, is_over));
        if matches!(ended, Ok(Lent::Ended)) {
            #[cfg(unix)]
            if let Some(before) = before {
                let now = rustix::termios::OptionalActions::Now;
                let _ = rustix::termios::tcsetattr(std::io::stdin(), now, &before);
            }
            let _ = execute!(stderr(), terminal::LeaveAlternateScreen, cursor::Show);
        }
        LENT.store(false, Ordering::Release);
        ended.map(drop)
    }

    /// Suspends the process, as Ctrl-Z does in cooked mode. Returns when the shell resumes it.
    pub fn suspend(&self) {
        give_back();
        #[cfg(unix)]
        {
            self.continued.store(false, Ordering::Release);
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
            // If a thread takes the terminal again before the stop arrives, the shell gets a screen
            // that is not its own. The signal may also be ignored.
            for _ in 0..50 {
                if self.continued.load(Ordering::Acquire) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// The end of a program that had the terminal.
enum Lent {
    /// The program has exited.
    Over,
    /// The program was killed, and may have left the terminal in any state.
    Ended,
}

/// Waits for the end of a program, and kills it if it has to stop early.
fn wait_for(mut child: Child, is_over: impl Fn() -> bool) -> Lent {
    const PULSE: Duration = Duration::from_millis(20);
    /// The time that a program gets to end on request, for example to save typed text.
    const PATIENCE: Duration = Duration::from_secs(1);
    let mut asked: Option<Instant> = None;
    // An error means that another caller has waited for the program.
    while let Ok(None) = child.try_wait() {
        match asked {
            None if is_over() => {
                asked = Some(Instant::now());
                ask_to_end(&mut child);
            }
            Some(at) if at.elapsed() > PATIENCE => drop(child.kill()),
            _ => {}
        }
        std::thread::sleep(PULSE);
    }
    match asked {
        None => Lent::Over,
        Some(_) => Lent::Ended,
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    let pid = i32::try_from(child.id()).ok();
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}

#[expect(clippy::disallowed_methods, reason = "`hide` makes the view harmless")]
fn stderr() -> Stderr {
    io::stderr()
}

/// Replaces whatever a terminal would obey, or what would reorder the line, wherever it comes from.
fn hide(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().chars().all(is_seen) {
            cell.set_symbol("·");
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back in its earlier state, if it was taken. Any thread may call this at any
/// time.
pub fn give_back() {
    let mut waited = 0;
    let taken = loop {
        match TAKEN.try_lock() {
            Ok(taken) => break Some(taken),
            Err(TryLockError::Poisoned(poisoned)) => break Some(poisoned.into_inner()),
            // A drawing that does not end is blocked by a terminal that nobody reads, or has
            // panicked on this thread.
            Err(TryLockError::WouldBlock) if waited == 20 => break None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
        }
        waited += 1;
    };
    if taken.as_deref() == Some(&false) {
        return;
    }
    let mut out = stderr();
    // A terminal that was closed needs no reset.
    let _ = execute!(
        out,
        terminal::EndSynchronizedUpdate,
        cursor::Show,
        terminal::LeaveAlternateScreen
    );
    let _ = terminal::disable_raw_mode();
    let _ = out.flush();
    if let Some(mut taken) = taken {
        *taken = false;
    }
}

/// Gives the terminal back before a panic is reported, so that the report remains on the screen.
/// The view returns when it draws next.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // A run continues after a contained panic, and so does the view.
            if !nubbin_verdict::contains(panic) {
                give_back();
            }
            before(panic);
        }));
    });
}

/// Waits for a key or a new size of the terminal, for at most the given time.
///
/// # Errors
/// Returns the system's error if the terminal is disconnected.
pub fn wait_for_input(most: Duration) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        // `event::poll` never returns if the terminal hangs up. So it is only called if the
        // terminal is connected, and never to wait.
        let stdin = io::stdin();
        let mut wanted = [PollFd::new(&stdin, PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: most.as_secs() as i64,
            tv_nsec: most.subsec_nanos().into(),
        };
        match poll(&mut wanted, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if wanted.iter().any(|fd| fd.revents().intersects(gone)) {
            return Err(io::ErrorKind::NotConnected.into());
        }
        event::poll(Duration::ZERO)
    }
    #[cfg(not(unix))]
    event::poll(most)
}

/// Returns whether nubbin is in the foreground. Returns true without job control.
fn is_foreground() -> bool {
    #[cfg(unix)]
    {
        let front = rustix::termios::tcgetpgrp(io::stdin());
        front.map_or(true, |group| group == rustix::process::getpgrp())
    }
    #[cfg(not(unix))]
    true
}

fn lock() -> MutexGuard<'static, bool> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
