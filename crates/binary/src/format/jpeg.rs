use super::Format;
use super::builder::Builder;
use crate::Number;

/// The format JPEG: segments, each with a marker, and the data of scans.
///
/// Source: ITU-T T.81, 1992.
pub(super) const JPEG: Format = Format {
    name: "JPEG",
    fits: |text| text.starts_with(b"\xff\xd8\xff"),
    read: jpeg,
};

fn jpeg(file: &mut Builder<'_>) -> Option<()> {
    file.skip(2)?;
    loop {
        let start = file.at;
        let marker = file.skip(2)?;
        if file.text[start] != 0xff {
            return None;
        }
        match file.text[marker.end - 1] {
            0xd9 => {
                file.region(file.at..file.text.len(), "rest");
                return Some(());
            }
            0x01 | 0xd0..=0xd7 => {}
            kind => {
                let length = usize::try_from(file.peek(file.at, Number::Big(2))?).ok()?;
                // The length includes its own two bytes.
                let (place, end) = (file.at..file.at + 2, file.at.checked_add(length)?);
                file.bytes(place.end..end)?;
                file.measures(place.clone(), Number::Big(2), place.end..end);
                file.region(place.end..end, "data");
                file.at = end;
                if kind == 0xda {
                    let is_marker =
                        |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7);
                    let rest = file.text.get(end..)?;
                    let len = rest.windows(2).position(is_marker).unwrap_or(rest.len());
                    let scan = file.skip(len)?;
                    file.region(scan, "scan");
                }
            }
        }
        file.region(start..file.at, "segment");
    }
}
