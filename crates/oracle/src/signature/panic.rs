use super::report::{Report, base};
use super::{FailureKind, Signature, calls, goroutine, recursion, run_time};

/// Finds a Rust, Go, or Zig panic.
pub(super) fn find(report: &Report) -> Option<Signature> {
    signature(FailureKind::Panic, report)
}

/// Finds the panic behind a message in which a program reports its own bug.
pub(super) fn of_bug(report: &Report) -> Option<Signature> {
    signature(FailureKind::InternalError, report)
}

fn signature(kind: FailureKind, report: &Report) -> Option<Signature> {
    if let Some(panicked) = rust(report) {
        let frames = match panicked.is_shared {
            true => backtrace(report),
            false => Vec::new(),
        };
        return Some(Signature::new(kind, panicked.what, frames));
    }
    let (what, frames) = go(report).or_else(|| zig(report))?;
    if what == "Go: stack overflow" {
        let functions: Vec<String> = frames
            .iter()
            .map(|frame| calls::without_line(frame))
            .collect();
        return Some(recursion::signature(kind, what, &functions));
    }
    Some(Signature::new(kind, what, frames))
}

/// A Rust panic.
pub(super) struct RustPanic {
    pub(super) what: String,
    /// Whether many failures of a program panic at this location.
    pub(super) is_shared: bool,
}

/// Finds `panicked at file:line: message`. Panics at the same line with different messages are
/// different failures. The quoted parts of a message are left out.
pub(super) fn rust(report: &Report) -> Option<RustPanic> {
    report.lines.iter().enumerate().find_map(|(at, line)| {
        if !line.trim_start().starts_with("thread '") {
            return None;
        }
        if line.ends_with("has overflowed its stack") {
            let what = "stack overflow".to_owned();
            return Some(RustPanic {
                what,
                is_shared: false,
            });
        }
        let (_, rest) = line.split_once(" panicked at ")?;
        let (message, place) = match rest.strip_prefix('\'') {
            // Before Rust 1.73, message and location were on one line.
            Some(rest) => rest.rsplit_once("', ")?,
            None => {
                let next = report.lines.get(at + 1).map_or("", String::as_str);
                (next, rest.trim_end_matches(':'))
            }
        };
        let mut parts = place.rsplitn(3, ':');
        let (_column, number, file) = (parts.next()?, parts.next()?, parts.next()?);
        let message = report.stable(message);
        Some(RustPanic {
            what: format!("panicked{}: {message}", report.at(file, number)),
            is_shared: is_shared(file),
        })
    })
}

/// Returns whether a file is one where many failures panic: the standard library, for its callers,
/// and the files of rustc that report all bugs.
pub(super) fn is_shared(file: &str) -> bool {
    file.contains("/library/")
        || file.starts_with("library/")
        || [
            "util/bug.rs",
            "rustc_errors/src/lib.rs",
            "rustc_errors/src/diagnostic.rs",
        ]
        .iter()
        .any(|end| file.ends_with(end))
}

/// Returns the functions below `stack backtrace:`, without panicking functions and functions of the
/// standard library.
pub(super) fn backtrace(report: &Report) -> Vec<String> {
    let lines = &report.lines;
    let Some(at) = lines.iter().position(|line| line == "stack backtrace:") else {
        return Vec::new();
    };
    let below = &lines[at + 1..];
    let places = below
        .iter()
        .skip(1)
        .map(|line| line.trim_start().strip_prefix("at "));
    let numbered = below
        .iter()
        .zip(places.chain([None]))
        .filter_map(|(line, place)| {
            let (number, name) = line.trim_start().split_once(": ")?;
            number.parse::<u32>().ok()?;
            let name = match name.split_once(" - ") {
                Some((address, name)) if address.starts_with("0x") => name,
                _ => name,
            };
            let file = place.and_then(|place| place.split(':').next());
            let hash = name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16);
            let name = hash.map_or(name, |(name, _)| name);
            let is_own = !run_time::is_function(name)
                && !run_time::is_library(name)
                && !file.is_some_and(|file| report.is_input(file) || file.contains("/library/"));
            Some(is_own.then(|| name.to_owned()))
        });
    numbered.flatten().collect()
}

