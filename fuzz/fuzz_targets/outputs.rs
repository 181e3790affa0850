//! Outputs of programs: positions lie in the files, a failure signature matches itself, and colors
//! change no position.
//!
//! An input is the output of a test on the files `t.c` and `lib/u.h`, and a run that ends by a
//! signal or an exit code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_oracle::{CommandOracle, Exit, Message, Options, Run, Signature, TestCommand};
use nubbin_verdict::{Candidate, File};
use std::path::Path;
use std::sync::LazyLock;

const TEXT: &[u8] = b"#include \"lib/u.h\"\nint main(void) {\n\treturn f(1) + g(\"\xc3\xa4\");\n}\n";
const OTHER: &[u8] = b"# 7 \"t.c\"\nint f(int);\r\nint g(char *);";

static ORACLE: LazyLock<CommandOracle> = LazyLock::new(|| {
    let command = TestCommand::shell("cc {}").expect("a shell runs it");
    let names = ["t.c", "lib/u.h"].map(Into::into).to_vec();
    CommandOracle::new(Options::new(command, names)).expect("a folder can be made")
});

fuzz_target!(|data: &[u8]| {
    let files = [
        File { name: Path::new("t.c"), bytes: TEXT },
        File { name: Path::new("lib/u.h"), bytes: OTHER },
    ];
    let mut run = Run::cancelled();
    run.cut_short = None;
    run.exit = match data.first() {
        Some(byte) if byte % 2 == 0 => Exit::Signal(6),
        _ => Exit::Code(1),
    };
    run.inputs = files.iter().map(|file| file.name.to_owned()).collect();
    run.stderr = Some(data.to_vec());
    run.stdout = Some(vec![]);
    let found = ORACLE.positions(&run, &Candidate::new(&files));
    for position in &found {
        let bytes = files[position.file].bytes;
        assert!(position.range.start <= position.range.end && position.range.end <= bytes.len());
    }
    if let Some(signature) = Signature::of(&run) {
        assert!(signature.matches(&signature), "{signature:?}");
        assert!(signature.may_match(&signature), "{signature:?}");
    }
    Message::of(&run);
});
