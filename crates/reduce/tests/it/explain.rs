//! Explanations through the library: the patterns of small inputs.
#![expect(clippy::unwrap_used, reason = "the panic is the report")]

use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_generate::{Choices, Generator, GrammarFuzzer};
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use nubbin_reduce::engine::{Ended, Stop};
use nubbin_reduce::explain::{
    ChoiceSubject, Draw, ExplainError, ExplainEvent, Explained, Explanation, OtherTexts,
    TextSubject, nodes, tokens,
};
use nubbin_reduce::input::Input;
use nubbin_reduce::tree::Outline;
use nubbin_verdict::{Ask, Candidate, Closure, Fault, Oracle, Unresolved, Verdict};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const SUMS: &str = "<start> ::= <expr>\n<expr> ::= <term> '+' <expr> | <term>\n\
    <term> ::= <int> | '(' <expr> ')'\n<int> ::= [0-9]+\n";

/// A source of random derivations of one rule.
struct Derivations(Arc<Generator>, SymbolId);

impl OtherTexts for Derivations {
    fn other(&self, _: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
        let Derivations(generator, symbol) = self;
        generator.generate_symbol(*symbol, &mut Choices::seeded(draw.next()))
    }
}

fn by_grammar(grammar: &str, text: &str, seed: u64) -> TextSubject {
    let grammar = Arc::new(read::read(grammar, None, "test").unwrap());
    let parser = Parser::new(Arc::clone(&grammar)).unwrap();
    let outline = Outline::of(&parser, text.as_bytes(), 0).unwrap();
    let fuzzer = GrammarFuzzer {
        min_nonterminals: 0,
        max_nonterminals: 5,
    };
    let generator = Arc::new(Generator::new(Arc::clone(&grammar), fuzzer.into()).unwrap());
    let others = |id| {
        let symbol = outline.node(id).symbol;
        Some(Arc::new(Derivations(Arc::clone(&generator), symbol)) as Arc<dyn OtherTexts>)
    };
    let input = Input::single("x", text).unwrap();
    TextSubject::new(input, |_| nodes::parts(&outline, others), seed)
}

fn by_tokens(text: &str) -> TextSubject {
    TextSubject::new(Input::single("x", text).unwrap(), tokens::parts, 0)
}

fn has(bytes: &[u8], what: &str) -> bool {
    bytes
        .windows(what.len())
        .any(|found| found == what.as_bytes())
}

fn explained(subject: &TextSubject, fails: impl Fn(&[u8]) -> bool + Sync) -> Explained {
    let oracle = Closure::new(fails);
    let explained = Explanation::new(subject, &oracle).run().unwrap();
    for example in &explained.examples {
        let input = example.bytes();
        let judged = example.with_candidate(|candidate| oracle.judge(candidate, &Ask::new(0)));
        assert!(
            judged.unwrap().is_fail(),
            "{}",
            String::from_utf8_lossy(input)
        );
    }
    explained
}

#[test]
fn patterns_by_a_grammar_are_as_general_as_the_failure() {
    type Fails = fn(&[u8]) -> bool;
    let cases: [(&str, Fails, &str); 5] = [
        ("1+(2)", |_| true, "<start>"),
        ("1+(2+3)", |text| has(text, "("), "<term>+(<expr>)"),
        (
            "(1)+((2))+3",
            |text| has(text, "(("),
            "<term>+((<expr>))+<expr>",
        ),
        ("4+17", |text| text.ends_with(b"+17"), "<term>+17"),
        ("4+7", |text| text == b"4+7", "4+7"),
    ];
    for (text, fails, expected) in cases {
        let found = explained(&by_grammar(SUMS, text, 0), fails);
        assert_eq!(found.pattern.to_string(), expected, "{text}");
        assert!(matches!(found.ended, Ended::Complete));
    }
}

