//! `--grammar` and what goes with it: where trees come from.

use super::choose::Named;
use crate::args::{ReduceArgs, TreeArgs};
use crate::exit::Exit;
use crate::grammar::{complete, wrong};
use crate::problem::{Problem, warn};
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::Pass;
use nubbin_reduce::pick::Choice;
use nubbin_reduce::tree::{Outline, Preparation};
use nubbin_reduce::walk::{TreePass, Walk};
use std::sync::Arc;

/// How the input is seen as trees.
pub(super) struct Trees {
    syntax: Arc<dyn Syntax>,
    preparation: Preparation,
    /// For the lists of a walk, where the user has named one.
    pub(super) algorithm: Option<Choice>,
}

impl Trees {
    /// A walk over these trees.
    pub(super) fn pass(&self, walk: Arc<dyn Walk>) -> Arc<dyn Pass> {
        let pass = TreePass::new(walk, Arc::clone(&self.syntax));
        Arc::new(pass.prepared(self.preparation))
    }
}

/// What the user says of trees; `None` where nothing is said, or where the input turns out to have none
/// and the default plan can do without.
pub(super) fn trees(
    args: &ReduceArgs,
    named: &Named,
    input: &Input,
) -> Result<Option<Trees>, Problem> {
    let needed = named.needs_trees(&args.search);
    if let Named::List(choice) = named
        && args.trees.grammar.is_some()
        && !needed
    {
        let id = choice.algorithm().id;
        let what = format!("`{id}` works on a list, and has no use for a grammar");
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--algorithm hdd --list-algorithm {id}` works through lists of nodes of a tree"
        )));
    }
    let algorithm = args.trees.list_algorithm.as_deref().map(|id| {
        super::choose::list_algorithm(id).map_err(|problem| {
            problem.hint("`--list-algorithm` is for the lists of a walk over trees")
        })
    });
    let Some(syntax) = syntax(&args.trees)? else {
        return no_grammar(&args.trees);
    };
    let trees = Trees {
        syntax,
        preparation: args.trees.prepare.unwrap_or_default(),
        algorithm: algorithm.transpose()?,
    };
    let has_trees = look(args, needed, input, &*trees.syntax)?;
    Ok(has_trees.then_some(trees))
}

/// What parses the input.
fn syntax(args: &TreeArgs) -> Result<Option<Arc<dyn Syntax>>, Problem> {
    let Some(path) = &args.grammar else {
        return Ok(None);
    };
    let grammar = Arc::new(complete(path, &args.options)?);
    let parser = Parser::new(grammar).map_err(|error| wrong(path, &error))?;
    Ok(Some(Arc::new(parser)))
}

fn no_grammar(args: &TreeArgs) -> Result<Option<Trees>, Problem> {
    let given = [
        (args.options.start.is_some(), "--start"),
        (args.options.grammar_format.is_some(), "--grammar-format"),
        (args.list_algorithm.is_some(), "--list-algorithm"),
        (args.prepare.is_some(), "--prepare"),
    ];
    match given.iter().find(|(given, _)| *given) {
        None => Ok(None),
        Some((_, flag)) => {
            let what = format!("`{flag}` says nothing without a grammar");
            Err(Problem::new(Exit::Usage, what).hint("`--grammar FILE` names one"))
        }
    }
}

/// Whether there are trees. Says of files that have none, and refuses where a walk was asked for and
/// there is not one tree.
fn look(
    args: &ReduceArgs,
    needed: bool,
    input: &Input,
    syntax: &dyn Syntax,
) -> Result<bool, Problem> {
    let start = &syntax.grammar().symbol(syntax.grammar().start()).name;
    let mut without = vec![];
    let mut any = false;
    for file in input.present() {
        match Outline::parse(syntax, file.text, file.span.start) {
            Ok(_) => any = true,
            Err(error) => without.push((file.name.display().to_string(), error)),
        }
    }
    if !any
        && needed
        && let Some((name, error)) = without.first()
    {
        return Err(no_tree(name, start, error));
    }
    if !args.output_args.quiet {
        for (name, error) in &without {
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
        ParseError::Tree(_) => problem,
    };
    problem.hint("`--algorithm auto` goes on without a tree")
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}
