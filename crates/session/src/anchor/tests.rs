//! The same tests for open folders and for folders that are identified by paths.

use super::{Anchor, Missing};
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};

const ALL: Missing = Missing::Make(None);

/// Tests of one kind of folder.
macro_rules! laws {
    ($name:ident, $folder:ty) => {
        mod $name {
            use super::*;
            type Folder = $folder;

            fn name(text: &str) -> &OsStr {
                OsStr::new(text)
            }

            fn names(folder: &Folder) -> Vec<String> {
                let names = folder.entries().unwrap().into_iter();
                let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
                names.sort();
                names
            }

            #[test]
            fn files_are_made_read_renamed_and_removed() {
                let place = tempfile::tempdir().unwrap();
                let real = Folder::real_path(place.path()).unwrap();
                let folder = Folder::at(&real, Missing::Refuse).unwrap();
                let mut file = folder.create_new(name("a"), 0o600).unwrap();
                file.write_all(b"one").unwrap();
                Folder::set_file_mode(&file, 0o640).unwrap();
                drop(file);
                assert!(folder.create_new(name("a"), 0o600).is_err());
                let below = folder.enter(name("d"), ALL).unwrap();
                folder.set_dir_mode(name("d"), 0o700).unwrap();
                folder.rename(name("a"), &below, name("b")).unwrap();
                assert_eq!(
                    (names(&folder), names(&below)),
                    (vec!["d".into()], vec!["b".into()])
                );
                let there = below.there(name("b")).unwrap();
                assert!(there.is_file() && there.len == 3 && !there.is_foreign);
                let mut text = String::new();
                below
                    .read(name("b"))
                    .unwrap()
                    .read_to_string(&mut text)
                    .unwrap();
                assert_eq!(text, "one");
                below.open(name("b")).unwrap().write_all(b"two").unwrap();
                assert_eq!(std::fs::read(place.path().join("d/b")).unwrap(), b"two");
                drop(below.create(name("b"), 0o600).unwrap());
                assert_eq!(below.there(name("b")).unwrap().len, 0);
                assert!(folder.remove_dir(name("d")).is_err());
                below.remove_file(name("b")).unwrap();
                folder.remove_dir(name("d")).unwrap();
                assert_eq!(names(&folder).len(), 0);
            }

            #[test]
            fn folders_are_made_on_request() {
                let place = tempfile::tempdir().unwrap();
                let real = Folder::real_path(place.path()).unwrap().join("a/b");
                assert!(Folder::at(&real, Missing::Refuse).is_err());
                let made = Folder::at(&real, ALL).unwrap();
                assert!(
                    made.is_same(&Folder::at(&real, Missing::Refuse).unwrap())
                        .unwrap()
                );
                let above = Folder::at(real.parent().unwrap(), Missing::Refuse).unwrap();
                assert!(!made.is_same(&above).unwrap());
                assert!(above.enter(name("c"), Missing::Refuse).is_err());
                above.make_dir(name("c"), 0o700).unwrap();
                assert!(above.enter(name("c"), Missing::Refuse).is_ok());
            }

            #[cfg(unix)]
            #[test]
            fn links_are_not_followed() {
                let place = tempfile::tempdir().unwrap();
                let real = Folder::real_path(place.path()).unwrap();
                let folder = Folder::at(&real, Missing::Refuse).unwrap();
                let mine = folder.enter(name("mine"), ALL).unwrap();
                drop(mine.create_new(name("a"), 0o600).unwrap());
                let link = |target: &str, name: &str| {
                    std::os::unix::fs::symlink(target, place.path().join(name)).unwrap();
                };
                link("mine", "d");
                link("mine/a", "f");
                assert!(folder.enter(name("d"), ALL).is_err());
                assert!(folder.there(name("d")).unwrap().is_link());
                assert_eq!(folder.read_link(name("f")).unwrap(), "mine/a");
                assert!(folder.create(name("f"), 0o600).is_err());
                assert!(folder.create_new(name("f"), 0o600).is_err());
                assert!(folder.open(name("f")).is_err() && folder.read(name("f")).is_err());
                folder.remove_file(name("f")).unwrap();
                match folder.link(name("f"), "mine".as_ref()) {
                    Ok(()) => assert_eq!(folder.read_link(name("f")).unwrap(), "mine"),
                    Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::Unsupported),
                }
                assert!(mine.there(name("a")).is_ok());
            }
        }
    };
}

laws!(by_paths, super::super::by_paths::Folder);
#[cfg(unix)]
laws!(open, super::super::folder::Folder);

#[cfg(unix)]
#[test]
fn a_folder_that_was_not_there_is_made_where_the_folders_above_were() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    std::fs::create_dir(path("above")).unwrap();
    std::fs::create_dir(path("mine")).unwrap();
    let anchor = Anchor::at(&path("above/a/b"));
    anchor.open();
    std::fs::rename(path("above"), path("moved")).unwrap();
    std::os::unix::fs::symlink("mine", path("above")).unwrap();
    assert!(anchor.folder(ALL).is_err());
    assert_eq!(std::fs::read_dir(path("mine")).unwrap().count(), 0);
    std::fs::remove_file(path("above")).unwrap();
    anchor.folder(ALL).unwrap();
    assert!(path("above/a/b").is_dir());
}

#[test]
fn a_folder_that_is_made_again_is_the_same_for_all() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("d");
    std::fs::create_dir(&path).unwrap();
    let [one, other] = [Anchor::at(&path), Anchor::of(&path.join("file"))];
    one.open();
    other.open();
    std::fs::remove_dir(&path).unwrap();
    assert!(other.folder(Missing::Refuse).is_err());
    one.folder(ALL).unwrap();
    other.folder(Missing::Refuse).unwrap();
}

#[test]
fn a_path_that_leads_out_of_a_missing_folder_is_made() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("none/../d");
    let anchor = Anchor::at(&path);
    assert!(anchor.folder(Missing::Refuse).is_err());
    anchor.folder(ALL).unwrap();
    assert!(place.path().join("d").is_dir());
    assert!(anchor.within("..".as_ref(), ALL).is_err());
}
