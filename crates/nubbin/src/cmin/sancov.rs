//! The files that a program with SanitizerCoverage writes when it exits.

use nubbin_oracle::{CommandOracle, LeftFile, TestCommand};
use nubbin_reduce::edit::fingerprint;
use std::ffi::{OsStr, OsString};

/// The sanitizers, each with options in a variable of its own.
const TOOLS: [&str; 5] = ["ASAN", "UBSAN", "MSAN", "LSAN", "TSAN"];
/// The first eight bytes of a file with positions of four and of eight bytes.
const NARROW: u64 = 0xC0BF_FFFF_FFFF_FF32;
const WIDE: u64 = 0xC0BF_FFFF_FFFF_FF64;

/// Returns the command of the oracle with options that make its program write coverage to the
/// folder of a slot.
pub(super) fn command(oracle: &CommandOracle, slot: usize) -> TestCommand {
    // A path may contain a colon, which would end an option that is not in quotes.
    let mut options = OsString::from("coverage=1:coverage_dir=\"");
    options.push(oracle.work_of(slot));
    options.push("\"");
    oracle.command().with_variables(variables(&options))
}

/// Returns the variables of all sanitizers, with the given options after the user's options.
pub(super) fn variables(options: &OsStr) -> Vec<(OsString, OsString)> {
    let variable = |tool: &str| {
        let name = OsString::from(format!("{tool}_OPTIONS"));
        let mut value = std::env::var_os(&name).unwrap_or_default();
        value.push(":");
        value.push(options);
        (name, value)
    };
    TOOLS.map(variable).into()
}

/// Returns a number for each covered location in the files that a program wrote. Each process of
/// the program writes one file per module.
pub(super) fn places(files: &[LeftFile]) -> Vec<u64> {
    let places = files.iter().filter_map(|file| {
        let module = module(&file.name)?;
        Some(positions(&file.bytes).map(move |position| number(module, position)))
    });
    let mut places: Vec<u64> = places.flatten().collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns whether a program with SanitizerCoverage gives this name to a file.
pub(super) fn is_name(name: &OsStr) -> bool {
    module(name).is_some()
}

/// Returns the module in the name of a file, `MODULE.PROCESS.sancov`.
fn module(name: &OsStr) -> Option<&[u8]> {
    let stem = name.as_encoded_bytes().strip_suffix(b".sancov")?;
    let dot = stem.iter().rposition(|&byte| byte == b'.')?;
    let (module, process) = (&stem[..dot], &stem[dot + 1..]);
    let is_process = !process.is_empty() && process.iter().all(u8::is_ascii_digit);
    is_process.then_some(module)
}

/// Returns the positions in a file. A file with another beginning has none, and a part of a
/// position at its end is left out.
fn positions(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (magic, rest) = bytes.split_at_checked(8).unwrap_or_default();
    let size = match magic.try_into().map(u64::from_le_bytes) {
        Ok(WIDE) => 8,
        Ok(NARROW) => 4,
        _ => usize::MAX,
    };
    rest.chunks_exact(size).map(|position| {
        let mut wide = [0; 8];
        wide[..position.len()].copy_from_slice(position);
        u64::from_le_bytes(wide)
    })
}

fn number(module: &[u8], position: u64) -> u64 {
    fingerprint(&[module, b"\n", &position.to_le_bytes()].concat()).0 as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, magic: u64, positions: &[u8]) -> LeftFile {
        LeftFile {
            name: name.into(),
            bytes: [&magic.to_le_bytes(), positions].concat(),
        }
    }

    #[test]
    fn positions_of_all_processes_and_modules_are_places() {
        let [one, two] = [7_u64.to_le_bytes(), 9_u64.to_le_bytes()];
        let both = file("target.12.sancov", WIDE, &[one, two].concat());
        let other = file("lib.so.12.sancov", WIDE, &one);
        let child = file("target.13.sancov", WIDE, &[&two[..], &[1, 2, 3]].concat());
        let narrow = file("target.14.sancov", NARROW, &7_u32.to_le_bytes());
        assert_eq!(places(&[both, other, child, narrow]).len(), 3);
    }

    #[test]
    fn other_and_damaged_files_have_no_places() {
        let position = 7_u64.to_le_bytes();
        for name in [
            "input",
            "target.sancov",
            "target.x.sancov",
            "target..sancov",
        ] {
            assert_eq!(places(&[file(name, WIDE, &position)]), [0; 0], "{name}");
        }
        assert_eq!(places(&[file("t.1.sancov", 7, &position)]), [0; 0]);
        assert_eq!(places(&[file("t.1.sancov", WIDE, &[1])]), [0; 0]);
        let short = LeftFile {
            name: "t.1.sancov".into(),
            bytes: vec![0x64],
        };
        assert_eq!(places(&[short]), [0; 0]);
    }
}
