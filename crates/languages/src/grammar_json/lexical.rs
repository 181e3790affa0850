//! Decides which rules are tokens.

use super::source::{Kind, Rule, Source};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns the rules for which trees have leaves: those whose whole body is one token that no other
/// rule uses. A token that is also used elsewhere is a child of its rule.
///
/// The first rule is never one of them.
pub(super) fn rules(source: &Source) -> FxHashSet<&str> {
    let mut uses: FxHashMap<&Rule, usize> = FxHashMap::default();
    let bodies = source.rules.0.iter().map(|(_, body)| body);
    let mut todo: Vec<&Rule> = bodies.chain(&source.externals).collect();
    while let Some(rule) = todo.pop() {
        if rule.is_token() {
            *uses.entry(key(rule)).or_default() += 1;
        } else {
            todo.extend(&rule.members);
            todo.extend(rule.content());
        }
    }
    let rules = source.rules.0.iter().skip(1);
    rules
        .filter(|(name, body)| {
            let hidden_word = name.starts_with('_') && body.literal().is_some();
            body.is_token() && uses.get(key(body)) == Some(&1) && !hidden_word
        })
        .map(|(name, _)| name.as_str())
        .collect()
}

/// Returns the rule that identifies a token: `token("x")` is the same token as `"x"`.
fn key(rule: &Rule) -> &Rule {
    match (rule.kind, rule.content()) {
        (Kind::Token, Some(content)) if content.kind == Kind::String => content,
        _ => rule,
    }
}
