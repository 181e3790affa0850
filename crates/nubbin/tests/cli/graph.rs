//! `nubbin graph`, `nubbin generate graph`, and `nubbin fuzz`, with the engine of
//! `examples/engine.rs`: QuickJS-ng with planted bugs.

use crate::stage::{Ran, Stage};
use rustix::process::Signal;
use serde_json::Value;
use std::path::PathBuf;

/// Returns the path of the engine. Cargo builds the examples of a package with all of its tests,
/// but not with `--test cli` alone.
pub(crate) fn engine() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_nubbin"));
    let name = format!("examples/engine{}", std::env::consts::EXE_SUFFIX);
    let path = program.parent().unwrap().join(name);
    let how = "build the engine first: cargo build -p nubbin --example engine";
    assert!(path.exists(), "{how}");
    path
}

const PROFILE: &str = "\
command = ['ENGINE', '{}']
version = ['ENGINE', '--version']
print = 'print'
never = ['gate.quit']
exit = [0, 1]
";

fn stage() -> Stage {
    let stage = Stage::new();
    let path = engine().display().to_string();
    stage.file("planted.toml", PROFILE.replace("ENGINE", &path));
    stage
}

/// Explores the engine to `g.json`.
fn explored() -> Stage {
    let stage = stage();
    run(&stage, "graph explore --engine planted.toml -o g.json").ended(0);
    stage
}

/// Learns from a test, to `l.json`, what the planted bugs are near to.
pub(crate) fn learned() -> Stage {
    let stage = explored();
    stage.file(
        "test.js",
        "Key.copy(new Key(1)); new Lock(new Key(2)).turn(new Lock(new Key(3)));",
    );
    let learn = "graph learn -g g.json --engine planted.toml -o l.json test.js";
    run(&stage, learn).ended(0);
    stage
}

fn run(stage: &Stage, line: &str) -> Ran {
    stage.run(line.split_whitespace())
}

fn types(stage: &Stage, graph: &str) -> Vec<Value> {
    let graph: Value = serde_json::from_slice(&stage.read(graph)).unwrap();
    graph["types"].as_array().unwrap().clone()
}

fn names(stage: &Stage, graph: &str) -> Vec<String> {
    let name = |node: &Value| node["name"].as_str().unwrap().to_owned();
    types(stage, graph).iter().map(name).collect()
}

#[test]
fn an_engine_is_explored() {
    let stage = explored();
    let names = names(&stage, "g.json");
    assert_eq!(names[0], "this");
    for name in [
        "this.Array.prototype.map",
        "this.RegExp.prototype[@@replace]",
        "this.Key.copy",
        "this.gate.fire",
        // Only instances lead there.
        "this.Map.prototype{}",
        "this.Key.prototype{depth}",
        "prototype of (function* () { yield 1; yield 2; })()",
    ] {
        assert!(
            names.iter().any(|known| known == name),
            "{name}: {names:#?}"
        );
    }
    // The engine counts 540 objects without what the probe has.
    assert!((450..900).contains(&names.len()), "{}", names.len());
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    assert!(
        !has("getDescriptor") && !has("accessors"),
        "the probe explored itself"
    );
    assert!(!has("gate.quit"), "what must not be called is in the graph");
    let ran = run(&stage, "graph show g.json Map.prototype{}").ended(0);
    assert_eq!(
        ran.stdout,
        "this.Map.prototype{} (object)\n  prototype this.Map.prototype\n  prototype \
         this.Object.prototype\n  value new Map([[1, 2]])\n"
    );
    run(&stage, "graph show g.json Key.proto")
        .ended(2)
        .said(&["2 types have `Key.proto`", "this.Key.prototype{depth}"]);
    run(&stage, "graph show g.json no.such")
        .ended(2)
        .said(&["no type of the graph"]);
}

#[test]
fn a_getter_is_read_on_instances_and_not_on_a_prototype() {
    // The planted getter aborts on its prototype, so the probe would not come to its end.
    let stage = explored();
    let nodes = types(&stage, "g.json");
    let of = |name: &str| nodes.iter().position(|node| node["name"] == name).unwrap();
    let properties = nodes[of("this.Key.prototype")]["properties"]
        .as_array()
        .unwrap();
    let size = properties.iter().find(|edge| edge[0] == "size").unwrap();
    assert_eq!(size[1].as_u64().unwrap() as usize, of("number"));
}

