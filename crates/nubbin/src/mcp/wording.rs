//! Messages of the program in terms of the arguments of tools.

/// Flags of the command line, and the arguments that have the same effect.
const ARGUMENTS: [(&str, &str); 12] = [
    ("--exit", "test.exit"),
    ("--signal", "test.signal"),
    ("--stdout", "test.stdout"),
    ("--stderr", "test.stderr"),
    ("--not-stderr", "test.not_stderr"),
    ("--same-failure", "test.same_failure"),
    ("--stdin", "test.stdin"),
    ("--with", "test.with"),
    ("--timeout", "test.timeout"),
    ("--test", "test.script"),
    ("--max-time", "budget.max_time"),
    ("--max-tests", "budget.max_tests"),
];

/// The note on flags that are not arguments.
const NOTE: &str = "words that begin with `--` are flags of the command line, and not arguments of \
    this tool";

/// The note on the sandbox, which only the user may open.
const SANDBOX: &str = "the test ran in a sandbox without access to the network, and could write only \
    in its own folder; if the test needs more, ask the user to start `nubbin mcp --sandbox auto`";

/// Returns a message with arguments in the place of the flags with the same effect, and a note on
/// the other flags in it.
pub(super) fn in_arguments(message: &str) -> String {
    let message = &without_placeholder(message);
    let mut text = String::new();
    let mut is_replaced = false;
    // The parts between backticks are flags, values, and commands.
    for (at, part) in message.split('`').enumerate() {
        // A command line is replaced with its backticks.
        if let Some(arguments) = of_command(part).filter(|_| at % 2 == 1) {
            text.push_str(&arguments);
            is_replaced = true;
            continue;
        }
        if at > 0 && !is_replaced {
            text.push('`');
        }
        is_replaced = false;
        match at % 2 {
            0 => text.push_str(part),
            _ => text.push_str(&argument(part)),
        }
    }
    let is_sandboxed = text.lines().any(is_of_sandbox);
    let mut text = without_advice(&text);
    if is_sandboxed {
        text.push('\n');
        text.push_str(SANDBOX);
    }
    if text.contains("`--") {
        text.push('\n');
        text.push_str(NOTE);
    }
    text
}

