//! Tests of the whole screen at common sizes of terminals, and of keys on a database.

use super::choices::{Choices, Page, Panel};
use super::data::Data;
use super::screen::Scene;
use super::session::{Session, Wish};
use crate::Live;
use crate::view::theme::Theme;
use nubbin_campaign::{
    Event, EventKind, Found, Identity, IssueFilter, IssueState, JobKind, NumberedEvent, Reduction,
    Running, Severity, SliceEnd, Store, Test,
};
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Cell;
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

const NOW: Duration = Duration::from_secs(83);

/// A session on a database in a folder of its own.
struct Trial {
    session: Session,
    /// A second connection, as that of the campaign.
    store: Store,
    stops: Arc<AtomicUsize>,
    folder: TempDir,
}

impl Trial {
    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path()).unwrap();
        let stops = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&stops);
        let stop = Box::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let own = Store::open(folder.path()).unwrap();
        let mut session = Session::new(own, Live::default(), stop);
        session.data.folder = "campaigns/parser".into();
        session.refresh(Duration::ZERO);
        Trial {
            session,
            store,
            stops,
            folder,
        }
    }

    /// Makes a campaign with three issues, two generators, and jobs.
    fn full() -> Self {
        let mut trial = Trial::empty();
        let issues = [
            (
                "sanitizer",
                "AddressSanitizer: heap-use-after-free",
                Severity::High,
            ),
            ("assertion", "`n > 0` at list.c:41", Severity::Low),
            (
                "signal",
                "SIGSEGV \x1b[31m\u{202e}evil\x07",
                Severity::Medium,
            ),
        ];
        let mut end = SliceEnd {
            tests: 12_345,
            failures: 67,
            ..SliceEnd::default()
        };
        for (kind, what, severity) in issues {
            end.add(Found {
                identity: Identity::new(kind, what, vec!["parse".into(), "main".into()]),
                severity,
                test: Test::new(format!("the test of {kind}\n\x1b]0;title\x07\n")),
                exit: "exit 1".into(),
                output: b"line one\n\x1b[2Jline two\n".to_vec(),
                seen: 5,
                inputs: vec![],
            });
        }
        let follow = JobKind::Reduce;
        let taken = (0..20_000, &end);
        (trial
            .store
            .record_slice("parser", "grammar", "1.0", taken, follow))
        .unwrap();
        let end = SliceEnd {
            tests: 100,
            ..SliceEnd::default()
        };
        (trial
            .store
            .record_slice("parser", "random", "1.1", (0..200, &end), follow))
        .unwrap();
        trial
            .store
            .record_validation(1, "1.1", (7, 10), None)
            .unwrap();
        let reduced = Some(&b"small"[..]);
        (trial
            .store
            .record_reduced(1, reduced, None, 300, Reduction::Done))
        .unwrap();
        trial.store.set_note(1, "see the\nlist").unwrap();
        trial.session.refresh(Duration::from_secs(80));
        trial.session.data.running = vec![
            running("fuzz", Some("grammar"), None, "12 % of the slice"),
            running("reduce", None, Some(2), "120 of 400 bytes, 33 tests"),
        ];
        let event = Event::of_issue(EventKind::IssueAdded, 3, "issue 3: a \x1b[2J signal");
        trial.hear(event);
        trial.hear(Event::new(
            EventKind::Warning,
            "the generator `random` is slow",
        ));
        trial.hear(Event::new(EventKind::Progressed, "not shown"));
        trial
    }

    fn hear(&mut self, event: Event) {
        let at = self.session.data.at - 12_000;
        let id = None;
        self.session.hear(NumberedEvent { id, at, event });
    }

    fn press(&mut self, code: KeyCode) -> Wish {
        let wish = self.session.answer(KeyEvent::new(code, KeyModifiers::NONE));
        if self.session.is_stale {
            self.session.refresh(NOW);
        }
        wish
    }

    fn press_all(&mut self, keys: &str) {
        for char in keys.chars() {
            self.press(KeyCode::Char(char));
        }
    }

    fn lines(&self, width: u16, height: u16) -> Vec<String> {
        rows(&self.draw(width, height))
    }

    fn draw(&self, width: u16, height: u16) -> Terminal<TestBackend> {
        draw(&self.session.data, &self.session.choices, width, height)
    }

    fn notice(&self) -> &str {
        let notice = self.session.choices.notice.as_ref();
        notice.map_or("", |notice| &notice.text)
    }

    fn state(&self, id: i64) -> IssueState {
        self.store.issue(id).unwrap().unwrap().state
    }

    fn jobs(&self) -> Vec<(JobKind, Option<i64>, bool)> {
        let jobs = self.store.jobs().unwrap();
        let parts = jobs.iter().map(|job| (job.kind, job.issue, job.priority));
        parts.collect()
    }
}

