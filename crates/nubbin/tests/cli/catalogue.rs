use crate::stage::Stage;

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
fn completions_and_manual_pages_have_the_flags() {
    let stage = Stage::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stage.run(["completions", shell]).ended(0).stdout;
        assert!(script.contains("same-failure"), "{shell}");
    }
    assert!(stage.run(["man"]).ended(0).stdout.contains("reduce"));
    let page = stage.run(["man", "reduce"]).ended(0).stdout;
    assert!(
        page.contains("differs\\-from") && page.contains("nubbin\\-reduce"),
        "{page}"
    );
    stage
        .run(["man", "nothing"])
        .ended(2)
        .said(&["unknown command `nothing`"]);
}
