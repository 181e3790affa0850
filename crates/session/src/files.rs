//! The user's files. These files are read once and never written.

use crate::endless;
use crate::exit::Exit;
use crate::folder::{self, Globs, Rules, Tree};
use crate::named_folder::names_folder;
use crate::near;
use crate::problem::{Problem, say, warn};
use crate::project;
use crate::settings::{ReduceSettings, TestSettings};
use crate::shown::count;
use nubbin_reduce::input::Input;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// An input from the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user named it.
    pub path: PathBuf,
    /// The path in the test's folder; empty for the folder itself.
    pub name: PathBuf,
    /// The contents of a folder; `None` for a file.
    pub tree: Option<Tree>,
}

impl Source {
    /// Returns the names of the files to reduce within the source, in the order of the input. The
    /// name is empty if the source is a file.
    pub fn files(&self) -> Vec<&Path> {
        match &self.tree {
            Some(tree) => tree.files.iter().map(PathBuf::as_path).collect(),
            None => vec![Path::new("")],
        }
    }

    /// Returns whether the source has a result. The project around the inputs has no result.
    pub fn has_result(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| !tree.is_around)
    }

    /// Returns the path of a file of the source.
    pub fn path_of(&self, within: &Path) -> PathBuf {
        join(&self.path, within)
    }

    /// Returns the name of a file of the source in the test's folder.
    pub fn name_of(&self, within: &Path) -> PathBuf {
        join(&self.name, within)
    }
}

/// Joins two paths like `Path::join`, but adds no slash if one of them is empty.
pub fn join(path: &Path, within: &Path) -> PathBuf {
    match (path.as_os_str().is_empty(), within.as_os_str().is_empty()) {
        (_, true) => path.to_path_buf(),
        (true, _) => within.to_path_buf(),
        _ => path.join(within),
    }
}

/// The inputs of a run.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    pub paths: &'a [PathBuf],
    /// The project that contains the inputs, if each test finds a copy of the project.
    pub project: Option<&'a Path>,
    /// Whether the test starts inside the folder that is the input.
    pub is_inside: bool,
    /// The patterns given by `--fixed`, `--only`, and `--exclude`.
    pub fixed: &'a [String],
    pub only: &'a [String],
    pub exclude: &'a [String],
    pub test: &'a TestSettings,
    pub is_quiet: bool,
}

impl<'a> From<&'a ReduceSettings> for Inputs<'a> {
    fn from(flags: &'a ReduceSettings) -> Self {
        Inputs {
            paths: &flags.inputs,
            project: flags.project.as_deref(),
            is_inside: flags.inside,
            fixed: &flags.search.fixed,
            only: &flags.search.only,
            exclude: &flags.search.exclude,
            test: &flags.test,
            is_quiet: flags.output_flags.quiet,
        }
    }
}

impl<'a> Inputs<'a> {
    /// Returns the inputs of a test that prints no messages. All files of the inputs are reduced.
    pub fn of(paths: &'a [PathBuf], test: &'a TestSettings) -> Self {
        Inputs {
            paths,
            project: None,
            is_inside: false,
            fixed: &[],
            only: &[],
            exclude: &[],
            test,
            is_quiet: true,
        }
    }
}

/// Reads the inputs, and gives each input its name in the test's folder.
pub fn read(inputs: Inputs<'_>) -> Result<(Input, Vec<Source>), Problem> {
    let sources = look(inputs)?;
    let mut files = Vec::with_capacity(inputs.paths.len());
    for source in &sources {
        let mut naming = Naming::of(source);
        for within in source.files() {
            let path = source.path_of(within);
            let bytes = match source.tree {
                Some(_) => {
                    std::fs::read(&path).map_err(|error| folder::cannot_read(&path, &error))?
                }
                None => read_one(&path)?,
            };
            naming.add(within, &bytes);
            files.push((source.name_of(within), bytes));
        }
        if !inputs.is_quiet {
            naming.warn(source);
        }
    }
    if files
        .iter()
        .all(|(_, bytes): &(PathBuf, Vec<u8>)| bytes.is_empty())
    {
        return Err(nothing(inputs, &sources));
    }
    let input = Input::files(files).map_err(|error| {
        Problem::new(Exit::Input, "these inputs cannot be reduced together").because(&error)
    })?;
    Ok((input, sources))
}

