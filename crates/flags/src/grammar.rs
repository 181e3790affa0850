//! Flags of `nubbin grammar`, and flags that name a grammar.

use super::PredicateValue;
use clap::{Args, Subcommand, ValueEnum};
use nubbin_grammar::read::Format;
use std::path::PathBuf;

/// Options of `nubbin grammar`.
#[derive(Debug, Subcommand)]
pub enum GrammarCommand {
    /// Print the syntax tree of a text
    Parse(ParseFlags),
    /// List the errors and warnings of a grammar
    Check(CheckFlags),
    /// Print a grammar in another notation
    Convert(ConvertFlags),
    /// List the built-in languages
    List(ListFlags),
}

/// A grammar in one or more files, and its notation.
#[derive(Debug, Args)]
pub struct GrammarFlags {
    /// Use this grammar: BNF, EBNF (ISO or W3C), JSON as in the Fuzzing Book, or ANTLR 4; give the
    /// flag once for each file
    #[arg(short, long, value_name = "GRAMMAR", required = true)]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,
}

#[derive(Clone, Debug, Default, Args)]
pub struct NotationFlags {
    /// Read the grammar in this notation: fuzzing-book, fuzzing-book-lists, bnf, iso-ebnf,
    /// w3c-ebnf, antlr4 [default: recognized by its content]
    #[arg(long, value_name = "FORMAT")]
    pub grammar_format: Option<Format>,

    /// Start from this symbol [default: `start` if there is one, or the first rule]
    #[arg(long, value_name = "SYMBOL")]
    pub start: Option<String>,

    /// Set the value of a predicate of an ANTLR grammar, such as `isVersion2=false`; `nubbin
    /// grammar check` lists the names of predicates [default: true]
    ///
    /// The name of the predicate `{this.isVersion2()}?` is `isVersion2`. The predicate
    /// `{!isVersion2}?` has the same name, and is false if `isVersion2` is true. An alternative
    /// with a false predicate matches nothing. Predicates of other code are always taken as true.
    #[arg(long, value_name = "NAME=true|false")]
    pub predicate: Vec<PredicateValue>,
}

#[derive(Debug, Args)]
pub struct ParseFlags {
    /// The text to parse, or a file in a known binary format, whose regions and fields are listed;
    /// `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Parse the text with this grammar: BNF, EBNF (ISO or W3C), JSON as in the Fuzzing Book, or
    /// ANTLR 4; give the flag once for each file [default: the language of the file]
    #[arg(short, long, value_name = "GRAMMAR")]
    pub grammar: Vec<PathBuf>,

    /// Parse the text as this language; `nubbin grammar list` lists all [default: recognized by the
    /// name, first line, or content of the file]
    #[arg(short, long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub language: Option<String>,

    #[command(flatten)]
    pub loaded: ParserFlags,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Print a tree of any text, with `error` nodes for parts that do not fit the grammar
    #[arg(long, requires = "grammar", conflicts_with = "all")]
    pub island: bool,

    /// Print the tree, or the regions of a binary file, in this format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "tree")]
    pub format: TreeFormat,

    /// Print the numbers of nodes and levels of the tree instead of the tree
    ///
    /// nubbin counts nodes as the Fuzzing Book does: a rule without text has an empty leaf.
    #[arg(long, conflicts_with_all = ["format", "all", "subtrees"])]
    pub count: bool,

    /// List the subtrees of this symbol below the root instead of the tree, with their numbers of
    /// nodes, levels, and depths
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["format", "all"])]
    pub subtrees: Option<String>,

    /// List only subtrees that are this many levels below the root
    #[arg(long, value_name = "N", requires = "subtrees")]
    pub depth: Option<u32>,

    /// Show all trees of an ambiguous text, up to `--max-trees`
    #[arg(long, requires = "grammar")]
    pub all: bool,

    /// Show at most this many trees
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all")]
    pub max_trees: usize,

    /// Stop when the parser needs more than this many MiB [default: 256 plus 4 KiB for each byte of
    /// the text, at most 4096]
    #[arg(long, value_name = "MIB")]
    pub max_memory: Option<usize>,

    /// Stop after this many steps of the parser [default: 500 million plus 200 for each byte of the
    /// text]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
}

/// A parser that is not built in.
#[derive(Debug, Args)]
pub struct ParserFlags {
    /// Load this tree-sitter parser, a shared library, and run its code
    #[arg(long, value_name = "LIBRARY", requires = "grammar_json",
          conflicts_with_all = ["grammar", "language"])]
    pub parser: Option<PathBuf>,

    /// Read the `grammar.json` from which the parser was generated
    #[arg(long, value_name = "FILE", requires = "parser")]
    pub grammar_json: Option<PathBuf>,
}

/// The format of a printed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// Indented lines
    Tree,
    /// A graph for Graphviz (trees only)
    Dot,
    /// An SVG picture
    Svg,
}

#[derive(Debug, Args)]
pub struct CheckFlags {
    /// The file of the grammar; an ANTLR grammar may have several files
    #[arg(value_name = "GRAMMAR", required = true)]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Print the errors and warnings as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ListFlags {
    /// Print the languages as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ConvertFlags {
    /// The file of the grammar; an ANTLR grammar may have several files
    #[arg(value_name = "GRAMMAR", required = true)]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Print the grammar in this notation: fuzzing-book, fuzzing-book-lists, bnf, iso-ebnf,
    /// w3c-ebnf
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
}
