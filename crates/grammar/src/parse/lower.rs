//! The conversion of a grammar to plain productions.

use super::climb::Climb;
use super::error::ParserError;
use super::lowering::Lowering;
use super::productions::{Lowered, Makes};
use crate::grammar::{Grammar, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

impl Lowered {
    /// Lowers a grammar. `tokens` means that the text is given as terminal symbols instead of
    /// bytes.
    pub(super) fn of(grammar: &Grammar, tokens: bool) -> Result<Self, ParserError> {
        let mut lowering = Lowering {
            grammar,
            tokens,
            out: Lowered::default(),
            rules: FxHashMap::default(),
            todo: vec![],
        };
        lowering.out.start = lowering.rule(grammar.start())?;
        while let Some((symbol, nonterminal)) = lowering.todo.pop() {
            if let SymbolKind::Rule(body) | SymbolKind::Pattern(body) = grammar.symbol(symbol).kind
            {
                match Climb::of(grammar, symbol) {
                    Some(climb) => climb.lower(&mut lowering, nonterminal)?,
                    None => lowering.alternatives(nonterminal, body)?,
                }
            }
        }
        let mut rules: Vec<(SymbolId, u32)> = lowering.rules.into_iter().collect();
        rules.sort_unstable_by_key(|&(symbol, _)| (symbol != grammar.start(), symbol));
        let mut out = lowering.out;
        out.islands = rules.into_iter().map(|(_, rule)| rule).collect();
        let all = out.nonterminals.iter().zip(0u32..);
        let repeats = all.filter(|(nonterminal, _)| matches!(nonterminal.makes, Makes::Repeat(_)));
        out.islands.extend(repeats.map(|(_, index)| index));
        for (index, production) in out.productions.iter().enumerate() {
            let list = &mut out.nonterminals[production.lhs as usize].productions;
            list.push(index as u32);
        }
        for nonterminal in &mut out.nonterminals {
            let levels = |&index: &u32| out.productions[index as usize].level;
            nonterminal.productions.sort_by_key(levels);
        }
        Ok(out)
    }
}
