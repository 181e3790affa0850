//! Interactive pages that show a graph.

use super::Drawing;
use super::escape::{markup, script};
use super::svg::svg;
use crate::model::Graph;
use crate::statistics::Statistics;
use std::hash::{DefaultHasher, Hash, Hasher};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns an interactive HTML page, in one file, that shows a graph.
///
/// The page has a search for types and properties, an overview picture, and a view of one type: its
/// prototype chain, signatures, properties, and values, its callable properties, and the signatures
/// that take and return it. The fragment of the page's address is the name of the type. The page
/// has a light and a dark mode, and loads no other files.
///
/// Names of types and properties are from an engine and from tests. The page has them as data,
/// which its script shows as text.
///
/// ```
/// use nubbin_graph::{Graph, page};
///
/// let graph = Graph::from_json(
///     r#"{ "format": "nubbin prototype graph", "version": 1,
///          "types": [{ "name": "this", "kind": "object" }], "signatures": [] }"#,
/// )?;
/// assert!(page(&graph, "A <small> graph").contains("<title>A &lt;small&gt; graph</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn page(graph: &Graph, title: &str) -> String {
    let title = markup(title);
    let data = script(&graph.to_json());
    let picture = svg(graph, Drawing { signatures: false });
    let engine = engine(graph);
    let statistics = statistics(&Statistics::of(graph));
    let nonce = nonce(&data);
    // If a name ever becomes markup in this page, the policy blocks its scripts, loads, and
    // requests.
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; \
         base-uri 'none'; form-action 'none'"
    );
    format!(
        r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<header>
<div class="head"><h1>{title}</h1>{engine}</div>
{statistics}
</header>
<noscript><p class="note">This page needs scripts to show types.</p></noscript>
<main>
<section class="view">
<div class="search" role="search">
<input id="search" type="search" placeholder="Search types and properties ( / )"
 aria-label="Search types and properties" role="combobox" aria-expanded="false"
 aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<ul id="found" role="listbox" aria-label="Types and properties" hidden></ul>
</div>
<article id="type" aria-live="polite"></article>
</section>
<aside class="overview" aria-label="Overview">
<div class="tools">
<span class="legend"><span class="key global"></span>global object
<span class="key function"></span>function <span class="key object"></span>other object
<span class="key primitive"></span>primitive</span>
<span class="buttons"><button type="button" id="closer" title="Zoom in">+</button>
<button type="button" id="farther" title="Zoom out">−</button>
<button type="button" id="selected" title="Zoom to the selected type">Selected</button>
<button type="button" id="whole" title="Show the whole graph">All</button></span>
</div>
<div id="picture">
{picture}</div>
<p id="under" class="more">Click a dot to select its type. Drag to move, and scroll to zoom.</p>
</aside>
</main>
<script type="application/json" id="graph">{data}</script>
<script nonce="{nonce}">
{SCRIPT}</script>
</body>
</html>
"##
    )
}

/// Returns the word with which the policy of the page knows its script. Names in the page cannot
/// contain it, since it depends on them.
fn nonce(data: &str) -> String {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    format!("n{:016x}", hasher.finish())
}

/// Returns a line about the engine.
fn engine(graph: &Graph) -> String {
    let Some(engine) = &graph.engine else {
        return String::new();
    };
    let version = match &engine.version {
        Some(version) => format!(" <span>{}</span>", markup(version)),
        None => String::new(),
    };
    format!(
        "\n<p class=\"engine\"><strong>{}</strong>{version} <code title=\"Hash of the executable \
         file\">{}</code></p>",
        markup(&engine.name),
        markup(&engine.hash),
    )
}

/// Returns a list of the numbers that say the most.
fn statistics(count: &Statistics) -> String {
    let cards = [
        ("types", count.types),
        ("functions", count.functions),
        ("signatures", count.signatures),
        ("learned", count.learned),
        ("property", count.property),
        ("prototype", count.prototype),
        ("call", count.call),
        ("construct", count.construct),
        ("parameter", count.parameter),
        ("return", count.returns),
        ("values", count.values),
    ];
    let cards = cards.map(|(name, number)| format!("<div><dt>{name}</dt><dd>{number}</dd></div>"));
    format!("<dl class=\"cards\">{}</dl>", cards.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = r#"{"format":"nubbin prototype graph","version":1,
        "engine":{"name":"<b>","version":"</p><script>alert(1)</script>","hash":"\"'<"},
        "types":[
        {"name":"this","kind":"object","properties":[["<!--<script>",1]]},
        {"name":"</script><img src=x onerror=alert(1)>","kind":"function","call":[0],
            "values":["</SCRIPT ><svg onload=alert(1)>"]}],
        "signatures":[{"receiver":[1],"parameters":[{"values":["</script>"]}]}]}"#;

    fn hostile() -> String {
        let graph = Graph::from_json(HOSTILE).unwrap();
        page(&graph, "</title><script>alert(2)</script>")
    }

    /// Returns the text between the first `start` and the next `end`.
    fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
        let (_, rest) = text.split_once(start).unwrap();
        rest.split_once(end).unwrap().0
    }

    #[test]
    fn markup_in_names_stays_text() {
        let page = hostile();
        let lower = page.to_lowercase();
        assert_eq!(lower.matches("<script").count(), 2);
        assert_eq!(lower.matches("</script").count(), 2);
        for tag in ["<img", "<b>", "<!--", "</p><script"] {
            assert!(!lower.contains(tag), "{tag}");
        }
        assert_eq!(
            lower.matches("</title>").count(),
            1 + 2,
            "that of the page, and two tooltips"
        );
    }

    #[test]
    fn the_data_are_the_graph() {
        let page = hostile();
        let data = between(&page, "id=\"graph\">", "</script>");
        let graph = Graph::from_json(data).unwrap();
        assert_eq!(graph, Graph::from_json(HOSTILE).unwrap());
    }

    #[test]
    fn only_the_script_of_the_page_runs() {
        let page = hostile();
        let nonce = between(&page, "script-src 'nonce-", "'");
        assert_eq!(page.matches(nonce).count(), 2);
        assert!(page.contains(&format!("<script nonce=\"{nonce}\">")));
        let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
        assert!(policy.starts_with("default-src 'none';"));
    }

    #[test]
    fn the_script_makes_no_markup_of_texts() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
        // The script is embedded in a script element, so it must not close this element.
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</") && !STYLE.contains("url("));
    }

    #[test]
    fn pages_are_deterministic() {
        assert_eq!(hostile(), hostile());
    }

    #[test]
    fn the_head_names_the_engine_and_the_size() {
        let page = hostile();
        assert!(page.contains("<strong>&lt;b&gt;</strong>"));
        assert!(page.contains("<dt>types</dt><dd>2</dd>"));
        assert!(!super::page(&Graph::default(), "").contains("class=\"engine\""));
    }
}
