//! Grammars in programs of Python, as in *The Fuzzing Book*: how to write them as JSON, which
//! nubbin reads.

use super::notations::notations;
use std::path::Path;

/// Returns the variables of a program whose value is a dictionary that has a symbol as its first
/// key.
fn grammars(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((line, behind)) = rest.split_once('{') {
        let begin = line.rsplit('\n').next().unwrap_or_default();
        let name = begin
            .split_once('=')
            .map(|(name, value)| (name, value.trim()));
        if let Some((name, "")) = name
            && let name = name.split(':').next().unwrap_or_default().trim_end()
            && is_name(name)
            && has_symbol(behind)
        {
            found.push(name);
        }
        rest = behind;
    }
    found
}

fn is_name(text: &str) -> bool {
    let is_letter = |char: char| char == '_' || char.is_alphabetic();
    text.starts_with(is_letter)
        && text
            .chars()
            .all(|char| is_letter(char) || char.is_numeric())
}

/// Returns whether a text begins with a symbol in quotes, after white space and comments.
fn has_symbol(text: &str) -> bool {
    let mut text = text.trim_start();
    while let Some(comment) = text.strip_prefix('#') {
        let Some((_, behind)) = comment.split_once('\n') else {
            return false;
        };
        text = behind.trim_start();
    }
    let quoted = text
        .strip_prefix(['\'', '"'])
        .and_then(|text| text.strip_prefix('<'));
    quoted.is_some_and(|text| {
        text.split(['\'', '"'])
            .next()
            .is_some_and(|it| it.ends_with('>'))
    })
}

/// Returns the command that writes the grammar of a Python file as JSON, if the text has one.
pub(super) fn advice(path: &Path, text: &str) -> Option<String> {
    let names = grammars(text);
    let is_python = path.extension().is_some_and(|ending| ending == "py");
    let name = match names.first() {
        Some(name) => *name,
        None if is_python => "GRAMMAR",
        None => return None,
    };
    let file = serde_json::to_string(path.to_str()?).ok()?;
    // Tuples of the book have options behind the alternative, which are not a part of the notation.
    let program = format!(
        "import json, runpy; g = runpy.run_path({file})[\"{name}\"]; \
         print(json.dumps({{k: [a[0] if isinstance(a, tuple) else a for a in v] for k, v in g.items()}}))"
    );
    let program = shlex::try_quote(&program).ok()?;
    let json = path.with_extension("json");
    let json = shlex::try_quote(json.to_str()?).ok()?;
    let others = match names.len() {
        0 => "\nput the name of the dictionary in the place of `GRAMMAR`".to_owned(),
        1 => String::new(),
        _ => format!("\nthe file also has {}", names[1..].join(", ")),
    };
    Some(format!(
        "`{}` is a program of Python, and nubbin reads {}; write its dictionary as JSON:\n    \
         python3 -c {program} > {json}{others}",
        path.display(),
        notations()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_with_symbols_are_found() {
        let text = concat!(
            "import x\nA: Grammar = {\n  # the start\n  \"<start>\": [\"<a>\"],\n}\n",
            "B = { '<a-b>': ['{'] }\nC = {'a': 1}\nf(x={'<a>': 1})\nD == {'<a>'}\n",
        );
        assert_eq!(grammars(text), ["A", "B"]);
        assert_eq!(advice(Path::new("g.bnf"), "<a> ::= {'x'}"), None);
        let advice = advice(Path::new("my g.py"), text).unwrap();
        assert!(advice.contains("> 'my g.json'"), "{advice}");
        assert!(advice.contains("the file also has B"), "{advice}");
    }
}
