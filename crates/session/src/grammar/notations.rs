//! The notations of grammars in messages.

use nubbin_grammar::read::Format;

/// Returns the names of all notations, with a word about those whose name does not say it all.
pub(super) fn notations() -> String {
    let name = |format: Format| match format {
        Format::Book => format!("{format} (JSON)"),
        Format::Lists => format!("{format} (JSON)"),
        _ => format.to_string(),
    };
    Format::ALL.map(name).join(", ")
}
