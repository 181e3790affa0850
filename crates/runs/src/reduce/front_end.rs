//! The first candidates of a run by the front end of a compiler.

use super::plan;
use super::positions::Found;
use crate::clang::{ClangSlicer, LARGEST, SMALLEST};
use crate::settings::ReduceSettings;
use nubbin_clang::{Request, arguments, runs};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::auto;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::RootKind;
use std::path::Path;
use std::sync::Arc;

/// The number of seconds after which the front end makes no more slices.
const SECONDS: u64 = 30;

/// Returns the plan with slices by Clang, where the input is one file in C or C++.
pub(super) fn with_front_end(
    plan: Plan,
    language: Option<&str>,
    found: &Found,
    (args, oracle): (&ReduceSettings, &CommandOracle),
    input: &Input,
    stop: &Stop,
) -> Plan {
    let mut files = input.present();
    let (Some(file), None) = (files.next(), files.next()) else {
        return plan;
    };
    let is_known = matches!(language, Some("c" | "cpp"));
    let fits = (SMALLEST..=LARGEST).contains(&file.text.len());
    if !is_known || !fits || !found.is_default || plan::leaves_out(&args.search, auto::FRONT_END) {
        return plan;
    }
    let script = oracle.command().script(Path::new("")).unwrap_or_default();
    let own = oracle.command().args().iter();
    let own: Vec<String> = own.map(|arg| arg.to_string_lossy().into_owned()).collect();
    let program = oracle.command().program().to_string_lossy().into_owned();
    let words = || {
        // A script that is an argument is read as a script.
        let own = own.iter().map(String::as_str);
        let own = own.filter(|word| *word != script);
        let lines = script
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(|line| line.split_whitespace().chain([";"]));
        std::iter::once(program.as_str())
            .chain(own)
            .chain([";"])
            .chain(words)
    };
    let path = args
        .inputs
        .first()
        .map(std::path::PathBuf::as_path)
        .unwrap_or(file.name);
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let extension = path.extension().map(|it| it.to_string_lossy().into_owned());
    let extension = match (extension, language) {
        (Some(extension), _) => extension,
        (None, Some("c")) => "c".to_owned(),
        _ => "cpp".to_owned(),
    };
    let request = Request {
        // Bytes that are no text keep their places.
        text: match std::str::from_utf8(file.text) {
            Ok(text) => text.to_owned(),
            Err(_) => file
                .text
                .iter()
                .map(|&byte| if byte.is_ascii() { byte as char } else { '_' })
                .collect(),
        },
        path,
        arguments: arguments(words(), &extension),
        root_sets: root_sets(&found.positions),
        errors: parts(&found.positions, RootKind::Failure),
        words: oracle.wanted_words(),
        runs: runs(words()),
        seconds: SECONDS,
    };
    match ClangSlicer::start(&request, stop, args.output_flags.quiet) {
        Some(slicer) => auto::with_front_end(plan, input, file.number, Arc::new(slicer)),
        None => plan,
    }
}

/// Returns the positions as sets: without notes first.
fn root_sets(positions: &[auto::Position]) -> Vec<Vec<std::ops::Range<u32>>> {
    let mut sets = vec![
        parts(positions, RootKind::Step),
        parts(positions, RootKind::Note),
    ];
    sets.dedup();
    sets.retain(|set| !set.is_empty());
    sets
}

/// Returns the parts of the text at the positions up to a kind.
fn parts(positions: &[auto::Position], most: RootKind) -> Vec<std::ops::Range<u32>> {
    let of = positions.iter().filter(|position| position.kind <= most);
    of.map(|position| position.range.start as u32..position.range.end as u32)
        .collect()
}
