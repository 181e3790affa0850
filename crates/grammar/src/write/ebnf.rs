//! The two notations with quantifiers.

use super::WriteError;
use crate::grammar::{Expr, ExprId, Grammar, Repeat, Scope, SymbolId, SymbolKind};
use crate::read::Format;
use regex_syntax::hir::{Class, Hir, HirKind};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn write(grammar: &Grammar, format: Format) -> Result<String, WriteError> {
    let mut taken = FxHashSet::default();
    let mut names = FxHashMap::default();
    for (id, _) in grammar.rules() {
        let mut name: String = grammar
            .symbol(id)
            .name
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.insert(id, name);
    }
    let ebnf = Ebnf {
        grammar,
        iso: format == Format::Iso,
        format,
        names,
    };
    let mut order: Vec<_> = grammar.rules().collect();
    order.sort_by_key(|(id, _)| *id != grammar.start());
    let mut out = String::new();
    for (id, body) in order {
        let body = ebnf.expr(body, Around::Nothing)?;
        let line = match ebnf.iso {
            true => format!("{} = {body} ;\n", ebnf.names[&id]),
            false => format!("{} ::= {body}\n", ebnf.names[&id]),
        };
        out.push_str(&line);
    }
    Ok(out)
}

/// The maximum size in bytes of a part that is written out.
const MOST_TEXT: usize = 1 << 20;

/// The context of an expression, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Nothing,
    Sequence,
    Quantifier,
}

struct Ebnf<'g> {
    grammar: &'g Grammar,
    iso: bool,
    format: Format,
    names: FxHashMap<SymbolId, String>,
}

