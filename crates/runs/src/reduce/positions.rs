//! The positions in the input that the failure prints, for the first candidates of a run.

use super::plan;
use super::trees::Trees;
use crate::problem::say;
use crate::settings::ReduceSettings;
use nubbin_oracle::{CommandOracle, PositionKind, Run};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::{self, RootKind};
use nubbin_reduce::{Algorithm, auto};

/// The minimum size in bytes of an input for which a run reports that it found no positions. The
/// first tests of a smaller input are soon over.
const MIN_TOLD_BYTES: usize = 16 << 10;

/// Returns the trees for a plan with positions; `None` if the plan is not the default one.
pub(super) fn trees_for(
    named: &Algorithm,
    args: &ReduceSettings,
    trees: Option<&Trees>,
) -> Option<tree_reducer::Trees> {
    let search = &args.search;
    let is_default = matches!(named, Algorithm::Auto)
        && search.passes.is_empty()
        && search.atom.is_empty()
        && !plan::leaves_out(search, auto::POSITIONS);
    let trees = trees.filter(|_| is_default)?;
    Some(trees.used()).filter(tree_reducer::Trees::is_tolerant)
}

/// The positions that the original's run printed.
#[derive(Default)]
pub(super) struct Found {
    pub(super) positions: Vec<auto::Position>,
    /// Whether the plan is the default one, over trees.
    #[cfg_attr(
        not(feature = "clang"),
        expect(dead_code, reason = "Clang's front end asks")
    )]
    pub(super) is_default: bool,
}

/// Returns the plan with the pass over the positions that the original's run printed, and these.
/// Without trees, no positions are used.
pub(super) fn with_positions(
    plan: Plan,
    trees: Option<&tree_reducer::Trees>,
    test: (&ReduceSettings, &CommandOracle),
    input: &Input,
    stop: &Stop,
) -> (Plan, Found) {
    let Some(trees) = trees else {
        return (plan, Found::default());
    };
    let positions = find(test, input, stop);
    let plan = auto::with_positions(plan, trees, input, &positions);
    let found = Found {
        positions,
        is_default: true,
    };
    (plan, found)
}

fn find(
    (args, oracle): (&ReduceSettings, &CommandOracle),
    input: &Input,
    stop: &Stop,
) -> Vec<auto::Position> {
    // Runs on a farm or in a fork server print no output on this machine.
    let is_here = args.test.remote.address().is_none()
        && args.test.run.persistent.is_none()
        && args.test.failure.same_coverage.is_none();
    if !is_here || stop.is_requested() {
        return vec![];
    }
    let found = input.with_candidate(|candidate| {
        // If the original cannot run, its test reports the error.
        let run = oracle.run_of_original(candidate, stop.token()).ok()?;
        let files: Vec<_> = candidate.files().iter().map(|file| file.name).collect();
        let found = oracle.positions(&run, candidate);
        let numbers = |name| input.present().find(|file| file.name == name);
        let position = |position: nubbin_oracle::Position| {
            let file = numbers(files[position.file])?.number;
            Some((file, position))
        };
        let found: Vec<_> = found.into_iter().filter_map(position).collect();
        Some((run, found))
    });
    let Some((run, found)) = found else {
        return vec![];
    };
    if found.is_empty() {
        tell_of_silence(args, oracle, &run, input);
        return vec![];
    }
    let kinds: Vec<_> = found.iter().map(|(_, position)| position.kind).collect();
    let roots = root_kinds(&kinds).into_iter();
    let positions = found
        .iter()
        .zip(roots)
        .filter_map(|((file, position), kind)| {
            Some(auto::Position {
                file: *file,
                range: position.range.clone(),
                kind: kind?,
            })
        });
    positions.collect()
}

/// Returns for each position in the order of the output whether it is the failure, a step to it, or
/// a note on it; `None` if it is not a part of the failure.
fn root_kinds(kinds: &[PositionKind]) -> Vec<Option<RootKind>> {
    let has = |kind| kinds.contains(&kind);
    let (has_error, has_frame) = (has(PositionKind::Error), has(PositionKind::Frame));
    // GCC prints the instantiations ("required from here") before the warning about the template.
    // An interpreter prints the frames of a failure that is not a warning.
    let leads_to_warning = !has_error
        && kinds
            .windows(2)
            .any(|pair| *pair == [PositionKind::Frame, PositionKind::Warning]);
    let root = |kind: &PositionKind| match kind {
        PositionKind::Error => Some(RootKind::Failure),
        PositionKind::Frame if has_error || leads_to_warning => Some(RootKind::Step),
        PositionKind::Frame => Some(RootKind::Failure),
        PositionKind::Warning if leads_to_warning => Some(RootKind::Failure),
        // Warnings about the rest of a program are not part of its failure.
        PositionKind::Warning if has_error || has_frame => None,
        PositionKind::Warning => Some(RootKind::Failure),
        PositionKind::Note => Some(RootKind::Note),
    };
    kinds.iter().map(root).collect()
}

/// Says how the first tests could begin where the failure is, if the test prints nothing.
fn tell_of_silence(args: &ReduceSettings, oracle: &CommandOracle, run: &Run, input: &Input) {
    let is_silent = |output: &Option<Vec<u8>>| output.as_ref().is_none_or(Vec::is_empty);
    let is_large = input.size() >= MIN_TOLD_BYTES;
    let is_silent = is_silent(&run.stdout) && is_silent(&run.stderr);
    if args.output_flags.quiet || !is_large || !is_silent || !oracle.predicate().is_default() {
        return;
    }
    say(
        "the test prints nothing: if it lets the program's messages through, the first tests keep \
         what they point at",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use PositionKind::{Error, Frame, Note, Warning};

    const FAILURE: Option<RootKind> = Some(RootKind::Failure);
    const STEP: Option<RootKind> = Some(RootKind::Step);

    #[test]
    fn a_warning_about_an_instance_of_a_template_is_the_failure_and_its_frames_are_steps() {
        // As GCC prints a warning in a template: two places that require it, the warning, a note.
        let kinds = [Frame, Frame, Warning, Note];
        let note = Some(RootKind::Note);
        assert_eq!(root_kinds(&kinds), [STEP, STEP, FAILURE, note]);
        assert_eq!(
            root_kinds(&[Warning, Frame, Warning]),
            [FAILURE, STEP, FAILURE]
        );
    }

    #[test]
    fn the_frames_of_an_interpreter_are_the_failure_and_its_warnings_are_not() {
        assert_eq!(
            root_kinds(&[Warning, Frame, Frame]),
            [None, FAILURE, FAILURE]
        );
        assert_eq!(root_kinds(&[Warning, Warning]), [FAILURE, FAILURE]);
    }

    #[test]
    fn no_warning_is_a_part_of_an_error() {
        let kinds = [Frame, Warning, Error];
        assert_eq!(root_kinds(&kinds), [STEP, None, FAILURE]);
    }
}
