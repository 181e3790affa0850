//! `campaign.toml`: its tables, and mistakes in them with their line and column.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_campaign::EventKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::{Spanned, Value};

/// The name of the file in the folder of a campaign.
pub(super) const NAME: &str = "campaign.toml";

/// The settings of a campaign, as its file has them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    #[serde(default)]
    pub(super) campaign: CampaignTable,
    #[serde(default)]
    pub(super) program: BTreeMap<String, Spanned<ProgramTable>>,
    #[serde(default)]
    pub(super) generator: BTreeMap<String, Spanned<GeneratorTable>>,
    #[serde(default)]
    pub(super) remote: RemoteTable,
    #[serde(default)]
    pub(super) report: ReportTable,
    #[serde(default)]
    pub(super) hook: Vec<HookTable>,
}

/// The budget and the seed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CampaignTable {
    /// The jobs that run at the same time.
    pub(super) cores: Option<Spanned<u16>>,
    /// The memory of all jobs together.
    pub(super) memory: Option<Spanned<String>>,
    /// The seed of all random decisions.
    #[serde(default)]
    pub(super) seed: u64,
}

/// A program under test. The keys have the names of the flags of `nubbin reduce` about the test.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ProgramTable {
    pub(super) command: Option<Spanned<Words>>,
    /// The JavaScript engine whose profile says how a script is run and which ends are bugs.
    pub(super) engine: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) input: InputTo,
    /// The name of the test's file.
    pub(super) name: Option<Spanned<String>>,
    /// The command that prints the version.
    pub(super) version: Option<Spanned<Words>>,
    #[serde(default)]
    pub(super) identity: Vec<Spanned<String>>,
    /// The patterns that standard error has to match.
    #[serde(default)]
    pub(super) stderr: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) ignore: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) exit: Vec<i32>,
    pub(super) usual_exit: Option<Vec<i32>>,
    #[serde(default)]
    pub(super) hang: bool,
    /// The end of the line that a process which runs many tests writes after each.
    pub(super) persistent: Option<Spanned<String>>,
    /// A pattern in the output that stops a test early.
    pub(super) until: Option<Spanned<String>>,
    /// Other builds, whose exit and standard output must be the same.
    #[serde(default)]
    pub(super) variant: BTreeMap<String, Spanned<Words>>,
    /// The number of runs that decide whether a test shows its issue again.
    pub(super) validate: Option<u64>,
    #[serde(default)]
    pub(super) reduce: ReduceTable,
    pub(super) update: Option<Spanned<UpdateTable>>,
    pub(super) bisect: Option<Spanned<BisectTable>>,
    // The flags of the test.
    pub(super) timeout: Option<Spanned<Value>>,
    pub(super) with: Option<Spanned<Value>>,
    pub(super) env: Option<Spanned<Value>>,
    pub(super) unset_env: Option<Spanned<Value>>,
    pub(super) clean_env: Option<Spanned<Value>>,
    pub(super) memory: Option<Spanned<Value>>,
    pub(super) cpu: Option<Spanned<Value>>,
    pub(super) processes: Option<Spanned<Value>>,
    pub(super) file_size: Option<Spanned<Value>>,
    pub(super) output_limit: Option<Spanned<Value>>,
    pub(super) disk: Option<Spanned<Value>>,
    pub(super) sandbox: Option<Spanned<Value>>,
    pub(super) writable: Option<Spanned<Value>>,
    pub(super) network: Option<Spanned<Value>>,
}

impl ProgramTable {
    /// Returns the flags of the test, with their names and values.
    pub(super) fn flags(&self) -> impl Iterator<Item = (&'static str, &Spanned<Value>)> {
        [
            ("timeout", &self.timeout),
            ("with", &self.with),
            ("env", &self.env),
            ("unset-env", &self.unset_env),
            ("clean-env", &self.clean_env),
            ("memory", &self.memory),
            ("cpu", &self.cpu),
            ("processes", &self.processes),
            ("file-size", &self.file_size),
            ("output-limit", &self.output_limit),
            ("disk", &self.disk),
            ("sandbox", &self.sandbox),
            ("writable", &self.writable),
            ("network", &self.network),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

/// A command: a line, or words.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum Words {
    /// A line for the shell.
    Line(String),
    /// A program and its arguments.
    List(Vec<String>),
}

/// The way in which a program reads the test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum InputTo {
    /// In a file, `{}` in the command.
    #[default]
    File,
    /// On standard input.
    Stdin,
    /// As an argument, `{}` in the command.
    Argument,
}

/// The settings for reductions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct ReduceTable {
    pub(super) enabled: bool,
    /// Whether each reduced test is explained.
    pub(super) explain: bool,
    /// Whether an issue that an empty test shows is reduced as any other.
    pub(super) allow_empty: bool,
    pub(super) max_tests: u64,
    pub(super) max_time: Option<Spanned<Value>>,
    pub(super) language: Option<Spanned<String>>,
}

