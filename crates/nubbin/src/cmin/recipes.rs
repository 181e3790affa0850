//! Command lines that print the coverage of programs that are not instrumented for fuzzers.

use crate::flags::CminFlags;
use crate::repeat;
use std::ffi::OsStr;
use std::path::Path;

/// Returns a hint with a command line for the coverage of a program: by the module `trace` of
/// Python, or by `gcov`.
pub(super) fn hint(flags: &CminFlags, program: &Path) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let words: Vec<String> = (flags.command.iter().skip(1))
        .map(|word| absolute(word))
        .collect();
    let args = words.join(" ");
    match name.starts_with("python") {
        true => {
            let program = quoted(&flags.command[0].to_string_lossy());
            let script = format!("{program} -m trace --trace {args} | grep '[.]py([0-9]*): '");
            format!(
                "for the lines of a Python program, without anything to install: `{}`",
                line(flags, &script)
            )
        }
        false => {
            let folder = program.parent().unwrap_or(Path::new("/"));
            let (folder, program) = (folder.to_string_lossy(), program.to_string_lossy());
            let (folder, program) = (quoted(&folder), quoted(&program));
            let script = format!(
                "GCOV_PREFIX=. GCOV_PREFIX_STRIP=99 {program} {args} >log 2>&1; cp {folder}/*.gcno .; \
                 d=$PWD; cd {folder} && gcov -t $d/*.gcda | \
                 awk -F: '/Source:/{{f=$4}} $1+0>0{{print f,$2}}'"
            );
            format!(
                "for the lines of a C or C++ program that was built with `gcc --coverage` in its \
                 folder: `{}`",
                line(flags, &script)
            )
        }
    }
}

/// Returns the command line with a script that prints the coverage.
fn line(flags: &CminFlags, script: &str) -> String {
    let stdin = if flags.stdin { " --stdin" } else { "" };
    let (folder, output) = (
        flags.folder.to_string_lossy(),
        flags.output.to_string_lossy(),
    );
    format!(
        "nubbin cmin {} -o {}{stdin} --coverage command -- sh -c {}",
        quoted(&folder),
        quoted(&output),
        quoted(script)
    )
}

/// Returns a word of the command for a script: the whole path of a file, since each run is in a
/// folder of its own.
fn absolute(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    if text.contains("{}") || text.contains("@@") {
        return text.replace("@@", "{}");
    }
    match Path::new(word).canonicalize() {
        Ok(path) => quoted(&path.to_string_lossy()),
        Err(_) => quoted(&text),
    }
}

fn quoted(word: &str) -> String {
    repeat::quoted(OsStr::new(word))
}
