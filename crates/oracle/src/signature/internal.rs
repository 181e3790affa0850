use super::report::Report;
use super::{FailureKind, Signature, assertion, exception, frames, panic};

/// Finds the messages that compilers print for their own bugs.
pub(super) fn find(report: &Report) -> Option<Signature> {
    [rustc, clang, ghc, javac, named, typescript]
        .iter()
        .find_map(|find| find(report))
        .map(|(what, frames)| Signature::new(FailureKind::InternalError, what, frames))
}

type Found = Option<(String, Vec<String>)>;

/// Finds `thread 'rustc' panicked at compiler/…/x.rs:1:2:`, or `error: internal compiler error: …`
/// that begins with a place. In the second form only the place counts, since the message depends on
/// the types of the input.
fn rustc(report: &Report) -> Found {
    let is_rustc = |line: &&String| {
        line.starts_with("thread 'rustc'") || line.contains("the compiler unexpectedly panicked")
    };
    report.lines.iter().find(is_rustc)?;
    let stated = report.lines.iter().find_map(|line| {
        let rest = line.strip_prefix("error: internal compiler error: ")?;
        let (place, _) = rest.split_once(": ")?;
        let (file, number) = place_of_rust(place)?;
        report.place(file, number)
    });
    if let Some(place) = stated {
        return Some((format!("rustc at {place}"), Vec::new()));
    }
    let what = panic::rust(report)?;
    Some((format!("rustc {what}"), Vec::new()))
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
    let fatal = |line: &str| {
        let (_, rest) = line
            .split_once("error in backend: ")
            .or(line.split_once("LLVM ERROR: "))?;
        // The text after the first colon is the instruction of the input.
        let head = rest.split(": ").next().unwrap_or(rest);
        Some(format!("LLVM error: {}", report.stable(head)))
    };
    if let Some(what) = report.lines.iter().find_map(|line| fatal(line)) {
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
    if let Some(text) = assertion::text(report) {
        return Some((format!("assertion {text}"), Vec::new()));
    }
    // GCC also asks for bug reports, but its reports have another heading and no numbered stack.
    let stack = frames::functions(&report.lines, report);
    (!stack.is_empty()).then(|| ("compiler crash".to_owned(), stack))
}

/// Finds `ghc: panic! (the 'impossible' happened)`, and the message two lines below.
fn ghc(report: &Report) -> Found {
    let at = report
        .lines
        .iter()
        .position(|line| line.contains("panic! (the 'impossible'"))?;
    let mut rest = report.lines[at + 1..].iter().map(|line| line.trim());
    let message = rest.find(|line| !line.is_empty() && !line.contains("GHC version"))?;
    Some((format!("ghc panic: {}", report.stable(message)), Vec::new()))
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
    Some((what, exception::called_at(rest, report)))
}

/// Finds `internal compiler error: …` of GCC, Go, and many others, or `internal error`.
fn named(report: &Report) -> Found {
    let (at, rest) = report.lines.iter().enumerate().find_map(|(at, line)| {
        let lower = line.to_ascii_lowercase();
        // A panic of any Rust program: the text of `unreachable!()`.
        if lower.contains("internal error: entered unreachable code") {
            return None;
        }
        let name = ["internal compiler error", "internal error"]
            .into_iter()
            .find_map(|name| Some(lower.find(name)? + name.len()))?;
        // ASCII lowercase keeps the length of the text, so the position is valid in `line`.
        Some((
            at,
            line.get(name..)?.trim_start_matches([':', ']', '.', ' ']),
        ))
    })?;
    let rest = rest.split(" while compiling ").next().unwrap_or(rest);
    let mut what = report.stable(rest);
    let (before, after) = report.lines.split_at(at);
    // GCC names the pass in the line before or after.
    let near = before
        .iter()
        .rev()
        .take(2)
        .chain(after.iter().skip(1).take(2));
    if let Some(pass) = near.filter_map(|line| line.strip_prefix("during ")).next() {
        what = format!("{what} during {}", pass.trim());
    }
    let has_place = what.contains(", at ");
    let stack = if has_place {
        Vec::new()
    } else {
        gcc_stack(&after[1..], report)
    };
    Some((
        format!("compiler: {what}")
            .trim_end_matches(": ")
            .to_owned(),
        stack,
    ))
}

/// Returns the functions of GCC's stack: `0xf1e0c3 function(arguments)`, with the place indented on
/// the next line.
fn gcc_stack(lines: &[String], report: &Report) -> Vec<String> {
    let numbered = lines.iter().filter_map(|line| {
        let (address, name) = line.split_once(' ')?;
        address
            .starts_with("0x")
            .then(|| format!("#0 {address} in {name}"))
    });
    let numbered: Vec<String> = numbered.collect();
    frames::functions(&numbered, report)
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
        exception::called_at(&report.lines[at + 1..], report),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn an_error_of_gcc_is_its_place_or_its_stack() {
        let text = "during GIMPLE pass: vect\nt.c: In function 'f':\n\
                    t.c:3:5: internal compiler error: in vect_transform_stmt, at \
                    tree-vect-stmts.cc:11310\n0x6f3fdb vect_transform_stmt(vec_info*)\n\
                    \t../../gcc/tree-vect-stmts.cc:11310\n\
                    Please submit a full bug report, with preprocessed source.\n";
        let expected = "internal error: compiler: in vect_transform_stmt, at \
                        tree-vect-stmts.cc:11310 during GIMPLE pass: vect";
        assert_eq!(shown(text), expected);

        let text = "t.c:3:1: internal compiler error: Segmentation fault\n\
                    0xf1e0c3 crash_signal\n\t../../gcc/toplev.cc:314\n\
                    0x7f1 ???\n\t./signal/x.c:0\n\
                    0x9a fold_binary_loc(unsigned int, tree_code)\n\t../../gcc/fold-const.cc:10\n\
                    0x9b c_parser_unary(c_parser*)\n\t../../gcc/c-parser.cc:99\n\
                    Please submit a full bug report.\n";
        let expected = "internal error: compiler: Segmentation fault in fold_binary_loc < \
                        c_parser_unary";
        assert_eq!(shown(text), expected);
    }

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
                "internal error: LLVM error: Cannot select",
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

    #[test]
    fn errors_of_other_compilers_are_recognized() {
        for (text, expected) in [
            (
                "./t.go:5:3: internal compiler error: 'f': panic during lower while compiling f:\n",
                "internal error: compiler: '…': panic during lower",
            ),
            (
                "An exception has occurred in the compiler (17.0.1). Please file a bug\n\
                 java.lang.NullPointerException: Cannot invoke \"x\" because \"y\" is null\n\
                 \tat jdk.compiler/com.sun.tools.javac.code.Types.foo(Types.java:12)\n\
                 \tat jdk.compiler/com.sun.tools.javac.comp.Attr.bar(Attr.java:7)\n",
                "internal error: javac: java.lang.NullPointerException in \
                 com.sun.tools.javac.code.Types.foo (Types.java:12) < \
                 com.sun.tools.javac.comp.Attr.bar (Attr.java)",
            ),
            (
                "Error: Debug Failure. False expression: Foo expected for bar.\n\
                 \x20   at checkFoo (/usr/lib/node_modules/typescript/lib/tsc.js:5:1)\n",
                "internal error: TypeScript: Debug Failure. False expression in checkFoo (tsc.js:5)",
            ),
            (
                "ghc: panic! (the 'impossible' happened)\n  GHC version 9.2.1:\n\ttcTyVarDetails\n",
                "internal error: ghc panic: tcTyVarDetails",
            ),
            (
                "t.cpp(3): fatal error C1001: Internal compiler error.\n",
                "internal error: compiler",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
