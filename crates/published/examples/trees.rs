//! The effect of grammars, tree preparation, and coarse tree reducers: the tables of
//! `notes/data/trees.md`.
//!
//! `cargo run --release -p nubbin-published --example trees`
//!
//! Texts are generated from a grammar; in each, some numbers are made unlike all others, and the
//! test fails while they are there. The same text is parsed with a plain grammar, which has
//! recursion where the extended one has repetitions.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_generate::{Choices, Generator, SizeTarget};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use nubbin_reduce::tree::{Outline, Preparation, ROOT};
use nubbin_reduce::tree_reducer;
use nubbin_reduce::work::Lists;
use std::error::Error;
use std::sync::Arc;

/// Texts of each language for each number of needed symbols.
const TEXTS: u64 = 10;

const BYTES: u64 = 1500;

/// A language in two grammars.
struct Language {
    name: &'static str,
    plain: &'static str,
    extended: &'static str,
}

const LANGUAGES: [Language; 3] = [
    Language {
        name: "arithmetic",
        plain: r#"
<sum> ::= <product> | <sum> " + " <product> | <sum> " - " <product>
<product> ::= <factor> | <product> " * " <factor>
<factor> ::= <number> | "(" <sum> ")" | "-" <factor>
<number> ::= <digit> | <number> <digit>
<digit> ::= [0-9]
"#,
        extended: r#"
<sum> ::= <product> ((" + " | " - ") <product>)*
<product> ::= <factor> (" * " <factor>)*
<factor> ::= <number> | "(" <sum> ")" | "-" <factor>
<number> ::= [0-9]+
"#,
    },
    Language {
        name: "JSON",
        plain: r#"
<json> ::= <value>
<value> ::= <object> | <array> | <string> | <number> | "true" | "false" | "null"
<object> ::= "{" "}" | "{" <members> "}"
<members> ::= <member> | <members> ", " <member>
<member> ::= <string> ": " <value>
<array> ::= "[" "]" | "[" <elements> "]"
<elements> ::= <value> | <elements> ", " <value>
<string> ::= "'" <letters> "'"
<letters> ::= "" | <letters> <letter>
<letter> ::= [a-z]
<number> ::= <digit> | <number> <digit>
<digit> ::= [0-9]
"#,
        extended: r#"
<json> ::= <value>
<value> ::= <object> | <array> | <string> | <number> | "true" | "false" | "null"
<object> ::= "{" (<member> (", " <member>)*)? "}"
<member> ::= <string> ": " <value>
<array> ::= "[" (<value> (", " <value>)*)? "]"
<string> ::= "'" [a-z]* "'"
<number> ::= [0-9]+
"#,
    },
    Language {
        name: "imperative",
        plain: r#"
<program> ::= <statement> | <program> <statement>
<statement> ::= <name> " = " <expr> ";\n" | "if (" <expr> ") " <block>
  | "if (" <expr> ") " <block> "else " <block> | "while (" <expr> ") " <block>
  | "print(" <arguments> ");\n" | "print();\n"
<block> ::= "{\n" "}\n" | "{\n" <program> "}\n"
<arguments> ::= <expr> | <arguments> ", " <expr>
<expr> ::= <or>
<or> ::= <and> | <or> " || " <and>
<and> ::= <equal> | <and> " && " <equal>
<equal> ::= <sum> | <equal> " == " <sum>
<sum> ::= <term> | <sum> " + " <term> | <sum> " - " <term>
<term> ::= <factor> | <term> " * " <factor>
<factor> ::= <name> | <number> | "(" <expr> ")" | <name> "()" | <name> "(" <arguments> ")"
<name> ::= <letter> | <name> <letter>
<letter> ::= [a-z]
<number> ::= <digit> | <number> <digit>
<digit> ::= [0-9]
"#,
        extended: r#"
<program> ::= <statement>+
<statement> ::= <name> " = " <expr> ";\n" | "if (" <expr> ") " <block> ("else " <block>)?
  | "while (" <expr> ") " <block> | "print(" <arguments>? ");\n"
<block> ::= "{\n" <statement>* "}\n"
<arguments> ::= <expr> (", " <expr>)*
<expr> ::= <or>
<or> ::= <and> (" || " <and>)*
<and> ::= <equal> (" && " <equal>)*
<equal> ::= <sum> (" == " <sum>)*
<sum> ::= <term> ((" + " | " - ") <term>)*
<term> ::= <factor> (" * " <factor>)*
<factor> ::= <name> | <number> | "(" <expr> ")" | <name> "(" <arguments>? ")"
<name> ::= [a-z]+
<number> ::= [0-9]+
"#,
    },
];

