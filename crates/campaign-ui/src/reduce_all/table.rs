//! The tables of the campaign of `nubbin reduce-all`.

use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::new::{absolute, quoted};
use crate::problem::Problem;
use crate::sandbox;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Component, Path};

/// Programs that run the program in the next word.
const INTERPRETERS: [&str; 8] = [
    "sh", "bash", "python", "python3", "node", "ruby", "perl", "env",
];

/// Returns the name of the program: that of the script of an interpreter, without its extension.
pub(super) fn program(command: &[OsString]) -> String {
    let stem = |word: &OsStr| {
        let stem = Path::new(word).file_stem().unwrap_or(word);
        stem.to_string_lossy().into_owned()
    };
    let mut words = command.iter().map(|word| stem(word));
    let first = words.next().unwrap_or_default();
    if !INTERPRETERS.contains(&&*first) {
        return first;
    }
    match command.get(1).filter(|word| Path::new(word).is_file()) {
        Some(script) => stem(script),
        None => first,
    }
}

/// Returns the variables of the environment, as in the tables.
fn env(flags: &ReduceAllFlags) -> Result<String, Problem> {
    let each = flags.env.iter().map(|pair| {
        let pair = pair.to_str().ok_or_else(|| {
            let what = format!("`--env {}` is not UTF-8", pair.to_string_lossy());
            Problem::new(Exit::Usage, what)
        })?;
        Ok(quoted(pair))
    });
    Ok(each.collect::<Result<Vec<_>, Problem>>()?.join(", "))
}

/// Returns the tables of the campaign.
pub(super) fn text(
    flags: &ReduceAllFlags,
    folder: &Path,
    extension: Option<&str>,
) -> Result<String, Problem> {
    let words: Vec<String> = (flags.command.iter().enumerate())
        .map(|(at, word)| Ok(quoted(&absolute(word, at > 0)?)))
        .collect::<Result<_, Problem>>()?;
    let folder = folder.to_str().ok_or_else(|| {
        let what = format!("`{}` is not UTF-8", folder.display());
        Problem::new(Exit::Usage, what)
    })?;
    let mut text = format!(
        "[program.{}]\ncommand = [{}]\n",
        quoted(&program(&flags.command)),
        words.join(", ")
    );
    if flags.stdin {
        text += "input = \"stdin\"\n";
    }
    if let Some(extension) = extension {
        let _ = writeln!(text, "name = \"test.{extension}\"");
    }
    if !flags.exit.is_empty() {
        let _ = writeln!(text, "exit = {:?}", flags.exit);
    }
    if !flags.identity.is_empty() {
        let all: Vec<_> = flags.identity.iter().map(|text| quoted(text)).collect();
        let _ = writeln!(text, "identity = [{}]", all.join(", "));
    }
    if !flags.stderr.is_empty() {
        let all: Vec<_> = flags.stderr.iter().map(|text| quoted(text)).collect();
        let _ = writeln!(text, "stderr = [{}]", all.join(", "));
    }
    if !flags.env.is_empty() {
        let _ = writeln!(text, "env = [{}]", env(flags)?);
    }
    if let Some(time) = flags.hang.or(flags.timeout) {
        let _ = writeln!(text, "timeout = {:?}", time.as_secs_f64());
    }
    if flags.hang.is_some() {
        text += "hang = true\n";
    }
    if !flags.with.is_empty() {
        let _ = writeln!(text, "with = [{}]", with(flags)?);
    }
    text += &sandbox::table(&flags.sandbox.clone().into())?;
    if let Some(memory) = &flags.memory {
        let _ = writeln!(text, "memory = {}", quoted(memory));
    }
    let _ = writeln!(text, "reduce.max-tests = {}", flags.max_tests);
    if let Some(language) = &flags.language {
        let _ = writeln!(text, "reduce.language = {}", quoted(language));
    }
    let _ = writeln!(text, "\n[generator.files]\nfolder = {}", quoted(folder));
    Ok(text)
}

/// Returns the files and folders that are beside each file that is tested, as in the tables.
fn with(flags: &ReduceAllFlags) -> Result<String, Problem> {
    let each = flags.with.iter().map(|path| {
        // The test has a folder under its own name.
        let first = path.components().next();
        let shared = match first {
            Some(Component::Normal(name)) => Path::new(name),
            _ => path,
        };
        let whole = shared.canonicalize().map_err(|error| {
            let what = format!("cannot use `--with {}`", path.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        let text = whole.to_str().ok_or_else(|| {
            let what = format!("`{}` is not UTF-8", whole.display());
            Problem::new(Exit::Usage, what)
        })?;
        Ok(quoted(text))
    });
    Ok(each.collect::<Result<Vec<_>, Problem>>()?.join(", "))
}
