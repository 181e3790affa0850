use super::PositionKind::{self, Error, Frame, Note, Warning};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// A form in which tools print positions.
pub(super) struct Row {
    /// The tools that use the form.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the name of the row, for its tests")
    )]
    pub(super) tools: &'static str,
    /// A regular expression in which `<path>` stands for a path at the beginning of a line, which
    /// may have spaces, `<file>` for a path without, `<line>`, `<column>`, and `<offset>` for
    /// numbers, and `<name>` for the name of a function, which is where it is called or defined.
    /// `^` and `$` are the ends of a line.
    pattern: &'static str,
    kind: PositionKind,
}

/// A form with its expression, which takes longer to compile than to search for in most outputs.
pub(super) struct Form {
    pub(super) regex: Regex,
    pub(super) kind: PositionKind,
}

/// The forms of [`WITH_PATH`].
pub(super) static FORMS_WITH_PATH: LazyLock<Vec<Form>> = LazyLock::new(|| forms(WITH_PATH));

/// The forms of [`WITHOUT_PATH`].
pub(super) static FORMS_WITHOUT_PATH: LazyLock<Vec<Form>> = LazyLock::new(|| forms(WITHOUT_PATH));

fn forms(rows: &[Row]) -> Vec<Form> {
    let form = |row: &Row| {
        Some(Form {
            regex: compiled(row)?,
            kind: row.kind,
        })
    };
    rows.iter().filter_map(form).collect()
}

const fn row(tools: &'static str, pattern: &'static str, kind: PositionKind) -> Row {
    Row {
        tools,
        pattern,
        kind,
    }
}

/// The forms with a path. If several match at one path, the first of them counts.
///
/// The forms were read off the outputs in `samples`, except those of `psql` and of Visual C++,
/// which are from the manuals of these programs.
#[rustfmt::skip]
pub(super) const WITH_PATH: &[Row] = &[
    row("gcc, clang, nasm, yasm, javac", r"^<path>:<line>(?::<column>)?: (?:[a-z]+ )*error:", Error),
    row("gcc, crash in a pass", r"^<path>: In [a-z ]*function ['\xe2][^\n]*?<name>(?:\([^\n]*)?(?:'|\xe2\x80\x99)[^\n]*:\n[^\n]* internal compiler error:", Error),
    row("gcc, clang, javac", r"^<path>:<line>(?::<column>)?: warning:", Warning),
    row("gcc, clang", r"^<path>:<line>(?::<column>)?: note: in instantiation of", Frame),
    row("gcc, clang", r"^<path>:<line>(?::<column>)?: note:", Note),
    row("g++", r"^<path>:<line>(?::<column>)?: +(?:recursively )?(?:required|in )", Frame),
    row("clang, stack dump", r"^\d+\.\s+<path>:<line>:<column>: ", Frame),
    row("gfortran", r"^<path>:<line>:<column>:\n\n[^\n]*\n[^\n]*\nWarning:", Warning),
    row("gfortran", r"^<path>:<line>:<column>:$", Error),
    row("rustc", r"^error[^\n]*\n(?:[^\n]+\n){0,4}? *--> <path>:<line>:<column>$", Error),
    row("rustc", r"^warning[^\n]*\n(?:[^\n]+\n){0,4}? *--> <path>:<line>:<column>$", Warning),
    row("rustc", r"^ *(?:-->|:::) <path>:<line>:<column>$", Note),
    row("rust, panic", r"panicked at (?:'[^\n]*', )?<file>:<line>:<column>", Error),
    row("rust, backtrace", r"^ +at <path>:<line>:<column>$", Frame),
    row("psql", r"^psql:<file>:<line>: ERROR:", Error),
    row("psql", r"^psql:<file>:<line>: (?:WARNING|NOTICE):", Warning),
    row("tsc, Visual C++", r"^<path>\(<line>(?:,<column>)?\) ?: (?:[a-z]+ )*error ", Error),
    row("tsc, Visual C++", r"^<path>\(<line>(?:,<column>)?\) ?: warning ", Warning),
    row("tsc --pretty", r"^<path>:<line>:<column> - error ", Error),
    row("tsc --pretty", r"^ +<path>:<line>:<column>$", Note),
    row("node", r"^<path>:<line>\n[^\n]*\n *\^", Error),
    row("node", r"^ +at (?:[^\n]*\()?(?:file://)?<file>:<line>:<column>\)?$", Frame),
    row("java", r"^\s+at [^\n]*\(<file>:<line>\)$", Frame),
    row("go, goroutine", r"^\t<path>:<line>(?: \+0x[0-9a-f]+)?$", Frame),
    row("python", r#"^ *(?:\| *)*File "<path>", line <line>"#, Frame),
    row("python", r"^<path>:<line>: [A-Za-z]*Warning: ", Warning),
    row("tcl", r#"\(file "<path>" line <line>\)"#, Error),
    row("php", r"^(?:PHP )?(?:Warning|Notice|Deprecated): [^\n]* in <file> on line <line>$", Warning),
    row("php", r" in <file>(?: on line |:)<line>$", Error),
    row("php, stack trace", r"^#\d+ <path>\(<line>\): ", Frame),
    row("ruby", r"^\s+(?:\d+: )?from <path>:<line>:in ", Frame),
    row("ruby", r"^<path>:<line>:in ", Error),
    row("perl, confess", r"^\t[^\n]* called at <file> line <line>", Frame),
    row("perl", r" at <file> line <line>\b", Error),
    row("lua, traceback", r"^\t<path>:<line>: in ", Frame),
    row("lua", r"^luac?[0-9.]*: <file>:<line>: ", Error),
    row("bash", r"^<path>: line <line>: ", Error),
    row("dash", r"^<path>: <line>: ", Error),
    row("go, iverilog, xmllint, ruby, LaTeX", r"^<path>:<line>(?::<column>)?: ", Error),
];

/// The forms without a path, for runs that name no file of the input, and an input of one file.
#[rustfmt::skip]
pub(super) const WITHOUT_PATH: &[Row] = &[
    row("z3, python json, jq, expat", r"\bline <line>,? column <column>", Error),
    row("sqlite3", r"^[A-Z][A-Za-z ]* near line <line>:", Error),
    row("LaTeX", r"^l\.<line> ", Error),
    row("node", r"\bat position <offset>\b", Error),
    row("readers of data", r"\b(?:at|near) (?:byte |character )?offset <offset>\b", Error),
    row("readers of data", r"\b(?:at|on|near) line <line>\b", Error),
];

/// Compiles a form. A test compiles all of them.
pub(super) fn compiled(row: &Row) -> Option<Regex> {
    let pattern = (row.pattern)
        .replace("<file>", r#"(?P<file>(?:[A-Za-z]:)?[^\s:"'()]+)"#)
        .replace(
            "<path>",
            r#"(?P<file>[^\s:"(][^:\n"(]*|[A-Za-z]:[^:\n"(]+)"#,
        )
        .replace("<line>", r"(?P<line>\d{1,9})")
        .replace("<name>", r"\b(?P<name>[A-Za-z_]\w*)")
        .replace("<column>", r"(?P<column>\d{1,9})")
        .replace("<offset>", r"(?P<offset>\d{1,10})");
    let mut builder = RegexBuilder::new(&pattern);
    builder.multi_line(true).unicode(false).build().ok()
}
