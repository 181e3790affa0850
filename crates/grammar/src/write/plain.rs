//! Notations without quantifiers. Every repetition becomes a separate rule.

use super::WriteError;
use crate::grammar::{Expr, ExprId, Grammar, Repeat, Scope, SymbolId, SymbolKind};
use crate::read::Format;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

pub(super) fn write(grammar: &Grammar, format: Format) -> Result<String, WriteError> {
    let taken = grammar
        .rules()
        .map(|(id, _)| name_of(grammar, id))
        .collect();
    let mut plain = Plain {
        grammar,
        format,
        rules: vec![],
        by_expr: FxHashMap::default(),
        taken,
        rule: String::new(),
    };
    // The start symbol is written first, since a reader starts from it.
    let mut order: Vec<_> = grammar.rules().collect();
    order.sort_by_key(|(id, _)| *id != grammar.start());
    for (id, body) in order {
        plain.rule = name_of(grammar, id);
        let name = plain.rule.clone();
        let at = plain.rules.len();
        plain.rules.push((name, vec![]));
        let alternatives = plain.alternatives(body)?;
        plain.rules[at].1 = alternatives;
    }
    if format == Format::Book {
        plain.separate_brackets();
    }
    Ok(match format {
        Format::Bnf => bnf(&plain.rules),
        _ => book(&plain.rules, format),
    })
}

/// Returns a name for angle brackets. It has no spaces in JSON, and no brackets in any notation.
fn name_of(grammar: &Grammar, id: SymbolId) -> String {
    let name = &grammar.symbol(id).name;
    name.replace(['<', '>', ' ', '\n'], "-")
}

#[derive(Clone)]
enum Token {
    Text(String),
    Symbol(String),
    Annotated(Map<String, Value>),
}

struct Plain<'g> {
    grammar: &'g Grammar,
    format: Format,
    rules: Vec<(String, Vec<Vec<Token>>)>,
    by_expr: FxHashMap<ExprId, String>,
    taken: FxHashSet<String>,
    /// The rule that is being written. Auxiliary rules are named after it.
    rule: String,
}

