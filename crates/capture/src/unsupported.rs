use crate::exit::Exit;
use crate::flags::CaptureFlags;
use crate::problem::Problem;

/// Returns the error that this system does not support captures.
pub fn run(_flags: &CaptureFlags) -> Result<Exit, Problem> {
    let what = "`nubbin capture` needs a Unix system";
    Err(Problem::new(Exit::Usage, what).hint("copy the files that the command reads by hand"))
}