impl Default for ReduceTable {
    fn default() -> Self {
        ReduceTable {
            enabled: true,
            explain: false,
            allow_empty: false,
            max_tests: 5_000,
            max_time: None,
            language: None,
        }
    }
}

/// The settings for updates of a program.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct UpdateTable {
    pub(super) command: Spanned<Words>,
    /// The command that says by exit code 0 that there is something to update.
    pub(super) condition: Option<Spanned<Words>>,
    /// The time between two updates in seconds.
    pub(super) every: Spanned<Value>,
    /// The time that the command has, in seconds.
    pub(super) timeout: Option<Spanned<Value>>,
    /// Whether all issues are validated after an update.
    #[serde(default)]
    pub(super) validate: bool,
}

/// The revisions of a program, and how one is built.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BisectTable {
    /// The command that prints the revisions, oldest first, one per line.
    pub(super) revisions: Spanned<Words>,
    /// The command that builds the revision NUBBIN_REVISION, or exits with code 125 if that
    /// cannot be built.
    pub(super) build: Spanned<Words>,
    /// The time that each command has, in seconds.
    pub(super) timeout: Option<Spanned<Value>>,
}

/// A generator of tests: exactly one of `generate`, `population`, `command`, `folder`, and `afl`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct GeneratorTable {
    /// The arguments of `nubbin generate`.
    pub(super) generate: Option<Spanned<String>>,
    /// The arguments of `nubbin generate mutate`; mutants that show something new are kept.
    pub(super) population: Option<Spanned<String>>,
    /// A command that writes files.
    pub(super) command: Option<Spanned<Words>>,
    /// A folder of files.
    pub(super) folder: Option<Spanned<PathBuf>>,
    /// The output folder of AFL++.
    pub(super) afl: Option<Spanned<PathBuf>>,
    /// A command that fills `folder` or `afl`, and runs as long as the campaign does.
    pub(super) start: Option<Spanned<Words>>,
    /// The maximum number of starts of `start` again.
    pub(super) restarts: Option<u64>,
    /// The programs that its tests are for; all if it is empty.
    pub(super) programs: Vec<Spanned<String>>,
    pub(super) weight: f64,
    /// The slices that run at the same time; one per core without it.
    pub(super) instances: Option<usize>,
    /// The maximum number of tests of a slice.
    pub(super) batch: Option<u64>,
    // The sandbox of a `command`.
    pub(super) sandbox: Option<Spanned<Value>>,
    pub(super) writable: Option<Spanned<Value>>,
    pub(super) network: Option<Spanned<Value>>,
}

impl GeneratorTable {
    /// Returns the flags of the sandbox, with their names and values.
    pub(super) fn flags(&self) -> impl Iterator<Item = (&'static str, &Spanned<Value>)> {
        [
            ("sandbox", &self.sandbox),
            ("writable", &self.writable),
            ("network", &self.network),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

impl Default for GeneratorTable {
    fn default() -> Self {
        GeneratorTable {
            generate: None,
            population: None,
            command: None,
            folder: None,
            afl: None,
            start: None,
            restarts: None,
            programs: vec![],
            weight: 1.0,
            instances: None,
            batch: None,
            sandbox: None,
            writable: None,
            network: None,
        }
    }
}

/// The farm that runs the tests. The flags of `nubbin campaign run` have the same names, after
/// `--remote-`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RemoteTable {
    pub(super) address: Option<Spanned<Value>>,
    /// The number of jobs whose tests run on the farm at the same time.
    pub(super) slots: Option<Spanned<u16>>,
    pub(super) input: Option<Spanned<Value>>,
    pub(super) platform: Option<Spanned<Value>>,
    pub(super) instance: Option<Spanned<Value>>,
    pub(super) token_file: Option<Spanned<Value>>,
    pub(super) token_command: Option<Spanned<Value>>,
    pub(super) ca: Option<Spanned<Value>>,
    pub(super) cert: Option<Spanned<Value>>,
    pub(super) key: Option<Spanned<Value>>,
}

impl RemoteTable {
    /// Returns the flags in addition to the address, with their names and values.
    pub(super) fn others(&self) -> Vec<(&'static str, &Spanned<Value>)> {
        [
            ("remote-input", &self.input),
            ("remote-platform", &self.platform),
            ("remote-instance", &self.instance),
            ("remote-token-file", &self.token_file),
            ("remote-token-command", &self.token_command),
            ("remote-ca", &self.ca),
            ("remote-cert", &self.cert),
            ("remote-key", &self.key),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)))
        .collect()
    }
}

