//! The stacks of native programs as sanitizers and LLVM print them: `#0 0x… in function file:line`.

use super::report::{Report, base};

/// Returns the functions of the first stack in these lines, without those of the run-time library
/// and those of the input.
pub(super) fn functions(lines: &[String], report: &Report) -> Vec<String> {
    let is_frame = |line: &&String| number_and_rest(line).is_some();
    let stack = lines
        .iter()
        .skip_while(|line| !is_frame(line))
        .take_while(is_frame);
    stack
        .filter_map(|line| function(number_and_rest(line)?, report))
        .collect()
}

/// Returns the function in the `rest` of a frame, unless it belongs to the run-time library or to
/// the input.
fn function(rest: &str, report: &Report) -> Option<String> {
    let rest = match rest.split_once(' ') {
        Some((address, rest)) if address.starts_with("0x") => rest,
        _ => rest,
    };
    let rest = rest.strip_prefix("in ").unwrap_or(rest).trim();
    if let Some(module) = rest.strip_prefix("(/") {
        // Without symbols, the position in the module identifies the function.
        let module = module.split([')', ' ']).next().unwrap_or(module);
        return Some(base(module).to_owned());
    }
    let (name, file) = split_file(rest);
    if file.is_some_and(|file| report.is_input(without_line(file))) {
        return None;
    }
    let name = without_arguments(name);
    (!name.is_empty() && !is_of_run_time(&name)).then_some(name)
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

fn is_of_run_time(name: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "__interceptor_",
        "__asan",
        "__hwasan",
        "__ubsan",
        "__tsan",
        "__msan",
        "__lsan",
        "__sanitizer",
        "__libc_start",
        "__GI_",
        "__assert_fail",
        "__pthread_kill",
        "__restore_rt",
        "__cxa_",
        "__cxxabiv1::",
        "__gnu_cxx::",
        "__rust_",
        "rust_begin_unwind",
        "std::terminate",
        "std::panicking",
        "core::panicking",
        "std::rt::",
        "std::sys",
        "fuzzer::",
        "llvm::sys::PrintStackTrace",
        "llvm::sys::RunSignalHandlers",
        "llvm::sys::CleanupOnSignal",
        "llvm::llvm_unreachable_internal",
        "llvm::report_fatal_error",
        "operator new",
        "operator delete",
        "(anonymous namespace)::CrashRecoverySignalHandler",
        "CrashRecoverySignalHandler",
    ];
    const WHOLE: &[&str] = &[
        "_start",
        "start",
        "start_thread",
        "clone",
        "clone3",
        "raise",
        "gsignal",
        "abort",
        "pthread_kill",
        "malloc",
        "free",
        "calloc",
        "realloc",
        "memcpy",
        "memmove",
        "memset",
        "memcmp",
        "strlen",
        "strcpy",
        "strncpy",
        "strcmp",
        "strdup",
        "crash_signal",
        "???",
        "SignalHandler",
        "PrintStackTraceSignalHandler",
        "backtrace",
        "<null>",
        "??",
        "<unknown>",
    ];
    BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning))
        || WHOLE.contains(&name)
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
