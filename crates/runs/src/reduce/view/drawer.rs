//! The thread that reads keys and draws.

use super::choices::{Choices, Filling, Panel};
use super::excerpt::Excerpt;
use super::keys;
use super::keys::Action;
use super::model::{Facts, Model};
use super::output;
use super::outside::Opener;
use super::screen::Scene;
use crate::screen;
use crate::screen::Screen;
use crate::shown;
use crate::signals::interrupt;
use crate::view::theme::Theme;
use nubbin_oracle::{LastOutput, PrivateFolder};
use nubbin_reduce::engine::{Control, Event, Statistics, Stop};
use ratatui_crossterm::crossterm::event::{self, Event as Input};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time before the view appears. A screen that only flashes would not be readable.
const PATIENCE: Duration = Duration::from_millis(300);

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(100);

/// The interval at which a wait for keys checks for the end of the run.
const PULSE: Duration = Duration::from_millis(25);

/// The number of rows by which the keys for pages move.
const PAGE: usize = 20;

/// The time limit for the end of the thread.
const GRACE: Duration = Duration::from_secs(1);

/// The parts of the run that keys control.
#[derive(Clone, Debug)]
pub(crate) struct Handles {
    pub stop: Stop,
    pub control: Control,
    pub output: Arc<LastOutput>,
}

