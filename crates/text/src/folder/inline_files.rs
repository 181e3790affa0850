use super::module_files::merged;
use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_engine::work::{Chain, Context, OneByOne, Pass, PassInfo, Work};
use nubbin_view::lines::lines;
use nubbin_view::mentions::{Mentions, Statement, StatementKind};
use std::borrow::Cow;

/// Replaces a line that includes a file with the content of the file, and removes the file.
///
/// Such a line is `#include "list.h"`, `@import 'a.css'`, `\input{part.tex}`, `from .list import
/// add`: an import or a short line that names another file of the input, and no second one
/// ([`Mentions`]). Where several lines name a file, the first is replaced with the content and the
/// others are deleted, which is right for a header that guards itself against being included twice.
/// The content of a Rust module (`mod list;`) is first tried without the module around it, then in
/// brackets; names lose the module before them. Files of one package (`package list`) become one
/// file, and a package that one file imports becomes a part of that file, as in Go. Where both
/// define a name, the one in the package is replaced with a free name.
///
/// A report of one file is easier to read and to send than one of four, and passes that look at one
/// file at a time then see definition and use together.
///
/// The lines of a header that guard it against being included twice (`#ifndef`, `#pragma once`) are
/// removed with it. First all files become one, then those of each half of the list, and then each
/// file by itself: headers that include each other, and modules within modules, are one file after
/// one test.
///
/// Use it on inputs of several files, after most of their content is removed. The pass only
/// proposes a change that makes the input shorter, by the lines that it deletes.
///
/// Cost: three tests for all files, one test per file that is named or of a package, three for
/// a Rust module.
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

/// Larger files are not moved.
const LARGE_FILE: usize = 1 << 20;

/// The maximum number of files that become one file in one test.
const MANY_FILES: usize = 64;

/// The files of larger inputs become one file one by one.
const LARGE_INPUT: usize = 1 << 16;

impl Pass for InlineFiles {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "inline-files",
            "replaces an include line with the content of the file",
            "C-Reduce (Regehr et al. 2012), here by name alone",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if context.input.file_count() < 2 {
            return None;
        }
        let mentions = Mentions::seen(context.views, context.input);
        let mut edits: Vec<Edit> = vec![];
        let mut inlined: Vec<usize> = vec![];
        for file in context.input.present() {
            let before = edits.len();
            edits.extend(of_file(context.input, &mentions, &file));
            if edits.len() > before {
                inlined.push(file.number);
            }
        }
        let together = together(context.input, &inlined);
        let works = [OneByOne::new(together).first_only(), OneByOne::new(edits)];
        let works = works.map(|machine| Work::Machine(Box::new(machine)));
        (!inlined.is_empty()).then(|| Chain::work(works, context.lists))?
    }
}

/// Returns the edits that make a file a part of another one, the most likely one first.
fn of_file(input: &Input, mentions: &Mentions, file: &File<'_>) -> Vec<Edit> {
    if file.text.len() > LARGE_FILE {
        return vec![];
    }
    let mut edits = merged(input, mentions, file);
    edits.extend(inline(input, mentions, file));
    edits.retain(|edit| edit.growth() < 0);
    edits
}

/// Returns the edit that makes all given files parts of others, and the edits that do so for each
/// half of the files.
fn together(input: &Input, files: &[usize]) -> Vec<Edit> {
    // Each step examines the whole input.
    if files.len() < 2 || files.len() > MANY_FILES || input.size() > LARGE_INPUT {
        return vec![];
    }
    let (first, second) = files.split_at(files.len() / 2);
    let halves = [first, second].into_iter().filter(|half| half.len() > 1);
    [files]
        .into_iter()
        .chain(halves)
        .map(|files| one_after_another(input, files))
        .collect()
}

/// Returns the edit that makes each of the given files a part of another one.
fn one_after_another(input: &Input, files: &[usize]) -> Edit {
    let mut now = input.clone();
    let mut all = Edit::none();
    for &number in files {
        let Some(file) = now.file(number) else {
            continue;
        };
        let first = of_file(&now, &Mentions::of(&now), &file).into_iter().next();
        if let Some(edit) = first {
            now = now.apply(&edit);
            all = all.then(&edit);
        }
    }
    all
}

/// The first statement that names nothing but the file becomes its content; the others and the file
/// go.
fn inline(input: &Input, mentions: &Mentions, file: &File<'_>) -> Option<Edit> {
    let is_only = |statement: &&Statement| {
        let names = statement.names.as_slice();
        statement.kind == StatementKind::Lines
            && names.len() == 1
            && names[0].target == file.number
            && statement.span.len() as usize <= LONG_LINE
    };
    let first = mentions.statements.iter().find(is_only)?.span;
    let bytes = input.bytes().get(first.range())?;
    let ends = bytes.iter().rev().take_while(|byte| b"\r\n".contains(byte));
    let line = Span::new(first.start, first.end - ends.count() as u32);
    let content = without_guard(input, file);
    let content = content.strip_suffix(b"\n").unwrap_or(&content);
    let others = mentions.without(input, |number| number == file.number);
    // The mentions inside the file are removed with the file, and return with its content.
    let others = others
        .into_iter()
        .filter(|span| *span != first && !file.extent.covers(*span));
    let splices = [Splice::replace(line, content), Splice::delete(file.extent)];
    Edit::new(splices.into_iter().chain(others.map(Splice::delete))).ok()
}

