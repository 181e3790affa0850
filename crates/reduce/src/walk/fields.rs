use crate::tree::{NodeId, Outline};
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, NameId, SymbolId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The fields that nodes stand in, also where a grammar gives the field to a hidden rule and the tree has
/// only what that rule stands for.
pub(super) struct Fields<'g> {
    grammar: &'g Grammar,
    /// By the rule of the node around, and the mention.
    known: FxHashMap<SymbolId, FxHashMap<ExprId, Field>>,
}

/// What is known of the field of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    None,
    Is(NameId),
    /// Now one, now another.
    Several,
}

impl<'g> Fields<'g> {
    pub(super) fn new(grammar: &'g Grammar) -> Self {
        Fields {
            grammar,
            known: FxHashMap::default(),
        }
    }

    /// The fields of a node and of all that was made one with it, the innermost first.
    pub(super) fn each(&mut self, outline: &Outline, id: NodeId, mut visit: impl FnMut(Field)) {
        let mut around = outline.node(outline.node(id).parent).symbol;
        let mut fields = vec![];
        for name in outline.names(id) {
            let field = name.place.map(|place| self.field(around, place));
            fields.extend(field.filter(|field| *field != Field::None));
            around = name.symbol;
        }
        fields.into_iter().rev().for_each(&mut visit);
    }

    fn field(&mut self, around: SymbolId, place: ExprId) -> Field {
        let grammar = self.grammar;
        let of_rule = self
            .known
            .entry(around)
            .or_insert_with(|| fields_of_rule(grammar, around));
        of_rule.get(&place).copied().unwrap_or(Field::None)
    }
}

/// The fields of all mentions that nodes directly below a rule can be of.
fn fields_of_rule(grammar: &Grammar, rule: SymbolId) -> FxHashMap<ExprId, Field> {
    let mut found: FxHashMap<ExprId, Field> = FxHashMap::default();
    let mut seen: FxHashSet<(SymbolId, Option<NameId>)> = FxHashSet::default();
    let mut todo: Vec<(ExprId, Option<NameId>)> = vec![];
    todo.extend(grammar.body(rule).map(|body| (body, None)));
    while let Some((id, outer)) = todo.pop() {
        if let Expr::Symbol { symbol, field, .. } = grammar.expr(id) {
            let field = field.or(outer);
            let new = field.map_or(Field::None, Field::Is);
            let there = found.entry(id).or_insert(new);
            if *there != new {
                *there = Field::Several;
            }
            let there = grammar.symbol(symbol);
            if let SymbolKind::Rule(body) = there.kind
                && !there.visibility.is_shown()
                && seen.insert((symbol, field))
            {
                todo.push((body, field));
            }
        }
        grammar.each_part(id, |part| todo.push((part, outer)));
    }
    found
}
