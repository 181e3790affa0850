//! The stacks of interpreters and virtual machines.

use super::report::{Report, base};

/// A frame of a stack.
pub(super) struct Frame {
    /// Empty at the top level of a JavaScript file.
    pub(super) function: String,
    /// The last name of the file; empty if the stack does not have it.
    pub(super) file: String,
    pub(super) line: Option<String>,
    pub(super) owner: Owner,
}

/// The owner of the code of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Program,
    /// The library of the language.
    Library,
    /// The interpreter itself: its loader of modules, and its main loop. All programs have these
    /// frames.
    Interpreter,
    Input,
}

impl Owner {
    /// Returns the owner of a frame that is not the interpreter's.
    pub(super) fn of(is_input: bool, is_library: bool) -> Self {
        match (is_input, is_library) {
            (true, _) => Owner::Input,
            (false, true) => Owner::Library,
            (false, false) => Owner::Program,
        }
    }
}

impl Frame {
    /// Returns `function (file:line)`, without the line unless `has_line`.
    fn shown(&self, has_line: bool) -> String {
        let place = match self.line.as_ref().filter(|_| has_line) {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        };
        match (&*self.function, &*self.file) {
            ("", _) => place,
            (function, "") => function.to_owned(),
            (function, _) => format!("{function} ({place})"),
        }
    }
}

/// Returns the frames of the program, or without any those of the library up to the input. The
/// library function that noticed a failure says less about it than its caller, and one that calls
/// the input says nothing. Only the innermost frame has its line: the way to it changes with the
/// input.
pub(super) fn told(frames: Vec<Frame>) -> Vec<String> {
    let is_own = |frame: &&Frame| frame.owner == Owner::Program;
    let is_library = |frame: &&Frame| frame.owner == Owner::Library;
    let mut told: Vec<&Frame> = frames.iter().filter(is_own).collect();
    if told.is_empty() {
        let inner = frames
            .iter()
            .take_while(|frame| frame.owner != Owner::Input);
        told = inner.filter(is_library).collect();
    }
    let told = told.iter().enumerate();
    told.map(|(depth, frame)| frame.shown(depth == 0)).collect()
}

/// Returns the functions of `at …` lines, as the JVM, JavaScript engines, and .NET print them.
pub(super) fn called_at(lines: &[String], report: &Report) -> Vec<String> {
    let calls = lines
        .iter()
        .map(|line| line.trim_start().strip_prefix("at "));
    let calls = calls.skip_while(Option::is_none).map_while(|call| call);
    told(calls.filter_map(|call| frame_at(call, report)).collect())
}

/// Reads a frame such as `module/package.Class.method(File.java:1)` or
/// `async f (/path/file.js:1:2)`.
fn frame_at(call: &str, report: &Report) -> Option<Frame> {
    let call = call.strip_prefix("async ").unwrap_or(call);
    let (name, place) = match call.split_once('(') {
        Some((name, place)) => (name.trim(), place.trim_end_matches(')')),
        None => ("", call),
    };
    let file = place.trim_start_matches("file://");
    let file = match file.strip_prefix("node:") {
        Some(inner) => inner.split(':').next()?,
        None => file
            .split(':')
            .find(|part| part.contains('.'))
            .unwrap_or(file),
    };
    let owner = match report.is_input(file) {
        true => Owner::Input,
        false => owner(name, place),
    };
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let line = place.split_once(file).and_then(|(_, rest)| {
        // .NET writes `file:line 1`.
        number_in(rest.trim_start_matches(":line ").trim_start_matches(':'))
    });
    let file = base(file);
    // The word is not a file if it is `Native Method`, `Unknown Source`, `<anonymous>`, or the
    // arguments of a .NET function.
    let is_file = file.contains('.') && !file.contains(' ');
    Some(Frame {
        function: name.to_owned(),
        file: if is_file { file } else { "" }.to_owned(),
        line,
        owner,
    })
}

/// Beginnings of places in the code of engines of JavaScript: of Node, Deno, and Bun.
const INTERPRETER_PLACES: [&str; 4] = ["node:internal/", "ext:", "native:", "bun:"];

/// Beginnings of functions that start programs of the JVM.
const INTERPRETER_NAMES: [&str; 5] = [
    "java.base/jdk.internal.reflect.",
    "jdk.internal.reflect.",
    "sun.reflect.",
    "jdk.compiler/com.sun.tools.javac.launcher.",
    "com.sun.tools.javac.launcher.",
];

const LIBRARY_NAMES: [&str; 18] = [
    "java.",
    "javax.",
    "jdk.internal.",
    "sun.",
    "java.base/",
    "System.",
    "kotlin.",
    // Assertions, which say what must hold, and are called from everywhere.
    "com.sun.tools.javac.util.Assert.",
    "jdk.compiler/com.sun.tools.javac.util.Assert.",
    "com.google.common.base.Preconditions.",
    "com.google.common.base.Verify.",
    "scala.Predef",
    "scala.runtime.",
    "scala.collection.",
    "scala.Option",
    "scala.None",
    "scala.sys.",
    "dotty.DottyPredef",
];

/// Returns the owner of a function that is not in the input.
fn owner(name: &str, place: &str) -> Owner {
    let is_of = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
    let is_inner = |known: &&str| place.starts_with(known);
    if INTERPRETER_PLACES.iter().any(is_inner) || is_of(&INTERPRETER_NAMES) {
        return Owner::Interpreter;
    }
    // A function of the engine, such as `JSON.parse` and `Array.map`.
    let is_built_in = place == "<anonymous>" || place == "native";
    let is_library = is_built_in || place.starts_with("node:") || is_of(&LIBRARY_NAMES);
    Owner::of(false, is_library)
}

/// Returns the number at the start of a text.
pub(super) fn number_in(text: &str) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text[..digits].to_owned())
}

/// Returns `function (file)` of `function (file:line)`.
pub(super) fn without_line(frame: &str) -> String {
    let (bare, end) = match frame.strip_suffix(')') {
        Some(bare) => (bare, ")"),
        None => (frame, ""),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    match bare.rsplit_once(':') {
        Some((bare, line)) if is_number(line) => format!("{bare}{end}"),
        _ => frame.to_owned(),
    }
}
