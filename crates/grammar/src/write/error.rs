use crate::read::Format;

/// The reason why a grammar cannot be written in a notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The grammar has a text that is not UTF-8, or a class of such bytes.
    #[error("`{0}` consists of single bytes; the notation `{1}` has characters only")]
    Bytes(String, Format),
    /// The product of the counts of nested repetitions is larger than the number of parts that the
    /// notation can list.
    #[error("a part is repeated too often for the notation `{0}`, which has no counts")]
    TooLong(Format),
    /// The notation can only be read.
    #[error("grammars can be read from the notation `{0}`, but not written in it")]
    ReadOnly(Format),
    /// The grammar has lexer rules, which divide a text into tokens before it is parsed.
    #[error("the grammar has lexer rules, which the notation `{0}` has not")]
    Lexer(Format),
    /// The grammar has a token whose text it does not define.
    #[error("`{0}` is a token whose text the grammar does not define")]
    External(String),
}
