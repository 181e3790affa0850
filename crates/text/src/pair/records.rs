//! The units of a text that is a list: elements in brackets, items after dashes, or lines.

use nubbin_edit::File;
use nubbin_engine::work::Views;
use nubbin_view::brackets::Brackets;
use nubbin_view::lines;

/// The minimum number of units in a text on which the passes work.
pub(super) const MIN_UNITS: usize = 6;

/// Returns the bounds of the units of a file, and for each piece between them whether it is fixed.
/// The units are lines if the second list is empty.
pub(super) fn units(file: &File<'_>, views: &Views) -> (Vec<u32>, Vec<bool>) {
    let text = file.text;
    let brackets = views.of::<Brackets>(text);
    let groups = brackets.groups();
    let mut children = vec![0u32; groups.len()];
    for parent in groups.iter().filter_map(|group| group.parent) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    let of_most = (0..groups.len()).max_by_key(|&nth| (children[nth], std::cmp::Reverse(nth)));
    let list = of_most.and_then(|nth| Some((nth, groups.get(nth)?)));
    let holds_most = |span: nubbin_edit::Span| span.len() as usize * 2 > text.len();
    let is_list = |&(nth, group): &(usize, &nubbin_view::brackets::Group)| {
        holds_most(group.span()) && children[nth] as usize >= MIN_UNITS
    };
    let Some((list, group)) = list.filter(is_list) else {
        return items(text).unwrap_or_else(|| (lines::bounds(text), vec![]));
    };
    let mut bounds = vec![0, group.open + 1];
    let within = groups
        .iter()
        .filter(|inner| inner.parent == Some(list as u32));
    let mut end = group.open + 1;
    for inner in within {
        let behind = text.get(inner.close as usize + 1..group.close as usize);
        let comma =
            behind.and_then(|behind| behind.iter().position(|byte| !byte.is_ascii_whitespace()));
        let is_comma = comma.filter(|&at| behind.and_then(|behind| behind.get(at)) == Some(&b','));
        if let Some(at) = is_comma {
            end = inner.close + 2 + at as u32;
            bounds.push(end);
        }
    }
    if end < group.close {
        bounds.push(group.close);
    }
    bounds.push(text.len() as u32);
    let mut fixed = vec![false; bounds.len() - 1];
    if let [first, .., last] = fixed.as_mut_slice() {
        (*first, *last) = (true, true);
    }
    (bounds, fixed)
}

/// Returns the items of the first list of YAML with the units of [`units`]: an item begins with a
/// dash, and has all lines after it that are indented further. Returns `None` if the items are
/// few, or do not hold most of the text.
fn items(text: &[u8]) -> Option<(Vec<u32>, Vec<bool>)> {
    let of_line = |line: nubbin_edit::Span| text.get(line.range()).unwrap_or_default();
    let mut starts: Vec<u32> = vec![];
    let (mut column, mut end) = (None, None);
    for line in lines::lines(text) {
        let Some(indent) = lines::indent(of_line(line)) else {
            continue;
        };
        let is_item = of_line(line).trim_ascii_start().starts_with(b"- ");
        if is_item && column.is_none_or(|column| column == indent) {
            column = Some(indent);
            starts.push(line.start);
        } else if column.is_some_and(|column| indent <= column) {
            end = Some(line.start);
            break;
        }
    }
    let end = end.unwrap_or(text.len() as u32);
    let first = *starts.first()?;
    let holds_most = (end - first) as usize * 2 > text.len();
    if starts.len() < MIN_UNITS || !holds_most {
        return None;
    }
    let (has_head, has_tail) = (first > 0, (end as usize) < text.len());
    let mut bounds = vec![];
    let mut fixed = vec![false; starts.len() + usize::from(has_head) + usize::from(has_tail)];
    if has_head {
        bounds.push(0);
        fixed[0] = true;
    }
    bounds.extend(starts);
    bounds.push(end);
    if has_tail {
        bounds.push(text.len() as u32);
        if let Some(last) = fixed.last_mut() {
            *last = true;
        }
    }
    Some((bounds, fixed))
}
