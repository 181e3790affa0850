use super::*;
use crate::choices::Choices;
use crate::choices::DEFAULT;
use crate::weights::Weights;
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use proptest::prelude::*;
use std::sync::Arc;

const EXPR: &str = r#"{
 "<start>": ["<expr>"],
 "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

const ASSIGNMENTS: &str = r#"{
 "<start>": [["<assignments>"]],
 "<assignments>": [["<assign>", {"token": ";\n", "commits": "var"}],
                   ["<assign>", {"token": ";\n", "commits": "var"}, "<assignments>"]],
 "<assign>": [[{"symbol": "<var>", "defines": "var"}, " = ", "<expr>"]],
 "<expr>": [["<expr>", " + ", "<expr>"], ["<expr>", " - ", "<expr>"], ["(", "<expr>", ")"],
            [{"symbol": "<var>", "uses": "var", "otherwise": "00"}], ["<digit>"]],
 "<digit>": [["0"], ["1"]],
 "<var>": [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]}"#;

fn grammar(text: &str) -> Arc<Grammar> {
    Arc::new(read(text, None, "test").unwrap())
}

fn algorithms() -> [Algorithm; 7] {
    [
        LimitFuzzer { max_depth: 0 }.into(),
        LimitFuzzer { max_depth: 12 }.into(),
        GrammarFuzzer {
            min_nonterminals: 0,
            max_nonterminals: 0,
        }
        .into(),
        GrammarFuzzer {
            min_nonterminals: 0,
            max_nonterminals: 10,
        }
        .into(),
        GrammarFuzzer {
            min_nonterminals: 30,
            max_nonterminals: 60,
        }
        .into(),
        SizeTarget { bytes: 0 }.into(),
        SizeTarget { bytes: 300 }.into(),
    ]
}

/// Asserts that texts of several seeds fit the grammar and replay. Returns the texts.
fn assert_fits(grammar: &Arc<Grammar>, algorithm: Algorithm, seeds: u64) -> Vec<Vec<u8>> {
    assert_sound(grammar, algorithm, seeds, false)
}

fn assert_sound(
    grammar: &Arc<Grammar>,
    algorithm: Algorithm,
    seeds: u64,
    random: bool,
) -> Vec<Vec<u8>> {
    let parser = Parser::new(grammar.clone()).unwrap();
    let generator = Generator::new(grammar.clone(), algorithm).unwrap();
    let make = |seed| {
        let mut choices = Choices::seeded(seed);
        let text = generator.generate(&mut choices);
        // Some random grammars are so ambiguous that long texts take cubic time.
        let fits = (random && text.len() > 80) || parser.accepts(&text).unwrap();
        assert!(fits, "{algorithm:?} {:?}", String::from_utf8_lossy(&text));
        let mut again = Choices::replay(choices.recorded().to_vec());
        assert_eq!(generator.generate(&mut again), text);
        assert_eq!(again.recorded(), choices.recorded());
        text
    };
    (0..seeds).map(make).collect()
}

#[test]
fn every_text_fits_and_replays() {
    for text in [EXPR, ASSIGNMENTS] {
        let grammar = grammar(text);
        for algorithm in algorithms() {
            assert_fits(&grammar, algorithm, 50);
        }
    }
}

#[test]
fn names_are_defined_before_they_are_used() {
    let grammar = grammar(ASSIGNMENTS);
    let mut used = 0;
    for algorithm in algorithms() {
        for text in assert_fits(&grammar, algorithm, 50) {
            let text = String::from_utf8(text).unwrap();
            let mut defined = vec![];
            for line in text.lines() {
                let (name, value) = line.split_once(" = ").unwrap();
                for c in value.chars().filter(char::is_ascii_lowercase) {
                    assert!(defined.contains(&c), "{c} in {text}");
                    used += 1;
                }
                // The `otherwise` text `00` occurs only while no name is defined.
                assert!(defined.is_empty() || !value.contains("00"), "{text}");
                defined.extend(name.chars());
            }
        }
    }
    assert!(used > 100, "{used} uses");
}

