//! `nubbin campaign new`: the folder of a campaign, with a commented file.

use super::config::{ConfigFile, NAME};
use super::farm::Given;
use super::origin::Origin;
use super::setup::Setup;
use super::store;
use crate::engine::Profile;
use crate::exit::Exit;
use crate::flags::NewCampaignFlags;
use crate::output::Access;
use crate::problem::{Problem, say};
use crate::screen;
use nubbin_campaign::Store;
use nubbin_oracle::PrivateFolder;
use nubbin_session::persistent::with_places;
use std::ffi::OsString;
use std::io::BufRead as _;
use std::path::Path;

/// The comments and the keys that are not set.
const REST: &str = include_str!("campaign.toml");

/// The answers that the file of a new campaign consists of.
struct Answers {
    name: String,
    command: Option<Vec<String>>,
    engine: Option<String>,
    stdin: bool,
    generators: Vec<String>,
    hang: Option<f64>,
}

pub(super) fn run(flags: &NewCampaignFlags) -> Result<Exit, Problem> {
    let answers = answers(flags)?;
    let cannot = |path: &Path, error: &std::io::Error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder")
    };
    let access = Access::OWNER;
    let is_new = !flags.folder.exists();
    match access.make_empty_dir(&flags.folder) {
        Err(error) => return Err(cannot(&flags.folder, &error)),
        Ok(false) => {
            let what = format!("the folder `{}` is not empty", flags.folder.display());
            return Err(Problem::new(Exit::Output, what).hint("give a new folder"));
        }
        Ok(true) => {}
    }
    let text = text(&answers);
    // Without a command, the file is an example, which does not work before it is edited.
    if (answers.command.is_some() || answers.engine.is_some())
        && let Err(problem) = tried(&flags.folder, &text)
    {
        if is_new {
            // A folder that is not empty, because someone else has just written in it, is kept.
            let _ = std::fs::remove_dir(&flags.folder);
        }
        return Err(problem);
    }
    let path = flags.folder.join(NAME);
    let written = access.write_new(&path, text.as_bytes());
    written.map_err(|error| cannot(&path, &error))?;
    let (file, folder) = (path.display(), flags.folder.display());
    say(&format!(
        "`{file}` is written: edit it, then\n  nubbin campaign check {folder}\n  nubbin campaign run {folder}"
    ));
    Ok(Exit::Done)
}

/// Refuses settings of the program and of the generators that `nubbin campaign check` would refuse.
fn tried(folder: &Path, text: &str) -> Result<(), Problem> {
    let cannot = |error: &std::io::Error| {
        let what = format!("cannot use the folder `{}`", folder.display());
        Problem::new(Exit::Input, what).because(error)
    };
    let back = std::env::current_dir().map_err(|error| cannot(&error))?;
    let whole = folder.canonicalize().map_err(|error| cannot(&error))?;
    let file = ConfigFile {
        path: whole.join(NAME),
        text: text.to_owned(),
    };
    let config = file.parse()?;
    let works = || {
        let setup = Setup::of(whole, (config, Origin::Draft(file)), &Given::one(), true)?;
        let scratch = PrivateFolder::new(1 << 20).map_err(|error| {
            Problem::new(Exit::Test, "cannot make a folder for the check").because(&error)
        })?;
        let scratch = Store::create(scratch.path()).map_err(|error| store::problem(&error))?;
        setup.jobs(&scratch, true).map(drop)
    };
    let works = works();
    // The setup works in the folder of the campaign.
    std::env::set_current_dir(back).map_err(|error| cannot(&error))?;
    works
}

fn answers(flags: &NewCampaignFlags) -> Result<Answers, Problem> {
    let mut answers = Answers {
        name: "program".to_owned(),
        command: None,
        engine: flags.engine.clone(),
        stdin: flags.stdin,
        generators: flags.generate.iter().map(|words| placed(words)).collect(),
        hang: flags.hang.map(|time| time.as_secs_f64()),
    };
    if !flags.command.is_empty() {
        let words = with_places(flags.command.clone()).into_iter().enumerate();
        let words = words.map(|(at, word)| absolute(&word, at > 0));
        answers.command = Some(words.collect::<Result<_, _>>()?);
    } else if flags.engine.is_none() {
        ask(&mut answers)?;
    }
    if answers.engine.is_none() && answers.generators.iter().any(|words| is_walk(words)) {
        answers.engine = Some(engine_of(&answers)?);
    }
    let of_command = answers.command.as_ref().and_then(|words| {
        let stem = Path::new(words.first()?).file_stem()?;
        Some(stem.to_string_lossy().into_owned())
    });
    if let Some(name) = flags.name.clone().or(of_command).or(flags.engine.clone()) {
        answers.name = name;
    }
    Ok(answers)
}

