//! Reads ANTLR grammars and parses their examples.
//!
//! ```text
//! cargo run --release -p nubbin-grammar --example antlr -- FOLDER [--trees FOLDER] [NAME…]
//! ```
//!
//! FOLDER has `INDEX.tsv` (folder, grammar, start rule) and a folder for each grammar with its
//! `.g4` files and `examples/`. With `--trees`, the tree of each example is written as ANTLR prints
//! it.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints a table"
)]

use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::{antlr, start_symbol};
use nubbin_grammar::tree::{Nested, NodeKind};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[expect(clippy::too_many_lines, reason = "one measurement")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let trees = args.iter().position(|arg| arg == "--trees").map(|at| {
        args.remove(at);
        PathBuf::from(args.remove(at))
    });
    let root = PathBuf::from(args.first().ok_or("which folder?")?);
    let only = &args[1..];
    let (mut grammars, mut loaded, mut starts, mut examples, mut parsed) = (0, 0, 0, 0, 0);
    let (mut bytes, mut tokens, mut seconds, mut memory) = (0, 0, 0.0, 0);
    for line in fs::read_to_string(root.join("INDEX.tsv"))?.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(folder), Some(name), Some(start)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if !only.is_empty() && !only.iter().any(|only| only == folder) {
            continue;
        }
        grammars += 1;
        let grammar = match load(&root.join(folder), name, start) {
            Ok((grammar, is_found)) => {
                starts += usize::from(is_found);
                grammar
            }
            Err(error) => {
                println!("{folder}: {error}");
                continue;
            }
        };
        loaded += 1;
        let parser = match Parser::new(Arc::new(grammar)) {
            Ok(parser) => parser,
            Err(error) => {
                println!("{folder}: {error}");
                continue;
            }
        };
        let mut files: Vec<PathBuf> = fs::read_dir(root.join(folder).join("examples"))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        for file in files {
            examples += 1;
            let text = fs::read(&file)?;
            let began = Instant::now();
            let result = parser.parse_counted(&text);
            let took = began.elapsed().as_secs_f64();
            seconds += took;
            bytes += text.len();
            let label = format!(
                "{folder}/{}",
                file.file_name().unwrap_or_default().display()
            );
            if took > 1.0 {
                println!("{label}: {took:.1} s for {} bytes", text.len());
            }
            match result {
                Ok((tree, work)) if tree.print() == text => {
                    parsed += 1;
                    memory += work.bytes + tree.bytes();
                    tokens += tree
                        .nodes()
                        .filter(|(_, node)| node.kind == NodeKind::Token)
                        .count();
                    if let Some(trees) = &trees {
                        fs::create_dir_all(trees.join(folder))?;
                        let name = file.file_name().unwrap_or_default();
                        fs::write(trees.join(folder).join(name), Nested(&tree).to_string())?;
                    }
                }
                Ok(_) => println!("{label}: prints as another text"),
                Err(error) => println!("{label}: {error}"),
            }
        }
    }
    println!("{loaded} of {grammars} grammars load, {parsed} of {examples} examples parse");
    println!("{starts} start rules are those of the index without it");
    println!(
        "{bytes} bytes in {seconds:.2} s; {tokens} tokens, {:.0} a second, each with {} bytes of \
         chart and tree",
        tokens as f64 / seconds,
        memory / tokens.max(1)
    );
    Ok(())
}

/// Returns a grammar with a start rule, and whether that is the one it has by itself.
fn load(folder: &Path, name: &str, start: &str) -> Result<(Grammar, bool), Box<dyn Error>> {
    let file = |name: &str| {
        let bytes = fs::read(folder.join(format!("{name}.g4"))).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let main = format!("{name}Parser");
    let (main, text) = match (file(name), file(&main)) {
        (_, Some(text)) => (main, text),
        (Some(text), None) => (name.to_owned(), text),
        (None, None) => return Err("no such grammar".into()),
    };
    let read = antlr::read(&text, &main, &mut |name| file(name))?;
    if let Some(undefined) = &read.undefined {
        println!(
            "{}: {undefined}",
            folder.file_name().unwrap_or_default().display()
        );
    }
    for note in &read.notes {
        let rule = note
            .rule
            .as_ref()
            .map_or(String::new(), |rule| format!("{rule}: "));
        eprintln!(
            "{}: {rule}{}",
            folder.file_name().unwrap_or_default().display(),
            note.what
        );
    }
    let start = start_symbol(&read.grammar, start)?;
    let is_found = read.grammar.start() == start;
    Ok((read.grammar.with_start(start), is_found))
}
