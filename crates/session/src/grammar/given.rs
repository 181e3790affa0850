//! The files of one grammar: the files that the user gives, and the files next to the main file.

use super::{bytes, wrong};
use crate::exit::Exit;
use crate::flags::NotationFlags;
use crate::problem::Problem;
use nubbin_grammar::read::Format;
use nubbin_grammar::read::antlr::{self, Head};
use std::path::{Path, PathBuf};

/// A file of a grammar.
struct File {
    path: PathBuf,
    text: String,
}

/// A file of an ANTLR grammar, with its declared kind and names.
struct Part {
    file: File,
    head: Head,
    is_used: bool,
}

impl Part {
    fn stem(&self) -> String {
        stem(&self.file.path)
    }

    /// Returns whether other grammars may refer to this grammar by a name.
    fn has_name(&self, name: &str) -> bool {
        self.head.name == name || self.stem() == name
    }

    fn needs(&self, other: &Part) -> bool {
        let mut needs = self.head.needs.iter();
        needs.any(|name| other.has_name(name) && !self.has_name(name))
    }
}

/// The main file of a grammar, and the sources of its other files.
pub(super) struct Given {
    main: File,
    pub(super) format: Format,
    /// The other files that were given, in the order of their paths.
    others: Vec<Part>,
    /// The names that were asked for.
    asked: Vec<String>,
    /// The files next to the main one that were read.
    beside: Vec<PathBuf>,
}

impl Given {
    /// Reads the files that the user gives, and finds the main one. Their order has no effect.
    pub(super) fn open(paths: &[PathBuf], options: &NotationFlags) -> Result<Self, Problem> {
        let format = |file: &File| {
            let format = options.grammar_format;
            format.unwrap_or_else(|| Format::detect(&file.text))
        };
        let mut paths = paths.to_vec();
        paths.sort();
        let mut files = paths.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let only = match files.len() {
            0 | 1 => files.pop(),
            _ => None,
        };
        if let Some(main) = only {
            return Ok(Given {
                format: format(&main),
                main,
                others: vec![],
                asked: vec![],
                beside: vec![],
            });
        }
        if let Some(other) = files.iter().find(|file| format(file) != Format::Antlr) {
            let path = other.path.display();
            let what = format!(
                "`{path}` is one of several files of a grammar, but was read as {}",
                format(other)
            );
            return Err(Problem::new(Exit::Usage, what).hint(
                "only an ANTLR grammar has several files; give `--grammar` once for any other",
            ));
        }
        let parts = files.into_iter().map(|file| {
            let head = antlr::head(&file.text).map_err(|error| wrong(&file.path, &error))?;
            let is_used = false;
            Ok(Part {
                file,
                head,
                is_used,
            })
        });
        let mut others = parts.collect::<Result<Vec<_>, Problem>>()?;
        differ(&others)?;
        let main = others.remove(main(&others)?).file;
        Ok(Given {
            main,
            format: Format::Antlr,
            others,
            asked: vec![],
            beside: vec![],
        })
    }

    /// Returns the path of the main file.
    pub(super) fn path(&self) -> &Path {
        &self.main.path
    }

    /// Returns the text of the main file, and the name that the file gives it.
    pub(super) fn main(&self) -> (String, String) {
        (self.main.text.clone(), stem(&self.main.path))
    }

    /// Returns the text of another grammar by its name, which is a declared name or the name of a
    /// file. The names are identifiers of a grammar's text, so no file of another folder is read
    /// but those that were given.
    pub(super) fn load(&mut self, name: &str) -> Option<String> {
        self.asked.push(name.to_owned());
        let mut parts = self.others.iter();
        let declared = parts.position(|part| part.head.name == name);
        let found = declared.or_else(|| self.others.iter().position(|part| part.stem() == name));
        if let Some(part) = found.and_then(|at| self.others.get_mut(at)) {
            part.is_used = true;
            return Some(part.file.text.clone());
        }
        let beside = self.main.path.with_file_name(format!("{name}.g4"));
        let text = String::from_utf8(std::fs::read(&beside).ok()?).ok()?;
        self.beside.push(beside);
        Some(text)
    }

