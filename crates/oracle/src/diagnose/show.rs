use super::{Diagnosis, Finding};
use crate::last_lines::last_lines;
use crate::run::Run;
use nubbin_verdict::Unresolved;
use std::fmt;

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &|_| String::new())
    }
}

impl Diagnosis {
    /// Returns the text with `advice` after each finding.
    pub fn with_advice(&self, advice: impl Fn(&Finding) -> String) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text, &advice);
        text
    }

    fn write(&self, f: &mut dyn fmt::Write, advice: &dyn Fn(&Finding) -> String) -> fmt::Result {
        let is_built = !matches!(self.private.cut_short, Some(Unresolved::NotBuilt { .. }));
        match is_built {
            true => writeln!(f, "the test does not fail on the input as it is")?,
            false => writeln!(f, "the build fails on the input as it is")?,
        }
        if let Some(build) = &self.build {
            writeln!(f, "  build:   {build}")?;
        }
        if is_built {
            writeln!(f, "  command: {}", self.command)?;
            writeln!(f, "  wanted:  {}", self.wanted)?;
        }
        show_run(
            f,
            "alone in an empty folder (how every candidate runs)",
            &self.private,
        )?;
        if let Some(own) = &self.own {
            show_run(f, "together with the files next to it", own)?;
        }
        if let Some(why) = &self.not_tried {
            writeln!(f, "  together with the files next to it: not tried, {why}")?;
        }
        if let Some(other) = &self.other {
            show_run(f, "the command to compare with", other)?;
        }
        match &self.findings[..] {
            [] => Ok(()),
            [only] => write!(f, "most likely: {only}{}", advice(only)),
            several => {
                write!(f, "likely reasons:")?;
                several.iter().enumerate().try_for_each(|(nth, finding)| {
                    write!(f, "\n  {}. {finding}{}", nth + 1, advice(finding))
                })
            }
        }
    }
}

fn show_run(f: &mut dyn fmt::Write, place: &str, run: &Run) -> fmt::Result {
    match &run.cut_short {
        Some(Unresolved::NotBuilt { timed_out: false }) | None => {
            writeln!(f, "  {place}: {} after {:.1?}", run.exit, run.elapsed)?;
        }
        Some(reason) => writeln!(f, "  {place}: {reason}")?,
    }
    show_end(f, "stdout", run.stdout())?;
    show_end(f, "stderr", run.stderr())
}

fn show_end(f: &mut dyn fmt::Write, name: &str, bytes: &[u8]) -> fmt::Result {
    for line in last_lines(bytes) {
        writeln!(f, "    {name}: {line}")?;
    }
    Ok(())
}
