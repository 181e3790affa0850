//! Compilers that print messages for their own bugs.

use super::report::Report;
use super::{FailureKind, Signature, assertion, boilerplate, calls, frames, panic};

/// Finds such a message.
pub(super) fn find(report: &Report) -> Option<Signature> {
    [rustc, clang, ghc, javac, typescript]
        .iter()
        .find_map(|find| find(report))
        .map(|(what, frames)| Signature::new(FailureKind::InternalError, what, frames))
}

type Found = Option<(String, Vec<String>)>;

/// Finds `error: internal compiler error: …` that begins with a place, `thread 'rustc' panicked at
/// compiler/…/x.rs:1:2:`, or `note: delayed at compiler/…/x.rs:1:2`. In the first form only the
/// place counts, since the message depends on the types of the input. Places that report all bugs
/// do not count.
fn rustc(report: &Report) -> Found {
    let is_rustc = |line: &&String| {
        line.starts_with("thread 'rustc'") || line.contains("the compiler unexpectedly panicked")
    };
    report.lines.iter().find(is_rustc)?;
    let message = |line: &String| {
        let said = line.strip_prefix("error: internal compiler error: ");
        said.map(str::to_owned)
    };
    let stated = report.lines.iter().filter_map(message).find_map(|said| {
        let (place, _) = said.split_once(": ")?;
        let (file, number) = place_of_rust(place)?;
        let place = report.place(file, number);
        place.filter(|_| !panic::is_shared(file))
    });
    if let Some(place) = stated {
        return Some((format!("rustc at {place}"), Vec::new()));
    }
    let panicked = panic::rust(report);
    if let Some(panicked) = panicked.as_ref().filter(|panicked| !panicked.is_shared) {
        return Some((format!("rustc {}", panicked.what), Vec::new()));
    }
    let delayed = report.lines.iter().find_map(|line| {
        let (_, place) = line.split_once("delayed at ")?;
        let (file, number) = place_of_rust(place.split(' ').next()?)?;
        report.place(file, number)
    });
    if let Some(place) = delayed {
        return Some((format!("rustc delayed bug at {place}"), Vec::new()));
    }
    let stack = panic::backtrace(report);
    let mut said = report.lines.iter().filter_map(message);
    let said = said.find(|said| boilerplate::is_telling(said));
    match (said, panicked) {
        (Some(said), _) => Some((format!("rustc: {}", report.stable(&said)), stack)),
        (None, Some(panicked)) => Some((format!("rustc {}", panicked.what), stack)),
        (None, None) => None,
    }
}

