//! The help of the program as a whole: examples, and the commands in groups.

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use std::fmt::Write as _;

/// The commands in groups by purpose.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Reduce",
        &["reduce", "reduce-all", "isolate", "explain", "capture"],
    ),
    (
        "Fuzz",
        &["generate", "fuzz", "campaign", "cmin", "graph", "engine"],
    ),
    (
        "Inspect",
        &[
            "report",
            "compare",
            "shootout",
            "grammar",
            "algorithms",
            "passes",
        ],
    ),
    ("Help", &["help", "mcp", "man", "completions"]),
];

const EXAMPLES: &str = "
  nubbin reduce bug.rs --stderr 'E0499' -- rustc --emit=metadata {}
      keep one error message; {} is the path of the file
  nubbin reduce crash.c --same-failure -- gcc -O2 -c crash.c
      keep the compiler crash that gcc reports now, and no other
  nubbin reduce --test ./interesting.sh input.json
      a script that exits with 0 if the failure is present
";

/// The help of the command that `clap` adds by itself.
const HELP: &str = "Print the help of a command or a topic: agent, exit-codes, farm";

/// The address of the guide.
const GUIDE: &str = "https://github.com/nubbin/nubbin/blob/main/docs/src/SUMMARY.md";

/// Returns the template of the help of a program with the given commands.
pub(super) fn template(commands: &Command) -> StyledStr {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text =
        format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{header}Examples:{header:#}");
    text.push_str(EXAMPLES);
    for (group, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        for name in names {
            let about = commands.find_subcommand(name);
            let about = about.and_then(Command::get_about);
            let about = about.map_or(HELP.to_owned(), ToString::to_string);
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    let _ = write!(
        text,
        "\n{header}Options:{header:#}\n{{options}}\n\n\
         `nubbin COMMAND -h` lists the most used flags, `--help` all flags.\n\
         Guide: {GUIDE}"
    );
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommandLine;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_is_in_one_group() {
        let commands = CommandLine::command();
        let mut listed: Vec<&str> = (GROUPS.iter())
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        listed.sort_unstable();
        let shown = commands.get_subcommands().filter(|it| !it.is_hide_set());
        let mut names: Vec<&str> = shown.map(Command::get_name).collect();
        names.push("help");
        names.sort_unstable();
        assert_eq!(listed, names);
    }

    #[test]
    fn the_help_fits_a_terminal_of_80_columns() {
        let text = template(&CommandLine::command()).to_string();
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
    }
}
