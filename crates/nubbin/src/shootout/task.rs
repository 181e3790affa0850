//! A reduction task: a generated input and a test for symbols in it.

use super::grammars::Subject;
use nubbin_generate::{Choices, Generator, SizeTarget};
use nubbin_grammar::grammar::{Grammar, SymbolId};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::tree::{NodeKind, Tree};
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An input with its test and their properties.
pub(super) struct Task {
    pub(super) subject: usize,
    pub(super) text: Vec<u8>,
    pub(super) test: SymbolTest,
    pub(super) circumstances: Circumstances,
}

/// The properties of a task that may influence the ranking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    /// The requested size, in bytes.
    pub(super) size: u64,
    /// The number of symbols that the test needs; 0 for the test of the Fuzzing Book.
    pub(super) needed: usize,
    /// The depth of the tree.
    pub(super) depth: u32,
    /// The distance of the needed symbols, as a part of the length of the text.
    pub(super) spread: f64,
}

/// The test of the exercise: *unresolved* if the input is not valid, *fail* if all needed symbols
/// occur in it, and *pass* otherwise.
pub(super) struct SymbolTest {
    parser: Arc<Parser>,
    wanted: Wanted,
}

enum Wanted {
    Symbols(Vec<SymbolId>),
    /// The test fails if a closing parenthesis follows an opening parenthesis, like the mystery
    /// function of the Fuzzing Book.
    Mystery,
}

impl Oracle for SymbolTest {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        let Ok(tree) = self.parser.parse(candidate.bytes()) else {
            return Ok(Verdict::Unresolved(Unresolved::Invalid));
        };
        let fails = match &self.wanted {
            Wanted::Symbols(symbols) => symbols.iter().all(|&symbol| occurs(&tree, symbol)),
            Wanted::Mystery => mystery(candidate.bytes()),
        };
        Ok(if fails { Verdict::Fail } else { Verdict::Pass })
    }
}

fn occurs(tree: &Tree, symbol: SymbolId) -> bool {
    tree.nodes()
        .any(|(_, node)| node.symbol == symbol && is_symbol(node.kind))
}

fn is_symbol(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Rule | NodeKind::Token)
}

fn mystery(text: &[u8]) -> bool {
    let open = text.iter().position(|&byte| byte == b'(');
    open.is_some_and(|open| text[open..].contains(&b')'))
}

/// The numbers of tasks of each kind.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    pub(super) sizes: Vec<u64>,
    /// The number of inputs for each grammar, size, and number of symbols.
    pub(super) inputs: u64,
}

/// Returns the tasks of one grammar.
pub(super) fn tasks(index: usize, subject: &Subject, measure: &Measure, seed: u64) -> Vec<Task> {
    let common = common(&subject.grammar, &subject.parser);
    let mut found = vec![];
    for (at, &size) in measure.sizes.iter().enumerate() {
        let target = SizeTarget { bytes: size };
        let Ok(generator) = Generator::new(Arc::clone(&subject.grammar), target.into()) else {
            continue;
        };
        for needed in 1..=3 {
            for input in 0..measure.inputs {
                let number = ((index * 100 + at) * 10 + needed) as u64 * 1000 + input;
                let mut choices =
                    Choices::seeded(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
                found.extend(task(
                    index,
                    subject,
                    &generator,
                    &mut choices,
                    &common,
                    (size, needed),
                ));
            }
        }
        if subject.name == "arithmetic" {
            for input in 0..measure.inputs {
                let mut choices = Choices::seeded(seed.wrapping_add(77 + input + 1000 * at as u64));
                let text = generator.generate(&mut choices);
                let Ok(tree) = subject.parser.parse(&text) else {
                    continue;
                };
                if mystery(&text) {
                    found.push(Task {
                        subject: index,
                        circumstances: Circumstances {
                            size,
                            needed: 0,
                            depth: depth(&tree),
                            spread: 0.0,
                        },
                        text,
                        test: SymbolTest {
                            parser: Arc::clone(&subject.parser),
                            wanted: Wanted::Mystery,
                        },
                    });
                }
            }
        }
    }
    found
}

/// Returns the symbols of the smallest text. A test for them would be trivial.
fn common(grammar: &Grammar, parser: &Parser) -> BTreeSet<SymbolId> {
    let least = grammar.facts().min_yield(grammar, grammar.start(), 10_000);
    let tree = least.and_then(|text| parser.parse(&text).ok());
    tree.map_or_else(BTreeSet::new, |tree| {
        tree.nodes().map(|(_, node)| node.symbol).collect()
    })
}

/// Returns an input with enough uncommon symbols, and a test for some of them. Generates inputs
/// until one has enough.
fn task(
    index: usize,
    subject: &Subject,
    generator: &Generator,
    choices: &mut Choices,
    common: &BTreeSet<SymbolId>,
    (size, needed): (u64, usize),
) -> Option<Task> {
    for _ in 0..20 {
        let text = generator.generate(choices);
        let Ok(tree) = subject.parser.parse(&text) else {
            continue;
        };
        let nodes = tree.nodes().filter(|(_, node)| is_symbol(node.kind));
        let mut symbols: Vec<SymbolId> = nodes.map(|(_, node)| node.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.retain(|symbol| !common.contains(symbol));
        if symbols.len() < needed {
            continue;
        }
        let wanted: Vec<SymbolId> = (0..needed)
            .map(|_| symbols.swap_remove(choices.choose(symbols.len(), 0)))
            .collect();
        let first = |symbol: SymbolId| {
            let mut nodes = tree.nodes();
            nodes
                .find(|(_, node)| node.symbol == symbol)
                .map_or(0, |(_, node)| node.span().start)
        };
        let places = || wanted.iter().map(|&symbol| first(symbol));
        let apart = places().max().unwrap_or(0) - places().min().unwrap_or(0);
        return Some(Task {
            subject: index,
            circumstances: Circumstances {
                size,
                needed,
                depth: depth(&tree),
                spread: apart as f64 / text.len().max(1) as f64,
            },
            test: SymbolTest {
                parser: Arc::clone(&subject.parser),
                wanted: Wanted::Symbols(wanted),
            },
            text,
        });
    }
    None
}

fn depth(tree: &Tree) -> u32 {
    let mut levels = vec![0u32; tree.len()];
    for (id, _) in tree.nodes() {
        if let Some(parent) = tree.parent(id) {
            levels[id.index()] = levels[parent.index()] + 1;
        }
    }
    levels.into_iter().max().unwrap_or(0)
}
