//! Texts of ANTLR grammars: the lexer divides each into the tokens that were chosen.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_choices::Replay;
use nubbin_generate::{
    Algorithm, Choices, Generator, GeneratorError, GrammarFuzzer, LimitFuzzer, SizeTarget, Weights,
};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::{antlr, start_symbol};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn grammar(text: &str) -> Arc<Grammar> {
    let read = antlr::read(text, "Test", &mut |_| None).unwrap();
    assert_eq!(read.undefined, None);
    Arc::new(read.grammar)
}

fn algorithms() -> [Algorithm; 3] {
    let grow = GrammarFuzzer {
        min_nonterminals: 0,
        max_nonterminals: 10,
    };
    [
        LimitFuzzer { max_depth: 8 }.into(),
        grow.into(),
        SizeTarget { bytes: 300 }.into(),
    ]
}

/// Makes texts with every algorithm, asserts that they parse, and returns those of each.
fn texts(grammar: &Arc<Grammar>, count: u64) -> [Vec<String>; 3] {
    let parser = Parser::new(Arc::clone(grammar)).unwrap();
    algorithms().map(|algorithm| {
        let generator = Generator::new(Arc::clone(grammar), algorithm).unwrap();
        let mut found = vec![];
        for seed in 0..count {
            let mut choices = Choices::seeded(seed);
            let text = generator.generate(&mut choices);
            assert!(!choices.is_rejected(), "{}", grammar.name());
            let fits = parser.accepts(&text).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert!(fits, "{}: {text:?}", grammar.name());
            found.push(text);
        }
        found
    })
}

/// Returns the different texts of a grammar with few.
fn all(grammar_text: &str) -> Vec<String> {
    let different: BTreeSet<String> = texts(&grammar(grammar_text), 100)
        .into_iter()
        .flatten()
        .collect();
    different.into_iter().collect()
}

#[test]
fn texts_of_all_grammars_parse() {
    let root = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../grammar/tests/antlr"
    ));
    let index = fs::read_to_string(root.join("INDEX.tsv")).unwrap();
    let mut grammars = 0;
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let file =
            |name: &str| fs::read_to_string(root.join(fields[0]).join(format!("{name}.g4"))).ok();
        let main = format!("{}Parser", fields[1]);
        let (main, text) = match file(&main) {
            Some(text) => (main, text),
            None => (fields[1].to_owned(), file(fields[1]).unwrap()),
        };
        let read = antlr::read(&text, &main, &mut |name| file(name)).unwrap();
        let start = start_symbol(&read.grammar, fields[2]).unwrap();
        let [_, _, sized] = texts(&Arc::new(read.grammar.with_start(start)), 60);
        let longest = sized.iter().map(String::len).max().unwrap();
        assert!(longest > 20, "{}: {sized:?}", fields[0]);
        grammars += 1;
    }
    assert_eq!(grammars, 8);
}

#[test]
fn tokens_are_separated_only_where_they_would_merge() {
    let words = "grammar Test; s: IF ID '+' '+' ID; IF: 'if'; ID: [a-z]+; INC: '++';
        WS: [ \\n]+ -> skip;";
    for text in all(words) {
        let (first, second) = text.split_once("+ +").unwrap();
        assert!(first.starts_with("if ") && !first.ends_with(' '), "{text}");
        assert!(second.chars().all(|c| c.is_ascii_lowercase()), "{text}");
    }
    // `1.` could become `1.5` by what follows the dot.
    let numbers =
        "grammar Test; s: INT '.' INT; INT: '1'; FLOAT: [0-9]+ '.' [0-9]+; WS: ' ' -> skip;";
    assert_eq!(all(numbers), ["1 .1"]);
}

#[test]
fn a_text_between_tokens_may_be_any_hidden_token() {
    let comments = "grammar Test; s: ID ID; ID: 'x'+; C: '#' ~'#'* '#' -> channel(HIDDEN);";
    for text in all(comments) {
        let words: Vec<&str> = text.split("##").collect();
        assert_eq!(words.len(), 2, "{text}");
        assert!(words.iter().all(|word| word.chars().all(|c| c == 'x')));
    }
}

#[test]
fn the_text_of_a_token_is_not_that_of_an_earlier_rule() {
    let keywords = "grammar Test; s: ID; A: 'a'; B: 'b'; ID: [a-c]; WS: ' ' -> skip;";
    assert_eq!(all(keywords), ["c"]);
}

