//! Problems with grammars.

use crate::exit::Exit;
use crate::problem::Problem;
use indicatif::HumanCount;
use nubbin_grammar::parse::SyntaxError;
use nubbin_grammar::tree::Tree;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The hint for a text that does not fit a grammar.
pub const ISLAND: &str = "`--island` keeps what does not fit as deletable text";

/// Describes a text that does not fit a grammar: the share outside islands, and the positions of
/// the errors.
pub fn outside_islands(name: &impl Display, tree: &Tree, error: &SyntaxError) -> String {
    let grammar = tree.grammar();
    let start = &grammar.symbol(grammar.start()).name;
    let count = |bytes: usize| HumanCount(bytes as u64);
    let (outside, all) = (count(tree.outside_rules()), count(tree.text().len()));
    let why = error.to_string().replace('\n', "\n  ");
    format!(
        "`{name}` does not fit <{start}>, so {outside} of its {all} bytes are outside islands\n  {why}"
    )
}

/// Returns the problem of a grammar in the given files that cannot be used.
pub fn wrong_grammar(paths: &[PathBuf], error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot use the grammar {}", named(paths));
    Problem::new(Exit::Input, what).because(error)
}

/// Returns the paths of a grammar in the form of messages.
pub fn named(paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| format!("`{}`", path.display()));
    paths.collect::<Vec<_>>().join(", ")
}

pub fn wrong(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot use the grammar `{}`", path.display());
    Problem::new(Exit::Input, what).because(error)
}