/// Returns the arguments of a generator, with whole paths: the campaign runs in its own folder.
fn placed(arguments: &str) -> String {
    let place = |word: String| match Path::new(&word).canonicalize() {
        Ok(path) if !word.starts_with('-') => path.to_string_lossy().into_owned(),
        _ => word,
    };
    // The first word is the kind of the generator, or a program.
    let words = shlex::split(arguments).map(|words| {
        let words = words.into_iter().enumerate();
        let words = words.map(|(at, word)| if at > 0 { place(word) } else { word });
        words.collect::<Vec<String>>()
    });
    let joined = words.and_then(|words| shlex::try_join(words.iter().map(String::as_str)).ok());
    joined.unwrap_or_else(|| arguments.to_owned())
}

/// Returns whether a generator makes expressions for an engine.
fn is_walk(arguments: &str) -> bool {
    arguments.split_whitespace().next() == Some("graph")
}

/// Returns the engine whose profile is of the program under test.
fn engine_of(answers: &Answers) -> Result<String, Problem> {
    let stem = |word: &str| Some(Path::new(word).file_stem()?.to_string_lossy().into_owned());
    let command = answers.command.as_ref().and_then(|words| words.first());
    let program = command.and_then(|word| stem(word));
    let profiles = Profile::all()?;
    let is_of = |profile: &&Profile| {
        let own = profile.command.first().into_iter().chain(&profile.others);
        let mut names = own
            .filter_map(|word| stem(word))
            .chain([profile.name.clone()]);
        program
            .as_ref()
            .is_some_and(|program| names.any(|name| name == *program))
    };
    let found = profiles
        .iter()
        .find(is_of)
        .map(|profile| profile.name.clone());
    found.ok_or_else(|| {
        let what = match program {
            Some(program) => format!("no engine is known by the program `{program}`"),
            None => "a generator of expressions needs an engine".to_owned(),
        };
        Problem::new(Exit::Usage, what)
            .hint("name it with `--engine NAME`; `nubbin engine list` lists the names")
    })
}

