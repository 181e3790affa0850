//! The stacks of native programs, as sanitizers, LLVM, and C libraries print them.

use super::report::{Report, base};
use super::run_time;
use crate::run::Run;
use crate::stack::Stack;
use regex::Regex;
use std::sync::LazyLock;

/// Returns the functions of the first stack in the given lines, innermost first, without functions
/// of a signal handler, of the run-time library, and of the input.
pub(super) fn functions(lines: &[String], report: &Report) -> Vec<String> {
    of_stack(&stack_in(lines), Handler::IfNamed, report)
}

/// Returns the functions of a stack that a signal handler of the program has printed. Its own
/// frames are the innermost, and may have no names.
pub(super) fn functions_behind_handler(lines: &[String], report: &Report) -> Vec<String> {
    of_stack(&stack_in(lines), Handler::Sure, report)
}

/// Returns the functions of the stack at a signal.
pub(super) fn of_crash(stack: &Stack) -> Vec<String> {
    let no_report = Report::of(&Run::refused(0));
    of_stack(&stack_in(stack.frames()), Handler::IfNamed, &no_report)
}

/// Whether the innermost frames of a stack belong to a signal handler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handler {
    /// The innermost frames belong to a signal handler if one of them has the name of such a
    /// function.
    IfNamed,
    Sure,
}

/// A frame of a native stack, as it is printed.
#[derive(Debug, Default)]
struct Frame<'a> {
    /// The name of the function without its arguments; empty without symbols.
    name: String,
    /// The source file.
    file: Option<&'a str>,
    /// The last name of the program or library, with the position in it.
    module: Option<String>,
}

fn stack_in(lines: &[String]) -> Vec<Frame<'_>> {
    let frames = lines.iter().map(|line| frame(line));
    frames
        .skip_while(Option::is_none)
        .map_while(|frame| frame)
        .collect()
}

fn of_stack(stack: &[Frame<'_>], handler: Handler, report: &Report) -> Vec<String> {
    let stack = &stack[behind_handler(stack, handler)..];
    let is_own = |frame: &&Frame<'_>| {
        let is_input = |file| report.is_input(without_line(file));
        !frame.is_of_run_time() && !frame.file.is_some_and(is_input)
    };
    let own = || stack.iter().filter(is_own);
    let is_library = |frame: &Frame<'_>| run_time::is_library(&frame.name);
    // A library function identifies a failure less well than its caller, but better than no
    // function.
    let only_library = own().all(is_library);
    own()
        .filter(|frame| only_library || !is_library(frame))
        .filter_map(Frame::shown)
        .collect()
}

/// The number of innermost frames that are searched for the system's call of a handler.
const HANDLER: usize = 8;

/// Returns the number of frames up to that by which the system calls a signal handler. The function
/// in which the signal arrived is the next one.
fn behind_handler(stack: &[Frame<'_>], handler: Handler) -> usize {
    let mut is_named = handler == Handler::Sure;
    for (at, frame) in stack.iter().enumerate().take(HANDLER) {
        if run_time::is_trampoline(&frame.name) {
            return at + 1;
        }
        if frame.name.is_empty() {
            let module = frame.module.as_deref();
            if at > 0 && is_named && module.is_some_and(run_time::is_c_library) {
                return at + 1;
            }
        } else if run_time::is_signal_handler(&frame.name) {
            is_named = true;
        } else {
            return 0;
        }
    }
    0
}

impl Frame<'_> {
    fn is_of_run_time(&self) -> bool {
        self.module
            .as_deref()
            .is_some_and(run_time::is_library_file)
            || self.file.is_some_and(run_time::is_source_file)
            || run_time::is_function(&self.name)
    }

    /// Returns the function, or without symbols the position in the module, which identifies it.
    fn shown(&self) -> Option<String> {
        match &*self.name {
            "" => self.module.clone(),
            name => Some(name.to_owned()),
        }
    }
}

/// Reads a line of a stack in one of its forms.
fn frame(line: &str) -> Option<Frame<'_>> {
    if let Some(rest) = number_and_rest(line) {
        return Some(numbered(rest));
    }
    // The cheap checks come first, since most lines are not frames.
    if line.contains("+0x") && line.contains("[0x") {
        let found = OF_C_LIBRARY.as_ref()?.captures(line)?;
        return Some(Frame {
            name: without_arguments(&found["name"]),
            file: None,
            module: Some(format!("{}+{}", base(&found["module"]), &found["at"])),
        });
    }
    if !line
        .trim_start()
        .starts_with(|first: char| first.is_ascii_digit())
    {
        return None;
    }
    let found = OF_LOADER.as_ref()?.captures(line)?;
    Some(Frame {
        name: without_arguments(&found["name"]),
        file: None,
        module: found
            .name("module")
            .map(|module| base(module.as_str()).to_owned()),
    })
}

