use super::report::Report;
use super::{FailureKind, Signature, boilerplate, compilers, exception, frames, goroutine, panic};

/// Finds the messages that compilers and other programs print for their own bugs.
pub(super) fn find(report: &Report) -> Option<Signature> {
    compilers::find(report).or_else(|| named(report))
}

/// Finds `internal compiler error: …` of GCC, Go, and many others, or `internal error`.
fn named(report: &Report) -> Option<Signature> {
    let (at, is_compiler, rest) = report.lines.iter().enumerate().find_map(|(at, line)| {
        let lower = line.to_ascii_lowercase();
        // The words are the panic message of `unreachable!()` in any Rust program.
        if lower.contains("internal error: entered unreachable code") {
            return None;
        }
        let name = ["internal compiler error", "internal error"]
            .into_iter()
            .find_map(|name| Some(lower.find(name)? + name.len()))?;
        // ASCII lowercase keeps the length of the text, so the position is valid in `line`.
        Some((
            at,
            lower.contains("compiler"),
            line.get(name..)?
                .trim_start_matches([':', ']', '.', ' ', ')', '-']),
        ))
    })?;
    let (before, after) = report.lines.split_at(at);
    // The message may be the same for all bugs of the program. The raised exception is more
    // specific.
    if let Some(raised) = exception::of_bug(report).or_else(|| panic::of_bug(report)) {
        return Some(raised);
    }
    let rest = rest.split(" while compiling ").next().unwrap_or(rest);
    let said = report.stable(boilerplate::without_advice(rest));
    let is_telling = boilerplate::is_telling(&said);
    let mut what = match is_telling {
        true => said,
        false => said_below(&after[1..], report).unwrap_or(said),
    };
    // GCC names the pass in the line before or after the error.
    let near = before
        .iter()
        .rev()
        .take(2)
        .chain(after.iter().skip(1).take(2));
    if let Some(pass) = near.filter_map(|line| line.strip_prefix("during ")).next() {
        what = format!("{what} during {}", pass.trim());
    }
    let stack = match what.split_once(", at ") {
        // A location in a header belongs to a function that is called from everywhere.
        Some((_, place)) if !is_header(place) => Vec::new(),
        _ => stack(&after[1..], report),
    };
    let is_telling = boilerplate::is_telling(&what);
    // Programs other than compilers have internal errors as well.
    let what = match is_compiler || what.is_empty() {
        true => format!("compiler: {what}"),
        false => what,
    };
    let what = what.trim_end_matches([':', ' ']);
    Some(match is_telling {
        true => Signature::new(FailureKind::InternalError, what, stack),
        false => Signature::general(FailureKind::InternalError, what, stack),
    })
}

/// Returns the first line below a heading that describes the failure, if it comes soon.
fn said_below(below: &[String], report: &Report) -> Option<String> {
    const MAX_LINES_BELOW: usize = 4;
    let is_said = |line: &&String| {
        let is_stack = line.starts_with("0x") || line.trim_start().starts_with("at ");
        !is_stack && !line.starts_with('\t') && boilerplate::is_telling(line)
    };
    let line = below.iter().take(MAX_LINES_BELOW).find(is_said)?;
    Some(report.stable(boilerplate::without_advice(line)))
}

/// Returns whether a place that begins with a file is in a header.
fn is_header(place: &str) -> bool {
    let file = place.split([':', ' ']).next().unwrap_or(place);
    [".h", ".hh", ".hpp", ".inc", ".def"]
        .iter()
        .any(|end| file.ends_with(end))
}

/// Returns the functions of the stack below the message.
fn stack(lines: &[String], report: &Report) -> Vec<String> {
    let go = lines.iter().position(|line| line.starts_with("goroutine "));
    match go {
        Some(at) => goroutine::functions(&lines[at + 1..], report),
        None => gcc_stack(lines, report),
    }
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
    fn an_error_of_another_program_is_not_one_of_a_compiler() {
        let text = "yaps: internal error: beam with 3 notes\n";
        assert_eq!(shown(text), "internal error: beam with N notes");
        assert_eq!(shown("Internal error.\n"), "internal error: compiler");
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
