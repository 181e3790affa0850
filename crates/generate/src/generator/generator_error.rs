/// The reason why a [`Generator`](super::Generator) cannot generate a text of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeneratorError {
    /// The start symbol derives no text.
    #[error("`{0}` derives no text: none of its expansions ends")]
    Unproductive(Box<str>),
    /// Even the shortest text has too many parts: rules mention each other several times, and each
    /// level has as many times the parts of the next one.
    #[error(
        "each text of `{start}` has at least {parts} parts, which takes too long and too much memory"
    )]
    TooLarge {
        /// The start symbol.
        start: Box<str>,
        /// The minimum number of expansions.
        parts: u64,
    },
    /// The grammar has a reachable token whose text it does not define.
    #[error("`{0}` is a token whose text the grammar does not define")]
    External(Box<str>),
    /// Every text of the start symbol needs tokens that the lexer rules do not make.
    #[error(
        "no text of `{start}` can be divided into its tokens: no text is read as {}",
        names(tokens)
    )]
    NoToken {
        /// The start symbol.
        start: Box<str>,
        /// The names of the tokens.
        tokens: Vec<Box<str>>,
    },
}

/// Returns the first names of a list for a message.
fn names(tokens: &[Box<str>]) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = tokens
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    if tokens.len() > SHOWN {
        shown.push(format!("{} others", tokens.len() - SHOWN));
    }
    shown.join(", ")
}