#[test]
fn exploring_twice_makes_the_same_file() {
    let stage = explored();
    let first = stage.read("g.json");
    run(&stage, "graph explore --engine planted.toml -o g.json").ended(0);
    assert_eq!(stage.read("g.json"), first);
    stage.file("mine.json", "precious");
    run(&stage, "graph explore --engine planted.toml -o mine.json").ended(6);
    assert_eq!(stage.text("mine.json"), "precious");
}

#[test]
fn signatures_are_learned_from_tests() {
    let stage = explored();
    stage.file(
        "tests/a.js",
        "var m = new Map([['a', 1]]); m.set('key', 2); Key.copy('x'); [3].map(function (e) { return -e; });",
    );
    stage.file(
        "tests/fails.js",
        "JSON.parse('[1]'); throw new Error('no');",
    );
    stage.file("tests/hangs.js", "Math.hypot(3, 4); while (true) {}");
    stage.file("tests/wrong.js", "this is not a script");
    let ran = run(
        &stage,
        "graph learn -g g.json --engine planted.toml --timeout 1 -o l.json tests",
    )
    .ended(0);
    ran.said(&[
        "1 test could not be learned from",
        "wrong.js",
        "2 tests failed",
        "hangs.js",
    ]);
    let show = |name: &str| {
        run(&stage, &format!("graph show l.json {name}"))
            .ended(0)
            .stdout
    };
    let set = show("this.Map.prototype.set");
    assert!(
        set.contains("call (this: this.Map.prototype{}, string, number) -> this.Map.prototype{}\n"),
        "{set}"
    );
    assert!(show("this.JSON.parse").contains("call (this: this.JSON, string) ->"));
    assert!(show("this.Math.hypot").contains("call (this: this.Math, number, number) -> number\n"));
    let graph = stage.text("l.json");
    assert!(
        graph.contains("function (e) { return -e; }"),
        "the text of a function is learned"
    );
    // The graph that was given is kept.
    assert!(!stage.text("g.json").contains("learned"));
}

#[test]
fn expressions_replay_and_are_written_as_scripts() {
    let stage = explored();
    let texts = run(
        &stage,
        "generate graph -g g.json -n 20 --seed 3 --record r.jsonl",
    )
    .ended(0);
    let again = run(&stage, "generate graph -g g.json --replay r.jsonl").ended(0);
    assert_eq!(texts.stdout, again.stdout);
    assert_eq!(stage.text("r.jsonl").lines().count(), 20);
    let same = run(&stage, "generate graph -g g.json -n 20 --seed 3").ended(0);
    assert_eq!(texts.stdout, same.stdout);
    run(
        &stage,
        "generate graph -g g.json -n 2 --batch 5 -o scripts --extension js",
    )
    .ended(0);
    let script = stage.text("scripts/0002.js");
    assert_eq!(script.matches("(function () { try {\n").count(), 5);
}

/// The planted bugs, and the smallest expressions of the graph that show them.
const PLANTED: [(&str, &str); 3] = [
    (
        "assertion: `key->depth` at key.c:10",
        "this.Key.copy(new (this.Key)())",
    ),
    (
        "assertion: `lock->key` at lock.c:20",
        "new (this.Lock)(new (this.Key)()).turn(new (this.Lock)(new (this.Key)()))",
    ),
    (
        "assertion: `!armed` at gate.c:30",
        "this.gate.arm(); this.gate.fire()",
    ),
];

#[test]
fn planted_bugs_are_found_told_apart_and_reduced() {
    let stage = learned();
    let ran = run(
        &stage,
        "fuzz -g l.json --engine planted.toml -n 12000 --batch 400 --no-literals --seed 1 -o out --stats stats.json",
    )
    .ended(0);
    let stats: Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let findings = stats["findings"].as_array().unwrap();
    let signatures = findings.iter().map(|it| it["signature"].as_str().unwrap());
    let signatures: Vec<&str> = signatures.collect();
    for (signature, text) in PLANTED {
        let at = signatures.iter().position(|known| *known == signature);
        let finding = &findings[at.unwrap_or_else(|| panic!("{signature}: {}", ran.stderr))];
        // A function of a script can be constructed as well as called.
        let script = finding["script"].as_str().unwrap();
        let script = script.replace("new (this.gate.arm)()", "this.gate.arm()");
        assert_eq!(
            script.replace("new (this.gate.fire)()", "this.gate.fire()"),
            text
        );
        let folder = finding["folder"].as_str().unwrap();
        let report = stage.text(&format!("out/{folder}/report.md"));
        assert!(
            report.contains(signature) && report.contains("3 of 3 runs"),
            "{report}"
        );
        assert!(report.contains("planted 1.0"), "{report}");
        // The script alone shows the bug.
        let script = stage.path(&format!("out/{folder}/script.js"));
        let ended = std::process::Command::new(engine())
            .arg(script)
            .output()
            .unwrap();
        assert!(!ended.status.success());
        assert!(String::from_utf8_lossy(&ended.stderr).contains("Assertion"));
    }
    // The getter of `Key.prototype` fails on it, which a walk may meet too.
    let getter = "assertion: `is_key` at key.c:50";
    let found = signatures.iter().filter(|known| **known != getter).count();
    assert_eq!(found, PLANTED.len(), "{signatures:?}");
    stage.assert_clean();
}

