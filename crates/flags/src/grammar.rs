//! Flags of `nubbin grammar`, and how a grammar is named.

use super::PredicateValue;
use clap::{Args, Subcommand, ValueEnum};
use nubbin_grammar::read::Format;
use std::path::PathBuf;

/// Options of `nubbin grammar`.
#[derive(Debug, Subcommand)]
pub enum GrammarCommand {
    /// Show how a text derives from a grammar, as a tree
    Parse(ParseFlags),
    /// List the errors and oddities of a grammar
    Check(CheckFlags),
    /// Print a grammar in another notation
    Convert(ConvertFlags),
    /// List the languages that are built in
    List(ListFlags),
}

/// A grammar in a file or several, whose notation is recognized.
#[derive(Debug, Args)]
pub struct GrammarFlags {
    /// Use this grammar: BNF, EBNF (ISO or W3C), JSON as in the Fuzzing Book, or ANTLR 4, whose
    /// files may be given one by one
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

    /// Take a predicate of an ANTLR grammar as true or false, as in `isVersion2=false`; `nubbin
    /// grammar check` lists their names [default: true]
    ///
    /// The name of the predicate `{this.isVersion2()}?` is `isVersion2`. It is that of
    /// `{!isVersion2}?` too, which is false if `isVersion2` is true. An alternative with a false
    /// predicate matches nothing. Predicates of other code are always taken as true.
    #[arg(long, value_name = "NAME=true|false")]
    pub predicate: Vec<PredicateValue>,
}

#[derive(Debug, Args)]
pub struct ParseFlags {
    /// The text, or a file of a known binary format, whose regions and fields are listed; `-` is
    /// standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Parse the text with this grammar: BNF, EBNF (ISO or W3C), JSON as in the Fuzzing Book, or
    /// ANTLR 4, whose files may be given one by one [default: the language of the file]
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

    /// Print a tree of any text, with `error` where it does not fit the grammar
    #[arg(long, requires = "grammar", conflicts_with = "all")]
    pub island: bool,

    /// Print the tree, or the regions of a binary file, in this format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "tree")]
    pub format: TreeFormat,

    /// Print the number of nodes and of levels of the tree, in its place
    ///
    /// They are counted as in the Fuzzing Book, where a rule without text has an empty leaf.
    #[arg(long, conflicts_with_all = ["format", "all", "subtrees"])]
    pub count: bool,

    /// List the subtrees of this symbol below the root in the place of the tree, with their nodes,
    /// levels, and depth
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

    /// Stop when the parser needs more than this many MiB [default: 256, and 4 KiB for each byte;
    /// at most 4096]
    #[arg(long, value_name = "MIB")]
    pub max_memory: Option<usize>,

    /// Stop after this many steps of the parser [default: 500 million, and 200 for each byte]
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

    /// Read the `grammar.json` that the parser was made from
    #[arg(long, value_name = "FILE", requires = "parser")]
    pub grammar_json: Option<PathBuf>,
}

/// The format of a printed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// Indented lines
    Tree,
    /// For Graphviz; trees only
    Dot,
    /// A picture
    Svg,
}

#[derive(Debug, Args)]
pub struct CheckFlags {
    /// The grammar; one of ANTLR may have several files
    #[arg(value_name = "GRAMMAR", required = true)]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ListFlags {
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ConvertFlags {
    /// The grammar; one of ANTLR may have several files
    #[arg(value_name = "GRAMMAR", required = true)]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Print the grammar in this notation: fuzzing-book, fuzzing-book-lists, bnf, iso-ebnf,
    /// w3c-ebnf
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
}
