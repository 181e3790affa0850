//! Graph files that are cut off, changed, or of another format.

use nubbin_graph::{Graph, GraphError, Language};

const FIGURE: &str = include_str!("figure1.json");

#[test]
fn a_file_comes_back() {
    let graph = Graph::from_json(FIGURE).unwrap();
    assert_eq!(Graph::from_json(&graph.to_json()).unwrap(), graph);
    assert_eq!(graph.to_json(), FIGURE);
}

#[test]
fn no_prefix_of_a_file_is_a_graph() {
    for end in (0..FIGURE.trim_end().len()).step_by(7) {
        let error = Graph::from_json(&FIGURE[..end]).unwrap_err();
        assert!(matches!(error, GraphError::NotJson(_)), "{end}: {error}");
    }
}

#[test]
fn a_changed_file_is_refused() {
    let error = |from: &str, to: &str| {
        assert!(FIGURE.contains(from), "{from}");
        Graph::from_json(&FIGURE.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    };
    let of = |what: &str| format!("the graph has been changed: {what}");
    assert_eq!(
        error("\"version\":1", "\"version\":2"),
        "the format of the graph has version 2, and this program reads version 1"
    );
    assert_eq!(
        error("prototype graph", "tree"),
        "the file is not a prototype graph"
    );
    assert_eq!(
        error("[\"Object\",1]", "[\"Object\",99]"),
        of("this has an edge to type 99, which does not exist")
    );
    assert_eq!(
        error("\"call\":[10]", "\"call\":[11]"),
        of("this.Function.prototype.call has an edge to signature 11, which does not exist")
    );
    assert_eq!(
        error("\"name\":\"string\"", "\"name\":\"this\""),
        of("two types have the name `this`")
    );
    assert_eq!(
        error(
            "\"name\":\"this.Object.prototype\",\"kind\":\"object\"",
            "\"name\":\"this.Object.prototype\",\"kind\":\"object\",\"prototype\":13"
        ),
        of("the prototype chain of `this.Object` has no end")
    );
    assert!(error("\"kind\":\"object\"", "\"kind\":\"thing\"").starts_with(&of("unknown variant")));
    assert!(error("\"construct\":[1]", "\"makes\":[1]").starts_with(&of("unknown field")));
}

#[test]
fn graphs_of_two_engines_are_not_merged() {
    let of = |name: &str| {
        let engine = format!("\"engine\":{{\"name\":\"{name}\",\"hash\":\"0\"}},\"types\"");
        Graph::from_json(&FIGURE.replacen("\"types\"", &engine, 1)).unwrap()
    };
    let error = of("jsc").merged(&of("mujs")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the graphs are of different engines: jsc and mujs"
    );
    assert!(of("jsc").merged(&of("jsc")).is_ok());
}

const PYTHON: &str = r#"{"format":"nubbin prototype graph","version":1,
"language":"python",
"types":[
{"name":"this","kind":"object","properties":[["math",1]]},
{"name":"this.math","kind":"object"}
],
"signatures":[]}
"#;

#[test]
fn a_graph_keeps_its_language() {
    let graph = Graph::from_json(PYTHON).unwrap();
    assert_eq!(graph.language, Language::Python);
    assert_eq!(graph.to_json(), PYTHON);
    let javascript = Graph::from_json(FIGURE).unwrap();
    assert_eq!(javascript.language, Language::Javascript);
    assert_eq!(
        graph.merged(&javascript).unwrap_err().to_string(),
        "the graphs are of different languages: Python and JavaScript"
    );
}
