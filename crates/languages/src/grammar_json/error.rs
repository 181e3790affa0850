use nubbin_grammar::grammar::Unfinished;

/// The reason why a file is not a grammar.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarJsonError {
    /// The file is not JSON, or not a `grammar.json`.
    #[error("not the grammar.json of a parser: {0}")]
    Json(#[from] serde_json::Error),
    /// The grammar has no rules.
    #[error("the grammar has no rules")]
    Empty,
    /// A rule mentions an undefined symbol.
    #[error(transparent)]
    Undefined(#[from] Unfinished),
}
