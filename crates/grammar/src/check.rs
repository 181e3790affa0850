//! What is odd about a grammar.

use crate::grammar::{Expr, ExprId, Grammar, SymbolId};
use std::fmt;

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be done with the grammar.
    Error,
    /// Most likely not what was meant.
    Warning,
    /// Good to know.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// Something odd about one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// One word for scripts: `unproductive`, `unreachable`, `circular`, `ambiguous`,
    /// `left-recursive`.
    pub kind: &'static str,
    /// Which rule.
    pub symbol: SymbolId,
    /// A sentence for people.
    pub message: String,
}

/// Everything odd about a grammar, the worst first, then in the order of the rules.
pub fn check(grammar: &Grammar) -> Vec<Finding> {
    let facts = grammar.facts();
    let mut findings = vec![];
    for (rule, body) in grammar.rules() {
        let name = &grammar.symbol(rule).name;
        let mut add = |severity, kind, message| {
            findings.push(Finding {
                severity,
                kind,
                symbol: rule,
                message,
            });
        };
        if !facts.productive(rule) {
            let severity = match rule == grammar.start() {
                true => Severity::Error,
                false => Severity::Warning,
            };
            let message =
                format!("<{name}> derives no text: every way to expand it goes on for ever");
            add(severity, "unproductive", message);
        }
        if !facts.reachable(rule) {
            let start = &grammar.symbol(grammar.start()).name;
            let message = format!("<{name}> is never used on a way from <{start}>");
            add(Severity::Warning, "unreachable", message);
        }
        if facts.stands_for(rule).contains(&rule) {
            let message = format!("<{name}> can be itself and nothing else: it has endless trees");
            add(Severity::Warning, "circular", message);
        }
        if let Some(how) = nothing_twice(grammar, body) {
            let message = format!("<{name}> can be nothing in more than one way: {how}");
            add(Severity::Warning, "ambiguous", message);
        }
        if facts.left_recursive(rule) {
            let message =
                format!("<{name}> is left-recursive: fine here, a top-down parser would not end");
            add(Severity::Note, "left-recursive", message);
        }
    }
    findings.sort_by_key(|finding| (finding.severity, finding.symbol));
    findings
}

/// How an expression can be nothing in two ways, if one of its parts can.
fn nothing_twice(grammar: &Grammar, body: ExprId) -> Option<String> {
    let facts = grammar.facts();
    let mut todo = vec![body];
    while let Some(id) = todo.pop() {
        match grammar.expr(id) {
            Expr::Optional(inner) if facts.expr_nullable(inner) => {
                return Some("what is optional can be nothing anyway".into());
            }
            Expr::Repeat(repeat) if facts.expr_nullable(repeat.body) => {
                let between = repeat.separator.is_none_or(|s| facts.expr_nullable(s));
                if between && repeat.max.is_none_or(|max| max > 1) {
                    return Some("what is repeated can be nothing".into());
                }
            }
            Expr::Choice(list) => {
                let members = grammar.list(list).iter().enumerate();
                let nullable: Vec<String> = members
                    .filter(|(_, id)| facts.expr_nullable(**id))
                    .map(|(i, _)| (i + 1).to_string())
                    .collect();
                if nullable.len() > 1 {
                    return Some(format!(
                        "alternatives {} of it can be nothing",
                        nullable.join(" and ")
                    ));
                }
            }
            _ => {}
        }
        let from = todo.len();
        grammar.each_part(id, |part| todo.push(part));
        todo[from..].reverse();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    #[test]
    fn what_is_odd_is_found() {
        let cases = [
            ("<s> ::= 'a' <s> | ''", vec![]),
            ("<s> ::= 'a' <s>", vec!["error unproductive s"]),
            (
                "<s> ::= 'a' | <t>\n<t> ::= 't' <t>\n<u> ::= 'u'",
                vec!["warning unproductive t", "warning unreachable u"],
            ),
            (
                "<s> ::= <s> | 'a'",
                vec!["warning circular s", "note left-recursive s"],
            ),
            ("<s> ::= <s> '+' 'a' | 'a'", vec!["note left-recursive s"]),
            ("<s> ::= ('a'?)*", vec!["warning ambiguous s"]),
            (
                "<s> ::= <a> | <b>\n<a> ::= 'x' | ''\n<b> ::= ''",
                vec!["warning ambiguous s"],
            ),
            ("<s> ::= ('a'?)?", vec!["warning ambiguous s"]),
        ];
        for (text, expected) in cases {
            let grammar = read(text, None, "test").unwrap();
            let found: Vec<String> = check(&grammar)
                .iter()
                .map(|f| {
                    let name = &grammar.symbol(f.symbol).name;
                    format!("{} {} {name}", f.severity, f.kind)
                })
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
