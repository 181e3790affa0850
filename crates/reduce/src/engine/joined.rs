//! One opening for all files of an input.

use crate::input::File;
use crate::pass::{Context, Pass};
use crate::plan::Plan;
use crate::work::Work;
use std::sync::Arc;

/// Makes the passes of a plan open once on all files, if their works [can be
/// joined](Pass::joins_files).
///
/// In one list of 500 files a list minimizer finds what is needed in about nine tests; 500 lists
/// need one test each.
pub(super) fn join_files(plan: &mut Plan) {
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        if pass.joins_files() && !pass.whole_input() {
            *pass = Arc::new(Joined(Arc::clone(pass)));
        }
    }
}

/// A pass on all files together.
struct Joined(Arc<dyn Pass>);

impl Pass for Joined {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn about(&self) -> &'static str {
        self.0.about()
    }

    fn source(&self) -> &'static str {
        self.0.source()
    }

    fn open(&self, _file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let files: Vec<File<'_>> = context.input.present().collect();
        match files.as_slice() {
            [file] => self.0.open(file, context),
            files => self.0.open_all(files, context),
        }
    }

    fn tries_everything(&self) -> bool {
        self.0.tries_everything()
    }

    fn whole_input(&self) -> bool {
        true
    }

    fn asks_outside(&self) -> bool {
        self.0.asks_outside()
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Reduction;
    use crate::input::Input;
    use crate::list_minimizer::MinimizerChoice;
    use crate::pass;
    use crate::plan::Plan;
    use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};

    /// Fails while two of the lines are there.
    struct TwoLines;

    impl Oracle for TwoLines {
        fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
            let mut lines = candidate.files().iter().flat_map(|file| {
                file.bytes
                    .split_inclusive(|&byte| byte == b'\n')
                    .filter(|line| [b"line 77\n", b"line 400\n".as_slice()].contains(line))
            });
            let both = lines.next().is_some() && lines.next().is_some();
            Ok(if both { Verdict::Fail } else { Verdict::Pass })
        }
    }

    #[test]
    fn the_lines_of_many_files_are_one_list() {
        let files = (0..500).map(|at| (format!("f{at}"), format!("line {at}\nanother\n").into()));
        let input = Input::files(files).unwrap();
        let plan = Plan::single(pass::by_id("lines").unwrap(), MinimizerChoice::default());
        let outcome = Reduction::new(input, &TwoLines, plan).run().unwrap();
        assert_eq!(outcome.input.size(), "line 77\nline 400\n".len());
        let tests = outcome.statistics.tests;
        assert!(tests < 60, "{tests}");
    }
}
