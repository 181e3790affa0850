//! Files of settings that the guide shows in parts: each key is one that nubbin knows.

use crate::guide::{blocks, repository};
use crate::stage::Stage;

/// Returns the blocks of TOML of a page that no command of the page uses.
fn tables(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join(page)).unwrap();
    let blocks = blocks(&text).into_iter();
    let shown = blocks.filter(|block| block.language == "toml" && block.note("file").is_none());
    shown.map(|block| block.text).collect()
}

#[test]
fn the_profile_of_an_engine_is_read() {
    let [profile] = &tables("docs/src/engines.md")[..] else {
        panic!("another number of profiles");
    };
    let stage = Stage::new();
    stage.file("my-engine.toml", profile);
    let line = "graph explore --engine my-engine.toml -o graph.json";
    let ran = stage.run(line.split(' ')).ended(4);
    ran.said(&["the engine `my-engine` cannot be run"]);
    stage.file("my-engine.toml", profile.replace("never =", "nothing ="));
    stage.run(line.split(' ')).ended(5);
}

#[test]
fn the_tables_of_a_campaign_are_read() {
    let [sandbox, program, bisect, remote, fuzzers] = &tables("docs/src/campaigns.md")[..] else {
        panic!("another number of tables");
    };
    // No farm is asked: nothing listens there.
    let remote = remote.replace("grpcs://farm.example.com", "grpc://127.0.0.1:9");
    let file = format!(
        "[program.p]\ncommand = [\"grep\", \"-q\", \"x\", \"{{}}\"]\n{sandbox}\n{program}\n\
         {bisect}\n[generator.g]\ngenerate = \"bytes\"\n\n{fuzzers}\n{remote}"
    );
    let stage = Stage::new();
    stage.file("c/campaign.toml", &file);
    stage.file("c/library/part", "");
    stage.file("c/logs/log", "");
    stage.file("c/found/crash", "");
    stage.file("c/afl/default/fuzzer_stats", "");
    let check = ["campaign", "check", "c"];
    if cfg!(feature = "remote") {
        let ran = stage.run(check).ended(4);
        ran.said(&["cannot reach the farm at `grpc://127.0.0.1:9`"]);
    }
    for (key, wrong) in [
        ("hang", "hand"),
        ("slots", "places"),
        ("restarts", "resumes"),
        ("revisions", "versions"),
    ] {
        stage.file("c/campaign.toml", file.replace(key, wrong));
        stage.run(check).ended(5).said(&[wrong]);
    }
}

#[test]
fn the_campaign_of_an_engine_is_read() {
    let [tables] = &tables("examples/campaigns/README.md")[..] else {
        panic!("another number of tables");
    };
    let stage = Stage::new();
    stage.file("c/campaign.toml", tables);
    let ran = stage.run(["campaign", "check", "c"]);
    // What is missing is the graph or the engine, and no key.
    assert!(ran.stderr.contains("quickjs"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("unknown field"), "{}", ran.stderr);
    stage.file("c/campaign.toml", tables.replace("generate =", "make ="));
    let ran = stage.run(["campaign", "check", "c"]).ended(5);
    ran.said(&["unknown field `make`"]);
}

#[test]
fn the_keys_of_defaults_are_flags() {
    let [defaults] = &tables("docs/src/farm.md")[..] else {
        panic!("another number of tables");
    };
    let (table, keys) = defaults.split_once("]\n").unwrap();
    let command = table.trim_start_matches('[');
    let stage = Stage::new();
    let of_command = stage.run([command, "--help"]).ended(0).stdout;
    let help = of_command + &stage.run(["help", "farm"]).ended(0).stdout;
    let mut seen = 0;
    for line in keys.lines() {
        let (key, _) = line.split_once(" = ").unwrap();
        assert!(help.contains(&format!("--{key} <")), "{key}");
        seen += 1;
    }
    assert!(seen > 2);
}
