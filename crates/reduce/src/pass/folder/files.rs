use crate::input::{File, Input};
use crate::pass::{Context, Forest, Nested, Pass};
use crate::span::Span;
use crate::work::{List, Spans, Work};
use std::path::Path;

/// Removes whole files, and whole folders before the files in them.
///
/// Each file that is left is a unit, in the order of the command line; a single file is not
/// removed. Files that follow each other and lie in one folder are together a unit as well, which
/// is tried before they are. [`HeaviestFirst`](crate::pass::HeaviestFirst) begins where most bytes
/// are. In an input of many files most are usually not needed, and nothing saves as much for one
/// test. The pass pays again later, when the users of a file are gone.
///
/// Cost: a list of as many units as there are files; 2·log₂ *n* tests for each file needed, where
/// *n* counts the files beside it in its folder, in the folder around that, and so on.
///
/// Source: Shrink Ray does so for directories. Here removal is an ordinary deletion (of the file's
/// [extent](crate::input::File::extent)), so any list minimizer does it.
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
        "removes whole files and folders"
    }

    fn source(&self) -> &'static str {
        "Shrink Ray (MacIver), for directories"
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let extents: Vec<Span> = context.input.present().map(|file| file.extent).collect();
        if extents.len() < 2 {
            return None;
        }
        let folders = folders(context.input);
        if folders.is_empty() {
            return Some(Work::List(List::new(Spans::new(extents))));
        }
        let nested = Nested::of(extents.into_iter().chain(folders));
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }

    fn whole_input(&self) -> bool {
        true
    }
}

/// Files that follow each other and lie in one folder, for every folder that holds several files
/// but not all.
fn folders(input: &Input) -> Vec<Span> {
    /// A folder, where its first file begins, and how many there are so far.
    struct Open<'a> {
        folder: &'a Path,
        start: u32,
        files: usize,
    }
    let all = input.present().count();
    let mut found = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut close = |open: &mut Vec<Open<'_>>, stays: &dyn Fn(&Path) -> bool, end: u32| {
        while let Some(last) = open.pop_if(|last| !stays(last.folder)) {
            if last.files > 1 && last.files < all {
                found.push(Span::new(last.start, end));
            }
        }
    };
    let mut end = 0;
    for file in input.present() {
        let parent = file.name.parent().unwrap_or(Path::new(""));
        close(&mut open, &|folder| parent.starts_with(folder), end);
        let known = open
            .last()
            .map_or(0, |last| last.folder.components().count());
        let depth = parent.components().count();
        let inner: Vec<&Path> = parent.ancestors().take(depth - known).collect();
        open.extend(inner.into_iter().rev().map(|folder| Open {
            folder,
            start: file.extent.start,
            files: 0,
        }));
        open.iter_mut().for_each(|folder| folder.files += 1);
        end = file.extent.end;
    }
    close(&mut open, &|_| false, end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_input};
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
    fn a_folder_is_a_unit_where_it_holds_several_files_but_not_all() {
        let names = [
            "p/a", "p/d/a", "p/d/b", "p/d/e/a", "p/d/e/b", "p/f/a", "q", "p/d/c",
        ];
        let input = Input::files(names.map(|name| (name, b"x".to_vec()))).unwrap();
        let of = |span: Span| {
            let inside = input.present().filter(|file| span.covers(file.extent));
            let inside: Vec<_> = inside.map(|file| file.name.to_str().unwrap()).collect();
            inside.join(" ")
        };
        let mut found: Vec<_> = folders(&input).into_iter().map(of).collect();
        found.sort();
        assert_eq!(
            found,
            [
                "p/a p/d/a p/d/b p/d/e/a p/d/e/b p/f/a",
                "p/d/a p/d/b p/d/e/a p/d/e/b",
                "p/d/e/a p/d/e/b",
            ]
        );
        let one = Input::files(["p/d/a", "p/d/b"].map(|name| (name, vec![]))).unwrap();
        assert!(folders(&one).is_empty());
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
