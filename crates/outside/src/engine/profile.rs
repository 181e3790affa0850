//! Profiles of engines: the command that runs an engine, functions that must not be called, and
//! exits that are not bugs.

use crate::exit::Exit;
use crate::flags::EngineFlags;
use crate::grammar::bytes;
use crate::problem::Problem;
use nubbin_graph::Language;
use nubbin_graph::probe::Probed;
use regex::bytes::Regex;
use serde::Deserialize;
use std::path::Path;

/// The profiles that are built in, by name.
const BUILT_IN: [(&str, &str); 8] = [
    ("duktape", include_str!("profiles/duktape.toml")),
    ("jerryscript", include_str!("profiles/jerryscript.toml")),
    ("jsc", include_str!("profiles/jsc.toml")),
    ("mujs", include_str!("profiles/mujs.toml")),
    ("node", include_str!("profiles/node.toml")),
    ("python", include_str!("profiles/python.toml")),
    ("quickjs", include_str!("profiles/quickjs.toml")),
    ("spidermonkey", include_str!("profiles/spidermonkey.toml")),
];

/// A profile in the form of its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    description: String,
    #[serde(default)]
    language: Language,
    #[serde(default)]
    roots: Vec<String>,
    command: Vec<String>,
    #[serde(default)]
    others: Vec<String>,
    module: Option<Vec<String>>,
    version: Option<Vec<String>>,
    print: String,
    wrap: Option<String>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    hidden: Vec<String>,
    #[serde(default)]
    harmless: Vec<String>,
    exit: Vec<i32>,
}

/// A profile of an engine.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: String,
    pub description: String,
    /// The command that runs a script. `{}` stands for the path of the script.
    pub command: Vec<String>,
    /// Alternative names of the program.
    pub others: Vec<String>,
    /// The command that runs a module.
    pub module: Option<Vec<String>>,
    /// The command that prints the version.
    pub version: Option<Vec<String>>,
    pub probed: Probed,
    /// The text around an expression that is a script of its own.
    wrap: (String, String),
    /// Standard error of an end that is not a bug matches one of these.
    harmless: Vec<Regex>,
    /// The exit codes that are not bugs.
    pub exit: Vec<i32>,
}

impl Profile {
    /// Returns the profile that the flags name, or else the profile that a graph names.
    pub fn of(flags: &EngineFlags, graph: Option<&str>) -> Result<Self, Problem> {
        let mut profile = match (&flags.engine, graph) {
            (Some(name), _) => Profile::named(name)?,
            // The file of a graph may come from anyone, so it cannot name a file with a command.
            (None, Some(name)) => Profile::built_in(name)?.ok_or_else(|| {
                Problem::new(Exit::Usage, format!("the graph is of the engine `{name}`"))
                    .hint("give its profile with `--engine FILE.toml`")
            })?,
            (None, None) => {
                return Err(Problem::new(Exit::Usage, "which engine?")
                    .hint("name it with `--engine NAME`; `nubbin engine list` lists the names"));
            }
        };
        if let Some(program) = &flags.program {
            let program = program.display().to_string();
            let others = std::mem::take(&mut profile.others);
            let is_own = |word: &str, own: &str| word == own || others.iter().any(|it| it == word);
            let own = profile.command[0].clone();
            let commands = [
                Some(&mut profile.command),
                profile.module.as_mut(),
                profile.version.as_mut(),
            ];
            for command in commands.into_iter().flatten() {
                if let Some(first) = command.first_mut().filter(|word| is_own(word, &own)) {
                    first.clone_from(&program);
                }
            }
        }
        Ok(profile)
    }

    fn built_in(name: &str) -> Result<Option<Self>, Problem> {
        let found = BUILT_IN.iter().find(|(known, _)| *known == name);
        found
            .map(|(name, text)| Profile::parse(name, text))
            .transpose()
    }