/// Returns a message without the command lines that have a placeholder for a file.
fn without_placeholder(message: &str) -> String {
    let lines = message
        .lines()
        .map(|line| match line.split_once(" `nubbin ") {
            Some((kept, line)) if line.contains(" PASSING ") => kept,
            _ => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether a line is about flags of the sandbox.
fn is_of_sandbox(line: &str) -> bool {
    let flags = ["`--sandbox", "`--writable", "`--network"];
    flags.into_iter().any(|flag| line.contains(flag))
}

/// Returns a message without the lines of advice that only a command line can follow. The first
/// line is the message itself.
fn without_advice(text: &str) -> String {
    let mut kept = vec![];
    for (at, line) in text.lines().enumerate() {
        let is_advice = is_of_sandbox(line)
            || line.contains("try '--help'")
            || line.contains("`--") && !line.contains("`test.") && !line.contains("`budget.");
        if line.starts_with("hint: the passing file comes first")
            || line.contains("the files are swapped: ") && line.starts_with("hint:")
        {
            kept.push("hint: exchange the values of `passing` and `failing`".to_owned());
        } else if line.contains("`--root DIR` names the folder of the project") {
            kept.push(
                "hint: give as `folder` the folder of the files that the command reads".into(),
            );
        } else if at == 0 || !is_advice {
            let relative = "paths are relative to the current folder";
            kept.push(line.replace(relative, "relative paths start in `folder`"));
        }
    }
    kept.join("\n")
}

/// Returns the test of a command line of a job as arguments: the line has flags that are no
/// arguments of a tool.
fn of_command(line: &str) -> Option<String> {
    let words = shlex::split(line.strip_prefix("nubbin ")?)?;
    if !words.iter().any(|word| word == "--json") {
        return None;
    }
    let mut found: Vec<String> = Vec::new();
    let mut words = words.iter().take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let (name, value) = word
            .split_once('=')
            .map_or((&**word, None), |(name, value)| (name, Some(value)));
        let argument = ARGUMENTS.iter().find(|(flag, _)| *flag == name);
        let Some((_, argument)) = argument.filter(|(_, name)| name.starts_with("test.")) else {
            continue;
        };
        let next = words.next_if(|word| value.is_none() && !word.starts_with("--"));
        let value = value
            .or(next.map(String::as_str))
            .filter(|_| !is_switch(name));
        found.push(match value {
            Some(value) => format!("`{argument} {value}`"),
            None => format!("`{argument}`"),
        });
    }
    Some(found.join(", "))
}

/// Returns whether a flag has no value.
fn is_switch(flag: &str) -> bool {
    ["--same-failure", "--stdin"].contains(&flag)
}

/// Returns the words of a flag, or several, with the names of arguments.
fn argument(words: &str) -> String {
    let named = |word: &str| {
        let (name, value) = word
            .split_once('=')
            .map_or((word, None), |(name, value)| (name, Some(value)));
        let found = ARGUMENTS.iter().find(|(flag, _)| *flag == name);
        match (found, value) {
            (Some((_, argument)), None) => (*argument).to_owned(),
            (Some((_, argument)), Some(value)) => format!("{argument} {value}"),
            (None, _) => word.to_owned(),
        }
    };
    // A whole command line of the program is for people.
    match words.starts_with("--") {
        true => words.split(' ').map(named).collect::<Vec<_>>().join(" "),
        false => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::arguments::Reduce;
    use rmcp::schemars;

    #[test]
    fn flags_are_replaced_with_arguments() {
        for (message, expected) in [
            ("try `--with lib.h`", "try `test.with lib.h`"),
            ("`--exit=1` or `--stderr`", "`test.exit 1` or `test.stderr`"),
            (
                "run `nubbin reduce x --exit 1`",
                "run `nubbin reduce x --exit 1`",
            ),
            ("a -- b `x", "a -- b `x"),
            (
                "try `nubbin reduce '--sandbox=on' --json /m/in.txt '--json-events=-' --output \
                 /s/in.txt '--max-tests=20' --with r.py '--exit=1' --same-failure -- python3 r.py \
                 '{}'` now",
                "try `test.with r.py`, `test.exit 1`, `test.same_failure` now",
            ),
            (
                "is `a` right? `nubbin isolate '--sandbox=on' --json PASSING b -- c`",
                "is `a` right?",
            ),
        ] {
            assert_eq!(in_arguments(message), expected);
        }
        let text = in_arguments("try `--flaky on`");
        assert!(text.ends_with("not arguments of this tool"), "{text}");
        let text = in_arguments("it fails\n`--flaky on` runs it more often\nthe last line");
        assert_eq!(text, "it fails\nthe last line");
        let text = in_arguments("no file\nhint: paths are relative to the current folder");
        assert_eq!(text, "no file\nhint: relative paths start in `folder`");
        let text =
            in_arguments("swapped\nhint: the passing file comes first: `nubbin isolate a b`");
        assert!(text.ends_with("`passing` and `failing`"), "{text}");
        let text =
            in_arguments("x\nhint: if so, the files are swapped: `nubbin isolate --json b a`");
        assert!(
            text.ends_with("exchange the values of `passing` and `failing`"),
            "{text}"
        );
        let text = in_arguments("permit it with `--writable /x`");
        assert!(text.contains("`nubbin mcp --sandbox auto`"), "{text}");
    }

    #[test]
    fn all_arguments_exist() {
        let schema = schemars::schema_for!(Reduce).to_value();
        for (flag, argument) in ARGUMENTS {
            let (group, name) = argument.split_once('.').unwrap();
            let found = &schema["properties"][group]["properties"][name];
            assert!(found.is_object(), "{flag} {argument}");
        }
    }
}
