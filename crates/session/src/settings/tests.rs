use super::command::{ExplainSettings, IsolateSettings, ReduceSettings};
use super::file::{File, NAME};
use super::keys::Keys;
use super::lists::{COMMANDS, NEEDS, OF_PROJECT, OF_USER};
use super::resolve::layered;
use super::test::TestSettings;
use crate::flags::{Command, CommandLine, Jobs};
use crate::problem::Problem;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, CommandFactory as _, FromArgMatches as _};
use std::collections::BTreeSet;
use std::time::Duration;
use toml::Value;

fn parsed(words: &[String]) -> Result<(CommandLine, ArgMatches), clap::Error> {
    let matches = CommandLine::command().try_get_matches_from(words)?;
    Ok((CommandLine::from_arg_matches(&matches)?, matches))
}

/// Returns the settings of a command line and of files, of which those with `true` are the user's.
fn resolved(
    line: &str,
    files: &[(&str, bool)],
) -> Result<(ReduceSettings, Option<String>), Problem> {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let files: Vec<File> = files
        .iter()
        .map(|(text, is_of_user)| File {
            path: NAME.into(),
            text: (*text).to_owned(),
            is_of_user: *is_of_user,
        })
        .collect();
    let (line, matches) = parsed(&words).unwrap();
    let Command::Reduce(flags) = line.command else {
        panic!("another command");
    };
    let mut settings = ReduceSettings::from(*flags);
    let matches = matches.subcommand_matches("reduce").unwrap();
    let note = layered(&mut settings, "reduce", matches, &files)?;
    Ok((settings, note))
}

fn jobs(number: u16) -> Option<Jobs> {
    Some(Jobs::Number(number))
}

#[test]
fn a_key_sets_a_flag_and_the_note_names_it() {
    let file = "[reduce]\njobs = 2\nquick = true\nslow = false\nwithout = ['chars', 'lines']\n\
                [isolate]\njobs = 9\n";
    let (flags, note) = resolved("nubbin reduce x -- t", &[(file, false)]).unwrap();
    assert_eq!(flags.test.jobs, jobs(2));
    assert!(flags.search.quick && !flags.search.slow);
    assert_eq!(flags.search.without, ["chars", "lines"]);
    let expected = "defaults of `nubbin.toml`: --jobs=2 --quick --without=chars --without=lines";
    assert_eq!(note.as_deref(), Some(expected));
}

#[test]
fn the_command_line_counts_first_and_then_the_project() {
    let files = [
        ("[reduce]\njobs = 2\n", false),
        ("[reduce]\njobs = 3\nseed = 4\n", true),
    ];
    let (flags, _) = resolved("nubbin reduce x -- t", &files).unwrap();
    assert_eq!((flags.test.jobs, flags.search.seed), (jobs(2), 4));
    let (flags, _) = resolved("nubbin reduce x -j 7 -- t", &files).unwrap();
    assert_eq!((flags.test.jobs, flags.search.seed), (jobs(7), 4));
    // The two flags exclude each other.
    let plain = [("[reduce]\nplain = true\n", true)];
    let (flags, note) = resolved("nubbin reduce x --progress line -- t", &plain).unwrap();
    assert_eq!((flags.output_flags.plain, note), (false, None));
    // An input is given, so no flag requires the choices of the generator.
    let generator = [("[reduce]\ngenerator = 'g'\n", true)];
    assert!(resolved("nubbin reduce x -- t", &generator).is_ok());
    let slow = [
        ("[reduce]\nslow = true\n", false),
        ("[reduce]\nquick = true\n", true),
    ];
    let (flags, _) = resolved("nubbin reduce x -- t", &slow).unwrap();
    assert!(flags.search.slow && !flags.search.quick);
}

#[test]
fn a_project_raises_no_limit_that_the_user_has_set() {
    let project = ("[reduce]\nmemory = '9G'\ntimeout = 900\nseed = 1\n", false);
    let own = ("[reduce]\nmemory = '1G'\nseed = 2\n", true);
    let (flags, _) = resolved("nubbin reduce x -- t", &[project, own]).unwrap();
    assert_eq!(flags.test.limits.memory, Some(1 << 30));
    assert_eq!(flags.test.run.timeout, Some(Duration::from_secs(900)));
    assert_eq!(flags.search.seed, 1);
}

