use crate::command::TestCommand;
use regex::bytes::{Regex, RegexBuilder};
use std::path::Path;

/// The minimum length in bytes of a quoted text that distinguishes messages.
const SHORTEST: usize = 5;

/// Returns the texts in quotes that a test has, as expressions: a script often searches with `grep`
/// for a part of the required message.
///
/// Texts that are no messages match none, or all. In both cases they change nothing.
pub(super) fn quoted(command: &TestCommand) -> Vec<Regex> {
    let script = command.script(Path::new("")).unwrap_or_default();
    between_quotes(&script).filter_map(expression).collect()
}

/// Returns the parts of a script between two quotes of a kind in one line.
fn between_quotes(script: &str) -> impl Iterator<Item = &str> {
    let lines = script
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| {
        let parts = ['\'', '"'].map(|quote| line.split(quote).skip(1).step_by(2));
        parts.into_iter().flatten()
    })
}

fn expression(text: &str) -> Option<Regex> {
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    if letters < SHORTEST || text.contains(['$', '{']) {
        return None;
    }
    let build = |pattern: &str| RegexBuilder::new(pattern).multi_line(true).build().ok();
    build(text).or_else(|| build(&regex::escape(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_that_a_script_asks_for_are_found() {
        let script = "# it's a comment\ngcc -c \"$1\" 2>&1 | grep -q 'wrong type in f(' && \
                      grep -qF -- \"-Wnarrow\" log; [ $x = 'a' ]\n";
        let parts: Vec<_> = between_quotes(script).filter_map(expression).collect();
        let shown: Vec<_> = parts.iter().map(Regex::as_str).collect();
        assert_eq!(shown, [r"wrong type in f\(", "-Wnarrow"]);
    }
}
