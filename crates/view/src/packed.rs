//! Texts in archives and compressed files. Without the feature `binary`, no file counts as an
//! archive or as compressed.

/// Returns the number of bytes of a file after all files that it contains are unpacked.
pub fn unpacked_len(file: &[u8]) -> u64 {
    inner::unpacked_len(file).unwrap_or(file.len() as u64)
}

/// Returns the texts in an archive or a compressed file. For any other file, the result is the file
/// itself.
pub fn texts(file: &[u8]) -> Vec<Vec<u8>> {
    inner::texts(file).unwrap_or_else(|| vec![file.to_vec()])
}

#[cfg(feature = "binary")]
mod inner {
    use nubbin_binary::PackedFile;

    pub(super) fn unpacked_len(file: &[u8]) -> Option<u64> {
        nubbin_binary::read(file).map(|layout| layout.unpacked_len())
    }

    pub(super) fn texts(file: &[u8]) -> Option<Vec<Vec<u8>>> {
        let view = nubbin_binary::read(file)?.with_whole_texts().view();
        let place = |packed: &PackedFile| packed.span.start as usize..packed.span.end as usize;
        let packed = view.files.iter().filter(|packed| packed.is_text);
        packed.clone().next()?;
        let texts = packed.filter_map(|it| Some(view.text.get(place(it))?.to_vec()));
        Some(texts.collect())
    }
}

#[cfg(not(feature = "binary"))]
mod inner {
    pub(super) fn unpacked_len(_: &[u8]) -> Option<u64> {
        None
    }

    pub(super) fn texts(_: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }
}
