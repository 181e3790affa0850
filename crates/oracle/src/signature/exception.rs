use super::calls::{Frame, Owner, called_at, number_in, told};
use super::report::{Report, base};
use super::{FailureKind, Signature, calls, names, recursion};
use regex::Regex;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Finds an uncaught exception: its type, its message without values, and the functions of the
/// program, the innermost with its line. A program raises exceptions of one type in many lines, and
/// a library raises them with many messages in one line.
pub(super) fn find(report: &Report) -> Option<Signature> {
    signature(FailureKind::Exception, report)
}

/// Finds the exception behind a message in which a program reports its own bug.
pub(super) fn of_bug(report: &Report) -> Option<Signature> {
    signature(FailureKind::InternalError, report)
}

fn signature(kind: FailureKind, report: &Report) -> Option<Signature> {
    let (what, frames) = found(report)?;
    let said = message(report, &what);
    let stable = said.map(|said| match frames.is_empty() {
        // Only the message identifies the failure.
        true => names::stable_with_names(report, said),
        false => report.stable(said),
    });
    // Without its values, a message such as `KeyError: 'x'` has no content.
    let said = stable.filter(|said| said.contains(char::is_alphanumeric));
    if is_overflow(&what, said.as_deref()) {
        // The message reports where memory ran out.
        let functions: Vec<String> = frames
            .iter()
            .map(|frame| calls::without_line(frame))
            .collect();
        return Some(recursion::signature(kind, what, &functions));
    }
    let what = said.map_or(what.clone(), |said| format!("{what}: {said}"));
    Some(Signature::new(kind, what, frames))
}

/// Returns whether an exception reports an exhausted stack.
fn is_overflow(what: &str, said: Option<&str>) -> bool {
    const NAMES: [&str; 6] = [
        "RecursionError",
        "StackOverflowError",
        "SystemStackError",
        "Stack_overflow",
        "StackOverflowException",
        "StackOverflow",
    ];
    const SAID: [&str; 3] = [
        "Maximum call stack size",
        "too much recursion",
        "stack level too deep",
    ];
    let name = what.rsplit([' ', '.']).next().unwrap_or(what);
    NAMES.contains(&name) || said.is_some_and(|said| SAID.iter().any(|it| said.contains(it)))
}

/// Returns the message after the type of an exception.
fn message<'a>(report: &'a Report, what: &str) -> Option<&'a str> {
    let name = what.rsplit(' ').next()?;
    report.lines.iter().rev().find_map(|line| {
        let (_, said) = line.split_once(name)?;
        said.strip_prefix(": ")
    })
}

/// Returns the line with the type and the message of an uncaught exception.
pub(super) fn line(report: &Report) -> Option<&str> {
    let (what, _) = found(report)?;
    let name = what.rsplit(' ').next()?;
    let lines = report.lines.iter().rev();
    let mut lines = lines.map(String::as_str);
    lines.find(|line| {
        let after = line.split_once(name).map(|(_, after)| after);
        after.is_some_and(|after| after.starts_with(": "))
    })
}

fn found(report: &Report) -> Found {
    [
        python, java, cpp, javascript, dotnet, php, ruby, ocaml, haskell,
    ]
    .iter()
    .find_map(|find| find(report))
}

type Found = Option<(String, Vec<String>)>;

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
        let is_library =
            file.starts_with('<') || file.contains("/lib/python3") && !file.contains("-packages/");
        frames.push(Frame {
            function: function.to_owned(),
            file: base(file).to_owned(),
            line: number_in(place.trim_start_matches(", line ")),
            owner: match file.starts_with("<frozen ") {
                true => Owner::Interpreter,
                false => Owner::of(report.is_input(file), is_library),
            },
        });
    }
    None
}

/// Finds `Exception in thread "main" package.Type: message`, or such an exception that a program
/// prints itself (`error: package.Type: message`), and below it
/// `\tat package.Class.method(File.java:1)`.
fn java(report: &Report) -> Found {
    static PRINTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let shape = r"^(?:[Ee]rror: |[Ee]xception: |fatal error: )?(?<thrown>(?:[a-z]\w*\.)+[A-Z][\w$]*(?:: .*)?)$";
        Regex::new(shape).ok()
    });
    let uncaught = |(at, line): (usize, &String)| {
        let (_, rest) = line.split_once("Exception in thread \"")?;
        Some((at, rest.split_once("\" ")?.1.to_owned()))
    };
    let printed = |(at, line): (usize, &String)| {
        let thrown = PRINTED.as_ref()?.captures(line)?["thrown"].to_owned();
        let mut below = report.lines[at + 1..].iter().take(20);
        let is_call = |line: &String| line.starts_with("\tat ") && line.ends_with(')');
        below.any(is_call).then_some((at, thrown))
    };
    let lines = || report.lines.iter().enumerate();
    let (at, thrown) = lines()
        .find_map(uncaught)
        .or_else(|| lines().find_map(printed))?;
    let thrown = thrown.as_str();
    let rest = &report.lines[at + 1..];
    // The innermost cause is the failure. The other exceptions only wrap it.
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

