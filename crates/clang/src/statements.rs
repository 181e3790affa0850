//! The statements of bodies that contain an error.

use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{is, tokens};
use crate::unit::Unit;
use clang_sys::*;
use std::ops::Range;

/// Divides the bodies around some positions into their statements. Statements within a statement
/// are also items if they contain such a position.
pub(crate) fn with_statements<'u>(
    unit: &'u Unit<'_>,
    text: &[u8],
    places: &[Range<u32>],
    drafts: Vec<Draft<'u>>,
) -> Vec<Draft<'u>> {
    // The number of each item among all items.
    let mut numbers = vec![];
    let mut all: Vec<Draft<'u>> = vec![];
    for mut draft in drafts {
        draft.parent = draft.parent.map(|parent| numbers[parent as usize]);
        let number = all.len() as u32;
        numbers.push(number);
        // A position in the head of a function refers to its definition, and not to a statement.
        let head = draft
            .parent
            .map(|parent: u32| all[parent as usize].range.start);
        let whole = head.unwrap_or(draft.range.start)..draft.range.end;
        let body = match (draft.kind, draft.cursors.first()) {
            (ItemKind::Body, Some(function)) if meets(places, &whole) => {
                function.children().into_iter().next_back()
            }
            _ => None,
        };
        all.push(draft);
        if let Some(body) = body {
            divide(unit, text, places, (body, number), &mut all);
        }
    }
    all
}

fn meets(places: &[Range<u32>], range: &Range<u32>) -> bool {
    let is_in = |place: &Range<u32>| {
        range.start < place.end.max(place.start + 1) && place.start < range.end
    };
    places.iter().any(is_in)
}

/// Adds the statements of a block.
fn divide<'u>(
    unit: &'u Unit<'_>,
    text: &[u8],
    places: &[Range<u32>],
    (block, parent): (Cursor<'u>, u32),
    all: &mut Vec<Draft<'u>>,
) {
    let Some(inside) = block.range(unit) else {
        return;
    };
    let mut from = inside.start + 1;
    for child in block.children() {
        let range = child
            .range(unit)
            .and_then(|range| whole(text, child, range, inside.end));
        // The expansion of a macro may have any range.
        let Some(range) = range.filter(|range| range.start >= from && range.end < inside.end)
        else {
            continue;
        };
        from = range.end;
        all.push(Draft {
            range: range.clone(),
            parent: Some(parent),
            kind: ItemKind::Statement,
            name: String::new(),
            cursors: vec![child],
        });
        let number = all.len() as u32 - 1;
        if meets(places, &range) {
            for inner in blocks(child) {
                divide(unit, text, places, (inner, number), all);
            }
        }
    }
}

/// Returns whether a statement makes the names of a namespace or a class known: `using namespace
/// a;` and `using a::b;`, but not `using a = b;`.
pub(crate) fn is_using(text: &[u8], range: &Range<u32>) -> bool {
    let mut tokens = tokens(text, range.start as usize..range.end as usize);
    let first = tokens.next().map(|token| &text[token.range]);
    first == Some(b"using") && tokens.all(|token| !is(text, &token, b'='))
}

/// Returns the blocks of a statement that controls others.
fn blocks(statement: Cursor<'_>) -> Vec<Cursor<'_>> {
    match statement.kind() {
        CXCursor_CompoundStmt => vec![statement],
        CXCursor_IfStmt
        | CXCursor_WhileStmt
        | CXCursor_ForStmt
        | CXCursor_CXXForRangeStmt
        | CXCursor_DoStmt
        | CXCursor_CXXTryStmt
        | CXCursor_CXXCatchStmt => statement.children().into_iter().flat_map(blocks).collect(),
        _ => vec![],
    }
}

/// Returns the range of a statement with its semicolon.
fn whole(text: &[u8], statement: Cursor<'_>, range: Range<u32>, end: u32) -> Option<Range<u32>> {
    let is_block = !blocks(statement).is_empty();
    let last = text.get((range.end as usize).checked_sub(1)?)?;
    if *last == b';' || is_block && *last == b'}' {
        return Some(range);
    }
    let next = tokens(text, range.end as usize..end as usize).next()?;
    is(text, &next, b';').then_some(range.start..next.range.end as u32)
}
