//! The scripts that run inside an engine, in ECMAScript 5 or Python 3.9.

use crate::language::Language;
use crate::reports::MARK;
use serde::Serialize;

/// The maximum number of objects with names of their own.
const MOST_OBJECTS: u32 = 6_000;
/// The maximum number of kinds of other objects, which are distinguished by prototype and keys.
const MOST_SHAPES: u32 = 2_000;
/// The maximum number of keys of one object.
const MOST_KEYS: u32 = 2_000;
/// The maximum number of constructions of one type that are kept.
const MOST_CONSTRUCTIONS: u32 = 6;
/// The maximum number of lines that one test reports.
const MOST_REPORTS: u32 = 40_000;
/// The maximum number of bytes of the text of an argument.
const LONGEST_TEXT: u32 = 400;
/// The maximum number of calls with samples of one Python function, of calls of it that are
/// reported, and of rounds in which methods wait for a receiver.
const MOST_TRIES: u32 = 60;
const MOST_CALLS: u32 = 24;
const MOST_ROUNDS: u32 = 4;
/// The maximum number of bytes of the address space of a process that tries functions, and of
/// seconds for one function.
const MOST_MEMORY: u32 = 800_000_000;
const LONGEST_TRIAL: u32 = 3;

const INTRINSICS: &str = include_str!("intrinsics.js");
const EXPLORE: &str = include_str!("explore.js");
const EXPLORE_PYTHON: &str = include_str!("explore.py");
const LEARN: &str = include_str!("learn.js");

/// The facts about an engine that a probe needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probed {
    /// The language of the engine.
    pub language: Language,
    /// The names of the modules to explore, for Python. Other modules are not explored.
    pub roots: Vec<String>,
    /// An expression for the function that prints a line: `print`, `console.log`.
    pub print: String,
    /// Paths from the global object to objects that must not be called or visited, without `this.`:
    /// `quit`, `process`, `Atomics.wait`. In Python, `*.__globals__` is a name of any owner.
    pub never: Vec<String>,
    /// Names of global functions that the engine does not list.
    pub hidden: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Config<'a> {
    mark: &'a str,
    never: &'a [String],
    hidden: &'a [String],
    most_objects: u32,
    most_shapes: u32,
    most_keys: u32,
    most_constructions: u32,
    most_reports: u32,
    longest_text: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PythonConfig<'a> {
    mark: &'a str,
    roots: &'a [String],
    never: &'a [String],
    skipped: &'a [String],
    most_objects: u32,
    most_tries: u32,
    most_calls: u32,
    most_rounds: u32,
    most_memory: u32,
    longest_trial: u32,
}

/// Returns the script that explores an engine. [`crate::Reports`] reads its output.
///
/// The script for JavaScript visits the own properties and prototypes of all objects that can be
/// reached from the global object. The script calls constructors with a few samples, and calls
/// getters on the results and on constructors. The script calls no other function.
///
/// The script for Python visits the members of modules and types, and calls every function with
/// samples: a call without a `TypeError` has arguments of fitting types. The script reports the
/// name of a function before the call. If the process ends or hangs in the call
/// ([`crate::Reports::tried`]), create the script again with this name among `skipped`. The
/// function is then in the graph, but is not called.
pub fn explore(probed: &Probed, skipped: &[String]) -> String {
    match probed.language {
        Language::Javascript => script(probed, EXPLORE),
        Language::Python => python(probed, skipped),
    }
}

fn python(probed: &Probed, skipped: &[String]) -> String {
    let config = PythonConfig {
        mark: MARK,
        roots: &probed.roots,
        never: &probed.never,
        skipped,
        most_objects: MOST_OBJECTS,
        most_tries: MOST_TRIES,
        most_calls: MOST_CALLS,
        most_rounds: MOST_ROUNDS,
        most_memory: MOST_MEMORY,
        longest_trial: LONGEST_TRIAL,
    };
    // Lists, strings, and numbers have the same notation in JSON and Python.
    let config = serde_json::to_string(&config).unwrap_or_default();
    format!("CONFIG = {config}\n{EXPLORE_PYTHON}")
}

/// Returns a script to run before a test. The script replaces the functions of the engine with
/// functions that record the types of receiver, arguments, and result, and otherwise behave as
/// before.
///
/// Only JavaScript is supported. Calls that throw are not recorded. After 300 calls of one
/// function, one call in 64 is recorded.
pub fn learn(probed: &Probed) -> String {
    script(probed, LEARN)
}

fn script(probed: &Probed, part: &str) -> String {
    let config = Config {
        mark: MARK,
        never: &probed.never,
        hidden: &probed.hidden,
        most_objects: MOST_OBJECTS,
        most_shapes: MOST_SHAPES,
        most_keys: MOST_KEYS,
        most_constructions: MOST_CONSTRUCTIONS,
        most_reports: MOST_REPORTS,
        longest_text: LONGEST_TEXT,
    };
    // Names in the configuration are ASCII in all profiles, so the JSON text is valid ECMAScript 5.
    let config = serde_json::to_string(&config).unwrap_or_default();
    format!(
        "(function (config, print) {{\n{INTRINSICS}{part}}}({config}, {}));\n",
        probed.print
    )
}