/// Finds `panic: …` or `fatal error: …`, and below it `goroutine 1 [running]:` and the calls.
fn go(report: &Report) -> Option<(String, Vec<String>)> {
    let at = report
        .lines
        .iter()
        .position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let rest = &report.lines[at + 1..];
    let stack = rest
        .iter()
        .position(|line| line.starts_with("goroutine "))?;
    let message = report.lines[at]
        .split(" [recovered]")
        .next()
        .unwrap_or_default();
    let message = message
        .split_once(": ")
        .map_or(message, |(_, message)| message);
    Some((
        format!("Go: {}", report.stable(message)),
        goroutine::functions(&rest[stack + 1..], report),
    ))
}

/// Finds `thread 123 panic: message`, and below it `file.zig:1:2: 0x… in function (module)`.
fn zig(report: &Report) -> Option<(String, Vec<String>)> {
    let (at, message) = report.lines.iter().enumerate().find_map(|(at, line)| {
        let (number, message) = line.strip_prefix("thread ")?.split_once(" panic: ")?;
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some((at, message))
    })?;
    let frames = report.lines[at + 1..].iter().filter_map(|line| {
        let (place, rest) = line.split_once(": 0x")?;
        let file = place.split(':').next()?;
        let (_, function) = rest.split_once(" in ")?;
        let function = function.split(" (").next()?;
        (!report.is_input(file)).then(|| format!("{function} ({})", base(file)))
    });
    Some((format!("Zig: {}", report.stable(message)), frames.collect()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn a_rust_panic_is_its_place_and_the_stable_part_of_its_message() {
        let expected = "panic: panicked at lex.rs:12: index out of bounds: the len is N but the \
                        index is N";
        for text in [
            "thread 'main' panicked at src/lex.rs:12:5:\n\
             index out of bounds: the len is 3 but the index is 7\nnote: run with",
            "\nthread 'worker 3' (7283) panicked at /home/u/p/src/lex.rs:12:9:\n\
             index out of bounds: the len is 1 but the index is 4\nstack backtrace:\n",
            "thread 'main' panicked at 'index out of bounds: the len is 1 but the index is 4', \
             src/lex.rs:12:5",
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        let own =
            "thread 'main' panicked at t.rs:1:76:\ncalled `Option::unwrap()` on a `None` value\n";
        assert_eq!(shown(own), "panic: panicked: called `…` on a `…` value");
        let deep =
            "\nthread 'main' (81) has overflowed its stack\nfatal runtime error: stack overflow\n";
        assert_eq!(shown(deep), "panic: stack overflow");
    }

    #[test]
    fn unreachable_code_of_a_program_is_a_panic_with_its_place() {
        let text = |line: u32| {
            format!(
                "thread 'main' panicked at src/a.rs:{line}:5:\n\
                 internal error: entered unreachable code\n"
            )
        };
        assert_eq!(
            shown(&text(10)),
            "panic: panicked at a.rs:10: internal error: entered unreachable code"
        );
        assert_ne!(shown(&text(10)), shown(&text(99)));
    }

    #[test]
    fn a_go_panic_is_its_message_and_the_calls() {
        let text = "panic: runtime error: index out of range [5] with length 3 [recovered]\n\n\
                    goroutine 1 [running]:\npanic({0x45, 0x46})\n\t/usr/go/src/runtime/panic.go:884 +0x212\n\
                    example.com/lex.(*Lexer).next(0xc000)\n\t/src/lex.go:12 +0x1d\n\
                    main.main()\n\t/src/main.go:5 +0x2e\nexit status 2\n";
        let expected = "panic: Go: runtime error: index out of range [N] with length N in \
                        example.com/lex.(*Lexer).next (lex.go:12) < main.main (main.go)";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn a_zig_panic_is_its_message_and_the_calls() {
        let text = "thread 4711 panic: reached unreachable code\n\
                    /src/lex.zig:12:5: 0x1041 in next (zigprog)\n    unreachable;\n    ^\n";
        assert_eq!(
            shown(text),
            "panic: Zig: reached unreachable code in next (lex.zig)"
        );
    }
}
