//! Tests of the whole screen at common sizes of terminals.

use super::choices::{Choices, Filling, Panel};
use super::colors::Colors;
use super::excerpt::Excerpt;
use super::model::{Facts, Model};
use super::output;
use super::screen::Scene;
use crate::view::theme::Theme;
use nubbin_oracle::{Exit, TestOutput};
use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::{Event, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::span::Span;
use nubbin_verdict::{Verdict, VerdictKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

const NOW: Duration = Duration::from_secs(83);

fn facts() -> Facts {
    Facts {
        input: "src/input.txt".into(),
        result: "src/input.min.txt".into(),
        test: "./test.sh --with arguments".into(),
        failure: "stderr matches `boom`".into(),
        language: Some("json".into()),
        algorithm: "auto".into(),
        seed: 7,
        jobs: 3,
        max_tests: None,
        counts_original: true,
        passes: vec!["depth-0", "lines", "tokens", "chars"],
        colors: Colors::default(),
        has_pager: true,
        has_editor: true,
    }
}

/// Creates a running reduction with a large adoption, a small adoption, and a slow worker.
fn model() -> Model {
    let text: String = (0..2000)
        .map(|i| format!("line {i} of the text\n"))
        .collect();
    let original = Input::single("input.txt", text).unwrap();
    let after = |input: &Input, start, end| input.apply(&Edit::delete(Span::new(start, end)));
    let (half, best) = {
        let half = after(&original, 100, 40_000);
        let best = after(&half, 26, 39);
        (half, best)
    };
    let mut model = Model::new(&facts());
    let mut counts = Statistics::default();
    counts.bytes_before = original.size();
    counts.bytes_now = original.size();
    let mut tell = |seconds, best: &Input, event: Event<'_>| {
        counts.elapsed = Duration::from_secs(seconds);
        counts.bytes_now = best.size();
        if matches!(event, Event::Tested { .. }) {
            counts.tests += 1;
            counts.failing += 1;
            counts.timed_out = 1;
            counts.unresolved = 3;
            counts.cache_hits = 12;
        }
        model.observe(&event, &counts);
    };
    let started = |pass| Event::PassStarted {
        pass,
        tier: "",
        file: 0,
    };
    let tested = |pass| Event::Tested {
        pass,
        verdict: VerdictKind::Fail,
        input: &original,
        bytes: 1,
    };
    let first_test = Duration::from_secs(1);
    let input = &original;
    tell(1, &original, Event::Started { input, first_test });
    for (at, pass, from, to) in [
        (10, "depth-0", &original, &half),
        (60, "lines", &half, &best),
    ] {
        tell(at, from, started(pass));
        (0..500).for_each(|_| tell(at, from, tested(pass)));
        let bytes_before = from.size();
        let input = to;
        let adopted = Event::Adopted {
            pass,
            input,
            edit: &Edit::none(),
            bytes_before,
        };
        tell(at, to, adopted);
    }
    let worker_started = |worker| Event::WorkerStarted {
        worker,
        bytes: 4321,
    };
    tell(61, &best, worker_started(1));
    model
}

fn draw(width: u16, height: u16, choices: &Choices) -> Terminal<TestBackend> {
    draw_model(&model(), width, height, choices)
}

fn draw_model(model: &Model, width: u16, height: u16, choices: &Choices) -> Terminal<TestBackend> {
    let change = model.change.as_ref().unwrap();
    let excerpt = Excerpt::of(change.before.as_ref(), &change.best, &Colors::default());
    let filled = match choices.filling {
        Some(Filling::Output) => output::excerpt(Some(&TestOutput {
            exit: Exit::Code(1),
            verdict: Verdict::Pass,
            bytes: 4321,
            stdout: vec![],
            stderr: b"Traceback:\n  File \"a.py\"\nValueError: \x1b[31mboom".to_vec(),
        })),
        _ => Excerpt::whole(&change.best, &Colors::default()),
    };
    let (facts, theme) = (facts(), Theme::new(true));
    let scene = Scene {
        facts: &facts,
        model,
        choices,
        excerpt: &excerpt,
        filled: &filled,
        now: NOW,
        theme: &theme,
    };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            scene.paint(frame.buffer_mut());
        })
        .unwrap();
    terminal
}

