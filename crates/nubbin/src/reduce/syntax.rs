//! Makes the syntax trees of an input from `--grammar`, `--language`, and related flags.

use super::examples;
use super::plan::Named;
use super::trees::{LEARNS, Trees};
use crate::awaited::Awaited;
use crate::exit::Exit;
use crate::flags::{ReduceFlags, TreeFlags};
use crate::grammar::{complete, languages, loaded, wrong_grammar};
use crate::problem::{Problem, warn};
use crate::signals;
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::NodeKind;
use nubbin_reduce::input::Input;
use nubbin_reduce::tree::Outline;
use nubbin_reduce::tree_reducer::Syntaxes;
use std::sync::Arc;

/// Returns the trees that the flags ask for. `None` if no file has one and the default plan needs
/// none.
pub(super) fn trees(
    args: &ReduceFlags,
    named: &Named,
    input: &Input,
) -> Result<Option<Trees>, Problem> {
    let needed = named.needs_trees(&args.search);
    if !args.trees.learn.is_empty() && !named.asks_for(LEARNS, &args.search) {
        let what = format!("only `{LEARNS}` learns from examples, and it was not asked for");
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--algorithm {LEARNS}`, or {LEARNS} among the `--passes`"
        )));
    }
    if let Named::List(choice) = named
        && (!args.trees.grammar.is_empty() || args.trees.loaded.parser.is_some())
        && !needed
    {
        let id = choice.algorithm().id;
        let what = format!("`{id}` works on a list, and does not use a grammar");
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--algorithm hdd --list-algorithm {id}` works through lists of nodes of a tree"
        )));
    }
    let algorithm = args.trees.list_algorithm.as_deref().map(|id| {
        super::plan::list_algorithm(id).map_err(|problem| {
            problem.hint("`--list-algorithm` is for the lists of a tree reducer")
        })
    });
    // A list of lines is the same in every language.
    if !needed && !args.trees.must_parse && !matches!(named, Named::Auto) {
        return no_grammar(&args.trees);
    }
    let of_all = of_all(&args.trees)?;
    let syntaxes = syntaxes(&args.trees, of_all.as_ref(), input)?;
    if syntaxes.iter().all(Option::is_none) {
        return no_grammar(&args.trees);
    }
    let mut trees = Trees {
        syntaxes,
        of_all,
        lore: None,
        preparation: args.trees.prepare,
        algorithm: algorithm.transpose()?,
    };
    let has_trees = look(args, needed, input, &trees.syntaxes)?;
    if !args.trees.learn.is_empty() {
        let quiet = args.output_flags.quiet;
        trees.lore = Some(examples::learn(&args.trees.learn, &trees, quiet)?);
    }
    Ok(has_trees.then_some(trees))
}

/// Returns the syntax of all files, if the user names one.
fn of_all(args: &TreeFlags) -> Result<Option<Arc<dyn Syntax>>, Problem> {
    if !args.grammar.is_empty() {
        let grammar = Arc::new(complete(&args.grammar, &args.options)?);
        let parser = Parser::new(grammar).map_err(|error| wrong_grammar(&args.grammar, &error))?;
        return Ok(Some(Arc::new(parser.ended_by(signals::halt()))));
    }
    if let Some(language) = loaded::of(&args.loaded)? {
        return Ok(Some(language));
    }
    match args.language.as_deref() {
        None | Some("none") => Ok(None),
        Some(name) => languages::load(languages::named(name)?).map(Some),
    }
}

/// Returns the syntax of each file.
fn syntaxes(
    args: &TreeFlags,
    of_all: Option<&Arc<dyn Syntax>>,
    input: &Input,
) -> Result<Syntaxes, Problem> {
    let files = 0..input.file_count();
    if of_all.is_some() || args.language.is_some() {
        return Ok(files.map(|_| of_all.cloned()).collect());
    }
    files
        .map(|number| {
            let file = input.file(number);
            let entry = file
                .and_then(|file| nubbin_languages::detect::detect(file.name.to_str(), file.text));
            entry.map(languages::load).transpose()
        })
        .collect()
}