/// The form of `backtrace_symbols`: `/lib/libx.so(name+0x1f)[0x7f…]`. The demangled name of a
/// C++ function has arguments.
static OF_C_LIBRARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let shape = r"^\s*(?<module>[^\s()\[]+)\((?<name>.*?)\+(?<at>0x[0-9a-f]+)\)\s*\[0x[0-9a-f]+\]";
    Regex::new(shape).ok()
});

/// The form of stacks in programs that get names from the loader: `3 libx.so 0x7f… name(arguments)
/// + 31`, or `3 0x7f… name`.
static OF_LOADER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let shape =
        r"^\s*\d+\s+(?:(?<module>[^\s()]+)\s+)?0x[0-9a-f]{4,}\s+(?<name>\S.*?)(?: \+ \d+)?$";
    Regex::new(shape).ok()
});

/// Reads the `rest` of a numbered frame: `0x… in function file:line`, `function (module+0x1)`, or
/// `0x… (module+0x1)`.
fn numbered(rest: &str) -> Frame<'_> {
    let rest = match rest.split_once(' ') {
        Some((address, rest)) if address.starts_with("0x") => rest,
        _ => rest,
    };
    let rest = rest.strip_prefix("in ").unwrap_or(rest).trim();
    let module = module_of(rest);
    if rest.starts_with("(/") {
        return Frame {
            module,
            ..Frame::default()
        };
    }
    let (name, file) = split_file(rest);
    Frame {
        name: without_arguments(name),
        file,
        module,
    }
}

/// Returns `libx.so+0x1` of `name (/lib/libx.so+0x1) (BuildId: …)`.
fn module_of(rest: &str) -> Option<String> {
    let (_, after) = rest.split_once("(/")?;
    let module = after.split([')', ' ']).next()?;
    module.contains("+0x").then(|| base(module).to_owned())
}

/// Splits `name(args) /path/file.c:3:4` or `name file.c:3 (module+0x1)` into name and file.
fn split_file(rest: &str) -> (&str, Option<&str>) {
    let rest = rest.split(" (/").next().unwrap_or(rest);
    let rest = match rest.rsplit_once(" (") {
        Some((head, tail)) if tail.contains("+0x") => head,
        _ => rest,
    };
    if let Some((name, file)) = rest.split_once(" /") {
        return (name, Some(file));
    }
    match rest.rsplit_once(' ') {
        Some((name, file)) if file.contains('.') && !file.contains(')') => (name, Some(file)),
        _ => (rest, None),
    }
}

fn without_line(file: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut file = file;
    while let Some((head, _)) = file.rsplit_once(':').filter(|(_, tail)| is_number(tail)) {
        file = head;
    }
    file
}

/// Returns the name without arguments, which tools print in different ways.
fn without_arguments(name: &str) -> String {
    const UNNAMED: &str = "(anonymous namespace)";
    const CALL: &str = "operator()";
    let mut from = 0;
    while let Some(at) = name[from..].find('(').map(|at| from + at) {
        if name[at..].starts_with(UNNAMED) {
            from = at + UNNAMED.len();
        } else if name[..at].ends_with("operator") && name[at..].starts_with("()") {
            from = at + CALL.len() - "operator".len();
        } else {
            return name[..at].trim().to_owned();
        }
    }
    name.trim().to_owned()
}

/// Returns the rest of `  #12 rest`.
fn number_and_rest(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| rest[digits..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::super::testing::run;
    use super::*;
    use crate::run::Exit;

    #[test]
    fn the_function_is_found_in_every_form_of_a_frame() {
        let report = Report::of(&run(Exit::Code(1), ""));
        for (frame, expected) in [
            ("#0 0x55db in g /tmp/a.c:2", Some("g")),
            ("#0 0x55db in g t.c:2", None),
            (
                "#1 0x1 in ns::Type<int>::f(int, char const*) /src/x.cc:3:4",
                Some("ns::Type<int>::f"),
            ),
            (
                "#1 0x1 in (anonymous namespace)::f(int) x.cc:3",
                Some("(anonymous namespace)::f"),
            ),
            (
                "#1 0x1 in A::operator()(int) const /x.cc:3",
                Some("A::operator()"),
            ),
            (
                "#0 Thread1(void*) simple_race.cc:10 (a.out+0xa360)",
                Some("Thread1"),
            ),
            (
                "#2 0x7f07 (/usr/lib/libx.so.1+0x10a0)",
                Some("libx.so.1+0x10a0"),
            ),
            (
                "#0 0x7f in __interceptor_malloc ../../asan_malloc_linux.cpp:69",
                None,
            ),
            (
                "#5 0x000055 llvm::Foo::bar(llvm::Value*) (/usr/bin/opt+0x1)",
                Some("llvm::Foo::bar"),
            ),
            (
                "#5 0x000055 llvm::Foo::bar(llvm::Value*) Foo.cpp:0:0",
                Some("llvm::Foo::bar"),
            ),
        ] {
            let found = functions(&[frame.to_owned()], &report);
            assert_eq!(found.first().map(String::as_str), expected, "{frame}");
        }
    }
}
