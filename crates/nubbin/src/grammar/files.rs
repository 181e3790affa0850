//! Grammars and texts from files.

use crate::endless;
use crate::exit::Exit;
use crate::flags::{GrammarFlags, NotationFlags};
use crate::problem::Problem;
use nubbin_grammar::grammar::{Grammar, Unfinished};
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
    match grammar_leniently(path, options)? {
        (grammar, None) => Ok(grammar.with_conventions(&nubbin_languages::hints::CONVENTIONS)),
        (_, Some(undefined)) => Err(wrong(path, &undefined)),
    }
}

/// Reads a grammar that may mention undefined symbols.
pub(crate) fn grammar_leniently(
    path: &Path,
    options: &NotationFlags,
) -> Result<(Grammar, Option<Unfinished>), Problem> {
    let text = String::from_utf8(bytes(path)?).map_err(|error| {
        wrong(path, &error.utf8_error())
            .hint("grammars are text in UTF-8; the texts they describe may be of any bytes")
    })?;
    let format = options
        .grammar_format
        .unwrap_or_else(|| Format::detect(&text));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let read = read::read_leniently(&text, Some(format), &name);
    let (grammar, undefined) = read.map_err(|error| {
        let problem = wrong(path, &error);
        match (&error, options.grammar_format) {
            (ReadError::Syntax { .. }, None) => problem.hint(format!(
                "it was read as {format}; choose another format with `--grammar-format`"
            )),
            _ => problem,
        }
    })?;
    let grammar = match &options.start {
        None => grammar,
        Some(name) => {
            let start = read::start_symbol(&grammar, name).map_err(|error| wrong(path, &error))?;
            grammar.with_start(start)
        }
    };
    Ok((grammar, undefined))
}

pub(crate) fn wrong(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot use the grammar `{}`", path.display());
    Problem::new(Exit::Input, what).because(error)
}
