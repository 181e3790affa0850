//! Properties of every member of the HDD family.

use super::descent::{Descent, DescentOrder, Rules};
use nubbin_edit::{Applied, Edit};
use nubbin_engine::work::{Lists, Machine};
use nubbin_generate::{Choices, Generator, SizeTarget};
use nubbin_grammar::grammar::{Builder, ExprId, Grammar, SymbolId};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::Format;
use nubbin_grammar::write::write;
use nubbin_trees::tree::{Needed, Outline, Preparation, ROOT};
use proptest::prelude::*;
use std::fmt;
use std::sync::Arc;

/// The body of a rule, before there is a builder.
#[derive(Clone, Debug)]
enum Body {
    Text(String),
    Class(u8),
    Rule(usize),
    Sequence(Vec<Body>),
    Choice(Vec<Body>),
    Optional(Box<Body>),
    Repeat(Box<Body>, u32, Option<u32>, bool),
}

const RULES: usize = 4;

fn body() -> impl Strategy<Value = Body> {
    // The leaves have many letters, so that misplaced text rarely parses as something else.
    let leaf = prop_oneof![
        6 => "[a-zA-Z]".prop_map(Body::Text),
        2 => "[a-z]{2,3}".prop_map(Body::Text),
        1 => Just(Body::Text(String::new())),
        2 => (b'0'..=b'9').prop_map(Body::Class),
        8 => (0..RULES).prop_map(Body::Rule),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Body::Sequence),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Body::Choice),
            inner.clone().prop_map(|body| Body::Optional(body.into())),
            (inner, 0..3u32, prop::option::of(0..3u32), any::<bool>()).prop_map(
                |(body, min, more, comma)| {
                    Body::Repeat(body.into(), min, more.map(|more| min + more), comma)
                }
            ),
        ]
    })
}

/// Returns the body of a rule: recursive most of the time, with an alternative that ends.
fn rule() -> impl Strategy<Value = Body> {
    let part = || prop_oneof![(0..RULES).prop_map(Body::Rule), body()];
    let several = || prop::collection::vec(part(), 2..4).prop_map(Body::Sequence);
    prop_oneof![
        3 => (several(), several(), body()).prop_map(|(a, b, c)| Body::Choice(vec![a, b, c])),
        1 => several(),
        1 => body(),
    ]
}

fn expr(builder: &mut Builder, rules: &[SymbolId], body: &Body) -> ExprId {
    let all = |builder: &mut Builder, parts: &[Body]| -> Vec<ExprId> {
        parts
            .iter()
            .map(|part| expr(builder, rules, part))
            .collect()
    };
    match body {
        Body::Text(text) => builder.literal(text.as_bytes()),
        Body::Class(digit) => builder.class([*digit, digit + 1].into_iter().collect()),
        Body::Rule(i) => builder.symbol(rules[*i]),
        Body::Sequence(parts) => {
            let parts = all(builder, parts);
            builder.sequence(parts)
        }
        Body::Choice(parts) => {
            let parts = all(builder, parts);
            builder.choice(parts)
        }
        Body::Optional(body) => {
            let body = expr(builder, rules, body);
            builder.optional(body)
        }
        Body::Repeat(body, min, max, comma) => {
            let body = expr(builder, rules, body);
            let separator = comma.then(|| builder.literal(b","));
            builder.repeat(body, *min, *max, separator)
        }
    }
}

/// Creates a grammar of the given rules. The first rule is a repetition of all of them, so that
/// there is a text to generate.
fn grammar(bodies: &[Body]) -> Grammar {
    let mut builder = Builder::new("random");
    let start = builder.rule("start");
    let rules: Vec<SymbolId> = (0..bodies.len())
        .map(|i| builder.rule(&format!("r{i}")))
        .collect();
    for (rule, body) in rules.iter().zip(bodies) {
        let body = expr(&mut builder, &rules, body);
        builder.define(*rule, body);
    }
    let mentions: Vec<ExprId> = rules.iter().map(|&rule| builder.symbol(rule)).collect();
    let any = builder.choice(mentions);
    let body = builder.repeat(any, 1, None, None);
    builder.define(start, body);
    builder.finish(start).unwrap()
}