#[test]
fn a_seed_has_the_same_findings_with_any_number_of_jobs() {
    let stage = learned();
    let findings = |jobs: u32| {
        let line = format!(
            "fuzz -g l.json --engine planted.toml -n 8000 --no-literals -j {jobs} --seed 1 -o out{jobs} --stats - -q"
        );
        let stats: Value = serde_json::from_str(&run(&stage, &line).ended(0).stdout).unwrap();
        (
            stats["findings"].clone(),
            stats["expressions"].clone(),
            stats["runs"].clone(),
        )
    };
    let one = findings(1);
    assert!(!one.0.as_array().unwrap().is_empty());
    assert_eq!(one, findings(3));
}

#[test]
fn an_expression_that_redefines_names_of_others_changes_no_other_batch() {
    let stage = stage();
    // Every expression takes away what the bug needs, or needs it.
    stage.file(
        "g.json",
        r#"{"format":"nubbin prototype graph","version":1,
"types":[
{"name":"this","kind":"object","properties":[["Key",1],["Object",3]]},
{"name":"this.Key","kind":"function","properties":[["copy",2]],"construct":[0]},
{"name":"this.Key.copy","kind":"function","call":[1]},
{"name":"this.Object","kind":"function","properties":[["defineProperty",4]]},
{"name":"this.Object.defineProperty","kind":"function","call":[2]},
{"name":"string","kind":"string"},
{"name":"key","kind":"object"},
{"name":"descriptor","kind":"object"}
],
"signatures":[
{"returns":[6]},
{"parameters":[{"types":[6]}]},
{"parameters":[{"types":[1]},{"types":[5],"values":["\"copy\""]},{"types":[7],"values":["{value: 1}"]}]}
]}"#,
    );
    let line = "fuzz -g g.json --engine planted.toml -n 300 --batch 3 --exact-arguments --seed 5 -o out --stats - -q";
    let stats: Value = serde_json::from_str(&run(&stage, line).ended(0).stdout).unwrap();
    let findings = stats["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["script"], "this.Key.copy(new (this.Key)())");
    // The bug is met in later batches as well.
    assert!(findings[0]["met"].as_u64().unwrap() > 20, "{findings:?}");
    assert_eq!(stats["unstable"], 0);
}

#[test]
fn recorded_choices_are_reduced_to_an_expression_of_the_graph() {
    let stage = explored();
    run(
        &stage,
        "generate graph -g g.json -n 4000 --seed 2 --record all.jsonl -o texts",
    )
    .ended(0);
    let all = stage.text("all.jsonl");
    // The longest expression that reads what a set is.
    let found = (1..=4000)
        .map(|number| (number, stage.text(&format!("texts/{number:04}.txt"))))
        .filter(|(_, text)| text.contains("new (this.Set)("))
        .max_by_key(|(_, text)| text.len())
        .unwrap();
    stage.file("one.jsonl", all.lines().nth(found.0 - 1).unwrap());
    stage
        .run([
            "reduce",
            "--choices",
            "one.jsonl",
            "--graph",
            "g.json",
            "-o",
            "small.js",
            "--",
            "grep",
            "-q",
            "new (this.Set)(",
            "{}",
        ])
        .ended(0);
    assert_eq!(stage.text("small.js"), "new (this.Set)()");
    stage.file("digits.bnf", "<s> ::= '1'");
    run(
        &stage,
        "reduce --choices one.jsonl --grammar digits.bnf -- true",
    )
    .ended(2)
    .said(&["were made with a graph", "--graph GRAPH"]);
}

