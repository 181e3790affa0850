//! The programs and libraries that a process has in memory.

use super::image::Image;
use super::memory::Memory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest size of code without a file, such as that of the system, in bytes.
const LARGEST_UNNAMED: u64 = 64 << 10;

/// A range of memory with code.
#[derive(Debug)]
struct Mapping {
    start: u64,
    end: u64,
    /// The position in the file.
    offset: u64,
    name: String,
}

/// The modules of a process; each is read when an address is in it.
#[derive(Debug)]
pub(super) struct Modules {
    pid: i32,
    mappings: Vec<Mapping>,
    images: BTreeMap<String, Option<Image>>,
}

/// A location in a module.
#[derive(Debug)]
pub(super) struct Place<'a> {
    /// The path, as the process has it.
    pub(super) path: PathBuf,
    /// The module, unless its file cannot be read.
    pub(super) image: Option<&'a Image>,
    /// The difference of addresses in memory and in the file.
    pub(super) bias: u64,
}

impl Modules {
    pub(super) fn of(pid: i32) -> Self {
        let text = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        Modules {
            pid,
            mappings: text.lines().filter_map(mapping).collect(),
            images: BTreeMap::new(),
        }
    }

    /// Returns whether an address is one of code.
    pub(super) fn has_code(&self, address: u64) -> bool {
        self.mapping(address).is_some()
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        let holds = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
        self.mappings.iter().find(holds)
    }

    /// Returns the location of an address of code, or `None` if the code does not belong to a file.
    pub(super) fn place(&mut self, address: u64, memory: &Memory) -> Option<Place<'_>> {
        let found = self.mapping(address)?;
        let (start, end, offset) = (found.start, found.end, found.offset);
        let name = found.name.clone();
        let is_of_system = name == "[vdso]";
        if !is_of_system && !name.starts_with('/') {
            return None;
        }
        if !self.images.contains_key(&name) {
            let image = match is_of_system {
                true if end - start <= LARGEST_UNNAMED => {
                    let size = usize::try_from(end - start).ok()?;
                    memory
                        .bytes(start, size)
                        .and_then(|it| Image::of_bytes(&it))
                }
                true => None,
                false => self.read(&name),
            };
            self.images.insert(name.clone(), image);
        }
        let image = self.images.get(&name)?.as_ref();
        let bias = match image {
            Some(image) => image.bias(start, offset)?,
            None => start.wrapping_sub(offset),
        };
        let path = match is_of_system {
            true => PathBuf::from("/linux-vdso.so"),
            false => PathBuf::from(bare(&name)),
        };
        Some(Place { path, image, bias })
    }

    /// Reads the file of a module, by its path or, where it was removed, by the link of the system
    /// to the program.
    fn read(&self, name: &str) -> Option<Image> {
        let pid = self.pid;
        if bare(name) == name {
            let inside = PathBuf::from(format!("/proc/{pid}/root{name}"));
            return Image::of_file(&inside).or_else(|| Image::of_file(Path::new(name)));
        }
        let program = PathBuf::from(format!("/proc/{pid}/exe"));
        let is_program = std::fs::read_link(&program).is_ok_and(|it| it.as_os_str() == name);
        is_program.then(|| Image::of_file(&program)).flatten()
    }
}

/// Returns a path without the mark of a file that was removed.
fn bare(name: &str) -> &str {
    name.strip_suffix(" (deleted)").unwrap_or(name)
}

/// Reads a line of the map of a process, if it is about code.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    if !words.next()?.contains('x') {
        return None;
    }
    let offset = u64::from_str_radix(words.next()?, 16).ok()?;
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset,
        name: words.nth(2).unwrap_or_default().trim_start().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_kept_of_a_map() {
        let line = "55d0-55e0 r-xp 00001000 fe:00 123                    /usr/bin/a b (deleted)";
        let found = mapping(line).unwrap();
        assert_eq!(
            (found.start, found.end, found.offset),
            (0x55d0, 0x55e0, 0x1000)
        );
        assert_eq!(bare(&found.name), "/usr/bin/a b");
        assert!(mapping("55e0-55f0 rw-p 00001000 fe:00 123 /usr/bin/a").is_none());
        assert_eq!(mapping("1-2 r-xp 0 00:00 0").unwrap().name, "");
    }
}