#[test]
fn an_error_names_the_file_the_line_and_the_key() {
    for (file, line, what) in [
        (
            "[reduce]\njobs = 2\n\nbuild = 'id'\n",
            4,
            "a project cannot set `--build`",
        ),
        (
            "[reduce]\nseed = 1\nquiet = true\n",
            3,
            "a project cannot set `--quiet`",
        ),
        (
            "[reduce]\n\njbos = 2\n",
            3,
            "`nubbin reduce` has no flag `--jbos`",
        ),
        (
            "[reduce]\ntimeout = 'soon'\n",
            2,
            "`'soon'` is not a value of `--timeout`: `soon` is not a length of time, such as `20` \
             (seconds), `90s`, or `1h30m`",
        ),
        (
            "[reduce]\nquick = 'yes'\n",
            2,
            "`'yes'` is not a value of `--quick`: expected `true` or `false`",
        ),
        (
            "[reduce]\njobs = true\n",
            2,
            "`true` is not a value of `--jobs`: expected a string or a number",
        ),
        (
            "[reduce]\norder = 'size'\n",
            2,
            "`'size'` is not a value of `--order`: expected `bytes`, `tokens`, `instructions`, `binary`",
        ),
        (
            "[reduce]\nstop-when-stalled = 0\n",
            2,
            "`0` is not a value of `--stop-when-stalled`: must be more than 0",
        ),
        (
            "[reduce]\nseed = -1\n",
            2,
            "`-1` is not a value of `--seed`: `-1` is not a valid number for this key",
        ),
        (
            "[reduce]\njobs = [[1]]\n",
            2,
            "`[[1]]` is not a value of `--jobs`",
        ),
        (
            "[reduce]\njobs = {a = 1}\n",
            2,
            "`{a = 1}` is not a value of a flag",
        ),
        ("[reduce]\nisland = true\n", 2, "`island` needs `grammar`"),
        (
            "[reduce]\nforce = true\n",
            2,
            "`--force` applies to one run only",
        ),
        ("reduce = 3\n", 1, "`reduce` is not a table"),
        ("jobs = 3\n", 1, "`jobs` is not a command"),
        ("[isolate]\n[run]\n", 2, "`run` is not a command"),
        ("[reduce]\njobs = \n", 2, ""),
    ] {
        let problem = resolved("nubbin reduce x -- t", &[(file, false)]).unwrap_err();
        let start = format!("`nubbin.toml`, line {line}: {what}");
        assert!(problem.what().starts_with(&start), "{}", problem.what());
    }
    let own = [("[reduce]\nnotify = 'beep'\n", true)];
    let (flags, _) = resolved("nubbin reduce x -- t", &own).unwrap();
    assert_eq!(flags.notify.as_deref(), Some("beep"));
}

/// Returns a text that is a value of a flag, and not its default.
fn sample(arg: &Arg) -> String {
    let words = arg.get_possible_values();
    let words: Vec<&str> = words.iter().map(|word| word.get_name()).collect();
    match (arg.get_long().unwrap_or_default(), &words[..]) {
        ("predicate", _) => "a=true".to_owned(),
        ("grammar-format", _) => "antlr4".to_owned(),
        ("prepare", _) => "none".to_owned(),
        ("env" | "remote-platform", _) => "A=7".to_owned(),
        (_, []) if arg.get_value_delimiter().is_some() => "7,8".to_owned(),
        (_, []) => "7".to_owned(),
        (_, words) => words[words.len() - 1].to_owned(),
    }
}

/// Returns a key and all that it needs.
fn with_needs(key: &str) -> BTreeSet<&str> {
    let mut all = BTreeSet::from([key]);
    let mut before = 0;
    while before < all.len() {
        before = all.len();
        let needed = NEEDS.iter().filter(|(of, _)| all.contains(of));
        let needed: Vec<&str> = needed.map(|(_, needed)| *needed).collect();
        all.extend(needed);
    }
    all
}

/// The settings of a command, and their text.
enum Settings {
    Reduce(Box<ReduceSettings>),
    Isolate(Box<IsolateSettings>),
    Explain(Box<ExplainSettings>),
}

impl Settings {
    fn of(line: CommandLine) -> Self {
        match line.command {
            Command::Reduce(flags) => Settings::Reduce(Box::new((*flags).into())),
            Command::Isolate(flags) => Settings::Isolate(Box::new((*flags).into())),
            Command::Explain(flags) => Settings::Explain(Box::new((*flags).into())),
            _ => panic!("no command with settings"),
        }
    }

