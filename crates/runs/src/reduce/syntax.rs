//! Creates the syntax trees of an input from `--grammar`, `--language`, and related flags.

use super::examples;
use super::plan;
use super::trees::{LEARNS, Trees};
use crate::awaited::Awaited;
use crate::exit::Exit;
use crate::grammar::{ISLAND, complete, languages, loaded, outside_islands, wrong_grammar};
use crate::parameters::ParameterFiles;
use crate::problem::{Problem, warn};
use crate::settings::{ReduceSettings, TreeSettings};
use crate::signals;
use nubbin_grammar::parse::{IslandParser, ParseError, Parser};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{NodeKind, TreeError};
use nubbin_reduce::Algorithm;
use nubbin_reduce::auto::Kind;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::tree::Outline;
use nubbin_reduce::tree_reducer::{PackedSyntaxes, Syntaxes};
use std::sync::Arc;

/// Returns the trees that the flags request, or `None` if no file has a tree and the default plan
/// needs no trees.
pub(super) fn trees(
    args: &ReduceSettings,
    named: &Algorithm,
    input: &Input,
    parameters: &ParameterFiles,
) -> Result<Option<Trees>, Problem> {
    let needed = plan::needs_trees(named, &args.search);
    if !args.trees.learn.is_empty() && !plan::asks_for(named, LEARNS, &args.search) {
        let what = format!(
            "only `{LEARNS}` learns from examples, and this algorithm was not \
                            selected"
        );
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--algorithm {LEARNS}`, or {LEARNS} among the `--passes`"
        )));
    }
    if let Algorithm::List(choice) = named
        && (!args.trees.grammar.is_empty() || args.trees.loaded.parser.is_some())
        && !needed
    {
        let id = choice.info().id;
        let what = format!("`{id}` works on a list, and does not use a grammar");
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--algorithm hdd --list-algorithm {id}` works through lists of nodes of a tree"
        )));
    }
    let algorithm = args.trees.list_algorithm.as_deref().map(|id| {
        plan::list_algorithm(id).map_err(|problem| {
            problem.hint("`--list-algorithm` is for the lists of a tree reducer")
        })
    });
    // A list of lines is the same in every language.
    if !needed && !args.trees.must_parse && !matches!(named, Algorithm::Auto) {
        return no_grammar(&args.trees);
    }
    let islands = islands(&args.trees)?;
    let of_all = match &islands {
        Some(islands) => Some(Arc::clone(islands) as Arc<dyn Syntax>),
        None => of_all(&args.trees)?,
    };
    let syntaxes = syntaxes(&args.trees, of_all.as_ref(), input, parameters)?;
    let has_regions = needed
        && !args.trees.must_parse
        && of_all.is_none()
        && args.trees.language.is_none()
        && input
            .present()
            .any(|file| nubbin_binary::read(file.text).is_some());
    let packed = match matches!(named, Algorithm::Auto) && args.trees.language.is_none() {
        true if of_all.is_none() => packed(input, parameters)?,
        _ => PackedSyntaxes::default(),
    };
    let has_packed = !packed.is_empty();
    if syntaxes.iter().all(Option::is_none) && !has_regions && !has_packed {
        return no_grammar(&args.trees);
    }
    let mut trees = Trees {
        syntaxes,
        of_all,
        has_regions,
        packed,
        has_islands: islands.is_some(),
        lore: None,
        preparation: args.trees.prepare,
        algorithm: algorithm.transpose()?,
    };
    let has_trees = match &islands {
        Some(islands) => look_for_islands(args, islands, parameters.own_files(input))?,
        None => look(args, needed, input, &trees.syntaxes)?,
    };
    if !args.trees.learn.is_empty() {
        let quiet = args.output_flags.quiet;
        trees.lore = Some(examples::learn(&args.trees.learn, &trees, quiet)?);
    }
    Ok((has_trees || has_regions || has_packed).then_some(trees))
}

/// Returns the parser for the grammar that the user names.
fn parser(args: &TreeSettings) -> Result<Parser, Problem> {
    let grammar = Arc::new(complete(&args.grammar, &args.options)?);
    let parser = Parser::new(grammar).map_err(|error| wrong_grammar(&args.grammar, &error))?;
    Ok(parser.ended_by(signals::halt()))
}

/// Returns the parser that keeps parts that do not fit the grammar, if the user requests it.
fn islands(args: &TreeSettings) -> Result<Option<Arc<IslandParser>>, Problem> {
    match args.island {
        true => Ok(Some(Arc::new(IslandParser::new(parser(args)?)))),
        false => Ok(None),
    }
}