#[test]
fn any_choices_make_a_text() {
    let grammar = grammar(ASSIGNMENTS);
    let parser = Parser::new(grammar.clone()).unwrap();
    for algorithm in algorithms() {
        let generator = Generator::new(grammar.clone(), algorithm).unwrap();
        for choices in [
            vec![],
            vec![DEFAULT; 20],
            vec![7, 1, 9, 9, 3, 1000, 4],
            vec![1; 200],
        ] {
            let text = generator.generate(&mut Choices::replay(choices));
            assert!(parser.accepts(&text).unwrap());
        }
    }
    // An empty sequence takes the alternatives that end soonest.
    let limit = Generator::new(grammar, LimitFuzzer { max_depth: 50 }.into()).unwrap();
    let text = limit.generate(&mut Choices::replay(vec![]));
    assert!(text.len() <= 9, "{:?}", String::from_utf8_lossy(&text));
}

#[test]
fn sizes_are_close_to_their_target() {
    let grammar = grammar(EXPR);
    for bytes in [100, 1_000, 50_000] {
        for text in assert_fits(&grammar, SizeTarget { bytes }.into(), 5) {
            let size = text.len() as u64;
            assert!((bytes..bytes * 2).contains(&size), "{size} for {bytes}");
        }
    }
    // This grammar derives no longer texts.
    let small = self::grammar("<s> ::= 'a' | 'bc'");
    let texts = assert_fits(&small, SizeTarget { bytes: 100 }.into(), 5);
    assert!(texts.iter().all(|text| text.len() <= 2));
    let long = self::grammar("<s> ::= [ab]+");
    let texts = assert_fits(&long, SizeTarget { bytes: 1000 }.into(), 2);
    assert!(texts.iter().all(|text| text.len() >= 1000));
}

#[test]
fn minimum_and_maximum_decide_the_size() {
    let grammar = grammar(EXPR);
    let size = |min, max| -> usize {
        let fuzzer = GrammarFuzzer {
            min_nonterminals: min,
            max_nonterminals: max,
        };
        let texts = assert_fits(&grammar, fuzzer.into(), 30);
        texts.iter().map(Vec::len).sum()
    };
    assert_eq!(size(0, 0), 30, "closing at once leaves one digit");
    assert!(
        size(50, 50) > 30 * 50,
        "each of fifty leaves at least a byte"
    );
    assert!(size(0, 3) < size(20, 40));
}

#[test]
fn weights_are_learned_and_followed() {
    let grammar = grammar("<s> ::= <d>+ ('!')?\n<d> ::= '0' | '1' | '2' | 'ab'");
    let parser = Parser::new(grammar.clone()).unwrap();
    let mut weights = Weights::equal(&grammar);
    for sample in ["11111ab1", "1ab1"] {
        weights.learn(&parser, sample.as_bytes()).unwrap();
    }
    let rules: Vec<(&str, &[f32])> = weights.rules(&grammar).collect();
    assert_eq!(rules, [("d", &[0.0, 8.0, 0.0, 2.0][..])]);
    let algorithm = LimitFuzzer { max_depth: 9 };
    let generator = Generator::new(grammar, algorithm.into())
        .unwrap()
        .weights(weights);
    let mut choices = Choices::seeded(3);
    let texts: Vec<u8> = (0..200)
        .flat_map(|_| generator.generate(&mut choices))
        .collect();
    assert!(!texts.iter().any(|b| b"02!".contains(b)));
    let ones = texts.iter().filter(|&&b| b == b'1').count();
    let others = texts.iter().filter(|&&b| b == b'a').count();
    assert!(ones > others * 2 && others > 0, "{ones} {others}");
}

