//! `--in DIR`: files that are reduced inside their project. Each test finds a copy of the project.

use crate::exit::Exit;
use crate::folder::{self, Globs, Rules, Tree};
use crate::problem::Problem;
use crate::settings::ReduceSettings;
use crate::siblings::is_result;
use crate::state::FOLDER;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Adds the files of the project that `--only` names to the inputs.
pub fn add_inputs(args: &mut ReduceSettings) -> Result<(), Problem> {
    let Some(dir) = args.project.clone() else {
        return Ok(());
    };
    let shown = dir.display();
    if !dir.is_dir() {
        let what = format!("`--in {shown}` is not a folder");
        return Err(Problem::new(Exit::Input, what)
            .hint("name the folder of the project in which the test runs"));
    }
    if args.inputs.is_empty() && args.search.only.is_empty() {
        let what = format!("`--in {shown}` does not say which files are reduced");
        return Err(Problem::new(Exit::Usage, what).hint(format!(
            "`--only GLOB` names files of the project; `nubbin reduce {shown}` reduces all of them"
        )));
    }
    if !args.search.only.is_empty() {
        let mut rules = Rules {
            only: Globs::new("--only", &args.search.only)?,
            exclude: Globs::new("--exclude", &args.search.exclude)?,
            fixed: Globs::new("--fixed", &args.search.fixed)?,
            tests: folder::test_files(&args.test, Some(&dir)),
            ..Rules::default()
        };
        let tree = without_results(&dir, folder::walk(&dir, &mut rules)?);
        if let Some(text) = rules.only.unmet().next() {
            let what = format!("`--only {text}` matches no file of `{shown}`");
            return Err(Problem::new(Exit::Input, what).hint(
                "a pattern with a slash begins at the folder given by `--in`; one without matches \
                 names",
            ));
        }
        let is_here = dir.components().all(|part| part == Component::CurDir);
        let start = if is_here {
            Path::new("")
        } else {
            dir.as_path()
        };
        let chosen = tree.files.iter().map(|within| start.join(within));
        let real = |path: &PathBuf| path.canonicalize().ok();
        let given: HashSet<PathBuf> = args.inputs.iter().filter_map(real).collect();
        let chosen = chosen.filter(|path| real(path).is_none_or(|real| !given.contains(&real)));
        args.inputs.extend(chosen.collect::<Vec<_>>());
    }
    if args.inputs.is_empty() {
        let what = format!("no file of `{shown}` is to be reduced");
        return Err(Problem::new(Exit::Input, what).hint(
            "the test itself, links, results of nubbin, and files matched by `--exclude` or \
             `--fixed` are not",
        ));
    }
    Ok(())
}

/// Returns the names of the inputs in the project.
pub fn names(dir: &Path, inputs: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let real = dir
        .canonicalize()
        .map_err(|error| folder::cannot_read(dir, &error))?;
    let name = |path: &PathBuf| {
        let there = path.canonicalize();
        // A missing file is reported when it is read.
        let there = there.or_else(|_| std::path::absolute(path));
        let there = there.unwrap_or_else(|_| path.clone());
        let Ok(name) = there.strip_prefix(&real) else {
            let what = format!("`{}` is not in `{}`", path.display(), dir.display());
            return Err(Problem::new(Exit::Input, what)
                .hint("with `--in DIR`, inputs are files of that folder"));
        };
        if there.is_dir() {
            let what = format!("`{}` is a folder", path.display());
            return Err(Problem::new(Exit::Usage, what).hint(format!(
                "with `--in DIR`, `--only '{}/**'` names its files",
                name.display()
            )));
        }
        Ok(name.to_path_buf())
    };
    inputs.iter().map(name).collect()
}

/// Returns the project without the inputs with the given names.
pub fn around(dir: &Path, names: &[PathBuf], rules: &mut Rules) -> Result<Tree, Problem> {
    // The files that `--only` names are inputs.
    rules.only = Globs::default();
    rules.are_fixed = true;
    let mut tree = without_results(dir, folder::walk(dir, rules)?);
    let names: HashSet<&Path> = names.iter().map(PathBuf::as_path).collect();
    tree.fixed
        .retain(|within| !names.contains(within.as_path()));
    tree.is_around = true;
    Ok(tree)
}

/// Removes results of earlier runs from the list, since they are not files of the project.
fn without_results(dir: &Path, mut tree: Tree) -> Tree {
    // A folder with results also contains nubbin's own folder.
    let mut known: HashMap<PathBuf, bool> = HashMap::new();
    let mut is_one = |path: &Path| {
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let has_results = *known
            .entry(beside)
            .or_insert_with_key(|beside| dir.join(beside).join(FOLDER).is_dir());
        has_results && is_result(&dir.join(path))
    };
    let mut is_kept = |path: &PathBuf| {
        let mut above = path.ancestors();
        !above.any(|path| !path.as_os_str().is_empty() && is_one(path))
    };
    tree.files.retain(&mut is_kept);
    tree.fixed.retain(&mut is_kept);
    tree.folders.retain(&mut is_kept);
    tree
}