    /// Returns the built-in profile with the given name, or the profile in the file with the given
    /// path.
    fn named(name: &str) -> Result<Self, Problem> {
        if let Some(profile) = Profile::built_in(name)? {
            return Ok(profile);
        }
        let path = Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            return Err(
                Problem::new(Exit::Usage, format!("unknown engine `{name}`")).hint(format!(
                    "there are {}, and profiles of your own by their file, `NAME.toml`",
                    names.join(", ")
                )),
            );
        }
        let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Profile::parse(&stem, &text)
            .map_err(|problem| problem.saying(format!("cannot use the profile `{name}`")))
    }

    fn parse(name: &str, text: &str) -> Result<Self, Problem> {
        let unusable = |error: &(dyn std::error::Error + 'static)| {
            Problem::new(Exit::Input, format!("cannot use the profile `{name}`")).because(error)
        };
        let written: Written = toml::from_str(text).map_err(|error| unusable(&error))?;
        let has_program = |words: &Vec<String>| words.first().is_some_and(|word| !word.is_empty());
        let has_place = |words: &Vec<String>| words.iter().any(|word| word.contains("{}"));
        let refused = |hint: String| {
            Problem::new(Exit::Input, format!("cannot use the profile `{name}`")).hint(hint)
        };
        for (key, words) in [
            ("command", Some(&written.command)),
            ("module", written.module.as_ref()),
        ] {
            if words.is_some_and(|words| !has_program(words) || !has_place(words)) {
                let hint = format!("`{key}` needs a program and `{{}}`, the path of the script");
                return Err(refused(hint));
            }
        }
        if written
            .version
            .as_ref()
            .is_some_and(|words| !has_program(words))
        {
            return Err(refused("`version` needs a program".to_owned()));
        }
        let harmless = written.harmless.iter().map(|text| Regex::new(text));
        let harmless: Result<Vec<Regex>, _> = harmless.collect();
        let usual = format!("{}{{}}", written.language.head());
        let wrap = written.wrap.as_deref().unwrap_or(&usual);
        let (before, after) = wrap.split_once("{}").ok_or_else(|| {
            Problem::new(Exit::Input, format!("cannot use the profile `{name}`"))
                .hint("`wrap` needs `{}`, the expression")
        })?;
        Ok(Profile {
            name: name.to_owned(),
            wrap: (before.to_owned(), after.to_owned()),
            harmless: harmless.map_err(|error| unusable(&error))?,
            description: written.description,
            command: written.command,
            others: written.others,
            module: written.module,
            version: written.version,
            probed: Probed {
                language: written.language,
                roots: written.roots,
                print: written.print,
                never: written.never,
                hidden: written.hidden,
            },
            exit: written.exit,
        })
    }

    /// Returns all built-in profiles.
    pub fn all() -> Result<Vec<Self>, Problem> {
        let parse = |(name, text): &(&str, &str)| Profile::parse(name, text);
        BUILT_IN.iter().map(parse).collect()
    }

    /// Returns the language of the engine.
    pub fn language(&self) -> Language {
        self.probed.language
    }

    /// Returns a name for a script with the given stem: `script.js`.
    pub fn script_name(&self, stem: &str) -> String {
        format!("{stem}.{}", self.language().extension())
    }

    /// Returns a script that evaluates an expression.
    pub fn script(&self, expression: &[u8]) -> Vec<u8> {
        let (before, after) = (self.wrap.0.as_bytes(), self.wrap.1.as_bytes());
        [before, expression, after, b"\n"].concat()
    }

    /// Returns the patterns of error messages that are not bugs.
    pub fn harmless(&self) -> &[Regex] {
        &self.harmless
    }

    /// Returns whether the standard error of an engine has an error message that is not a bug.
    pub fn is_harmless(&self, stderr: &[u8]) -> bool {
        self.harmless.iter().any(|regex| regex.is_match(stderr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_that_are_built_in_can_be_read() {
        let all = Profile::all().unwrap();
        assert_eq!(all.len(), BUILT_IN.len());
        for profile in all {
            assert!(profile.exit.contains(&0), "{}", profile.name);
            assert!(!profile.description.is_empty(), "{}", profile.name);
        }
    }

    #[test]
    fn an_expression_has_the_global_object_as_this_in_node() {
        let script = Profile::named("node").unwrap().script(b"this.Math");
        assert_eq!(script, b"(function () { return this.Math; })();\n");
        let script = Profile::named("jsc").unwrap().script(b"this.Math");
        assert_eq!(script, b"this.Math\n");
    }

    #[test]
    fn a_script_of_python_has_the_global_object_as_this() {
        let profile = Profile::named("python").unwrap();
        let script = String::from_utf8(profile.script(b"this.math.sqrt(4)")).unwrap();
        assert!(
            script.ends_with("this = This()\nthis.math.sqrt(4)\n"),
            "{script}"
        );
        assert_eq!(profile.script_name("script"), "script.py");
    }

    #[test]
    fn a_profile_without_a_place_for_the_script_is_refused() {
        let text = "command = [\"qjs\"]\nprint = \"print\"\nexit = [0]\n";
        assert!(Profile::parse("own", text).is_err());
        let unknown = "command = [\"qjs\", \"{}\"]\nprint = \"print\"\nexit = [0]\nquit = 1\n";
        assert!(Profile::parse("own", unknown).is_err());
    }
}
