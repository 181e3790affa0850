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
const SANDBOX: &str = "the user sets the sandbox: `nubbin mcp --sandbox auto` gives a test the \
    permissions that its first run needs";

/// Returns a message with arguments in the place of the flags with the same effect, and a note on
/// the other flags in it.
pub(super) fn in_arguments(message: &str) -> String {
    let mut text = String::new();
    // The parts between backticks are flags, values, and commands.
    for (at, part) in message.split('`').enumerate() {
        if at > 0 {
            text.push('`');
        }
        match at % 2 {
            0 => text.push_str(part),
            _ => text.push_str(&argument(part)),
        }
    }
    let is_of_sandbox = |word: &str| text.contains(&format!("`{word}"));
    if ["--sandbox", "--writable", "--network"]
        .into_iter()
        .any(is_of_sandbox)
    {
        text.push('\n');
        text.push_str(SANDBOX);
    } else if text.contains("`--") {
        text.push('\n');
        text.push_str(NOTE);
    }
    text
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
        ] {
            assert_eq!(in_arguments(message), expected);
        }
        let text = in_arguments("try `--flaky on`");
        assert!(text.ends_with("not arguments of this tool"), "{text}");
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
