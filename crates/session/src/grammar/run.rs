//! The commands that show, check, and convert a grammar.

use super::files::{self, Lenient};
use super::{ISLAND, bytes, languages, loaded, named, outside_islands, subtrees, wrong_grammar};
use crate::exit::Exit;
use crate::flags::{CheckFlags, ConvertFlags, GrammarCommand, ParseFlags, TreeFormat};
use crate::print::{print, print_long, print_text};
use crate::problem::{Problem, say};
use crate::shown::style;
use nubbin_binary::Layout;
use nubbin_grammar::check::{Severity, check};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::tree::{Indented, Tree, TreeError, dot, svg};
use nubbin_grammar::write::write;
use nubbin_ir::Outline;
use nubbin_reduce::auto::Kind;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

pub fn run(command: GrammarCommand) -> Result<Exit, Problem> {
    match command {
        GrammarCommand::Parse(options) => parse(&options),
        GrammarCommand::Check(options) => checked(&options),
        GrammarCommand::Convert(options) => convert(&options),
        GrammarCommand::List(options) => languages::list(&options),
    }
}

fn parse(options: &ParseFlags) -> Result<Exit, Problem> {
    let text = bytes(&options.file)?;
    let has_language = options.language.is_some() || loaded::of(&options.loaded)?.is_some();
    let is_tree =
        options.format == TreeFormat::Tree && options.subtrees.is_none() && !options.count;
    if options.grammar.is_empty()
        && !has_language
        && is_tree
        && let Some(module) = nubbin_ir::read(&text)
    {
        return print_long(&Outline::new(&module));
    }
    if options.grammar.is_empty()
        && options.language.is_none()
        && Kind::of(&text) == Kind::Bytes
        && let Some(layout) = nubbin_binary::read(&text).or_else(|| nubbin_binary::guess(&text))
    {
        return show_layout(&layout, options).map(|()| Exit::Done);
    }
    if options.grammar.is_empty() {
        let language = match loaded::of(&options.loaded)? {
            Some(language) => language,
            None => languages::of(&options.file, options.language.as_deref(), &text)?,
        };
        let tree = languages::tree(&options.file, &*language, &text)?;
        return show_or_count(&tree, options).map(|()| Exit::Done);
    }
    let mut parser = Parser::new(Arc::new(files::complete(
        &options.grammar,
        &options.options,
    )?))
    .map_err(|error| wrong_grammar(&options.grammar, &error))?;
    if let Some(memory) = options.max_memory {
        parser = parser.memory_limit(memory.saturating_mul(1 << 20));
    }
    if let Some(steps) = options.max_steps {
        parser = parser.step_limit(steps);
    }
    let trees = if options.all {
        parser.parse_all(&text, options.max_trees)
    } else {
        parser.parse(&text).map(|tree| vec![tree])
    };
    let trees = match trees {
        Err(ParseError::Syntax(error)) if options.island => {
            let tree = parser.parse_islands(&text);
            if let Ok(tree) = &tree {
                say(&outside_islands(&options.file.display(), tree, &error));
            }
            tree.map(|tree| vec![tree])
        }
        trees => trees,
    };
    let trees = trees.map_err(|error| no_tree(&options.file, &text, parser.grammar(), &error))?;
    for (i, tree) in trees.iter().enumerate() {
        if options.all && options.format == TreeFormat::Tree {
            let count = trees.len();
            let heading = format!("tree {} of {count}", i + 1);
            print_text(&format!("{}\n", style(heading).bold()))?;
        }
        show_or_count(tree, options)?;
    }
    if options.all && trees.len() == options.max_trees {
        say(&format!(
            "there may be more than {} trees; show more with `--max-trees`",
            trees.len()
        ));
    }
    Ok(Exit::Done)
}

/// Returns the problem of a text that has no tree.
fn no_tree(file: &Path, text: &[u8], grammar: &Grammar, error: &ParseError) -> Problem {
    let start = &grammar.symbol(grammar.start()).name;
    let what = match error {
        ParseError::Syntax(_) => {
            format!("`{}` does not fit <{start}>", file.display())
        }
        _ => format!("cannot parse `{}`", file.display()),
    };
    let problem = Problem::new(Exit::Input, what).because(error);
    match error {
        ParseError::Memory { .. } | ParseError::Tree(TreeError::TooMany { .. }) => {
            problem.hint("allow more with --max-memory, or make the grammar less ambiguous")
        }
        ParseError::Steps { .. } => {
            problem.hint("allow more with --max-steps, or make the grammar less ambiguous")
        }
        // Editors end files with a line feed, which few grammars allow.
        ParseError::Syntax(error) if text.get(error.offset..) == Some(b"\n") => {
            problem.hint("the input fits except for the line feed at its end")
        }
        ParseError::Syntax(_) => problem.hint(ISLAND),
        _ => problem,
    }
}

