use super::module_files::merged;
use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_engine::work::{Context, OneByOne, Pass, PassInfo, Work};
use nubbin_view::mentions::{Mentions, Statement, StatementKind};

/// Replaces a line that includes a file by the content of the file, and removes the file.
///
/// Such a line is `#include "list.h"`, `@import 'a.css'`, `\input{part.tex}`, `from .list import
/// add`: an import or a short line that names another file of the input, and no second one
/// ([`Mentions`]). Where several lines name a file, the first is replaced by the content and the
/// others are deleted, which is right for a header that guards itself against being included twice.
/// The content of a module of Rust (`mod list;`) is first tried without the module around it, then
/// in brackets; names lose the module before them. Files of one package (`package list`) become one
/// file, and a package that one file imports becomes a part of that file, as in Go. Where both
/// define a name, that of the package is replaced by a free one.
///
/// A report of one file is easier to read and to send than one of four, and passes that look at one
/// file at a time then see definition and use together.
///
/// Use it on inputs of several files, after most of their content is removed. It only proposes a
/// change that makes the input shorter, by the lines that it deletes.
///
/// Cost: one test for each file that is named or of a package, three for a module of Rust.
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

impl Pass for InlineFiles {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "inline-files",
            "replaces an include line by the content of the file",
            "C-Reduce (Regehr et al. 2012), here by name alone",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if context.input.file_count() < 2 {
            return None;
        }
        let mentions = Mentions::seen(context.views, context.input);
        let edits: Vec<Edit> = context
            .input
            .present()
            .filter(|file| file.text.len() <= LARGE_FILE)
            .flat_map(|file| {
                let parts = merged(context.input, &mentions, &file);
                parts
                    .into_iter()
                    .chain(inline(context.input, &mentions, &file))
            })
            .filter(|edit| edit.growth() < 0)
            .collect();
        (!edits.is_empty()).then(|| Work::Machine(Box::new(OneByOne::new(edits))))
    }
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
    let content = file.text.strip_suffix(b"\n").unwrap_or(file.text);
    let others = mentions.without(input, |number| number == file.number);
    // The mentions within the file itself are removed with it, and return with its content.
    let others = others
        .into_iter()
        .filter(|span| *span != first && !file.extent.covers(*span));
    let splices = [Splice::replace(line, content), Splice::delete(file.extent)];
    Edit::new(splices.into_iter().chain(others.map(Splice::delete))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_input;

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
