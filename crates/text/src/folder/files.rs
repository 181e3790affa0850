use super::file_tree::{FileChain, FileTree};
use nubbin_edit::{File, Input};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Views, Work};

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
/// Where many files only lead from one to another, such as headers that include each other, they
/// are one list. With the files between a program and the header that it needs, the line of the
/// program is not deleted: it names that header instead.
///
/// In an input of many files most are usually not needed, and nothing saves as much for one test.
/// The pass pays again later, when the users of a file are removed.
///
/// Cost: a list of as many units as there are files; 2·log₂ *n* tests per file needed, where *n*
/// counts the files next to it.
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

impl Files {
    /// Returns whether many files of an input only lead from one to another, as headers do that
    /// include each other.
    pub fn are_chained(input: &Input, views: &Views) -> bool {
        input.present().count() > 1 && FileTree::of(views, input).is_chained()
    }
}

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
        if context.input.present().count() < 2 {
            return None;
        }
        let tree = FileTree::of(context.views, context.input);
        match tree.is_chained() {
            true => Some(Work::List(List::new(FileChain::of(tree)).cumulative())),
            false => tree.forest().walk(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        // Every include requires its file.
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
    fn the_files_between_a_program_and_its_header_are_removed() {
        let chain = |nth: usize| match nth {
            11 => "int deep;\n".to_owned(),
            _ => format!("#include \"h{}.h\"\nint x{nth};\n", nth + 1),
        };
        let headers = (0..12).map(|nth| (format!("p/h{nth}.h"), chain(nth)));
        let main = (
            "p/main.c".to_owned(),
            "#include \"h0.h\"\nint y;\n".to_owned(),
        );
        let mut files: Vec<(String, String)> = headers.chain([main]).collect();
        files.sort();
        let files = files
            .into_iter()
            .map(|(name, text)| (name, text.into_bytes()));
        let input = Input::files(files).unwrap();
        // The program must reach the header.
        let is_reached = |input: &Input| {
            let text = |name: &str| {
                let file = input.present().find(|file| file.name.ends_with(name));
                file.map(|file| String::from_utf8(file.text.to_vec()).unwrap())
            };
            let mut next = text("main.c");
            while let Some(own) = next {
                if own.contains("deep") {
                    return true;
                }
                let name = own.split('"').nth(1);
                next = name.and_then(text);
            }
            false
        };
        let tests = Cell::new(0);
        let left = reduce_input(&Files, input, |input| {
            tests.set(tests.get() + 1);
            is_reached(input)
        });
        let texts: Vec<_> = left.present().map(|file| file.text.to_vec()).collect();
        let wanted = ["int deep;\n", "#include \"h11.h\"\nint y;\n"];
        assert_eq!(texts, wanted.map(|text| text.as_bytes().to_vec()));
        assert!(tests.get() <= 20, "{}", tests.get());
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