/// Splits `x.rs:1:2` into file and line.
fn place_of_rust(place: &str) -> Option<(&str, &str)> {
    let mut parts = place.rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    (file.ends_with(".rs") && line.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some((file, line))
}

/// Finds a failure of LLVM or of a compiler built on it (Clang, Swift, …).
fn clang(report: &Report) -> Found {
    if let Some(what) = (0..report.lines.len()).find_map(|at| llvm_error(report, at)) {
        return Some((what, Vec::new()));
    }
    let is_request = |line: &&String| {
        let line = line.to_ascii_lowercase();
        line.contains("please submit a bug report") && !line.contains("full bug report")
            || line.contains("please attach the following files to the bug report")
    };
    report.lines.iter().find(is_request)?;
    let unreachable = report.lines.iter().find_map(|line| {
        let (_, rest) = line.split_once("UNREACHABLE executed at ")?;
        let (file, number) = rest.trim_end_matches('!').rsplit_once(':')?;
        Some(format!("unreachable code{}", report.at(file, number)))
    });
    if let Some(what) = unreachable {
        return Some((what, Vec::new()));
    }
    if let Some((text, frames)) = assertion::found(report) {
        return Some((format!("assertion {text}"), frames));
    }
    // GCC also asks for bug reports, but its reports have another heading and no numbered stack.
    let stack = frames::functions_behind_handler(&report.lines, report);
    if !stack.is_empty() {
        return Some(("compiler crash".to_owned(), stack));
    }
    // Without symbols, LLVM still says what it was doing.
    let running = report.lines.iter().rev().find_map(|line| {
        let (_, rest) = line.split_once(".\tRunning pass ")?;
        rest.split(['\'', '"']).nth(1)
    });
    let pass = running?.split('<').next()?;
    Some((format!("compiler crash in the pass {pass}"), Vec::new()))
}

/// Reads `LLVM ERROR: …` or `error in backend: …`.
fn llvm_error(report: &Report, at: usize) -> Option<String> {
    let line = &report.lines[at];
    let (_, rest) = line
        .split_once("error in backend: ")
        .or(line.split_once("LLVM ERROR: "))?;
    // The text after the first colon is the instruction of the input.
    let (head, node) = rest.split_once(": ").unwrap_or((rest, ""));
    let mut what = format!("LLVM error: {}", report.stable(head));
    if head == "Cannot select" {
        // Only the name of the instruction is used, since its operands vary.
        let name = match node.split_once("= ") {
            Some((_, name)) => name,
            None => node.trim_start_matches("intrinsic "),
        };
        what += &format!(" {}", name.split([' ', '<', ',']).next().unwrap_or(name));
    }
    if head.starts_with("Broken ") {
        // The verifier has already printed its reason.
        let is_reason = |line: &&String| {
            line.starts_with(|first: char| first.is_ascii_uppercase()) && line.contains(' ')
        };
        let reason = report.lines[..at].iter().find(is_reason);
        what += &reason.map_or(String::new(), |reason| {
            format!(": {}", report.stable(reason))
        });
    }
    Some(what.trim_end().to_owned())
}

/// Finds `ghc: panic! (the 'impossible' happened)`, the message two lines below, and the place that
/// called for it.
fn ghc(report: &Report) -> Found {
    let at = report
        .lines
        .iter()
        .position(|line| line.contains("panic! (the 'impossible'"))?;
    let below = &report.lines[at + 1..];
    let mut rest = below.iter().map(|line| line.trim());
    let message = rest.find(|line| !line.is_empty() && !line.contains("GHC version"))?;
    // The innermost calls are functions that report bugs.
    let called = below.iter().find_map(|line| {
        let (_, place) = line.split_once(", called at ")?;
        let mut place = place.split(':');
        let (file, number) = (place.next()?, place.next()?);
        let is_shared = ["Panic.hs", "Plain.hs", "Panic/Plain.hs"]
            .iter()
            .any(|it| file.ends_with(it));
        report.place(file, number).filter(|_| !is_shared)
    });
    Some((
        format!("ghc panic: {}", report.stable(message)),
        called.into_iter().collect(),
    ))
}

/// Finds `An exception has occurred in the compiler (17.0.1). Please file a bug …`.
fn javac(report: &Report) -> Found {
    let heading = "An exception has occurred in the compiler";
    let at = report
        .lines
        .iter()
        .position(|line| line.contains(heading))?;
    let rest = &report.lines[at + 1..];
    let thrown = rest.iter().find(|line| {
        let name = line.split(':').next().unwrap_or(line);
        name.contains('.')
            && name.ends_with(|last: char| last.is_alphanumeric())
            && !name.contains(' ')
    })?;
    let what = format!("javac: {}", thrown.split(':').next().unwrap_or(thrown));
    Some((what, calls::called_at(rest, report)))
}

/// Finds `Error: Debug Failure. …` of the TypeScript compiler.
fn typescript(report: &Report) -> Found {
    let at = report
        .lines
        .iter()
        .position(|line| line.contains("Error: Debug Failure."))?;
    let (_, message) = report.lines[at].split_once("Debug Failure.")?;
    let message = message
        .split(['.', ':'])
        .find(|part| !part.trim().is_empty())
        .unwrap_or("");
    let what = format!("TypeScript: Debug Failure. {}", report.stable(message));
    Some((
        what.trim_end().to_owned(),
        calls::called_at(&report.lines[at + 1..], report),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn an_error_of_clang_is_its_message_or_its_stack() {
        let end = "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and \
                   include the crash backtrace.\nStack dump:\n0.\tProgram arguments: clang -c t.c\n\
                   \x20#0 0x000055d llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/bin/clang+0x1)\n\
                   \x20#1 0x000055e clang::Sema::ActOnFoo(clang::Scope*) (/usr/bin/clang+0x2)\n\
                   \x20#2 0x000055f clang::Parser::ParseFoo() (/usr/bin/clang+0x3)\n";
        for (start, expected) in [
            (
                "clang: /b/llvm/lib/IR/Type.cpp:12: void f(): Assertion `isInt() && \"no\"' failed.\n",
                "internal error: assertion `isInt() && \"no\"` at Type.cpp:12",
            ),
            (
                "bad kind\nUNREACHABLE executed at /b/clang/lib/Sema/Foo.cpp:77!\n",
                "internal error: unreachable code at Foo.cpp:77",
            ),
            (
                "fatal error: error in backend: Cannot select: 0x55e: i32 = foo 0x1\n",
                "internal error: LLVM error: Cannot select foo",
            ),
            (
                "",
                "internal error: compiler crash in clang::Sema::ActOnFoo < clang::Parser::ParseFoo",
            ),
        ] {
            assert_eq!(shown(&format!("{start}{end}")), expected, "{start}");
        }
    }

    #[test]
    fn an_error_of_rustc_is_its_place_in_the_compiler() {
        let panicked = "\nthread 'rustc' (123) panicked at compiler/rustc_ty/src/lib.rs:91:13:\n\
                        no type for `Foo<'a>`\nstack backtrace:\n   0: 0x7f - std::bt\n\
                        error: the compiler unexpectedly panicked. this is a bug.\n";
        let shown_text = shown(panicked);
        assert_eq!(
            shown_text,
            "internal error: rustc panicked at lib.rs:91: no type for `…`"
        );
        let stated = "error: internal compiler error: compiler/rustc_infer/src/x.rs:120:17: bad \
                      `Foo`\n\nthread 'rustc' panicked at compiler/rustc_infer/src/x.rs:120:17:\n\
                      Box<dyn Any>\n";
        assert_eq!(shown(stated), "internal error: rustc at x.rs:120");
    }
}