impl Ebnf<'_> {
    fn sequence(&self, parts: &[String], around: Around) -> String {
        let text = parts.join(if self.iso { ", " } else { " " });
        match parts.len() > 1 && around == Around::Quantifier {
            true => format!("({text})"),
            false => text,
        }
    }

    fn choice(&self, parts: &[String], around: Around) -> String {
        let text = parts.join(" | ");
        match parts.len() > 1 && around > Around::Nothing {
            true => format!("({text})"),
            false => text,
        }
    }

    fn nothing(&self) -> String {
        if self.iso { "\"\"".into() } else { "''".into() }
    }

    fn optional(
        &self,
        body: impl Fn(Around) -> Result<String, WriteError>,
    ) -> Result<String, WriteError> {
        Ok(match self.iso {
            true => format!("[ {} ]", body(Around::Nothing)?),
            false => format!("{}?", body(Around::Quantifier)?),
        })
    }

    fn expr(&self, id: ExprId, around: Around) -> Result<String, WriteError> {
        let grammar = self.grammar;
        Ok(match grammar.expr(id) {
            Expr::Empty => self.nothing(),
            Expr::Symbol { symbol, .. } => self.symbol(symbol, around)?,
            Expr::Sequence(list) => {
                let members = grammar.list(list).iter();
                let parts: Result<Vec<_>, _> =
                    members.map(|&id| self.expr(id, Around::Sequence)).collect();
                self.sequence(&parts?, around)
            }
            Expr::Choice(list) => {
                let members = grammar.list(list).iter();
                let parts: Result<Vec<_>, _> =
                    members.map(|&id| self.expr(id, Around::Nothing)).collect();
                self.choice(&parts?, around)
            }
            Expr::Optional(body) => self.optional(|around| self.expr(body, around))?,
            Expr::Repeat(repeat) => {
                let Repeat {
                    body,
                    min,
                    max,
                    separator,
                } = repeat;
                let between = separator.map(|id| self.expr(id, Around::Sequence));
                let between = between.transpose()?;
                self.repeat(&|around| self.expr(body, around), between, min, max, around)?
            }
            Expr::Precedence { body, .. } => self.expr(body, around)?,
            Expr::Scoped { body, scope } => match scope {
                Scope::Uses {
                    otherwise: Some(otherwise),
                    ..
                } => {
                    let parts = [
                        self.expr(body, Around::Nothing)?,
                        self.expr(otherwise, Around::Nothing)?,
                    ];
                    self.choice(&parts, around)
                }
                _ => self.expr(body, around)?,
            },
        })
    }

    fn repeat(
        &self,
        body: &dyn Fn(Around) -> Result<String, WriteError>,
        between: Option<String>,
        min: u32,
        max: Option<u32>,
        around: Around,
    ) -> Result<String, WriteError> {
        if between.is_none() && max.is_none() && min < 2 && !self.iso {
            let quantifier = if min == 0 { '*' } else { '+' };
            return Ok(format!("{}{quantifier}", body(Around::Quantifier)?));
        }
        let once = body(Around::Sequence)?;
        let again = match &between {
            Some(between) => self.sequence(&[between.clone(), once.clone()], Around::Nothing),
            None => once.clone(),
        };
        let copies = max.unwrap_or(min) as usize;
        if copies > 1 && again.len().saturating_mul(copies) > MOST_TEXT {
            return Err(WriteError::TooLong(self.format));
        }
        let mut parts = vec![];
        if min > 1 && between.is_none() && self.iso {
            let counted = format!("{min} * {}", body(Around::Quantifier)?);
            let alone = max == Some(min);
            parts.push(match alone && around == Around::Quantifier {
                true => format!("({counted})"),
                false => counted,
            });
        } else {
            for i in 0..min {
                parts.push(if i == 0 { &once } else { &again }.clone());
            }
        }
        let first = min == 0 && between.is_some();
        match max {
            None => {
                let more = match self.iso {
                    true => format!("{{ {again} }}"),
                    false => format!("({again})*"),
                };
                if first {
                    let whole = self.sequence(&[once, more], Around::Nothing);
                    parts.push(self.bracketed(&whole));
                } else {
                    parts.push(more);
                }
            }
            Some(max) => {
                let mut rest: Option<String> = None;
                for i in (min..max).rev() {
                    let mut step = vec![if i == 0 { &once } else { &again }.clone()];
                    step.extend(rest.take());
                    rest = Some(self.bracketed(&self.sequence(&step, Around::Nothing)));
                }
                parts.extend(rest);
            }
        }
        Ok(match parts.is_empty() {
            true => self.nothing(),
            false => self.sequence(&parts, around),
        })
    }

    fn bracketed(&self, text: &str) -> String {
        match self.iso {
            true => format!("[ {text} ]"),
            false => format!("({text})?"),
        }
    }

    fn symbol(&self, id: SymbolId, around: Around) -> Result<String, WriteError> {
        let symbol = self.grammar.symbol(id);
        let bytes = || WriteError::Bytes(symbol.name.to_string(), self.format);
        match &symbol.kind {
            SymbolKind::Rule(_) => Ok(self.names[&id].clone()),
            SymbolKind::Literal(text) => {
                let text = std::str::from_utf8(text).map_err(|_| bytes())?;
                Ok(self.literal(text, around))
            }
            SymbolKind::Class(set) => {
                if set.iter().any(|byte| !byte.is_ascii()) {
                    return Err(bytes());
                }
                let ranges: Vec<(char, char)> = set
                    .ranges()
                    .into_iter()
                    .map(|(first, last)| (first.into(), last.into()))
                    .collect();
                Ok(match self.iso {
                    false => class(&ranges),
                    true if set.len() <= 64 && set.iter().all(|b| b.is_ascii_graphic()) => {
                        let each = set.iter().map(|b| quoted(&char::from(b).to_string()));
                        let each: Option<Vec<_>> = each.collect();
                        self.choice(&each.unwrap_or_default(), around)
                    }
                    true => special(&regex_class(&ranges)),
                })
            }
            SymbolKind::Pattern(_) if self.iso => Ok(special(&symbol.name)),
            SymbolKind::Pattern(_) => {
                let parsed = regex_syntax::parse(&symbol.name).map_err(|_| bytes())?;
                self.pattern(&parsed, around).ok_or_else(bytes)
            }
            SymbolKind::External => Err(WriteError::External(symbol.name.to_string())),
        }
    }

    fn literal(&self, text: &str, around: Around) -> String {
        if self.iso {
            let plain = quoted(text).filter(|_| !text.contains(char::is_control));
            return plain
                .unwrap_or_else(|| special(&regex_syntax::escape(text).replace('\n', "\\n")));
        }
        // The notation has no escapes, so the text is written as pieces with one kind of quote, and
        // code points.
        let mut parts: Vec<String> = vec![];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_control() {
                parts.push(format!("#x{:X}", u32::from(first)));
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let quote = if first == '"' { '\'' } else { '"' };
            let stop = |c: char| c == quote || c.is_control();
            let len = rest.find(stop).unwrap_or(rest.len());
            parts.push(format!("{quote}{}{quote}", &rest[..len]));
            rest = &rest[len..];
        }
        self.sequence(&parts, around)
    }

    /// Returns a regular expression in the notation, or `None` if it describes single bytes.
    fn pattern(&self, hir: &Hir, around: Around) -> Option<String> {
        Some(match hir.kind() {
            HirKind::Empty => self.nothing(),
            HirKind::Look(_) => return None,
            HirKind::Literal(literal) => {
                self.literal(std::str::from_utf8(&literal.0).ok()?, around)
            }
            HirKind::Class(Class::Unicode(set)) => {
                let ranges: Vec<_> = set.iter().map(|r| (r.start(), r.end())).collect();
                class(&ranges)
            }
            HirKind::Class(Class::Bytes(set)) => {
                let ranges = set.iter().map(|r| (r.start(), r.end()));
                let ranges: Option<Vec<(char, char)>> = ranges
                    .map(|(a, b)| b.is_ascii().then_some((a.into(), b.into())))
                    .collect();
                class(&ranges?)
            }
            HirKind::Capture(capture) => self.pattern(&capture.sub, around)?,
            HirKind::Concat(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.pattern(part, Around::Sequence));
                self.sequence(&parts.collect::<Option<Vec<_>>>()?, around)
            }
            HirKind::Alternation(parts) => {
                let parts = parts.iter().map(|part| self.pattern(part, Around::Nothing));
                self.choice(&parts.collect::<Option<Vec<_>>>()?, around)
            }
            HirKind::Repetition(repetition) => {
                let body = |around| {
                    let name = || WriteError::Bytes(String::new(), self.format);
                    self.pattern(&repetition.sub, around).ok_or_else(name)
                };
                if (repetition.min, repetition.max) == (0, Some(1)) {
                    return self.optional(body).ok();
                }
                let (min, max) = (repetition.min, repetition.max);
                self.repeat(&body, None, min, max, around).ok()?
            }
        })
    }
}

