use super::Format;
use super::builder::Builder;
use crate::Codec;
use crate::compressed::{bzip2, lz4, xz, zstd};

/// The format xz: streams one after another. Streams with filters for processor code are not
/// decoded.
pub(super) const XZ: Format = Format {
    name: "xz",
    fits: |text| text.starts_with(xz::MAGIC),
    read: |file| frames(file, Codec::Xz),
};

/// The format Zstandard: frames one after another. Frames with a dictionary are not decoded.
pub(super) const ZSTANDARD: Format = Format {
    name: "Zstandard",
    fits: |text| text.starts_with(zstd::MAGIC),
    read: |file| frames(file, Codec::Zstd),
};

/// The format LZ4: frames one after another. Frames with a dictionary are not decoded.
pub(super) const LZ4: Format = Format {
    name: "LZ4",
    fits: |text| text.starts_with(lz4::MAGIC),
    read: |file| frames(file, Codec::Lz4),
};

/// The format bzip2: streams one after another.
pub(super) const BZIP2: Format = Format {
    name: "bzip2",
    fits: bzip2::begins,
    read: |file| frames(file, Codec::Bzip2),
};

/// Reads frames with all lengths and checksums in them. They are written again when their content
/// changes, so their fields are not read.
fn frames(file: &mut Builder<'_>, codec: Codec) -> Option<()> {
    while file.at < file.text.len() {
        let rest = file.at..file.text.len();
        let Some((_, range)) = file.decompress(rest.clone(), codec) else {
            // A file without any decoded part is treated like one of an unknown format.
            if rest.start > 0 {
                file.region(rest, "rest");
            }
            return None;
        };
        if range != (0..file.text.len()) {
            file.region(range.clone(), "frame");
        }
        file.at = range.end;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, Codec, Cut, read, read_within};

    const CODECS: [Codec; 4] = [Codec::Xz, Codec::Zstd, Codec::Lz4, Codec::Bzip2];

    #[test]
    fn frames_become_empty_and_lines_go() {
        for codec in CODECS {
            let [first, second] = [&b"one\ntwo\n"[..], b"three\n"].map(|text| codec.encode(text));
            let file = [&first[..], &second, b"rest"].concat();
            let layout = read(&file).unwrap_or_default();
            let view = layout.view();
            assert_eq!(view.text, b"one\ntwo\nthree\nrest");
            let kinds: Vec<&str> = view.regions.iter().map(|(_, kind)| *kind).collect();
            assert_eq!(kinds, ["frame", "line", "line", "line", "frame", "rest"]);
            let without = |nth: usize| {
                let span = view.regions[nth].0.clone();
                Cut::render(&layout.rewrite(&[Cut::remove(span)]), &file)
            };
            let empty = codec.encode(b"");
            assert_eq!(without(0), [&empty[..], &second, b"rest"].concat());
            let less = codec.encode(b"two\n");
            assert_eq!(without(1), [&less[..], &second, b"rest"].concat());
            assert_eq!(without(5), [&first[..], &second].concat());
        }
    }

    #[test]
    fn a_file_that_cannot_be_decoded_has_no_format() {
        for codec in CODECS {
            let file = codec.encode(&[b'a'; 5_000]);
            assert!(read(&file).is_some());
            let bounds = Bounds {
                decoded: 4_999,
                ..Bounds::of(file.len())
            };
            assert_eq!(read_within(&file, bounds), None);
            assert_eq!(read(&file[..file.len() - 1]), None);
        }
    }
}