/// Returns the syntax of all files, if the user names one.
fn of_all(args: &TreeSettings) -> Result<Option<Arc<dyn Syntax>>, Problem> {
    if !args.grammar.is_empty() {
        return Ok(Some(Arc::new(parser(args)?)));
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
    args: &TreeSettings,
    of_all: Option<&Arc<dyn Syntax>>,
    input: &Input,
    parameters: &ParameterFiles,
) -> Result<Syntaxes, Problem> {
    let files = 0..input.file_count();
    // Arguments and variables are not text of the language.
    let is_own = |number: &usize| !parameters.has(*number);
    if of_all.is_some() || args.language.is_some() {
        let of_file = |number| of_all.filter(|_| is_own(&number)).cloned();
        return Ok(files.map(of_file).collect());
    }
    files
        .map(|number| {
            let file = Some(number).filter(is_own).and_then(|it| input.file(it));
            let entry = file
                .filter(|file| Kind::of(file.text) == Kind::Text)
                .and_then(|file| nubbin_languages::detect::detect(file.name.to_str(), file.text));
            entry.map(languages::load).transpose()
        })
        .collect()
}

/// Returns the syntaxes of the texts in archives and compressed files.
fn packed(input: &Input, parameters: &ParameterFiles) -> Result<PackedSyntaxes, Problem> {
    let mut packed = PackedSyntaxes::default();
    for file in parameters.own_files(input) {
        packed.add(&file, |name, text| {
            let entry = nubbin_languages::detect::detect(name.to_str(), text);
            entry.map(languages::load).transpose()
        })?;
    }
    Ok(packed)
}

fn no_grammar(args: &TreeSettings) -> Result<Option<Trees>, Problem> {
    let given = [
        (args.options.start.is_some(), "--start"),
        (args.options.grammar_format.is_some(), "--grammar-format"),
        (!args.options.predicate.is_empty(), "--predicate"),
        (args.island, "--island"),
        (args.list_algorithm.is_some(), "--list-algorithm"),
        (args.prepare.is_some(), "--prepare"),
        (args.must_parse, "--must-parse"),
    ];
    match given.iter().find(|(given, _)| *given) {
        None => Ok(None),
        Some((_, flag)) => {
            let what = format!("`{flag}` has no effect without a grammar or a language");
            Err(Problem::new(Exit::Usage, what)
                .hint("`--grammar FILE` or `--language LANGUAGE` names one"))
        }
    }
}

/// Returns whether there are trees. Reports files without one, and refuses a tree reducer without a
/// single tree.
fn look(
    args: &ReduceSettings,
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
        // A tolerant parser returns a tree for every text, so it has nothing to check.
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
            Err(error) => without.push((file.name.display().to_string(), start(&**syntax), error)),
        }
    }
    if !any
        && needed
        && let Some((name, start, error)) = without.first()
    {
        return Err(no_tree(name, start, error).hint("`--algorithm auto` continues without a tree"));
    }
    if !any
        && args.trees.must_parse
        && let Some((name, start, error)) = without.first()
    {
        // Each candidate would parse as well as this original.
        return Err(no_tree(name, start, error)
            .hint("without `--must-parse`, any candidate counts, and there is no tree"));
    }
    if !args.output_flags.quiet {
        for (name, start, error) in &without {
            let why = indent(&hinted(error));
            let then = match (any, args.trees.must_parse) {
                (true, true) => "its tree is not used, and its candidates need not parse",
                (true, false) => "its tree is not used",
                (false, _) => "it is reduced without its tree",
            };
            let what = match error {
                ParseError::Syntax(_) => "does not fit",
                _ if is_too_ambiguous(error) => "is too ambiguous for",
                _ => "cannot be parsed as",
            };
            warn(&format!("`{name}` {what} <{start}>, so {then}\n  {why}"));
        }
    }
    Ok(any)
}

/// Reports how much of each file is outside islands. Returns whether there are trees.
fn look_for_islands(
    args: &ReduceSettings,
    islands: &IslandParser,
    files: Vec<File<'_>>,
) -> Result<bool, Problem> {
    let quiet = args.output_flags.quiet;
    let mut any = false;
    for file in files {
        let name = file.name.display();
        let what = format!("parsing `{name}` with {}", islands.name());
        let _awaited = Awaited::begin(what, quiet);
        let error = match Outline::parse(islands.parser(), file.text, 0) {
            Ok(_) => {
                any = true;
                continue;
            }
            Err(error) => error,
        };
        let said = match (islands.tree(file.text), &error) {
            (_, ParseError::Ended) | (Err(ParseError::Ended), _) => return Err(signals::stopped()),
            (Ok(tree), ParseError::Syntax(error)) => {
                any = true;
                outside_islands(&name, &tree, error)
            }
            _ => {
                let (start, why) = (start(islands), indent(&error.to_string()));
                format!("`{name}` does not fit <{start}>, so its tree is not used\n  {why}")
            }
        };
        if !quiet {
            warn(&said);
        }
    }
    Ok(any)
}

/// Returns the name of the start symbol.
fn start(syntax: &dyn Syntax) -> Box<str> {
    let grammar = syntax.grammar();
    grammar.symbol(grammar.start()).name.clone()
}

/// Returns the reason why there is no tree, and a flag that helps.
fn hinted(error: &ParseError) -> String {
    match error {
        ParseError::Syntax(_) => format!("{error}\n{ISLAND}"),
        _ => error.to_string(),
    }
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

/// Returns whether a text with few bytes would need too much for its tree.
fn is_too_ambiguous(error: &ParseError) -> bool {
    matches!(
        error,
        ParseError::Memory { .. }
            | ParseError::Steps { .. }
            | ParseError::Tree(TreeError::TooMany { .. })
    )
}

fn no_tree(name: &str, start: &str, error: &ParseError) -> Problem {
    let what = match error {
        ParseError::Syntax(_) => format!("`{name}` does not fit <{start}>"),
        _ => format!("`{name}` cannot be parsed as <{start}>"),
    };
    let problem = Problem::new(Exit::Input, what).because(error);
    match error {
        ParseError::Syntax(_) => problem
            .hint("`--start` sets the rule of the whole file")
            .hint(ISLAND),
        _ if is_too_ambiguous(error) => {
            problem.hint("`nubbin grammar check` lists the problems of the grammar")
        }
        _ => problem,
    }
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}