#[test]
fn parts_that_are_abstract_only_alone_are_not_abstract_together() {
    // One of the two numbers must stay.
    let found = explained(&by_tokens("11 22"), |text| {
        has(text, "11") || has(text, "22")
    });
    assert_eq!(found.pattern.to_string(), "<int> 22");
    assert_eq!(found.parts[0].samples, 10);
    assert!(found.parts[0].texts.len() > 5, "{:?}", found.parts[0].texts);
}

#[test]
fn a_name_in_several_places_is_one_part_with_one_text() {
    let same = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap();
        let (left, right) = text.split_once('=').unwrap();
        left.trim() == right.trim()
    };
    let found = explained(&by_tokens("loop = loop"), same);
    assert_eq!(found.pattern.to_string(), "<name-1> = <name-1>");
    // Two independent names are more general than one name in two places.
    let found = explained(&by_tokens("loop = loop"), |text| text.contains(&b'='));
    assert_eq!(found.pattern.to_string(), "<name> = <name>");
}

#[test]
fn an_abstraction_that_holds_by_chance_is_undone() {
    // About one number in five has neither digit, so all of a few samples may fail.
    let fails = |text: &[u8]| !has(text, "7") && !has(text, "3") && text.starts_with(b"x");
    let subject = by_tokens("x 1 2 4 5 6 8 9 0 1 2 4 5 6");
    let oracle = Closure::new(fails);
    let mut taken_back = 0;
    let mut observer = |event: &ExplainEvent, _: &_| {
        taken_back += u32::from(matches!(event, ExplainEvent::TookBack { .. }));
    };
    let found = Explanation::new(&subject, &oracle)
        .samples(1)
        .observer(&mut observer)
        .run()
        .unwrap();
    assert!(taken_back > 0);
    assert!(found.examples.iter().all(|example| fails(example.bytes())));
}

#[test]
fn unresolved_samples_do_not_count() {
    struct Picky;
    impl Oracle for Picky {
        fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
            let text = candidate.bytes();
            Ok(match text.len() {
                _ if !text.starts_with(b"a") => Verdict::Pass,
                3 | 5 | 7 => Verdict::Fail,
                _ => Verdict::Unresolved(Unresolved::Abstained),
            })
        }
    }
    let subject = by_tokens("a 1");
    let found = Explanation::new(&subject, &Picky).samples(3).run().unwrap();
    assert_eq!(found.pattern.to_string(), "a <int>");
    assert!(found.statistics.unresolved > 0);
}

#[test]
fn a_run_is_the_same_for_a_seed_and_for_any_number_of_jobs() {
    let run = |jobs: usize, seed: u64| {
        let subject = by_grammar(SUMS, "1+(2+3)+(4)", seed);
        let asked = AtomicU64::new(0);
        let oracle = Closure::new(|text: &[u8]| {
            asked.fetch_add(1, Ordering::Relaxed);
            has(text, "(") && has(text, "+")
        });
        let found = Explanation::new(&subject, &oracle)
            .jobs(jobs)
            .run()
            .unwrap();
        (found.pattern, found.parts, found.statistics)
    };
    assert_eq!(run(1, 0), run(4, 0));
    assert_ne!(run(1, 0).1, run(1, 1).1);
}

#[test]
fn a_panic_of_the_oracle_is_a_fault_for_any_number_of_jobs() {
    let subject = by_tokens("x 1 y 2");
    for jobs in [1, 4] {
        let fails = Closure::new(|text: &[u8]| {
            assert_eq!(text, b"x 1 y 2", "a panic");
            true
        });
        let found = Explanation::new(&subject, &fails).jobs(jobs).run().unwrap();
        assert!(matches!(found.ended, Ended::Fault(_)), "{:?}", found.ended);
        let panics = Closure::new(|_: &[u8]| panic!("a panic"));
        let refused = Explanation::new(&subject, &panics).jobs(jobs).run();
        assert!(matches!(refused, Err(ExplainError::Fault(_))));
    }
}