    fn keys(&mut self) -> &mut dyn Keys {
        match self {
            Settings::Reduce(settings) => &mut **settings,
            Settings::Isolate(settings) => &mut **settings,
            Settings::Explain(settings) => &mut **settings,
        }
    }

    fn text(&self) -> String {
        match self {
            Settings::Reduce(settings) => format!("{settings:?}"),
            Settings::Isolate(settings) => format!("{settings:?}"),
            Settings::Explain(settings) => format!("{settings:?}"),
        }
    }
}

#[test]
fn each_key_and_each_flag_give_equal_settings() {
    let commands = CommandLine::command();
    let mut compared = 0;
    for command in COMMANDS {
        let flags = commands.find_subcommand(command).unwrap();
        let arg = |key: &str| {
            flags
                .get_arguments()
                .find(|arg| arg.get_long() == Some(key))
        };
        for &key in OF_PROJECT.iter().chain(OF_USER) {
            if arg(key).is_none() {
                continue;
            }
            let keys = with_needs(key);
            let inputs = match (command, keys.contains("choices")) {
                (_, true) => "--choices=c",
                ("isolate", _) => "a b",
                _ => "a",
            };
            let line = |more: &[String]| {
                let mut words = vec!["nubbin".to_owned(), command.to_owned()];
                words.extend(inputs.split(' ').map(str::to_owned));
                words.extend(more.iter().cloned());
                words.extend(["--", "t"].map(str::to_owned));
                let parsed = parsed(&words).unwrap_or_else(|error| panic!("{key}: {error}"));
                Settings::of(parsed.0)
            };
            let (mut words, mut of_text, mut of_number) = (vec![], line(&[]), line(&[]));
            for key in keys.into_iter().filter(|key| *key != "choices") {
                let arg = arg(key).unwrap();
                let (text, number) = match arg.get_action().takes_values() {
                    false => (Value::Boolean(true), Value::Boolean(true)),
                    true => {
                        let text = sample(arg);
                        let number = text
                            .parse()
                            .map_or(Value::String(text.clone()), Value::Integer);
                        (Value::String(text), number)
                    }
                };
                words.push(match &text {
                    Value::String(text) => format!("--{key}={text}"),
                    _ => format!("--{key}"),
                });
                for (line, value) in [(&mut of_text, text), (&mut of_number, number)] {
                    let set = line.keys().set(key, &value);
                    assert_eq!(set, Some(Ok(())), "{command}: {key} = {value}");
                }
            }
            let typed = line(&words).text();
            assert_eq!(typed, of_text.text(), "{command} {words:?}");
            assert_eq!(typed, of_number.text(), "{command} {words:?}");
            assert_ne!(typed, line(&[]).text(), "{command} {words:?}");
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn a_test_without_keys_has_the_settings_of_a_test_without_flags() {
    let (flags, _) = resolved("nubbin reduce x -- t", &[]).unwrap();
    let test = TestSettings {
        command: vec!["t".into()],
        ..TestSettings::default()
    };
    assert_eq!(format!("{test:?}"), format!("{:?}", flags.test));
}

#[test]
fn the_needs_of_flags_are_those_of_the_command_line() {
    let commands = CommandLine::command();
    for command in COMMANDS {
        let flags = commands.find_subcommand(command).unwrap();
        for arg in flags.get_arguments() {
            let Some(key) = arg.get_long() else {
                continue;
            };
            let value = match arg.get_action().takes_values() {
                true => format!("--{key}={}", sample(arg)),
                false => format!("--{key}"),
            };
            let inputs: &[&str] = match command {
                "isolate" => &["a", "b"],
                _ => &["a"],
            };
            let words = [&["nubbin", command], inputs, &[&value, "--", "t"]].concat();
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            let kind = parsed(&words).map_err(|error| error.kind()).err();
            let is_missing = kind == Some(ErrorKind::MissingRequiredArgument);
            // No flag requires `--choices` together with an input, which excludes it.
            let is_of_choices = with_needs(key).contains("choices");
            let has_needs = NEEDS.iter().any(|(of, _)| *of == key) && !is_of_choices;
            assert_eq!(is_missing, has_needs, "{command}: {key}");
        }
    }
}
