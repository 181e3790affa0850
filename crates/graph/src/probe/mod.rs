//! The scripts that run inside an engine, in ECMAScript 5.

use crate::reports::MARK;
use serde::Serialize;

/// The maximum number of objects with names of their own.
const MOST_OBJECTS: u32 = 6_000;
/// The maximum number of kinds of other objects, told apart by prototype and keys.
const MOST_SHAPES: u32 = 2_000;
/// The maximum number of keys of one object.
const MOST_KEYS: u32 = 2_000;
/// The maximum number of constructions of one type that are kept.
const MOST_CONSTRUCTIONS: u32 = 6;
/// The maximum number of lines that one test reports.
const MOST_REPORTS: u32 = 40_000;
/// The maximum number of bytes of the text of an argument.
const LONGEST_TEXT: u32 = 400;

const INTRINSICS: &str = include_str!("intrinsics.js");
const EXPLORE: &str = include_str!("explore.js");
const LEARN: &str = include_str!("learn.js");

/// The facts of an engine that a probe needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probed {
    /// An expression for the function that prints a line: `print`, `console.log`.
    pub print: String,
    /// Paths from the global object to what must not be called or looked at, without `this.`:
    /// `quit`, `process`, `Atomics.wait`.
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

/// Returns the script that explores an engine. [`crate::Reports`] reads what it prints.
///
/// The script looks at the own properties and prototypes of all objects that can be reached from
/// the global object, constructs what can be constructed with a few samples, and calls getters on
/// the results and on constructors. It calls no other function.
pub fn explore(probed: &Probed) -> String {
    script(probed, EXPLORE)
}

/// Returns a script to be followed by a test. It replaces the functions of the engine by ones that
/// record the types of receiver, arguments, and result, and then behave as before.
///
/// Calls that throw are not recorded. After 300 calls of one function, one of 64 is.
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
    // Names in the configuration are ASCII in all profiles; JSON is a subset of ECMAScript 5 then.
    let config = serde_json::to_string(&config).unwrap_or_default();
    format!(
        "(function (config, print) {{\n{INTRINSICS}{part}}}({config}, {}));\n",
        probed.print
    )
}
