//! Words that people try as commands, and flags that they try, with what nubbin has in their place.

/// The words of one command: the command (empty for the program itself), the words, and the text
/// of the hint, with commands in backticks.
type Row = (&'static str, &'static [&'static str], &'static str);

const CONTINUES: &str = "the same command again continues a run that was stopped";

const ROWS: &[Row] = &[
    (
        "",
        &[
            "minimize",
            "minimise",
            "minify",
            "shrink",
            "min",
            "trim",
            "cut",
            "delta",
            "ddmin",
            "simplify",
            "creduce",
            "cvise",
            "shrinkray",
            "lithium",
        ],
        "`nubbin reduce`",
    ),
    (
        "",
        &["tmin"],
        "`nubbin reduce`, with `--same-failure` for a crash, or `--same-coverage`",
    ),
    (
        "",
        &["test", "check", "verify", "try", "interesting"],
        "`nubbin reduce`, which runs the test on the original first, and says why if it does not \
         fail; `--max-tests 1` ends there",
    ),
    (
        "",
        &["merge"],
        "`nubbin cmin` for a corpus, `nubbin campaign merge`, or `nubbin graph merge`",
    ),
    ("", &["corpus", "minset", "distill"], "`nubbin cmin`"),
    (
        "",
        &["bisect"],
        "`nubbin isolate` for inputs, or `nubbin campaign bisect` for revisions",
    ),
    ("", &["dd", "difference"], "`nubbin isolate`"),
    (
        "",
        &["diff"],
        "`nubbin isolate` for inputs, or `nubbin compare` for runs",
    ),
    (
        "",
        &["all", "batch", "folder", "dedup", "deduplicate", "triage"],
        "`nubbin reduce-all`",
    ),
    (
        "",
        &["list", "ls"],
        "`nubbin passes`, `nubbin algorithms`, or `nubbin campaign issues`",
    ),
    ("", &["status"], "`nubbin campaign status`"),
    (
        "",
        &["results", "crashes", "issues", "bugs"],
        "`nubbin campaign issues`",
    ),
    (
        "",
        &["run", "start"],
        "`nubbin reduce`, `nubbin fuzz`, or `nubbin campaign run`",
    ),
    ("", &["resume", "continue"], CONTINUES),
    (
        "",
        &["stop", "kill"],
        "Ctrl-C stops a run, and keeps the best so far",
    ),
    (
        "",
        &["serve", "ui", "web"],
        "`nubbin campaign serve`, or `nubbin reduce --report FILE`",
    ),
    (
        "",
        &["parse", "convert"],
        "`nubbin grammar parse` and `nubbin grammar convert`",
    ),
    ("", &["languages"], "`nubbin grammar list`"),
    ("", &["engines"], "`nubbin engine list`"),
    ("", &["version"], "`nubbin --version`"),
    (
        "campaign",
        &["list", "ls", "results", "crashes", "bugs", "failures"],
        "`nubbin campaign issues`",
    ),
    (
        "campaign",
        &["info", "stats", "stat", "summary"],
        "`nubbin campaign status`",
    ),
    (
        "campaign",
        &["start", "fuzz", "go"],
        "`nubbin campaign run`",
    ),
    (
        "campaign",
        &["resume", "continue", "restart"],
        "`nubbin campaign run`, which continues a campaign that was stopped",
    ),
    (
        "campaign",
        &["stop", "kill", "pause", "end"],
        "Ctrl-C in the terminal of `nubbin campaign run`, or the button of `nubbin campaign serve`",
    ),
    (
        "campaign",
        &["init", "create", "setup"],
        "`nubbin campaign new`",
    ),
    (
        "campaign",
        &["test", "verify", "doctor"],
        "`nubbin campaign check`",
    ),
    (
        "campaign",
        &["triage", "confirm", "reproduce", "retest"],
        "`nubbin campaign validate`",
    ),
    (
        "campaign",
        &["minimize", "minimise", "shrink", "min", "tmin"],
        "`nubbin campaign reduce`",
    ),
    (
        "campaign",
        &["issue", "view", "cat", "details"],
        "`nubbin campaign show`",
    ),
    ("campaign", &["reopen"], "`nubbin campaign open`"),
    ("campaign", &["remove", "rm"], "`nubbin campaign delete`"),
    (
        "campaign",
        &["add", "seed", "seeds"],
        "`nubbin campaign import`",
    ),
    (
        "campaign",
        &["web", "ui", "page", "dashboard"],
        "`nubbin campaign serve`",
    ),
    (
        "fuzz",
        &["run", "start"],
        "`nubbin fuzz` without this word, or `nubbin campaign run`",
    ),
    (
        "grammar",
        &["validate", "lint", "verify"],
        "`nubbin grammar check`",
    ),
    (
        "grammar",
        &["export", "translate"],
        "`nubbin grammar convert`",
    ),
    ("grammar", &["languages", "ls"], "`nubbin grammar list`"),
    (
        "grammar",
        &["fuzz", "generate", "produce"],
        "`nubbin generate grammar`",
    ),
    (
        "generate",
        &["fuzz", "fuzzer"],
        "`nubbin generate grammar`, or `nubbin generate random`",
    ),
    (
        "generate",
        &["mutation", "mutations"],
        "`nubbin generate mutate`",
    ),
    ("graph", &["create", "new", "build"], "`nubbin graph learn`"),
    ("engine", &["ls", "engines"], "`nubbin engine list`"),
];

/// Returns the text that names what nubbin has for a word that is not one of its commands.
/// `command` is the command in front of the word, and empty for the first word.
pub fn instead_of(command: &str, word: &str) -> Option<&'static str> {
    let is_row = |row: &&Row| row.0 == command && row.1.contains(&word);
    ROWS.iter().find(is_row).map(|(.., text)| *text)
}

