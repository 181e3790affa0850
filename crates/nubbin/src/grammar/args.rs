//! What can be typed after `nubbin grammar`.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use nubbin_grammar::read::Format;
use std::path::PathBuf;

/// Options of `nubbin grammar`.
#[derive(Debug, Subcommand)]
pub(crate) enum GrammarCommand {
    /// Show how a text derives from a grammar, as a tree
    Parse(ParseArgs),
    /// Say what is odd about a grammar
    Check(CheckArgs),
    /// Print a grammar in another notation
    Convert(ConvertArgs),
    /// List the languages that are built in
    List(ListArgs),
}

/// How a grammar is named: by a file, whose notation is recognised.
#[derive(Debug, ClapArgs)]
pub(crate) struct GrammarArgs {
    /// The grammar: BNF, EBNF (ISO or W3C), or JSON as in the Fuzzing Book
    #[arg(short, long, value_name = "GRAMMAR")]
    pub(crate) grammar: PathBuf,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct GrammarOptions {
    /// Notation of the grammar: fuzzing-book, fuzzing-book-lists, bnf, iso-ebnf, w3c-ebnf [default:
    /// recognised by its content]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) grammar_format: Option<Format>,

    /// The symbol to start from [default: `start` if there is one, or the first rule]
    #[arg(long, value_name = "SYMBOL")]
    pub(crate) start: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ParseArgs {
    /// The text; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The grammar: BNF, EBNF (ISO or W3C), or JSON as in the Fuzzing Book [default: the language
    /// of the file]
    #[arg(short, long, value_name = "GRAMMAR")]
    pub(crate) grammar: Option<PathBuf>,

    /// The language of the file, as `nubbin grammar list` calls it [default: recognised by the name
    /// of the file, its first line or its content]
    #[arg(short, long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub(crate) language: Option<String>,

    #[command(flatten)]
    pub(crate) loaded: LoadedArgs,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,

    /// How the tree is shown
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "tree")]
    pub(crate) format: TreeFormat,

    /// Show all trees of an ambiguous text, up to `--max-trees`
    #[arg(long, requires = "grammar")]
    pub(crate) all: bool,

    /// How many trees are shown with `--all`
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all")]
    pub(crate) max_trees: usize,

    /// Give up when the parser needs more than this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub(crate) max_memory: usize,

    /// Give up after this many steps of the parser [default: 500 million, and 200 for each byte]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
}

/// A parser that is not built in.
#[derive(Debug, ClapArgs)]
pub(crate) struct LoadedArgs {
    /// A tree-sitter parser as a shared library; its code is run
    #[arg(long, value_name = "LIBRARY", requires = "grammar_json",
          conflicts_with_all = ["grammar", "language"])]
    pub(crate) parser: Option<PathBuf>,

    /// The `grammar.json` that the parser was made from
    #[arg(long, value_name = "FILE", requires = "parser")]
    pub(crate) grammar_json: Option<PathBuf>,
}

/// How a tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// Indented lines
    Tree,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// The grammar
    #[arg(value_name = "GRAMMAR")]
    pub(crate) grammar: PathBuf,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,

    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConvertArgs {
    /// The grammar
    #[arg(value_name = "GRAMMAR")]
    pub(crate) grammar: PathBuf,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,

    /// The notation to print: fuzzing-book, fuzzing-book-lists, bnf, iso-ebnf, w3c-ebnf
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Format,
}
