//! `--learn`: files from which `gtr-learned` learns the shapes of trees.

use super::trees::Trees;
use crate::endless;
use crate::exit::Exit;
use crate::problem::{Problem, say, warn};
use nubbin_grammar::syntax::Syntax;
use nubbin_published::tree::{Examples, Gtr};
use nubbin_reduce::tree::Outline;
use nubbin_reduce::tree_reducer::TreeReducer as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file to learn from.
struct Example {
    path: PathBuf,
    /// Whether the command line names the file itself, not its folder.
    named: bool,
}

/// Learns from the examples of the command line. Ignores files of a folder that are in another
/// language.
pub(super) fn learn(paths: &[PathBuf], trees: &Trees, quiet: bool) -> Result<Examples, Problem> {
    let mut lore = Examples::default();
    let learner = Gtr::learned(Examples::default());
    let preparation = trees.preparation.unwrap_or(learner.preparation());
    let mut learned = 0;
    for example in files(paths)? {
        endless::refuse(&example.path)?;
        let text =
            std::fs::read(&example.path).map_err(|error| cannot_read(&example.path, &error))?;
        let outline = match syntax(&example.path, &text, trees) {
            Some(syntax) => Outline::parse(&*syntax, &text, 0)
                .map_err(|error| Problem::new(Exit::Input, unfit(&example.path)).because(&error)),
            None => Err(Problem::new(
                Exit::Input,
                format!(
                    "`{}` is in another language than the input",
                    example.path.display()
                ),
            )
            .hint("`--language LANGUAGE` sets the language of input and examples")),
        };
        match outline {
            Ok(outline) => {
                lore.learn(&preparation.apply(outline));
                learned += 1;
            }
            Err(problem) if example.named => return Err(problem),
            Err(_) => {}
        }
    }
    if learned == 0 && !quiet {
        warn(
            "there is nothing to learn from: no file given by `--learn` is in the input's \
             language",
        );
    } else if !quiet {
        let examples = if learned == 1 { "example" } else { "examples" };
        say(&format!("learned from {learned} {examples}"));
    }
    Ok(lore)
}

fn unfit(path: &Path) -> String {
    format!(
        "nothing can be learned from `{}`, which does not fit the grammar",
        path.display()
    )
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(error)
}

/// Returns the named files and the files of named folders, in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<Example>, Problem> {
    let mut found = vec![];
    for path in paths {
        if !path.is_dir() {
            found.push(Example {
                path: path.clone(),
                named: true,
            });
            continue;
        }
        let mut within = vec![];
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let entries =
                std::fs::read_dir(&folder).map_err(|error| cannot_read(&folder, &error))?;
            for entry in entries {
                let entry = entry.map_err(|error| cannot_read(&folder, &error))?;
                // A link may lead to the folder that contains it.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(kind) if kind.is_file() => within.push(entry.path()),
                    _ => {}
                }
            }
        }
        within.sort();
        found.extend(
            within
                .into_iter()
                .map(|path| Example { path, named: false }),
        );
    }
    Ok(found)
}

/// Returns the syntax of an example: the syntax that the user named for the inputs, or the
/// example's own language if an input has the same language.
fn syntax(path: &Path, text: &[u8], trees: &Trees) -> Option<Arc<dyn Syntax>> {
    if let Some(all) = &trees.of_all {
        return Some(Arc::clone(all));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let entry = nubbin_languages::detect::detect(name, text)?;
    let syntax = crate::grammar::languages::load(entry).ok()?;
    let mut inputs = trees.syntaxes.iter().flatten();
    inputs
        .any(|input| Arc::ptr_eq(input.grammar(), syntax.grammar()))
        .then_some(syntax)
}
