use super::report::{Report, base};
use super::{FailureKind, Signature};
use regex::Regex;
use std::sync::LazyLock;

/// Finds an uncaught exception: its type, its message without values, and the functions of the
/// program, the innermost with its line. A program raises exceptions of one type in many lines, and
/// a library raises them with many messages in one line.
pub(super) fn find(report: &Report) -> Option<Signature> {
    [
        python, java, cpp, javascript, dotnet, php, ruby, ocaml, haskell,
    ]
    .iter()
    .find_map(|find| find(report))
    .map(|(what, frames)| {
        let what =
            message(report, &what).map_or(what.clone(), |message| format!("{what}: {message}"));
        Signature::new(FailureKind::Exception, what, frames)
    })
}

/// Returns the message after the type of an exception.
fn message(report: &Report, what: &str) -> Option<String> {
    let name = what.rsplit(' ').next()?;
    let said = report.lines.iter().rev().find_map(|line| {
        let (_, said) = line.split_once(name)?;
        said.strip_prefix(": ")
    })?;
    // Without its values, `KeyError: 'x'` says nothing.
    Some(report.stable(said)).filter(|said| said.contains(char::is_alphanumeric))
}

type Found = Option<(String, Vec<String>)>;

/// A frame of a stack.
struct Frame {
    /// Empty at the top level of a file of JavaScript.
    function: String,
    /// The last name of the file; empty if the stack does not have it.
    file: String,
    line: Option<String>,
    /// Whether it belongs to the library of the language.
    is_library: bool,
}

impl Frame {
    /// Returns `function (file:line)`, without the line if it does not count.
    fn shown(&self, has_line: bool) -> String {
        let place = match self.line.as_ref().filter(|_| has_line) {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        };
        match (&*self.function, &*self.file) {
            ("", _) => place,
            (function, "") => function.to_owned(),
            (function, _) => format!("{function} ({place})"),
        }
    }
}

/// Returns the frames without those of the library, or all if there are no others. The library
/// function that noticed a failure says less about it than its caller. Only the innermost frame has
/// its line: the way to it changes with the input.
fn told(frames: Vec<Frame>) -> Vec<String> {
    let only_library = frames.iter().all(|frame| frame.is_library);
    let told = frames
        .iter()
        .filter(|frame| only_library || !frame.is_library);
    told.enumerate()
        .map(|(depth, frame)| frame.shown(depth == 0))
        .collect()
}

/// Finds `Traceback (most recent call last):`, below it the frames with the outermost first, and
/// then `module.Type: message`.
fn python(report: &Report) -> Found {
    // If there are several ("During handling of the above exception …"), the last was not caught.
    let is_heading = |line: &String| line.trim_start().starts_with("Traceback (most recent call");
    let at = report.lines.iter().rposition(is_heading)?;
    let mut frames = Vec::new();
    for line in &report.lines[at + 1..] {
        if !line.starts_with([' ', '\t']) && !line.is_empty() {
            let name = line.split(':').next().unwrap_or(line);
            frames.reverse();
            return Some((format!("Python {name}"), told(frames)));
        }
        let Some(rest) = line.trim_start().strip_prefix("File \"") else {
            continue;
        };
        let Some((file, rest)) = rest.split_once('"') else {
            continue;
        };
        let (place, function) = rest.rsplit_once(" in ").unwrap_or((rest, "<module>"));
        if !report.is_input(file) {
            frames.push(Frame {
                function: function.to_owned(),
                file: base(file).to_owned(),
                line: number_in(place.trim_start_matches(", line ")),
                is_library: file.starts_with('<')
                    || file.contains("/lib/python3") && !file.contains("-packages/"),
            });
        }
    }
    None
}

/// Finds `Exception in thread "main" package.Type: message`, and below it
/// `\tat package.Class.method(File.java:1)`.
fn java(report: &Report) -> Found {
    let (at, thrown) = report.lines.iter().enumerate().find_map(|(at, line)| {
        let (_, rest) = line.split_once("Exception in thread \"")?;
        Some((at, rest.split_once("\" ")?.1))
    })?;
    let rest = &report.lines[at + 1..];
    // The innermost cause is the failure; the other exceptions only wrap it.
    let cause = rest
        .iter()
        .rposition(|line| line.trim_start().starts_with("Caused by: "));
    let (thrown, rest) = match cause {
        Some(at) => (
            rest[at].trim_start().trim_start_matches("Caused by: "),
            &rest[at + 1..],
        ),
        None => (thrown, rest),
    };
    let name = thrown.split(':').next().unwrap_or(thrown);
    Some((format!("Java {name}"), called_at(rest, report)))
}

