//! The front end of a compiler: the first candidates of a run, and the errors of all candidates.

use super::plan;
use super::positions::Found;
use crate::clang::{ClangForm, ClangSlicer, LARGEST, SMALLEST, text_of};
use crate::settings::ReduceSettings;
use nubbin_clang::{CheckRequest, Request, arguments, makes_code, runs};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::auto;
use nubbin_reduce::engine::{Form, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::RootKind;
use std::path::Path;
use std::sync::Arc;

/// The number of seconds after which the front end makes no more slices.
const SECONDS: u64 = 30;

/// Returns the plan with slices by Clang, and Clang as a judge of candidates, if the input is one
/// file in C or C++.
pub(super) fn with_front_end(
    plan: Plan,
    language: Option<&str>,
    found: &Found,
    (args, oracle): (&ReduceSettings, &CommandOracle),
    input: &Input,
    stop: &Stop,
) -> (Plan, Option<Box<dyn Form>>) {
    let mut files = input.present();
    let (Some(file), None) = (files.next(), files.next()) else {
        return (plan, None);
    };
    let is_known = matches!(language, Some("c" | "cpp"));
    let fits = (SMALLEST..=LARGEST).contains(&file.text.len());
    if !is_known || !fits || !found.is_default || plan::leaves_out(&args.search, auto::FRONT_END) {
        return (plan, None);
    }
    let script = oracle.command().script(Path::new("")).unwrap_or_default();
    let own = oracle.command().args().iter();
    let own: Vec<String> = own.map(|arg| arg.to_string_lossy().into_owned()).collect();
    let program = oracle.command().program().to_string_lossy().into_owned();
    let words = || {
        // A script that is an argument is read like any other script.
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
    let (arguments, runs) = (arguments(words(), &extension), runs(words()));
    let check = CheckRequest {
        path: path.clone(),
        arguments: arguments.clone(),
    };
    let request = Request {
        text: text_of(file.text),
        path,
        arguments,
        root_sets: root_sets(&found.positions),
        errors: parts(&found.positions, RootKind::Failure),
        words: oracle.wanted_words(),
        runs,
        makes_code: makes_code(words()),
        seconds: SECONDS,
    };
    match ClangSlicer::start(request, stop, args.output_flags.quiet) {
        Some(slicer) => {
            let form = ClangForm::new(check, slicer.must_compile(), stop);
            let form: Option<Box<dyn Form>> = Some(Box::new(form));
            let plan = auto::with_front_end(plan, input, file.number, Arc::new(slicer));
            (plan, form)
        }
        None => (plan, None),
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
