//! Mistakes in a command line such as `sh -c 'program {}'`.

use super::Finding;
use crate::command::TestCommand;
use std::path::Path;

/// Returns the mistake in the quotes of a script that the command passes to a shell, for a
/// candidate with the given path.
pub(super) fn wrong_quotes(command: &TestCommand, candidate: &Path) -> Option<Finding> {
    let shell = command.program().file_name()?.to_str()?;
    if !command.is_shell() {
        return None;
    }
    let args: Vec<&str> = command
        .args()
        .iter()
        .map(|arg| arg.to_str())
        .collect::<Option<_>>()?;
    let is_script_next =
        |arg: &&str| arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('c');
    let at = args.iter().position(is_script_next)?;
    let (script, rest) = args.get(at + 1..)?.split_first()?;
    let takes_arguments = script.contains('$');
    if !rest.is_empty() && !takes_arguments && rest.iter().any(|arg| arg.contains("{}")) {
        return Some(Finding::SplitScript {
            shell: shell.to_owned(),
            script: std::iter::once(script)
                .chain(rest)
                .copied()
                .collect::<Vec<_>>()
                .join(" "),
        });
    }
    let path = candidate.to_str()?;
    let needs_quotes =
        path.contains(|char: char| !(char.is_alphanumeric() || "/._-+=:,@%".contains(char)));
    (needs_quotes && has_bare_place(script)).then(|| Finding::BarePlace {
        path: candidate.to_path_buf(),
    })
}

/// Returns whether a `{}` of the script is outside of quotes.
fn has_bare_place(script: &str) -> bool {
    let mut quote = None;
    let mut chars = script.char_indices();
    while let Some((at, char)) = chars.next() {
        let rest = &script[at..];
        match (char, quote) {
            ('\\', None | Some('"')) => {
                chars.next();
            }
            ('\'' | '"', None) => quote = Some(char),
            (_, Some(open)) if open == char => quote = None,
            // `{{}}` stands for the two characters `{}`.
            ('{', None) if rest.starts_with("{{}}") => {
                chars.nth(2);
            }
            ('{', None) if rest.starts_with("{}") => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str], candidate: &str) -> Option<String> {
        let words = words.iter().map(|&word| word.into()).collect();
        let command = TestCommand::new(words, Path::new("/")).unwrap();
        wrong_quotes(&command, Path::new(candidate)).map(|finding| finding.to_string())
    }

    #[test]
    fn a_place_outside_of_quotes_is_wrong_if_the_path_has_a_blank() {
        let wrong = found(&["sh", "-c", "cat {} | grep x"], "/t/a b.c").unwrap();
        assert!(wrong.contains("\"{}\""), "{wrong}");
        assert_eq!(found(&["sh", "-c", "cat {} | grep x"], "/t/ab.c"), None);
        for right in ["cat \"{}\"", "cat '{}'", "echo {{}}", "echo \\{}"] {
            assert_eq!(found(&["sh", "-ec", right], "/t/a b.c"), None, "{right}");
        }
        assert_eq!(found(&["cat", "-c", "{}"], "/t/a b.c"), None);
    }

    #[test]
    fn a_script_of_several_words_is_named() {
        let wrong = found(&["sh", "-c", "grep", "-q", "x", "{}"], "/t/a").unwrap();
        assert!(wrong.contains("`grep -q x {}`"), "{wrong}");
        assert_eq!(
            found(&["sh", "-c", "grep x \"$1\"", "sh", "{}"], "/t/a"),
            None
        );
    }
}
