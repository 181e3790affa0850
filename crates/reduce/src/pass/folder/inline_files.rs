use crate::edit::{Edit, Splice};
use crate::input::{File, Input};
use crate::pass::{Context, Pass};
use crate::span::Span;
use crate::view::lines::lines;
use crate::work::{OneByOne, Work};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Replaces a line that includes a file by the content of the file, and removes the file.
///
/// Such a line is `#include "list.h"`, `@import 'a.css'`, `\input{part.tex}`, `source lib.sh`: any
/// short line that names another file of the input by its name and extension. Where several lines
/// name a file, the first is replaced by the content and the others are deleted, which is right for
/// a header that guards itself against being included twice. A report of one file is easier to read
/// and to send than one of four, and passes that look at one file at a time then see definition and
/// use together.
///
/// Use it on inputs of several files, when most of their content is gone. It only proposes a change
/// that makes the input shorter, by the lines that it deletes.
///
/// Cost: one test for each file that is named.
///
/// Source: C-Reduce inlines includes with the help of a compiler (Regehr et al., PLDI 2012).
/// Inlining by the name alone, for any language, is our own.
///
/// ```
/// use nubbin_reduce::pass::{InlineFiles, preview};
///
/// assert!(preview(&InlineFiles, b"#include \"a.h\"", 9).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineFiles;

/// The longest line that is taken to include a file and nothing more.
const LONG_LINE: usize = 200;

/// The most words of a line that is taken to include a file and nothing more.
const MANY_WORDS: usize = 4;

/// Larger files are not moved.
const LARGE_FILE: usize = 1 << 20;

impl Pass for InlineFiles {
    fn id(&self) -> &'static str {
        "inline-files"
    }

    fn about(&self) -> &'static str {
        "replaces an include line by the content of the file"
    }

    fn source(&self) -> &'static str {
        "C-Reduce (Regehr et al. 2012), here by name alone"
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if context.input.file_count() < 2 {
            return None;
        }
        let mentions = mentions(context.input);
        let edits: Vec<Edit> = mentions
            .iter()
            .filter_map(|(number, lines)| inline(&context.input.file(*number)?, lines))
            .filter(|edit| edit.growth() < 0)
            .collect();
        (!edits.is_empty()).then(|| Work::Machine(Box::new(OneByOne::new(edits))))
    }

    fn whole_input(&self) -> bool {
        true
    }
}

/// For each file that is named by lines of others, these lines, in order, without their ends.
fn mentions(input: &Input) -> Vec<(usize, Vec<Span>)> {
    let mut by_name: FxHashMap<&[u8], Vec<File<'_>>> = FxHashMap::default();
    for file in input.present().filter(|file| file.text.len() <= LARGE_FILE) {
        let name = file.name.file_name().map(|name| name.as_encoded_bytes());
        // A name without an extension may be any word.
        if let Some(name) = name.filter(|name| name.contains(&b'.')) {
            by_name.entry(name).or_default().push(file);
        }
    }
    let mut found: FxHashMap<usize, Vec<Span>> = FxHashMap::default();
    for file in input.present() {
        for line in lines(file.text).filter(|line| line.len() as usize <= LONG_LINE) {
            let text = file.text.get(line.range()).unwrap_or_default();
            let named = words(text).find_map(|word| resolve(word, &file, &by_name));
            if let Some(target) = named.filter(|_| words(text).count() <= MANY_WORDS) {
                let ends = text.iter().rev().take_while(|byte| b"\r\n".contains(byte));
                let end = line.end - ends.count() as u32;
                let start = file.span.start;
                let span = Span::new(start + line.start, start + end);
                found.entry(target).or_default().push(span);
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by_key(|(number, _)| *number);
    found
}

/// The parts of a line that could be paths.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+./".contains(byte) || *byte > 127;
    line.split(move |byte| !is_part(byte))
        .filter(|word| !word.is_empty())
}

/// The file that a word names: the one in the same folder, or the only one whose path ends so.
fn resolve(
    word: &[u8],
    from: &File<'_>,
    by_name: &FxHashMap<&[u8], Vec<File<'_>>>,
) -> Option<usize> {
    let last = word.rsplit(|&byte| byte == b'/').next()?;
    let mut plain = Path::new(std::str::from_utf8(word).ok()?);
    while let Ok(rest) = plain
        .strip_prefix("..")
        .or_else(|_| plain.strip_prefix("."))
    {
        plain = rest;
    }
    let fits = |file: &&File<'_>| file.number != from.number && file.name.ends_with(plain);
    let all: Vec<&File<'_>> = by_name.get(last)?.iter().filter(fits).collect();
    let beside = all
        .iter()
        .find(|file| file.name.parent() == from.name.parent());
    match (beside, all.as_slice()) {
        (Some(file), _) | (None, [file]) => Some(file.number),
        _ => None,
    }
}

/// The first line becomes the content, the others and the file go.
fn inline(file: &File<'_>, lines: &[Span]) -> Option<Edit> {
    let (first, others) = lines.split_first()?;
    let content = file.text.strip_suffix(b"\n").unwrap_or(file.text);
    let others = others.iter().map(|&line| Splice::delete(line));
    let splices = [
        Splice::replace(*first, content),
        Splice::delete(file.extent),
    ];
    Edit::new(splices.into_iter().chain(others)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::reduce_input;

    fn input(files: &[(&str, &str)]) -> Input {
        let files = files.iter().map(|&(name, text)| (name, text.into()));
        Input::files(files).unwrap()
    }

    fn left(input: &Input) -> Vec<(&str, &str)> {
        let files = input.present().map(|file| {
            let text = std::str::from_utf8(file.text).unwrap();
            (file.name.to_str().unwrap(), text)
        });
        files.collect()
    }

    #[test]
    fn the_included_file_replaces_the_line() {
        let input = input(&[
            (
                "p/main.c",
                "#include \"inc/a.h\"\n# include <b.h>\nint x;\n",
            ),
            ("p/inc/a.h", "#include \"b.h\"\nint a;\n"),
            ("p/inc/b.h", "int b;\n"),
            ("p/other.txt", "not named"),
        ]);
        let result = reduce_input(&InlineFiles, input.clone(), |_| true);
        assert_eq!(
            left(&result),
            [
                ("p/main.c", "#include \"b.h\"\nint a;\nint b;\nint x;\n"),
                ("p/other.txt", "not named"),
            ]
        );
        // A rejected edit does not move the file.
        let same = reduce_input(&InlineFiles, input.clone(), |_| false);
        assert_eq!(left(&same), left(&input));
    }

    #[test]
    fn a_name_is_looked_for_beside_the_line_first_and_must_be_clear() {
        let files = [
            ("a/x.tex", "\\input{part.tex} here"),
            ("a/part.tex", "mine"),
            ("b/part.tex", "yours"),
            ("c/y.tex", "\\input{part.tex}"),
            (
                "d/z.tex",
                "a long line that speaks of part.tex and does more",
            ),
        ];
        let lines = |number: usize| {
            let found = mentions(&input(&files))
                .into_iter()
                .find(|(at, _)| *at == number);
            found.map_or(0, |(_, lines)| lines.len())
        };
        assert_eq!((lines(1), lines(2)), (1, 0));
        let result = reduce_input(&InlineFiles, input(&files), |_| true);
        assert_eq!(left(&result)[0], ("a/x.tex", "mine"));
    }

    #[test]
    fn files_that_include_each_other_cause_no_error() {
        let input = input(&[("a.h", "#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")]);
        let result = reduce_input(&InlineFiles, input, |input| input.present().count() > 0);
        assert_eq!(result.present().count(), 1);
    }
}
