//! The map from the numbers of a linked parser to the symbols of its grammar.

use crate::grammar_json::ERROR;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, NameId, SymbolId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Language;

/// The symbols of a grammar for the node kinds of its parser.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) error: SymbolId,
    kinds: Vec<Kind>,
    /// The names of the fields, by the parser's number.
    fields: Vec<Option<NameId>>,
    /// For each rule and shown symbol, a mention of that rule that is shown so.
    mentions: FxHashMap<(SymbolId, SymbolId), ExprId>,
}

#[derive(Debug, Default)]
struct Kind {
    /// The symbol that the node is shown as.
    shown: Option<SymbolId>,
    /// The possible rules and tokens of the node.
    contents: Box<[SymbolId]>,
}

impl Names {
    /// Returns the names of a language, or `None` if the grammar has no symbol for errors.
    pub(crate) fn of(language: &Language, grammar: &Grammar) -> Option<Self> {
        let error = grammar.rule(ERROR)?;
        let mut literals = FxHashMap::default();
        for id in grammar.symbol_ids() {
            if let SymbolKind::Literal(text) = &grammar.symbol(id).kind {
                literals.insert(&**text, id);
            }
        }
        let mut aliased: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        let mut mentions = FxHashMap::default();
        // The other names are only aliases.
        let mut made = FxHashSet::from_iter(grammar.extras().iter().copied());
        made.insert(grammar.start());
        for expr in grammar.expr_ids() {
            let Expr::Symbol { symbol, alias, .. } = grammar.expr(expr) else {
                continue;
            };
            made.insert(symbol);
            mentions
                .entry((symbol, alias.unwrap_or(symbol)))
                .or_insert(expr);
            if let Some(alias) = alias {
                let contents = aliased.entry(alias).or_default();
                if !contents.contains(&symbol) {
                    contents.push(symbol);
                }
            }
        }
        let shown = |id: u16| {
            let name = language.node_kind_for_id(id)?;
            let anonymous = language.node_kind_is_visible(id) && !language.node_kind_is_named(id);
            match anonymous {
                // The name of a zero byte ends before that byte.
                true if name.is_empty() => literals.get(&b"\0"[..]).copied(),
                true => literals.get(name.as_bytes()).copied(),
                false => grammar.rule(name),
            }
        };
        let mut kinds: Vec<Kind> = vec![];
        let mut numbers: FxHashMap<SymbolId, Vec<u16>> = FxHashMap::default();
        for id in 0..u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX) {
            let shown = shown(id);
            if let Some(shown) = shown {
                numbers.entry(shown).or_default().push(id);
            }
            let contents = shown.into_iter().collect();
            kinds.push(Kind { shown, contents });
        }
        // A symbol with the same alias everywhere has no name of its own in the parser.
        for (&symbol, ids) in &numbers {
            let nameless = aliased.get(&symbol).into_iter().flatten().copied();
            let nameless = nameless.filter(|content| !numbers.contains_key(content));
            let itself = made.contains(&symbol).then_some(symbol);
            let mut contents: Vec<SymbolId> = nameless.chain(itself).collect();
            let is_rule = |id: &SymbolId| matches!(grammar.symbol(*id).kind, SymbolKind::Rule(_));
            contents.sort_by_key(|id| (is_rule(id), *id));
            contents.dedup();
            let tokens = contents.iter().filter(|id| !is_rule(id)).count();
            for (i, &id) in ids.iter().enumerate() {
                // Tokens are numbered before rules. Rules are in the order of the grammar.
                let these = if ids.len() != contents.len() {
                    &contents[..]
                } else if i < tokens {
                    &contents[..tokens]
                } else {
                    &contents[i..=i]
                };
                kinds[usize::from(id)].contents = these.into();
            }
        }
        let by_text: FxHashMap<&str, NameId> = (grammar.name_ids())
            .map(|name| (grammar.text_of(name), name))
            .collect();
        let fields = (0..=u16::try_from(language.field_count()).unwrap_or(u16::MAX))
            .map(|id| by_text.get(language.field_name_for_id(id)?).copied());
        Some(Names {
            error,
            kinds,
            fields: fields.collect(),
            mentions,
        })
    }

    /// Returns the name of a symbol that the parser shows and the grammar does not have.
    pub(crate) fn unknown<'l>(&self, language: &'l Language) -> Option<&'l str> {
        let ids = (1u16..).zip(self.kinds.iter().skip(1));
        let mut unknown =
            ids.filter(|(id, kind)| kind.shown.is_none() && language.node_kind_is_visible(*id));
        unknown.find_map(|(id, _)| language.node_kind_for_id(id))
    }

    /// Returns the symbol that nodes of this kind are shown as, or `None` if the grammar has none.
    pub(crate) fn shown(&self, kind: u16) -> Option<SymbolId> {
        self.kinds.get(usize::from(kind))?.shown
    }

    /// Returns the possible symbols of nodes that are of this kind without an alias. There are
    /// several if the parser keeps one name for all uses. The result is empty if they are not
    /// known.
    pub(crate) fn contents(&self, kind: u16) -> &[SymbolId] {
        let kind = self.kinds.get(usize::from(kind));
        kind.map_or(&[], |kind| &kind.contents)
    }

    /// Returns a field by the parser's number.
    pub(crate) fn field(&self, id: u16) -> Option<NameId> {
        self.fields.get(usize::from(id)).copied().flatten()
    }

    /// Returns a mention of `rule` that is shown as `shown`.
    pub(crate) fn mention(&self, rule: SymbolId, shown: SymbolId) -> Option<ExprId> {
        self.mentions.get(&(rule, shown)).copied()
    }
}
