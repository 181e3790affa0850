use crate::work::{List, Tiling, Work};
use nubbin_edit::File;

/// Returns the work on units that lie end to end in a file, or `None` if there are no units.
/// `bounds` holds the offsets in the file at which the units begin and, at the end, the offset at
/// which the last unit ends.
pub fn tiling(file: &File<'_>, mut bounds: Vec<u32>) -> Option<Work> {
    if bounds.len() < 2 {
        return None;
    }
    for bound in &mut bounds {
        *bound += file.span.start;
    }
    Some(Work::List(List::new(Tiling::new(bounds))))
}

/// Returns the work on units that lie end to end in a file, as [`tiling`] does, but leaves out a
/// single unit that is the whole file. Such a unit is not worth a test.
pub fn pieces(file: &File<'_>, bounds: Vec<u32>) -> Option<Work> {
    if bounds.len() < 3 {
        None
    } else {
        tiling(file, bounds)
    }
}
