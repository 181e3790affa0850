//! Passes over many files at once.

use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::{Ask, Candidate, Fault, Oracle, Verdict, pass};

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