impl Plain<'_> {
    /// Writes the first bracket of text that would read as a symbol with a separate rule.
    fn separate_brackets(&mut self) {
        let free = (0..).map(|i| match i {
            0 => "less-than".into(),
            i => format!("less-than-{i}"),
        });
        let bracket = free.into_iter().find(|name| !self.taken.contains(name));
        let bracket: String = bracket.unwrap_or_default();
        let mut used = false;
        for (_, alternatives) in &mut self.rules {
            for tokens in alternatives {
                let mut at = 0;
                while at < tokens.len() {
                    let rest: String = tokens[at..].iter().map(book_token).collect();
                    if let Token::Text(text) = &tokens[at]
                        && let Some(open) = text
                            .match_indices('<')
                            .map(|(i, _)| i)
                            .find(|&i| reads_as_symbol(&rest[i..]))
                    {
                        let (before, after) = (text[..open].into(), text[open + 1..].into());
                        let split = [
                            Token::Text(before),
                            Token::Symbol(bracket.clone()),
                            Token::Text(after),
                        ];
                        tokens.splice(at..=at, split);
                        used = true;
                        at += 1;
                    }
                    at += 1;
                }
            }
        }
        if used {
            self.add(&bracket, vec![vec![Token::Text("<".into())]]);
        }
    }

    fn alternatives(&mut self, id: ExprId) -> Result<Vec<Vec<Token>>, WriteError> {
        let grammar = self.grammar;
        let mut out = vec![];
        for &member in grammar.alternatives(&id) {
            if let Expr::Symbol { symbol, .. } = grammar.expr(member)
                && let SymbolKind::Class(_) = grammar.symbol(symbol).kind
            {
                out.extend(self.class(symbol)?);
                continue;
            }
            let mut tokens = vec![];
            self.expr(member, &mut tokens)?;
            out.push(tokens);
        }
        Ok(out)
    }

    fn class(&self, symbol: SymbolId) -> Result<Vec<Vec<Token>>, WriteError> {
        let symbol = self.grammar.symbol(symbol);
        let SymbolKind::Class(set) = symbol.kind else {
            return Ok(vec![]);
        };
        if set.iter().any(|byte| !byte.is_ascii()) {
            return Err(WriteError::Bytes(symbol.name.to_string(), self.format));
        }
        let text = |byte| vec![Token::Text(char::from(byte).into())];
        Ok(set.iter().map(text).collect())
    }

    /// Creates a separate rule for a part. The caller adds its alternatives.
    fn auxiliary(&mut self) -> String {
        let numbered = (1..).map(|i| format!("{}-{i}", self.rule));
        let mut free = numbered.filter(|name| !self.taken.contains(name));
        let name = free.next().unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    fn add(&mut self, name: &str, alternatives: Vec<Vec<Token>>) {
        self.rules.push((name.into(), alternatives));
    }

    /// Creates a separate rule for an expression.
    fn part(&mut self, id: ExprId, tokens: &mut Vec<Token>) -> Result<(), WriteError> {
        let name = match self.by_expr.get(&id) {
            Some(name) => name.clone(),
            None => {
                let name = self.auxiliary();
                self.by_expr.insert(id, name.clone());
                let alternatives = match self.grammar.expr(id) {
                    Expr::Optional(body) => {
                        let mut alternatives = self.alternatives(body)?;
                        alternatives.push(vec![]);
                        alternatives
                    }
                    _ => self.alternatives(id)?,
                };
                self.add(&name, alternatives);
                name
            }
        };
        tokens.push(Token::Symbol(name));
        Ok(())
    }

    fn expr(&mut self, id: ExprId, tokens: &mut Vec<Token>) -> Result<(), WriteError> {
        let grammar = self.grammar;
        match grammar.expr(id) {
            Expr::Empty => {}
            Expr::Symbol { symbol, .. } => self.symbol(id, symbol, tokens)?,
            Expr::Sequence(list) => {
                for &member in grammar.list(list) {
                    self.expr(member, tokens)?;
                }
            }
            Expr::Choice(_) | Expr::Optional(_) => self.part(id, tokens)?,
            Expr::Repeat(repeat) => self.repeat(repeat, tokens)?,
            Expr::Precedence { body, .. } => self.expr(body, tokens)?,
            Expr::Scoped { body, scope } => self.scoped(body, scope, tokens)?,
        }
        Ok(())
    }

    fn symbol(
        &mut self,
        id: ExprId,
        symbol: SymbolId,
        tokens: &mut Vec<Token>,
    ) -> Result<(), WriteError> {
        let grammar = self.grammar;
        match &grammar.symbol(symbol).kind {
            SymbolKind::Rule(_) => tokens.push(Token::Symbol(name_of(grammar, symbol))),
            SymbolKind::Literal(text) => tokens.push(Token::Text(self.text(text)?)),
            SymbolKind::Class(_) => match &self.class(symbol)?[..] {
                [one] => tokens.extend(one.iter().cloned()),
                several => {
                    let name = match self.by_expr.get(&id) {
                        Some(name) => name.clone(),
                        None => {
                            let name = self.auxiliary();
                            self.by_expr.insert(id, name.clone());
                            self.add(&name, several.to_vec());
                            name
                        }
                    };
                    tokens.push(Token::Symbol(name));
                }
            },
            SymbolKind::Pattern(body) => self.expr(*body, tokens)?,
            SymbolKind::External => {
                let name = grammar.symbol(symbol).name.to_string();
                return Err(WriteError::External(name));
            }
        }
        Ok(())
    }

    fn text(&self, bytes: &[u8]) -> Result<String, WriteError> {
        let text = String::from_utf8(bytes.to_vec());
        text.map_err(|error| {
            let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
            WriteError::Bytes(shown, self.format)
        })
    }

    /// Creates a rule with right recursion, so that the result also suits top-down tools.
    fn repeat(&mut self, repeat: Repeat, tokens: &mut Vec<Token>) -> Result<(), WriteError> {
        let mut body = vec![];
        self.expr(repeat.body, &mut body)?;
        if repeat.max.unwrap_or(repeat.min) > 2 && body.len() > 1 {
            // Nested counts would multiply, so the body becomes a rule.
            let name = self.auxiliary();
            self.add(&name, vec![std::mem::take(&mut body)]);
            body.push(Token::Symbol(name));
        }
        let mut again = vec![];
        if let Some(separator) = repeat.separator {
            self.expr(separator, &mut again)?;
        }
        again.extend(body.iter().cloned());
        for i in 0..repeat.min {
            tokens.extend(if i == 0 { &body } else { &again }.iter().cloned());
        }
        match repeat.max {
            None => {
                let more = self.auxiliary();
                let mut step = again;
                step.push(Token::Symbol(more.clone()));
                self.add(&more, vec![step, vec![]]);
                if repeat.min == 0 && repeat.separator.is_some() {
                    let first = self.auxiliary();
                    body.push(Token::Symbol(more));
                    self.add(&first, vec![body, vec![]]);
                    tokens.push(Token::Symbol(first));
                } else {
                    tokens.push(Token::Symbol(more));
                }
            }
            Some(max) => {
                // The text is built from the inside out, starting with the last possible iteration.
                let mut rest: Option<String> = None;
                for i in (repeat.min..max).rev() {
                    let mut step = if i == 0 { &body } else { &again }.clone();
                    step.extend(rest.take().map(Token::Symbol));
                    let name = self.auxiliary();
                    self.add(&name, vec![step, vec![]]);
                    rest = Some(name);
                }
                tokens.extend(rest.map(Token::Symbol));
            }
        }
        Ok(())
    }

    fn scoped(
        &mut self,
        body: ExprId,
        scope: Scope,
        tokens: &mut Vec<Token>,
    ) -> Result<(), WriteError> {
        let mut inner = vec![];
        self.expr(body, &mut inner)?;
        if self.format == Format::Lists {
            let fields = match &inner[..] {
                [Token::Annotated(fields)] => Some(fields.clone()),
                [Token::Symbol(name)] => Some(field("symbol", format!("<{name}>"))),
                [Token::Text(text)] => Some(field("token", text.clone())),
                _ => None,
            };
            let mut fields = match fields {
                Some(fields) => fields,
                None => {
                    let name = self.auxiliary();
                    self.add(&name, vec![std::mem::take(&mut inner)]);
                    field("symbol", format!("<{name}>"))
                }
            };
            let (key, name) = match scope {
                Scope::Defines(name) => ("defines", name),
                Scope::Uses { name, .. } => ("uses", name),
                Scope::Commits(name) => ("commits", name),
            };
            fields.insert(key.into(), self.grammar.text_of(name).into());
            if let Scope::Uses {
                otherwise: Some(otherwise),
                ..
            } = scope
            {
                let mut text = vec![];
                self.expr(otherwise, &mut text)?;
                if let [Token::Text(text)] = &text[..] {
                    fields.insert("otherwise".into(), text.clone().into());
                }
            }
            tokens.push(Token::Annotated(fields));
            return Ok(());
        }
        if let Scope::Uses {
            otherwise: Some(otherwise),
            ..
        } = scope
        {
            let mut other = vec![];
            self.expr(otherwise, &mut other)?;
            let name = self.auxiliary();
            self.add(&name, vec![inner, other]);
            inner = vec![Token::Symbol(name)];
        }
        tokens.append(&mut inner);
        Ok(())
    }
}