fn no_grammar(args: &TreeFlags) -> Result<Option<Trees>, Problem> {
    let given = [
        (args.options.start.is_some(), "--start"),
        (args.options.grammar_format.is_some(), "--grammar-format"),
        (!args.options.predicate.is_empty(), "--predicate"),
        (args.list_algorithm.is_some(), "--list-algorithm"),
        (args.prepare.is_some(), "--prepare"),
        (args.must_parse, "--must-parse"),
    ];
    match given.iter().find(|(given, _)| *given) {
        None => Ok(None),
        Some((_, flag)) => {
            let what = format!("`{flag}` says nothing without a grammar or a language");
            Err(Problem::new(Exit::Usage, what)
                .hint("`--grammar FILE` or `--language LANGUAGE` names one"))
        }
    }
}

/// Returns whether there are trees. Reports files without one, and refuses a tree reducer without a
/// single tree.
fn look(
    args: &ReduceFlags,
    needed: bool,
    input: &Input,
    syntaxes: &[Option<Arc<dyn Syntax>>],
) -> Result<bool, Problem> {
    let mut without = vec![];
    let mut any = false;
    for file in input.present() {
        let Some(Some(syntax)) = syntaxes.get(file.number) else {
            continue;
        };
        // It makes a tree of every text, so there is nothing to check.
        if syntax.is_tolerant() {
            any = true;
            if args.trees.loaded.parser.is_some() && !args.output_flags.quiet {
                warn_of_errors(&**syntax, &file.name.display().to_string(), file.text);
            }
            continue;
        }
        let name = file.name.display();
        let what = format!("parsing `{name}` with {}", syntax.name());
        let _awaited = Awaited::begin(what, args.output_flags.quiet);
        match Outline::parse(&**syntax, file.text, file.span.start) {
            Ok(_) => any = true,
            Err(ParseError::Ended) => return Err(signals::stopped()),
            Err(error) => {
                let start = syntax
                    .grammar()
                    .symbol(syntax.grammar().start())
                    .name
                    .clone();
                without.push((file.name.display().to_string(), start, error));
            }
        }
    }
    if !any
        && needed
        && let Some((name, start, error)) = without.first()
    {
        return Err(no_tree(name, start, error));
    }
    if !args.output_flags.quiet {
        for (name, start, error) in &without {
            let why = indent(&error.to_string());
            let then = if any {
                "its tree is not used"
            } else {
                "it is reduced without its tree"
            };
            warn(&format!(
                "`{name}` does not fit <{start}>, so {then}\n  {why}"
            ));
        }
    }
    Ok(any)
}

/// Warns of a file that does not fit the syntax that the user named.
fn warn_of_errors(syntax: &dyn Syntax, name: &str, text: &[u8]) {
    let Ok(tree) = syntax.tree(text) else {
        return;
    };
    let mut end = 0;
    let mut wrong = 0;
    for (_, node) in tree.nodes() {
        let span = node.span();
        if node.kind == NodeKind::Error && span.start >= end {
            wrong += span.len();
            end = span.end;
        }
    }
    if wrong * 2 > text.len() {
        let share = 100 * wrong / text.len().max(1);
        let language = syntax.name();
        warn(&format!(
            "{share} % of `{name}` does not fit {language}: is that the parser for it?"
        ));
    }
}

fn no_tree(name: &str, start: &str, error: &ParseError) -> Problem {
    let what = match error {
        ParseError::Syntax(_) => format!("`{name}` does not fit <{start}>"),
        _ => format!("`{name}` cannot be parsed as <{start}>"),
    };
    let problem = Problem::new(Exit::Input, what).because(error);
    let problem = match error {
        ParseError::Syntax(_) => problem.hint("`--start` says which rule the whole file is"),
        ParseError::Memory { .. } | ParseError::Steps { .. } => {
            problem.hint("`nubbin grammar check` says what is odd about the grammar")
        }
        _ => problem,
    };
    problem.hint("`--algorithm auto` goes on without a tree")
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}
