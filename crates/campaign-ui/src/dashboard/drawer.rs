//! The thread that reads keys and draws.

use super::editor;
use super::screen::Scene;
use super::session::{Session, Wish};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::screen::{self, Screen};
use crate::view::theme::Theme;
use crate::{Hub, Live};
use nubbin_campaign::{NumberedEvent, Store};
use ratatui_crossterm::crossterm::event::{self, Event as Input};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(100);

/// The longest time between two frames: clocks go on.
const CLOCK: Duration = Duration::from_secs(1);

/// The shortest time between two looks at the database, unless a key has changed something.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The interval at which a wait for keys looks for events.
const PULSE: Duration = Duration::from_millis(25);

/// The time limit for the end of the thread.
const GRACE: Duration = Duration::from_secs(1);

/// The full-screen view of a campaign. Gives the terminal back when it is dropped.
pub(crate) struct Dashboard {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    over: AtomicBool,
    /// Whether the editor of the user has the terminal.
    editing: AtomicBool,
}

impl Dashboard {
    /// Takes the terminal over and shows the campaign until `close` or drop. Returns `None` without
    /// an able terminal. `stop` is called each time the user asks for the end of the campaign.
    ///
    /// # Errors
    /// Returns an error if the database cannot be opened or the terminal cannot be used.
    pub(crate) fn start(
        folder: &Path,
        hub: Hub,
        live: Live,
        stop: impl Fn() + Send + 'static,
    ) -> Result<Option<Dashboard>, Problem> {
        if !screen::is_able() {
            return Ok(None);
        }
        let events = hub.subscribe();
        let store = Store::open(folder).map_err(|error| {
            Problem::new(Exit::Input, "cannot show the campaign").because(&error)
        })?;
        let failed = |error: io::Error| {
            Problem::new(Exit::Output, "cannot show the dashboard").because(&error)
        };
        let shared = Arc::new(Shared::default());
        let mut drawer = Drawer {
            shared: Arc::clone(&shared),
            session: Session::new(store, live, Box::new(stop)),
            events,
            screen: Screen::new().map_err(failed)?,
            theme: Theme::from_environment(),
            started: Instant::now(),
            looked: None,
        };
        let thread = std::thread::Builder::new()
            .name("dashboard".into())
            .spawn(move || drawer.run())
            .map_err(failed)?;
        Ok(Some(Dashboard {
            shared,
            thread: Some(thread),
        }))
    }

    /// Gives the terminal back. If the user edits a note, waits for its end.
    pub(crate) fn close(self) {
        drop(self);
    }

    fn finish(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let mut asked = Instant::now();
            // A thread that is blocked by the terminal is abandoned.
            while !thread.is_finished() && asked.elapsed() < GRACE {
                if self.shared.editing.load(Ordering::Acquire) {
                    asked = Instant::now();
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        screen::give_back();
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The state of the thread that reads keys and draws.
struct Drawer {
    shared: Arc<Shared>,
    session: Session,
    events: Receiver<NumberedEvent>,
    screen: Screen,
    theme: Theme,
    started: Instant,
    /// The time of the last look at the database.
    looked: Option<Instant>,
}

impl Drawer {
    fn run(&mut self) {
        while !self.is_over() {
            match self.screen.take() {
                Ok(true) => {}
                // The process is in the background, or the terminal was closed. The terminal may
                // become available again.
                Ok(false) | Err(_) => {
                    self.hear();
                    std::thread::sleep(FRAME);
                    continue;
                }
            }
            self.look();
            let _ = self.draw();
            self.wait();
        }
        screen::give_back();
    }

    fn is_over(&self) -> bool {
        self.shared.over.load(Ordering::Acquire)
    }

    /// Reads the database, unless that was done a moment ago.
    fn look(&mut self) {
        let is_due = self
            .looked
            .is_none_or(|looked| looked.elapsed() >= POLL_INTERVAL);
        if is_due || self.session.is_stale {
            self.session.refresh(self.started.elapsed());
            self.looked = Some(Instant::now());
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let scene = Scene {
            data: &self.session.data,
            choices: &self.session.choices,
            now: self.started.elapsed(),
            theme: &self.theme,
        };
        self.screen.draw(|buffer| scene.paint(buffer))
    }

    /// Waits until there is something to draw.
    fn wait(&mut self) {
        let drawn = Instant::now();
        let mut has_changed = false;
        while !self.is_over() && drawn.elapsed() < CLOCK {
            if has_changed && drawn.elapsed() >= FRAME {
                return;
            }
            match screen::wait_for_input(PULSE) {
                Ok(false) => {}
                Ok(true) => {
                    if let Ok(input) = event::read() {
                        has_changed |= self.answer(&input);
                    }
                }
                Err(_) => std::thread::sleep(FRAME),
            }
            has_changed |= self.hear();
        }
    }

    /// Receives the events that are there. Returns whether there were any.
    fn hear(&mut self) -> bool {
        let mut has_heard = false;
        loop {
            match self.events.try_recv() {
                Ok(told) => {
                    self.session.hear(told);
                    has_heard = true;
                }
                Err(TryRecvError::Empty) => return has_heard,
                Err(TryRecvError::Disconnected) => {
                    let was_over = std::mem::replace(&mut self.session.data.is_over, true);
                    return has_heard || !was_over;
                }
            }
        }
    }

    /// Performs the action of a key. Returns `false` if the screen does not change.
    fn answer(&mut self, input: &Input) -> bool {
        let wish = match input {
            Input::Key(key) => self.session.answer(*key),
            Input::Resize(..) => Wish::Draw,
            _ => Wish::Nothing,
        };
        match wish {
            Wish::Nothing => return false,
            Wish::Draw => {}
            Wish::Suspend => self.screen.suspend(),
            Wish::Redraw => {
                // If clearing fails, drawing fails as well.
                let _ = self.screen.forget();
            }
            Wish::Edit(id) => self.edit(id),
        }
        true
    }

    /// Lets the user edit the note of an issue. The editor has the terminal meanwhile.
    fn edit(&mut self, id: i64) {
        let Some(note) = self.session.note(id) else {
            return;
        };
        self.shared.editing.store(true, Ordering::Release);
        screen::give_back();
        let edited = editor::edit(&note);
        self.session.keep_note(id, &note, edited);
        self.shared.editing.store(false, Ordering::Release);
    }
}
