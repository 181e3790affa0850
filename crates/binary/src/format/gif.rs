use super::Format;
use super::builder::Builder;
use crate::Number;

/// Images and extensions, in blocks of up to 255 bytes.
///
/// Source: CompuServe, "Graphics Interchange Format, Version 89a", 1990.
pub(super) const GIF: Format = Format {
    name: "GIF",
    fits: |text| text.starts_with(b"GIF87a") || text.starts_with(b"GIF89a"),
    read: gif,
};

/// Reads past a table of colors, by the byte that states its size.
fn colors(file: &mut Builder<'_>, flags: u8) -> Option<()> {
    if flags & 0x80 != 0 {
        file.skip(3 << ((flags & 7) + 1))?;
    }
    Some(())
}

fn gif(file: &mut Builder<'_>) -> Option<()> {
    let flags = *file.text.get(10)?;
    file.skip(13)?;
    colors(file, flags)?;
    loop {
        let start = file.at;
        match *file.text.get(start)? {
            0x21 => file.pass(2)?,
            0x2c => {
                let flags = *file.text.get(start + 9)?;
                file.skip(10)?;
                colors(file, flags)?;
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
