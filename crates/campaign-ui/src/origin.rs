//! The source of the settings of a campaign: a file, or a command line.

use super::config::ConfigFile;
use crate::exit::Exit;
use crate::problem::Problem;
use std::ops::Range;
use toml::Spanned;

/// The source of settings, for messages about mistakes in them.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// `campaign.toml`. A span is one of its text.
    File(ConfigFile),
    /// The file that `nubbin campaign new` is about to write, by flags.
    Draft(ConfigFile),
    /// A command line. A span is one of these names.
    Flags(FlagNames),
}

/// The names of the flags that settings are from, end to end.
#[derive(Clone, Debug, Default)]
pub(super) struct FlagNames(String);

impl FlagNames {
    /// Returns the value of a flag, with the position of the flag's name.
    pub(super) fn value<T>(&mut self, name: &str, value: T) -> Spanned<T> {
        let start = self.0.len();
        self.0 += name;
        Spanned::new(start..self.0.len(), value)
    }
}

impl Origin {
    /// Returns the problem of a value at a position.
    pub(super) fn wrong(&self, span: &Range<usize>, what: &str) -> Problem {
        match self {
            Origin::File(file) => file.wrong(span, what),
            Origin::Draft(file) => {
                let named = flag_of(file.line(span));
                Problem::new(Exit::Usage, format!("{named}: {}", what.trim_end()))
            }
            Origin::Flags(names) => {
                let what = match names.0.get(span.clone()) {
                    None | Some("") => what.to_owned(),
                    Some(name) => format!("`{name}`: {what}"),
                };
                Problem::new(Exit::Usage, what.trim_end())
            }
        }
    }
}

/// Returns the flag of `nubbin campaign new` that a line of the file is from.
fn flag_of(line: &str) -> String {
    match line.split_once(" = ") {
        Some(("generate", value)) => format!("`--generate {value}`"),
        Some(("engine", value)) => format!("`--engine {value}`"),
        Some(("command", _)) => "the command".to_owned(),
        _ => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_in_a_flag_is_told_with_its_name() {
        let mut names = FlagNames::default();
        let first = names.value("--stderr", "[");
        let second = names.value("--language", "klingon");
        let origin = Origin::Flags(names);
        let said = |span| origin.wrong(&span, "it is wrong").what().to_owned();
        assert_eq!(said(first.span()), "`--stderr`: it is wrong");
        assert_eq!(said(second.span()), "`--language`: it is wrong");
        assert_eq!(said(0..0), "it is wrong");
    }
}
