use super::path_words::{places, steps_up, without_folders};
use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_engine::work::{Context, Machine, Pass, PassInfo, Views, Work};
use nubbin_view::Kind;
use nubbin_view::mentions::Mentions;
use nubbin_view::tokens::is_word_byte;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Moves files out of their folders and gives them short names, with all that names them.
///
/// First all files move to the top in one test, then the files of one folder after another into the
/// folder above, and `d/mod.rs`, `d/__init__.py`, and `d/index.ts` become `d.rs`, `d.py`, and
/// `d.ts`. Then `first_file.c` becomes `a.c`, all files in one test and then one after another:
/// once with the paths and imports that name it, and once with every word that is its name.
/// Extensions stay. A name that another file has, or has in upper or lower case, is not proposed.
/// Nor is one of the names that Windows reserves, all of which have three letters or more.
///
/// Use it at the very end, on an input whose names are [in the buffer](Input::with_names): a
/// shorter name removes nothing, but makes the result easier to read. The test itself is not
/// changed, so a file that it names keeps its name.
///
/// Cost: one test per folder, and at most two per file.
///
/// Source: our own, as far as we know.
///
/// ```
/// use nubbin_reduce::pass::{FileNames, preview};
///
/// assert!(preview(&FileNames, b"only one file", 9).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FileNames;

/// Larger files are not searched for names.
const LARGE_FILE: usize = 1 << 20;

/// Files that get the name of the folder that they stand for.
const OF_FOLDERS: [&str; 3] = ["mod", "__init__", "index"];

/// The endings of files that a build makes of others.
const OBJECTS: [&str; 3] = ["o", "obj", "lo"];

impl Pass for FileNames {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "file-names",
            "moves files out of folders and shortens their names",
            "ours",
        )
        .on_input()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let steps = steps(context.input);
        (!steps.is_empty())
            .then(|| Work::Machine(Box::new(Renames::new(context.views, context.input, steps))))
    }
}

/// One proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// The files in these folders move into the folder above, the files in folders in these too.
    Collapse(Vec<PathBuf>),
    /// A file gets the name of its folder.
    StandIn(usize),
    /// The files of these names get short ones, in paths that name them or in all words that do.
    Shorten(Vec<String>, Words),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    OfPaths,
    All,
}

/// Returns the proposals for an input, in order.
fn steps(input: &Input) -> Vec<Step> {
    let mut folders: Vec<PathBuf> = vec![];
    let (mut stand_ins, mut long) = (vec![], vec![]);
    for file in input.present() {
        let Some(name) = input.name_within(file.number).and_then(Path::to_str) else {
            continue;
        };
        let name = Path::new(name);
        let above = name.ancestors().skip(1);
        folders.extend(
            above
                .filter(|it| !it.as_os_str().is_empty())
                .map(PathBuf::from),
        );
        let stem = stem(name);
        let is_in_folder = name.parent().is_some_and(|it| !it.as_os_str().is_empty());
        match OF_FOLDERS.contains(&stem) {
            true => stand_ins.extend(is_in_folder.then_some(Step::StandIn(file.number))),
            false if stem.len() > 1 && !stem.starts_with('.') => long.push(stem.to_owned()),
            false => {}
        }
    }
    folders.sort();
    folders.dedup();
    let mut seen = FxHashSet::default();
    long.retain(|stem| seen.insert(stem.clone()));
    let mut steps = vec![];
    steps.extend((folders.len() > 1).then(|| Step::Collapse(folders.clone())));
    steps.extend(
        folders
            .into_iter()
            .map(|folder| Step::Collapse(vec![folder])),
    );
    steps.extend(stand_ins);
    for words in [Words::OfPaths, Words::All] {
        steps.extend((long.len() > 1).then(|| Step::Shorten(long.clone(), words)));
    }
    for stem in long {
        for words in [Words::OfPaths, Words::All] {
            steps.push(Step::Shorten(vec![stem.clone()], words));
        }
    }
    steps
}

