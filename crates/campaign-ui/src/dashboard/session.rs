//! The effects of keys: on the choices, on the database, and on the campaign.

use super::choices::{Choices, Listed, Notice, Page, Prompt};
use super::data::Data;
use super::keys::{self, Action};
use crate::Live;
use crate::shown;
use nubbin_campaign::{Issue, IssueFilter, IssueState, JobKind, NumberedEvent, Store, StoreError};
use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::path::PathBuf;
use std::time::Duration;

/// The dashboard without its terminal.
pub(super) struct Session {
    store: Store,
    live: Live,
    stop: Box<dyn Fn() + Send>,
    pub(super) data: Data,
    pub(super) choices: Choices,
    /// Whether the facts are to be read again at once.
    pub(super) is_stale: bool,
}

/// The request of a key to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing has changed.
    Nothing,
    Draw,
    Suspend,
    Redraw,
    /// Edit the note of an issue.
    Edit(i64),
}

impl Session {
    pub(super) fn new(store: Store, live: Live, stop: Box<dyn Fn() + Send>) -> Self {
        let mut data = Data {
            folder: store.folder().display().to_string(),
            ..Data::default()
        };
        let read = data.read_messages(&store);
        data.problem = read.err().map(|error| error.to_string());
        Session {
            store,
            live,
            stop,
            data,
            choices: Choices::default(),
            is_stale: true,
        }
    }

    /// Receives an event of the campaign.
    pub(super) fn hear(&mut self, told: NumberedEvent) {
        self.data.hear(told);
    }

    /// Reads the facts again, `now` after the start.
    pub(super) fn refresh(&mut self, now: Duration) {
        self.is_stale = false;
        let issue = match self.choices.page {
            Page::Issue(id) => Some(id),
            _ => None,
        };
        let (running, filter) = (self.live.running(), self.choices.issue_filter());
        self.data.read(&self.store, running, &filter, issue, now);
        let mut issues = self.data.issues.iter();
        let choices = &mut self.choices;
        // New issues are listed above the selected one, unless the first one is selected.
        match issues.position(|issue| Some(issue.id) == choices.selected) {
            Some(place) => choices.place = place,
            None => self.select(self.choices.place),
        }
    }

    /// Performs the action of a key.
    pub(super) fn answer(&mut self, key: KeyEvent) -> Wish {
        if self.choices.prompt.is_some() {
            return self.answer_prompt(key);
        }
        let Some(action) = keys::action(key) else {
            return Wish::Nothing;
        };
        self.choices.notice = None;
        match self.act(action) {
            Ok(wish) => wish,
            Err(error) => {
                self.warn(error.to_string());
                Wish::Draw
            }
        }
    }

