use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Spans, Work};
use nubbin_view::imports::imports;

/// Deletes lines that include or import other modules, first all at once.
///
/// The pass knows `#include`, `import`, `from … import`, `use`, `using`, `require`, `extern crate`,
/// `@import`, `open`, and `package`. When the code has shrunk to a few lines, most of these lines
/// are not needed, or only needed by each other. An import with open brackets reaches to the line
/// where they close.
///
/// Use it in the middle of a run, after the uses are removed. On an input of several files it also
/// makes files removable by [`Files`](crate::Files).
///
/// Cost: one test, or a list of as many units as there are such lines.
///
/// Source: C-Reduce's include passes (Regehr et al., PLDI 2012), extended to other languages.
///
/// ```
/// use nubbin_reduce::pass::{Includes, preview};
///
/// let first = preview(&Includes, b"use a::{\n  b,\n};\nfn f() {}\nuse c;\n", 2);
/// assert_eq!(first, ["fn f() {}\n", "use a::{\n  b,\n};\nfn f() {}\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Includes;

impl Pass for Includes {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "includes",
            "deletes lines that include or import other files",
            "C-Reduce (Regehr et al. 2012)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let found: Vec<Span> = imports(file.text)
            .into_iter()
            .map(|span| Span::new(span.start + file.span.start, span.end + file.span.start))
            .collect();
        if found.is_empty() {
            return None;
        }
        Some(Work::List(List::new(Spans::new(found)).try_all()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn imports_of_many_languages_are_removed_in_one_test() {
        let text = b"# include <a>\nimport b\nfrom c import (d,\n  e)\nusing namespace f;\nconst g = require('g');\nrequire \"h\"\nx\nopen I\n";
        assert_eq!(proposals(&Includes, text)[0], b"x\n");
    }

    #[test]
    fn lines_that_only_begin_like_imports_stay() {
        let text =
            b"important = 1\nfrom = 2\nuse = 3\nopen(f)\nrequire(x)\nimports\nconst a = 1;\n";
        assert!(proposals(&Includes, text).is_empty());
    }

    #[test]
    fn an_import_that_is_needed_stays() {
        let left = reduce_with(
            &Includes,
            b"import a\nimport b\nimport c\nb.d()\n",
            |text| text.windows(9).any(|w| w == b"import b\n"),
        );
        assert_eq!(left, b"import b\nb.d()\n");
    }
}
