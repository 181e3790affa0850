//! The output of the last test as a text that fills the screen.

use super::excerpt::{Excerpt, Mark};
use crate::shown;
use nubbin_oracle::TestOutput;

/// Returns an excerpt of the output of a test, or a note that no test has run yet.
pub(super) fn excerpt(output: Option<&TestOutput>) -> Excerpt {
    let mut pieces = vec![];
    let mut name = |text: String| pieces.push((Mark::Name, text.into_bytes()));
    match output {
        None => name("the output of the next test that ends is shown here\n".into()),
        Some(output) => {
            let size = shown::count(output.bytes as u64, "byte");
            let verdict = output.verdict.word();
            name(format!(
                "{verdict}: {}, a candidate of {size}\n",
                output.exit
            ));
            for (title, text) in [
                ("standard error", &output.stderr),
                ("standard output", &output.stdout),
            ] {
                match text.is_empty() {
                    true => pieces.push((Mark::Name, format!("{title}: empty\n").into_bytes())),
                    false => {
                        pieces.push((Mark::Name, format!("{title}:\n").into_bytes()));
                        // Compilers print colors if they take the output for a terminal.
                        let text = String::from_utf8_lossy(text);
                        let mut text = console::strip_ansi_codes(&text).into_owned().into_bytes();
                        if !text.ends_with(b"\n") {
                            text.push(b'\n');
                        }
                        pieces.push((Mark::Same, text));
                    }
                }
            }
        }
    }
    Excerpt {
        pieces,
        is_text: true,
        ..Excerpt::default()
    }
}