/// The view of one run. Restores the terminal when it is dropped.
pub(crate) struct View {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    model: Mutex<Model>,
    over: AtomicBool,
    /// Wakes the thread before it has taken over the terminal.
    ended: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Model> {
        // After a panic in another thread, the model can still be drawn.
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View {
    /// Starts the view and its thread.
    ///
    /// # Errors
    /// Returns an error if the size of the terminal is unknown or no thread can be started.
    pub(crate) fn start(mut facts: Facts, handles: Handles) -> io::Result<Self> {
        let (pager, editor) = (Opener::pager(), Opener::editor());
        (facts.has_pager, facts.has_editor) = (pager.is_some(), editor.is_some());
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
            whole: (None, Excerpt::default()),
            pager,
            editor,
            opened: None,
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

    /// Shows an event. If choices are reduced, `choices` is their number in the best so far.
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

    /// Ends the view and restores the terminal.
    pub(crate) fn finish(&mut self) {
        {
            let _model = self.shared.lock();
            self.shared.over.store(true, Ordering::Release);
            self.shared.ended.notify_all();
        }
        if let Some(thread) = self.thread.take() {
            let asked = Instant::now();
            // A thread that is blocked by the terminal is abandoned. A thread that waits for a
            // program of the user is not abandoned: the end of the run would be printed over the
            // program's screen.
            while !thread.is_finished() && (asked.elapsed() < GRACE || screen::is_lent()) {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        screen::give_back();
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The state of the thread that reads keys and draws.
struct Drawer {
    shared: Arc<Shared>,
    facts: Facts,
    handles: Handles,
    screen: Screen,
    choices: Choices,
    /// The number of the excerpt's change. The excerpt is the most expensive part of a frame.
    excerpt: (Option<u64>, Excerpt),
    /// The same for the best so far as a whole, which is only made where it is shown.
    whole: (Option<u64>, Excerpt),
    pager: Option<Opener>,
    editor: Option<Opener>,
    /// The copy of the best so far that was opened last. Its program may still read it.
    opened: Option<PrivateFolder>,
    theme: Theme,
    started: Instant,
}

impl Drawer {
    fn run(&mut self) {
        self.wait(PATIENCE);
        while !self.is_over() {
            match self.screen.take() {
                Ok(true) => {}
                // The process is in the background, or the terminal was closed. The terminal may
                // become available again.
                Ok(false) | Err(_) => {
                    self.wait(FRAME);
                    continue;
                }
            }
            let _ = self.draw();
            let drawn = Instant::now();
            while drawn.elapsed() < FRAME && !self.is_over() {
                match screen::wait_for_input(PULSE) {
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
        screen::give_back();
    }

    fn is_over(&self) -> bool {
        self.shared.over.load(Ordering::Acquire)
    }

    /// Waits for the end of the run, up to a time limit.
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
            let colors = &self.facts.colors;
            self.excerpt.1 = Excerpt::of(change.before.as_ref(), &change.best, colors);
        }
        self.excerpt.0 = change;
        if self.choices.filling == Some(Filling::Best)
            && change != self.whole.0
            && let Some(shown) = &model.change
        {
            self.whole = (change, Excerpt::whole(&shown.best, &self.facts.colors));
        }
        // The copies are released early, because the engine reuses buffers.
        if let Some(change) = &mut model.change {
            change.before = None;
        }
        let control = &self.handles.control;
        self.choices.paused = control.is_paused();
        self.choices.ending = self.handles.stop.is_requested();
        let passes = model.passes.iter().map(|row| row.id);
        self.choices.disabled = passes.filter(|id| control.is_disabled(id)).collect();
        let output = match self.choices.filling {
            Some(Filling::Output) => Some(output::excerpt(self.handles.output.get().as_deref())),
            _ => None,
        };
        let scene = Scene {
            facts: &self.facts,
            model: &model,
            choices: &self.choices,
            excerpt: &self.excerpt.1,
            filled: output.as_ref().unwrap_or(&self.whole.1),
            now: self.started.elapsed(),
            theme: &self.theme,
        };
        let above = self.choices.above;
        let mut last = above;
        let drawn = self.screen.draw(|buffer| last = scene.paint(buffer));
        // A key that scrolls back moves the text at once, however often a key was pressed at the
        // end of the text.
        self.choices.above = above.min(last);
        drawn
    }

    /// Performs the action of a key. Returns `false` if the screen does not change.
    fn answer(&mut self, input: &Input) -> bool {
        let action = match input {
            Input::Key(key) => keys::action(*key),
            Input::Resize(..) => return true,
            _ => None,
        };
        let Some(action) = action else {
            return false;
        };
        self.choices.note = None;
        // These actions change panels that the best so far hides.
        if self.choices.filling.is_some() && matches!(action, Action::Toggle | Action::NextPanel) {
            return false;
        }
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
                    // The pass remains selected even if it is not running any more.
                    self.choices.selected = Some(pass);
                }
            }
            Action::Pause if control.is_paused() => control.resume(),
            Action::Pause => control.pause(),
            Action::Up => self.up_or_down(-1, 1),
            Action::Down => self.up_or_down(1, 1),
            Action::PageUp => self.up_or_down(-1, PAGE),
            Action::PageDown => self.up_or_down(1, PAGE),
            Action::Whole => self.fill(Filling::Best),
            Action::Output => self.fill(Filling::Output),
            Action::Pager => return self.open(self.pager.clone()),
            Action::Editor => return self.open(self.editor.clone()),
            Action::Copy => self.choices.note = self.copy(),
            Action::Follow => {
                self.choices.selected = None;
                self.choices.help = false;
                self.choices.filling = None;
                self.handles.output.want(false);
            }
            Action::NextPanel => self.choices.panel = self.choices.panel.next(),
            Action::Help => self.choices.help = !self.choices.help,
            Action::Suspend => self.screen.suspend(),
            Action::Redraw => {
                // If clearing fails, drawing fails as well.
                let _ = self.screen.forget();
            }
        }
        true
    }

    /// Shows one text on the whole screen, or all panels again.
    fn fill(&mut self, filling: Filling) {
        let shown = Some(filling).filter(|_| self.choices.filling != Some(filling));
        self.choices.filling = shown;
        self.choices.above = 0;
        self.choices.help = false;
        self.handles.output.want(shown == Some(Filling::Output));
    }

    /// Opens a copy of the best so far. Returns `false` if the program or the best so far is
    /// missing, or if the run ends.
    fn open(&mut self, opener: Option<Opener>) -> bool {
        let best = self.shared.lock().change.as_ref().map(|it| it.best.clone());
        let (Some(opener), Some(best)) = (opener, best) else {
            return false;
        };
        if self.handles.stop.is_requested() {
            return false;
        }
        let (shared, stop) = (Arc::clone(&self.shared), self.handles.stop.clone());
        // A run that ended by itself waits for its user. A run that the user stopped does not wait.
        let is_over = move || shared.over.load(Ordering::Acquire) && stop.is_requested();
        match opener.open(&best, &self.screen, is_over) {
            Ok(folder) => self.opened = Some(folder),
            Err(why) => self.choices.note = Some(format!("not opened: {why}")),
        }
        true
    }

    /// Copies the best so far to the clipboard, and returns the message about it.
    fn copy(&self) -> Option<String> {
        let best = self.shared.lock().change.as_ref()?.best.clone();
        let mut files = best.present();
        let copied = match (files.next(), files.next()) {
            (Some(file), None) => shown::copy(file.text).map(|()| file.text.len()),
            _ => Err("the result is not one file".to_owned()),
        };
        Some(match copied {
            Ok(bytes) => format!("copied {}", shown::count(bytes as u64, "byte")),
            Err(why) => format!("not copied: {why}"),
        })
    }

    /// Scrolls the text that fills the screen, and selects another pass otherwise.
    fn up_or_down(&mut self, by: isize, rows: usize) {
        let by = by * rows as isize;
        match self.choices.filling {
            Some(_) => self.choices.above = self.choices.above.saturating_add_signed(by),
            None => self.select(by),
        }
    }

    /// Moves the selection in the list of passes. Without a selection it starts at the current
    /// pass.
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
        // If only one panel is shown, the selection shows the panel of passes.
        self.choices.panel = Panel::Passes;
    }
}
