//! The thread that reads keys and draws.

use super::excerpt::Excerpt;
use super::keys::Action;
use super::model::{Facts, Model};
use super::screen::{Choices, Scene};
use super::theme::Theme;
use super::{keys, screen};
use crate::signals::interrupt;
use crate::terminal;
use crate::terminal::Screen;
use nubbin_reduce::engine::{Control, Event, Statistics, Stop};
use ratatui_crossterm::crossterm::event::{self, Event as Input};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run that is over sooner has no view: a screen that only flashes helps nobody.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often it is drawn, at most.
const FRAME: Duration = Duration::from_millis(100);

/// How soon an end is noticed while waiting for keys.
const PULSE: Duration = Duration::from_millis(25);

/// How long the thread has to come to its end.
const GRACE: Duration = Duration::from_secs(1);

/// What the keys act on.
#[derive(Clone, Debug)]
pub(crate) struct Handles {
    pub(crate) stop: Stop,
    pub(crate) control: Control,
}

/// The view of one run. Gives the terminal back when it is dropped.
pub(crate) struct View {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    model: Mutex<Model>,
    over: AtomicBool,
    /// Wakes a thread that has not taken the terminal over yet.
    ended: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Model> {
        // A panic elsewhere leaves notes that can still be drawn.
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View {
    /// Starts to take notes, and the thread that draws them.
    ///
    /// # Errors
    /// Where the terminal does not say how large it is, or no thread can be started.
    pub(crate) fn start(facts: Facts, handles: Handles) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            model: Mutex::new(Model::new(&facts)),
            ..Shared::default()
        });
        let screen = Screen::new()?;
        let mut drawer = Drawer {
            shared: Arc::clone(&shared),
            facts,
            handles,
            screen,
            choices: Choices::default(),
            excerpt: (None, Excerpt::default()),
            theme: Theme::from_environment(),
            started: Instant::now(),
        };
        let thread = std::thread::Builder::new()
            .name("view".into())
            .spawn(move || drawer.run())?;
        Ok(View {
            shared,
            thread: Some(thread),
        })
    }

    /// `choices`: how many the best input has, where choices are reduced.
    pub(crate) fn observe(
        &self,
        event: &Event<'_>,
        statistics: &Statistics,
        choices: Option<usize>,
    ) {
        let mut model = self.shared.lock();
        model.choices = choices;
        model.observe(event, statistics);
    }

    /// Ends the view; the terminal is as it was.
    pub(crate) fn finish(&mut self) {
        {
            let _model = self.shared.lock();
            self.shared.over.store(true, Ordering::Release);
            self.shared.ended.notify_all();
        }
        if let Some(thread) = self.thread.take() {
            let asked = Instant::now();
            // A thread that hangs on a terminal that nobody reads is left behind.
            while !thread.is_finished() && asked.elapsed() < GRACE {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        terminal::give_back();
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Reads keys and draws, on a thread of its own.
struct Drawer {
    shared: Arc<Shared>,
    facts: Facts,
    handles: Handles,
    screen: Screen,
    choices: Choices,
    /// Of which change, by number; making it is the dearest part of a picture.
    excerpt: (Option<u64>, Excerpt),
    theme: Theme,
    started: Instant,
}

impl Drawer {
    fn run(&mut self) {
        self.wait(PATIENCE);
        while !self.is_over() {
            match self.screen.take() {
                Ok(true) => {}
                // In the background, or the terminal has gone away. It may come back.
                Ok(false) | Err(_) => {
                    self.wait(FRAME);
                    continue;
                }
            }
            let _ = self.draw();
            let drawn = Instant::now();
            while drawn.elapsed() < FRAME && !self.is_over() {
                match terminal::wait_for_input(PULSE) {
                    Ok(false) => {}
                    Ok(true) => {
                        if let Ok(input) = event::read() {
                            let answered = self.answer(&input);
                            if answered {
                                break;
                            }
                        }
                    }
                    Err(_) => self.wait(FRAME),
                }
            }
        }
        terminal::give_back();
    }

    fn is_over(&self) -> bool {
        self.shared.over.load(Ordering::Acquire)
    }

    /// Waits for the end of the run, no longer than this.
    fn wait(&self, most: Duration) {
        let model = self.shared.lock();
        let _ = self
            .shared
            .ended
            .wait_timeout_while(model, most, |_| !self.is_over());
    }

    fn draw(&mut self) -> io::Result<()> {
        let mut model = self.shared.lock().clone();
        let change = model.change.as_ref().map(|change| change.number);
        if change != self.excerpt.0
            && let Some(change) = &model.change
        {
            self.excerpt.1 = Excerpt::of(change.before.as_ref(), &change.best);
        }
        self.excerpt.0 = change;
        // Nothing is held longer than it takes to look at it: the engine uses buffers again.
        if let Some(change) = &mut model.change {
            change.before = None;
        }
        let control = &self.handles.control;
        self.choices.paused = control.is_paused();
        self.choices.ending = self.handles.stop.is_requested();
        let passes = model.passes.iter().map(|row| row.id);
        self.choices.disabled = passes.filter(|id| control.is_disabled(id)).collect();
        let scene = Scene {
            facts: &self.facts,
            model: &model,
            choices: &self.choices,
            excerpt: &self.excerpt.1,
            now: self.started.elapsed(),
            theme: &self.theme,
        };
        self.screen.draw(|buffer| scene.paint(buffer))
    }

    /// Does what a key asks for. `false` where there is nothing to be seen of it.
    fn answer(&mut self, input: &Input) -> bool {
        let action = match input {
            Input::Key(key) => keys::action(*key),
            Input::Resize(..) => return true,
            _ => None,
        };
        let Some(action) = action else {
            return false;
        };
        let control = &self.handles.control;
        match action {
            Action::Quit => interrupt(&self.handles.stop),
            Action::Skip => control.skip_pass(),
            Action::Toggle => {
                let at_work = self.shared.lock().at_work;
                if let Some(pass) = self.choices.selected.or(at_work) {
                    if control.is_disabled(pass) {
                        control.enable(pass);
                    } else {
                        control.disable(pass);
                    }
                    // It stays in sight, though it is at work no longer.
                    self.choices.selected = Some(pass);
                }
            }
            Action::Pause if control.is_paused() => control.resume(),
            Action::Pause => control.pause(),
            Action::Up => self.select(-1),
            Action::Down => self.select(1),
            Action::Follow => {
                self.choices.selected = None;
                self.choices.help = false;
            }
            Action::NextPanel => self.choices.panel = self.choices.panel.next(),
            Action::Help => self.choices.help = !self.choices.help,
            Action::Suspend => self.screen.suspend(),
            Action::Redraw => {
                // What cannot be cleared cannot be drawn either.
                let _ = self.screen.forget();
            }
        }
        true
    }

    /// Moves the selection in the list of passes, from the pass at work where there is none.
    fn select(&mut self, by: isize) {
        let (rows, at_work) = {
            let model = self.shared.lock();
            (model.ranked(), model.at_work)
        };
        let selected = self.choices.selected.or(at_work);
        let at = rows.iter().position(|row| Some(row.id) == selected);
        let last = rows.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
        self.choices.selected = rows.get(next).map(|row| row.id);
        // Where only one panel is shown, it is the one that the keys are about.
        self.choices.panel = screen::Panel::Passes;
    }
}