#[test]
fn engines_that_cannot_be_explored_are_named() {
    let stage = stage();
    let explore = |profile: &str| {
        stage.file("bad.toml", profile);
        run(
            &stage,
            "graph explore --engine bad.toml --timeout 1 -o g.json",
        )
    };
    let path = engine().display().to_string();
    let profile = PROFILE.replace("ENGINE", &path);
    explore(&PROFILE.replace("ENGINE", "no-such-engine"))
        .ended(4)
        .said(&[
            "the engine `bad` cannot be run",
            "no-such-engine",
            "--program",
        ]);
    explore(&profile.replace("'print'", "'nothing'"))
        .ended(4)
        .said(&[
            "the engine `bad` cannot be explored",
            "the engine reported nothing",
            "nothing is not defined",
        ]);
    explore(&profile.replace("'print'", "'(function (line) { while (true) {} })'"))
        .ended(4)
        .said(&["cannot be explored", "timed out after 1s"]);
    explore(&profile.replace("'print'", "'(function (line) { print(line.length < 999 ? line : 1); if (line.length > 2000) { throw 1; } })'"))
        .ended(4)
        .said(&["cannot be explored"]);
    explore("command = 'x'")
        .ended(5)
        .said(&["cannot use the profile `bad"]);
    run(&stage, "graph explore --engine chrome")
        .ended(2)
        .said(&["unknown engine `chrome`", "duktape"]);
    assert!(!stage.names().contains(&"g.json".to_owned()));
}

#[test]
fn other_output_of_an_engine_is_left_out() {
    let stage = stage();
    let path = engine().display().to_string();
    let noisy =
        "'(function (line) { print(\"banner\"); print(line); print(\"nubbin-graph {\"); })'";
    stage.file(
        "noisy.toml",
        PROFILE.replace("ENGINE", &path).replace("'print'", noisy),
    );
    run(&stage, "graph explore --engine noisy.toml -o noisy.json").ended(0);
    run(&stage, "graph explore --engine planted.toml -o g.json").ended(0);
    assert_eq!(names(&stage, "noisy.json"), names(&stage, "g.json"));
}

#[test]
fn a_graph_of_another_build_is_named() {
    let stage = explored();
    run(&stage, "graph check g.json --engine planted.toml")
        .ended(0)
        .said(&["the engine on this machine is the engine of the graph"]);
    let graph = stage.text("g.json");
    stage.file("old.json", graph.replace("planted 1.0", "planted 0.9"));
    run(
        &stage,
        "fuzz -g old.json --engine planted.toml -n 100 -o out",
    )
    .ended(0)
    .said(&["the graph is of another build", "planted 0.9"]);
    stage.file("cut.json", &graph[..graph.len() / 2]);
    run(&stage, "graph check cut.json").ended(5).said(&[
        "cannot use the graph `cut.json`",
        "is cut off",
        "nubbin graph explore",
    ]);
    run(&stage, "graph merge g.json g.json -o twice.json").ended(0);
    assert_eq!(stage.text("twice.json"), graph);
}

#[test]
fn a_batch_that_hangs_costs_its_part_only() {
    let stage = stage();
    stage.file(
        "g.json",
        r#"{"format":"nubbin prototype graph","version":1,
"types":[
{"name":"this","kind":"object","properties":[["Key",1],["Function",3]]},
{"name":"this.Key","kind":"function","properties":[["copy",2]],"construct":[0]},
{"name":"this.Key.copy","kind":"function","call":[1]},
{"name":"this.Function","kind":"function","construct":[2]},
{"name":"key","kind":"object"},
{"name":"loop","kind":"function","call":[3]}
],
"signatures":[
{"returns":[4]},
{"parameters":[{"types":[4]}]},
{"parameters":[{"types":[5],"values":["\"while (true);\""]}],"returns":[5]},
{}
]}"#,
    );
    let line = "fuzz -g g.json --engine planted.toml -n 40 --batch 40 --timeout 1 --exact-arguments --no-receivers --seed 1 -o out --stats - -q";
    let stats: Value = serde_json::from_str(&run(&stage, line).ended(0).stdout).unwrap();
    assert!(stats["left_out"].as_u64().unwrap() >= 10, "{stats}");
    assert_eq!(stats["expressions"], 40);
    stage.assert_clean();
}

#[test]
fn expressions_that_did_not_run_are_counted() {
    let stage = stage();
    // A literal that does not parse keeps a whole script from running.
    stage.file(
        "g.json",
        r#"{"format":"nubbin prototype graph","version":1,
"types":[
{"name":"this","kind":"object","properties":[["Key",1]]},
{"name":"this.Key","kind":"function","properties":[["copy",2]],"construct":[0]},
{"name":"this.Key.copy","kind":"function","call":[1,2]},
{"name":"key","kind":"object"},
{"name":"broken","kind":"object"}
],
"signatures":[
{"returns":[3]},
{"parameters":[{"types":[3]}]},
{"parameters":[{"types":[4],"values":["}{"]}]}
]}"#,
    );
    let line = "fuzz -g g.json --engine planted.toml -n 60 --batch 20 --exact-arguments --no-receivers --seed 1 -o out --stats - -q";
    let stats: Value = serde_json::from_str(&run(&stage, line).ended(0).stdout).unwrap();
    assert_eq!(
        stats["findings"][0]["script"],
        "this.Key.copy(new (this.Key)())"
    );
    let left_out = stats["left_out"].as_u64().unwrap();
    assert!((10..50).contains(&left_out), "{stats}");
}

