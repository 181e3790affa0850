use super::file_tree::FileTree;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};

/// Removes whole files with all lines that name them, and many files before single ones.
///
/// A file is removed together with the lines of other files that include or import it, and with its
/// entries in lists and in the description of the build ([`Mentions`]): a header that is still
/// included cannot be removed alone. A file that is only named by one other file, or by files that
/// are only named by it, is within that one, so that one test removes both. Where files name each
/// other, they are in the order of their distance from the file that leads to most others, so that
/// neighbors are equally far from where the program begins. Otherwise the files of each folder that
/// follow each other are a unit as well. A single file is not removed.
///
/// In an input of many files most are usually not needed, and nothing saves as much for one test.
/// The pass pays again later, when the users of a file are removed.
///
/// Cost: a list of as many units as there are files; 2·log₂ *n* tests for each file needed, where
/// *n* counts the files beside it.
///
/// Source: Shrink Ray removes directories. Here a removal is an ordinary edit, so any list
/// minimizer does it. The lines that name a file are ours; so is the tree by dominators (Cooper,
/// Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001).
///
/// [`Mentions`]: nubbin_view::mentions::Mentions
///
/// ```
/// use nubbin_reduce::pass::{Files, preview};
///
/// assert!(preview(&Files, b"only one file", 9).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Pass for Files {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "files",
            "removes whole files and folders with the lines that name them",
            "Shrink Ray (MacIver), for directories",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        (context.input.present().count() > 1)
            .then(|| FileTree::of(context.views, context.input).forest().walk())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Input;
    use nubbin_engine::testing::{proposals, reduce_input};
    use std::cell::Cell;

    #[test]
    fn files_that_are_not_needed_are_removed() {
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

    #[test]
    fn a_file_is_removed_with_the_lines_that_name_it() {
        let files = [
            ("main.c", "#include \"a.h\"\n#include \"b.h\"\nint x;\n"),
            ("a.h", "#include \"c.h\"\nint a;\n"),
            ("b.h", "int b;\n"),
            ("c.h", "int c;\n"),
            ("Makefile", "FILES = main.c a.h b.h c.h\n"),
        ];
        let input = Input::files(files.map(|(name, text)| (name, text.into()))).unwrap();
        // Every include needs its file.
        let is_whole = |input: &Input| {
            let names: Vec<_> = input.present().map(|file| file.name.to_owned()).collect();
            input.present().all(|file| {
                let text = std::str::from_utf8(file.text).unwrap();
                let named = text.split('"').filter(|word| word.ends_with(".h"));
                named
                    .into_iter()
                    .all(|name| names.iter().any(|other| other.ends_with(name)))
            })
        };
        let left = reduce_input(&Files, input, |input| {
            is_whole(input) && input.file(0).is_some() && input.file(2).is_some()
        });
        let texts: Vec<_> = left.present().map(|file| file.text.to_vec()).collect();
        assert_eq!(
            texts,
            [b"#include \"b.h\"\nint x;\n".to_vec(), b"int b;\n".to_vec()]
        );
    }

    #[test]
    fn one_file_of_many_folders_is_found_in_few_tests() {
        let name = |nth: u32| format!("p/{}/{}/f{nth}", nth % 10, nth % 50);
        let mut names: Vec<_> = (0..5000).map(name).collect();
        names.sort();
        let input = Input::files(names.into_iter().map(|name| (name, vec![b'x'; 9]))).unwrap();
        let tests = Cell::new(0);
        let left = reduce_input(&Files, input, |input| {
            tests.set(tests.get() + 1);
            input.present().any(|file| file.name.ends_with("f3210"))
        });
        assert_eq!(left.present().count(), 1);
        assert!(tests.get() <= 40, "{}", tests.get());
    }
}
