//! Grammars and texts from files.

use crate::endless;
use crate::exit::Exit;
use crate::flags::{GrammarFlags, NotationFlags};
use crate::problem::Problem;
use nubbin_grammar::grammar::{Grammar, Unfinished};
use nubbin_grammar::read::antlr::Note;
use nubbin_grammar::read::{self, Format, ReadError};
use std::io::Read;
use std::path::Path;

/// Reads a file; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    let read = if path.as_os_str() == "-" {
        let mut text = vec![];
        std::io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        endless::refuse(path)?;
        std::fs::read(path)
    };
    read.map_err(|error| {
        Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(&error)
    })
}

pub(crate) fn grammar(args: &GrammarFlags) -> Result<Grammar, Problem> {
    complete(&args.grammar, &args.options)
}

/// Reads a grammar that defines every symbol it mentions.
pub(crate) fn complete(path: &Path, options: &NotationFlags) -> Result<Grammar, Problem> {
    let read = grammar_leniently(path, options)?;
    match read.undefined {
        None => {
            let conventions = &nubbin_languages::hints::CONVENTIONS;
            Ok(read.grammar.with_conventions(conventions))
        }
        Some(undefined) => Err(wrong(path, &undefined)),
    }
}

/// A grammar that may mention undefined symbols.
pub(crate) struct Lenient {
    pub(crate) grammar: Grammar,
    pub(crate) undefined: Option<Unfinished>,
    /// What the grammar has that nubbin does not use.
    pub(crate) notes: Vec<Note>,
}

/// Reads a grammar that may mention undefined symbols.
pub(crate) fn grammar_leniently(path: &Path, options: &NotationFlags) -> Result<Lenient, Problem> {
    let text = String::from_utf8(bytes(path)?).map_err(|error| {
        wrong(path, &error.utf8_error())
            .hint("grammars are text in UTF-8; the texts they describe may be of any bytes")
    })?;
    let format = options
        .grammar_format
        .unwrap_or_else(|| Format::detect(&text));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let read = match format {
        Format::Antlr => antlr(path, &text, &name),
        _ => read::read_leniently(&text, Some(format), &name).map(|(grammar, undefined)| Lenient {
            grammar,
            undefined,
            notes: vec![],
        }),
    };
    let read = read.map_err(|error| {
        let problem = wrong(path, &error);
        match (&error, options.grammar_format) {
            (ReadError::Syntax { .. }, None) => problem.hint(format!(
                "it was read as {format}; choose another format with `--grammar-format`"
            )),
            _ => problem,
        }
    })?;
    let Some(name) = &options.start else {
        return Ok(read);
    };
    let start = read::start_symbol(&read.grammar, name).map_err(|error| wrong(path, &error))?;
    let grammar = read.grammar.with_start(start);
    Ok(Lenient { grammar, ..read })
}

/// Reads a grammar of ANTLR with the grammars beside it that it needs. Their names are identifiers
/// of the text, so no file of another folder is read.
fn antlr(path: &Path, text: &str, name: &str) -> Result<Lenient, ReadError> {
    let mut load = |name: &str| {
        let beside = path.with_file_name(format!("{name}.g4"));
        let bytes = std::fs::read(beside).ok()?;
        String::from_utf8(bytes).ok()
    };
    let read = read::antlr::read(text, name, &mut load)?;
    Ok(Lenient {
        grammar: read.grammar,
        undefined: read.undefined,
        notes: read.notes,
    })
}

pub(crate) fn wrong(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot use the grammar `{}`", path.display());
    Problem::new(Exit::Input, what).because(error)
}