/// A text of a random grammar with its parser.
#[derive(Clone)]
struct Case {
    parser: Arc<Parser>,
    text: Vec<u8>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grammar = write(self.parser.grammar(), Format::Iso).unwrap();
        write!(f, "{}\nof\n{grammar}", self.text.escape_ascii())
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let bodies = prop::collection::vec(rule(), RULES);
    (bodies, any::<u64>()).prop_filter_map("a grammar without texts", |(bodies, seed)| {
        let grammar = Arc::new(grammar(&bodies));
        let parser = Arc::new(Parser::new(grammar.clone()).ok()?);
        let generator = Generator::new(grammar, SizeTarget { bytes: 15 }.into()).ok()?;
        let text = generator.generate(&mut Choices::seeded(seed));
        (!text.is_empty() && text.len() < 50).then_some(Case { parser, text })
    })
}

/// A test. It fails where enough of these bytes are left in this order, or, in the second case,
/// where a hash of the text says so.
#[derive(Clone, Debug)]
enum Fails {
    Subsequence(Vec<u8>),
    Hashed(u64),
}

impl Fails {
    fn holds(&self, text: &[u8]) -> bool {
        match self {
            Fails::Subsequence(wanted) => {
                let mut left = text.iter();
                wanted.iter().all(|byte| left.any(|other| other == byte))
            }
            Fails::Hashed(seed) => {
                let hash = text.iter().fold(*seed, |hash, &byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
                });
                (hash >> 40).is_multiple_of(3)
            }
        }
    }
}

fn fails() -> impl Strategy<Value = (Vec<usize>, Option<u64>)> {
    (
        prop::collection::vec(0..200usize, 0..4),
        prop::option::weighted(0.3, any::<u64>()),
    )
}

/// Creates a test that needs some bytes of the text, so that the text fails.
fn test_of(text: &[u8], (needed, hashed): &(Vec<usize>, Option<u64>)) -> Fails {
    if let Some(seed) = hashed {
        return Fails::Hashed(*seed);
    }
    let mut at: Vec<usize> = needed.iter().map(|i| i % text.len()).collect();
    at.sort_unstable();
    at.dedup();
    Fails::Subsequence(at.into_iter().map(|i| text[i]).collect())
}

fn rules() -> impl Strategy<Value = Rules> {
    let order = prop_oneof![
        Just(DescentOrder::Levels),
        (any::<bool>(), any::<bool>()).prop_map(|(depth_first, backward)| DescentOrder::Children {
            depth_first,
            backward
        }),
    ];
    (order, any::<bool>(), any::<bool>()).prop_map(|(order, coarse, star)| Rules {
        order,
        coarse,
        star,
    })
}

fn preparations() -> impl Strategy<Value = Preparation> {
    let flags = prop::array::uniform6(any::<bool>());
    flags.prop_map(
        |[empty, flatten, flatten_chains, squeeze, hide, hide_nodes]| Preparation {
            empty,
            flatten,
            flatten_chains,
            squeeze,
            hide,
            hide_nodes,
        },
    )
}

fn lists(algorithm: &str) -> Lists {
    Lists {
        algorithm: Some(crate::catalogue().list_minimizer(algorithm).unwrap()),
        seed: 0,
    }
}

const ALGORITHMS: [&str; 4] = [
    "sweep",
    "ddmin",
    "ddmin:complements-first,backward",
    "chunk-halving",
];

/// Runs a machine to its end; `each` is called with every candidate.
fn drive(
    machine: &mut dyn Machine,
    text: &[u8],
    fails: &Fails,
    mut each: impl FnMut(&[u8]),
) -> Applied {
    let mut applied = Applied::default();
    let mut steps = 0;
    while let Some(proposal) = machine.next() {
        assert_eq!(
            machine.next().as_ref(),
            Some(&proposal),
            "next is idempotent"
        );
        steps += 1;
        assert!(steps < 100_000, "it does not end");
        let all = applied
            .edit()
            .combine(&proposal)
            .unwrap_or_else(|conflict| {
                panic!("{conflict}: {proposal:?} after {:?}", applied.edit())
            });
        let candidate = all.render(text);
        each(&candidate);
        let unchanged = all == *applied.edit();
        let adopted = !unchanged && fails.holds(&candidate);
        if adopted {
            applied = Applied::new(all);
        }
        machine.record(adopted);
    }
    assert!(machine.next().is_none());
    applied
}

