use nubbin_grammar::grammar::Unfinished;

/// Why a file is no grammar.
#[derive(Debug, thiserror::Error)]
pub enum GrammarJsonError {
    /// It is not JSON, or not of this kind.
    #[error("not the grammar.json of a parser: {0}")]
    Json(#[from] serde_json::Error),
    /// There is no rule to start from.
    #[error("it has no rules")]
    Empty,
    /// A rule mentions what is not there.
    #[error(transparent)]
    Undefined(#[from] Unfinished),
}
