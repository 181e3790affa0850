use super::Format;
use super::builder::Builder;
use crate::Number;

/// The format GIF: images and extensions, in blocks of up to 255 bytes, and tables of colors.
///
/// Source: CompuServe, "Graphics Interchange Format, Version 89a", 1990.
pub(super) const GIF: Format = Format {
    name: "GIF",
    fits: |text| text.starts_with(b"GIF87a") || text.starts_with(b"GIF89a"),
    read: gif,
};

/// Reads a table of colors, by the place of the byte that has the logarithm of its size. Each half
/// that is removed from its end makes that smaller by one.
fn colors(file: &mut Builder<'_>, flags: usize) -> Option<()> {
    let byte = *file.text.get(flags)?;
    if byte & 0x80 == 0 {
        return Some(());
    }
    let table = file.skip(3 << ((byte & 7) + 1))?;
    let halves = file.list();
    for log in 1..=byte & 7 {
        let half = table.start + (3 << log)..table.start + (3 << (log + 1));
        file.item(halves, half.clone());
        file.region(half, "colors");
    }
    file.counts(flags..flags + 1, Number::Bits(7), halves);
    Some(())
}

fn gif(file: &mut Builder<'_>) -> Option<()> {
    file.skip(13)?;
    colors(file, 10)?;
    loop {
        let start = file.at;
        match *file.text.get(start)? {
            0x21 => file.pass(2)?,
            0x2c => {
                file.skip(10)?;
                colors(file, start + 9)?;
                file.skip(1)?;
            }
            _ => {
                file.region(start + 1..file.text.len(), "rest");
                return None;
            }
        }
        let blocks = file.at;
        loop {
            let start = file.at;
            let data = file.length(Number::Big(1))?;
            file.at = data.end;
            if data.is_empty() {
                break;
            }
            file.region(start..data.end, "block");
            file.region(data, "data");
        }
        file.region(blocks..file.at - 1, "blocks");
        file.region(start..file.at, "image or extension");
    }
}