/// Returns a word that names a file as its whole path: the campaign runs in its own folder. The
/// program is found on the path if its name has no slash; an argument is a file of the folder also
/// without one.
pub(super) fn absolute(word: &OsString, is_argument: bool) -> Result<String, Problem> {
    let text = word.to_str().ok_or_else(|| {
        let what = format!("`{}` is not UTF-8", word.to_string_lossy());
        Problem::new(Exit::Usage, what)
    })?;
    let may_be_path = text.contains('/') || is_argument && Path::new(text).is_file();
    match Path::new(text).canonicalize() {
        Ok(path) if may_be_path => Ok(path.to_string_lossy().into_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// Asks what the flags do not say, if there is somebody to ask.
fn ask(answers: &mut Answers) -> Result<(), Problem> {
    if !screen::is_able() {
        return Ok(());
    }
    let line = |question: &str| -> Result<String, Problem> {
        say(question);
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        read.map_err(|error| Problem::new(Exit::Usage, "cannot read the answer").because(&error))?;
        Ok(line.trim().to_owned())
    };
    let command = line("Which command runs the program? (`{}` stands for the path of the test)")?;
    if !command.is_empty() {
        let words = shlex::split(&command.replace("@@", "{}"))
            .ok_or_else(|| Problem::new(Exit::Usage, "a quote in the command has no end"))?;
        answers.stdin |= !words.iter().any(|word| word.contains("{}"));
        let words = words.into_iter().map(OsString::from).enumerate();
        let words: Result<Vec<_>, _> = words.map(|(at, word)| absolute(&word, at > 0)).collect();
        answers.command = Some(words?);
    }
    let hang = line(
        "After which time, such as `10s`, is a test a hang, which is an issue? (empty: never)",
    )?;
    if !hang.is_empty() {
        let time = crate::flags::duration::duration(&hang);
        let time = time.map_err(|why| Problem::new(Exit::Usage, why))?;
        answers.hang = Some(time.as_secs_f64());
    }
    let generator = line(
        "What makes the tests? The arguments of `nubbin generate`, as `mutate /path/to/seeds` or \
         `grammar -g /path/to/x.bnf` (empty: random characters)",
    )?;
    if !generator.is_empty() {
        answers.generators.push(generator);
    }
    Ok(())
}

/// Returns a name as a key.
fn bare(name: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_".contains(char);
    match !name.is_empty() && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn text(answers: &Answers) -> String {
    let key = bare(&answers.name);
    let mut program = format!("[program.{key}]\n");
    if let Some(engine) = &answers.engine {
        program += &format!("engine = {}\n", quoted(engine));
    }
    let example = ["./program".to_owned(), "{}".to_owned()];
    let words = match (&answers.command, &answers.engine) {
        (Some(words), _) => Some(&words[..]),
        (None, Some(_)) => None,
        (None, None) => Some(&example[..]),
    };
    if let Some(words) = words {
        let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
        program += &format!("command = [{}]\n", words.join(", "));
    }
    if answers.stdin {
        program += "input = \"stdin\"\n";
    }
    if let Some(hang) = answers.hang {
        program += &format!("timeout = {hang}\nhang = true\n");
    }
    let mut generators = String::new();
    let usual = ["random".to_owned()];
    let all = match answers.generators.is_empty() {
        true => &usual[..],
        false => &answers.generators,
    };
    for (at, generator) in all.iter().enumerate() {
        let kind = generator.split_whitespace().next().unwrap_or("tests");
        let name = match at {
            0 => kind.to_owned(),
            at => format!("{kind}-{}", at + 1),
        };
        let name = bare(&name);
        generators += &format!("[generator.{name}]\ngenerate = {}\n", quoted(generator));
    }
    REST.replace("#PROGRAM\n", &program)
        .replace("#GENERATORS\n", &generators)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigFile;

    fn parsed(answers: &Answers) -> crate::config::Config {
        let file = ConfigFile {
            path: NAME.into(),
            text: text(answers),
        };
        file.parse().unwrap()
    }

    fn plain() -> Answers {
        Answers {
            name: "p".to_owned(),
            command: None,
            engine: None,
            stdin: false,
            generators: vec![],
            hang: None,
        }
    }

    #[test]
    fn a_written_campaign_can_be_read() {
        let config = parsed(&plain());
        assert!(config.program.contains_key("p"));
        assert!(config.generator.contains_key("random"));
        let config = parsed(&Answers {
            name: "a b".to_owned(),
            command: Some(vec!["/bin/cat".to_owned(), "a\"b".to_owned()]),
            stdin: true,
            generators: vec!["./random".to_owned(), "mutate seeds".to_owned()],
            hang: Some(2.5),
            ..plain()
        });
        assert!(config.program["a b"].get_ref().hang);
        assert!(config.generator.contains_key("mutate-2"));
    }

    #[test]
    fn every_key_in_a_comment_is_one_that_can_be_set() {
        // With the comment marks removed, the examples in comments are read as well.
        let examples = REST.lines().map(|line| {
            let key = line.strip_prefix("# ").unwrap_or(line);
            let is_key = key.starts_with('[')
                || key.split_once(" = ").is_some_and(|(name, _)| {
                    name.chars()
                        .all(|char| char.is_ascii_lowercase() || char == '-')
                });
            match (line.starts_with("# "), is_key) {
                (true, true) => key.to_owned() + "\n",
                (true, false) => String::new(),
                (false, _) => line.to_owned() + "\n",
            }
        });
        let text: String = examples.collect();
        let text = text
            .replace("#PROGRAM\n", "[program.p]\ncommand = [\"p\", \"{}\"]\n")
            .replace("#GENERATORS\n", "[generator.g]\ngenerate = \"random\"\n");
        let file = ConfigFile {
            path: NAME.into(),
            text,
        };
        file.parse().unwrap();
    }
}
