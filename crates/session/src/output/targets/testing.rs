//! Inputs of tests and their destinations.

use super::{Targets, Written};
use crate::files::Source;
use crate::folder::Tree;
use crate::output::saver::Saver;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};

/// Returns a source with a single file.
pub(in crate::output) fn file(path: impl AsRef<Path>) -> Source {
    let path = path.as_ref().to_path_buf();
    Source {
        name: path.file_name().unwrap().into(),
        path,
        tree: None,
    }
}

pub(in crate::output) fn start(targets: Targets, floor: Option<usize>) -> Saver {
    Saver::start(targets, floor, Written::default()).unwrap()
}

/// Creates a folder of files on disk. Returns it as a source and as an input.
pub(super) fn folder_of_files(root: &Path, names: &[&str]) -> (Source, Input) {
    for name in names {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), name).unwrap();
    }
    let files = names.iter().map(|name| (name, name.as_bytes().to_vec()));
    let source = Source {
        path: root.to_path_buf(),
        name: "p".into(),
        tree: Some(Tree {
            files: names.iter().map(PathBuf::from).collect(),
            folders: vec!["empty".into()],
            ..Tree::default()
        }),
    };
    (source, Input::files(files).unwrap())
}
