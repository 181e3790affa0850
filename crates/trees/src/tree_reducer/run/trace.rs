use crate::tree::Outline;
use crate::tree_reducer::TreeReducer;
use nubbin_edit::{Applied, Input};
use nubbin_engine::work::Lists;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use nubbin_grammar::syntax::Syntax;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tests and the result of running a tree reducer by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The tested candidates in order, each distinct text once, and whether each of them failed.
    pub tests: Vec<(String, bool)>,
    /// The final text.
    pub result: String,
}

impl Trace {
    /// Returns the tested candidates.
    pub fn texts(&self) -> Vec<&str> {
        self.tests.iter().map(|(text, _)| text.as_str()).collect()
    }
}

/// Runs a tree reducer against a predicate: one test at a time, no test twice. A candidate that
/// fails and is smaller is adopted. The function is for documentation and for authors of tree
/// reducers. The engine does the same with budgets and workers.
///
/// The trace is empty where the grammar is invalid or the text does not fit it.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Grabr, trace};
///
/// let sums = "<s> ::= <t> '+' <s> | <t>\n<t> ::= '(' <s> ')' | [0-9]\n";
/// let trace = trace(&Grabr::plain(), sums, "1+(2+3)", |text| text.contains('3'));
/// assert_eq!(trace.texts(), ["1+2+3", "1+3"]);
/// assert_eq!(trace.result, "1+3");
/// ```
pub fn trace(
    reducer: &dyn TreeReducer,
    grammar: &str,
    text: &str,
    fails: impl Fn(&str) -> bool,
) -> Trace {
    let parser = read::read(grammar, None, "trace")
        .ok()
        .and_then(|grammar| Parser::new(Arc::new(grammar)).ok());
    let fails = |text: &[u8]| fails(&String::from_utf8_lossy(text));
    parser.map_or_else(Trace::default, |parser| {
        trace_with(reducer, &parser, text.as_bytes(), &Lists::default(), fails)
    })
}

/// Runs a tree reducer as [`trace`] does, with any source of trees, and with the list minimizer and
/// seed of `lists`.
///
/// Bytes that are not UTF-8 are shown as replacement characters.
pub fn trace_with(
    reducer: &dyn TreeReducer,
    syntax: &dyn Syntax,
    text: &[u8],
    lists: &Lists,
    fails: impl Fn(&[u8]) -> bool,
) -> Trace {
    let mut trace = Trace {
        tests: vec![],
        result: String::from_utf8_lossy(text).into_owned(),
    };
    let (Some(outline), Ok(mut input)) =
        (Outline::of(syntax, text, 0), Input::single("trace", text))
    else {
        return Trace::default();
    };
    let Some(work) = reducer.open(&Arc::new(outline), lists) else {
        return trace;
    };
    let mut machine = work.start(lists);
    let mut known: FxHashMap<Vec<u8>, bool> = FxHashMap::default();
    let mut applied = Applied::default();
    let order = reducer.order().unwrap_or_default();
    while let Some(edit) = machine.next() {
        let moved = applied.rebase(&edit).ok().filter(|edit| !edit.is_none());
        let candidate = moved
            .map(|edit| input.apply(&edit))
            .filter(|candidate| order.is_below(candidate, &input));
        let Some(candidate) = candidate else {
            machine.record(false);
            continue;
        };
        let adopted = *known.entry(candidate.bytes().to_vec()).or_insert_with(|| {
            let outcome = fails(candidate.bytes());
            let text = String::from_utf8_lossy(candidate.bytes()).into_owned();
            trace.tests.push((text, outcome));
            outcome
        }) && applied.apply(&edit).is_ok();
        if adopted {
            input = candidate;
        }
        machine.record(adopted);
    }
    trace.result = String::from_utf8_lossy(input.bytes()).into_owned();
    trace
}