/// Returns the functions of `at …` lines, as the JVM, JavaScript engines, and .NET print them.
pub(super) fn called_at(lines: &[String], report: &Report) -> Vec<String> {
    let calls = lines
        .iter()
        .map(|line| line.trim_start().strip_prefix("at "));
    let calls = calls.skip_while(Option::is_none).map_while(|call| call);
    told(calls.filter_map(|call| frame_at(call, report)).collect())
}

/// Reads a frame such as `module/package.Class.method(File.java:1)` or
/// `async f (/path/file.js:1:2)`.
fn frame_at(call: &str, report: &Report) -> Option<Frame> {
    let call = call.strip_prefix("async ").unwrap_or(call);
    let (name, place) = match call.split_once('(') {
        Some((name, place)) => (name.trim(), place.trim_end_matches(')')),
        None => ("", call),
    };
    let file = place.trim_start_matches("file://");
    let file = match file.strip_prefix("node:") {
        Some(inner) => inner.split(':').next()?,
        None => file
            .split(':')
            .find(|part| part.contains('.'))
            .unwrap_or(file),
    };
    if report.is_input(file) {
        return None;
    }
    let is_library = place.starts_with("node:")
        || [
            "java.",
            "javax.",
            "jdk.internal.",
            "sun.",
            "java.base/",
            "System.",
        ]
        .iter()
        .any(|library| name.starts_with(library));
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let line = place.split_once(file).and_then(|(_, rest)| {
        // .NET: `file:line 1`.
        number_in(rest.trim_start_matches(":line ").trim_start_matches(':'))
    });
    let file = base(file);
    // Not `Native Method`, `Unknown Source`, `<anonymous>`, or the arguments of a function of .NET.
    let is_file = file.contains('.') && !file.contains(' ');
    Some(Frame {
        function: name.to_owned(),
        file: if is_file { file } else { "" }.to_owned(),
        line,
        is_library,
    })
}

/// Returns the number at the start of a text.
fn number_in(text: &str) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text[..digits].to_owned())
}

/// Returns the functions below `goroutine 1 [running]:`, each with its place on the next line.
pub(super) fn called_at_go(lines: &[String], report: &Report) -> Vec<String> {
    let stack: Vec<&String> = lines.iter().take_while(|line| !line.is_empty()).collect();
    let frames = stack
        .windows(2)
        .filter(|pair| pair[1].starts_with('\t'))
        .filter_map(|pair| {
            let call = pair[0].strip_prefix("created by ").unwrap_or(pair[0]);
            let (file, line) = pair[1].trim_start().rsplit_once(':')?;
            let name = call.rsplit_once('(').map_or(call, |(name, _)| name);
            let is_library = ["runtime.", "panic", "testing."]
                .iter()
                .any(|library| name.starts_with(library));
            (!report.is_input(file)).then(|| Frame {
                function: name.to_owned(),
                file: base(file).to_owned(),
                line: number_in(line),
                is_library,
            })
        });
    told(frames.collect())
}

/// Finds `terminate called after throwing an instance of 'X'` and similar messages.
fn cpp(report: &Report) -> Found {
    report.lines.iter().find_map(|line| {
        if let Some((_, rest)) = line.split_once("terminate called after throwing an instance of '")
        {
            return Some((format!("C++ {}", rest.trim_end_matches('\'')), Vec::new()));
        }
        if let Some((_, rest)) = line.split_once("terminating due to uncaught exception of type ") {
            let name = rest.split(": ").next().unwrap_or(rest);
            return Some((format!("C++ {name}"), Vec::new()));
        }
        line.contains("terminate called without an active exception")
            .then(|| ("C++ terminate".to_owned(), Vec::new()))
    })
}

/// Finds `TypeError: message` followed by `    at …` lines.
fn javascript(report: &Report) -> Found {
    static THROWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"^(?:Uncaught )?(?<name>(?:[A-Z][\w$.]*)?(?:Error|Exception))(?: \[\w+\])?(?::|$)",
        )
        .ok()
    });
    let thrown = THROWN.as_ref()?;
    report.lines.iter().enumerate().find_map(|(at, line)| {
        let name = thrown.captures(line)?["name"].to_owned();
        // A message may have several lines.
        let rest = &report.lines[at + 1..];
        let stack = rest
            .iter()
            .take(20)
            .position(|line| line.trim_start().starts_with("at "))?;
        Some((
            format!("JavaScript {name}"),
            called_at(&rest[stack..], report),
        ))
    })
}

