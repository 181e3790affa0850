//! The program that a test runs by an interpreter, if its files are a part of the input.

use std::path::{Component, Path, PathBuf};

/// Programs that run a script, without the digits of their version.
const INTERPRETERS: [&str; 14] = [
    "bash", "bun", "dash", "deno", "ksh", "lua", "node", "nodejs", "perl", "php", "python", "pypy",
    "ruby", "sh",
];

/// The endings of the names of scripts.
const ENDINGS: [&str; 12] = [
    "bash", "cjs", "js", "lua", "mjs", "mts", "php", "pl", "py", "rb", "sh", "ts",
];

/// Flags of interpreters after which no script follows.
const OF_CODE: [&str; 6] = ["-c", "-e", "-m", "-p", "--eval", "--print"];

/// Flags of interpreters whose value is the next word.
const WITH_VALUE: [&str; 7] = ["-W", "-X", "-I", "-r", "--require", "--import", "--loader"];

/// Programs whose script is the word after the flag `-f`.
const WITH_FILE: [&str; 5] = ["awk", "gawk", "jq", "mawk", "sed"];

/// Returns the script that an interpreter runs, if the first word is an interpreter and the script
/// has the name of one.
pub fn script_of<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let mut words = words.into_iter();
    let name = name_of(words.next()?)?;
    if WITH_FILE.contains(&name) {
        words.find(|word| ["-f", "--file", "--from-file"].contains(word))?;
        return words.next().filter(|word| *word != "-");
    }
    if !INTERPRETERS.contains(&name) {
        return None;
    }
    loop {
        let word = words.next()?;
        if OF_CODE.contains(&word) {
            return None;
        }
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !(word == "run" && ["deno", "bun"].contains(&name) || word.starts_with('-')) {
            let ending = Path::new(word).extension()?.to_str()?;
            return ENDINGS.contains(&ending).then_some(word);
        }
    }
}

/// Returns the name of a program without the digits of its version.
fn name_of(program: &str) -> Option<&str> {
    let name = Path::new(program).file_name()?.to_str()?;
    Some(name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.'))
}

/// Returns the files among `names` that are the program under test: the scripts that an interpreter
/// runs in the text of a command or script, and the files that these scripts probably load, which
/// have the same ending and which the text does not name.
///
/// Returns nothing if no other file is left, as the program itself is the input then.
pub fn programs_called(text: &str, names: &[PathBuf]) -> Vec<PathBuf> {
    let mut scripts: Vec<&PathBuf> = Vec::new();
    let mut named: Vec<&PathBuf> = Vec::new();
    // A comment is not a command.
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    for line in lines.flat_map(|line| line.split([';', '|', '&', '(', ')', '`'])) {
        let is_between = |char: char| char.is_whitespace() || "'\"<>,[]=".contains(char);
        let words: Vec<&str> = line.split(is_between).filter(|it| !it.is_empty()).collect();
        named.extend(words.iter().filter_map(|word| file_of(word, names)));
        let calls = (0..words.len()).filter_map(|at| script_of(words[at..].iter().copied()));
        scripts.extend(calls.filter_map(|script| file_of(script, names)));
    }
    let is_loaded = |name: &&PathBuf| {
        let is_of = |script: &&PathBuf| script.extension() == name.extension();
        !named.contains(name) && scripts.iter().any(is_of)
    };
    let is_of_program = |name: &&PathBuf| scripts.contains(name) || is_loaded(name);
    let found: Vec<PathBuf> = names.iter().filter(is_of_program).cloned().collect();
    match found.len() < names.len() {
        true => found,
        false => Vec::new(),
    }
}

/// Returns the file that a word of a command names. The folder of the command may be another one
/// than the folder of the names.
fn file_of<'n>(word: &str, names: &'n [PathBuf]) -> Option<&'n PathBuf> {
    let path = Path::new(word);
    if let Some(whole) = names.iter().find(|name| path.ends_with(name)) {
        return Some(whole);
    }
    let is_above = |part: &Component<'_>| match part {
        Component::Normal(name) => {
            let name = name.to_string_lossy();
            name.starts_with('$') || name == "{}"
        }
        _ => true,
    };
    let end: PathBuf = path.components().skip_while(is_above).collect();
    if end.as_os_str().is_empty() {
        return None;
    }
    let mut same = names.iter().filter(|name| name.ends_with(&end));
    // Two files of the same name cannot be told apart.
    same.next().filter(|_| same.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(text: &str, names: &[&str]) -> Vec<String> {
        let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        let called = programs_called(text, &names).into_iter();
        called.map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn the_script_of_an_interpreter_and_its_modules_are_the_program() {
        let names = ["in.txt", "parser.py", "lib/lex.py", "bad.py"];
        let expected = ["parser.py", "lib/lex.py", "bad.py"];
        for text in [
            "python3 -u parser.py in.txt",
            "#!/bin/sh\noutput=$(python3 parser.py in.txt 2>&1)\n",
            "/usr/bin/python3.11 -W ignore '{}/parser.py' '{}/in.txt'",
            "timeout 5 python3 \"$1/parser.py\"",
            "sh -c 'python3 ./parser.py in.txt | grep x'",
            "subprocess.run([\"python3\", \"parser.py\"])",
        ] {
            assert_eq!(called(text, &names), expected, "{text}");
        }
        // A file that the command names is its input.
        let found = called("python3 parser.py bad.py", &names);
        assert_eq!(found, ["parser.py", "lib/lex.py"]);
        assert_eq!(
            called("python3 lex.py", &["lib/lex.py", "a"]),
            ["lib/lex.py"]
        );
        assert_eq!(called("jq -f a.jq in.json", &["a.jq", "in.json"]), ["a.jq"]);
    }

    #[test]
    fn other_commands_and_a_program_alone_are_inputs() {
        for text in [
            "gcc -c a.c",
            "python3 {}",
            "python3 -c 'import a' in.txt",
            "# python3 parser.py",
            "node in.txt",
        ] {
            assert_eq!(
                called(text, &["a.c", "parser.py", "in.txt"]),
                [""; 0],
                "{text}"
            );
        }
        assert_eq!(called("python3 a.py", &["a.py", "b.py"]), [""; 0]);
        assert_eq!(called("python3 a.py", &["x/a.py", "y/a.py", "b"]), [""; 0]);
    }
}
