//! Built-in languages.

use crate::exit::Exit;
use crate::flags::ListFlags;
use crate::print::{print, print_text};
use crate::problem::{Problem, say};
use crate::shown::style;
use console::{Alignment, pad_str};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{NodeKind, Tree};
use nubbin_languages::catalogue::{self, Entry};
use nubbin_languages::detect::detect;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Returns the language of a file: the language given on the command line, or the detected
/// language.
pub fn of(path: &Path, asked: Option<&str>, text: &[u8]) -> Result<Arc<dyn Syntax>, Problem> {
    let entry = match asked {
        Some(name) => named(name)?,
        None => {
            let name = path.file_name().map(|name| name.to_string_lossy());
            detect(name.as_deref(), text).ok_or_else(|| {
                let what = format!("cannot detect the language of `{}`", path.display());
                Problem::new(Exit::Usage, what).hint(
                    "name it with --language, or a grammar with --grammar; `nubbin grammar list` \
                     shows the languages",
                )
            })?
        }
    };
    load(entry)
}

/// Returns a language by its name.
pub fn named(name: &str) -> Result<&'static Entry, Problem> {
    catalogue::named(name).ok_or_else(|| {
        let what = match catalogue::nearest(name) {
            _ if cfg!(not(feature = "languages")) => {
                format!("this build has no parser for the language `{name}`")
            }
            Some(like) => format!("unknown language `{name}`, did you mean `{like}`?"),
            None => format!("unknown language `{name}`"),
        };
        let hint = if cfg!(feature = "languages") {
            "list the languages with `nubbin grammar list`"
        } else {
            "build nubbin with the feature `languages`, or name a grammar with `--grammar`"
        };
        Problem::new(Exit::Usage, what).hint(hint)
    })
}

/// Returns the parser of a language.
pub fn load(entry: &Entry) -> Result<Arc<dyn Syntax>, Problem> {
    entry.syntax().map_err(|error| {
        Problem::new(
            Exit::Input,
            format!("cannot use the language `{}`", entry.id),
        )
        .because(&error)
    })
}

/// Parses a text in a language. Places that do not fit are reported, and are marked in the tree.
pub fn tree(path: &Path, language: &dyn Syntax, text: &[u8]) -> Result<Tree, Problem> {
    let tree = language.tree(text).map_err(|error| {
        let what = format!("cannot parse `{}` as {}", path.display(), language.name());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    let errors = tree
        .nodes()
        .filter(|(_, node)| matches!(node.kind, NodeKind::Error | NodeKind::Missing));
    match errors.count() {
        0 => {}
        1 => say(&format!(
            "`{}` does not fit {} at one position",
            path.display(),
            language.name()
        )),
        n => say(&format!(
            "`{}` does not fit {} at {n} positions",
            path.display(),
            language.name()
        )),
    }
    Ok(tree)
}

#[derive(Serialize)]
struct Listed {
    language: &'static str,
    aliases: &'static [&'static str],
    files: &'static [&'static str],
    programs: &'static [&'static str],
    parser: &'static str,
}

pub(super) fn list(options: &ListFlags) -> Result<Exit, Problem> {
    let mut entries: Vec<Listed> = catalogue::all()
        .map(|entry| Listed {
            language: entry.id,
            aliases: entry.aliases,
            files: entry.files,
            programs: entry.programs,
            parser: entry.origin,
        })
        .collect();
    entries.sort_by_key(|entry| entry.language);
    if options.json {
        let json = serde_json::to_string_pretty(&entries)
            .map_err(|error| Problem::new(Exit::Output, error.to_string()))?;
        return print(&(json + "\n"));
    }
    let width = |text: fn(&Listed) -> &str| {
        let lengths = entries.iter().map(|entry| text(entry).len());
        lengths.max().unwrap_or_default()
    };
    let (names, parsers) = (width(|entry| entry.language), width(|entry| entry.parser));
    let mut text = String::new();
    for entry in &entries {
        let name = pad_str(entry.language, names, Alignment::Left, None).into_owned();
        let parser = pad_str(entry.parser, parsers, Alignment::Left, None).into_owned();
        let files = entry.files.join(" ");
        let _ = writeln!(
            text,
            "{}  {}  {files}",
            style(name).bold(),
            style(parser).dim()
        );
        if !entry.aliases.is_empty() {
            let _ = writeln!(text, "{:names$}  also: {}", "", entry.aliases.join(", "));
        }
    }
    print_text(&text)
}
