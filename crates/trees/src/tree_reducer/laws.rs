//! Laws of tree reducers, tested on random grammars and texts.
//!
//! [`Laws::hold`] is for the tests of a crate with tree reducers of its own.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use super::cases::{TEXTS, asked_at_random, drawn, grammar, parser};
use crate::tree::Outline;
use crate::tree_reducer::*;
use nubbin_engine::work::Lists;
use nubbin_generate::{Choices, Generator, LimitFuzzer};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::tree::{NodeKind, TreeBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tree reducers whose properties are tested.
#[derive(Clone, Copy)]
pub struct Laws<'a> {
    /// The tree reducers.
    pub catalogue: &'a [Arc<dyn TreeReducer>],
    /// The names of the tree reducers whose candidates all fit the grammar.
    pub in_the_grammar: &'a [&'a str],
    /// The names of the tree reducers whose result is 1-tree-minimal: if they are repeated until
    /// nothing changes, no single part can be removed.
    pub one_tree_minimal: &'a [&'a str],
    /// The names of the tree reducers that are not tested on large trees.
    pub small_trees: &'a [&'a str],
}

impl Laws<'_> {
    /// Tests all laws.
    ///
    /// # Panics
    /// A tree reducer breaks one.
    pub fn hold(&self) {
        self.read_every_option();
        self.fit_the_grammar();
        self.leave_no_single_part();
        self.take_large_trees();
    }

    fn named(&self, ids: &[&str]) -> Vec<Arc<dyn TreeReducer>> {
        let find = |id: &&str| match parse_in(self.catalogue, id) {
            Ok(reducer) => reducer,
            Err(error) => panic!("{error}"),
        };
        ids.iter().map(find).collect()
    }

    fn read_every_option(&self) {
        for reducer in self.catalogue {
            let id = reducer.id();
            assert_eq!(self.named(&[id])[0].id(), id);
            assert!(!reducer.info().about.ends_with('.'), "{id}");
            for (option, _) in reducer.info().options {
                let option = match option.split_once('=') {
                    Some((name, _)) => format!("{name}=1"),
                    None => (*option).to_owned(),
                };
                self.named(&[&format!("{id}:{option}")]);
            }
        }
    }

    fn fit_the_grammar(&self) {
        let mut asked = 0;
        for (grammar, texts) in random_cases() {
            let parser = Parser::new(grammar).unwrap();
            let mut fits: FxHashMap<String, bool> = FxHashMap::default();
            for (seed, text) in texts.iter().enumerate() {
                for reducer in self.named(self.in_the_grammar) {
                    for one_in in [2, 7] {
                        for [base, text] in
                            asked_at_random(&*reducer, &parser, text, one_in, seed as u64)
                        {
                            asked += 1;
                            let fits = fits
                                .entry(text.clone())
                                .or_insert_with(|| parser.parse(text.as_bytes()).is_ok());
                            assert!(
                                *fits,
                                "{} made {text:?} of {base:?} with\n{}",
                                reducer.id(),
                                nubbin_grammar::write::write(
                                    parser.grammar(),
                                    nubbin_grammar::read::Format::Bnf
                                )
                                .unwrap_or_default()
                            );
                        }
                    }
                }
            }
        }
        assert!(asked > 300 * self.in_the_grammar.len(), "{asked}");
    }

    fn leave_no_single_part(&self) {
        let mut parts = 0;
        for reducer in self.named(self.one_tree_minimal) {
            for (grammar, texts) in TEXTS {
                let parser = parser(grammar);
                for text in *texts {
                    for seed in 0..4 {
                        // The test fails for any text that parses and contains these two letters,
                        // or has a certain length.
                        let at = |n: u64| {
                            text.chars()
                                .nth((drawn(seed, n) as usize) % text.len().max(1))
                        };
                        let needed = [at(1), at(2)];
                        let fails = |candidate: &[u8]| {
                            let parses = parser.parse(candidate).is_ok();
                            let candidate = String::from_utf8_lossy(candidate);
                            let has = needed.iter().flatten().all(|&c| candidate.contains(c));
                            parses && (has || seed == 3 && candidate.len() % 3 == text.len() % 3)
                        };
                        let left = to_the_end(&*reducer, &parser, text, fails);
                        for smaller in single_deletions(&parser, &left) {
                            parts += 1;
                            let smaller = smaller.as_bytes();
                            assert!(
                                smaller == left.as_bytes() || !fails(smaller),
                                "{} left {left:?} of {text:?}",
                                reducer.id()
                            );
                        }
                    }
                }
            }
        }
        assert!(parts > 15 * self.one_tree_minimal.len(), "{parts}");
    }

    fn take_large_trees(&self) {
        for deep in [true, false] {
            let outline = large(deep);
            let small = |id: &str| self.small_trees.contains(&id);
            for reducer in self.catalogue.iter().filter(|reducer| !small(reducer.id())) {
                let lists = Lists::default();
                let Some(work) = reducer.open(&outline, &lists) else {
                    continue;
                };
                let mut machine = work.start(&lists);
                for step in 0..5 {
                    let Some(edit) = machine.next() else { break };
                    assert!(!edit.is_none());
                    let mut fork = machine.fork();
                    fork.record(true);
                    fork.next();
                    machine.record(step == 3);
                }
            }
        }
    }
}