    fn answer_prompt(&mut self, key: KeyEvent) -> Wish {
        if key.kind == KeyEventKind::Release {
            return Wish::Nothing;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_end = is_control && key.code == KeyCode::Char('c');
        match (self.choices.prompt.take(), key.code) {
            (_, _) if is_end => self.end(),
            (Some(Prompt::Delete(id)), KeyCode::Char('y' | 'Y')) if !is_control => {
                match self.delete(id) {
                    Ok(()) => {}
                    Err(error) => self.warn(error.to_string()),
                }
            }
            (Some(Prompt::Delete(id)), _) => self.say(format!("issue {id} is kept")),
            (Some(Prompt::Filter(_)), KeyCode::Enter) => {}
            (Some(Prompt::Filter(before)), KeyCode::Esc) => self.choices.filter = before,
            (prompt @ Some(Prompt::Filter(_)), code) => {
                match code {
                    KeyCode::Backspace => {
                        self.choices.filter.pop();
                    }
                    KeyCode::Char('u') if is_control => self.choices.filter.clear(),
                    KeyCode::Char(char) if !is_control => self.choices.filter.push(char),
                    _ => {}
                }
                self.choices.prompt = prompt;
            }
            (None, _) => {}
        }
        self.is_stale = true;
        Wish::Draw
    }

    fn act(&mut self, action: Action) -> Result<Wish, StoreError> {
        let rows = self.choices.extent.rows.get().max(2) as isize - 1;
        match action {
            Action::About => self.toggle(Page::About),
            Action::Help => self.toggle(Page::Help),
            Action::View => match (self.choices.page, self.choices.selected) {
                (Page::Panels, Some(id)) => self.show(Page::Issue(id)),
                (Page::Panels, None) => self.warn("no issue is selected".into()),
                _ => self.show(Page::Panels),
            },
            Action::Edit => {
                if let Some(issue) = self.target()? {
                    return Ok(Wish::Edit(issue.id));
                }
            }
            Action::Validate => {
                if let Some(issue) = self.target()? {
                    self.add(JobKind::Validate, &issue)?;
                    self.say(format!("issue {} is to be validated", issue.id));
                }
            }
            Action::Copy => {
                if let Some(issue) = self.target()? {
                    match shown::copy(issue.smallest()) {
                        Ok(()) => self.say(format!(
                            "the test of issue {} was sent to the clipboard",
                            issue.id
                        )),
                        Err(why) => {
                            self.warn(format!("the test is not in the clipboard: {why}"));
                        }
                    }
                }
            }
            Action::Reduce => self.reduce()?,
            Action::ReduceAll => self.reduce_all()?,
            Action::Report => {
                if let Some(issue) = self.target()? {
                    match self.report(issue.id) {
                        Some(path) => self.say(path.display().to_string()),
                        None => self.warn(format!("issue {} has no report yet", issue.id)),
                    }
                }
            }
            Action::Delete => {
                if let Some(issue) = self.target()? {
                    self.choices.prompt = Some(Prompt::Delete(issue.id));
                }
            }
            Action::Close => self.set_state(IssueState::Closed)?,
            Action::Ignore => self.set_state(IssueState::Ignored)?,
            Action::Open => self.set_state(IssueState::Open)?,
            Action::ShowAll => self.list(Listed::All),
            Action::ShowInvalid => self.list(Listed::Invalid),
            Action::Filter => {
                self.show(Page::Panels);
                let before = self.choices.filter.clone();
                self.choices.prompt = Some(Prompt::Filter(before));
            }
            Action::Quit => self.end(),
            Action::Leave if self.choices.page == Page::Panels => self.end(),
            Action::Back if self.choices.page == Page::Panels => {
                self.choices.filter.clear();
                self.is_stale = true;
            }
            Action::Leave | Action::Back => self.show(Page::Panels),
            Action::Up => self.move_by(-1),
            Action::Down => self.move_by(1),
            Action::PageUp => self.move_by(-rows),
            Action::PageDown => self.move_by(rows),
            Action::Home => self.move_by(isize::MIN),
            Action::End => self.move_by(isize::MAX),
            Action::Previous => self.turn(-1),
            Action::Next => self.turn(1),
            Action::NextPanel => self.choices.panel = self.choices.panel.next(),
            Action::Suspend => return Ok(Wish::Suspend),
            Action::Redraw => return Ok(Wish::Redraw),
        }
        Ok(Wish::Draw)
    }

    fn say(&mut self, text: String) {
        self.choices.notice = Some(Notice {
            text,
            is_warning: false,
        });
    }

    fn warn(&mut self, text: String) {
        self.choices.notice = Some(Notice {
            text,
            is_warning: true,
        });
    }

    fn show(&mut self, page: Page) {
        self.choices.page = page;
        self.choices.scroll = 0;
        self.is_stale = true;
    }

    fn toggle(&mut self, page: Page) {
        match self.choices.page == page {
            true => self.show(Page::Panels),
            false => self.show(page),
        }
    }

    fn list(&mut self, listed: Listed) {
        self.choices.toggle(listed);
        self.show(Page::Panels);
    }

    fn end(&mut self) {
        self.choices.ending = true;
        (self.stop)();
    }

    /// Selects the issue at a place of the list, or the last one.
    fn select(&mut self, place: usize) {
        let place = place.min(self.data.issues.len().saturating_sub(1));
        self.choices.place = place;
        self.choices.selected = self.data.issues.get(place).map(|issue| issue.id);
    }

    /// Moves the selection, or scrolls a page.
    fn move_by(&mut self, by: isize) {
        match self.choices.page {
            Page::Panels => self.select(self.choices.place.saturating_add_signed(by)),
            _ => {
                let extent = &self.choices.extent;
                let most = extent.lines.get().saturating_sub(extent.rows.get());
                let scroll = self.choices.scroll.min(most);
                self.choices.scroll = scroll.saturating_add_signed(by).min(most);
            }
        }
    }

    /// Shows the page of another issue.
    fn turn(&mut self, by: isize) {
        if let Page::Issue(_) = self.choices.page {
            self.select(self.choices.place.saturating_add_signed(by));
            if let Some(id) = self.choices.selected {
                self.show(Page::Issue(id));
            }
        }
    }

    /// Returns the issue that keys are about: that of the page, or the selected one.
    fn target(&mut self) -> Result<Option<Issue>, StoreError> {
        let id = match self.choices.page {
            Page::Issue(id) => Some(id),
            Page::Panels => self.choices.selected,
            _ => None,
        };
        let Some(id) = id else {
            self.warn("no issue is selected".into());
            return Ok(None);
        };
        let issue = self.store.issue(id)?;
        if issue.is_none() {
            self.warn(format!("issue {id} no longer exists"));
        }
        Ok(issue)
    }

    /// Adds a job that comes before those that the campaign has added itself.
    fn add(&mut self, kind: JobKind, issue: &Issue) -> Result<(), StoreError> {
        let id = Some(issue.id);
        self.store.add_job(kind, &issue.program, id, true)?;
        self.changed();
        Ok(())
    }

    /// Tells the campaign that the database has changed.
    fn changed(&mut self) {
        self.live.wake();
        self.is_stale = true;
    }

    fn is_being_reduced(&self, id: i64) -> bool {
        let kind = JobKind::Reduce.name();
        let running = self.live.running();
        running
            .iter()
            .any(|it| it.kind == kind && it.issue == Some(id))
    }

    fn reduce(&mut self) -> Result<(), StoreError> {
        let Some(issue) = self.target()? else {
            return Ok(());
        };
        if self.is_being_reduced(issue.id) {
            self.warn(format!("issue {} is being reduced", issue.id));
            return Ok(());
        }
        self.store.forget_reduction(issue.id)?;
        self.add(JobKind::Reduce, &issue)?;
        self.say(format!("issue {} is to be reduced", issue.id));
        Ok(())
    }

    fn reduce_all(&mut self) -> Result<(), StoreError> {
        let open = IssueFilter {
            states: vec![IssueState::Open],
            ..IssueFilter::default()
        };
        let mut issues = self.store.issue_list(&open)?;
        issues.retain(|issue| !issue.reduction.has_ended());
        let reduce = JobKind::Reduce;
        // The oldest issue comes first.
        for issue in issues.iter().rev() {
            (self.store).add_job(reduce, &issue.program, Some(issue.id), true)?;
        }
        self.changed();
        self.say(match issues.len() {
            0 => "all open issues are reduced".to_owned(),
            1 => "1 issue is to be reduced".to_owned(),
            number => format!("{number} issues are to be reduced"),
        });
        Ok(())
    }

    fn set_state(&mut self, state: IssueState) -> Result<(), StoreError> {
        if let Some(issue) = self.target()? {
            self.store.set_state(issue.id, state)?;
            self.changed();
            self.say(format!("issue {} is {state}", issue.id));
        }
        Ok(())
    }

    fn delete(&mut self, id: i64) -> Result<(), StoreError> {
        match self.store.delete_issue(id)? {
            true => self.say(format!("issue {id} is deleted")),
            false => self.warn(format!("issue {id} no longer exists")),
        }
        if self.choices.page == Page::Issue(id) {
            self.show(Page::Panels);
        }
        self.changed();
        Ok(())
    }

    /// Returns the report of an issue, if there is one.
    fn report(&self, id: i64) -> Option<PathBuf> {
        let folder = self.store.folder().join("issues");
        let entries = std::fs::read_dir(folder).ok()?;
        let is_of_issue = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = name.split('-').next().unwrap_or_default();
            number.parse() == Ok(id)
        };
        let mut paths = entries.flatten().map(|entry| entry.path());
        let report = paths.find(is_of_issue)?.join("report.md");
        report.is_file().then_some(report)
    }

    /// Returns the note of an issue.
    pub(super) fn note(&mut self, id: i64) -> Option<String> {
        match self.store.issue(id) {
            Ok(issue) => Some(issue?.note),
            Err(error) => {
                self.warn(error.to_string());
                None
            }
        }
    }

    /// Keeps the note of an issue, which the user has edited.
    pub(super) fn keep_note(&mut self, id: i64, before: &str, edited: Result<String, String>) {
        match edited {
            Ok(note) if note == before => self.say(format!("the note of issue {id} is unchanged")),
            Ok(note) => match self.store.set_note(id, &note) {
                Ok(true) => self.say(format!("the note of issue {id} is saved")),
                Ok(false) => self.warn(format!("issue {id} no longer exists")),
                Err(error) => self.warn(error.to_string()),
            },
            Err(why) => self.warn(why),
        }
        self.changed();
    }
}
