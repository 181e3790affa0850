//! Walks on the hand-made graph of an excerpt of ECMAScript 5.1 (15.2 and 15.3), after figure 1 of
//! the thesis.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_choices::{Replay, Value};
use nubbin_generate::Choices;
use nubbin_graph::{Graph, Start, Statistics, WalkOptions, Walker};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn figure() -> Graph {
    Graph::from_json(include_str!("figure1.json")).unwrap()
}

fn texts(options: WalkOptions, count: u32) -> BTreeSet<String> {
    let walker = Walker::new(&figure(), options);
    let mut choices = Choices::seeded(1);
    let one = |_| {
        choices.forget();
        String::from_utf8(walker.generate(&mut choices)).unwrap()
    };
    (0..count).map(one).collect()
}

/// The two expressions that the thesis prints beside the figure.
#[test]
fn the_expressions_of_the_thesis_are_walks() {
    let thesis = texts(WalkOptions::thesis(), 20_000);
    let printed = [
        "this.Object.getPrototypeOf(this.Function.prototype)",
        "new (this.Object)(this)",
    ];
    for text in printed {
        assert!(thesis.contains(text), "{text}");
    }
    let ours = texts(
        WalkOptions {
            start: Start::Signature,
            ..WalkOptions::thesis()
        },
        20_000,
    );
    for text in printed {
        assert!(ours.contains(text), "{text}");
    }
}

/// Splits the arguments of an expression of the figure, and checks each of them.
fn fits(graph: &Graph, text: &str) -> bool {
    let properties: BTreeSet<&str> = graph
        .types()
        .iter()
        .flat_map(|node| node.properties.iter().map(|(key, _)| key.as_str()))
        .collect();
    let words = text.split(|char: char| !char.is_ascii_alphanumeric());
    let known = |word: &str| ["", "this", "new"].contains(&word) || properties.contains(word);
    words.into_iter().all(known)
}

#[test]
fn a_walk_uses_nothing_that_is_not_in_the_graph() {
    let graph = figure();
    let options = WalkOptions {
        start: Start::Signature,
        ..WalkOptions::thesis()
    };
    for text in texts(options, 2_000) {
        assert!(fits(&graph, &text), "{text}");
        let depth = |open: char, close: char| {
            text.matches(open).count() as i64 - text.matches(close).count() as i64
        };
        assert_eq!(depth('(', ')'), 0, "{text}");
    }
}

#[test]
fn arguments_have_the_types_of_their_parameters() {
    // The parameter of `hasOwnProperty` is a string, and `toString` alone makes one.
    let options = WalkOptions {
        start: Start::Signature,
        ..WalkOptions::thesis()
    };
    let with_strings: Vec<String> = texts(options, 5_000)
        .into_iter()
        .filter(|text| text.contains("hasOwnProperty("))
        .collect();
    assert!(!with_strings.is_empty());
    for text in with_strings {
        let at = text.rfind("hasOwnProperty(").unwrap();
        let argument = &text[at + "hasOwnProperty(".len()..];
        assert!(argument.contains("toString()"), "{text}");
    }
}

#[test]
fn the_statistics_count_every_edge() {
    let count = Statistics::of(&figure());
    assert_eq!((count.types, count.functions), (14, 9));
    assert_eq!((count.signatures, count.learned), (11, 0));
    assert_eq!((count.property, count.prototype), (12, 10));
    assert_eq!((count.call, count.construct), (9, 2));
    assert_eq!((count.parameter, count.returns), (13, 8));
}

#[test]
fn a_walk_of_a_graph_without_calls_is_the_global_object() {
    let graph = Graph::from_json(
        r#"{"format":"nubbin prototype graph","version":1,
            "types":[{"name":"this","kind":"object"}],"signatures":[]}"#,
    );
    let walker = Walker::new(&graph.unwrap(), WalkOptions::default());
    assert_eq!(walker.generate(&mut Choices::seeded(1)), b"this");
}

fn options() -> impl Strategy<Value = WalkOptions> {
    (any::<bool>(), 0..12u32, any::<[bool; 3]>()).prop_map(|(start, max_height, on)| WalkOptions {
        start: if start {
            Start::Signature
        } else {
            Start::Global
        },
        max_height,
        literals: on[0],
        receivers: on[1],
        vary_arguments: on[2],
    })
}

/// A graph of Python has no values but its own, and no receivers by `.call`.
#[test]
fn expressions_of_python_have_its_values_only() {
    let graph = Graph::from_json(
        r#"{"format":"nubbin prototype graph","version":1,"language":"python",
        "types":[
          {"name":"this","kind":"object","properties":[["math",1]]},
          {"name":"this.math","kind":"object","properties":[["sqrt",2]]},
          {"name":"this.math.sqrt","kind":"function","call":[0,1]},
          {"name":"this.builtins.float{}","kind":"object","values":["1.5"]}
        ],
        "signatures":[{"parameters":[{"types":[3]}],"returns":[3]},{"parameters":[{}]}]}"#,
    )
    .unwrap();
    let walker = Walker::new(&graph, WalkOptions::default());
    assert!(!walker.options().receivers);
    let mut choices = Choices::seeded(1);
    let mut literals = BTreeSet::new();
    for _ in 0..2_000 {
        choices.forget();
        let text = String::from_utf8(walker.generate(&mut choices)).unwrap();
        assert!(text.starts_with("this.math.sqrt("), "{text}");
        let rest = text.replace("this.math.sqrt", "").replace("this.math", "");
        let words = rest.split(|char| "(), ".contains(char));
        literals.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    let expected = ["1.5", "this"].map(str::to_owned);
    assert_eq!(literals, BTreeSet::from(expected));
}