/// Shows the regions and fields of a binary file.
fn show_layout(layout: &Layout, options: &ParseFlags) -> Result<(), Problem> {
    let is_of_tree = options.count || options.subtrees.is_some();
    match options.format {
        _ if is_of_tree => {
            let what = format!("`{}` has regions, but no tree", options.file.display());
            Err(Problem::new(Exit::Usage, what).hint("name a grammar or a language"))
        }
        TreeFormat::Tree => print_long(layout).map(drop),
        TreeFormat::Svg => {
            let picture = nubbin_binary::svg(layout).ok_or_else(|| {
                let file = options.file.display();
                let what = format!("`{file}` has too many regions for a picture");
                Problem::new(Exit::Usage, what).hint("`--format tree` has no such limit")
            })?;
            print(&picture).map(drop)
        }
        TreeFormat::Dot => {
            let what = format!("`{}` has regions, but no tree", options.file.display());
            Err(Problem::new(Exit::Usage, what).hint("use `--format tree` or `--format svg`"))
        }
    }
}

fn show_or_count(tree: &Tree, options: &ParseFlags) -> Result<(), Problem> {
    match &options.subtrees {
        Some(symbol) => print(&subtrees::list(tree, symbol, options.depth)?).map(drop),
        None if options.count => print(&subtrees::count(tree)).map(drop),
        None => show(tree, options.format),
    }
}

fn show(tree: &Tree, format: TreeFormat) -> Result<(), Problem> {
    match format {
        // The text of a large tree is even larger, so it is written while it is generated.
        TreeFormat::Tree => print_long(&Indented(tree)).map(drop),
        TreeFormat::Dot => print(&dot(tree)).map(drop),
        TreeFormat::Svg => print(&picture(tree)?).map(drop),
    }
}

fn picture(tree: &Tree) -> Result<String, Problem> {
    svg(tree).map_err(|error| {
        Problem::new(Exit::Usage, error.to_string())
            .hint("`--format tree` and `--format dot` have no such limit")
    })
}

#[derive(Serialize)]
struct Line<'g> {
    severity: String,
    kind: &'g str,
    rule: &'g str,
    message: &'g str,
}

fn checked(options: &CheckFlags) -> Result<Exit, Problem> {
    let Lenient {
        grammar,
        undefined,
        notes,
    } = files::grammar_leniently(&options.grammar, &options.options)?;
    let notes: Vec<(String, String)> = notes
        .into_iter()
        .map(|note| match note.rule {
            Some(rule) => {
                let message = format!("<{rule}>: {}", note.what);
                (rule, message)
            }
            None => (String::new(), note.what),
        })
        .collect();
    let undefined: Vec<(Box<str>, String)> = undefined
        .map_or(vec![], |unfinished| unfinished.undefined)
        .into_iter()
        .map(|(name, like)| {
            let message = match like {
                Some(like) => format!("<{name}> is not defined, did you mean <{like}>?"),
                None => format!("<{name}> is not defined"),
            };
            (name, message)
        })
        .collect();
    let findings = check(&grammar);
    let mut lines: Vec<Line<'_>> = undefined
        .iter()
        .map(|(rule, message)| Line {
            severity: Severity::Error.to_string(),
            kind: "undefined",
            rule,
            message,
        })
        .collect();
    lines.extend(findings.iter().map(|finding| Line {
        severity: finding.severity.to_string(),
        kind: finding.kind,
        rule: &grammar.symbol(finding.symbol).name,
        message: &finding.message,
    }));
    lines.extend(notes.iter().map(|(rule, message)| Line {
        severity: Severity::Note.to_string(),
        kind: "ignored",
        rule,
        message,
    }));
    match options.json {
        true => {
            let json = serde_json::to_string_pretty(&lines)
                .map_err(|error| Problem::new(Exit::Output, error.to_string()))?;
            print(&(json + "\n"))?;
        }
        false => {
            print_text(&report(&grammar, &lines))?;
        }
    }
    let broken = lines.iter().any(|line| line.severity == "error");
    Ok(if broken { Exit::Input } else { Exit::Done })
}

/// Describes the findings about a grammar for people.
fn report(grammar: &Grammar, lines: &[Line<'_>]) -> String {
    let mut text = String::new();
    for line in lines {
        let severity = format!("{}:", line.severity);
        let styled = match line.severity.as_str() {
            "error" => style(severity).red().bold(),
            "warning" => style(severity).yellow().bold(),
            _ => style(severity).cyan(),
        };
        let _ = writeln!(text, "{styled} {}", line.message);
    }
    let rules = grammar.rules().count();
    let start = &grammar.symbol(grammar.start()).name;
    let count = |severity: &str| {
        lines
            .iter()
            .filter(|line| line.severity == severity)
            .count()
    };
    let _ = writeln!(
        text,
        "{} from <{start}>: {}, {}",
        counted(rules, "rule"),
        counted(count("error"), "error"),
        counted(count("warning"), "warning"),
    );
    text
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn convert(options: &ConvertFlags) -> Result<Exit, Problem> {
    let read = files::grammar_leniently(&options.grammar, &options.options)?;
    if let Some(undefined) = read.undefined {
        return Err(wrong_grammar(&options.grammar, &undefined));
    }
    let text = write(&read.grammar, options.to).map_err(|error| {
        let what = format!("cannot write {} as {}", named(&options.grammar), options.to);
        Problem::new(Exit::Input, what).because(&error)
    })?;
    print(&text)
}
