use crate::tree::{Outline, ROOT};
use crate::tree_reducer::TreeReducer;
use nubbin_edit::{Applied, fingerprint};
use nubbin_engine::work::Lists;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The result of running a tree reducer by itself, with its number of tests.
///
/// Each count is the number of tests with one kind of cache. The original is known to fail and is
/// not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Driven {
    /// The final text.
    pub text: Vec<u8>,
    /// The number of tests without a cache: all proposals that change the text.
    pub asked: u64,
    /// The number of tests with a cache by configuration, that is, by the removed parts. The HDD
    /// family also [counts](nubbin_engine::work::Machine::configurations) configurations whose text
    /// is the current text, for which it makes no proposal.
    pub configurations: u64,
    /// The number of tests with a cache by the content of the candidate, as in the engine.
    pub contents: u64,
    /// The number of adopted proposals.
    pub adopted: u64,
}

/// Runs a tree reducer over a tree without an engine. Use it in tests, for figures, and to see the
/// proposals of a tree reducer.
///
/// Every candidate that fails is adopted, even if it is not smaller, as in the published
/// algorithms. The engine adopts only candidates that are better. `fails` is called once for each
/// text. The outline has to begin at offset 0.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::Outline;
/// use nubbin_reduce::tree_reducer::{self, Subtrees};
/// use nubbin_reduce::work::Lists;
/// use std::sync::Arc;
///
/// let grammar = Arc::new(read::read("<s> ::= '(' <s>* ')' | [a-z]", None, "lists")?);
/// let text = b"((ab)(xc)d)";
/// let outline = Arc::new(Outline::of(&Parser::new(grammar)?, text, 0).unwrap());
/// let driven = tree_reducer::drive(&Subtrees, &outline, &Lists::default(), |text| text.contains(&b'x'));
/// assert_eq!(driven.text, b"((x))");
/// assert!(driven.contents <= driven.asked && driven.contents <= driven.configurations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drive(
    reducer: &dyn TreeReducer,
    outline: &Arc<Outline>,
    lists: &Lists,
    mut fails: impl FnMut(&[u8]) -> bool,
) -> Driven {
    let original = outline.text_of(ROOT);
    let mut driven = Driven {
        text: original.to_vec(),
        ..Driven::default()
    };
    let Some(work) = reducer.open(outline, lists) else {
        return driven;
    };
    let mut machine = work.start(lists);
    let mut applied = Applied::default();
    let mut configurations = FxHashSet::default();
    let mut passed = FxHashSet::default();
    let mut failed = FxHashSet::default();
    failed.insert(fingerprint(original));
    while let Some(proposal) = machine.next() {
        let edit = applied.edit().combine(&proposal).ok();
        let Some(edit) = edit.filter(|edit| edit != applied.edit()) else {
            machine.record(false);
            continue;
        };
        driven.asked += 1;
        let text = edit.render(original);
        let print = fingerprint(&text);
        driven.configurations += u64::from(configurations.insert(edit.clone().ranked(0)));
        if !failed.contains(&print) && !passed.contains(&print) {
            driven.contents += 1;
            if fails(&text) {
                failed.insert(print);
            } else {
                passed.insert(print);
            }
        }
        let adopted = failed.contains(&print);
        if adopted {
            applied = Applied::new(edit);
            driven.text = text;
            driven.adopted += 1;
        }
        machine.record(adopted);
    }
    if let Some(count) = machine.configurations() {
        driven.configurations = count;
    }
    driven
}
