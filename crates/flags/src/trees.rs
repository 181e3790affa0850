//! Flags for the syntax trees of an input.

use super::{NotationFlags, ParserFlags};
use clap::Args;
use nubbin_reduce::tree::Preparation;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TreeFlags {
    /// Parse the input with this grammar (BNF, EBNF, JSON as in the Fuzzing Book, or ANTLR 4)
    ///
    /// A grammar of ANTLR may have several files. Give the flag once for each; their order has no
    /// effect. The main one is the parser grammar, and the others answer for its imports and its
    /// lexer by their names. A file beside the main one is read if no given one has the name.
    #[arg(short, long, value_name = "GRAMMAR")]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Keep what does not fit the grammar as text that can be removed, instead of parsing nothing
    ///
    /// The parts that fit a rule keep their trees. Where they end, tokens are removed one by one.
    #[arg(long, requires = "grammar")]
    pub island: bool,

    /// Parse the input as this language; `none` is plain text [default: by name and content]
    ///
    /// `nubbin grammar list` lists all languages. By default, each file has the language that its
    /// name and content show.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub language: Option<String>,

    /// Test only candidates that parse at least as well as the best so far
    ///
    /// A text of the language then remains one. Without this flag, a run of `auto` learns whether
    /// the syntax filter saves tests.
    #[arg(long)]
    pub must_parse: bool,

    #[command(flatten)]
    pub loaded: ParserFlags,

    /// Learn optional parts and replacements from this file or folder, for `gtr-learned`
    ///
    /// Without it, `gtr-learned` learns from the input alone.
    #[arg(long, value_name = "PATH")]
    pub learn: Vec<PathBuf>,

    /// Set the list minimizer of a tree reducer [default: ddmin, as published]
    #[arg(long, value_name = "ID")]
    pub list_algorithm: Option<String>,

    /// Set the steps that prepare a tree: `all`, `published`, `none`, or a list of steps [default:
    /// those of the algorithm]
    ///
    /// The default plan uses all steps, and a published algorithm those of its publication, which
    /// `nubbin algorithms` lists.
    ///
    /// `empty` drops nodes without text, `flatten` makes lists of left and right recursion,
    /// `squeeze` makes one node of a chain, and `hide` skips tokens that are as small as they can
    /// be: these four are `published`. `flatten-chains` also makes lists of recursion through other
    /// rules, and `hide-nodes` skips any node that is as small as it can be; `all` has them in
    /// place of `flatten` and `hide`.
    #[arg(long, value_name = "STEP[,STEP...]")]
    pub prepare: Option<Preparation>,
}
