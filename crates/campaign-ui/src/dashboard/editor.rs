//! Editing of a text in the editor of the user.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

#[cfg(windows)]
const FALLBACK: &str = "notepad";
#[cfg(not(windows))]
const FALLBACK: &str = "vi";

/// Lets the user edit a text. The terminal must be given back. The file is only for this user, and
/// is removed.
///
/// # Errors
/// Returns the reason if the text was not edited.
pub(super) fn edit(text: &str) -> Result<String, String> {
    let names = ["VISUAL", "EDITOR"];
    let set = names.iter().filter_map(std::env::var_os);
    let editor = set.into_iter().find(|editor| !editor.is_empty());
    edit_in(&editor.unwrap_or_else(|| FALLBACK.into()), text)
}

fn edit_in(editor: &OsString, text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot edit the note: {error}");
    let mut file = tempfile::Builder::new()
        .prefix("nubbin-note-")
        .suffix(".txt")
        .tempfile()
        .map_err(failed)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(failed)?;
    let shown = editor.to_string_lossy();
    let words = editor.to_str().and_then(shlex::split).unwrap_or_default();
    let Some((program, arguments)) = words.split_first() else {
        return Err(format!(
            "`{shown}` is not a command: set $VISUAL or $EDITOR"
        ));
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(file.path());
    // Standard output may be a file or a pipe.
    if cfg!(unix)
        && let Ok(terminal) = open_terminal()
    {
        command.stdout(Stdio::from(terminal));
    }
    let ended = command.status();
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("the note is unchanged: `{shown}`: {status}")),
        Err(error) => return Err(format!("cannot run `{shown}`: {error}")),
    }
    // Editors may replace the file, so it is opened again.
    let edited = std::fs::read(file.path()).map_err(failed)?;
    let edited = String::from_utf8(edited);
    let edited = edited.map_err(|_| "the note is unchanged: it is not UTF-8".to_owned())?;
    Ok(edited.trim_end().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "no file is made")]
fn open_terminal() -> std::io::Result<File> {
    File::options().write(true).open("/dev/tty")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_the_editor_comes_back() {
        let editor = "sh -c 'printf \" more\\n\" >> \"$0\"'";
        assert_eq!(edit_in(&editor.into(), "note").unwrap(), "note more");
    }

    #[test]
    fn an_editor_that_fails_changes_nothing() {
        let error = edit_in(&"false".into(), "note").unwrap_err();
        assert!(error.contains("is unchanged"), "{error}");
        assert!(edit_in(&"/nowhere/editor".into(), "note").is_err());
        assert!(edit_in(&"'".into(), "note").is_err());
    }
}
