//! Generates texts from ANTLR grammars and parses them again.
//!
//! ```text
//! cargo run --release -p nubbin-generate --example antlr_texts -- \
//!     FOLDER [--texts N] [--write FOLDER] [NAME…]
//! ```
//!
//! FOLDER has `INDEX.tsv` (folder, grammar, start rule) and a folder for each grammar with its
//! `.g4` files and its `examples`. For each grammar, N texts are generated with each of three
//! algorithms, and N mutants of the trees of the examples. With `--write`, the texts are written to
//! the folder in which `scripts/antlr` looks for examples.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_generate::{
    Algorithm, Choices, Generator, GrammarFuzzer, LimitFuzzer, SizeTarget, TreeFuzzer,
};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::{antlr, start_symbol};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The texts of one algorithm.
#[derive(Default)]
struct Counts {
    made: usize,
    rejected: usize,
    refused: usize,
    bytes: usize,
    seconds: f64,
}

enum Source {
    Generator(Generator),
    Mutants(TreeFuzzer),
}

impl Source {
    fn text(&self, choices: &mut Choices) -> Vec<u8> {
        match self {
            Source::Generator(generator) => generator.generate(choices),
            Source::Mutants(fuzzer) => fuzzer.mutant(choices).unwrap_or_default(),
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.made += other.made;
        self.rejected += other.rejected;
        self.refused += other.refused;
        self.bytes += other.bytes;
        self.seconds += other.seconds;
    }
}

#[expect(clippy::too_many_lines, reason = "one measurement")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut value = |flag: &str| {
        let at = args.iter().position(|arg| arg == flag)?;
        args.remove(at);
        Some(args.remove(at))
    };
    let texts: usize = value("--texts").map_or(Ok(100), |texts| texts.parse())?;
    let write = value("--write").map(PathBuf::from);
    let root = PathBuf::from(args.first().ok_or("which folder?")?);
    let only = &args[1..];
    let grow = GrammarFuzzer {
        min_nonterminals: 0,
        max_nonterminals: 10,
    };
    let algorithms: [(&str, Algorithm); 3] = [
        ("limit-fuzzer", LimitFuzzer { max_depth: 10 }.into()),
        ("grammar-fuzzer", grow.into()),
        ("size", SizeTarget { bytes: 1000 }.into()),
    ];
    let mut sums = ["limit-fuzzer", "grammar-fuzzer", "size", "mutants"]
        .map(|label| (label, Counts::default()));
    let (mut grammars, mut usable) = (0, 0);
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
            Ok(grammar) => Arc::new(grammar),
            Err(error) => {
                println!("{folder}: {error}");
                continue;
            }
        };
        let parser = Parser::new(Arc::clone(&grammar))?;
        let began = Instant::now();
        let mut works = true;
        for (label, sum) in &mut sums {
            let algorithm = algorithms.iter().find(|(known, _)| known == label);
            let made = match algorithm {
                Some((_, algorithm)) => Generator::new(Arc::clone(&grammar), *algorithm)
                    .map(Source::Generator)
                    .map_err(Box::from),
                None => mutants(&grammar, &root.join(folder).join("examples")),
            };
            let source = match made {
                Ok(source) => source,
                Err(error) => {
                    println!("{folder}, {label}: {error}");
                    works = false;
                    break;
                }
            };
            let folder_of_texts = write
                .as_ref()
                .map(|write| write.join(folder).join("examples"));
            if let Some(folder) = &folder_of_texts {
                fs::create_dir_all(folder)?;
            }
            let mut counts = Counts::default();
            let mut choices = Choices::seeded(1);
            let mut first = None;
            for number in 0..texts {
                choices.forget();
                let began = Instant::now();
                let text = source.text(&mut choices);
                counts.seconds += began.elapsed().as_secs_f64();
                counts.made += 1;
                counts.bytes += text.len();
                if choices.is_rejected() {
                    counts.rejected += 1;
                    continue;
                }
                if !parser.accepts(&text)? {
                    counts.refused += 1;
                    first.get_or_insert(text.clone());
                }
                if let Some(folder) = &folder_of_texts {
                    fs::write(folder.join(format!("{label}-{number:04}.txt")), &text)?;
                }
            }
            if counts.rejected + counts.refused > 0 {
                println!(
                    "{folder}, {label}: {} rejected, {} do not parse, of {}",
                    counts.rejected, counts.refused, counts.made
                );
            }
            if let Some(text) = first {
                println!("    {:?}", String::from_utf8_lossy(&text));
            }
            sum.add(&counts);
        }
        usable += usize::from(works);
        let took = began.elapsed().as_secs_f64();
        if took > 10.0 {
            println!("{folder}: {took:.1} s");
        }
    }
    println!("texts are made of {usable} of {grammars} grammars");
    for (label, sum) in &sums {
        println!(
            "{label}: {} texts, {} rejected, {} do not parse; {} bytes on average, {:.2} MB/s",
            sum.made,
            sum.rejected,
            sum.refused,
            sum.bytes / (sum.made - sum.rejected).max(1),
            sum.bytes as f64 / sum.seconds / 1e6
        );
    }
    Ok(())
}

/// Returns a fuzzer with the examples that fit the grammar.
fn mutants(grammar: &Arc<Grammar>, examples: &Path) -> Result<Source, Box<dyn Error>> {
    let generator = Generator::new(Arc::clone(grammar), LimitFuzzer { max_depth: 5 }.into())?;
    let mut fuzzer = TreeFuzzer::new(generator)?;
    for entry in fs::read_dir(examples).into_iter().flatten() {
        // Some examples do not fit the grammar, for ANTLR neither.
        let _ = fuzzer.add(&fs::read(entry?.path())?);
    }
    Ok(Source::Mutants(fuzzer))
}

fn load(folder: &Path, name: &str, start: &str) -> Result<Grammar, Box<dyn Error>> {
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
    let start = start_symbol(&read.grammar, start)?;
    Ok(read.grammar.with_start(start))
}
