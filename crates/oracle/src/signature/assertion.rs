use super::report::{Report, base};
use super::{FailureKind, Signature, frames};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Finds a failed assertion of a C library, or of a large program with its own macros.
pub(super) fn find(report: &Report) -> Option<Signature> {
    found(report).map(|(text, frames)| Signature::new(FailureKind::Assertion, text, frames))
}

/// Returns the asserted expression with its location, and the functions of the stack if the
/// location is in a header: a checked access of a list has one location for all its callers.
pub(super) fn found(report: &Report) -> Option<(String, Vec<String>)> {
    let (text, is_in_header) = text(report)?;
    let frames = match is_in_header {
        true => frames::functions_behind_handler(&report.lines, report),
        false => Vec::new(),
    };
    Some((text, frames))
}

/// Returns the asserted expression and its place, and whether that is in a header.
fn text(report: &Report) -> Option<(String, bool)> {
    let lines = &report.lines;
    lines
        .iter()
        .zip(lines.iter().skip(1).map(Some).chain([None]))
        .find_map(|(line, next)| {
            // This cheap check comes first, since most lines have no assertion.
            let lower = line.to_ascii_lowercase();
            if !["assert", "check failed", "fatal failure"]
                .iter()
                .any(|it| lower.contains(it))
            {
                return None;
            }
            SHAPES
                .iter()
                .find_map(|shape| Some(shown(&shape.captures(line)?, report)))
                .or_else(|| Some((with_place_below(line, next?, report)?, false)))
                .or_else(|| Some((check(line, report)?, false)))
        })
}

/// The forms of an assertion on one line, with the groups `expr`, `file`, and `line`.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // glibc: program: file:line: function: Assertion `x' failed.
        r"(?:^|: )(?<file>[^:\s][^:]*):(?<line>\d+): (?:.*: )?Assertion [`'](?<expr>.*)' failed",
        // macOS: Assertion failed: (x), function f, file a.c, line 3.
        r"Assertion failed: \((?<expr>.*)\), function .*, file (?<file>.*), line (?<line>\d+)",
        // Windows: Assertion failed: x, file a.c, line 3
        r"Assertion failed: (?<expr>.*), file (?<file>.*), line (?<line>\d+)",
        // musl: Assertion failed: x (a.c: f: 3)
        r"Assertion failed: (?<expr>.*) \((?<file>[^:()]*): [^:]*: (?<line>\d+)\)",
        // Android: a.c:3: f: assertion "x" failed
        r#"(?<file>[^:\s]+):(?<line>\d+): .*assertion "(?<expr>.*)" failed"#,
        // newlib: assertion "x" failed: file "a.c", line 3
        r#"assertion "(?<expr>.*)" failed: file "(?<file>.*)", line (?<line>\d+)"#,
        // SpiderMonkey: Assertion failure: x, at a.cpp:3
        r"Assertion failure: (?<expr>.*), at (?<file>[^:\s]+):(?<line>\d+)",
        // cvc5: Fatal failure within void f() at a.cpp:3
        r"^Fatal failure within (?<expr>.*) at (?<file>[^:\s]+):(?<line>\d+)",
        // DuckDB: Assertion triggered in file "a.cpp" on line 3: x
        r#"Assertion triggered in file "(?<file>[^"]*)" on line (?<line>\d+): (?<expr>.*)"#,
        // Chromium, glog: [1:2:FATAL:a.cc(3)] Check failed: x.
        r"FATAL:(?<file>[^\]()]+)\((?<line>\d+)\)\] Check failed: (?<expr>.*?)\.?\s*$",
        // glog: F0101 12:00:00 1 a.cc:3] Check failed: x
        r"^F\d+ .* (?<file>[^:\s]+):(?<line>\d+)\] Check failed: (?<expr>.*)",
    ]
    .into_iter()
    .filter_map(|shape| Regex::new(shape).ok())
    .collect()
});

fn shown(found: &Captures<'_>, report: &Report) -> (String, bool) {
    let file = &found["file"];
    let text = format!("`{}`{}", &found["expr"], report.at(file, &found["line"]));
    let end = base(file).rsplit_once('.').map_or("", |(_, end)| end);
    // Headers of the C++ standard library have no extension.
    (
        text,
        ["", "h", "hh", "hpp", "hxx", "inc", "def", "tcc"].contains(&end),
    )
}

/// Finds the form of WebKit: `ASSERTION FAILED: x`, and below it `a.cpp(3) : void f()`.
fn with_place_below(line: &str, next: &str, report: &Report) -> Option<String> {
    let (_, expr) = line.split_once("ASSERTION FAILED: ")?;
    let (place, _) = next.split_once(')')?;
    let (file, number) = place.rsplit_once('(')?;
    Some(format!("`{expr}`{}", report.at(file, number)))
}

/// Finds the form of V8 (`# Fatal error in a.cc, line 3` and `# Check failed: x.`), or an assertion
/// without a place.
fn check(line: &str, report: &Report) -> Option<String> {
    let marks = [
        "# Check failed: ",
        "# Debug check failed: ",
        "Assertion failed: ",
    ];
    let expr = marks
        .iter()
        .find_map(|mark| Some(line.split_once(mark)?.1))?;
    let place = report.lines.iter().find_map(|line| {
        let (file, number) = line
            .split_once("# Fatal error in ")?
            .1
            .rsplit_once(", line ")?;
        report.place(file, number)
    });
    let at = place.map_or(String::new(), |place| format!(" at {place}"));
    let expr = expr.trim_end_matches('.');
    // Without a location, the line may be an ordinary message.
    Some(if at.is_empty() {
        report.stable(expr)
    } else {
        format!("`{expr}`{at}")
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn every_form_of_an_assertion_gives_its_expression_and_place() {
        let expected = "assertion: `x == 1 && \"no\"` at lex.c:212";
        for text in [
            "prog: /src/lex.c:212: int f(char *): Assertion `x == 1 && \"no\"' failed.",
            "/src/lex.c:212: f: Assertion `x == 1 && \"no\"' failed.",
            "Assertion failed: (x == 1 && \"no\"), function f, file lex.c, line 212.",
            "Assertion failed: x == 1 && \"no\", file C:\\src\\lex.c, line 212",
            "Assertion failed: x == 1 && \"no\" (../src/lex.c: f: 212)",
            "assertion \"x == 1 && \"no\"\" failed: file \"lex.c\", line 212, function: f",
            "Assertion failure: x == 1 && \"no\", at /js/src/lex.c:212",
            "ASSERTION FAILED: x == 1 && \"no\"\n/wk/lex.c(212) : void WK::f()",
            "[1:1:0101/120000.1:FATAL:lex.c(212)] Check failed: x == 1 && \"no\". ",
            "#\n# Fatal error in ../src/lex.c, line 212\n# Debug check failed: x == 1 && \"no\".\n#",
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_place_in_the_input_is_left_out() {
        let text = "a.out: t.c:5: main: Assertion `n > 0' failed.";
        assert_eq!(shown(text), "assertion: `n > 0`");
    }
}