/// A way to reduce: the name of the row, whether by the extended grammar, preparation, walk, list
/// algorithm.
type Row = (&'static str, bool, &'static str, &'static str, &'static str);

const TABLES: [(&str, &[Row]); 6] = [
    (
        "Grammars: a plain one against an extended one",
        &[
            ("HDD, plain", false, "none", "hdd", "ddmin"),
            ("HDD, extended", true, "none", "hdd", "ddmin"),
            ("HDD*, plain", false, "none", "hdd-star", "ddmin"),
            ("HDD*, extended", true, "none", "hdd-star", "ddmin"),
            (
                "HDD*, plain, flattened",
                false,
                "flatten-chains",
                "hdd-star",
                "ddmin",
            ),
        ],
    ),
    (
        "Preparation: HDD* by the extended grammar",
        &[
            ("none", true, "none", "hdd-star", "ddmin"),
            ("empty", true, "empty", "hdd-star", "ddmin"),
            ("squeeze", true, "squeeze", "hdd-star", "ddmin"),
            ("hide", true, "hide-nodes", "hdd-star", "ddmin"),
            (
                "squeeze, hide",
                true,
                "squeeze,hide-nodes",
                "hdd-star",
                "ddmin",
            ),
            ("all", true, "all", "hdd-star", "ddmin"),
        ],
    ),
    (
        "Preparation: HDD* by the plain grammar",
        &[
            ("none", false, "none", "hdd-star", "ddmin"),
            ("squeeze", false, "squeeze", "hdd-star", "ddmin"),
            ("hide", false, "hide-nodes", "hdd-star", "ddmin"),
            (
                "squeeze, hide",
                false,
                "squeeze,hide-nodes",
                "hdd-star",
                "ddmin",
            ),
            ("flatten", false, "flatten-chains", "hdd-star", "ddmin"),
            ("all", false, "all", "hdd-star", "ddmin"),
        ],
    ),
    (
        "Walks by the extended grammar; squeezed, hidden, flattened where it is said",
        &[
            (
                "HDD*",
                true,
                "empty,squeeze,hide-nodes",
                "hdd-star",
                "ddmin",
            ),
            ("HDD", true, "empty,squeeze,hide-nodes", "hdd", "ddmin"),
            (
                "HDDr*, bfs, forward",
                true,
                "empty,squeeze,hide-nodes",
                "hddr:star",
                "ddmin",
            ),
            (
                "HDDr*, bfs, backward",
                true,
                "empty,squeeze,hide-nodes",
                "hddr:star,backward",
                "ddmin",
            ),
            (
                "HDDr*, dfs, forward",
                true,
                "empty,squeeze,hide-nodes",
                "hddr:star,dfs",
                "ddmin",
            ),
            (
                "HDDr*, dfs, backward",
                true,
                "empty,squeeze,hide-nodes",
                "hddr:star,dfs,backward",
                "ddmin",
            ),
            (
                "Coarse HDD*",
                true,
                "empty,squeeze,hide-nodes",
                "coarse-hdd-star",
                "ddmin",
            ),
            (
                "Coarse HDD*, flattened",
                true,
                "all",
                "coarse-hdd-star",
                "ddmin",
            ),
            (
                "Coarse HDDr*, flattened",
                true,
                "all",
                "hddr:coarse,star",
                "ddmin",
            ),
            ("Subtrees, flattened", true, "all", "subtrees", "ddmin"),
        ],
    ),
    (
        "Walks by the plain grammar; squeezed, hidden, flattened where it is said",
        &[
            (
                "HDD*",
                false,
                "empty,squeeze,hide-nodes",
                "hdd-star",
                "ddmin",
            ),
            ("HDD*, flattened", false, "all", "hdd-star", "ddmin"),
            (
                "HDDr*",
                false,
                "empty,squeeze,hide-nodes",
                "hddr:star",
                "ddmin",
            ),
            ("HDDr*, flattened", false, "all", "hddr:star", "ddmin"),
            (
                "Coarse HDD*",
                false,
                "empty,squeeze,hide-nodes",
                "coarse-hdd-star",
                "ddmin",
            ),
            (
                "Coarse HDD*, flattened",
                false,
                "all",
                "coarse-hdd-star",
                "ddmin",
            ),
            ("Subtrees, flattened", false, "all", "subtrees", "ddmin"),
        ],
    ),
    (
        "List algorithms by the extended grammar; all preparations",
        &[
            ("HDD*, ddmin", true, "all", "hdd-star", "ddmin"),
            (
                "HDD*, ddmin:skip-subsets",
                true,
                "all",
                "hdd-star",
                "ddmin:skip-subsets",
            ),
            (
                "HDD*, ddmin:skip-subsets,continue,backward",
                true,
                "all",
                "hdd-star",
                "ddmin:skip-subsets,continue,backward",
            ),
            ("HDD*, probdd", true, "all", "hdd-star", "probdd"),
            ("HDD*, cdd", true, "all", "hdd-star", "cdd"),
            ("HDD*, sweep", true, "all", "hdd-star", "sweep"),
            (
                "Coarse HDD*, ddmin",
                true,
                "all",
                "coarse-hdd-star",
                "ddmin",
            ),
            (
                "Coarse HDD*, ddmin:skip-subsets",
                true,
                "all",
                "coarse-hdd-star",
                "ddmin:skip-subsets",
            ),
            (
                "Coarse HDD*, sweep",
                true,
                "all",
                "coarse-hdd-star",
                "sweep",
            ),
            ("Subtrees, sweep", true, "all", "subtrees", "sweep"),
            ("HDDr*, ddmin", true, "all", "hddr:star", "ddmin"),
            ("HDDr*, sweep", true, "all", "hddr:star", "sweep"),
        ],
    ),
];

