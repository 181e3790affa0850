use super::budget::Budget;
use super::builder::Builder;
use crate::Layout;

/// A format that can be read.
pub(super) struct Format {
    pub(super) name: &'static str,
    /// Returns whether some bytes look like the format. The function examines only a few bytes.
    pub(super) fits: fn(&[u8]) -> bool,
    /// Reads the sound part of a file. The function returns `None` if the rest of the file is not
    /// sound.
    pub(super) read: fn(&mut Builder<'_>) -> Option<()>,
}

impl Format {
    /// Returns the structure of a file of this format, as far as the file is sound.
    pub(super) fn layout(&self, text: &[u8], budget: &mut Budget) -> Layout {
        let mut builder = Builder::new(self.name, text, budget);
        // The part before the first fault is used.
        let _ = (self.read)(&mut builder);
        builder.add_gaps();
        builder.finish()
    }
}
