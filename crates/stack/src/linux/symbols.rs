//! The names of functions, by the symbols and the debug information of a file.

use super::names::bare;
use super::section::{Bytes, data};
use gimli::{Dwarf, LittleEndian, SectionId};
use object::read::{ReadCache, ReadRef};
use object::{Object, ObjectSymbol as _, SymbolKind};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The file with the symbols of a module.
#[derive(Debug)]
pub(super) struct Symbols {
    path: Option<PathBuf>,
}

/// The functions at an address, innermost first: inlined functions, and the function with the code.
type Names = Vec<String>;

impl Symbols {
    pub(super) fn new(path: PathBuf) -> Self {
        Symbols { path: Some(path) }
    }

    pub(super) fn none() -> Self {
        Symbols { path: None }
    }

    /// Returns the names of the functions at the given addresses in the file.
    pub(super) fn names(&self, addresses: &[u64]) -> BTreeMap<u64, Names> {
        let mut found = BTreeMap::new();
        let Some(path) = &self.path else {
            return found;
        };
        let debug = with_file(path, |file| separate(file, path)).flatten();
        for path in std::iter::once(path).chain(&debug) {
            let names = with_file(path, |file| names_in(file, addresses));
            for (address, names) in names.unwrap_or_default() {
                let known: &mut Names = found.entry(address).or_default();
                // A file with debug information has more functions for an address.
                if names.len() > known.len() {
                    *known = names;
                }
            }
        }
        found
    }
}

/// Reads a file, and returns the result of `read`.
fn with_file<T>(path: &Path, read: impl FnOnce(&dyn Names64) -> T) -> Option<T> {
    let file = std::fs::File::open(path).ok()?;
    let cache = ReadCache::new(file);
    let parsed = object::File::parse(&cache).ok()?;
    Some(read(&parsed))
}

/// Takes the address and the size of a function, and a way to read its name.
type Take<'a> = &'a mut dyn FnMut(u64, u64, &dyn Fn() -> Option<String>);

/// The parts of a file that names come from.
trait Names64 {
    fn build_id(&self) -> Option<Vec<u8>>;
    fn link(&self) -> Option<Vec<u8>>;
    /// Calls `take` for each function.
    fn functions(&self, take: Take<'_>);
    fn section(&self, name: &str) -> Option<Vec<u8>>;
}

impl<'data, R: ReadRef<'data>> Names64 for object::File<'data, R> {
    fn build_id(&self) -> Option<Vec<u8>> {
        Object::build_id(self).ok().flatten().map(<[u8]>::to_vec)
    }

    fn link(&self) -> Option<Vec<u8>> {
        let link = self.gnu_debuglink().ok().flatten();
        link.map(|(name, _)| name.to_vec())
    }

    fn functions(&self, take: Take<'_>) {
        let all = self.symbols().chain(self.dynamic_symbols());
        let functions = all.filter(|symbol| {
            symbol.is_definition() || symbol.kind() == SymbolKind::Text && !symbol.is_undefined()
        });
        for symbol in functions {
            let name = || symbol.name().ok().map(str::to_owned);
            take(symbol.address(), symbol.size(), &name);
        }
    }

    fn section(&self, name: &str) -> Option<Vec<u8>> {
        data(&self.section_by_name(name)?)
    }
}

/// Returns the file to which the symbols and debug information of a file were moved.
fn separate(file: &dyn Names64, path: &Path) -> Option<PathBuf> {
    const FOLDER: &str = "/usr/lib/debug";
    let by_id = file.build_id().and_then(|id| {
        let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let (first, rest) = hex.split_at_checked(2)?;
        Some(PathBuf::from(format!(
            "{FOLDER}/.build-id/{first}/{rest}.debug"
        )))
    });
    let by_name = || {
        let link = file.link()?;
        let name = OsStr::from_bytes(&link);
        let folder = path.parent()?;
        let beside = [folder.join(name), folder.join(".debug").join(name)];
        beside.into_iter().find(|it| it != path && it.is_file())
    };
    by_id.filter(|path| path.is_file()).or_else(by_name)
}

/// Returns the names of the functions at the given addresses.
fn names_in(file: &dyn Names64, addresses: &[u64]) -> BTreeMap<u64, Names> {
    let mut best: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    let mut sorted = addresses.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    file.functions(&mut |start, size, name| {
        let from = sorted.partition_point(|&address| address < start);
        // A function in assembly may have no size.
        let end = start.saturating_add(size.max(1));
        for &address in sorted[from..].iter().take_while(|&&address| address < end) {
            let known = best.get(&address);
            if known.is_none_or(|(other, _)| start > *other)
                && let Some(name) = name()
            {
                best.insert(address, (start, bare(&name)));
            }
        }
    });
    let mut found: BTreeMap<u64, Names> = best
        .into_iter()
        .map(|(address, (_, name))| (address, vec![name]))
        .collect();
    for (address, names) in inlined_at(file, &sorted).unwrap_or_default() {
        found.insert(address, names);
    }
    found
}

/// Returns the functions that debug information has at the given addresses, with inlined ones.
fn inlined_at(file: &dyn Names64, addresses: &[u64]) -> Option<BTreeMap<u64, Names>> {
    let load = |id: SectionId| -> Result<Vec<u8>, gimli::Error> {
        Ok(file.section(id.name()).unwrap_or_default())
    };
    file.section(".debug_info")
        .filter(|info| !info.is_empty())?;
    let sections = gimli::DwarfSections::load(load).ok()?;
    let dwarf: Dwarf<Bytes<'_>> = sections.borrow(|section| Bytes::new(section, LittleEndian));
    let context = addr2line::Context::from_dwarf(dwarf).ok()?;
    let mut found = BTreeMap::new();
    // The library adds 1 to an address.
    for &address in addresses.iter().filter(|&&address| address < u64::MAX) {
        let Ok(mut frames) = context.find_frames(address).skip_all_loads() else {
            continue;
        };
        let mut names = Names::new();
        while let Ok(Some(frame)) = frames.next() {
            let Some(function) = frame.function else {
                continue;
            };
            if let Ok(name) = function.raw_name() {
                names.push(bare(&name));
            }
        }
        if !names.is_empty() {
            found.insert(address, names);
        }
    }
    Some(found)
}
