use nubbin_edit::Input;
#[cfg(feature = "binary")]
use nubbin_regions::has_texts;
use std::sync::Arc;

/// A mark for each file, by the number of the file.
pub(super) type Marks = Arc<[bool]>;

/// Marks the archives and compressed files that contain texts.
pub(super) fn with_texts(input: &Input) -> Marks {
    let files = (0..input.file_count()).map(|number| input.file(number));
    files
        .map(|file| file.is_some_and(|file| has_texts(file.text)))
        .collect()
}

/// Without knowledge of formats, no file is an archive.
#[cfg(not(feature = "binary"))]
fn has_texts(_: &[u8]) -> bool {
    false
}
