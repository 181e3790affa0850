//! Crashes that interpreters, engines, and solvers report in a form of their own.

use super::report::Report;
use super::{FailureKind, Signature, boilerplate, frames};

/// Finds such a report.
pub(super) fn find(report: &Report) -> Option<Signature> {
    [ruby, v8, spidermonkey, webkit, z3, python]
        .iter()
        .find_map(|find| find(report))
}

/// Finds `file.rb:3: [BUG] message`, and the functions of `-- C level backtrace information`.
fn ruby(report: &Report) -> Option<Signature> {
    let said = report
        .lines
        .iter()
        .find_map(|line| Some(line.split_once("[BUG] ")?.1))?;
    let said = said.split(" at 0x").next().unwrap_or(said);
    let heading = |line: &String| line.contains("C level backtrace information");
    let at = report.lines.iter().position(heading);
    let below = at.map_or(&[][..], |at| &report.lines[at + 1..]);
    Some(named(
        "Ruby",
        said,
        frames::functions_behind_handler(below, report),
        report,
    ))
}

/// Finds `# Fatal error in file.cc, line 3`, and the message on the next line. A failed check is an
/// assertion.
fn v8(report: &Report) -> Option<Signature> {
    let (at, place) = report
        .lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, line.split_once("# Fatal error in ")?.1)))?;
    let mut below = report.lines[at + 1..]
        .iter()
        .map(|line| line.trim_start_matches('#').trim());
    let said = below.find(|line| !line.is_empty())?;
    if said.contains("heck failed: ") {
        return None;
    }
    let (file, number) = place.rsplit_once(", line ")?;
    let place = match file {
        "" => String::new(),
        _ => report.at(file, number),
    };
    let stack = match place.is_empty() {
        true => frames::functions(&report.lines[at + 1..], report),
        false => Vec::new(),
    };
    let what = format!("V8: {}{place}", report.stable(said));
    Some(Signature::new(FailureKind::InternalError, what, stack))
}

/// Finds `Hit MOZ_CRASH(message) at file.cpp:3`.
fn spidermonkey(report: &Report) -> Option<Signature> {
    let rest = report
        .lines
        .iter()
        .find_map(|line| Some(line.split_once("Hit MOZ_CRASH(")?.1))?;
    let (said, place) = rest.rsplit_once(") at ")?;
    let mut place = place.split(':');
    let (file, number) = (place.next()?, place.next()?);
    let what = format!(
        "MOZ_CRASH({}){}",
        report.stable(said),
        report.at(file, number)
    );
    Some(Signature::new(FailureKind::Assertion, what, Vec::new()))
}

/// Finds `SHOULD NEVER BE REACHED`, and below it `file.cpp(3) : void f()`.
fn webkit(report: &Report) -> Option<Signature> {
    let at = report
        .lines
        .iter()
        .position(|line| line == "SHOULD NEVER BE REACHED")?;
    let (file, rest) = report.lines.get(at + 1)?.split_once('(')?;
    let (number, _) = rest.split_once(')')?;
    let what = format!("unreachable code{}", report.at(file, number));
    Some(Signature::new(FailureKind::Assertion, what, Vec::new()))
}

/// Finds `ASSERTION VIOLATION`, and below it `File: …`, `Line: …`, and the expression.
fn z3(report: &Report) -> Option<Signature> {
    let at = report
        .lines
        .iter()
        .position(|line| line == "ASSERTION VIOLATION")?;
    let mut below = report.lines[at + 1..].iter();
    let file = below.next()?.strip_prefix("File: ")?;
    let number = below.next()?.strip_prefix("Line: ")?;
    let said = below.next().map_or("", String::as_str);
    let what = format!("`{said}`{}", report.at(file, number));
    Some(Signature::new(FailureKind::Assertion, what, Vec::new()))
}

/// Finds `Fatal Python error: …`, and below it `  File "x.py", line 3 in f`, innermost first.
fn python(report: &Report) -> Option<Signature> {
    let (at, said) = report
        .lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, line.strip_prefix("Fatal Python error: ")?)))?;
    let calls = report.lines[at + 1..].iter().filter_map(|line| {
        let (file, rest) = line.strip_prefix("  File \"")?.split_once('"')?;
        let (_, function) = rest.rsplit_once(" in ")?;
        let name = format!("{function} ({})", super::report::base(file));
        (!report.is_input(file)).then_some(name)
    });
    Some(named("Python", said, calls.collect(), report))
}

/// Creates a signature from a message that may be the same for many crashes.
fn named(program: &str, said: &str, stack: Vec<String>, report: &Report) -> Signature {
    let what = format!(
        "{program}: {}",
        report.stable(boilerplate::without_advice(said))
    );
    match boilerplate::is_telling(said) {
        true => Signature::new(FailureKind::InternalError, what, stack),
        false => Signature::general(FailureKind::InternalError, what, stack),
    }
}
