use super::{Format, ReadError, antlr, bnf, book, iso, w3c};
use crate::grammar::{Builder, Grammar, SymbolId, Unfinished};

/// Reads a grammar and names it `name`. If `format` is `None`, the notation is guessed from the
/// text.
///
/// The start symbol is `start` if there is such a rule, and the first rule otherwise.
///
/// # Errors
///
/// Returns an error if the text does not follow the notation, or mentions undefined symbols.
pub fn read(text: &str, format: Option<Format>, name: &str) -> Result<Grammar, ReadError> {
    match read_leniently(text, format, name)? {
        (grammar, None) => Ok(grammar),
        (_, Some(undefined)) => Err(undefined.into()),
    }
}

/// Reads a grammar that may mention undefined symbols, which become
/// [external](crate::grammar::SymbolKind::External).
///
/// # Errors
///
/// Returns an error if the text does not follow the notation.
pub fn read_leniently(
    text: &str,
    format: Option<Format>,
    name: &str,
) -> Result<(Grammar, Option<Unfinished>), ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let format = format.unwrap_or_else(|| Format::detect(text));
    if format == Format::Antlr {
        let read = antlr::read(text, name, &mut |_| None)?;
        return Ok((read.grammar, read.undefined));
    }
    let mut builder = Builder::new(name);
    let first = match format {
        Format::Book | Format::Lists => book::read(&mut builder, text)?,
        Format::Bnf => bnf::read(&mut builder, text)?,
        Format::Iso => iso::read(&mut builder, text)?,
        Format::W3c => w3c::read(&mut builder, text)?,
        Format::Antlr => None,
    };
    let first = first.ok_or(ReadError::Empty)?;
    let (grammar, undefined) = builder.finish_anyway(first);
    let start = grammar
        .rule("start")
        .filter(|&id| grammar.body(id).is_some());
    Ok((grammar.with_start(start.unwrap_or(first)), undefined))
}

/// Returns the rule with a name, which may be in angle brackets.
///
/// # Errors
///
/// Returns an error if there is no such rule.
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
            like: nubbin_suggest::nearest(bare.unwrap_or(name), names).map(String::from),
        }
    })
}