/// Finds `terminate called after throwing an instance of 'X'`, and below it `  what():  message`,
/// and similar messages.
fn cpp(report: &Report) -> Found {
    report.lines.iter().enumerate().find_map(|(at, line)| {
        if let Some((_, rest)) = line.split_once("terminate called after throwing an instance of '")
        {
            let said = report.lines.get(at + 1);
            let said = said.and_then(|line| line.trim_start().strip_prefix("what(): "));
            let said = said.map_or(String::new(), |said| format!(": {}", report.stable(said)));
            let name = rest.trim_end_matches('\'');
            return Some((format!("C++ {name}{said}"), Vec::new()));
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
            r"^(?:error: )?(?:Uncaught )?(?:\(in promise\) )?(?<name>(?:[A-Z][\w$.]*)?(?:Error|Exception))(?: \[\w+\])?(?::|$)",
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
/// `   at Class.Method(args) in file:line 1`, or `Stack overflow.`.
fn dotnet(report: &Report) -> Found {
    let lines = report.lines.iter().enumerate();
    let (at, rest) = lines.clone().find_map(|(at, line)| {
        let rest = line.strip_prefix("Unhandled exception. ");
        let is_overflow =
            line == "Stack overflow." || line.contains("due to StackOverflowException");
        Some((at, rest.or(is_overflow.then_some("StackOverflow"))?))
    })?;
    let name = rest.split(':').next().unwrap_or(rest);
    let below = &report.lines[at + 1..];
    let mut frames = called_at(below, report);
    if name == "StackOverflow" {
        // `Repeat 24014 times:` is printed before a cycle, which appears once between two rules.
        let is_rule = |line: &String| line.starts_with("----");
        let cycle = below.split(is_rule).nth(1).unwrap_or_default();
        frames = called_at(cycle, report);
        frames.extend(frames.clone());
    }
    Some((format!(".NET {name}"), frames))
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
        let shape = r"(?<file>\S+\.rb):(?<line>\d+):in [`'](?<function>[^']*)': (?<said>.*) \((?<name>[A-Z][\w:]*)\)$";
        Regex::new(shape).ok()
    });
    let thrown = THROWN.as_ref()?;
    report.lines.iter().find_map(|line| {
        let found = thrown.captures(line)?;
        let (file, function) = (&found["file"], &found["function"]);
        let frame = (!report.is_input(file))
            .then(|| format!("{function} ({}:{})", base(file), &found["line"]));
        let mut frames: Vec<String> = frame.into_iter().collect();
        if &found["name"] == "SystemStackError" {
            frames.extend(called_from_ruby(report));
        }
        let mut what = format!("Ruby {}", &found["name"]);
        if frames.is_empty() {
            let said = names::stable_with_names(report, &found["said"]);
            let _ = write!(what, ": {said}");
        }
        Some((what, frames))
    })
}

/// Returns the functions of the lines ``\tfrom file.rb:3:in `f'``.
fn called_from_ruby(report: &Report) -> impl Iterator<Item = String> {
    report.lines.iter().filter_map(|line| {
        let (place, function) = line
            .trim_start()
            .strip_prefix("from ")?
            .split_once(":in ")?;
        let (file, _) = place.rsplit_once(':')?;
        let function = function.trim_matches(['`', '\'']);
        (!report.is_input(file)).then(|| format!("{function} ({})", base(file)))
    })
}

/// Finds `Fatal error: exception Stdlib.Failure("message")`, and below it the lines of a backtrace.
/// Of a failed assertion or match, the place tells it from others.
fn ocaml(report: &Report) -> Found {
    let (at, rest) = report
        .lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, line.split_once("Fatal error: exception ")?.1)))?;
    let name = rest.split(['(', ':', ' ']).next().unwrap_or(rest);
    let mut what = format!("OCaml {name}");
    if ["Assert_failure", "Match_failure"].contains(&name) {
        let arguments = rest.split_once('(').map_or("", |(_, arguments)| arguments);
        let mut arguments = arguments.split(['"', ',']).map(str::trim);
        let place = arguments
            .find(|it| it.contains('.'))
            .zip(arguments.find(|it| !it.is_empty()));
        what += &place.map_or(String::new(), |(file, line)| report.at(file, line));
    }
    let frames = report.lines[at + 1..].iter().map_while(|line| {
        let (called, place) = line
            .split_once(" in file \"")
            .or_else(|| line.split_once("file \""))?;
        let is_frame = ["Raised", "Re-raised", "Called from"];
        is_frame
            .iter()
            .any(|begin| called.starts_with(begin))
            .then_some((called, place))
    });
    let frames = frames.filter_map(|(called, place)| {
        let (file, rest) = place.split_once('"')?;
        let function = called
            .rsplit_once("at ")
            .or_else(|| called.rsplit_once("from "))?
            .1;
        Some(Frame {
            function: function.trim().to_owned(),
            file: base(file).to_owned(),
            line: rest
                .split_once("line ")
                .and_then(|(_, rest)| number_in(rest)),
            owner: Owner::of(report.is_input(file), function.starts_with("Stdlib")),
        })
    });
    Some((what, told(frames.collect())))
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
    fn frames_of_the_interpreter_are_left_out() {
        // The loader calls the input, and is called by it.
        let node = "/x/t.py:6\n  f(o.timeout)\n      ^\n\n\
                    TypeError: Cannot read properties of undefined (reading 'timeout')\n\
                    \x20   at Server.start (/x/t.py:6:29)\n    at Array.map (<anonymous>)\n\
                    \x20   at Object.<anonymous> (file:///x/t.c:5:3)\n\
                    \x20   at Module._compile (node:internal/modules/cjs/loader:1521:14)\n\
                    \x20   at node:internal/main/run_main_module:28:49\n\nNode.js v20.20.2\n";
        assert_eq!(
            shown(node),
            "exception: JavaScript TypeError: Cannot read properties of undefined (reading 'timeout')"
        );
        // The library that the input calls is not the interpreter.
        let library = "SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n\
                       \x20   at f (/x/t.py:1:2)\n    at Array.map (<anonymous>)\n\
                       \x20   at Module._compile (node:internal/modules/cjs/loader:1521:14)\n";
        assert_eq!(
            shown(library),
            "exception: JavaScript SyntaxError: Unexpected end of JSON input in JSON.parse"
        );
        let python = "Traceback (most recent call last):\n\
                      \x20 File \"<frozen runpy>\", line 198, in _run_module_as_main\n\
                      \x20 File \"/x/t.py\", line 2, in <module>\n    import_module('x')\n\
                      \x20 File \"/usr/lib/python3.11/importlib/__init__.py\", line 126, in import_module\n\
                      \x20 File \"<frozen importlib._bootstrap>\", line 1204, in _gcd_import\n\
                      ModuleNotFoundError: No module named 'x'\n";
        assert_eq!(
            shown(python),
            "exception: Python ModuleNotFoundError: No module named '…' in import_module \
             (__init__.py:126)"
        );
        let ruby = "t.rb:3:in `next': undefined method `size' for nil:NilClass (NoMethodError)\n\
                    \tfrom <internal:kernel>:187:in `loop'\n";
        assert_eq!(
            shown(ruby),
            "exception: Ruby NoMethodError: undefined method 'size' for nil:NilClass"
        );
        let java = "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\
                    \tat T.main(t.c:3)\n\
                    \tat java.base/java.lang.reflect.Method.invoke(Method.java:580)\n\
                    \tat jdk.compiler/com.sun.tools.javac.launcher.Main.execute(Main.java:484)\n";
        assert_eq!(
            shown(java),
            "exception: Java java.lang.ArithmeticException: / by zero"
        );
        let go = "panic: bad\n\ngoroutine 1 [running]:\nmain.f()\n\t/x/t.c:5 +0x1\n\
                  runtime.main()\n\t/go/src/runtime/proc.go:271 +0x1\n";
        assert!(!shown(go).contains("runtime"), "{}", shown(go));
        let deno = "error: Uncaught (in promise) TypeError: x is not iterable\n\
                    \x20   at file:///x/t.py:1:7\n\
                    \x20   at Object.runMicrotasks (ext:core/01_core.js:642:26)\n";
        assert_eq!(
            shown(deno),
            "exception: JavaScript TypeError: x is not iterable"
        );
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
                "exception: C++ std::runtime_error: b",
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