/// Returns the content of a file without the lines that guard it against being included twice,
/// where no other file looks at their name.
fn without_guard<'t>(input: &Input, file: &File<'t>) -> Cow<'t, [u8]> {
    let text = file.text;
    let found: Vec<Span> = lines(text)
        .filter(|line| !text[line.range()].trim_ascii().is_empty())
        .collect();
    let words = |line: &Span| {
        let text = text[line.range()].trim_ascii();
        let text = text.strip_prefix(b"#").unwrap_or_default();
        let words = text.split(u8::is_ascii_whitespace);
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    let of = |line: Option<&Span>| line.map(&words).unwrap_or_default();
    if of(found.first()) == [b"pragma".as_slice(), b"once"] {
        return Cow::Borrowed(&text[found[0].end as usize..]);
    }
    let first = of(found.first());
    let (Some(last), &[test, name]) = (found.last(), first.as_slice()) else {
        return Cow::Borrowed(text);
    };
    let is_defined = of(found.get(1)).starts_with(&[b"define", name]);
    let is_ended = of(Some(last)).first().is_some_and(|word| *word == b"endif");
    let others = input.present().filter(|other| other.number != file.number);
    let is_seen = |other: File<'_>| other.text.windows(name.len()).any(|at| at == name);
    if test != b"ifndef" || !is_defined || !is_ended || others.into_iter().any(is_seen) {
        return Cow::Borrowed(text);
    }
    // The last line closes the first one only if all conditions in between are complete.
    let mut depth = 0_i32;
    for line in &found[..found.len() - 1] {
        match of(Some(line)).first() {
            Some(word) if word.starts_with(b"if") => depth += 1,
            Some(word) if *word == b"endif" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Cow::Borrowed(text);
        }
    }
    let inner = found[1].end as usize..last.start as usize;
    Cow::Owned([&text[inner], &text[last.end as usize..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_input;
    use nubbin_engine::work::{Lists, Views};

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
                ("p/main.c", "int b;\nint a;\nint x;\n"),
                ("p/other.txt", "not named"),
            ]
        );
        // A rejected edit leaves the file unchanged.
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
        let result = reduce_input(&InlineFiles, input(&files), |_| true);
        assert_eq!(left(&result)[0], ("a/x.tex", "mine"));
    }

    #[test]
    fn headers_that_include_each_other_become_one_file_in_one_test() {
        let files = [
            ("main.c", "#include \"a.h\"\nint x;\n"),
            (
                "a.h",
                "#ifndef A_H\n#define A_H\n#include \"b.h\"\n#if Y\nint y;\n#endif\n#endif\n",
            ),
            ("b.h", "#pragma once\n\n#include \"c.h\"\n"),
            ("c.h", "#ifndef C_H\n#define C_H\nint c;\n#endif\n"),
        ];
        let mut input = input(&files);
        let open = InlineFiles.open(
            &input.file(0).unwrap(),
            &Context::of(&input, &Views::default()),
        );
        let mut machine = open.unwrap().start(&Lists::default());
        input = input.apply(&machine.next().unwrap());
        let one = "int c;\n#if Y\nint y;\n#endif\nint x;\n";
        let texts: Vec<_> = left(&input)
            .into_iter()
            .map(|(_, text)| text.replace("\n\n", "\n"))
            .collect();
        assert_eq!(texts.concat().trim_start(), one);
    }

    #[test]
    fn lines_that_are_no_guard_are_kept() {
        let content = |header: &str, main: &str| {
            let input = input(&[("a.h", header), ("main.c", main)]);
            let content = without_guard(&input, &input.file(0).unwrap());
            String::from_utf8(content.to_vec()).unwrap()
        };
        let guarded = "#ifndef A_H\n#define A_H 1\nint a;\n#endif // A_H\n";
        assert_eq!(content(guarded, ""), "int a;\n");
        assert_eq!(content(guarded, "#ifdef A_H\n#endif\n"), guarded);
        for text in [
            "#ifndef A\n#define A\n#endif\nint a;\n#ifdef B\n#endif\n",
            "#ifndef A\n#define B\nint a;\n#endif\n",
            "int a;\n",
            "",
        ] {
            assert_eq!(content(text, ""), text);
        }
    }

    #[test]
    fn files_that_include_each_other_cause_no_error() {
        let input = input(&[("a.h", "#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")]);
        let result = reduce_input(&InlineFiles, input, |input| input.present().count() > 0);
        assert_eq!(result.present().count(), 1);
    }
}
