//! Grammars from files.

use super::given::Given;
use super::notations::notations;
use super::{python, wrong, wrong_grammar};
use crate::exit::Exit;
use crate::flags::{GrammarFlags, NotationFlags, PredicateValue};
use crate::problem::Problem;
use nubbin_grammar::grammar::{Grammar, Unfinished};
use nubbin_grammar::read::antlr::{self, Note};
use nubbin_grammar::read::{self, Format, ReadError};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn grammar(args: &GrammarFlags) -> Result<Grammar, Problem> {
    complete(&args.grammar, &args.options)
}

/// Reads a grammar that defines every symbol it mentions.
pub fn complete(paths: &[PathBuf], options: &NotationFlags) -> Result<Grammar, Problem> {
    let read = grammar_leniently(paths, options)?;
    match read.undefined {
        None => {
            let conventions = &nubbin_languages::hints::CONVENTIONS;
            Ok(read.grammar.with_conventions(conventions))
        }
        Some(undefined) => Err(wrong_grammar(paths, &undefined)),
    }
}

/// A grammar that may mention undefined symbols.
pub(super) struct Lenient {
    pub grammar: Grammar,
    pub undefined: Option<Unfinished>,
    /// The parts of the grammar that nubbin does not use.
    pub notes: Vec<Note>,
}

/// Reads a grammar that may mention undefined symbols.
pub(super) fn grammar_leniently(
    paths: &[PathBuf],
    options: &NotationFlags,
) -> Result<Lenient, Problem> {
    read(paths, options).map(|(read, _)| read)
}

/// Returns all files of a grammar: the given files, and the files that they import.
///
/// If the grammar cannot be read, only the given files are returned.
pub fn all_files(paths: &[PathBuf], options: &NotationFlags) -> Vec<PathBuf> {
    // Standard input can only be read once.
    let is_file = !paths.iter().any(|path| path.as_os_str() == "-");
    let read = is_file.then(|| read(paths, options).ok()).flatten();
    let mut files = read.map_or_else(|| paths.to_vec(), |(_, files)| files);
    files.sort();
    files
}

/// Reads a grammar. Returns its files too.
fn read(paths: &[PathBuf], options: &NotationFlags) -> Result<(Lenient, Vec<PathBuf>), Problem> {
    let mut given = Given::open(paths, options)?;
    let path = given.path().to_path_buf();
    let (text, name) = given.main();
    let format = given.format;
    let predicates = predicates(options)?;
    if format != Format::Antlr && !predicates.is_empty() {
        let what = format!(
            "`--predicate` is for ANTLR grammars, and `{}` was read as {format}",
            path.display()
        );
        return Err(Problem::new(Exit::Usage, what));
    }
    let read = match format {
        Format::Antlr => {
            let options = antlr::Options { predicates };
            let mut load = |name: &str| given.load(name);
            let read = antlr::read_with(&text, &name, &options, &mut load);
            read.map(|read| Lenient {
                grammar: read.grammar,
                undefined: read.undefined,
                notes: read.notes,
            })
        }
        _ => read::read_leniently(&text, Some(format), &name).map(|(grammar, undefined)| Lenient {
            grammar,
            undefined,
            notes: vec![],
        }),
    };
    let read = read.map_err(|error| {
        let problem = wrong(&path, &error);
        match (&error, innermost(&error), options.grammar_format) {
            (_, ReadError::Missing { name }, _) => problem.hint(format!(
                "put `{name}.g4` next to `{}`, or give its path too",
                path.display()
            )),
            (ReadError::Syntax { .. } | ReadError::Json { .. }, _, None) => {
                match python::advice(&path, &text) {
                    Some(advice) => problem.hint(advice),
                    None => problem.hint(format!(
                        "the file was read as {format}; choose another of {} with `--grammar-format`",
                        notations()
                    )),
                }
            }
            _ => problem,
        }
    })?;
    given.all_used()?;
    let files = given.into_paths();
    let Some(name) = &options.start else {
        return Ok((read, files));
    };
    let start = read::start_symbol(&read.grammar, name).map_err(|error| wrong(&path, &error))?;
    let grammar = read.grammar.with_start(start);
    Ok((Lenient { grammar, ..read }, files))
}

/// Returns the values of the predicates by their names.
fn predicates(options: &NotationFlags) -> Result<BTreeMap<String, bool>, Problem> {
    let mut predicates = BTreeMap::new();
    for PredicateValue { name, value } in &options.predicate {
        let earlier = predicates.insert(name.clone(), *value);
        if earlier.is_some_and(|earlier| earlier != *value) {
            let what = format!("the predicate `{name}` cannot be both true and false");
            return Err(Problem::new(Exit::Usage, what).hint(format!(
                "give `--predicate {name}=true` or `--predicate {name}=false`"
            )));
        }
    }
    Ok(predicates)
}

/// Returns the error in the file that it is about.
fn innermost(error: &ReadError) -> &ReadError {
    let mut error = error;
    while let ReadError::Inside { error: inner, .. } = error {
        error = inner;
    }
    error
}