/// Finds `Unhandled exception. System.Type: message`, and below it
/// `   at Class.Method(args) in file:line 1`.
fn dotnet(report: &Report) -> Found {
    let (at, rest) = report
        .lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, line.strip_prefix("Unhandled exception. ")?)))?;
    let name = rest.split(':').next().unwrap_or(rest);
    Some((
        format!(".NET {name}"),
        called_at(&report.lines[at + 1..], report),
    ))
}

/// Finds `PHP Fatal error:  Uncaught TypeError: message in file:line`.
fn php(report: &Report) -> Found {
    report.lines.iter().find_map(|line| {
        let (_, rest) = line.split_once("Fatal error: ")?;
        let rest = rest.trim_start().strip_prefix("Uncaught ")?;
        let name = rest.split([':', ' ']).next()?;
        let place = rest
            .rsplit_once(" in ")
            .and_then(|(_, place)| place.rsplit_once(':'));
        let at = place.map_or(String::new(), |(file, number)| report.at(file, number));
        Some((format!("PHP {name}{at}"), Vec::new()))
    })
}

/// Finds ``file.rb:3:in `f': message (TypeError)``.
fn ruby(report: &Report) -> Found {
    static THROWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let shape = r"(?<file>\S+\.rb):(?<line>\d+):in [`'](?<function>[^']*)': .*\((?<name>[A-Z][\w:]*)\)$";
        Regex::new(shape).ok()
    });
    let thrown = THROWN.as_ref()?;
    report.lines.iter().find_map(|line| {
        let found = thrown.captures(line)?;
        let (file, function) = (&found["file"], &found["function"]);
        let frame = (!report.is_input(file))
            .then(|| format!("{function} ({}:{})", base(file), &found["line"]));
        Some((
            format!("Ruby {}", &found["name"]),
            frame.into_iter().collect(),
        ))
    })
}

/// Finds `Fatal error: exception Stdlib.Failure("message")`.
fn ocaml(report: &Report) -> Found {
    let (_, rest) = report
        .lines
        .iter()
        .find_map(|line| line.split_once("Fatal error: exception "))?;
    let name = rest.split(['(', ':', ' ']).next().unwrap_or(rest);
    Some((format!("OCaml {name}"), Vec::new()))
}

