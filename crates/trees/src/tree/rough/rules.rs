use super::node::Kind;
use nubbin_grammar::grammar::{Builder, ExprId, Grammar, SymbolId, Visibility};
use std::sync::Arc;

/// The grammar of rough trees.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) grammar: Arc<Grammar>,
    /// The rules, by the number of their kind.
    rules: Vec<Rule>,
}

/// The rule of a kind of nodes.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) symbol: SymbolId,
    /// The repetition that is the body of the rule.
    pub(super) body: ExprId,
    /// The mentions of other rules in the body.
    mentions: Vec<(Kind, ExprId)>,
}

impl Rule {
    /// Returns the mention of another rule in the body.
    pub(super) fn mention(&self, kind: Kind) -> Option<ExprId> {
        let mut mentions = self.mentions.iter();
        mentions
            .find(|(other, _)| *other == kind)
            .map(|&(_, mention)| mention)
    }
}

impl Rules {
    /// Creates the grammar, which is the same for all texts.
    pub(super) fn new() -> Self {
        let mut builder = Builder::new("rough");
        let symbols = Kind::ALL.map(|kind| builder.rule(kind.name()));
        let comma = builder.literal(b",");
        // The comma is a gap in the tree, like all other text.
        if let Some(symbol) = builder.literal_symbol(b",") {
            builder.show(symbol, Visibility::Hidden);
        }
        let rules = Kind::ALL.map(|kind| {
            let mention = |&inner: &Kind| (inner, builder.symbol(symbols[inner as usize]));
            let mentions: Vec<(Kind, ExprId)> = kind.within().iter().map(mention).collect();
            let any = builder.choice(mentions.iter().map(|&(_, mention)| mention).collect());
            let separator = (kind == Kind::List).then_some(comma);
            Rule {
                symbol: symbols[kind as usize],
                body: builder.repeat(any, 0, None, separator),
                mentions,
            }
        });
        for rule in &rules {
            builder.define(rule.symbol, rule.body);
        }
        // All rules are defined.
        let (grammar, _) = builder.finish_anyway(symbols[Kind::File as usize]);
        Rules {
            grammar: Arc::new(grammar),
            rules: rules.into(),
        }
    }

    pub(super) fn rule(&self, kind: Kind) -> &Rule {
        &self.rules[kind as usize]
    }
}