/// Returns the text in the kind of quotes that it does not contain, or `None` if it contains both.
fn quoted(text: &str) -> Option<String> {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => Some(format!("\"{text}\"")),
        (true, false) => Some(format!("'{text}'")),
        (true, true) => None,
    }
}

fn special(regex: &str) -> String {
    format!("? /{}/ ?", regex)
}

fn class(ranges: &[(char, char)]) -> String {
    let mut text = String::from("[");
    let one = |text: &mut String, c: char, glued: bool| {
        // A code point ends at the first character that is not a hexadecimal digit.
        if c.is_alphanumeric() && !(glued && c.is_ascii_hexdigit()) {
            text.push(c);
            return false;
        }
        text.push_str(&format!("#x{:X}", u32::from(c)));
        true
    };
    let mut glued = false;
    for &(first, last) in ranges {
        glued = one(&mut text, first, glued);
        if first != last {
            text.push('-');
            glued = one(&mut text, last, false);
        }
    }
    text + "]"
}

fn regex_class(ranges: &[(char, char)]) -> String {
    let one = |c: char| match c.is_alphanumeric() {
        true => c.to_string(),
        false => format!("\\x{:02x}", u32::from(c)),
    };
    let ranges = ranges.iter().map(|&(first, last)| match first == last {
        true => one(first),
        false => format!("{}-{}", one(first), one(last)),
    });
    format!("[{}]", ranges.collect::<String>())
}