/// The settings for reports of issues.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ReportTable {
    /// A template in place of the built-in one.
    pub(super) template: Option<Spanned<PathBuf>>,
    /// A template of issues on GitHub in place of the built-in one.
    pub(super) github: Option<Spanned<PathBuf>>,
    /// The folder of AFL++ instances that the tests of issues are shared with.
    pub(super) afl_sync: Option<Spanned<PathBuf>>,
}

/// A command that is run on events.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct HookTable {
    pub(super) events: Vec<Spanned<String>>,
    pub(super) command: Spanned<Words>,
    /// The time that the command has, in seconds; 30 without it.
    pub(super) timeout: Option<Spanned<Value>>,
}

/// The file of a campaign, for messages that name a position in the file.
#[derive(Clone, Debug)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl ConfigFile {
    /// Reads the file in the folder of a campaign.
    pub(super) fn read(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(NAME);
        match std::fs::read(&path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(ConfigFile { path, text }),
                Err(error) => {
                    let what = format!("`{}` is not UTF-8", path.display());
                    Err(Problem::new(Exit::Input, what).because(&error))
                }
            },
            Err(error) => {
                let what = format!("cannot read `{}`", path.display());
                Err(Problem::new(Exit::Input, what)
                    .because(&error)
                    .hint("`nubbin campaign new DIR` creates a campaign"))
            }
        }
    }

    /// Reads the tables.
    pub(super) fn parse(&self) -> Result<Config, Problem> {
        let config: Config = toml::from_str(&self.text).map_err(|error| {
            let problem = match error.span() {
                Some(span) => self.wrong(&span, error.message()),
                None => {
                    let what = format!("`{}`: {}", self.path.display(), error.message());
                    Problem::new(Exit::Input, what)
                }
            };
            problem.hint("`nubbin campaign new` writes an example with all keys")
        })?;
        if config.program.is_empty() {
            let what = format!("`{}` names no program", self.path.display());
            return Err(Problem::new(Exit::Input, what)
                .hint("write a table `[program.NAME]` with `command = [\"./program\", \"{}\"]`"));
        }
        for hook in &config.hook {
            for event in &hook.events {
                let mut known = EventKind::ALL.iter().map(|kind| kind.name());
                if !known.any(|name| name == event.get_ref()) {
                    let names: Vec<_> = EventKind::ALL.iter().map(|kind| kind.name()).collect();
                    let what = format!("unknown event `{}`", event.get_ref());
                    return Err(self
                        .wrong(&event.span(), &what)
                        .hint(format!("the events are {}", names.join(", "))));
                }
            }
        }
        Ok(config)
    }

    fn before(&self, span: &Range<usize>) -> &str {
        self.text.get(..span.start).unwrap_or(&self.text)
    }

    /// Returns the line of a position in the file.
    pub(super) fn line(&self, span: &Range<usize>) -> &str {
        let number = self.before(span).matches('\n').count();
        self.text.lines().nth(number).unwrap_or("").trim_end()
    }

    /// Returns the problem at a position in the file.
    pub(super) fn wrong(&self, span: &Range<usize>, what: &str) -> Problem {
        let before = self.before(span);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let shown = self.line(span);
        let what = format!(
            "{}:{line}:{column}: {}\n  {line} | {shown}",
            self.path.display(),
            what.trim_end()
        );
        Problem::new(Exit::Input, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> ConfigFile {
        ConfigFile {
            path: NAME.into(),
            text: text.to_owned(),
        }
    }

    fn refused(text: &str) -> String {
        format!("{:?}", file(text).parse().unwrap_err())
    }

    #[test]
    fn a_mistake_is_named_with_its_line_and_column() {
        let said =
            refused("[program.p]\ncommand = [\"p\"]\n\n[generator.g]\nproduce = \"random\"\n");
        assert!(said.contains("campaign.toml:5:1"), "{said}");
        assert!(said.contains("unknown field `produce`"), "{said}");
        let said = refused("[program.p]\ncommand = [\"p\"\n");
        assert!(said.contains("campaign.toml:"), "{said}");
        let said = refused(
            "[program.p]\ncommand = \"p\"\n[[hook]]\nevents = [\"issue-add\"]\ncommand = \"x\"\n",
        );
        assert!(said.contains("campaign.toml:4:11"), "{said}");
    }

    #[test]
    fn a_campaign_needs_a_program() {
        assert!(refused("[campaign]\ncores = 2\n").contains("names no program"));
    }
}