#[test]
fn a_lazy_repetition_does_not_contain_its_end() {
    let comment = "grammar Test; s: C ID; C: '<' .*? '>'; ID: 'x';";
    for text in all(comment) {
        assert_eq!(text.find('>'), Some(text.len() - 2), "{text}");
    }
}

#[test]
fn modes_and_continued_tokens_are_written() {
    let lexer = "lexer grammar TestLexer; OPEN: '\"' -> more, pushMode(S); ID: 'x';
        HIDE: '(' -> skip, mode(IN);
        mode S; ESC: '\\\\' . -> more; STRING: '\"' -> popMode; ANY: ~[\\\\\"] -> more;
        mode IN; NUM: '1'; OUT: ')' -> skip, mode(DEFAULT_MODE);";
    let parser = "parser grammar Test; options { tokenVocab = TestLexer; } s: STRING NUM ID;";
    let read = antlr::read(parser, "Test", &mut |_| Some(lexer.into())).unwrap();
    for text in texts(&Arc::new(read.grammar), 100).into_iter().flatten() {
        assert!(text.starts_with('"') && text.ends_with("\"(1)x"), "{text}");
    }
}

#[test]
fn the_end_of_the_text_is_only_at_its_end() {
    let statements = "grammar Test; s: stmt* EOF; stmt: ID (';' | EOF); ID: 'x'; WS: ' ' -> skip;";
    for text in all(statements) {
        assert!(text.replace("x;", "").is_empty(), "{text}");
    }
    let comment = "grammar Test; s: ID+; ID: 'x'; C: 'x' EOF -> skip; WS: ' ' -> skip;";
    for text in all(comment) {
        assert!(text.ends_with("x "), "{text}");
    }
}

#[test]
fn a_rule_that_cannot_be_written_is_written_in_another_way() {
    // Two texts side by side are one, and nothing is hidden.
    let texts = "grammar Test; s: part+ '.'; part: TEXT | '<' TEXT? '>'; TEXT: [a-c]+;";
    assert!(all(texts).len() > 50);
    // The second `b` has to be another alternative of the rule around it.
    let modes = "grammar Test; s: two+; two: one one; one: 'a' | 'b'; BB: 'b' [ab]* 'b';";
    for text in all(modes) {
        assert!(text.matches('b').count() < 2, "{text}");
    }
}

#[test]
fn characters_are_printable_for_the_most_part() {
    let string = "grammar Test; s: STRING; STRING: '\"' ~[\"]* '\"'; ID: IDSTART+;
        fragment IDSTART: [a-z] | [\\u00c0-\\u00ff] | [\\u0400-\\u04ff];";
    let texts = texts(&grammar(string), 300);
    let text = texts.concat().concat();
    let printable = text.chars().filter(|c| (' '..='~').contains(c)).count();
    let others = text.chars().count() - printable;
    assert!(others > 5, "{others}");
    assert!(printable > 15 * others, "{printable} {others}");
}

#[test]
fn recorded_choices_make_the_same_text() {
    let text = "grammar Test; s: (part ';')+ EOF; part: TEXT | '<' TEXT? '>' | part '+' part;
        TEXT: [a-c]+; WS: ' ' -> skip;";
    let grammar = grammar(text);
    for algorithm in algorithms() {
        let generator = Generator::new(Arc::clone(&grammar), algorithm).unwrap();
        for seed in 0..50 {
            let mut choices = Choices::seeded(seed);
            let text = generator.generate(&mut choices);
            let mut again = Choices::replay(choices.into_recorded());
            assert_eq!(generator.generate(&mut again), text);
            let run = generator.record(seed).unwrap();
            assert_eq!(run.text, text);
            assert_eq!(*generator.replay(&run.values()).unwrap(), run);
            // Any other choices make a text, too, or are rejected.
            let parser = Parser::new(Arc::clone(&grammar)).unwrap();
            let mut fewer = run.values();
            fewer.drain(..fewer.len() / 2);
            if let Some(run) = generator.replay(&fewer) {
                assert!(parser.accepts(&run.text).unwrap());
            }
        }
    }
}

#[test]
fn a_part_may_begin_in_another_mode() {
    let lexer = "lexer grammar TestLexer; OPEN: '<' -> pushMode(TAG); mode TAG; NAME: [a-z]+;
        EQ: '='; CLOSE: '>' -> popMode;";
    let parser = "parser grammar Test; options { tokenVocab = TestLexer; }
        s: OPEN attribute* CLOSE; attribute: NAME EQ NAME;";
    let read = antlr::read(parser, "Test", &mut |_| Some(lexer.into())).unwrap();
    let grammar = Arc::new(read.grammar);
    let attribute = grammar.rule("attribute").unwrap();
    let generator = Generator::new(grammar, LimitFuzzer { max_depth: 5 }.into()).unwrap();
    let text = generator.generate_symbol(attribute, &mut Choices::seeded(1));
    assert!(String::from_utf8(text.unwrap()).unwrap().contains('='));
}

#[test]
fn tokens_that_no_text_has_are_avoided_or_named() {
    let avoided = "grammar Test; tokens { INDENT } s: ID | INDENT s | SHADOWED; ID: 'x' | 'y';
        SHADOWED: 'x';";
    assert_eq!(all(avoided), ["x", "y"]);
    let needed = "grammar Test; tokens { INDENT } s: ID INDENT; ID: 'x';";
    let error = Generator::new(grammar(needed), LimitFuzzer { max_depth: 5 }.into()).unwrap_err();
    assert_eq!(
        error,
        GeneratorError::NoToken {
            start: "s".into(),
            tokens: vec!["INDENT".into()]
        }
    );
    assert_eq!(
        error.to_string(),
        "no text of `s` can be divided into its tokens: no text is read as `INDENT`"
    );
}

#[test]
fn choices_are_rejected_where_no_text_is_found() {
    // `a` after `a` is always one token.
    let impossible = grammar("grammar Test; s: A A; A: 'a'+;");
    for algorithm in algorithms() {
        let generator = Generator::new(Arc::clone(&impossible), algorithm).unwrap();
        let mut choices = Choices::seeded(1);
        assert!(generator.generate(&mut choices).is_empty());
        assert!(choices.is_rejected());
        choices.forget();
        assert!(!choices.is_rejected());
        assert_eq!(generator.record(1), None);
    }
}

#[test]
fn a_text_near_its_end_takes_words_of_samples() {
    let grammar = grammar(
        "grammar Test; file: item+ EOF; item: key ':' value ';'; key: NAME ws ws | MARK;
        value: '(' value ')' | NUMBER; ws: BLANK*; NAME: [a-z]+; MARK: '$'; NUMBER: [0-9]+; BLANK: ' ';",
    );
    let parser = Parser::new(Arc::clone(&grammar)).unwrap();
    let mut weights = Weights::equal(&grammar);
    weights
        .learn(&parser, b"width: 1;height :(2);")
        .unwrap_err();
    weights.learn(&parser, b"width:1;height :(2);").unwrap();
    // Without weights, most texts end with `$`, which has the fewest expansions.
    for algorithm in [
        LimitFuzzer { max_depth: 0 }.into(),
        Algorithm::Grammar(GrammarFuzzer {
            min_nonterminals: 0,
            max_nonterminals: 0,
        }),
    ] {
        let of = |weights: Weights| {
            let generator = Generator::new(Arc::clone(&grammar), algorithm).unwrap();
            let generator = generator.weights(weights);
            let mut choices = Choices::seeded(1);
            let texts = (0..100).map(|_| generator.generate(&mut choices));
            let marks = texts.filter(|text| text.contains(&b'$'));
            marks.count()
        };
        assert!(of(Weights::equal(&grammar)) >= 70);
        assert_eq!(of(weights.clone()), 0);
    }
}

#[test]
fn a_text_is_closed_at_its_limit_of_tokens() {
    let grammar = grammar("grammar Test; s: list EOF; list: '(' list* ')'; WS: ' ' -> skip;");
    let tokens = |max: u64| {
        let generator =
            Generator::new(Arc::clone(&grammar), LimitFuzzer { max_depth: 40 }.into()).unwrap();
        let limited = Generator::new(Arc::clone(&grammar), LimitFuzzer { max_depth: 40 }.into());
        let limited = limited.unwrap().max_tokens(max);
        let mut most = 0;
        for seed in 0..300 {
            let mut choices = Choices::seeded(seed);
            let text = limited.generate(&mut choices);
            most = most.max(text.len());
            // Without the limit, the choices have the same meaning.
            let mut again = Choices::replay(choices.into_recorded());
            assert_eq!(generator.generate(&mut again), text);
        }
        most
    };
    // Every open bracket is closed, and nothing else is begun.
    assert!((11..=20).contains(&tokens(10)), "{}", tokens(10));
    assert!(tokens(u64::MAX) > 40);
}
