//! A bug of an engine, and the scripts that show it.

use super::batch::Expression;
use nubbin_oracle::Signature;

/// A bug, with the smallest expressions that show it.
pub(super) struct Finding {
    pub(super) signature: Signature,
    /// The number of runs that showed the bug.
    pub(super) met: u64,
    /// The number of the expression that showed it first.
    pub(super) first: u64,
    /// The expressions after the reduction: one, unless several are needed.
    pub(super) expressions: Vec<Expression>,
    /// The bytes of all expressions before the reduction.
    pub(super) bytes_before: usize,
    /// The number of runs that isolated and reduced the bug.
    pub(super) runs: u64,
    /// The folder with the report, inside the folder of the run.
    pub(super) folder: String,
}

impl Finding {
    pub(super) fn bytes(&self) -> usize {
        self.expressions
            .iter()
            .map(|expression| expression.text.len())
            .sum()
    }

    /// Returns the expressions as one text for people.
    pub(super) fn text(&self) -> String {
        let texts = self.expressions.iter();
        let texts: Vec<_> = texts
            .map(|expression| String::from_utf8_lossy(&expression.text).into_owned())
            .collect();
        texts.join("; ")
    }
}
