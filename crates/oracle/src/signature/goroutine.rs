//! Go stacks.

use super::calls::{Frame, Owner, number_in, told};
use super::report::{Report, base};

/// Returns the functions below `goroutine 1 [running]:`, each with its location on the next line.
///
/// Functions that are called while a panic is handled are before it on the stack, and are the
/// same for all panics of a program that catches them.
pub(super) fn functions(lines: &[String], report: &Report) -> Vec<String> {
    let stack = lines.iter().take_while(|line| !line.is_empty());
    let stack: Vec<&String> = stack.collect();
    let is_panic = |line: &&String| {
        ["panic(", "runtime.gopanic(", "runtime.sigpanic("]
            .iter()
            .any(|call| line.starts_with(call))
    };
    let from = stack.iter().rposition(is_panic).map_or(0, |at| at + 1);
    let frames = stack[from..]
        .windows(2)
        .filter(|pair| pair[1].starts_with('\t') && !pair[0].starts_with('\t'))
        .filter_map(|pair| {
            let (file, line) = pair[1].trim_start().rsplit_once(':')?;
            let name = name_of(pair[0]);
            let is_library = ["runtime.", "runtime/", "panic", "testing.", "log.", "sync."]
                .iter()
                .any(|library| name.starts_with(library));
            Some(Frame {
                function: name.to_owned(),
                file: base(file).to_owned(),
                line: number_in(line),
                owner: Owner::of(report.is_input(file), is_library),
            })
        });
    told(frames.collect())
}

/// Returns the name in `main.(*T).f(0xc000, …)` or `created by main.f in goroutine 5`. The number
/// of a goroutine is another one in each run.
fn name_of(call: &str) -> &str {
    if let Some(name) = call.strip_prefix("created by ") {
        return name.split(" in goroutine ").next().unwrap_or(name);
    }
    call.rsplit_once('(').map_or(call, |(name, _)| name)
}
