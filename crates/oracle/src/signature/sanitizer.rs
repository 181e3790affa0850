use super::report::Report;
use super::{FailureKind, Signature, frames};

/// Finds a report of a sanitizer of Clang or GCC, of libFuzzer, or of Go's race detector.
///
/// By default, a program continues after undefined behavior. So the report of an invalid access,
/// which aborts the program, says more than earlier reports.
pub(super) fn find(report: &Report) -> Option<Signature> {
    let what = |line: &str| heading(line, report).or_else(|| undefined_behavior(line, report));
    let mut lines = report.lines.iter().enumerate();
    let mut found = lines.find_map(|(at, line)| Some((at, what(line)?)))?;
    if report.lines[found.0].contains(RUNTIME_ERROR) {
        let mut fatal = lines.filter(|(_, line)| ends_program(line));
        let fatal = fatal.find_map(|(at, line)| Some((at, heading(line, report)?)));
        found = fatal.unwrap_or(found);
    }
    let (at, what) = found;
    // The location of undefined behavior is on its own line, and the next lines may belong to
    // another report.
    let stack = match report.lines[at].contains(RUNTIME_ERROR) {
        true => Vec::new(),
        false => frames::functions(&report.lines[at + 1..], report),
    };
    Some(Signature::new(FailureKind::Sanitizer, what, stack))
}

/// Returns whether a line begins a report of an access after which no program continues.
fn ends_program(line: &str) -> bool {
    let tools = [
        "ERROR: AddressSanitizer: ",
        "ERROR: HWAddressSanitizer: ",
        "WARNING: MemorySanitizer: ",
    ];
    tools.iter().any(|tool| line.contains(tool))
}

const RUNTIME_ERROR: &str = ": runtime error: ";

/// Reads a line such as `==1==ERROR: AddressSanitizer: heap-use-after-free on address …`.
fn heading(line: &str, report: &Report) -> Option<String> {
    if line.trim() == "WARNING: DATA RACE" {
        return Some("Go race detector: data race".into());
    }
    let rest = ["ERROR: ", "WARNING: "]
        .iter()
        .find_map(|mark| Some(line.split_once(mark)?.1))?;
    let (tool, rest) = rest.split_once(": ")?;
    if !(tool.ends_with("Sanitizer") || tool == "libFuzzer") || tool.contains(' ') {
        return None;
    }
    let end = [" on ", " (", ": ", " 0x"]
        .iter()
        .filter_map(|end| rest.find(end))
        .min();
    let kind = &rest[..end.unwrap_or(rest.len())];
    Some(format!("{tool}: {}", report.stable(kind)))
}

/// Reads a line such as `a.c:3:4: runtime error: signed integer overflow: 1 + 2 cannot …`.
fn undefined_behavior(line: &str, report: &Report) -> Option<String> {
    let (place, message) = line.split_once(RUNTIME_ERROR)?;
    // The text after a second colon contains operands, which are values of the input.
    let kind = message.split(": ").next().unwrap_or(message);
    let mut parts = place.splitn(3, ':');
    let (file, number) = (parts.next()?, parts.next()?);
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kind = report.stable(kind);
    Some(format!(
        "UndefinedBehaviorSanitizer: {kind}{}",
        report.at(file, number)
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn a_memory_error_is_its_kind_and_the_functions_of_the_first_stack() {
        let text = "\
=================================================================
==7176==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000038 at pc 0x55db48c9b1b0 bp 0x7ffea3a0bda0 sp 0x7ffea3a0bd98
READ of size 4 at 0x602000000038 thread T0
    #0 0x7f079dab89cf in __interceptor_memcpy ../../../../src/libsanitizer/asan/x.cpp:69
    #1 0x55db48c9b1af in lex_name /src/lexer.c:212
    #2 0x55db48c9b1da in parse /src/parser.c:31
    #3 0x55db48c9b1da in parse /src/parser.c:77
    #4 0x7f079d845249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

0x602000000038 is located 24 bytes to the right of 16-byte region [0x602000000010,0x602000000020)
allocated by thread T0 here:
    #0 0x7f079dab89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x55db48c9b1ca in other /src/other.c:3
SUMMARY: AddressSanitizer: heap-buffer-overflow /src/lexer.c:212 in lex_name
";
        let expected = "sanitizer: AddressSanitizer: heap-buffer-overflow in lex_name < parse";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn reports_of_all_sanitizers_are_recognized() {
        for (text, expected) in [
            (
                "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1)\n\
                 ==1==The signal is caused by a READ memory access.\n    #0 0x1 in f a.c:2\n",
                "sanitizer: AddressSanitizer: SEGV in f",
            ),
            (
                "==1==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:\n\
                 \x20   #0 0x7f in __interceptor_free ../x.cpp:5\n    #1 0x55 in drop_it a.c:3\n",
                "sanitizer: AddressSanitizer: attempting double-free in drop_it",
            ),
            (
                "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x4 in f a.c:6:7\n",
                "sanitizer: MemorySanitizer: use-of-uninitialized-value in f",
            ),
            (
                "WARNING: ThreadSanitizer: data race (pid=26327)\n\
                 \x20 Write of size 4 at 0x7f89554701d0 by thread T1:\n\
                 \x20   #0 Thread1(void*) race.cc:10 (a.out+0x4e4d)\n",
                "sanitizer: ThreadSanitizer: data race in Thread1",
            ),
            (
                "==7329==ERROR: LeakSanitizer: detected memory leaks\n\n\
                 Direct leak of 16 byte(s) in 1 object(s) allocated from:\n\
                 \x20   #0 0x7f in __interceptor_malloc ../x.cpp:75\n    #1 0x5 in load /s/a.c:3\n",
                "sanitizer: LeakSanitizer: detected memory leaks in load",
            ),
            (
                "/src/a.c:12:44: runtime error: signed integer overflow: 2147483647 + 1 cannot be \
                 represented in type 'int'\n",
                "sanitizer: UndefinedBehaviorSanitizer: signed integer overflow at a.c:12",
            ),
            (
                "t.c:1:67: runtime error: index 6 out of bounds for type 'int [3]'\n",
                "sanitizer: UndefinedBehaviorSanitizer: index N out of bounds for type '…'",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_report_that_ends_the_program_comes_before_undefined_behavior() {
        let undefined = "/src/a.c:12:44: runtime error: member access within null pointer of type \
                         'struct a'\n";
        let fatal = "==1==ERROR: AddressSanitizer: FPE on unknown address 0x55 (pc 0x1)\n    \
                     #0 0x1 in f a.c:2\n";
        let expected = "sanitizer: AddressSanitizer: FPE in f";
        assert_eq!(shown(&format!("{undefined}{undefined}{fatal}")), expected);
        let leak = "==1==ERROR: LeakSanitizer: detected memory leaks\n\n    #0 0x1 in g a.c:2\n";
        let expected = "sanitizer: UndefinedBehaviorSanitizer: member access within null pointer \
                        of type '…' at a.c:12";
        assert_eq!(shown(&format!("{undefined}{leak}")), expected);
    }

    #[test]
    fn an_ordinary_warning_is_no_report() {
        assert_eq!(
            shown("WARNING: this is deprecated: x\n"),
            "exit: exit code 1"
        );
    }
}
