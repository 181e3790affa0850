use super::{Context, Pass};
use crate::input::File;
use crate::span::Span;
use crate::work::{List, Spans, Work};

/// Removes whole files.
///
/// Each file that is there is a unit, in the order the user named them; a single file is not
/// removed. In an input of many files most are usually not needed, and nothing saves as much for
/// one test. It pays again later, when what used a file has gone.
///
/// Cost: a list of as many units as there are files; 2·log₂ *n* tests for each file needed.
///
/// Source: Shrink Ray does so for directories. Here removal is an ordinary deletion (of the file's
/// [extent](crate::input::File::extent)), so any list algorithm does it.
///
/// ```
/// use nubbin_reduce::pass::{Files, preview};
///
/// assert!(preview(&Files, b"only one file", 9).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Pass for Files {
    fn id(&self) -> &'static str {
        "files"
    }

    fn about(&self) -> &'static str {
        "removes whole files"
    }

    fn source(&self) -> &'static str {
        "Shrink Ray (MacIver), for directories"
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let extents: Vec<Span> = context.input.present().map(|file| file.extent).collect();
        (extents.len() > 1).then(|| Work::List(List::new(Spans::new(extents))))
    }

    fn whole_input(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use crate::pass::testing::{proposals, reduce_input};

    #[test]
    fn files_that_are_not_needed_go() {
        let files = (0..20).map(|i| (format!("f{i}"), vec![b'a' + i]));
        let input = Input::files(files).unwrap();
        let left = reduce_input(&Files, input, |input| {
            input.file(3).is_some() && input.file(17).is_some()
        });
        let names: Vec<_> = left.present().map(|file| file.text.to_vec()).collect();
        assert_eq!(names, [b"d", b"r"]);
    }

    #[test]
    fn the_last_file_can_go_but_a_single_one_is_never_proposed() {
        let input = Input::files([("a", vec![]), ("b", vec![0, 0xff])]).unwrap();
        assert_eq!(reduce_input(&Files, input, |_| true).size(), 0);
        assert!(proposals(&Files, b"x").is_empty());
    }
}
