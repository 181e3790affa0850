//! Grammars of *The Fuzzing Book* (A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler), as
//! JSON.

use super::ReadError;
use crate::grammar::{Builder, ExprId, Scope, SymbolId};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

pub(super) fn read(builder: &mut Builder, text: &str) -> Result<Option<SymbolId>, ReadError> {
    let rules: Rules = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            let what = "a grammar is an object, one entry per symbol";
            return json("the whole", what);
        }
        let line_start = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or_default();
        ReadError::at(text, floor_char(text, offset), format!("not JSON: {what}"))
    })?;
    let mut first = None;
    for (name, alternatives) in &rules.0 {
        let Some(bare) = symbol_name(name) else {
            let what = "the name of a symbol is in angle brackets, without spaces: `<name>`";
            return Err(json(&format!("`{name}`"), what));
        };
        let Value::Array(alternatives) = alternatives else {
            return Err(json(&format!("`{name}`"), "alternatives are a list"));
        };
        let rule = builder.rule(bare);
        first.get_or_insert(rule);
        let mut members = Vec::with_capacity(alternatives.len());
        for (i, alternative) in alternatives.iter().enumerate() {
            let place = || format!("`{name}`, alternative {}", i + 1);
            members.push(expansion(builder, alternative, &place)?);
        }
        let body = builder.choice(members);
        builder.define(rule, body);
    }
    Ok(first)
}

/// The entries of an object in their order, which is the order of the rules.
struct Rules(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Rules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Rules, A::Error> {
                let mut rules = vec![];
                while let Some(entry) = entries.next_entry()? {
                    rules.push(entry);
                }
                Ok(Rules(rules))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn floor_char(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn json(place: &str, what: impl Into<String>) -> ReadError {
    ReadError::Json {
        place: place.into(),
        what: what.into(),
    }
}

/// Returns the name in the angle brackets, if a text is exactly one symbol.
fn symbol_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix('<')?.strip_suffix('>')?;
    (!name.is_empty() && !name.contains(['<', '>', ' '])).then_some(name)
}

fn expansion(
    builder: &mut Builder,
    value: &Value,
    place: &dyn Fn() -> String,
) -> Result<ExprId, ReadError> {
    match value {
        Value::String(text) => Ok(string(builder, text)),
        Value::Array(tokens) => {
            let tokens = tokens.iter().map(|value| token(builder, value, place));
            let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
            Ok(builder.sequence(tokens))
        }
        _ => Err(json(
            &place(),
            "an alternative is a string, or a list of tokens",
        )),
    }
}

/// Reads a string with symbols in it. All other parts of the string are text.
fn string(builder: &mut Builder, text: &str) -> ExprId {
    let mut members = vec![];
    let mut rest = text;
    let mut from = 0;
    while let Some(open) = rest[from..].find('<').map(|i| from + i) {
        // A character that no name has ends the search for the name, so that no part is searched
        // twice.
        let inside = &rest[open + 1..];
        let len = inside.find(['<', '>', ' ']).unwrap_or(inside.len());
        let name = &inside[..len];
        if name.is_empty() || !inside[len..].starts_with('>') {
            from = open + 1 + len;
            continue;
        }
        members.push(builder.literal(&rest.as_bytes()[..open]));
        let symbol = builder.rule(name);
        members.push(builder.symbol(symbol));
        rest = &rest[open + name.len() + 2..];
        from = 0;
    }
    members.push(builder.literal(rest.as_bytes()));
    builder.sequence(members)
}

fn token(
    builder: &mut Builder,
    value: &Value,
    place: &dyn Fn() -> String,
) -> Result<ExprId, ReadError> {
    match value {
        Value::String(text) => Ok(plain(builder, text)),
        Value::Object(fields) => annotated(builder, fields, place),
        _ => Err(json(&place(), "a token is a string or an object")),
    }
}

fn plain(builder: &mut Builder, text: &str) -> ExprId {
    match symbol_name(text) {
        Some(name) => {
            let symbol = builder.rule(name);
            builder.symbol(symbol)
        }
        None => builder.literal(text.as_bytes()),
    }
}

/// Reads a token that states its effect on names: `defines`, `uses` (`otherwise`), `commits`.
fn annotated(
    builder: &mut Builder,
    fields: &Map<String, Value>,
    place: &dyn Fn() -> String,
) -> Result<ExprId, ReadError> {
    const KNOWN: [&str; 6] = ["symbol", "token", "defines", "uses", "otherwise", "commits"];
    if let Some(other) = fields.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        let what = match nubbin_suggest::nearest(other, KNOWN) {
            Some(like) => format!("unknown field `{other}`, did you mean `{like}`?"),
            None => format!("unknown field `{other}`; there are {}", KNOWN.join(", ")),
        };
        return Err(json(&place(), what));
    }
    let text = |key: &str| match fields.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(json(&place(), format!("`{key}` is a string"))),
    };
    let mut expr = match (text("symbol")?, text("token")?) {
        (Some(symbol), None) => match symbol_name(symbol) {
            Some(name) => {
                let symbol = builder.rule(name);
                builder.symbol(symbol)
            }
            None => {
                return Err(json(
                    &place(),
                    format!("`{symbol}` is not a symbol, such as `<name>`"),
                ));
            }
        },
        (None, Some(token)) => builder.literal(token.as_bytes()),
        _ => {
            let what = "a token that is an object has either a `symbol` or a `token`";
            return Err(json(&place(), what));
        }
    };
    let otherwise = text("otherwise")?.map(|text| builder.literal(text.as_bytes()));
    match text("uses")? {
        Some(name) => {
            let name = builder.name(name);
            expr = builder.scoped(expr, Scope::Uses { name, otherwise });
        }
        None if otherwise.is_some() => {
            return Err(json(&place(), "`otherwise` belongs to `uses`"));
        }
        None => {}
    }
    if let Some(name) = text("defines")? {
        let name = builder.name(name);
        expr = builder.scoped(expr, Scope::Defines(name));
    }
    if let Some(name) = text("commits")? {
        let name = builder.name(name);
        expr = builder.scoped(expr, Scope::Commits(name));
    }
    Ok(expr)
}