proptest! {
    #[test]
    fn recorded_expressions_replay(seed: u64, options in options()) {
        let walker = Walker::new(&figure(), options);
        let mut choices = Choices::seeded(seed);
        let text = walker.generate(&mut choices);
        let recorded = choices.into_recorded();
        let values: Vec<Value> = recorded.iter().map(|&at| Value::Integer(at.into())).collect();
        let run = walker.replay(&values).unwrap();
        prop_assert_eq!(&run.text, &text);
        prop_assert!(run.is_of(&values));
        prop_assert!(!run.overran);
    }

    #[test]
    fn any_choices_make_an_expression_of_the_graph(
        choices in prop::collection::vec(any::<i64>(), 0..40),
        options in options(),
    ) {
        let walker = Walker::new(&figure(), WalkOptions { literals: false, receivers: false, ..options });
        let values: Vec<Value> = choices.into_iter().map(Value::Integer).collect();
        let run = walker.replay(&values).unwrap();
        let text = String::from_utf8(run.text.clone()).unwrap();
        prop_assert!(fits(&figure(), &text), "{}", text);
    }

    #[test]
    fn walks_end_on_any_small_graph(graph in small_graph(), seed: u64, options in options()) {
        let walker = Walker::new(&graph, options);
        let mut choices = Choices::seeded(seed);
        for _ in 0..20 {
            let text = walker.generate(&mut choices);
            prop_assert!(text.len() < 1 << 20);
        }
    }

    #[test]
    fn merging_a_graph_with_itself_changes_nothing(graph in small_graph()) {
        let merged = graph.clone().merged(&graph).unwrap();
        prop_assert_eq!(Statistics::of(&merged), Statistics::of(&graph));
        prop_assert_eq!(merged.to_json(), graph.to_json());
        let again = Graph::from_json(&graph.to_json()).unwrap();
        prop_assert_eq!(again, graph);
    }
}

/// Graphs with random edges. The prototype of a type comes before it, so that there is no cycle.
fn small_graph() -> impl Strategy<Value = Graph> {
    let edges = prop::collection::vec((0..9u32, 0..9u32, 0..4u32), 0..30);
    let calls = prop::collection::vec(
        (
            0..9u32,
            any::<bool>(),
            prop::collection::vec(0..9u32, 0..3),
            0..9u32,
        ),
        0..12,
    );
    (edges, calls).prop_map(|(edges, calls)| {
        let mut lines = String::new();
        for node in 0..9u32 {
            let name = if node == 0 { "this".to_owned() } else { format!("t{node}") };
            let of_node = edges.iter().filter(|edge| edge.0 == node);
            let mut known = BTreeSet::new();
            let properties: Vec<String> = of_node
                .filter(|(_, to, key)| known.insert((*to, *key)))
                .map(|(_, to, key)| format!("[\"k{key}\",{to}]"))
                .take(4)
                .collect();
            let ids = |construct: bool| -> Vec<String> {
                let calls = (0..).zip(&calls).filter(|(_, call)| call.0 == node && call.1 == construct);
                calls.map(|(id, _): (u32, _)| id.to_string()).collect()
            };
            let prototype = if node > 3 { format!("\"prototype\":{},", node % 3) } else { String::new() };
            lines += &format!(
                "{}{{\"name\":\"{name}\",\"kind\":\"object\",{prototype}\"properties\":[{}],\"call\":[{}],\"construct\":[{}]}}",
                if node == 0 { "" } else { "," },
                properties.join(","),
                ids(false).join(","),
                ids(true).join(","),
            );
        }
        let signatures: Vec<String> = calls
            .iter()
            .enumerate()
            .map(|(at, (_, _, parameters, returns))| {
                let parameters = parameters.iter().map(|id| format!("{{\"types\":[{id}]}}"));
                let parameters: Vec<String> = parameters.collect();
                // Distinct results keep signatures apart.
                let returns = if at % 2 == 0 { format!("[{returns}]") } else { "[]".to_owned() };
                format!("{{\"parameters\":[{}],\"returns\":{returns}}}", parameters.join(","))
            })
            .collect();
        let text = format!(
            "{{\"format\":\"nubbin prototype graph\",\"version\":1,\"types\":[{lines}],\"signatures\":[{}]}}",
            signatures.join(",")
        );
        let graph = Graph::from_json(&text).unwrap();
        // What is the same is one edge in a graph that was built.
        let empty = Graph::from_json(
            r#"{"format":"nubbin prototype graph","version":1,"types":[{"name":"this","kind":"object"}],"signatures":[]}"#,
        );
        empty.unwrap().merged(&graph).unwrap()
    })
}