#[test]
fn a_graph_names_no_file_to_take_a_command_from() {
    let stage = explored();
    let graph = stage.text("g.json");
    stage.file(
        "own.toml",
        "command = ['touch', 'owned', '{}']\nprint = 'p'\nexit = [0]\n",
    );
    let other = graph.replace(
        "\"name\":\"planted\",\"version\"",
        "\"name\":\"own.toml\",\"version\"",
    );
    assert_ne!(other, graph);
    stage.file("other.json", other);
    run(&stage, "graph check other.json").ended(2).said(&[
        "the graph is of the engine `own.toml`",
        "--engine FILE.toml",
    ]);
    assert!(!stage.path("owned").exists());
}

#[test]
fn no_file_that_is_read_is_replaced_by_an_answer() {
    let stage = explored();
    let graph = stage.text("g.json");
    for line in [
        "graph show g.json --format json -o g.json --force",
        "graph merge g.json g.json -o g.json --force",
        "graph learn -g g.json --engine planted.toml test.js -o test.js --force",
        "graph explore --engine planted.toml -o planted.toml --force",
    ] {
        stage.file("test.js", "1");
        run(&stage, line).ended(2);
    }
    assert_eq!(stage.text("g.json"), graph);
    assert_eq!(stage.text("test.js"), "1");
    run(&stage, "graph show g.json Key.proto -o key.txt").ended(2);
    run(&stage, "graph show g.json this.Key -o key.txt").ended(0);
    assert!(stage.text("key.txt").starts_with("this.Key (function)"));
}

#[test]
fn a_recording_is_replayed_by_its_own_walk() {
    let stage = explored();
    let line = "generate graph -g g.json -n 5 --start global --max-height 4 --record r.jsonl";
    let texts = run(&stage, line).ended(0).stdout;
    let again = run(&stage, "generate graph -g g.json --replay r.jsonl").ended(0);
    assert_eq!(again.stdout, texts);
    let line = "generate graph -g g.json -n 1 --max-height 1";
    run(&stage, line)
        .ended(5)
        .said(&["no call of the graph has a height of at most 1"]);
}

#[test]
fn a_stopped_run_keeps_a_crash_that_it_has_seen() {
    let stage = learned();
    // The second run, which bisects the batch, waits for the stop. An empty script is that of the
    // trial in the sandbox.
    let path = engine().display().to_string();
    let count = stage.path("count");
    std::fs::create_dir(&count).unwrap();
    let count = count.display();
    stage.script(
        "slow.sh",
        &format!(
            "[ -s \"$1\" ] && echo run >>'{count}/runs'\n\
             [ -s \"$1\" ] && [ \"$(wc -l <'{count}/runs')\" -eq 2 ] && sleep 300\n\
             exec '{path}' \"$1\""
        ),
    );
    let slow = PROFILE.replace("'ENGINE', '{}'", "'./slow.sh', '{}'");
    stage.file("slow.toml", slow.replace("ENGINE", &path));
    let line = format!(
        "fuzz -g l.json --engine slow.toml -n 400 --batch 400 --no-literals --timeout 300 --seed 1 \
         --writable {count} -o out --stats s.json"
    );
    let mut running = stage.start(line.split_whitespace());
    let runs = || std::fs::read(stage.path("count/runs")).map_or(0, |text| text.len());
    running.until("the second run", || runs() >= 8);
    running.signal(Signal::TERM);
    running.wait().ended(130);
    let stats: Value = serde_json::from_slice(&stage.read("s.json")).unwrap();
    assert_eq!(stats["ended"], "stopped");
    assert_eq!(stats["unstable"], 0, "{stats}");
    let findings = stats["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{stats}");
    let folder = findings[0]["folder"].as_str().unwrap();
    let script = stage.text(&format!("out/{folder}/script.js"));
    assert_eq!(script.matches("(function () { try {\n").count(), 400);
    let report = stage.text(&format!("out/{folder}/report.md"));
    assert!(report.contains("3 of 3 runs"), "{report}");
    stage.assert_clean();
}