fn running(
    kind: &'static str,
    generator: Option<&str>,
    issue: Option<i64>,
    progress: &str,
) -> Running {
    Running {
        kind,
        program: "parser".into(),
        generator: generator.map(str::to_owned),
        issue,
        progress: progress.into(),
        seconds: 12.5,
    }
}

fn draw(data: &Data, choices: &Choices, width: u16, height: u16) -> Terminal<TestBackend> {
    let theme = Theme::new(true);
    let scene = Scene {
        data,
        choices,
        now: NOW,
        theme: &theme,
    };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| scene.paint(frame.buffer_mut()))
        .unwrap();
    terminal
}

fn rows(terminal: &Terminal<TestBackend>) -> Vec<String> {
    let buffer = terminal.backend().buffer();
    let area = buffer.area;
    let row = |y| {
        (0..area.width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..area.height).map(row).collect()
}

#[track_caller]
fn shows(lines: &[String], wanted: &[&str]) {
    let text = lines.join("\n");
    for wanted in wanted {
        assert!(text.contains(wanted), "no {wanted:?} in:\n{text}");
    }
}

#[test]
fn an_empty_campaign_has_something_to_see() {
    let trial = Trial::empty();
    for (width, height) in [(50, 14), (80, 24), (200, 60)] {
        let lines = trial.lines(width, height);
        shows(
            &lines,
            &[
                "nubbin campaign campaigns/parser",
                "running  1:23",
                "0 tests",
                "no open issues",
                "F10 quit",
            ],
        );
    }
    let lines = trial.lines(120, 40);
    shows(
        &lines,
        &["jobs: 0 running, 0 waiting", "no tests yet", "messages"],
    );
}

const IMPORTANT: &[&str] = &[
    "running  1:23",
    "12,445 tests",
    "3 open issues",
    "jobs: 2 running, 3 waiting",
    "▶ reduce   parser issue 2",
    "3 open issues",
    "high",
    "7/10",
    "sanitizer: AddressSanitizer",
    "messages",
    "12 s  the generator `random` is slow",
    "F3 view",
];

#[test]
fn a_usual_terminal_shows_jobs_issues_and_messages() {
    let lines = Trial::full().lines(80, 24);
    shows(&lines, IMPORTANT);
    shows(
        &lines,
        &["AddressSanitizer: heap-use", "issue 3: a \\x1b[2J signal"],
    );
}

#[test]
fn every_panel_of_the_usual_size_is_as_before() {
    let mut trial = Trial::full();
    let mut shown = String::new();
    for panel in [
        Panel::Jobs,
        Panel::Statistics,
        Panel::Messages,
        Panel::Issues,
    ] {
        trial.press(KeyCode::Tab);
        assert_eq!(trial.session.choices.panel, panel);
        for row in trial.lines(80, 24) {
            shown += row.trim_end();
            shown += "\n";
        }
        shown += &"=".repeat(80);
        shown += "\n";
    }
    let path = "../../snapshots/view-of-campaign.txt";
    expect_test::expect_file![path].assert_eq(&shown);
}

#[test]
fn a_large_terminal_shows_all_panels() {
    for (width, height) in [(80, 40), (120, 40), (200, 60)] {
        let lines = Trial::full().lines(width, height);
        shows(&lines, IMPORTANT);
        shows(&lines, &["grammar on parser", "tests/s", "12.3k", "82"]);
    }
    shows(&Trial::full().lines(200, 60), &["─ tests ─"]);
}

#[test]
fn a_narrow_terminal_shows_the_issues_and_the_last_message() {
    let lines = Trial::full().lines(50, 14);
    shows(
        &lines,
        &[
            "running  1:23",
            "3 open issues",
            "Tab: jobs",
            "high",
            "assertion:",
            "is slow",
            "F10 quit",
        ],
    );
}

#[test]
fn the_other_panels_are_a_key_away() {
    let mut trial = Trial::full();
    for (panel, wanted) in [
        (Panel::Jobs, "▶ fuzz"),
        (Panel::Statistics, "grammar on parser"),
        (Panel::Messages, "issue 3: a"),
        (Panel::Issues, "assertion:"),
    ] {
        trial.press(KeyCode::Tab);
        assert_eq!(trial.session.choices.panel, panel);
        shows(&trial.lines(50, 14), &[wanted]);
        shows(&trial.lines(80, 24), &["messages"]);
    }
}

#[test]
fn a_tiny_terminal_shows_the_figures() {
    shows(
        &Trial::full().lines(30, 2),
        &["running  1:23", "12,445 tests"],
    );
    shows(&Trial::full().lines(40, 8), &["3 open issues", "? help"]);
}

#[test]
fn every_size_is_drawn_within_its_width() {
    let mut trial = Trial::full();
    let pages = [Page::Panels, Page::Issue(1), Page::Help, Page::About];
    for page in pages {
        trial.session.choices.page = page;
        trial.session.refresh(NOW);
        for width in (1..60)
            .step_by(3)
            .chain([79, 80, 100, 119, 120, 160, 200, 400])
        {
            for height in (1..30).step_by(2).chain([38, 60, 120]) {
                for line in trial.lines(width, height) {
                    assert!(line.width() <= width.into(), "{width}x{height}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn escape_sequences_are_visible_text() {
    let mut trial = Trial::full();
    let lines = trial.lines(120, 40);
    shows(
        &lines,
        &["signal: SIGSEGV \\x1b[31m\\u{202e}evil\\x07 in parse"],
    );
    trial.press(KeyCode::Enter);
    let lines = trial.lines(120, 40);
    shows(&lines, &["\\x1b]0;title\\x07", "\\x1b[2Jline two"]);
    let is_plain = |line: &String| line.chars().all(crate::shown::is_seen);
    assert!(lines.iter().all(is_plain), "{lines:?}");
}

#[test]
fn the_help_lists_all_keys() {
    let mut trial = Trial::full();
    trial.press(KeyCode::Char('?'));
    shows(
        &trial.lines(80, 40),
        &["Shift-F6 R", "F10 q", "reduce the test of the issue again"],
    );
    // A small screen scrolls.
    let first = trial.lines(50, 14);
    shows(&first, &["keys", "F1 b", "10 of 25"]);
    trial.press(KeyCode::End);
    shows(&trial.lines(50, 14), &["Ctrl-L", "25 of 25"]);
    trial.press(KeyCode::Char('q'));
    assert_eq!(trial.session.choices.page, Page::Panels);
    trial.press(KeyCode::F(1));
    shows(
        &trial.lines(80, 24),
        &["campaigns/parser", env!("CARGO_PKG_VERSION")],
    );
}

#[test]
fn the_page_of_an_issue_shows_its_test_beside_its_reduction() {
    let mut trial = Trial::full();
    trial.press(KeyCode::End);
    trial.press(KeyCode::F(3));
    let lines = trial.lines(120, 40);
    shows(
        &lines,
        &[
            "issue 1",
            "high, open",
            "in 7 of 10 runs",
            "version 1.0 to 1.1",
            "done, in 300 tests",
            "note        see the",
            "reduced, 5 bytes",
            "line one",
        ],
    );
    let beside = |line: &&String| line.contains("the test of") && line.contains("│ small");
    assert!(lines.iter().any(|line| beside(&line)), "{lines:?}");
    // A narrow page shows the smallest test first.
    let lines = trial.lines(60, 60);
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).unwrap();
    assert!(at(" small") < at("the test of"));
    trial.press(KeyCode::Left);
    shows(
        &trial.lines(80, 40),
        &["issue 2", "assertion: `n > 0` at list.c"],
    );
    trial.press(KeyCode::Esc);
    assert_eq!(trial.session.choices.selected, Some(2));
}

#[test]
fn keys_move_the_selection() {
    let mut trial = Trial::full();
    assert_eq!(trial.session.choices.selected, Some(3));
    trial.press(KeyCode::Down);
    trial.press(KeyCode::Char('j'));
    trial.press(KeyCode::PageDown);
    assert_eq!(trial.session.choices.selected, Some(1));
    trial.press(KeyCode::Up);
    assert_eq!(trial.session.choices.selected, Some(2));
    let terminal = trial.draw(80, 24);
    let marked = |cell: &&Cell| cell.modifier.contains(Modifier::REVERSED);
    let content = terminal.backend().buffer().content();
    let row: String = content.iter().filter(marked).map(Cell::symbol).collect();
    assert!(row.contains("assertion"), "{row}");
    trial.press(KeyCode::Home);
    assert_eq!(trial.session.choices.selected, Some(3));
}

#[test]
fn a_new_issue_does_not_move_the_selection() {
    let mut trial = Trial::full();
    trial.press(KeyCode::Down);
    let found = Found {
        identity: Identity::new("hang", "no end", vec![]),
        severity: Severity::Low,
        test: Test::new("x"),
        exit: "killed".into(),
        output: vec![],
        seen: 1,
        inputs: vec![],
    };
    let follow = JobKind::Validate;
    (trial
        .store
        .record_found("parser", "random", "1.1", &found, follow))
    .unwrap();
    trial.session.refresh(NOW);
    assert_eq!(trial.session.choices.selected, Some(2));
    assert_eq!(trial.session.choices.place, 2);
}

#[test]
fn keys_set_the_state_of_an_issue() {
    let mut trial = Trial::full();
    trial.press(KeyCode::Char('c'));
    assert_eq!(trial.state(3), IssueState::Closed);
    // The closed issue is not listed, and the next one is selected.
    assert_eq!(trial.session.choices.selected, Some(2));
    trial.press(KeyCode::Char('i'));
    assert_eq!(trial.state(2), IssueState::Ignored);
    shows(&trial.lines(80, 24), &["issue 2 is ignored"]);
    trial.press(KeyCode::F(9));
    shows(
        &trial.lines(80, 24),
        &["3 issues of all states", "closed", "ignored", "open"],
    );
    trial.press(KeyCode::Home);
    trial.press(KeyCode::Char('o'));
    assert_eq!(trial.state(3), IssueState::Open);
    trial.press(KeyCode::Char('A'));
    shows(&trial.lines(80, 24), &["0 invalid issues"]);
    trial.press(KeyCode::Char('v'));
    assert_eq!(trial.notice(), "no issue is selected");
}

#[test]
fn keys_add_jobs_that_come_first() {
    let mut trial = Trial::full();
    trial.press(KeyCode::F(2));
    assert_eq!(trial.jobs()[0], (JobKind::Validate, Some(3), true));
    trial.press(KeyCode::End);
    trial.press(KeyCode::F(6));
    assert!(trial.jobs().contains(&(JobKind::Reduce, Some(1), true)));
    let issue = trial.store.issue(1).unwrap().unwrap();
    assert_eq!((issue.reduced, issue.reduction), (None, Reduction::None));
}

#[test]
fn all_open_issues_that_are_not_reduced_are_reduced() {
    let mut trial = Trial::full();
    let key = KeyEvent::new(KeyCode::F(6), KeyModifiers::SHIFT);
    trial.session.answer(key);
    assert_eq!(trial.notice(), "2 issues are to be reduced");
    let asked: Vec<_> = trial.jobs().into_iter().filter(|job| job.2).collect();
    let reduce = |id| (JobKind::Reduce, Some(id), true);
    assert_eq!(asked, [reduce(2), reduce(3)]);
    // The finished reduction is kept.
    assert!(trial.store.issue(1).unwrap().unwrap().reduced.is_some());
}

#[test]
fn an_issue_is_deleted_after_a_question() {
    let mut trial = Trial::full();
    trial.press(KeyCode::F(8));
    shows(
        &trial.lines(50, 14),
        &["delete issue 3 with its tests? y/n"],
    );
    trial.press(KeyCode::Char('n'));
    assert!(trial.store.issue(3).unwrap().is_some());
    trial.press_all("dy");
    assert!(trial.store.issue(3).unwrap().is_none());
    assert_eq!(trial.session.choices.selected, Some(2));
}

#[test]
fn a_filter_lists_issues_with_its_text() {
    let mut trial = Trial::full();
    trial.press_all("/sigsegV");
    shows(
        &trial.lines(80, 24),
        &["filter: sigsegV", "1 open issues with `sigsegV`"],
    );
    trial.press(KeyCode::Enter);
    // Keys are actions again.
    trial.press(KeyCode::Char('c'));
    assert_eq!(trial.state(3), IssueState::Closed);
    trial.press(KeyCode::Esc);
    assert_eq!(trial.session.data.issues.len(), 2);
    trial.press_all("/zzz");
    trial.press(KeyCode::Esc);
    assert_eq!(trial.session.choices.filter, "");
}

#[test]
fn the_path_of_a_report_is_shown() {
    let mut trial = Trial::full();
    trial.press(KeyCode::F(7));
    assert_eq!(trial.notice(), "issue 3 has no report yet");
    for name in ["33-other", "003-signal"] {
        let folder = trial.folder.path().join("issues").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("report.md"), "# Report\n").unwrap();
    }
    trial.press(KeyCode::Char('p'));
    assert!(
        trial.notice().ends_with("003-signal/report.md"),
        "{}",
        trial.notice()
    );
}

#[test]
fn a_note_that_was_edited_is_kept() {
    let mut trial = Trial::full();
    assert_eq!(trial.press(KeyCode::F(4)), Wish::Edit(3));
    assert_eq!(trial.session.note(3).as_deref(), Some(""));
    trial.session.keep_note(3, "", Ok("new".into()));
    assert_eq!(trial.store.issue(3).unwrap().unwrap().note, "new");
    trial.session.keep_note(3, "new", Err("no editor".into()));
    assert_eq!(trial.notice(), "no editor");
    assert_eq!(trial.store.issue(3).unwrap().unwrap().note, "new");
}

#[test]
fn the_campaign_is_stopped_by_keys() {
    let mut trial = Trial::full();
    trial.press(KeyCode::F(10));
    let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    trial.session.answer(ctrl_c);
    trial.press(KeyCode::Char('/'));
    trial.session.answer(ctrl_c);
    trial.press(KeyCode::Char('q'));
    assert_eq!(trial.stops.load(Ordering::Relaxed), 4);
    shows(&trial.lines(80, 24), &["ending  1:23"]);
}

#[test]
fn a_full_disk_pauses_and_room_goes_on() {
    let mut trial = Trial::full();
    trial.hear(Event::new(EventKind::Paused, "the campaign waits"));
    shows(&trial.lines(80, 24), &["paused, the disk is full  1:23"]);
    trial.hear(Event::new(EventKind::Loaded, "there is room again"));
    shows(&trial.lines(80, 24), &["running  1:23"]);
}

#[test]
fn without_colors_no_cell_has_one() {
    let trial = Trial::full();
    let theme = Theme::new(false);
    let scene = Scene {
        data: &trial.session.data,
        choices: &trial.session.choices,
        now: NOW,
        theme: &theme,
    };
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    terminal
        .draw(|frame| scene.paint(frame.buffer_mut()))
        .unwrap();
    let content = terminal.backend().buffer().content();
    assert!(content.iter().all(|cell| cell.fg == Color::Reset));
    assert_eq!(
        trial.store.issues(&IssueFilter::default()).unwrap().len(),
        3
    );
}
