use super::for_stderr;
use console::Term;
use indicatif::{ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// One line that is redrawn on a terminal.
pub struct ProgressLine {
    #[expect(clippy::disallowed_types, reason = "this is the boundary")]
    bar: indicatif::ProgressBar,
}

impl ProgressLine {
    /// Starts a progress line with its first text. Returns `None` without a terminal that can move
    /// its cursor.
    pub fn start(first: &str) -> Option<Self> {
        if !Term::stderr().is_term() {
            return None;
        }
        let bar = Self::of(None, "{spinner} {wide_msg} {elapsed}");
        bar.set(first);
        bar.bar.enable_steady_tick(Duration::from_millis(200));
        (!bar.bar.is_hidden()).then_some(bar)
    }

    /// Starts a progress line that counts up to `all` items.
    pub fn counting(all: u64, things: &str) -> Option<Self> {
        let template = format!("{{pos}} of {{len}} {things}, {{eta}} left {{wide_bar}}");
        Term::stderr()
            .is_term()
            .then(|| Self::of(Some(all), &template))
    }

    #[expect(clippy::disallowed_types, reason = "this is the boundary")]
    fn of(all: Option<u64>, template: &str) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let bar = indicatif::ProgressBar::with_draw_target(all, target);
        // A broken template would be a bug; the default style still shows the text.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        ProgressLine { bar }
    }

    /// Replaces the text of the progress line.
    pub fn set(&self, text: &str) {
        self.bar.set_message(for_stderr(text));
    }

    /// Counts one more item.
    pub fn count(&self) {
        self.bar.inc(1);
    }

    /// Prints a permanent line above the progress line.
    pub fn say(&self, line: &str) {
        self.bar.println(for_stderr(line));
    }

    /// Removes the progress line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