#[test]
fn weights_must_fit_the_grammar() {
    let grammar = grammar("<s> ::= 'a' | 'b' | <t>\n<t> ::= 't'");
    let mut weights = Weights::equal(&grammar);
    for (rule, numbers) in [
        ("s", vec![1.0]),
        ("s", vec![0.0; 3]),
        ("s", vec![1.0, -1.0, 1.0]),
        ("s", vec![1.0, f32::NAN, 1.0]),
        ("t", vec![1.0]),
        ("u", vec![1.0]),
    ] {
        assert!(
            weights.set(&grammar, rule, numbers.clone()).is_err(),
            "{rule} {numbers:?}"
        );
    }
    weights.set(&grammar, "s", vec![0.0, 1.0, 0.0]).unwrap();
    let algorithm = LimitFuzzer { max_depth: 9 };
    let generator = Generator::new(grammar, algorithm.into())
        .unwrap()
        .weights(weights);
    for seed in 0..20 {
        assert_eq!(generator.generate(&mut Choices::seeded(seed)), b"b");
    }
}

#[test]
fn grammars_without_texts_are_refused() {
    let endless = Generator::new(grammar("<s> ::= 'a' <s>"), SizeTarget { bytes: 1 }.into());
    assert!(matches!(endless, Err(GeneratorError::Unproductive(_))));
    let level = |nth: usize| format!("<d{nth}> ::= <d{0}> <d{0}>", nth + 1);
    let levels = (0..60).map(level).collect::<Vec<_>>().join("\n");
    let doubled = grammar(&format!("<s> ::= <d0>\n{levels}\n<d60> ::= 'a' | ''"));
    let doubled = Generator::new(doubled, SizeTarget { bytes: 1 }.into());
    assert!(matches!(doubled, Err(GeneratorError::TooLarge { .. })));
    // An alternative that never ends is never taken.
    let half = grammar("<s> ::= 'a' <t> | <u>? 'b' <u>*\n<t> ::= 't' <t>\n<u> ::= <t>");
    for algorithm in algorithms() {
        for text in assert_fits(&half, algorithm, 20) {
            assert_eq!(text, b"b");
        }
    }
}

/// Generates a random grammar in Backus-Naur form.
fn random() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["'a'", "'bc'", "[x-z]", "<r0>", "<r1>", "<r2>", "''"]);
    let part = leaf
        .prop_map(String::from)
        .prop_recursive(2, 8, 3, |inner| {
            let group = prop::collection::vec(inner, 1..3);
            (
                group,
                any::<bool>(),
                prop::sample::select(vec!["", "?", "*", "+"]),
            )
                .prop_map(|(parts, choice, quantifier)| {
                    let parts = parts.join(if choice { " | " } else { " " });
                    format!("({parts}){quantifier}")
                })
        });
    let sequence = prop::collection::vec(part, 1..4).prop_map(|parts| parts.join(" "));
    let rule = prop::collection::vec(sequence, 1..4).prop_map(|parts| parts.join(" | "));
    prop::collection::vec(rule, 3).prop_map(|rules| {
        let numbered = rules.iter().enumerate();
        numbered
            .map(|(i, rule)| format!("<r{i}> ::= {rule}\n"))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn texts_of_random_grammars_fit_and_replay(text in random()) {
        let grammar = grammar(&text);
        if Generator::new(grammar.clone(), LimitFuzzer { max_depth: 1 }.into()).is_ok() {
            for algorithm in [
                LimitFuzzer { max_depth: 4 }.into(),
                GrammarFuzzer { min_nonterminals: 3, max_nonterminals: 6 }.into(),
                SizeTarget { bytes: 20 }.into(),
            ] {
                assert_sound(&grammar, algorithm, 4, true);
            }
        }
    }
}

#[test]
fn a_symbol_generates_its_own_texts() {
    let grammar = grammar(EXPR);
    let integer = grammar.rule("integer").unwrap();
    for algorithm in algorithms() {
        let generator = Generator::new(Arc::clone(&grammar), algorithm).unwrap();
        for seed in 0..20 {
            let text = generator.generate_symbol(integer, &mut Choices::seeded(seed));
            let text = text.unwrap();
            assert!(!text.is_empty() && text.iter().all(u8::is_ascii_digit));
            let whole = generator.generate_symbol(grammar.start(), &mut Choices::seeded(seed));
            assert_eq!(
                whole.unwrap(),
                generator.generate(&mut Choices::seeded(seed))
            );
        }
    }
}