/// The part of the name of a file that is shortened.
fn stem(name: &Path) -> &str {
    name.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

/// Tries the steps in order, each on what the earlier ones left.
#[derive(Clone)]
struct Renames {
    input: Input,
    mentions: Arc<Mentions>,
    /// All words of all texts, which are no short names.
    words: Arc<FxHashSet<Vec<u8>>>,
    steps: Arc<[Step]>,
    at: usize,
    /// The steps that were adopted, as one edit.
    done: Edit,
    proposed: Option<Edit>,
}

impl Machine for Renames {
    fn next(&mut self) -> Option<Edit> {
        if self.proposed.is_none() {
            let now = self.input.apply(&self.done);
            while self.at < self.steps.len() {
                self.proposed = self.edit(&now, &self.steps[self.at]);
                if self.proposed.is_some() {
                    break;
                }
                self.at += 1;
            }
        }
        self.proposed.clone()
    }

    fn record(&mut self, adopted: bool) {
        self.at += 1;
        if let Some(edit) = self.proposed.take()
            && adopted
        {
            self.done = self.done.combine(&edit).unwrap_or_default();
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

impl Renames {
    fn new(views: &Views, input: &Input, steps: Vec<Step>) -> Self {
        let mut words = FxHashSet::default();
        for file in searched(input) {
            let all = file.text.split(|&byte| !is_word_byte(byte));
            words.extend(all.filter(|word| word.len() <= 2).map(<[u8]>::to_vec));
        }
        Renames {
            input: input.clone(),
            mentions: Mentions::seen(views, input),
            words: Arc::new(words),
            steps: steps.into(),
            at: 0,
            done: Edit::none(),
            proposed: None,
        }
    }

    /// Returns a step as an edit of the input on which the pass was opened; `None` if it changes
    /// nothing now, or files would get the name of another one.
    fn edit(&self, now: &Input, step: &Step) -> Option<Edit> {
        let splices = match step {
            Step::Collapse(folders) => self.collapse(folders),
            Step::StandIn(number) => self.stand_in(*number),
            Step::Shorten(stems, words) => self.shorten(now, stems, *words),
        };
        let edit = Edit::new(splices).ok()?;
        let after = now_and(&self.input, &self.done, &edit)?;
        (after.fingerprint() != now.fingerprint() && are_free(now, &after)).then_some(edit)
    }

    fn collapse(&self, folders: &[PathBuf]) -> Vec<Splice> {
        let mut gone = vec![];
        let last = |folder: &PathBuf| Some(folder.file_name()?.to_str()?.to_owned());
        let names: Vec<String> = folders.iter().filter_map(last).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for file in searched(&self.input) {
            let own = self.input.name_within(file.number);
            let within = |folder: &&PathBuf| own.is_some_and(|own| own.starts_with(folder));
            gone.extend(
                without_folders(file.text, &names)
                    .into_iter()
                    .map(at(file.span)),
            );
            for folder in folders.iter().filter(within) {
                let depth = own.map_or(0, |own| own.components().count() - 1);
                let depth = depth - folder.components().count();
                gone.extend(steps_up(file.text, depth).into_iter().map(at(file.span)));
            }
        }
        for file in self.input.present() {
            let (Some(span), Some(own)) = (file.name_span, self.input.name_within(file.number))
            else {
                continue;
            };
            for folder in folders.iter().filter(|folder| own.starts_with(folder)) {
                let end = folder.as_os_str().len() as u32 + 1;
                let start = folder.parent().map_or(0, |above| above.as_os_str().len());
                let start = if start == 0 { 0 } else { start as u32 + 1 };
                gone.push(Span::new(span.start + start, span.start + end));
            }
        }
        gone.sort_unstable();
        gone.into_iter().map(Splice::delete).collect()
    }

    /// `d/mod.rs` becomes `d.rs` by losing `/mod`.
    fn stand_in(&self, number: usize) -> Vec<Splice> {
        let mut gone = vec![];
        let file = self.input.file(number);
        let name = self.input.name_within(number);
        let (Some(span), Some(name)) = (file.and_then(|file| file.name_span), name) else {
            return vec![];
        };
        let last = name.file_name().map_or(0, |last| last.len() as u32);
        let start = span.end - last - 1;
        gone.push(Span::new(start, start + 1 + stem(name).len() as u32));
        let end = name.components().rev().take(2).collect::<Vec<_>>();
        let end: PathBuf = end.into_iter().rev().collect();
        let end = end.to_str().unwrap_or_default().as_bytes();
        let before = end.len() - last as usize - 1;
        for file in searched(&self.input) {
            for place in places(file.text, end) {
                let start = place.start + before;
                gone.push(at(file.span)(start..start + 1 + stem(name).len()));
            }
        }
        gone.into_iter().map(Splice::delete).collect()
    }

    fn shorten(&self, now: &Input, stems: &[String], words: Words) -> Vec<Splice> {
        let mut splices = vec![];
        let others = now.taken_names().iter().map(PathBuf::as_path);
        let present = now.present().map(|file| file.name);
        let used = present.chain(others).map(|name| stem(name).to_lowercase());
        let used: FxHashSet<String> = used.collect();
        let is_free = |name: &String| !used.contains(name) && !self.words.contains(name.as_bytes());
        let mut free = short_names().filter(is_free);
        for long in stems {
            let is_named = |file: &File<'_>| file.name_span.is_some() && stem(file.name) == long;
            // The file may already have a short name.
            let is_long = |file: &File<'_>| {
                now.file(file.number)
                    .is_some_and(|now| stem(now.name) == long)
            };
            let files: Vec<File<'_>> = self.input.present().filter(is_named).collect();
            if !files.iter().any(is_long) {
                continue;
            }
            let Some(short) = free.next().filter(|short| short.len() < long.len()) else {
                break;
            };
            for file in &files {
                let last = file.name.file_name().map_or(0, |last| last.len() as u32);
                let start = file.name_span.map_or(0, |span| span.end - last);
                let own = Span::new(start, start + long.len() as u32);
                splices.push(Splice::replace(own, short.as_bytes()));
            }
            let named = self.named(&files);
            for other in searched(&self.input) {
                for place in places(other.text, long.as_bytes()) {
                    let is_path = is_of_path(other.text, place.clone(), &files);
                    let place = at(other.span)(place);
                    let is_named = || named.iter().any(|span| span.covers(place));
                    if words == Words::All || is_path || is_named() {
                        splices.push(Splice::replace(place, short.as_bytes()));
                    }
                }
            }
        }
        splices
    }

    /// The places where files are named.
    fn named(&self, files: &[File<'_>]) -> Vec<Span> {
        let names = self.mentions.statements.iter().flat_map(|it| &it.names);
        let is_one = |target: usize| files.iter().any(|file| file.number == target);
        let of_files = names.filter(|name| is_one(name.target));
        of_files.map(|name| name.span).collect()
    }
}

/// Returns the input after two edits of it.
fn now_and(input: &Input, done: &Edit, edit: &Edit) -> Option<Input> {
    done.combine(edit).ok().map(|both| input.apply(&both))
}

/// Returns whether a word is the name of one of the given files in a path.
fn is_of_path(text: &[u8], word: std::ops::Range<usize>, files: &[File<'_>]) -> bool {
    let behind = text[word.end..].strip_prefix(b".").unwrap_or_default();
    let len = behind
        .iter()
        .take_while(|&&byte| is_word_byte(byte))
        .count();
    let of_files = files
        .iter()
        .filter_map(|file| file.name.extension()?.to_str());
    let mut endings = OBJECTS.iter().copied().chain(of_files);
    text[..word.start].ends_with(b"/") || endings.any(|it| it.as_bytes() == &behind[..len])
}

/// Returns whether no renamed file has a name that is taken, or the name of a folder, even if upper
/// and lower case are the same.
fn are_free(before: &Input, after: &Input) -> bool {
    let folded = |path: &Path| path.to_string_lossy().to_lowercase();
    let mut files: FxHashSet<String> = after.taken_names().iter().map(|it| folded(it)).collect();
    let (renamed, same): (Vec<File<'_>>, _) = after.present().partition(|file| {
        let old = before.file(file.number).map(|old| old.name);
        old != Some(file.name)
    });
    files.extend(same.iter().map(|file: &File<'_>| folded(file.name)));
    if !renamed.iter().all(|file| files.insert(folded(file.name))) {
        return false;
    }
    let taken = after.taken_names().iter().map(PathBuf::as_path);
    let all = after.present().map(|file| file.name).chain(taken);
    let mut folders = all.flat_map(|name| name.ancestors().skip(1));
    let renamed: FxHashSet<String> = renamed.iter().map(|file| folded(file.name)).collect();
    !folders.any(|folder| renamed.contains(&folded(folder)))
}

/// The files whose texts are searched for names.
fn searched(input: &Input) -> impl Iterator<Item = File<'_>> {
    let is_searched =
        |file: &File<'_>| file.text.len() <= LARGE_FILE && Kind::of(file.text) == Kind::Text;
    input.present().filter(is_searched)
}

fn at(text: Span) -> impl Fn(std::ops::Range<usize>) -> Span {
    move |place| Span::at(text.start, place)
}

/// `a` to `z`, and then `aa` to `zz`.
fn short_names() -> impl Iterator<Item = String> {
    let letters = || 'a'..='z';
    let pairs =
        letters().flat_map(move |first| letters().map(move |next| format!("{first}{next}")));
    letters().map(String::from).chain(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_input;

    fn input(files: &[(&str, &str)], taken: &[&str]) -> Input {
        let files = files.iter().map(|&(name, text)| (name, text.into()));
        let taken = taken.iter().map(PathBuf::from).collect();
        let input = Input::files(files).unwrap();
        input.with_names(|_| Some("p".into()), taken).unwrap()
    }

    fn left(input: &Input) -> Vec<(&str, &str)> {
        let files = input.present().map(|file| {
            let text = std::str::from_utf8(file.text).unwrap();
            (file.name.to_str().unwrap(), text)
        });
        files.collect()
    }

    #[test]
    fn files_move_to_the_top_and_get_short_names() {
        let files = [
            ("p/src/main.c", "#include \"../lib/in/list.h\"\nlist();\n"),
            ("p/lib/in/list.h", "#include \"../base.h\"\n"),
            ("p/lib/base.h", ""),
            ("p/Makefile", "src/main.o: src/main.c lib/base.h\n"),
        ];
        let result = reduce_input(&FileNames, input(&files, &[]), |_| true);
        assert_eq!(
            left(&result),
            [
                // The name `c` is not free in the first case, since it is an extension. A word of
                // code is not renamed.
                ("p/a.c", "#include \"b.h\"\nlist();\n"),
                ("p/b.h", "#include \"d.h\"\n"),
                ("p/d.h", ""),
                ("p/e", "a.o: a.c d.h\n"),
            ]
        );
    }

    #[test]
    fn a_file_that_the_test_names_keeps_its_name() {
        let files = [
            ("p/src/main.py", "from lib import list, tree\nlist.f()\n"),
            ("p/src/lib/list.py", "x = 1\n"),
            ("p/src/lib/tree.py", "y = 1\n"),
        ];
        let result = reduce_input(&FileNames, input(&files, &[]), |input| {
            let main = input.file(0).unwrap();
            let text = std::str::from_utf8(main.text).unwrap();
            let (imports, used) = text.split_once('\n').unwrap();
            let used = used.strip_suffix(".f()\n").unwrap();
            main.name == Path::new("p/src/main.py") && imports.contains(&format!("import {used}"))
        });
        assert_eq!(
            left(&result),
            [
                ("p/src/main.py", "import a, b\na.f()\n"),
                ("p/src/a.py", "x = 1\n"),
                ("p/src/b.py", "y = 1\n"),
            ]
        );
    }

    #[test]
    fn a_file_that_stands_for_its_folder_gets_the_name_of_the_folder() {
        let files = [
            ("p/part/mod.rs", "// part/mod.rs\n"),
            ("p/main.rs", "mod part;\n"),
        ];
        let result = reduce_input(&FileNames, input(&files, &[]), |input| {
            let texts: Vec<_> = left(input);
            let has = |name| texts.iter().any(|(other, _)| *other == name);
            has("p/main.rs") && (has("p/part.rs") || has("p/part/mod.rs"))
        });
        assert_eq!(
            left(&result),
            [("p/part.rs", "// part.rs\n"), ("p/main.rs", "mod part;\n")]
        );
    }

    #[test]
    fn names_of_other_files_and_folders_are_not_proposed() {
        let files = [
            ("p/x/one.h", "1"),
            ("p/y/ONE.h", "2"),
            ("p/other.h", "a"),
            ("p/read", "3"),
        ];
        let taken = ["p/B.h", "p/c/fixed"];
        let input = input(&files, &taken);
        let mut machine = match open(&input) {
            Some(Work::Machine(machine)) => machine,
            _ => panic!("no machine"),
        };
        while let Some(edit) = machine.next() {
            let after = input.apply(&edit);
            let mut names: Vec<String> = after
                .present()
                .map(|file| file.name.to_str().unwrap().to_lowercase())
                .chain(["p/b.h".into(), "p/c".into()])
                .collect();
            names.sort();
            assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
            machine.record(false);
        }
    }

    fn open(input: &Input) -> Option<Work> {
        let views = Views::default();
        let context = Context::of(input, &views);
        FileNames.open(&input.file(0).unwrap(), &context)
    }

    #[test]
    fn without_names_in_the_buffer_nothing_is_proposed() {
        let files = [("p/x/one.h", b"1".to_vec()), ("p/two.h", b"2".to_vec())];
        assert!(open(&Input::files(files).unwrap()).is_none());
        // The result may be a single file.
        let gone = [("p/x/one.h", "1"), ("p/y/two.h", "2")];
        let result = reduce_input(
            &FileNames,
            {
                let input = input(&gone, &[]);
                let second = input.file(1).unwrap().extent;
                input.apply(&Edit::delete(second))
            },
            |_| true,
        );
        assert_eq!(left(&result), [("p/a.h", "1")]);
    }

    #[test]
    fn any_bytes_are_searched() {
        let odd = "\u{0}from a.b import ../../x/one.h ::.a.b/one";
        let files = [("p/a/b/one.h", odd), ("p/a/two.h", "from "), ("p/x", "a/")];
        let result = reduce_input(&FileNames, input(&files, &[]), |_| true);
        assert_eq!(result.present().count(), 3);
    }
}