/// The recipe for a formatter, which `--differs-from` compares with two runs of it.
const IDEMPOTENCE: &str = "a formatter that changes its own output in a second run: `nubbin reduce FILE --stdin \
                           --differs-from 'fmt | fmt' -- fmt` \
                           (https://github.com/nubbin/nubbin/blob/main/docs/src/recipes.md)";

/// The flags of one command that people try: the command (empty for all that run a test), the
/// flags, and the text of the hint.
const FLAG_ROWS: &[Row] = &[
    (
        "reduce-all",
        &["--signal", "--same-failure", "--crash", "--crashes"],
        "not needed: a signal, a failed assertion, a report of a sanitizer, and an uncaught \
         exception are failures without a flag, and each failure is reduced by itself; `--exit N` \
         takes an exit code for a failure, `--stderr RE` a message",
    ),
    (
        "reduce-all",
        &["--stdout", "--not-stderr", "--not-stdout"],
        "`--identity RE` reads both outputs, and `nubbin reduce` has this flag for a single file",
    ),
    (
        "cmin",
        &["--same-failure", "--stderr", "--exit", "--signal"],
        "a corpus is minimized by its coverage; `nubbin reduce-all` reduces the files of a folder \
         that fail",
    ),
    (
        "",
        &["--not-idempotent", "--idempotent", "--idempotence"],
        IDEMPOTENCE,
    ),
    (
        "",
        &[
            "--message",
            "--error",
            "--contains",
            "--grep",
            "--match",
            "--expect",
            "--pattern",
            "--regex",
            "--output-contains",
        ],
        "`--stderr RE` or `--stdout RE`: what the failing run prints",
    ),
    (
        "",
        &[
            "--exit-code",
            "--exitcode",
            "--return-code",
            "--returncode",
            "--status",
            "--code",
        ],
        "`--exit N`: the exit code of the failing run",
    ),
    (
        "",
        &["--crash", "--crashes", "--segfault", "--sigsegv", "--abort"],
        "`--signal SEGV` for a signal, or `--same-failure` for the failure that the original shows",
    ),
    (
        "",
        &["--hang", "--hangs", "--infinite-loop", "--slow-input"],
        "`--timeout TIME --timeout-fails`: a run without an end is the failure",
    ),
    (
        "",
        &[
            "--cmd",
            "--command",
            "--script",
            "--check",
            "--interesting",
            "--interestingness",
            "--interestingness-test",
            "--oracle",
            "--run",
            "--exec",
        ],
        "the command of the test follows `--`; a script that exits with 0 for a failure follows \
         `--test`",
    ),
    (
        "",
        &["--input", "--file", "--source"],
        "not needed: the input is named anywhere in front of `--`",
    ),
    (
        "",
        &["--threads", "--workers", "--parallel", "--cores"],
        "`-j N`",
    ),
    (
        "",
        &[
            "--valid",
            "--syntax",
            "--parse",
            "--parses",
            "--well-formed",
            "--valid-json",
        ],
        "`--must-parse`: every candidate parses in the language of the input",
    ),
];