/// Returns whether a string begins with text that a reader would take for a symbol.
fn reads_as_symbol(text: &str) -> bool {
    let name = text[1..].find(['<', '>', ' ']);
    name.is_some_and(|len| len > 0 && text[1 + len..].starts_with('>'))
}

fn field(key: &str, value: String) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), Value::from(value))])
}

/// Writes one line per rule, or per alternative of a rule with many.
fn book(rules: &[(String, Vec<Vec<Token>>)], format: Format) -> String {
    let mut out = String::from("{\n");
    for (i, (name, alternatives)) in rules.iter().enumerate() {
        let values: Vec<Value> = alternatives
            .iter()
            .map(|tokens| match format {
                Format::Lists => tokens.iter().map(list_token).collect(),
                _ => tokens.iter().map(book_token).collect::<String>().into(),
            })
            .collect();
        let line = Value::from(values).to_string();
        let comma = if i + 1 < rules.len() { "," } else { "" };
        out.push_str(&format!(
            "  {}: {line}{comma}\n",
            json!(format!("<{name}>"))
        ));
    }
    out.push_str("}\n");
    out
}

fn list_token(token: &Token) -> Value {
    match token {
        // A text that looks like a symbol must be an object with `token`.
        Token::Text(text) if text.starts_with('<') && text.ends_with('>') => {
            json!({ "token": text })
        }
        Token::Text(text) => json!(text),
        Token::Symbol(name) => json!(format!("<{name}>")),
        Token::Annotated(fields) => Value::Object(fields.clone()),
    }
}

fn book_token(token: &Token) -> String {
    match token {
        Token::Text(text) => text.clone(),
        Token::Symbol(name) => format!("<{name}>"),
        Token::Annotated(_) => String::new(),
    }
}

fn bnf(rules: &[(String, Vec<Vec<Token>>)]) -> String {
    let mut out = String::new();
    for (name, alternatives) in rules {
        let alternatives: Vec<String> = alternatives
            .iter()
            .map(|tokens| match tokens[..] {
                [] => "\"\"".into(),
                _ => tokens.iter().map(bnf_token).collect::<Vec<_>>().join(" "),
            })
            .collect();
        out.push_str(&format!("<{name}> ::= {}\n", alternatives.join(" | ")));
    }
    out
}

fn bnf_token(token: &Token) -> String {
    match token {
        Token::Symbol(name) => format!("<{name}>"),
        Token::Annotated(_) => String::new(),
        Token::Text(text) => {
            let plain = |c: char| c != '\\' && !c.is_control();
            if text.chars().all(plain) && !text.contains('"') {
                return format!("\"{text}\"");
            }
            if text.chars().all(plain) && !text.contains('\'') {
                return format!("'{text}'");
            }
            let mut quoted = String::from("\"");
            for c in text.chars() {
                match c {
                    '\n' => quoted.push_str("\\n"),
                    '\r' => quoted.push_str("\\r"),
                    '\t' => quoted.push_str("\\t"),
                    '"' | '\\' => quoted.extend(['\\', c]),
                    c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
                    c => quoted.push(c),
                }
            }
            quoted + "\""
        }
    }
}
