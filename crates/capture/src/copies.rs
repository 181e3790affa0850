//! The copies of the files that a command reads.

use super::place::Unfinished;
use super::resolve::resolve;
use super::seen::Seen;
use crate::files::SEARCHED;
use crate::named_folder::names_folder;
use crate::problem::Problem;
use nubbin_reduce::engine::Stop;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The copied files.
#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) leading_out: BTreeSet<PathBuf>,
    /// The files outside of the project that were copied to replace links.
    pub(super) followed: BTreeSet<PathBuf>,
    /// The compilation databases that name the root of the project.
    pub(super) databases: Vec<PathBuf>,
    /// The other files that do.
    pub(super) naming: BTreeSet<PathBuf>,
}

impl Copied {
    /// Records a file that contains the path of the root, through which a test could read the
    /// original.
    fn note(&mut self, file: &Path, root: &Path) {
        let path = root.join(file);
        let is_small = path.metadata().is_ok_and(|it| it.len() <= SEARCHED);
        let names_root = || std::fs::read(&path).is_ok_and(|text| names_folder(&text, root));
        if is_small && names_root() {
            match file.ends_with("compile_commands.json") {
                true => self.databases.push(file.to_owned()),
                false => {
                    self.naming.insert(file.to_owned());
                }
            }
        }
    }

    /// Copies files that the command read through a link to a folder outside of the project, such
    /// as a linked `node_modules`. The copies replace the link.
    fn follow(
        &mut self,
        to: &Unfinished,
        (name, link): (&Path, &Path),
        seen: &Seen,
        stop: &Stop,
    ) -> Result<(), Problem> {
        let Some(real) = resolve(link).map(|resolved| resolved.path) else {
            return Ok(());
        };
        to.make_folder(name, &real)?;
        for file in seen.elsewhere.iter().chain(&seen.system) {
            if let Ok(within) = file.strip_prefix(&real) {
                self.bytes += to.copy(&name.join(within), file, stop)?;
                self.files += 1;
                self.followed.insert(file.clone());
            }
        }
        Ok(())
    }
}

/// Copies the files, links, and folders that the command uses to `src`.
pub(super) fn copy(
    to: &Unfinished,
    root: &Path,
    seen: &Seen,
    follows_links: bool,
    stop: &Stop,
) -> Result<Copied, Problem> {
    let src = Path::new("src");
    let mut copied = Copied::default();
    to.make_folder(src, root)?;
    for folder in &seen.folders {
        to.make_folder(&src.join(folder), &root.join(folder))?;
    }
    for file in &seen.files {
        copied.bytes += to.copy(&src.join(file), &root.join(file), stop)?;
        copied.files += 1;
        copied.note(file, root);
    }
    for link in &seen.links {
        let original = root.join(link);
        let name = src.join(link);
        match target_within(&original, root) {
            Some(target) => {
                if let (Some(above), Some(folder)) = (name.parent(), original.parent()) {
                    to.make_folder(above, folder)?;
                }
                to.link(&name, &target)?;
            }
            None if follows_links && original.is_file() => {
                copied.bytes += to.copy(&name, &original, stop)?;
                copied.files += 1;
            }
            None if follows_links && original.is_dir() => {
                copied.follow(to, (&name, &original), seen, stop)?;
            }
            None => {
                copied.leading_out.insert(link.clone());
            }
        }
    }
    Ok(copied)
}

/// Returns the target of a link by a relative path, if it is in the project.
fn target_within(link: &Path, root: &Path) -> Option<PathBuf> {
    let target = std::fs::read_link(link).ok()?;
    let folder = link.parent()?.strip_prefix(root).ok()?;
    if target.is_relative() && stays_within(folder, &target) {
        // The path may contain a further link, which is copied or checked by itself.
        return Some(target);
    }
    let real = resolve(link)?.path;
    let within = real.strip_prefix(root).ok()?;
    let up = folder.components().map(|_| Component::ParentDir);
    Some(up.chain(within.components()).collect())
}

/// Returns whether a relative path from a folder leads nowhere above the root.
fn stays_within(folder: &Path, target: &Path) -> bool {
    let mut depth = folder.components().count();
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return false,
            Component::ParentDir => depth -= 1,
            _ => {}
        }
    }
    true
}