/// Returns the problem of inputs without a byte to reduce. A folder may have files that are not
/// reduced.
fn nothing(inputs: Inputs<'_>, sources: &[Source]) -> Problem {
    let names: Vec<String> = sources
        .iter()
        .map(|source| format!("`{}`", source.path.display()))
        .collect();
    let names = names.join(" and ");
    let trees = || sources.iter().filter_map(|source| source.tree.as_ref());
    let problem = |what| Problem::new(Exit::Input, what);
    if sources.iter().any(|source| !source.files().is_empty()) {
        let is_folder = trees().next().is_some();
        return problem(match is_folder {
            true => format!("every file to reduce of {names} is empty"),
            false => format!("{names} is empty: there is nothing to reduce"),
        });
    }
    if trees().any(|tree| !tree.fixed.is_empty()) {
        let hint = match inputs.fixed.is_empty() {
            true if !inputs.only.is_empty() => {
                "`--only PATTERN` names the files to reduce: a pattern with a slash begins at the folder"
            }
            true => "links and the test itself are not reduced",
            false => "`--fixed PATTERN` names files that are not reduced: give a narrower pattern",
        };
        return problem(format!(
            "no file of {names} is to be reduced: all are given as they are"
        ))
        .hint(hint);
    }
    if !inputs.exclude.is_empty() {
        return problem(format!("no file of {names} is to be reduced"))
            .hint("`--exclude PATTERN` leaves files out: give a narrower pattern");
    }
    if trees().any(|tree| !tree.version_control.is_empty()) {
        return problem(format!("{names} has no files but those of version control"));
    }
    problem(format!("{names} is empty: there is nothing to reduce"))
}

/// Permits other names for the files of folders. A file that is named on the command line keeps its
/// name. No file gets the name of a file that the test gets unchanged, or of a file in the folder
/// of the result that nubbin did not write. `there` has these files, each with the number of its
/// source.
pub fn renamable(
    input: Input,
    sources: &[Source],
    given: &[PathBuf],
    there: &[(usize, PathBuf)],
) -> Result<Input, Problem> {
    let mut folders = vec![];
    let mut taken: Vec<PathBuf> = given
        .iter()
        .filter_map(|path| path.file_name().map(PathBuf::from))
        .collect();
    let there = there.iter().filter_map(|(number, within)| {
        let source = sources.get(*number)?;
        Some(source.name_of(within))
    });
    taken.extend(there);
    for source in sources {
        let folder = source.tree.as_ref().map(|_| source.name.clone());
        folders.extend(std::iter::repeat_n(folder, source.files().len()));
        if let Some(tree) = &source.tree {
            let others = tree.fixed.iter().chain(&tree.folders);
            taken.extend(others.map(|within| source.name_of(within)));
        }
    }
    let folder = |number: usize| folders.get(number).cloned().flatten();
    input
        .with_names(folder, taken)
        .map_err(|error| Problem::new(Exit::Input, "the folder cannot be reduced").because(&error))
}

