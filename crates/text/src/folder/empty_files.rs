use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Spans, Work};

/// Empties whole files, and keeps the files themselves.
///
/// A header that is included, a module that is imported, or a file that is listed must exist, while
/// nothing in it may be needed. Removing such a file does not work, and all later passes would
/// delete its content piece by piece. The texts of all files are a list, so one test empties many.
///
/// Use it on inputs of several files, after [`Files`](crate::Files). A single file is left to
/// [`Trivial`](crate::Trivial).
///
/// Cost: a list of as many units as there are files that are not empty; 2·log₂ *n* tests per file
/// whose content is needed.
///
/// Source: our own, as far as we know; C-Reduce and Shrink Ray begin with the empty file, for each
/// file by itself.
///
/// ```
/// use nubbin_reduce::pass::{EmptyFiles, preview};
///
/// assert!(preview(&EmptyFiles, b"only one file", 9).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyFiles;

impl Pass for EmptyFiles {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "empty-files",
            "empties files that cannot be removed",
            "ours",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if context.input.file_count() < 2 {
            return None;
        }
        let texts = context.input.present().map(|file| file.span);
        let texts: Vec<Span> = texts.filter(|span| !span.is_empty()).collect();
        (!texts.is_empty()).then(|| Work::List(List::new(Spans::new(texts))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Input;
    use nubbin_engine::testing::reduce_input;

    #[test]
    fn files_that_only_need_to_exist_are_emptied() {
        let files = (0..20).map(|i| (format!("f{i}"), vec![b'a' + i; 5]));
        let input = Input::files(files).unwrap();
        let left = reduce_input(&EmptyFiles, input, |input| {
            input.present().count() == 20 && input.file(7).is_some_and(|file| !file.text.is_empty())
        });
        let texts: Vec<_> = left.present().map(|file| file.text).collect();
        assert_eq!(texts.len(), 20);
        assert_eq!(texts.concat(), b"hhhhh");
    }
}
