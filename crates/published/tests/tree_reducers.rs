//! Tree reducers, driven by the engine.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use nubbin_reduce::engine::{Outcome, Reduction, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::pass::Pass;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::{TreePass, TreeReducer};
use nubbin_verdict::Closure;
use std::collections::BTreeSet;
use std::sync::Arc;

const STATEMENTS: &str = "\
<program> ::= <stmt>*
<stmt> ::= <block> | <if> | <call> ';' | 'x' '=' <expr> ';'
<block> ::= '{' <stmt>* '}'
<if> ::= 'if' '(' <expr> ')' <stmt> ('else' <stmt>)?
<call> ::= <name> '(' (<expr> (',' <expr>)*)? ')'
<expr> ::= <expr> '+' <product> | <product>
<product> ::= <product> '*' <atom> | <atom>
<atom> ::= <call> | '(' <expr> ')' | [0-9]+ | <name>
<name> ::= [a-z]+
";

const TEXT: &str =
    "x=1;{x=f(1,(2+3)*4);if(a)f();else{x=2;{g(b);}}}g(f(),h(1));if(c+1)x=a*b;{{x=7;}}";

fn parser() -> Arc<Parser> {
    let grammar = read::read(STATEMENTS, None, "statements").unwrap();
    Arc::new(Parser::new(Arc::new(grammar)).unwrap())
}

fn run(reducer: &Arc<dyn TreeReducer>, jobs: Option<usize>) -> Outcome {
    let parser = parser();
    let pass: Arc<dyn Pass> = Arc::new(TreePass::new(Arc::clone(reducer), parser.clone()));
    let oracle = Closure::new(move |text: &[u8]| {
        let fits = parser.parse(text).is_ok();
        fits && [&b"g("[..], b"1"]
            .iter()
            .all(|part| text.windows(part.len()).any(|w| w == *part))
    });
    let plan = Plan::single(pass, MinimizerChoice::default());
    let mut reduction = Reduction::new(Input::single("input", TEXT).unwrap(), &oracle, plan);
    if let Some(jobs) = jobs {
        reduction = reduction.jobs(jobs);
    }
    reduction.run().unwrap()
}

#[test]
fn any_number_of_workers_gives_the_same_result_and_the_same_counts() {
    for reducer in nubbin_published::catalogue().tree_reducers() {
        let alone = run(reducer, None);
        for jobs in [1, 2, 7] {
            let many = run(reducer, Some(jobs));
            assert_eq!(
                many.input.bytes(),
                alone.input.bytes(),
                "{} with {jobs} workers",
                reducer.id()
            );
            let counts = |s: &Statistics| (s.tests, s.failing, s.cache_hits);
            assert_eq!(
                counts(&many.statistics),
                counts(&alone.statistics),
                "{} with {jobs} workers",
                reducer.id()
            );
        }
    }
}

#[test]
fn every_tree_reducer_has_a_unique_name_and_a_description() {
    let mut ids = BTreeSet::new();
    for reducer in nubbin_published::catalogue().tree_reducers() {
        assert!(ids.insert(reducer.id()), "{}", reducer.id());
        assert!(!reducer.info().about.is_empty() && !reducer.info().source.is_empty());
        assert!(
            nubbin_published::catalogue()
                .tree_reducer(reducer.id())
                .is_some()
        );
    }
}

#[test]
fn reducers_that_remove_and_replace_have_small_results() {
    for id in ["perses", "grabr", "grabr-depth", "grabr-generative"] {
        let outcome = run(
            &nubbin_published::catalogue().tree_reducer(id).unwrap(),
            None,
        );
        let left = String::from_utf8_lossy(outcome.input.bytes()).into_owned();
        assert!(left.len() <= 12, "{id}: {left}");
    }
}
