use crate::read::Format;

/// Why a grammar cannot be written in a notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Text that is not UTF-8, or a class of such bytes.
    #[error("`{0}` is about single bytes of characters; {1} is about characters")]
    Bytes(String, Format),
    /// Counted parts of counted parts multiply where there is no way to count.
    #[error("a part is repeated so often that it cannot be written down in {0}")]
    TooLong(Format),
    /// A token whose text is not known.
    #[error("`{0}` is a token whose text the grammar does not say")]
    External(String),
}
