//! Flags for the syntax trees of an input.

use super::{NotationFlags, ParserFlags};
use clap::Args;
use nubbin_reduce::tree::Preparation;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TreeFlags {
    /// Parse the input with this grammar (BNF, EBNF, JSON as in the Fuzzing Book, or ANTLR 4)
    ///
    /// An ANTLR grammar may have several files. Give the flag once for each file, in any order. The
    /// main file is the parser grammar. nubbin finds its imports and its lexer by name, first among
    /// the given files and then next to the main file.
    #[arg(short, long, value_name = "GRAMMAR")]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Treat text that does not fit the grammar as removable tokens, instead of parsing nothing
    ///
    /// Parts that fit a rule have syntax trees. Between these parts, tokens are removed one by one.
    #[arg(long, requires = "grammar")]
    pub island: bool,

    /// Parse the input as this language; `none` is plain text [default: by name and content]
    ///
    /// `nubbin grammar list` lists all languages. By default, nubbin recognizes the language of
    /// each file by its name and content.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub language: Option<String>,

    /// Test only candidates that parse at least as well as the best so far
    ///
    /// With this flag, the result parses if the original parses. Without this flag, `auto` measures
    /// during the run whether the syntax filter saves tests.
    #[arg(long)]
    pub must_parse: bool,

    #[command(flatten)]
    pub loaded: ParserFlags,

    /// Learn optional parts and replacements from this file or folder, for `gtr-learned`
    ///
    /// Without this flag, `gtr-learned` learns from the input alone.
    #[arg(long, value_name = "PATH")]
    pub learn: Vec<PathBuf>,

    /// Set the list minimizer of a tree reducer [default: ddmin, as published]
    #[arg(long, value_name = "ID")]
    pub list_algorithm: Option<String>,

    /// Set the steps that prepare a tree: `all`, `published`, `none`, or a list of steps [default:
    /// the steps of the algorithm]
    ///
    /// The default plan uses all steps. A published algorithm uses the steps of its publication,
    /// which `nubbin algorithms` lists.
    ///
    /// `empty` drops nodes without text, `flatten` turns left and right recursion into lists,
    /// `squeeze` merges a chain of nodes into one node, and `hide` skips tokens that are as small
    /// as possible. `published` stands for these four steps. `flatten-chains` also turns recursion
    /// through other rules into lists, and `hide-nodes` skips all nodes that are as small as
    /// possible. `all` uses these two steps in place of `flatten` and `hide`.
    #[arg(long, value_name = "STEP[,STEP...]")]
    pub prepare: Option<Preparation>,
}