/// The files of a folder that name it by its absolute path.
struct Naming {
    /// The folder without links; `None` for a source that is a file.
    folder: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl Naming {
    fn of(source: &Source) -> Self {
        let folder = source
            .tree
            .as_ref()
            .and_then(|_| source.path.canonicalize().ok());
        Naming {
            folder,
            files: vec![],
        }
    }

    fn add(&mut self, within: &Path, bytes: &[u8]) {
        if let Some(folder) = &self.folder
            && names_folder(bytes, folder)
        {
            self.files.push(within.to_owned());
        }
    }

    /// Warns of these files, and of files that are not reduced, such as a compilation database.
    fn warn(mut self, source: &Source) {
        for within in source.tree.iter().flat_map(|tree| &tree.fixed) {
            let path = source.path_of(within);
            let is_small = |it: &std::fs::Metadata| it.is_file() && it.len() <= SEARCHED;
            if std::fs::symlink_metadata(&path).is_ok_and(|it| is_small(&it))
                && let Ok(bytes) = std::fs::read(&path)
            {
                self.add(within, &bytes);
            }
        }
        if self.files.is_empty() {
            return;
        }
        warn(&format!(
            "these files name the folder by its absolute path, so a test that follows it reads the \
             original instead of the candidate: {}; write relative paths in them",
            named(&self.files)
        ));
    }
}

/// The maximum size in bytes of a file that is read only to search it for a path.
pub const SEARCHED: u64 = 1 << 20;

/// Distinguishes files from folders, and reports the contents of folders.
fn look(inputs: Inputs<'_>) -> Result<Vec<Source>, Problem> {
    let folders = inputs.paths.iter().filter(|path| path.is_dir()).count();
    if folders == 0
        && inputs.project.is_none()
        && inputs.fixed.len() + inputs.only.len() + inputs.exclude.len() > 0
    {
        let what = "`--fixed`, `--only`, and `--exclude` need a folder as input";
        return Err(Problem::new(Exit::Usage, what)
            .hint("`--with FILE` gives the test a file next to the input"));
    }
    if inputs.is_inside && (folders, inputs.paths.len()) != (1, 1) {
        let what = "`--inside` needs one folder as input";
        return Err(Problem::new(Exit::Usage, what)
            .hint("the test of files starts in the folder that has them; leave `--inside` out"));
    }
    if folders > 0 && inputs.test.run.stdin {
        return Err(
            Problem::new(Exit::Usage, "a folder cannot be passed on standard input")
                .hint("leave `--stdin` out; `{}` in the command is the path of the folder"),
        );
    }
    let mut rules = Rules {
        fixed: Globs::new("--fixed", inputs.fixed)?,
        only: Globs::new("--only", inputs.only)?,
        exclude: Globs::new("--exclude", inputs.exclude)?,
        tests: folder::test_files(inputs.test, inputs.project),
        ..Rules::default()
    };
    if let Some(dir) = inputs.project {
        return look_in(dir, inputs, rules);
    }
    let mut sources = Vec::with_capacity(inputs.paths.len());
    for path in inputs.paths {
        let tree = path
            .is_dir()
            .then(|| folder::walk(path, &mut rules))
            .transpose()?;
        let name = match inputs.is_inside {
            true => PathBuf::new(),
            false => name_for_test(
                path,
                inputs.paths.len() > 1 || has_neighbors(path, &inputs.test.run.with),
            )?,
        };
        let source = Source {
            name,
            path: path.clone(),
            tree,
        };
        if !inputs.is_quiet {
            let files = source.files().len();
            tell_contents_of(&source, files);
        }
        sources.push(source);
    }
    warn_of_unmet(inputs, &rules);
    Ok(sources)
}

/// Returns the inputs by their names in their project, and last the project without them, which has
/// no result.
fn look_in(dir: &Path, inputs: Inputs<'_>, mut rules: Rules) -> Result<Vec<Source>, Problem> {
    let names = project::names(dir, inputs.paths)?;
    let around = Source {
        path: dir.to_path_buf(),
        name: PathBuf::new(),
        tree: Some(project::around(dir, &names, &mut rules)?),
    };
    if !inputs.is_quiet {
        tell_contents_of(&around, names.len());
    }
    warn_of_unmet(inputs, &rules);
    let named = inputs.paths.iter().zip(names);
    let sources = named.map(|(path, name)| Source {
        path: path.clone(),
        name,
        tree: None,
    });
    Ok(sources.chain([around]).collect())
}

/// Warns of patterns that match nothing.
fn warn_of_unmet(inputs: Inputs<'_>, rules: &Rules) {
    for (flag, globs) in [
        ("--fixed", &rules.fixed),
        ("--only", &rules.only),
        ("--exclude", &rules.exclude),
    ] {
        for text in globs.unmet().filter(|_| !inputs.is_quiet) {
            warn(&format!(
                "`{flag} {text}` matches nothing; a pattern with a slash begins at the folder that \
                 is reduced"
            ));
        }
    }
}

/// The largest number of paths in a message.
const NAMED: usize = 3;

fn tell_contents_of(source: &Source, files: usize) {
    let Some(tree) = &source.tree else {
        return;
    };
    let folder = source.path.display();
    let mut line = format!("{folder}: {} to reduce", count(files as u64, "file"));
    for (number, what) in [
        (tree.fixed.len() - tree.links, "file"),
        (tree.links, "link"),
        (tree.folders.len(), "empty folder"),
    ] {
        if number > 0 {
            line += &format!(", {} as it is", count(number as u64, what));
        }
    }
    say(&line);
    if !tree.tests.is_empty() {
        say(&format!(
            "the test itself is not reduced: {}",
            named(&tree.tests)
        ));
    }
    if let Some(first) = tree.version_control.first() {
        let name = first.file_name().unwrap_or_default().to_string_lossy();
        let left_out = named(&tree.version_control);
        say(&format!(
            "left out: {left_out} (`--fixed {name}` gives it to the test)"
        ));
    }
    if !tree.special.is_empty() {
        say(&format!(
            "left out because they are not plain files: {}",
            named(&tree.special)
        ));
    }
    for (links, what) in [
        (
            &tree.leading_out,
            "these links lead out of the folder, so the test does not find their targets",
        ),
        (
            &tree.absolute,
            "these links lead out of the folder by absolute paths: the test reads their targets, \
             which are not reduced",
        ),
        (
            &tree.to_original,
            "these links lead to the folder by its absolute path, so the test reads the original \
             by them instead of the candidate",
        ),
        (&tree.broken, "these links lead nowhere"),
    ] {
        if !links.is_empty() {
            warn(&format!("{what}: {}", named(links)));
        }
    }
    if let Some([one, other]) = tree.alike() {
        warn(&format!(
            "`{}` and `{}` differ only in upper and lower case: where a file system ignores it, \
             they are one file in the result",
            one.display(),
            other.display()
        ));
    }
}

fn named(paths: &[PathBuf]) -> String {
    let some = paths
        .iter()
        .take(NAMED)
        .map(|path| format!("`{}`", path.display()));
    let mut text = some.collect::<Vec<_>>().join(", ");
    if paths.len() > NAMED {
        text += &format!(" and {} more", paths.len() - NAMED);
    }
    text
}

/// Reads one file.
pub fn read_one(path: &Path) -> Result<Vec<u8>, Problem> {
    let cannot = || Problem::new(Exit::Input, format!("cannot read `{}`", path.display()));
    endless::refuse(path)?;
    std::fs::read(path).map_err(|error| {
        let problem = cannot().because(&error);
        match error.kind() {
            std::io::ErrorKind::NotFound => problem.hint(match near::hint(path) {
                Some(hint) => hint,
                None => "paths are relative to the current folder".into(),
            }),
            std::io::ErrorKind::PermissionDenied => problem.hint(format!(
                "you have no permission to read it: check with `ls -l {}`",
                path.display()
            )),
            _ => problem,
        }
    })
}

/// Returns whether a path given by `--with` is in the topmost folder of an input, or is that
/// folder, so that the test finds it from the input by the same way.
fn has_neighbors(input: &Path, with: &[PathBuf]) -> bool {
    let top = |path: &Path| {
        let mut parts = path.components().filter(|part| *part != Component::CurDir);
        let first = parts.next()?.as_os_str().to_owned();
        Some((first, parts.next().is_some()))
    };
    match top(input) {
        Some((folder, true)) => with
            .iter()
            .any(|path| top(path).is_some_and(|(first, _)| first == folder)),
        _ => false,
    }
}

/// Returns the name of an input in the test's folder. A single input has its file name. If there
/// are several inputs, their names include their folders below the current folder, so that the
/// inputs find each other.
pub fn name_for_test(path: &Path, several: bool) -> Result<PathBuf, Problem> {
    let below = path
        .components()
        .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    let plain = || path.components().filter(|c| *c != Component::CurDir);
    if below && (several || plain().next().is_none()) {
        return Ok(plain().collect());
    }
    let name = path.file_name().map(PathBuf::from);
    // The path `..` also has a name.
    let name = name.or_else(|| path.canonicalize().ok()?.file_name().map(PathBuf::from));
    name.ok_or_else(|| {
        Problem::new(
            Exit::Input,
            format!("`{}` does not name a file", path.display()),
        )
    })
}

/// Returns the default path of the result: `NAME.min.EXT` next to a file, `NAME.min` next to a
/// folder.
pub fn default_output(path: &Path, is_folder: bool) -> PathBuf {
    if is_folder {
        let named = match path.file_name() {
            Some(_) => path.to_path_buf(),
            None => path.canonicalize().unwrap_or_else(|_| path.to_path_buf()),
        };
        let mut name = named.file_name().unwrap_or_default().to_os_string();
        name.push(".min");
        return named.with_file_name(name);
    }
    beside(path, ".min")
}

/// Returns the path `NAME.mark.EXT` next to the input.
pub fn beside(path: &Path, mark: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or(path.as_os_str()).to_os_string();
    name.push(mark);
    if let Some(extension) = path.extension() {
        name.push(OsString::from("."));
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_goes_beside_the_input_under_its_own_extension() {
        let out = |path: &str| default_output(Path::new(path), false).display().to_string();
        assert_eq!(out("a/bug.rs"), "a/bug.min.rs");
        assert_eq!(out("bug"), "bug.min");
        assert_eq!(out("archive.tar.gz"), "archive.tar.min.gz");
        assert_eq!(out(".profile"), ".profile.min");
        let folder = default_output(Path::new("a/conf.d/"), true);
        assert_eq!(folder, Path::new("a/conf.d.min"));
    }

    #[test]
    fn an_input_keeps_its_folder_where_others_of_it_are_given() {
        let has = |input: &str, with: &str| has_neighbors(Path::new(input), &[with.into()]);
        assert!(
            has("src/main.txt", "src/lib")
                && has("./src/a/b.c", "src/c.h")
                && has("src/a.c", "src")
        );
        assert!(
            !has("src/main.txt", "lib/x") && !has("main.txt", "main") && !has("src/a.c", "./b/src")
        );
    }

    #[test]
    fn several_inputs_keep_their_folders_and_one_does_not() {
        let name = |path: &str, several| name_for_test(Path::new(path), several).unwrap();
        assert_eq!(name("src/a.c", true), Path::new("src/a.c"));
        assert_eq!(name("./src/a.c", true), Path::new("src/a.c"));
        assert_eq!(name("src/a.c", false), Path::new("a.c"));
        assert_eq!(name("../a.c", true), Path::new("a.c"));
        assert!(name_for_test(Path::new("/"), false).is_err());
        assert_eq!(name("./", false), Path::new(""));
        assert_eq!(name("proj/", false), Path::new("proj"));
        assert!(!name("..", false).as_os_str().is_empty());
    }
}