/// Returns the text without each single node that is left.
fn deletions(machine: &Descent, outline: &Outline, applied: &Edit, text: &[u8]) -> Vec<Vec<u8>> {
    let gone = machine.gone();
    let mut found = vec![];
    let mut id = ROOT;
    while id < outline.len() {
        if gone.contains(id) {
            id = outline.node(id).end;
            continue;
        }
        if machine.is_tried(id) {
            let cut = outline.cut([id], gone, machine.needed());
            found.push(applied.combine(&cut.edit).unwrap().render(text));
        }
        id += 1;
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Every candidate is in the language, whatever the verdicts before it.
    #[test]
    fn candidates_are_in_the_language(
        case in cases(),
        rules in rules(),
        preparation in preparations(),
        fails in fails(),
        algorithm in 0..ALGORITHMS.len(),
    ) {
        let Case { parser, text } = case;
        let outline = Outline::of(&*parser, &text, 0).unwrap();
        let outline = Arc::new(preparation.apply(outline));
        let fails = test_of(&text, &fails);
        let mut machine = Descent::new(&outline, &lists(ALGORITHMS[algorithm]), rules);
        drive(&mut machine, &text, &fails, |candidate| {
            assert!(parser.accepts(candidate).unwrap(), "{}", candidate.escape_ascii());
        });
    }

    /// After a starred descent, no single node can be removed.
    #[test]
    fn the_result_is_minimal(
        case in cases(),
        rules in rules(),
        preparation in preparations(),
        fails in fails(),
        algorithm in 0..ALGORITHMS.len(),
    ) {
        let Case { parser, text } = case;
        let outline = Outline::of(&*parser, &text, 0).unwrap();
        let outline = Arc::new(preparation.apply(outline));
        let fails = test_of(&text, &fails);
        let rules = Rules { star: true, ..rules };
        let mut machine = Descent::new(&outline, &lists(ALGORITHMS[algorithm]), rules);
        let applied = drive(&mut machine, &text, &fails, |_| {});
        let left = applied.edit().render(&text);
        for candidate in deletions(&machine, &outline, applied.edit(), &text) {
            prop_assert!(candidate == left || !fails.holds(&candidate), "{}", candidate.escape_ascii());
        }
    }

    /// A fork makes the same proposals, and does not advance the machine it was made from.
    #[test]
    fn a_fork_makes_the_same_proposals(case in cases(), rules in rules(), answers in any::<u64>()) {
        let Case { parser, text } = case;
        let outline = Outline::of(&*parser, &text, 0).unwrap();
        let outline = Arc::new(Preparation::ALL.apply(outline));
        let mut machine: Box<dyn Machine> = Box::new(Descent::new(&outline, &lists("sweep"), rules));
        let mut applied = Applied::default();
        for step in 0..60 {
            let mut fork = machine.fork();
            let proposal = machine.next();
            prop_assert_eq!(fork.next(), proposal.clone());
            let Some(proposal) = proposal else { break };
            let mut other = machine.fork();
            let adopted = answers >> (step % 64) & 1 == 1;
            other.record(!adopted);
            other.next();
            other.record(true);
            if let Some(taken) = machine.taken() {
                // The expected proposal is the edit of the removed units.
                let alone = taken.list.edit(taken.units);
                prop_assert_eq!(applied.rebase(&alone), applied.rebase(&proposal));
            }
            if adopted {
                applied.apply(&proposal).unwrap();
            }
            machine.record(adopted);
        }
    }
}

#[test]
fn a_deep_tree_does_not_overflow_the_stack() {
    let grammar = nubbin_grammar::read::read("<e> ::= '(' <e> ')' | 'x'", None, "deep").unwrap();
    let parser = Parser::new(Arc::new(grammar)).unwrap();
    let depth = 20_000;
    let text = ["(".repeat(depth), "x".into(), ")".repeat(depth)].concat();
    let outline = Outline::of(&parser, text.as_bytes(), 0).unwrap();
    let outline = Arc::new(Preparation::ALL.apply(outline));
    let rules = Rules {
        order: DescentOrder::Children {
            depth_first: true,
            backward: false,
        },
        coarse: false,
        star: true,
    };
    let mut machine = Descent::new(&outline, &lists("sweep"), rules);
    let mut asked = 0;
    while machine.next().is_some() {
        machine.record(false);
        asked += 1;
    }
    assert_eq!(asked, depth);
    assert_eq!(machine.needed(), Needed::Shrink);
}