/// A text, and the words that have to stay.
struct Case {
    text: Vec<u8>,
    needed: Vec<String>,
}

/// Texts in which 1 to 3 numbers are unlike all others.
fn cases(language: &Language) -> Result<Vec<Case>, Box<dyn Error>> {
    let grammar = Arc::new(read(language.extended, None, language.name)?);
    let generator = Generator::new(Arc::clone(&grammar), SizeTarget { bytes: BYTES }.into())?;
    let mut cases = vec![];
    for needed in 1..=3 {
        let mut seed = 1000 * needed as u64;
        let end = cases.len() + TEXTS as usize;
        while cases.len() < end {
            seed += 1;
            let mut choices = Choices::seeded(seed);
            let text = String::from_utf8(generator.generate(&mut choices))?;
            cases.extend(with_marks(&text, needed, seed));
        }
    }
    Ok(cases)
}

/// Puts marks in the place of some numbers, spread over the text; `None` where there are too few.
fn with_marks(text: &str, count: usize, seed: u64) -> Option<Case> {
    let mut numbers = vec![];
    let mut before = false;
    for (at, byte) in text.bytes().enumerate() {
        let digit = byte.is_ascii_digit();
        match (before, digit) {
            (false, true) => numbers.push(at..at + 1),
            (true, true) => numbers.last_mut()?.end = at + 1,
            _ => {}
        }
        before = digit;
    }
    if numbers.len() < 4 * count {
        return None;
    }
    let mut case = Case {
        text: text.into(),
        needed: vec![],
    };
    let share = numbers.len() / count;
    for i in (0..count).rev() {
        let place = i * share + (seed.wrapping_mul(0x9E37_79B9) >> 7) as usize % share;
        let mark = format!("700{i}7");
        if text.contains(&mark) {
            return None;
        }
        case.text.splice(numbers[place].clone(), mark.bytes());
        case.needed.push(mark);
    }
    Some(case)
}

/// A language, its parsers and texts.
struct Subject {
    name: &'static str,
    plain: Parser,
    extended: Parser,
    cases: Vec<Case>,
}

