use super::{Format, ReadError, bnf, book, iso, w3c};
use crate::grammar::{Builder, Grammar, SymbolId, Unfinished};

/// Reads a grammar; `None` takes the notation from the text. `name` is what it will be called.
///
/// The start symbol is `start` if there is such a rule, and the first rule otherwise.
///
/// # Errors
///
/// The text does not follow the notation, or mentions symbols that it does not define.
pub fn read(text: &str, format: Option<Format>, name: &str) -> Result<Grammar, ReadError> {
    match read_leniently(text, format, name)? {
        (grammar, None) => Ok(grammar),
        (_, Some(undefined)) => Err(undefined.into()),
    }
}

/// Reads a grammar that may mention symbols it does not define; those are
/// [external](crate::grammar::SymbolKind::External).
///
/// # Errors
///
/// The text does not follow the notation.
pub fn read_leniently(
    text: &str,
    format: Option<Format>,
    name: &str,
) -> Result<(Grammar, Option<Unfinished>), ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder::new(name);
    let first = match format.unwrap_or_else(|| Format::detect(text)) {
        Format::Book | Format::Lists => book::read(&mut builder, text)?,
        Format::Bnf => bnf::read(&mut builder, text)?,
        Format::Iso => iso::read(&mut builder, text)?,
        Format::W3c => w3c::read(&mut builder, text)?,
    };
    let first = first.ok_or(ReadError::Empty)?;
    let (grammar, undefined) = builder.finish_anyway(first);
    let start = grammar
        .rule("start")
        .filter(|&id| grammar.body(id).is_some());
    Ok((grammar.with_start(start.unwrap_or(first)), undefined))
}

/// The rule of a name, with or without brackets, to start from.
///
/// # Errors
///
/// There is none.
pub fn start_symbol(grammar: &Grammar, name: &str) -> Result<SymbolId, ReadError> {
    let bare = name
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'));
    let found = bare
        .and_then(|bare| grammar.rule(bare))
        .or(grammar.rule(name));
    found.ok_or_else(|| {
        let names = grammar.rules().map(|(id, _)| &*grammar.symbol(id).name);
        ReadError::NoStart {
            name: name.into(),
            like: crate::suggest::nearest(bare.unwrap_or(name), names).map(String::from),
        }
    })
}
