//! Prototype graphs in JSON: the reader does not panic, a graph that was read is written and read
//! again, and walks on it end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_generate::Choices;
use nubbin_graph::{Graph, WalkOptions, Walker};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(graph) = Graph::from_json(text) else { return };
    let again = Graph::from_json(&graph.to_json());
    assert_eq!(again.ok().map(|graph| graph.to_json()), Some(graph.to_json()));
    let walker = Walker::new(&graph, WalkOptions::default());
    if walker.has_calls() {
        let mut choices = Choices::seeded(7);
        for _ in 0..10 {
            walker.generate(&mut choices);
        }
    }
});
