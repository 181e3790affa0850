//! The flags that `-h` lists. `--help` lists all flags except flags for farms, which `nubbin help
//! farm` lists.

use clap::Arg;

/// The identifiers of the most used flags of `nubbin reduce`.
pub(super) const REDUCE: [&str; 20] = [
    "output",
    "force",
    "program",
    "jobs",
    "exit",
    "signal",
    "stdout",
    "stderr",
    "same_failure",
    "differs_from",
    "timeout",
    "stdin",
    "with",
    "build",
    "sandbox",
    "max_time",
    "fixed",
    "language",
    "quiet",
    "json",
];

/// The identifiers of the most used flags of `nubbin isolate`.
pub(super) const ISOLATE: [&str; 17] = [
    "output",
    "force",
    "program",
    "jobs",
    "exit",
    "signal",
    "stdout",
    "stderr",
    "same_failure",
    "timeout",
    "stdin",
    "with",
    "sandbox",
    "atom",
    "max_time",
    "quiet",
    "json",
];

/// The flags of `nubbin explain` that are used most.
pub(super) const EXPLAIN: [&str; 18] = [
    "program",
    "jobs",
    "exit",
    "signal",
    "stdout",
    "stderr",
    "same_failure",
    "timeout",
    "stdin",
    "with",
    "sandbox",
    "grammar",
    "language",
    "from",
    "max_time",
    "report",
    "json",
    "quiet",
];

/// The identifiers of the most used flags of `nubbin reduce-all`.
pub(super) const REDUCE_ALL: [&str; 13] = [
    "output",
    "jobs",
    "stdin",
    "exit",
    "identity",
    "hang",
    "timeout",
    "memory",
    "language",
    "max_tests",
    "with",
    "sandbox",
    "quiet",
];

/// Returns a function that hides all flags from `-h` except the given flags and positional
/// arguments.
pub(super) fn only(listed: &'static [&'static str]) -> impl FnMut(Arg) -> Arg {
    move |arg| {
        let is_listed = arg.is_positional() || listed.contains(&arg.get_id().as_str());
        on_farm(arg).hide_short_help(!is_listed)
    }
}

/// Hides the flags for farms, except `--remote`, whose help refers to `nubbin help farm`.
pub(super) fn on_farm(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "remote" => arg.long_help(
            "Run tests on this farm; `nubbin help farm` lists the other flags for farms",
        ),
        id if is_for_farms(id) => arg.hide_short_help(true).hide_long_help(true),
        _ => arg,
    }
}

/// Returns whether a flag has an effect only with `--remote`.
pub fn is_for_farms(id: &str) -> bool {
    id.starts_with("remote_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommandLine;
    use clap::CommandFactory as _;

    #[test]
    fn the_listed_flags_exist() {
        let all = CommandLine::command();
        for (command, listed) in [
            ("reduce", &REDUCE[..]),
            ("isolate", &ISOLATE),
            ("explain", &EXPLAIN),
            ("reduce-all", &REDUCE_ALL),
        ] {
            let command = all.find_subcommand(command).unwrap();
            for id in listed {
                let found = command.get_arguments().find(|arg| arg.get_id() == id);
                assert!(found.is_some(), "{id} of {}", command.get_name());
            }
        }
    }

    #[test]
    fn the_short_help_has_at_most_60_lines() {
        for name in ["reduce", "isolate", "explain", "reduce-all"] {
            for width in [80, 100] {
                let mut all = CommandLine::command().term_width(width);
                all.build();
                let command = all.find_subcommand_mut(name).unwrap();
                let help = command.render_help().to_string();
                let lines = help.lines().count();
                assert!(lines <= 60, "{lines} lines of {width} columns:\n{help}");
            }
        }
    }
}
