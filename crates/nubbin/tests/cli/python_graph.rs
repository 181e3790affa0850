//! `nubbin graph explore`, `nubbin generate graph`, and `nubbin fuzz` with an interpreter of
//! Python.

use crate::stage::{Ran, Stage};
use std::process::Command;

/// A module of Python with functions that end the process.
const PROFILE: &str = r#"
language = "python"
command = ["python3", "-I", "-B", "{}"]
print = "print"
roots = ["_heapq", "faulthandler"]
never = [
  "faulthandler._sigsegv", "faulthandler._sigfpe", "faulthandler._read_null", "faulthandler._stack_overflow",
  "faulthandler._fatal_error_c_thread", "faulthandler._fatal_error", "faulthandler.register", "faulthandler.unregister",
  "faulthandler.enable", "faulthandler.disable", "faulthandler.dump_traceback", "faulthandler.dump_traceback_later",
  "faulthandler.cancel_dump_traceback_later", "faulthandler.is_enabled",
  "*.__setattr__", "*.__class__", "*.__delattr__", "*.__subclasses__",
]
exit = [0, 1]
"#;

fn run(stage: &Stage, line: &str) -> Ran {
    stage.run(line.split_whitespace())
}

/// Explores two modules, to `g.json`. Returns `None` where there is no Python.
fn explored() -> Option<(Stage, Ran)> {
    if Command::new("python3").arg("--version").output().is_err() {
        crate::skip::skipped("python3");
        return None;
    }
    let stage = Stage::new();
    stage.file("small.toml", PROFILE);
    let ran = run(&stage, "graph explore --engine small.toml -o g.json").ended(0);
    Some((stage, ran))
}

#[test]
fn an_interpreter_of_python_is_explored() {
    let Some((stage, ran)) = explored() else {
        return;
    };
    // A function that ends the process is told, and is not tried in the next run.
    ran.said(&["`this.faulthandler._sigabrt` was left out of the trials"]);
    let shown = run(&stage, "graph show g.json this._heapq.heappush").ended(0);
    let call = "call (builtins.list{}, builtins.";
    assert!(shown.stdout.contains(call), "{}", shown.stdout);
    let graph = stage.text("g.json");
    assert!(graph.contains("\"language\":\"python\""));
    assert!(!graph.contains("_sigsegv"), "a denied name is in the graph");
    run(
        &stage,
        "graph learn -g g.json --engine small.toml small.toml",
    )
    .ended(2)
    .said(&["tests of Python cannot be learned from"]);
}

#[test]
fn a_batch_is_a_script_of_python() {
    let Some((stage, _)) = explored() else {
        return;
    };
    run(
        &stage,
        "generate graph -g g.json --batch 200 --extension py -o batch",
    )
    .ended(0);
    let script = std::fs::read_dir(stage.path("batch")).unwrap().next();
    let text = std::fs::read_to_string(script.unwrap().unwrap().path()).unwrap();
    assert_eq!(text.matches("\nevaluate(").count(), 200);
    // All but the expression that ends the process run to their end.
    let lines = text.lines().filter(|line| !line.contains("_sigabrt"));
    let text: Vec<&str> = lines.collect();
    stage.file("all.py", text.join("\n") + "\nprint('end')\n");
    let ran = Command::new("python3").arg(stage.path("all.py")).output();
    assert_eq!(String::from_utf8_lossy(&ran.unwrap().stdout), "end\n");
}

#[test]
fn a_crash_of_python_is_found_and_reduced() {
    let Some((stage, _)) = explored() else {
        return;
    };
    let fuzz = "fuzz -g g.json --engine small.toml -n 20000 --timeout 10 --seed 1 -o out --stats stats.json";
    run(&stage, fuzz).ended(0);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let finding = &stats["findings"][0];
    assert_eq!(finding["script"], "this.faulthandler._sigabrt()");
    let folder = finding["folder"].as_str().unwrap();
    let script = stage.text(&format!("out/{folder}/script.py"));
    assert!(
        script.ends_with("this = This()\nthis.faulthandler._sigabrt()\n"),
        "{script}"
    );
}
