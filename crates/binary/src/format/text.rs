use super::builder::Budget;
use crate::layout::{Layout, Region};

/// Returns the layout of decoded content of an unknown format: lines where it is text.
pub(super) fn lines(text: &[u8], budget: &mut Budget) -> Layout {
    let mut layout = Layout::opaque(text);
    let head = &text[..text.len().min(4 << 10)];
    let is_odd = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t'..=b'\r') || **byte == 0x7f;
    if head.iter().any(|byte| is_odd(&byte))
        || std::str::from_utf8(head).is_err_and(|error| error.valid_up_to() + 4 < head.len())
    {
        return layout;
    }
    layout.format = "text";
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if !budget.spend::<Region>(1) {
            break;
        }
        let end = at + line.len() as u32;
        layout.regions.push(Region {
            span: at..end,
            kind: "line",
        });
        at = end;
    }
    layout
}