fn lines(width: u16, height: u16, choices: &Choices) -> Vec<String> {
    rows(&draw(width, height, choices))
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

const IMPORTANT: &[&str] = &[
    "reducing  1:23",
    "src/input.txt",
    "./test.sh --with arguments",
    "seed 7",
    "3 workers",
    " bytes, ",
    " % smaller",
    "1,000 tests",
    "12 cached",
    "1 time-out",
    "2 unresolved",
    "▶ lines",
    "1/3 workers busy",
    "one for 22.0 s",
    "bytes, logarithmic",
    "q end",
    "? help",
];

#[test]
fn all_that_matters_fits_on_the_smallest_usual_terminal() {
    let shown = lines(80, 24, &Choices::default());
    shows(&shown, IMPORTANT);
    shows(&shown, &["removed", "39,900", "depth-0", "chars"]);
}

#[test]
fn every_panel_of_the_usual_size_is_as_before() {
    let panels = [Panel::Passes, Panel::Best, Panel::Workers].map(|panel| Choices {
        panel,
        ..Choices::default()
    });
    let help = Choices {
        help: true,
        ..Choices::default()
    };
    let whole = Choices {
        filling: Some(Filling::Best),
        above: 40,
        ..Choices::default()
    };
    let output = Choices {
        filling: Some(Filling::Output),
        ..Choices::default()
    };
    let shown = panels
        .iter()
        .chain([&help, &whole, &output])
        .map(|choices| {
            let rows = lines(80, 24, choices);
            let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
            rows.join("\n") + "\n" + &"=".repeat(80) + "\n"
        });
    let path = "../../../snapshots/view-of-reduce.txt";
    expect_test::expect_file![path].assert_eq(&shown.collect::<String>());
}

#[test]
fn a_large_terminal_is_as_before() {
    let whole = Choices {
        filling: Some(Filling::Best),
        ..Choices::default()
    };
    let shown = [Choices::default(), whole].map(|choices| {
        let rows = lines(200, 55, &choices);
        let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        rows.join("\n") + "\n" + &"=".repeat(200) + "\n"
    });
    let path = "../../../snapshots/large-view-of-reduce.txt";
    expect_test::expect_file![path].assert_eq(&shown.concat());
}

#[test]
fn a_slow_test_has_a_rate_and_one_test_no_plural() {
    let mut model = model();
    model.counts.tests = 1;
    model.passes[1].tests = 1;
    let shown = rows(&draw_model(&model, 80, 24, &Choices::default())).join("\n");
    assert!(!shown.contains("0/s"), "{shown}");
    assert!(shown.contains("1 test, 12/s"), "{shown}");
    assert!(shown.contains("▶ lines  1 test, 1 kept"), "{shown}");
}

#[test]
fn a_key_that_does_nothing_is_not_shown() {
    let whole = Choices {
        filling: Some(Filling::Best),
        ..Choices::default()
    };
    let last = |width, height, choices: &Choices| lines(width, height, choices).pop().unwrap();
    assert!(!last(200, 55, &Choices::default()).contains("Tab"));
    assert!(last(80, 24, &Choices::default()).contains("Tab panel"));
    let filled = last(80, 24, &whole);
    let copied = Choices {
        note: Some("copied 2,977 bytes".into()),
        ..whole
    };
    let noted = last(80, 24, &copied);
    assert!(noted.starts_with("copied 2,977 bytes  q end"), "{noted}");
    assert!(
        !filled.contains("d drop") && !filled.contains("Tab"),
        "{filled}"
    );
    assert!(
        filled.contains("j k scroll") && filled.contains("f panels"),
        "{filled}"
    );
}

#[test]
fn a_large_terminal_shows_all_panels_side_by_side() {
    let shown = lines(200, 50, &Choices::default());
    shows(&shown, IMPORTANT);
    shows(
        &shown,
        &[
            "bytes/test",
            "last change by lines",
            "2  lines, 4,321 bytes",
            "1  idle",
            "line 1 of the text",
        ],
    );
}

#[test]
fn choices_are_counted_beside_the_bytes_of_the_text() {
    let mut model = model();
    model.choices = Some(1234);
    let worker = model.workers[1].running.as_mut().unwrap();
    // The excerpt does not exist yet.
    worker.bytes = 0;
    let shown = rows(&draw_model(&model, 200, 50, &Choices::default()));
    shows(&shown, &["smaller; 1,234 choices", "2  lines   "]);
}

#[test]
fn a_tall_terminal_shows_the_best_below_the_passes() {
    let shown = lines(80, 60, &Choices::default());
    shows(&shown, IMPORTANT);
    shows(&shown, &["removed", "last change by lines"]);
}

#[test]
fn the_other_panels_are_a_key_away() {
    for (panel, wanted) in [
        (Panel::Best, "last change by lines"),
        (Panel::Workers, "2  lines, 4,321 bytes"),
    ] {
        let choices = Choices {
            panel,
            ..Choices::default()
        };
        shows(&lines(80, 24, &choices), &[wanted]);
    }
}

#[test]
fn keys_change_the_message() {
    let choices = Choices {
        paused: true,
        help: true,
        ..Choices::default()
    };
    shows(
        &lines(80, 24, &choices),
        &["paused  1:23", "p continue", "leave out the selected pass"],
    );
    let choices = Choices {
        ending: true,
        ..Choices::default()
    };
    shows(
        &lines(80, 24, &choices),
        &["ending  1:23", "q again: at once"],
    );
}

#[test]
fn every_size_is_drawn_within_its_width() {
    let all = [Panel::Passes, Panel::Best, Panel::Workers];
    for width in (1..60).chain([79, 80, 100, 119, 120, 121, 200, 400]) {
        for height in (1..30).chain([37, 38, 50, 120]) {
            let choices = Choices {
                panel: all[usize::from(width + height) % 3],
                help: (width + height) % 7 == 0,
                filling: [None, None, None, Some(Filling::Best), Some(Filling::Output)]
                    [usize::from(width + height) % 5],
                above: usize::from(height),
                ..Choices::default()
            };
            for line in lines(width, height, &choices) {
                assert!(line.width() <= width.into(), "{width}x{height}: {line:?}");
            }
        }
    }
}

#[test]
fn a_tiny_terminal_shows_the_figures() {
    shows(
        &lines(40, 10, &Choices::default()),
        &[
            "reducing 1:23",
            " bytes, ",
            "1,000 tests",
            "▶ lines",
            "q end",
        ],
    );
    shows(
        &lines(30, 2, &Choices::default()),
        &["reducing 1:23", " bytes, "],
    );
}

/// Returns the position of a text.
fn find(terminal: &Terminal<TestBackend>, text: &str) -> (u16, u16) {
    let buffer = terminal.backend().buffer();
    let area = buffer.area;
    let row = |y| {
        (0..area.width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..area.height)
        .find_map(|y| {
            let row = row(y);
            let at = row.find(text)?;
            Some((row[..at].chars().count() as u16, y))
        })
        .unwrap_or_else(|| panic!("no {text:?}"))
}

#[test]
fn removed_text_is_struck_and_no_background_is_changed() {
    let terminal = draw(200, 50, &Choices::default());
    let buffer = terminal.backend().buffer();
    // The removed span starts at the end of one line and ends at the start of the next one.
    let struck: String = buffer
        .content()
        .iter()
        .filter(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
        .inspect(|cell| assert_eq!(cell.fg, Color::Red))
        .map(ratatui_core::buffer::Cell::symbol)
        .collect();
    assert_eq!(struck, "of the textl");
    assert!(buffer.content().iter().all(|cell| cell.bg == Color::Reset));
}

#[test]
fn a_selected_pass_is_marked_and_a_disabled_one_is_struck() {
    let choices = Choices {
        selected: Some("chars"),
        disabled: vec!["tokens"],
        ..Choices::default()
    };
    let terminal = draw(80, 24, &choices);
    let style = |text| terminal.backend().buffer()[find(&terminal, text)].modifier;
    assert!(style("chars").contains(Modifier::REVERSED));
    assert!(style("tokens").contains(Modifier::CROSSED_OUT));
    assert!(!style("depth-0").intersects(Modifier::REVERSED | Modifier::CROSSED_OUT));
}

#[test]
fn before_the_first_test_there_is_something_to_see() {
    let (facts, theme, choices) = (facts(), Theme::new(false), Choices::default());
    let model = Model::new(&facts);
    let scene = Scene {
        facts: &facts,
        model: &model,
        choices: &choices,
        excerpt: &Excerpt::default(),
        filled: &Excerpt::default(),
        now: Duration::ZERO,
        theme: &theme,
    };
    for (width, height) in [(80, 24), (200, 50), (20, 4)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| {
                scene.paint(frame.buffer_mut());
            })
            .unwrap();
        let content = terminal.backend().buffer().content();
        let text: String = content
            .iter()
            .map(ratatui_core::buffer::Cell::symbol)
            .collect();
        assert!(text.contains("testing the original"), "{text}");
        // With `NO_COLOR` no cell has a color.
        assert!(content.iter().all(|cell| cell.fg == Color::Reset));
    }
}
