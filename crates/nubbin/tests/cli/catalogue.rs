use crate::stage::Stage;
use std::collections::BTreeSet;

#[test]
fn algorithms_are_listed_with_their_sources() {
    let listed = Stage::new().run(["algorithms"]).ended(0).stdout;
    for word in ["auto", "ddmin", "probdd", "cdd", "Zeller", "sweep"] {
        assert!(listed.contains(word), "{word} in {listed}");
    }
    let (lists, trees) = listed.split_once("Over trees").unwrap();
    assert!(lists.contains("Over lists") && !lists.contains("\nhdd"));
    assert!(trees.contains("\nhdd ") && trees.contains("Misherghi") && trees.contains(":dfs"));
    let json = Stage::new().run(["algorithms", "--json"]).ended(0).stdout;
    let entries: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let group = |id: &str| entries.iter().find(|e| e["id"] == id).unwrap()["group"].clone();
    assert_eq!(
        [group("auto"), group("ddmin"), group("hddr")],
        ["plan", "list", "tree"]
    );
}

#[test]
fn passes_are_listed_and_each_can_be_chosen() {
    let stage = Stage::with_crash("a crash, \"here\" (1 + 2)\n");
    let listed = stage.run(["passes", "--json"]).ended(0).stdout;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    for entry in &listed {
        let id = entry["id"].as_str().unwrap();
        assert!(!entry["about"].as_str().unwrap().is_empty(), "{id}");
        if entry["group"] == "choices" {
            continue;
        }
        stage
            .run([
                "reduce",
                "-q",
                "--passes",
                id,
                "--test",
                "./test.sh",
                "input.txt",
            ])
            .ended(0);
        assert!(stage.text("input.min.txt").contains("crash"), "{id}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let stage = Stage::new();
    let shell = format!("'{}' passes | head -n 1", env!("CARGO_BIN_EXE_nubbin"));
    let output = std::process::Command::new("sh")
        .args(["-c", &shell])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(stage.names().is_empty());
}

#[test]
fn completions_have_the_flags() {
    let stage = Stage::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stage.run(["completions", shell]).ended(0).stdout;
        assert!(script.contains("same-failure"), "{shell}");
    }
}

#[test]
fn a_manual_page_has_the_flags_and_its_table() {
    let stage = Stage::new();
    assert!(stage.run(["man"]).ended(0).stdout.contains("reduce"));
    let page = stage.run(["man", "reduce"]).ended(0).stdout;
    assert!(page.contains("differs\\-from"), "{page}");
    // The third field is the date. Lines of tables must not be filled.
    assert!(
        page.contains(".TH NUBBIN-REDUCE 1 \"\" \"nubbin "),
        "{page}"
    );
    assert!(
        page.contains("\n.SH EXAMPLES\n.nf\n  nubbin reduce"),
        "{page}"
    );
    let codes = "\n.SH \"EXIT CODES\"\n.nf\n    0  the result";
    let page = stage.run(["man"]).ended(0).stdout;
    assert!(page.contains(codes), "{page}");
    let page = stage.run(["man", "campaign", "run"]).ended(0).stdout;
    assert!(page.contains("nubbin\\-campaign\\-run \\-"), "{page}");
    stage
        .run(["man", "campaign", "nothing"])
        .ended(2)
        .said(&["unknown command `campaign nothing`"]);
}

#[test]
fn every_page_that_a_manual_page_names_is_written() {
    let stage = Stage::new();
    stage.run(["man", "-o", "pages"]).ended(0);
    let folder = std::fs::read_dir(stage.path("pages")).unwrap();
    let mut named = BTreeSet::from(["nubbin.1".to_owned()]);
    let mut written = BTreeSet::new();
    for entry in folder {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let page = stage.text(&format!("pages/{name}"));
        let pages = page.lines().filter_map(|line| line.strip_suffix("(1)"));
        named.extend(pages.map(|page| page.replace('\\', "") + ".1"));
        written.insert(name);
    }
    assert_eq!(written, named);
    assert!(written.contains("nubbin-grammar-check.1"));
    stage
        .run(["man", "-o", "pages"])
        .ended(6)
        .said(&["cannot write `pages/nubbin.1`"]);
}