    /// Returns an error if there is a file that no grammar needs.
    pub(super) fn all_used(&self) -> Result<(), Problem> {
        let Some(unused) = self.others.iter().find(|part| !part.is_used) else {
            return Ok(());
        };
        let what = format!(
            "no grammar uses `{}`, which declares `{}`",
            unused.file.path.display(),
            unused.head.name
        );
        let main = self.main.path.display();
        let asked: Vec<String> = self.asked.iter().map(|name| format!("`{name}`")).collect();
        let hint = match asked.is_empty() {
            true => format!("`{main}` asks for no other grammar"),
            false => format!("`{main}` and its imports ask for {}", asked.join(", ")),
        };
        Err(Problem::new(Exit::Usage, what)
            .hint(hint)
            .hint("leave it out, or ask for it with `import` or `options { tokenVocab = NAME; }`"))
    }

    /// Returns all files that were read, in no particular order.
    pub(super) fn into_paths(self) -> Vec<PathBuf> {
        let given = self.others.into_iter().map(|part| part.file.path);
        let mut paths: Vec<PathBuf> = given.chain(self.beside).collect();
        paths.push(self.main.path);
        paths
    }
}

fn read(path: PathBuf) -> Result<File, Problem> {
    let text = String::from_utf8(bytes(&path)?).map_err(|error| {
        wrong(&path, &error.utf8_error())
            .hint("a grammar is text in UTF-8; the texts that it describes may contain any bytes")
    })?;
    Ok(File { path, text })
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into()
}

/// Returns an error if two files declare the same name.
fn differ(parts: &[Part]) -> Result<(), Problem> {
    for (at, part) in parts.iter().enumerate() {
        let same = |other: &&Part| other.head.name == part.head.name;
        if let Some(other) = parts[..at].iter().find(same) {
            let what = format!(
                "`{}` and `{}` both declare the grammar `{}`",
                other.file.path.display(),
                part.file.path.display(),
                part.head.name
            );
            return Err(Problem::new(Exit::Usage, what).hint("leave one of them out"));
        }
    }
    Ok(())
}

/// Returns the index of the main file: the only parser or combined grammar that no other file
/// needs, or the only such lexer if there is no parser.
fn main(parts: &[Part]) -> Result<usize, Problem> {
    let has_parser = parts.iter().any(|part| part.head.has_parser());
    let of_kind = |at: &usize| parts[*at].head.has_parser() == has_parser;
    let of_kind: Vec<usize> = (0..parts.len()).filter(of_kind).collect();
    let is_asked_for = |at: usize| parts.iter().any(|other| other.needs(&parts[at]));
    let outer: Vec<usize> = of_kind
        .iter()
        .copied()
        .filter(|&at| !is_asked_for(at))
        .collect();
    // If grammars import each other, each of them is imported.
    let left = match outer.is_empty() {
        true => &of_kind,
        false => &outer,
    };
    if let [main] = left[..] {
        return Ok(main);
    }
    let path = |&at: &usize| format!("`{}`", parts[at].file.path.display());
    let all: Vec<String> = left.iter().map(path).collect();
    let kind = if has_parser { "parser" } else { "lexer" };
    let what = format!(
        "{} are {kind} grammars, and only one of them can be the main one",
        all.join(", ")
    );
    // A grammar that uses another given file is more likely the main one.
    let uses = |at: usize| parts.iter().any(|other| parts[at].needs(other));
    let (used, alone): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&at| uses(at));
    let hint = match (&used[..], &alone[..]) {
        ([main], [_, ..]) => format!(
            "leave out {}: {} asks for another file that was given",
            alone.iter().map(path).collect::<Vec<_>>().join(", "),
            path(main)
        ),
        _ => format!("leave out all but one of {}", all.join(", ")),
    };
    Err(Problem::new(Exit::Usage, what).hint(hint))
}
