//! A word as a shell reads it.

use std::borrow::Cow;

/// Returns a word as it is written in a shell, without quotes where a shell needs none, or `None`
/// if the word has a NUL.
///
/// Unlike `shlex`, it has no quotes around `-x=a,b`: `=` and `,` have no meaning in a shell word,
/// and a word between quotes is harder to read.
pub(crate) fn quoted(word: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:@%+=,".contains(byte);
    // A shell may expand `=x` to the path of a command.
    let is_word = !word.is_empty() && word[0] != b'=';
    match is_word && word.iter().all(is_plain) {
        true => Some(Cow::Borrowed(word)),
        false => shlex::bytes::try_quote(word).ok(),
    }
}
