use super::catalogue;
use crate::list::DdminBook;
use nubbin_engine::work::Lists;
use nubbin_generate::{Choices, Generator, GrammarFuzzer};
use nubbin_trees::tree_reducer::cases::{EXPRESSIONS, grammar, mystery, parser};
use nubbin_trees::tree_reducer::laws::Laws;
use nubbin_trees::tree_reducer::{Grabr, parse_in, trace, trace_with};
use rustc_hash::FxHashMap;

#[test]
fn the_tree_reducers_keep_the_laws() {
    let laws = Laws {
        catalogue: catalogue(),
        in_the_grammar: &[
            "perses-article",
            "pardis",
            "pardis-hybrid",
            "hoist",
            "grabr",
            "grabr-depth",
            "grabr-all",
        ],
        one_tree_minimal: &["pardis", "pardis-hybrid", "gtr", "grabr", "grabr-depth"],
        // The HDD family has its own tests in `hdd_family`.
        small_trees: &["hdd", "hdd-star", "hddr", "coarse-hdd", "coarse-hdd-star"],
    };
    laws.hold();
}

/// Returns the number of tests of a list minimizer on characters, each text once, and the result.
fn tests_of_ddmin(text: &str, fails: impl Fn(&str) -> bool) -> (usize, String) {
    let chars: Vec<char> = text.chars().collect();
    let of = |kept: &[u32]| {
        kept.iter()
            .map(|&at| chars[at as usize])
            .collect::<String>()
    };
    let known = std::cell::RefCell::new(FxHashMap::default());
    let shape = nubbin_minimize::ListShape::uniform(chars.len() as u32);
    let mut minimizer = DdminBook::new(&shape);
    let left = nubbin_minimize::drive(&mut minimizer, chars.len() as u32, |kept| {
        let text = of(kept);
        let mut known = known.borrow_mut();
        *known.entry(text.clone()).or_insert_with(|| fails(&text))
    });
    let tests = known.borrow().len();
    (tests, of(&left))
}

#[test]
fn grabr_needs_fewer_tests_than_ddmin_as_in_the_book() {
    let parser = parser(EXPRESSIONS);
    let fails = |text: &str| parser.parse(text.as_bytes()).is_ok() && mystery(text);
    let whole = "1 + (2 * 3)";
    // The book also counts the first test, which is of the whole text.
    assert_eq!(tests_of_ddmin(whole, fails), (20, whole.to_owned()));

    let fuzzer = GrammarFuzzer {
        min_nonterminals: 100,
        max_nonterminals: 100,
    };
    let generator = Generator::new(grammar(EXPRESSIONS), fuzzer.into()).unwrap();
    let mut compared = 0;
    for seed in 0..10 {
        let text = generator.generate(&mut Choices::seeded(seed));
        let text = String::from_utf8(text).unwrap();
        if !mystery(&text) || text.len() > 600 {
            continue;
        }
        let reducer = Grabr::by_depth();
        let run = trace_with(
            &reducer,
            &parser,
            text.as_bytes(),
            &Lists::default(),
            |text| std::str::from_utf8(text).is_ok_and(fails),
        );
        assert_eq!(run.result.len(), 3, "{}", run.result);
        assert!(run.tests.len() <= 16, "{} for {text}", run.tests.len());
        let (tests, left) = tests_of_ddmin(&text, fails);
        assert!(tests > 5 * run.tests.len(), "{tests}");
        assert!(left.len() > run.result.len());
        compared += 1;
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn the_number_of_ways_to_fill_an_alternative_is_an_option() {
    let sums = "<s> ::= <t> '+' <s> | <t>\n<t> ::= '(' <s> ')' | [0-9]\n";
    let texts = |name: &str| {
        let reducer = parse_in(catalogue(), name).unwrap();
        trace(&*reducer, sums, "0+1+2+3", |_| false).tests
    };
    assert_eq!(texts("grabr-all:most=1"), texts("grabr-depth"));
    assert_eq!(texts("grabr:all,most=1"), texts("grabr"));
    assert_eq!(texts("grabr-depth:all"), texts("grabr-all"));
    let counts = ["grabr", "grabr:all,most=2", "grabr:all"].map(|name| texts(name).len());
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    assert_eq!(texts("grabr:all,most=1000000"), texts("grabr:all"));
    assert!(parse_in(catalogue(), "grabr-all:most=0").is_err());
}
