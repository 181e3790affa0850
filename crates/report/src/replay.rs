//! The replay of a run: its adopted texts one by one, by a script of the page.

use super::hex_view;
use super::history::{Adopted, History};
use crate::html::Script;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The longest original with all changes that is replayed, in bytes. A page has them all.
const LONGEST: usize = 2 << 20;

/// The script, and its hash in the form of content security policies.
pub(super) const SCRIPT: Script = Script {
    text: include_str!("replay.js"),
    hash: "sha256-tBJMZRaJWz8dnlSJduD1hgvVqnHVVUaY61jxgmU0qsI=",
};

/// The data of the script. Texts have a character for each byte.
#[derive(Debug, Serialize)]
struct Replay<'a> {
    names: Vec<&'a str>,
    /// The places of the ends of files, if there are several. Each is a byte.
    ends: Vec<usize>,
    bytes: u64,
    text: String,
    steps: Vec<Step<'a>>,
}

#[derive(Debug, Serialize)]
struct Step<'a> {
    pass: &'a str,
    tests: u64,
    bytes: u64,
    splices: Vec<(usize, usize, String)>,
}

/// Returns the replay of a run, or `None` for a run without a change, for binary files, and if the
/// log has not all texts.
pub(super) fn replay(run: &History) -> Option<Markup> {
    let files = run.start.as_ref()?.input.as_deref()?;
    let original = &run.layers.original;
    let put = run.adopted.iter().flat_map(|adopted| &adopted.splices);
    let length = original.len() + put.map(|splice| splice.2.bytes().len()).sum::<usize>();
    let is_binary = files
        .iter()
        .any(|file| hex_view::is_binary(file.text.bytes()));
    if original.is_empty() || run.adopted.is_empty() || is_binary || length > LONGEST {
        return None;
    }
    let lengths = files.iter().map(|file| file.text.bytes().len());
    let ends = lengths.scan(0, |at, length| {
        let end = *at + length;
        *at = end + 1;
        Some(end)
    });
    let replay = Replay {
        names: files.iter().map(|file| file.name.as_str()).collect(),
        ends: ends.filter(|_| files.len() > 1).collect(),
        bytes: run.bytes_before(),
        text: one_for_each(original),
        steps: run.adopted.iter().map(step).collect(),
    };
    // A `<` in the data could start the end tag of the script element.
    let data = serde_json::to_string(&replay).ok()?.replace('<', "\\u003c");
    Some(html! {
        section #replay tabindex="-1" hidden {
            h2 { "Step by step" }
            div.steps {
                @for (part, name) in [("first", "First"), ("back", "Back"), ("play", "Play"), ("next", "Next"), ("last", "Last")] {
                    button type="button" data-part=(part) { (name) }
                }
                input type="range" min="0" max="0" value="0" data-part="slider" aria-label="step";
            }
            p.legend data-part="told" {}
            pre.step tabindex="0" role="group" aria-label="the text of the step" data-part="text" {}
        }
        script type="application/json" #replay-data { (PreEscaped(data)) }
    })
}

fn step(adopted: &Adopted) -> Step<'_> {
    let splices = adopted.splices.iter();
    let splices = splices.map(|splice| (splice.0, splice.1, one_for_each(splice.2.bytes())));
    Step {
        pass: &adopted.pass,
        tests: adopted.tests,
        bytes: adopted.bytes,
        splices: splices.collect(),
    }
}

/// Returns a text with a character for each byte.
fn one_for_each(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;
    use std::process::{Command, Stdio};

    /// The log of a run on two files, the first of which is removed.
    const LOG: &str = r#"{"seconds":0.1,"tests":1,"best":20,"event":"started","version":2,"bytes":20,"files":2,"first_test_s":0.1,"nubbin":"0.1.0","command":[],"test":"./t","algorithm":"auto","seed":0,"jobs":1,"input":[{"name":"a","text":"é"},{"name":"</script>","text":"<script>alert(1)"}]}
{"seconds":0.2,"tests":2,"best":18,"event":"adopted","pass":"files","bytes":18,"bytes_before":20,"splices":[[0,3,""],[11,12,"b"]]}"#;

    fn data(page: &str) -> serde_json::Value {
        let data = page.split("id=\"replay-data\"").nth(1).unwrap();
        let data = data.split_once('>').unwrap().1;
        serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
    }

    #[test]
    fn steps_and_ends_of_files_count_bytes() {
        let page = page::of_run(&History::read(LOG).unwrap());
        let data = data(&page);
        assert_eq!(data["text"], "\u{c3}\u{a9}\0<script>alert(1)\0");
        assert_eq!(data["ends"], serde_json::json!([2, 19]));
        let splices = serde_json::json!([[0, 3, ""], [11, 12, "b"]]);
        assert_eq!(data["steps"][0]["splices"], splices);
    }

    #[test]
    fn no_text_of_the_input_ends_the_data() {
        let page = page::of_run(&History::read(LOG).unwrap());
        assert_eq!(page.matches("<script").count(), 2, "{page}");
        assert_eq!(page.matches("</script").count(), 2, "{page}");
        assert!(!SCRIPT.text.contains("</") && !SCRIPT.text.contains("<!--"));
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ] {
            assert!(!SCRIPT.text.contains(word), "{word}");
        }
    }

    #[test]
    fn a_run_without_a_change_has_no_replay() {
        let log = LOG.lines().next().unwrap();
        let page = page::of_run(&History::read(log).unwrap());
        assert!(!page.contains("<script"), "{page}");
        assert!(!page.contains("script-src"), "{page}");
    }

    #[test]
    fn the_policy_has_the_hash_of_the_script() {
        let program = "import base64, hashlib, sys; print('sha256-' + base64.b64encode(\
                       hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())";
        let script = std::fs::File::open(
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/replay.js"),
        );
        let hashed = Command::new("python3")
            .args(["-c", program])
            .stdin(Stdio::from(script.unwrap()))
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(hashed.stdout).unwrap().trim(),
            SCRIPT.hash
        );
        let page = page::of_run(&History::read(LOG).unwrap());
        assert!(
            page.contains(&format!("script-src '{}'", SCRIPT.hash)),
            "{page}"
        );
    }
}