/// The result of a row on the texts of one language, all together.
#[derive(Default)]
struct Sum {
    asked: u64,
    /// By text, remembering configurations.
    tests: Vec<u64>,
    contents: u64,
    left: u64,
    /// Bytes left, as shares of the originals.
    share: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut all = vec![];
    for language in &LANGUAGES {
        let parser = |text| Ok::<_, Box<dyn Error>>(Parser::new(Arc::new(read(text, None, "g")?))?);
        all.push(Subject {
            name: language.name,
            plain: parser(language.plain)?,
            extended: parser(language.extended)?,
            cases: cases(language)?,
        });
    }
    println!("| language | texts | bytes | nodes, plain | nodes, extended | extended, prepared |");
    println!("|---|--:|--:|--:|--:|--:|");
    for subject in &all {
        let (mut bytes, mut nodes) = (0, [0; 3]);
        for case in &subject.cases {
            bytes += case.text.len();
            let of = |parser| Outline::parse(parser, &case.text, 0);
            nodes[0] += of(&subject.plain)?.len();
            nodes[1] += of(&subject.extended)?.len();
            nodes[2] += Preparation::ALL.apply(of(&subject.extended)?).len();
        }
        let count = subject.cases.len();
        let [a, b, c] = nodes.map(|sum| sum as usize / count);
        let name = subject.name;
        println!("| {name} | {count} | {} | {a} | {b} | {c} |", bytes / count);
    }
    for (title, rows) in TABLES {
        println!("\n{title}:\n");
        let languages = LANGUAGES.map(|l| format!("{}: tests / bytes", l.name));
        println!(
            "| | {} | tests, nothing remembered | by configuration | by content | least, to the first row | bytes left | share left, % |",
            languages.join(" | ")
        );
        println!("|---|{}", "--:|".repeat(LANGUAGES.len() + 6));
        // By text, for the first row.
        let mut first: Vec<u64> = vec![];
        for (index, row) in rows.iter().enumerate() {
            let sums: Vec<Sum> = all
                .iter()
                .map(|subject| run(row, subject))
                .collect::<Result<_, _>>()?;
            let cells = sums.iter().map(|sum| {
                let count = sum.tests.len() as u64;
                format!("{} / {}", sum.contents / count, sum.left / count)
            });
            let cells: Vec<String> = cells.collect();
            let tests: Vec<u64> = sums.iter().flat_map(|sum| &sum.tests).copied().collect();
            if index == 0 {
                first.clone_from(&tests);
            }
            let least = tests
                .iter()
                .zip(&first)
                .map(|(&now, &then)| now as f64 / then.max(1) as f64)
                .fold(f64::INFINITY, f64::min);
            let count = tests.len() as u64;
            let mean = |of: fn(&Sum) -> u64| sums.iter().map(of).sum::<u64>() / count;
            println!(
                "| {} | {} | {} | {} | {} | {least:.2} | {} | {:.2} |",
                row.0,
                cells.join(" | "),
                mean(|sum| sum.asked),
                tests.iter().sum::<u64>() / count,
                mean(|sum| sum.contents),
                mean(|sum| sum.left),
                100.0 * sums.iter().map(|sum| sum.share).sum::<f64>() / count as f64,
            );
        }
    }
    Ok(())
}

/// A row on the texts of one language.
fn run(row: &Row, subject: &Subject) -> Result<Sum, Box<dyn Error>> {
    let &(_, extended, preparation, walk, algorithm) = row;
    let all = nubbin_published::catalogue();
    let walk = tree_reducer::parse_in(all.tree_reducers(), walk)?;
    let lists = Lists {
        algorithm: Some(all.list_minimizer(algorithm)?),
        seed: 0,
    };
    let preparation: Preparation = preparation.parse()?;
    let parser = if extended {
        &subject.extended
    } else {
        &subject.plain
    };
    let mut sum = Sum::default();
    for case in &subject.cases {
        let outline = Outline::parse(parser, &case.text, 0)?;
        let outline = Arc::new(preparation.apply(outline));
        let fails = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            case.needed.iter().all(|mark| text.contains(mark))
        };
        let driven = tree_reducer::drive(&*walk, &outline, &lists, fails);
        sum.asked += driven.asked;
        sum.tests.push(driven.configurations);
        sum.contents += driven.contents;
        sum.left += driven.text.len() as u64;
        sum.share += driven.text.len() as f64 / outline.text_of(ROOT).len() as f64;
    }
    Ok(sum)
}
