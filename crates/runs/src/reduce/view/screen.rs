//! The layout of the screen. If the screen is small, only the most important panels are shown.

use super::best;
use super::choices::{Choices, Filling, Panel};
use super::excerpt::Excerpt;
use super::keys::KEYS;
use super::model::{Facts, Model};
use super::passes;
use super::workers;
use crate::shown::{self, rate, shrinkage};
use crate::test::first_line;
use crate::view::curve::{self, Scale};
use crate::view::theme::Theme;
use crate::view::write::{
    count, fitting, put, put_line, put_right, row, short_time, squeeze, time, titled,
};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The data of one frame.
pub(super) struct Scene<'a> {
    pub(super) facts: &'a Facts,
    pub(super) model: &'a Model,
    pub(super) choices: &'a Choices,
    pub(super) excerpt: &'a Excerpt,
    /// The text that fills the screen, if one does.
    pub(super) filled: &'a Excerpt,
    pub(super) now: Duration,
    pub(super) theme: &'a Theme,
}

impl Scene<'_> {
    /// Draws the whole screen. Returns how far the text that fills the screen can be scrolled.
    pub(super) fn paint(&self, buffer: &mut Buffer) -> usize {
        match self.choices.filling {
            Some(filling) if !self.choices.help => self.filled(filling, buffer),
            _ => {
                self.all(buffer);
                0
            }
        }
    }

    /// Draws a text, and the size and the keys around it.
    fn filled(&self, filling: Filling, buffer: &mut Buffer) -> usize {
        let area = buffer.area;
        let (state, style) = self.state();
        let right = format!("{state}  {}", time(self.now));
        put_line(buffer, row(area, 0), &self.sizes());
        put_right(buffer, row(area, 0), &right, style);
        let title = match (filling, &self.facts.result[..]) {
            (Filling::Output, _) => "output of the last test".to_owned(),
            (Filling::Best, "") => self.best_title(),
            (Filling::Best, result) => format!("{}: {result}", self.best_title()),
        };
        let panel = Rect {
            y: area.y + 1.min(area.height),
            height: area.height.saturating_sub(2),
            ..area
        };
        let inside = titled(buffer, panel, &title, self.theme.dim);
        let above = self.choices.above;
        let most = best::draw_from(above, self.filled, inside, buffer, self.theme);
        self.footer(row(area, area.height.saturating_sub(1)), buffer);
        most
    }

    /// Draws the figures and all panels that have room.
    fn all(&self, buffer: &mut Buffer) {
        let area = buffer.area;
        if area.width < 50 || area.height < 14 {
            self.small(area, buffer);
            return;
        }
        let mut rest = area;
        let mut cut = |height: u16| {
            let top = Rect {
                height: height.min(rest.height),
                ..rest
            };
            rest.y += top.height;
            rest.height -= top.height;
            top
        };
        let header = if area.height < 20 { 2 } else { 3 };
        self.header(cut(header), buffer);
        self.figures(cut(3), buffer);
        let curves = match area.height {
            // The help needs all rows of a small screen.
            ..30 if self.choices.help => 0,
            ..20 => 0,
            20..30 => 6,
            tall => (tall / 4).min(14),
        };
        let is_wide = is_wide(area);
        self.top(cut(curves), is_wide, buffer);
        let panels = cut(area.height.saturating_sub(4 + header + curves));
        if self.choices.help {
            self.help(panels, buffer);
        } else {
            self.panels(panels, is_wide, buffer);
        }
        self.footer(row(area, area.height - 1), buffer);
    }

    /// Draws a few lines, the most important first, for small windows.
    fn small(&self, area: Rect, buffer: &mut Buffer) {
        let (state, style) = self.state();
        let mut lines = vec![
            Line::styled(format!("{state} {}", time(self.now)), style),
            self.sizes(),
            self.tests(area.width),
            self.at_work(area.width),
        ];
        if area.height < 4 {
            lines.truncate(area.height.into());
        }
        for (number, line) in (0..).zip(&lines) {
            put_line(buffer, row(area, number), line);
        }
        let left = (area.height as usize).saturating_sub(lines.len() + 1) as u16;
        let panel = Rect {
            y: area.y + lines.len() as u16,
            height: left,
            ..area
        };
        if left > 1 {
            if self.choices.help {
                self.help(panel, buffer);
            } else {
                self.panel(self.choices.panel, panel, buffer);
            }
        }
        if area.height as usize > lines.len() {
            self.footer(row(area, area.height - 1), buffer);
        }
    }

    /// Returns the state of the run in one or two words.
    fn state(&self) -> (&'static str, Style) {
        if self.choices.ending {
            ("ending", self.theme.warning)
        } else if self.choices.paused {
            ("paused", self.theme.warning)
        } else if self.model.is_begun {
            ("reducing", self.theme.active)
        } else {
            ("testing the original", self.theme.active)
        }
    }

    fn header(&self, area: Rect, buffer: &mut Buffer) {
        let facts = self.facts;
        let (state, style) = self.state();
        let right = format!("{state}  {}", time(self.now));
        put_right(buffer, row(area, 0), &right, style);
        let room = usize::from(area.width).saturating_sub(right.width() + 2);
        let title = match &facts.result[..] {
            "" => format!("nubbin reduce {}", facts.input),
            result => format!("nubbin reduce {} → {result}", facts.input),
        };
        put(
            buffer,
            row(area, 0),
            &squeeze(&title, room),
            self.theme.strong,
        );
        let workers = if facts.jobs == 1 { "worker" } else { "workers" };
        let right = format!(
            "{}  seed {}  {} {workers}",
            facts.algorithm, facts.seed, facts.jobs
        );
        let right = squeeze(&right, usize::from(area.width) / 2);
        put_right(buffer, row(area, 1), &right, self.theme.dim);
        let room = usize::from(area.width).saturating_sub(right.width() + 2);
        let test = format!("test: {}", facts.test);
        put(buffer, row(area, 1), &squeeze(&test, room), self.theme.dim);
        if area.height > 2 {
            let kept = first_line(&facts.failure, facts.language.as_deref(), None);
            let kept = squeeze(&kept, area.width.into());
            put(buffer, row(area, 2), &kept, self.theme.dim);
        }
    }

    /// Draws three lines of figures: sizes, tests, and activity.
    fn figures(&self, area: Rect, buffer: &mut Buffer) {
        put_line(buffer, row(area, 0), &self.sizes());
        put_line(buffer, row(area, 1), &self.tests(area.width));
        put_line(buffer, row(area, 2), &self.at_work(area.width));
    }

    fn sizes(&self) -> Line<'static> {
        let counts = &self.model.counts;
        if !self.model.is_begun {
            return Line::raw("");
        }
        let mut line = vec![
            Span::raw(format!("{} → ", count(counts.bytes_before as u64))),
            Span::styled(count(counts.bytes_now as u64), self.theme.strong),
            Span::raw(" bytes, "),
            Span::styled(
                shrinkage(counts.bytes_before as u64, counts.bytes_now as u64),
                self.theme.strong,
            ),
        ];
        if let Some(choices) = self.model.choices {
            line.push(Span::raw(format!("; {} choices", count(choices as u64))));
        }
        if let Some(change) = self
            .model
            .change
            .as_ref()
            .filter(|change| change.number > 0)
        {
            let ago = short_time(self.now.saturating_sub(change.at));
            line.push(Span::styled(
                format!("  last success {ago} ago"),
                self.theme.dim,
            ));
        }
        Line::from(line)
    }

    fn tests(&self, width: u16) -> Line<'static> {
        let counts = &self.model.counts;
        let of_max = self
            .facts
            .max_tests
            .map_or(String::new(), |max| format!("/{}", count(max)));
        // A test that takes longer than these seconds still counts in the rate of the whole run.
        let recent = self.model.tests.rate(self.now, Duration::from_secs(5));
        let rate = match recent > 0.0 {
            true => recent,
            false => self.model.tests.rate(self.now, self.now),
        };
        let share = 100.0 * counts.failing as f64 / counts.tests.max(1) as f64;
        let tests = match &of_max[..] {
            "" => shown::tests(counts.tests),
            of_max => format!("{}{of_max} tests", count(counts.tests)),
        };
        let mut items = vec![(tests, self.theme.strong)];
        if rate > 0.0 {
            items.push((self::rate(rate), Style::new()));
        }
        items.extend([
            (format!("{share:.0} % fail"), Style::new()),
            (format!("{} cached", count(counts.cache_hits)), Style::new()),
        ]);
        let mut problem = |number: u64, what: &str| {
            let style = if number > 0 {
                self.theme.warning
            } else {
                Style::new()
            };
            items.push((format!("{} {what}", count(number)), style));
        };
        problem(
            counts.timed_out,
            match counts.timed_out {
                1 => "time-out",
                _ => "time-outs",
            },
        );
        let others = counts.unresolved - counts.timed_out - counts.not_built;
        problem(others, "unresolved");
        if counts.not_built > 0 {
            problem(counts.not_built, "not built");
        }
        if counts.interventions > 0 {
            problem(counts.interventions, "skipped or dropped");
        }
        fitting(items, ", ", width)
    }

    fn at_work(&self, width: u16) -> Line<'static> {
        let mut items = vec![];
        if let Some(id) = self.model.at_work {
            let row = self.model.passes.iter().find(|row| row.id == id);
            let (tests, adopted) = row.map_or((0, 0), |row| (row.tests, row.adopted));
            items.push((format!("▶ {id}"), self.theme.active));
            let so_far = format!("{}, {} kept", shown::tests(tests), count(adopted));
            items.push((so_far, Style::new()));
        }
        let (busy, since) = self.model.busy();
        let all = self.model.workers.len();
        items.push((format!("{busy}/{all} workers busy"), Style::new()));
        let longest = since.map(|since| self.now.saturating_sub(since));
        // Tests that end before a person can read the line have no figure.
        if let Some(longest) = longest.filter(|longest| longest.as_secs() > 0) {
            let style = if longest > Duration::from_secs(10) {
                self.theme.warning
            } else {
                Style::new()
            };
            items.push((format!("one for {}", short_time(longest)), style));
        }
        fitting(items, "  ", width)
    }

    /// Draws the curves, and the workers next to them if there is room.
    fn top(&self, area: Rect, with_workers: bool, buffer: &mut Buffer) {
        if area.height == 0 {
            return;
        }
        let workers = if with_workers { 40 } else { 0 };
        let tests = (area.width - workers) * 2 / 5;
        let size = area.width - workers - tests;
        let sizes = &self.model.sizes;
        let before = self.model.counts.bytes_before as u64;
        let scale = Scale::for_range(sizes.last().unwrap_or(before), before);
        let place = Rect {
            width: size - 2,
            ..area
        };
        let title = match scale {
            Scale::Linear => "bytes",
            Scale::Log => "bytes, logarithmic",
        };
        let theme = self.theme;
        let inside = titled(buffer, place, title, theme.dim);
        curve::draw(sizes, scale, self.now, theme.size, inside, buffer, theme);
        let place = Rect {
            x: area.x + size,
            width: if with_workers { tests - 2 } else { tests },
            ..area
        };
        let inside = titled(buffer, place, "tests", theme.dim);
        let tests_scale = Scale::Linear;
        let tests_curve = &self.model.tests;
        curve::draw(
            tests_curve,
            tests_scale,
            self.now,
            theme.tests,
            inside,
            buffer,
            theme,
        );
        if with_workers {
            let place = Rect {
                x: area.right() - workers,
                width: workers,
                ..area
            };
            self.panel(Panel::Workers, place, buffer);
        }
    }

    fn panels(&self, area: Rect, is_wide: bool, buffer: &mut Buffer) {
        if is_wide {
            let left = 66.min(area.width / 2);
            let passes = Rect {
                width: left - 2,
                ..area
            };
            self.panel(Panel::Passes, passes, buffer);
            let best = Rect {
                x: area.x + left,
                width: area.width - left,
                ..area
            };
            self.panel(Panel::Best, best, buffer);
        } else if area.height >= 24 {
            // The selected panel is shown, and next to it the most important one.
            let second = match self.choices.panel {
                Panel::Passes | Panel::Best => Panel::Best,
                Panel::Workers => Panel::Workers,
            };
            let half = area.height / 2;
            let upper = Rect {
                height: half,
                ..area
            };
            let lower = Rect {
                y: area.y + half,
                height: area.height - half,
                ..area
            };
            self.panel(Panel::Passes, upper, buffer);
            self.panel(second, lower, buffer);
        } else {
            self.panel(self.choices.panel, area, buffer);
            if area.width >= 70 {
                self.tabs(area, buffer);
            }
        }
    }

    /// Draws the names of all panels at the right end of the title, if only one panel is shown.
    fn tabs(&self, area: Rect, buffer: &mut Buffer) {
        let mut spans = vec![Span::styled(" Tab:", self.theme.dim)];
        for (panel, name) in Panel::ALL {
            let style = if panel == self.choices.panel {
                self.theme.strong
            } else {
                self.theme.dim
            };
            spans.push(Span::raw(" "));
            spans.push(Span::styled(name, style));
        }
        spans.push(Span::raw(" "));
        let line = Line::from(spans);
        let width = (line.width() as u16).min(area.width);
        let place = Rect {
            x: area.right() - width,
            width,
            ..row(area, 0)
        };
        put_line(buffer, place, &line);
    }

    fn panel(&self, panel: Panel, area: Rect, buffer: &mut Buffer) {
        let (model, theme) = (self.model, self.theme);
        match panel {
            Panel::Passes => {
                let title = match &model.waiting {
                    Some(waiting) => format!("passes: {waiting}"),
                    None => "passes".to_owned(),
                };
                let inside = titled(buffer, area, &title, theme.dim);
                passes::draw(model, self.choices, inside, buffer, theme);
            }
            Panel::Workers => {
                let inside = titled(buffer, area, "workers", theme.dim);
                workers::draw(&model.workers, self.now, inside, buffer, theme);
            }
            Panel::Best => {
                let title = self.best_title();
                let inside = titled(buffer, area, &title, theme.dim);
                best::draw(self.excerpt, inside, buffer, theme);
            }
        }
    }

    fn best_title(&self) -> String {
        let Some(change) = &self.model.change else {
            return "best so far".into();
        };
        let file = match &self.excerpt.file {
            Some(name) => format!(" in {name}"),
            None => String::new(),
        };
        if change.number == 0 {
            return format!("the original{file}");
        }
        format!("best so far, last change by {}{file}", change.pass)
    }

    fn help(&self, area: Rect, buffer: &mut Buffer) {
        let inside = titled(buffer, area, "keys", self.theme.dim);
        for (number, (key, _, what)) in (0..).zip(KEYS) {
            let line = Line::from(vec![
                Span::styled(format!(" {key:5}"), self.theme.strong),
                Span::raw(*what),
            ]);
            put_line(buffer, row(inside, number), &line);
        }
    }

    fn footer(&self, area: Rect, buffer: &mut Buffer) {
        if self.choices.ending {
            let text = "ending with the best so far; q again: at once";
            put(buffer, area, text, self.theme.warning);
            return;
        }
        let mut spans = vec![];
        if let Some(note) = &self.choices.note {
            spans.push(Span::styled(format!("{note}  "), self.theme.active));
        }
        let acting = KEYS.iter().filter(|(key, ..)| self.acts(key, buffer.area));
        let mut parts: Vec<[Span<'_>; 2]> = acting
            .map(|&(key, what, _)| {
                let what = match (key, self.choices.filling) {
                    ("p", _) if self.choices.paused => "continue",
                    ("f", Some(Filling::Best)) | ("o", Some(Filling::Output)) => "panels",
                    ("j k", Some(_)) => "scroll",
                    _ => what,
                };
                [
                    Span::styled(key, self.theme.strong),
                    Span::styled(format!(" {what}  "), self.theme.dim),
                ]
            })
            .collect();
        // The last key shows all keys, so every footer has it.
        let last = parts.pop();
        let width = |part: &[Span<'_>; 2]| part.iter().map(Span::width).sum::<usize>();
        let noted: usize = spans.iter().map(Span::width).sum();
        // The two spaces after the last key may be beyond the edge of the screen.
        let room = usize::from(area.width) + 2;
        let mut room = room.saturating_sub(noted + last.as_ref().map_or(0, width));
        for part in parts {
            let needed = width(&part);
            if needed > room {
                break;
            }
            room -= needed;
            spans.extend(part);
        }
        spans.extend(last.into_iter().flatten());
        put_line(buffer, area, &Line::from(spans));
    }

    /// Returns whether a key has an effect now, on a screen of the given size.
    fn acts(&self, key: &str, screen: Rect) -> bool {
        let is_filled = self.choices.filling.is_some() && !self.choices.help;
        let has_best = self.model.change.is_some();
        match key {
            "s" => self.model.at_work.is_some(),
            "c" | "f" => has_best,
            "v" => has_best && self.facts.has_pager,
            "e" => has_best && self.facts.has_editor,
            "d" => !is_filled,
            // All panels are next to each other.
            "Tab" => {
                let shows_all = is_wide(screen) && screen.height >= 14;
                !(is_filled || self.choices.help || shows_all)
            }
            _ => true,
        }
    }
}

/// Returns whether all panels fit next to each other.
fn is_wide(screen: Rect) -> bool {
    screen.width >= 120
}
