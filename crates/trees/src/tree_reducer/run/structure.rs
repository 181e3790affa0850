//! The structure of files without a syntax: the regions of a binary file, and the texts that are
//! packed in it. Without the feature `binary`, no file has such a structure.

#[cfg(feature = "binary")]
pub(super) use nubbin_regions::{each_text, on_texts};

use crate::tree::Outline;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Work};

/// Returns the work on the tree of the regions of a binary file.
#[cfg(feature = "binary")]
pub(super) fn on_regions(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(Outline) -> Option<Work>,
) -> Option<Work> {
    let known = |_: &[u8]| None;
    nubbin_regions::on_view(file, context, known, |file, view, _| {
        open(crate::tree::of_regions(view, file.span.start)?)
    })
}

#[cfg(not(feature = "binary"))]
pub(super) fn on_regions(
    _: &File<'_>,
    _: &Context<'_>,
    _: impl Fn(Outline) -> Option<Work>,
) -> Option<Work> {
    None
}

#[cfg(not(feature = "binary"))]
pub(super) fn each_text<E>(
    _: &File<'_>,
    _: impl FnMut(&File<'_>) -> Result<(), E>,
) -> Result<(), E> {
    Ok(())
}

#[cfg(not(feature = "binary"))]
pub(super) fn on_texts(
    _: &File<'_>,
    _: &Context<'_>,
    _: impl Fn(&File<'_>) -> Option<Work>,
) -> Option<Work> {
    None
}
