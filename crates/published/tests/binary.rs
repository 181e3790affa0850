//! Tree reducers on the regions of a binary file.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_edit::Input;
use nubbin_engine::Reduction;
use nubbin_engine::plan::Plan;
use nubbin_published::catalogue;
use nubbin_trees::tree_reducer::{TreePass, TreeReducer};
use nubbin_verdict::Closure;
use std::sync::Arc;

fn chunk(tag: &[u8], data: &[u8]) -> Vec<u8> {
    [tag, &(data.len() as u32).to_le_bytes(), data].concat()
}

/// Lists of chunks in each other, of which one is needed.
fn wave() -> Vec<u8> {
    let list = |inner: &[u8]| chunk(b"LIST", &[b"INFO", inner].concat());
    let texts: Vec<u8> = (0..12)
        .flat_map(|nth| chunk(b"ICMT", &[b'a' + nth, 0]))
        .collect();
    let inner = [list(&texts), chunk(b"data", b"\x01\x02\x03\x04"), list(b"")].concat();
    chunk(b"RIFF", &[b"WAVE", &inner[..]].concat())
}

fn reduced(reducer: &Arc<dyn TreeReducer>, text: &[u8]) -> Vec<u8> {
    let pass = TreePass::of_each(Arc::clone(reducer), [None].into()).with_regions();
    let fails = |text: &[u8]| {
        let len = |at: usize| {
            let bytes = text.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
        };
        // Every candidate is well-formed, so each test can fail.
        let is_right = text.is_empty() || len(4) == Some(text.len() - 8);
        assert!(is_right, "{}: {}", reducer.id(), text.escape_ascii());
        let needed = [b"ICMT\x02\0\0\0g", b"WAVE".as_slice()];
        needed
            .iter()
            .all(|part| text.windows(part.len()).any(|at| at == *part))
    };
    let oracle = Closure::new(fails);
    let input = Input::single("a.wav", text).unwrap();
    let plan = Plan::of(vec![Arc::new(pass)]);
    Reduction::new(input, &oracle, plan)
        .run()
        .unwrap()
        .input
        .bytes()
        .to_vec()
}

#[test]
fn tree_reducers_keep_the_fields_of_a_binary_file_right() {
    let text = wave();
    let text_chunk = chunk(b"ICMT", b"g\0");
    let list = chunk(b"LIST", &[b"INFO", &text_chunk[..]].concat());
    let deleted = chunk(b"RIFF", &[b"WAVE", &list[..]].concat());
    // A chunk may stand where the one around it stood.
    let replaced = chunk(b"RIFF", &[b"WAVE", &text_chunk[..]].concat());
    let mut results = [0; 2];
    let mut others = vec![];
    for reducer in catalogue().tree_reducers() {
        match reduced(reducer, &text) {
            left if left == text => {}
            left if left == deleted => results[0] += 1,
            left if left == replaced => results[1] += 1,
            _ => others.push(reducer.id()),
        }
    }
    assert!(results[0] >= 8 && results[1] >= 3, "{results:?}");
    // `perses-article`, as published, does not come back to a list that it has replaced. The others
    // delete nothing.
    assert_eq!(others, ["same-kind", "perses-article", "hoist"]);
    for (id, result) in [("hdd", deleted), ("perses", replaced)] {
        let reducer = catalogue().tree_reducer(id).unwrap();
        assert_eq!(reduced(&reducer, &text), result, "{id}");
    }
}

#[test]
fn a_binary_file_is_left_alone_without_regions() {
    let text = wave();
    let hdd = catalogue().tree_reducer("hdd").unwrap();
    let pass = TreePass::of_each(hdd, [None].into());
    let oracle = Closure::new(|_: &[u8]| true);
    let input = Input::single("a.wav", text.clone()).unwrap();
    let outcome = Reduction::new(input, &oracle, Plan::of(vec![Arc::new(pass)]))
        .run()
        .unwrap();
    assert_eq!(outcome.input.bytes(), text);
}
