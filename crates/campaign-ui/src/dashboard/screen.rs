//! The layout of the screen. If the screen is small, the most important panels stay.

use super::choices::{Choices, Listed, Page, Panel, Prompt};
use super::data::Data;
use super::keys::KEYS;
use super::{help, issue_list, issue_page, jobs, messages, pager, statistics};
use crate::shown::visible;
use crate::view::curve::{self, Scale};
use crate::view::theme::Theme;
use crate::view::write::{count, fitting, put, put_line, put_right, row, squeeze, time, titled};
use nubbin_campaign::IssueState;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The data of one frame.
pub(super) struct Scene<'a> {
    pub(super) data: &'a Data,
    pub(super) choices: &'a Choices,
    /// The time since the start.
    pub(super) now: Duration,
    pub(super) theme: &'a Theme,
}

impl Scene<'_> {
    /// Draws the whole screen.
    pub(super) fn paint(&self, buffer: &mut Buffer) {
        let area = buffer.area;
        self.header(row(area, 0), buffer);
        put_line(buffer, row(area, 1), &self.figures(area.width));
        if area.height < 4 {
            return;
        }
        self.footer(row(area, area.height - 1), buffer);
        let rest = Rect {
            y: area.y + 2,
            height: area.height - 3,
            ..area
        };
        let width = usize::from(area.width);
        let (title, lines) = match (self.choices.page, &self.data.issue) {
            (Page::Panels, _) => return self.panels(rest, buffer),
            (Page::Issue(id), Some(issue)) => (
                format!("issue {id}"),
                issue_page::lines(issue, width, self.data.at, self.theme),
            ),
            (Page::Issue(id), None) => (
                format!("issue {id}"),
                vec![Line::raw(" The issue no longer exists.")],
            ),
            (Page::Help, _) => ("keys".to_owned(), help::keys(self.theme)),
            (Page::About, _) => (
                "about".to_owned(),
                help::about(&self.data.folder, width, self.theme),
            ),
        };
        pager::draw(&title, &lines, self.choices, rest, buffer, self.theme);
    }

    /// Returns the state of the campaign in a few words.
    fn state(&self) -> (&'static str, Style) {
        if self.choices.ending || self.data.is_over {
            ("ending", self.theme.warning)
        } else if self.data.is_paused {
            ("paused, the disk is full", self.theme.warning)
        } else {
            ("running", self.theme.active)
        }
    }

    fn header(&self, area: Rect, buffer: &mut Buffer) {
        let (state, style) = self.state();
        let right = format!("{state}  {}", time(self.now));
        put_right(buffer, area, &right, style);
        let room = usize::from(area.width).saturating_sub(right.width() + 2);
        let title = format!("nubbin campaign {}", visible(&self.data.folder));
        put(buffer, area, &squeeze(&title, room), self.theme.strong);
    }

    fn figures(&self, width: u16) -> Line<'static> {
        let data = self.data;
        let tests = data.tests.last().unwrap_or(0);
        let issues = |number: u64, what: &str| match number {
            1 => format!("1 {what} issue"),
            number => format!("{} {what} issues", count(number)),
        };
        let open = data.number(IssueState::Open);
        let mut items = vec![
            (format!("{} tests", count(tests)), self.theme.strong),
            (crate::shown::rate(data.rate(self.now)), Style::new()),
            (issues(open, "open"), self.theme.strong),
        ];
        for state in [IssueState::Invalid, IssueState::Ignored, IssueState::Closed] {
            let number = data.number(state);
            if number > 0 {
                items.push((format!("{} {state}", count(number)), self.theme.dim));
            }
        }
        fitting(items, ", ", width)
    }

    fn panels(&self, area: Rect, buffer: &mut Buffer) {
        let mut rest = area;
        let cut_top = |rest: &mut Rect, height: u16| {
            let top = Rect {
                height: height.min(rest.height),
                ..*rest
            };
            rest.y += top.height;
            rest.height -= top.height;
            top
        };
        let (height, width) = (area.height, area.width);
        let jobs = (self.data.running.len() + self.data.queued.len()).max(1) as u16;
        let figures = self.data.figures.len().max(1) as u16 + 1;
        if height < 16 || width < 50 {
            let below = Rect {
                y: area.bottom() - 1,
                height: u16::from(height >= 9),
                ..area
            };
            messages::draw(self.data, below, buffer, self.theme);
            rest.height -= below.height;
            self.panel(self.choices.panel, rest, buffer);
            self.tabs(rest, buffer);
            return;
        }
        if width >= 120 {
            let tall = 1 + jobs.max(figures).clamp(3, (height / 4).max(4));
            self.top(cut_top(&mut rest, tall), buffer);
        } else {
            let most = height / 6;
            let tall = 1 + jobs.clamp(1, most);
            self.panel(Panel::Jobs, cut_top(&mut rest, tall), buffer);
            if height >= 26 {
                let tall = 1 + figures.clamp(2, most.max(2));
                self.panel(Panel::Statistics, cut_top(&mut rest, tall), buffer);
            }
        }
        let tall = 1 + (height / 8).clamp(2, 8);
        let middle = rest.height.saturating_sub(tall);
        let issues = cut_top(&mut rest, middle);
        let is_complete = width >= 120 || height >= 26;
        // On a small screen, the selected panel replaces the issue list.
        match self.choices.panel {
            Panel::Statistics if !is_complete => self.panel(Panel::Statistics, issues, buffer),
            Panel::Jobs if !is_complete => self.panel(Panel::Jobs, issues, buffer),
            Panel::Messages if !is_complete => self.panel(Panel::Messages, issues, buffer),
            _ => self.panel(Panel::Issues, issues, buffer),
        }
        if !is_complete {
            self.tabs(issues, buffer);
        }
        self.panel(Panel::Messages, rest, buffer);
    }

    /// Draws jobs, statistics, and if there is room, the curve of the tests, side by side.
    fn top(&self, area: Rect, buffer: &mut Buffer) {
        let curve = if area.width >= 160 && area.height >= 5 {
            area.width / 4
        } else {
            0
        };
        let left = (area.width - curve) / 2;
        let place = |x: u16, width: u16| Rect {
            x: area.x + x,
            width,
            ..area
        };
        self.panel(Panel::Jobs, place(0, left - 2), buffer);
        let width = area.width - curve - left;
        let gap = if curve > 0 { 2 } else { 0 };
        self.panel(Panel::Statistics, place(left, width - gap), buffer);
        if curve > 0 {
            let place = place(area.width - curve, curve);
            let inside = titled(buffer, place, "tests", self.theme.dim);
            let (tests, theme) = (&self.data.tests, self.theme);
            let scale = Scale::Linear;
            curve::draw(tests, scale, self.now, theme.tests, inside, buffer, theme);
        }
    }

    fn panel(&self, panel: Panel, area: Rect, buffer: &mut Buffer) {
        let (data, theme) = (self.data, self.theme);
        let title = match panel {
            Panel::Issues => issue_list::title(data, self.choices),
            Panel::Jobs => jobs::title(data),
            Panel::Statistics => "statistics".to_owned(),
            Panel::Messages => "messages".to_owned(),
        };
        let title = squeeze(&title, usize::from(area.width).saturating_sub(6));
        let inside = titled(buffer, area, &title, theme.dim);
        match panel {
            Panel::Issues => issue_list::draw(data, self.choices, inside, buffer, theme),
            Panel::Jobs => jobs::draw(data, inside, buffer, theme),
            Panel::Statistics => statistics::draw(data, self.now, inside, buffer, theme),
            Panel::Messages => messages::draw(data, inside, buffer, theme),
        }
    }

    /// Draws a hint at the right end of the title, if not all panels are shown.
    fn tabs(&self, area: Rect, buffer: &mut Buffer) {
        let next = match self.choices.panel.next() {
            Panel::Issues => " Tab: issues ",
            Panel::Jobs => " Tab: jobs ",
            Panel::Statistics => " Tab: statistics ",
            Panel::Messages => " Tab: messages ",
        };
        if area.width >= 50 {
            put_right(buffer, row(area, 0), next, self.theme.dim);
        }
    }

    fn footer(&self, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        let theme = self.theme;
        let (text, style) = match (&self.choices.prompt, &self.choices.notice) {
            (Some(Prompt::Delete(id)), _) => (
                format!("delete issue {id} with its tests? y/n"),
                theme.warning,
            ),
            (Some(Prompt::Filter(_)), _) => {
                let typed = visible(&self.choices.filter);
                let text = format!("filter: {typed}▏  (Enter keeps it, Escape leaves it)");
                (text, theme.strong)
            }
            (None, Some(notice)) => {
                let style = match notice.is_warning {
                    true => theme.warning,
                    false => theme.strong,
                };
                (visible(&notice.text).into_owned(), style)
            }
            (None, None) => match &self.data.problem {
                Some(problem) => (visible(problem).into_owned(), theme.warning),
                None => return put_line(buffer, area, &self.keys(area.width)),
            },
        };
        put(buffer, area, &squeeze(&text, width), style);
    }

    /// Returns the names of the most important keys, as many as have room.
    fn keys(&self, width: u16) -> Line<'static> {
        const ORDER: [&str; 12] = [
            "help", "quit", "view", "validate", "reduce", "delete", "filter", "edit", "copy",
            "all", "report", "panel",
        ];
        let mut spans = vec![];
        let mut used = 0;
        for wanted in ORDER {
            let Some(key) = KEYS.iter().find(|key| key.name == wanted) else {
                continue;
            };
            let first = key.keys.split(' ').next().unwrap_or_default();
            let name = match (wanted, self.choices.page, self.choices.listed) {
                ("all", _, Listed::All) => "open only",
                ("panel", page, _) if page != Page::Panels => continue,
                (name, ..) => name,
            };
            let columns = first.width() + name.width() + 4;
            if used + columns > usize::from(width) + 3 {
                break;
            }
            used += columns;
            spans.push(Span::styled(first, self.theme.strong));
            spans.push(Span::styled(format!(" {name}   "), self.theme.dim));
        }
        Line::from(spans)
    }
}
