use super::Format;
use super::builder::Builder;
use crate::sqlite::{BLOB, KEPT_LEN, MAGIC, TABLE, TEXT, decode, width};
use crate::{Codec, Number};

/// The format of SQLite: a sound database, decoded to its rows, from which a file is written.
pub(super) const SQLITE: Format = Format {
    name: "SQLite",
    fits: |text| text.starts_with(MAGIC),
    read: |file| {
        let all = 0..file.text.len();
        file.reads(all.len())?;
        let content = decode(file.text, file.decodes())?;
        file.decoded(all, Codec::Sqlite, &content, |text, budget| {
            ROWS.layout(text, budget)
        })?;
        Some(())
    },
};

/// The content of a database: trees of tables and indices.
const ROWS: Format = Format {
    name: "rows",
    fits: |_| false,
    read: rows,
};

/// Texts and blobs from this length on may have a format of their own.
const CONTENT: usize = 64;

fn rows(file: &mut Builder<'_>) -> Option<()> {
    let (doublings, place) = file.number(Number::Little(1))?;
    let list = file.list();
    file.counts(place, Number::Little(1), list);
    for _ in 0..doublings {
        let doubling = file.skip(1)?;
        file.item(list, doubling.clone());
        file.region(doubling, "doubling of the page size");
    }
    file.skip(KEPT_LEN)?;
    // The first tree is the schema.
    let mut is_schema = true;
    while file.at < file.text.len() {
        let kind = file.skip(1)?;
        let is_table = file.text[kind.start] == TABLE;
        file.number(Number::Leb)?;
        let entries = file.length(Number::Leb)?;
        // The entries of an index follow from the rows of its table.
        if is_table {
            while file.at < entries.end {
                entry(file, is_schema)?;
            }
            if !is_schema {
                file.region(entries.clone(), "table");
            }
        }
        file.at = entries.end;
        is_schema = false;
    }
    Some(())
}

fn entry(file: &mut Builder<'_>, is_schema: bool) -> Option<()> {
    let start = file.at;
    file.number(Number::Leb)?;
    let values = file.length(Number::Leb)?;
    let mut kind = 0;
    while file.at < values.end {
        let place = file.skip(1)?;
        kind = file.text[place.start];
        match width(kind) {
            Some(width) => file.pass(width)?,
            None => {
                let content = file.length(Number::Leb)?;
                file.region(content.clone(), if kind == BLOB { "blob" } else { "text" });
                if content.len() >= CONTENT && matches!(kind, BLOB | TEXT) {
                    file.content(content.clone());
                }
                file.at = content.end;
            }
        }
    }
    // The index of a key has no text of its own in the schema, and is removed with its table.
    if !is_schema || kind != 0 {
        file.region(start..values.end, if is_schema { "object" } else { "row" });
    }
    Some(())
}