/// Finds `prog: message`, and below it `CallStack (from HasCallStack):` and
/// `  error, called at file:1:2 in …`.
fn haskell(report: &Report) -> Found {
    let at = report
        .lines
        .iter()
        .position(|line| line.starts_with("CallStack (from HasCallStack)"))?;
    let called = report.lines.get(at + 1)?;
    let (function, place) = called.trim().split_once(", called at ")?;
    let mut place = place.split(':');
    let (file, number) = (place.next()?, place.next()?);
    let message = at
        .checked_sub(1)
        .map_or("", |before| report.lines[before].as_str());
    let message = message
        .split_once(": ")
        .map_or(message, |(_, message)| message);
    let what = format!(
        "Haskell {function}{}: {}",
        report.at(file, number),
        report.stable(message)
    );
    Some((what, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::shown;

    #[test]
    fn a_python_exception_is_its_type_its_message_and_the_functions_of_the_program() {
        let text = "Traceback (most recent call last):\n\
                    \x20 File \"/opt/tool/lint.py\", line 3, in <module>\n    main()\n\
                    \x20 File \"/opt/tool/rules.py\", line 9, in visit_call\n    json.loads(x)\n\
                    \x20         ^^^^^^\n\
                    \x20 File \"/usr/lib/python3.11/json/decoder.py\", line 353, in raw_decode\n\
                    \x20   obj, end = self.scan_once(s, idx)\n\
                    json.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)\n";
        let expected = "exception: Python json.decoder.JSONDecodeError: Expecting value: line N \
                        column N (char N) in visit_call (rules.py:9) < <module> (lint.py)";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn frames_in_the_input_are_left_out() {
        let text = "Traceback (most recent call last):\n  File \"/x/t.py\", line 3, in <module>\n\
                    \x20   f()\n  File \"/x/t.py\", line 2, in f\n    1/0\n\
                    ZeroDivisionError: division by zero\n";
        assert_eq!(
            shown(text),
            "exception: Python ZeroDivisionError: division by zero"
        );
    }

    #[test]
    fn a_java_exception_is_its_innermost_cause_and_the_methods_of_the_program() {
        let text = "Exception in thread \"main\" java.lang.IllegalStateException: bad\n\
                    \tat app.Main.main(Main.java:5)\n\
                    Caused by: java.lang.IndexOutOfBoundsException: Index 3 out of bounds\n\
                    \tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n\
                    \tat app.Lexer.next(Lexer.java:88)\n\tat app.Parser.parse(Parser.java:7)\n\
                    \t... 3 more\n";
        let expected = "exception: Java java.lang.IndexOutOfBoundsException: Index N out of bounds in \
                        app.Lexer.next (Lexer.java:88) < app.Parser.parse (Parser.java)";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn a_javascript_exception_is_its_type_and_the_functions_of_the_program() {
        let text = "/opt/tool/index.js:1\nfunction f(){ null.x } f()\n                   ^\n\n\
                    TypeError: Cannot read properties of null (reading 'x')\n\
                    \x20   at Parser.f (/opt/tool/index.js:1:20)\n\
                    \x20   at Object.<anonymous> (/opt/tool/index.js:1:24)\n\
                    \x20   at Module._compile (node:internal/modules/cjs/loader:1521:14)\n\n\
                    Node.js v20.20.2\n";
        let expected = "exception: JavaScript TypeError: Cannot read properties of null (reading '…') \
                        in Parser.f (index.js:1) < Object.<anonymous> (index.js)";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn a_message_without_its_values_distinguishes_failures_of_a_script() {
        let raised = |message: &str| {
            shown(&format!(
                "Traceback (most recent call last):\n  File \"/x/t.py\", line 3, in <module>\n\
                 \x20   f()\nValueError: {message}\n"
            ))
        };
        assert_eq!(raised("bad value 'a' at 17"), raised("bad value 'b' at 4"));
        assert_ne!(
            raised("bad value 'a' at 17"),
            raised("nargs does not match")
        );
        assert_eq!(
            shown("Traceback (most recent call last):\nValueError\n"),
            "exception: Python ValueError"
        );
    }

    #[test]
    fn one_type_in_two_lines_of_a_program_is_two_failures() {
        let raised = |line: u32, outer: u32, key: &str| {
            shown(&format!(
                "Traceback (most recent call last):\n  File \"/x/app.py\", line {outer}, in <module>\n\
                 \x20   f(x)\n  File \"/x/app.py\", line {line}, in f\n    x[key]\nKeyError: '{key}'\n"
            ))
        };
        assert_eq!(raised(3, 9, "port"), raised(3, 11, "name"));
        assert_ne!(raised(3, 9, "port"), raised(4, 9, "services"));
        assert_eq!(
            raised(3, 9, "port"),
            "exception: Python KeyError in f (app.py:3) < <module> (app.py)"
        );
    }

    #[test]
    fn a_frame_without_a_file_is_its_function() {
        let text = "Unhandled exception. System.FormatException: bad\n\
                    \x20  at App.Lexer.Next(String s, Int32 at)\n   at App.Main(String[] args)\n";
        let expected = "exception: .NET System.FormatException: bad in App.Lexer.Next < App.Main";
        assert_eq!(shown(text), expected);
        let text = "Exception in thread \"main\" a.Bad\n\tat a.B.c(Native Method)\n\
                    \tat a.B.d(Unknown Source)\n";
        assert_eq!(shown(text), "exception: Java a.Bad in a.B.c < a.B.d");
    }

    #[test]
    fn exceptions_of_other_languages_are_recognized() {
        for (text, expected) in [
            (
                "/opt/tool/index.js:1\nthrow new Error('boom')\n^\n\nError: boom\n    at f \
                 (/opt/tool/index.js:1:20)\n",
                "exception: JavaScript Error: boom in f (index.js:1)",
            ),
            (
                "terminate called after throwing an instance of 'std::runtime_error'\n  what():  b\n",
                "exception: C++ std::runtime_error",
            ),
            (
                "libc++abi: terminating due to uncaught exception of type std::bad_alloc: x\n",
                "exception: C++ std::bad_alloc: x",
            ),
            (
                "lib/lex.rb:3:in `next': undefined method `x' for nil:NilClass (NoMethodError)\n",
                "exception: Ruby NoMethodError in next (lex.rb:3)",
            ),
            (
                "Fatal error: exception Stdlib.Failure(\"int_of_string\")\n",
                "exception: OCaml Stdlib.Failure",
            ),
            (
                "prog: Prelude.head: empty list\nCallStack (from HasCallStack):\n  \
                 error, called at src/Lex.hs:12:3 in main:Lex\n",
                "exception: Haskell error at Lex.hs:12: Prelude.head: empty list",
            ),
            (
                "PHP Fatal error:  Uncaught TypeError: bad in /srv/lex.php:12\nStack trace:\n",
                "exception: PHP TypeError at lex.php:12",
            ),
            (
                "Unhandled exception. System.NullReferenceException: Object reference not set\n\
                 \x20  at App.Lexer.Next(String s) in /src/Lexer.cs:line 12\n",
                "exception: .NET System.NullReferenceException: Object reference not set in \
                 App.Lexer.Next (Lexer.cs:12)",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