#[test]
fn a_run_at_its_budget_keeps_its_results() {
    let subject = by_tokens("x 1 y 2");
    let oracle = Closure::new(|_: &[u8]| true);
    for tests in [1, 2, 15] {
        let found = Explanation::new(&subject, &oracle)
            .max_tests(tests)
            .run()
            .unwrap();
        assert!(matches!(found.ended, Ended::MaxTests));
        assert_eq!(found.statistics.tests, tests);
    }
    let stop = Stop::default();
    stop.request();
    let stopped = Explanation::new(&subject, &oracle).stop(stop).run();
    assert!(stopped.is_ok_and(|found| matches!(found.ended, Ended::Stopped | Ended::Complete)));
}

#[test]
fn an_input_that_passes_is_refused() {
    let subject = by_tokens("x");
    let passes = Closure::new(|_: &[u8]| false);
    let refused = Explanation::new(&subject, &passes).run();
    assert!(matches!(refused, Err(ExplainError::NotFailing { .. })));
}

/// A generator of `a,b` with two numbers, and a third one if the first is above 5.
struct Numbers;

impl Replay for Numbers {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let kind = Kind::Integer {
            min: 0,
            max: 9,
            toward: 0,
        };
        let mut given = values.iter();
        let mut choices = vec![];
        let mut next = || {
            let value = given
                .next()
                .map_or(kind.simplest(), |value| kind.admit(value));
            choices.push(Choice {
                value: value.clone(),
                kind: kind.clone(),
            });
            value.integer().unwrap()
        };
        let (first, second) = (next(), next());
        let mut text = format!("{first},{second}");
        if first > 5 {
            text += &format!(",{}", next());
        }
        Some(Arc::new(Run {
            choices,
            text: text.into_bytes(),
            ..Run::default()
        }))
    }
}

#[test]
fn choices_that_may_take_any_value_are_listed() {
    let numbers: Arc<dyn Replay> = Arc::new(Numbers);
    let values = [7, 3, 1].map(Value::Integer);
    let run = numbers.replay(&values).unwrap();
    let draw = |kind: &Kind, seed| Choices::seeded(seed).value(kind.clone());
    let subject = ChoiceSubject::new(numbers, &run, PathBuf::from("x"), Box::new(draw), 0).unwrap();
    let oracle = Closure::new(|text: &[u8]| text.get(1..4) == Some(b",3,"));
    let found = Explanation::new(&subject, &oracle).run().unwrap();
    let free: Vec<usize> = found.parts.iter().map(|part| part.index).collect();
    assert_eq!(free, [2]);
    assert_eq!(found.parts[0].part.kind, "integer from 0 to 9");
}

#[test]
fn a_node_is_abstract_only_if_enough_other_texts_are_known() {
    use nubbin_reduce::explain::nodes::Corpus;
    // The text has one other `call`, which is not enough. Names are invented.
    let grammar = "<s> ::= <call> ';' <call> ';' <name>\n<call> ::= <name> '()'\n\
        <name> ::= [a-z]+ ('_' [0-9])?\n";
    let grammar = Arc::new(read::read(grammar, None, "test").unwrap());
    let parser = Parser::new(Arc::clone(&grammar)).unwrap();
    let text = "f();g();x";
    let outline = Outline::of(&parser, text.as_bytes(), 0).unwrap();
    let mut corpus = Corpus::default();
    corpus.add(&outline);
    let parts = |corpus: &Corpus| {
        let others = |id| corpus.others(&outline, id);
        let input = Input::single("x", text).unwrap();
        TextSubject::new(input, |_| nodes::parts(&outline, others), 0)
    };
    let fails = |text: &[u8]| text.contains(&b'(') && text.contains(&b';');
    let found = explained(&parts(&corpus), fails);
    assert_eq!(found.pattern.to_string(), "<name>();<name>();<name>");
    let more = Outline::of(&parser, b"h();i();y", 0).unwrap();
    corpus.add(&more);
    let found = explained(&parts(&corpus), fails);
    assert_eq!(found.pattern.to_string(), "<call>;<call>;<name>");
}