/// Returns a grammar of a few rules, some of which derive the empty text or themselves.
fn random_grammar(seed: u64) -> String {
    let mut step = 0;
    let mut draw = |below: u64| {
        step += 1;
        drawn(seed, step) % below
    };
    let rules = ["a", "b", "c", "d"];
    let mut text = String::new();
    for rule in rules {
        let mut alternatives = vec![];
        for _ in 0..1 + draw(3) {
            let mut members = vec![];
            for _ in 0..draw(4) {
                let symbol = match draw(5) {
                    0 => "'x'".to_owned(),
                    1 => "'y'".to_owned(),
                    2 => format!("'{}'", ["(", ")", ";", ","][draw(4) as usize]),
                    _ => format!("<{}>", rules[draw(4) as usize]),
                };
                let member = match draw(8) {
                    0 => format!("{symbol}?"),
                    1 => format!("{symbol}*"),
                    2 => format!("{symbol}+"),
                    3 => format!("({symbol} (',' {symbol})*)?"),
                    _ => symbol,
                };
                members.push(member);
            }
            let row = members.join(" ");
            alternatives.push(if row.is_empty() { "''".to_owned() } else { row });
        }
        text += &format!("<{rule}> ::= {}\n", alternatives.join(" | "));
    }
    text
}

/// Returns grammars that derive at least one text, each with texts.
fn random_cases() -> Vec<(Arc<Grammar>, Vec<String>)> {
    let mut cases = vec![];
    for seed in 0..60 {
        let grammar = grammar(&random_grammar(seed));
        let fuzzer = LimitFuzzer { max_depth: 5 };
        let Ok(generator) = Generator::new(Arc::clone(&grammar), fuzzer.into()) else {
            continue;
        };
        let mut texts: Vec<String> = (0..12)
            .map(|seed| generator.generate(&mut Choices::seeded(seed)))
            .filter_map(|text| String::from_utf8(text).ok())
            .filter(|text| (2..80).contains(&text.len()))
            .collect();
        texts.dedup();
        texts.truncate(3);
        cases.push((grammar, texts));
    }
    assert!(cases.len() > 20, "{}", cases.len());
    cases
}

/// Runs a tree reducer again and again, as long as it finds something.
fn to_the_end(
    reducer: &dyn TreeReducer,
    parser: &Parser,
    text: &str,
    fails: impl Fn(&[u8]) -> bool,
) -> String {
    let mut text = text.to_owned();
    loop {
        let run = trace_with(reducer, parser, text.as_bytes(), &Lists::default(), &fails);
        if run.result == text {
            return text;
        }
        text = run.result;
    }
}

/// Returns the text without each single part that the grammar allows to be removed.
fn single_deletions(parser: &Parser, text: &str) -> Vec<String> {
    let outline = Outline::of(parser, text.as_bytes(), 0).unwrap();
    let mut texts = vec![];
    for id in 0..outline.len() {
        let node = outline.node(id);
        let may_go = match node.kind {
            NodeKind::Optional => true,
            NodeKind::Repeat => outline.least_iterations(id) == 0,
            NodeKind::Iteration => {
                let siblings = outline.children(node.parent);
                let iterations =
                    siblings.filter(|&id| outline.node(id).kind == NodeKind::Iteration);
                iterations.count() as u32 > outline.least_iterations(node.parent)
            }
            _ => false,
        };
        if may_go && !node.span.is_empty() {
            let edit = outline.prune([id], &crate::tree::Gone::default());
            texts.push(String::from_utf8(edit.render(text.as_bytes())).unwrap());
        }
    }
    texts
}

/// Returns a tree of a quarter of a million nodes, nested or side by side.
fn large(deep: bool) -> Arc<Outline> {
    let grammar = grammar("<s> ::= <e>*\n<e> ::= '(' <e> ')' | 'x' <e>?\n");
    let symbol = |name: &str| grammar.rule(name).unwrap();
    let (s, e) = (symbol("s"), symbol("e"));
    let body = grammar.body(s).unwrap();
    let alternatives = grammar.body(e).unwrap();
    let alternatives = grammar.alternatives(&alternatives);
    let bracketed = grammar.members(&alternatives[0]).to_vec();
    let x = grammar.members(&alternatives[1]).to_vec();
    let terminal = |text: &str| {
        let mut ids = grammar.symbol_ids();
        ids.find(|&id| &*grammar.symbol(id).name == text).unwrap()
    };
    let (open, close, letter) = (terminal("("), terminal(")"), terminal("x"));
    let (count, depth) = if deep { (1, 83_000) } else { (42_000, 1) };
    let one = [&b"(".repeat(depth)[..], b"x", &b")".repeat(depth)].concat();
    let text = one.repeat(count);
    let mut tree = TreeBuilder::new(Arc::clone(&grammar), text.into());
    tree.open(NodeKind::Rule, s, None);
    tree.open(NodeKind::Repeat, s, Some(body));
    for _ in 0..count {
        tree.open(NodeKind::Iteration, s, Some(body));
        for level in 0..depth {
            let mention = if level == 0 { None } else { Some(bracketed[1]) };
            tree.open(NodeKind::Rule, e, mention);
            tree.leaf(NodeKind::Token, open, Some(bracketed[0]), 1);
        }
        tree.open(NodeKind::Rule, e, Some(bracketed[1]));
        tree.leaf(NodeKind::Token, letter, Some(x[0]), 1);
        tree.close();
        for _ in 0..depth {
            tree.leaf(NodeKind::Token, close, Some(bracketed[2]), 1);
            tree.close();
        }
        tree.close();
    }
    tree.close();
    tree.close();
    let outline = Outline::of_tree(&tree.finish().unwrap(), 0, false);
    assert!(outline.len() > 245_000, "{}", outline.len());
    Arc::new(outline)
}
