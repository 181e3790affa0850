//! Checks for likely mistakes in a grammar.

use crate::grammar::{Expr, ExprId, Grammar, SymbolId};
use std::fmt;

/// The severity of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The grammar cannot be used.
    Error,
    /// The rule is most likely a mistake.
    Warning,
    /// The rule may cause problems in other tools.
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

/// A likely mistake in one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The severity of the finding.
    pub severity: Severity,
    /// One word for scripts: `unproductive`, `unreachable`, `circular`, `ambiguous`,
    /// `left-recursive`.
    pub kind: &'static str,
    /// The rule with the likely mistake.
    pub symbol: SymbolId,
    /// A description for the user.
    pub message: String,
}

/// Returns the findings about a grammar, most severe first, then in the order of the rules.
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
            let message = format!("<{name}> derives no text: none of its expansions ends");
            add(severity, "unproductive", message);
        }
        if !facts.reachable(rule) {
            let start = &grammar.symbol(grammar.start()).name;
            let message = format!("<{name}> is not reachable from <{start}>");
            add(Severity::Warning, "unreachable", message);
        }
        if facts.circular(rule) {
            let message =
                format!("<{name}> derives itself alone: its texts have infinitely many trees");
            add(Severity::Warning, "circular", message);
        }
        if let Some(how) = nothing_twice(grammar, body) {
            let message = format!("<{name}> derives the empty text in more than one way: {how}");
            add(Severity::Warning, "ambiguous", message);
        }
        // Rules with operators may begin with themselves in ANTLR.
        let operators = grammar.alternatives(&body).iter().all(|&id| {
            let is_precedence = matches!(grammar.expr(id), Expr::Precedence { .. });
            is_precedence && grammar.lexing().is_some()
        });
        if facts.left_recursive(rule) && !operators {
            let message =
                format!("<{name}> is left-recursive, on which a top-down parser does not end");
            add(Severity::Note, "left-recursive", message);
        }
    }
    findings.sort_by_key(|finding| (finding.severity, finding.symbol));
    findings
}

/// Describes how a part of an expression derives the empty text in two ways, if one does.
fn nothing_twice(grammar: &Grammar, body: ExprId) -> Option<String> {
    let facts = grammar.facts();
    let mut todo = vec![body];
    while let Some(id) = todo.pop() {
        match grammar.expr(id) {
            Expr::Optional(inner) if facts.expr_nullable(inner) => {
                return Some("an optional part derives it as well".into());
            }
            Expr::Repeat(repeat) if facts.expr_nullable(repeat.body) => {
                let between = repeat.separator.is_none_or(|s| facts.expr_nullable(s));
                if between && repeat.max.is_none_or(|max| max > 1) {
                    return Some("a repeated part derives it".into());
                }
            }
            Expr::Choice(list) => {
                let members = grammar.list(list).iter().enumerate();
                let nullable: Vec<String> = members
                    .filter(|(_, id)| facts.expr_nullable(**id))
                    .map(|(i, _)| (i + 1).to_string())
                    .collect();
                if nullable.len() > 1 {
                    return Some(format!("alternatives {} derive it", nullable.join(" and ")));
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
    fn likely_mistakes_are_found() {
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