/// Returns the text that names what nubbin has for a flag that a command does not have.
pub fn instead_of_flag(command: &str, flag: &str) -> Option<&'static str> {
    let flag = flag.split_once('=').map_or(flag, |(name, _)| name);
    let find = |command: &str| {
        let is_row = |row: &&Row| row.0 == command && row.1.contains(&flag);
        FLAG_ROWS.iter().find(is_row).map(|(.., text)| *text)
    };
    let runs_test = ["reduce", "isolate", "explain"].contains(&command);
    find(command).or_else(|| find("").filter(|_| runs_test))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommandLine;
    use clap::{Command, CommandFactory as _};

    fn command(commands: &Command, name: &str) -> Command {
        match name {
            "" => commands.clone(),
            name => commands.find_subcommand(name).cloned().unwrap(),
        }
    }

    #[test]
    fn no_word_is_a_command_or_has_two_texts() {
        let commands = CommandLine::command();
        let mut seen = Vec::new();
        for (name, words, _) in ROWS {
            let command = command(&commands, name);
            for word in *words {
                assert!(command.find_subcommand(word).is_none(), "{name} {word}");
                assert!(!seen.contains(&(name, word)), "{name} {word}");
                seen.push((name, word));
            }
        }
    }

    #[test]
    fn no_tried_flag_exists_and_those_of_all_texts_do() {
        let commands = CommandLine::command();
        let longs = |name: &str| -> Vec<String> {
            let command = command(&commands, name);
            let arguments = command.get_arguments();
            let longs =
                arguments.flat_map(|it| it.get_long_and_visible_aliases().unwrap_or_default());
            longs.map(|long| format!("--{long}")).collect()
        };
        for (name, flags, text) in FLAG_ROWS {
            let name = if name.is_empty() { "reduce" } else { name };
            let own = longs(name);
            for flag in *flags {
                assert!(!own.contains(&(*flag).to_owned()), "{name} {flag}");
                assert_eq!(instead_of_flag(name, &format!("{flag}=x")), Some(*text));
            }
            let known = [longs("reduce"), longs("reduce-all")].concat();
            let words = text.split(['`', ' ']).filter(|word| word.starts_with("--"));
            for word in words.filter(|word| *word != "--") {
                assert!(known.contains(&word.to_owned()), "{text}: {word}");
            }
        }
        assert_eq!(instead_of_flag("man", "--threads"), None);
    }

    #[test]
    fn the_commands_of_all_texts_exist() {
        let commands = CommandLine::command();
        for (.., text) in ROWS {
            for line in text.split('`').skip(1).step_by(2) {
                let Some(words) = line.strip_prefix("nubbin ") else {
                    continue;
                };
                let mut command = commands.clone();
                for word in words.split(' ').take_while(|word| !word.starts_with('-')) {
                    let found = command.find_subcommand(word);
                    command = found.unwrap_or_else(|| panic!("{line}")).clone();
                }
            }
        }
        assert_eq!(
            instead_of("campaign", "list"),
            Some("`nubbin campaign issues`")
        );
        assert_eq!(instead_of("campaign", "issues"), None);
    }
}
