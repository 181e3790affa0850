//! Tests that the built-in grammars are those of the linked parsers.

use nubbin_grammar::automaton::Edge;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use nubbin_grammar::syntax::Syntax;
use nubbin_languages::catalogue;
use std::collections::BTreeSet;

/// A symbol that trees can show: its name, and whether it is named.
type Shown = (String, bool);

fn shown_by_grammar(grammar: &Grammar) -> BTreeSet<Shown> {
    let automata = grammar.automata();
    let mut symbols: BTreeSet<SymbolId> = BTreeSet::from([grammar.start()]);
    let extras = grammar.extras().iter().copied();
    symbols.extend(extras.filter(|id| grammar.symbol(*id).visibility.is_shown()));
    // Only reachable rules count, since the generator leaves out the others.
    let mut todo: Vec<SymbolId> = symbols.iter().copied().collect();
    let mut seen: BTreeSet<SymbolId> = todo.iter().copied().collect();
    while let Some(rule) = todo.pop() {
        let Some((first, _)) = automata.ends(rule) else {
            continue;
        };
        let mut states = vec![first];
        let mut visited = BTreeSet::from([first]);
        while let Some(state) = states.pop() {
            for edge in automata.edges(state) {
                if visited.insert(edge.to()) {
                    states.push(edge.to());
                }
                match *edge {
                    Edge::Child(symbol, mention, _) => {
                        symbols.insert(symbol);
                        grammar.each_symbol(mention, |meant| {
                            if seen.insert(meant) {
                                todo.push(meant);
                            }
                        });
                    }
                    Edge::Call(symbol, _) if seen.insert(symbol) => todo.push(symbol),
                    _ => {}
                }
            }
        }
    }
    symbols
        .iter()
        .map(|&id| {
            let symbol = grammar.symbol(id);
            let named = !matches!(symbol.kind, SymbolKind::Literal(_));
            (symbol.name.to_string(), named)
        })
        .collect()
}

#[test]
fn every_grammar_is_that_of_its_parser() {
    for entry in catalogue::all() {
        let Some(language) = entry.language().unwrap() else {
            continue;
        };
        let parser = language.parser();
        let grammar = language.grammar();
        let by_grammar = shown_by_grammar(grammar);
        let mut by_parser = BTreeSet::new();
        for id in 1..u16::try_from(parser.node_kind_count()).unwrap() {
            if parser.node_kind_is_visible(id) {
                let name = match parser.node_kind_for_id(id).unwrap() {
                    "" => "\0",
                    name => name,
                };
                by_parser.insert((name.to_owned(), parser.node_kind_is_named(id)));
            }
        }
        let only_grammar: Vec<_> = by_grammar.difference(&by_parser).collect();
        assert!(only_grammar.is_empty(), "{}: {only_grammar:?}", entry.id);
        // A scanner may be made for several grammars, and make tokens that one of them does not
        // use.
        let unused = |(name, _): &&Shown| {
            let symbol = grammar.rule(name).map(|id| &grammar.symbol(id).kind);
            symbol == Some(&SymbolKind::External)
        };
        let only_parser = by_parser
            .difference(&by_grammar)
            .filter(|kind| !unused(kind));
        let only_parser: Vec<_> = only_parser.collect();
        assert!(only_parser.is_empty(), "{}: {only_parser:?}", entry.id);
    }
}

#[test]
fn every_parser_is_named_with_its_version_and_licence() {
    let notice = include_str!("../THIRD-PARTY.md");
    for entry in catalogue::all() {
        let Some((name, version)) = entry.origin.split_once(' ') else {
            assert!(entry.language().unwrap().is_none(), "{}", entry.id);
            continue;
        };
        let line = format!("| {name} | {version} | ");
        assert!(notice.contains(&line), "{line}");
    }
}
