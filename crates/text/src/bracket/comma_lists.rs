//! Elements of comma-separated lists: arguments, parameters, initializers, enumerators, members of
//! JSON arrays and objects, declarators.
//!
//! Deleting single tokens breaks such lists, since an element and the comma next to it must be
//! deleted together. An element is deleted with the comma before it. If no element is left before
//! it, it is deleted with the comma after it. Commas outside of brackets separate elements within a
//! statement, which ends at the `;` or, at top level, at the line end.

use nubbin_edit::{Edit, Span};
use nubbin_engine::work::{Units, Views};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::tokens::{TokenKind, code_in};
use std::ops::Range;
use std::sync::Arc;

/// An element of a comma-separated list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// The span of the element without commas.
    pub(crate) span: Span,
    pub(crate) before: Option<u32>,
    pub(crate) behind: Option<u32>,
    /// The end of the list, for the last element. The element includes a comma after the element if
    /// there is one.
    pub(crate) end: u32,
}

/// The elements of lists, by position. Elements are removed with commas, so that the remaining list
/// is well-formed.
pub(crate) struct Elements(pub(crate) Arc<[Element]>);

impl Units for Elements {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.0
            .get(unit as usize)
            .map_or(1, |element| element.span.len() + 1)
    }

    /// The commas are right only if `units` has all removed elements of the lists.
    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let gone = |unit: u32| {
            let after = units.partition_point(|range| range.start <= unit);
            after
                .checked_sub(1)
                .and_then(|at| units.get(at))
                .is_some_and(|range| unit < range.end)
        };
        let get = |unit: u32| self.0.get(unit as usize);
        let mut spans = Vec::new();
        for (unit, first) in units
            .iter()
            .cloned()
            .flatten()
            .filter_map(|unit| Some((unit, get(unit)?)))
        {
            if first.before.is_some_and(gone) {
                continue;
            }
            let (mut last, mut at) = (first, unit);
            while let Some(next) = last.behind.filter(|&next| gone(next)) {
                let Some(element) = get(next).filter(|_| next > at) else {
                    break;
                };
                (last, at) = (element, next);
            }
            spans.push(
                match (first.before.and_then(get), last.behind.and_then(get)) {
                    (Some(before), _) => Span::new(before.span.end, last.span.end),
                    (None, Some(behind)) => Span::new(first.span.start, behind.span.start),
                    (None, None) => Span::new(first.span.start, last.end),
                },
            );
        }
        Edit::delete_all(spans)
    }
}

/// A list that is being read.
#[derive(Clone, Copy, Default)]
struct Reading {
    /// The element that is being read.
    element: Option<u32>,
    /// The element before the current element.
    before: Option<u32>,
    /// The offset of the bracket that ends the list.
    close: Option<u32>,
    /// Whether the list may contain statements, which end at `;`, at blocks, and at line ends.
    statements: bool,
    /// Whether the last item was a group in braces.
    block: bool,
}

impl Reading {
    fn end_statement(&mut self) {
        (self.element, self.before, self.block) = (None, None, false);
    }
}

/// Returns the elements of all lists by position. A single element between brackets or in a
/// statement forms a list of one element.
pub(crate) fn elements(views: &Views, text: &[u8], at: u32) -> Vec<Element> {
    let brackets = views.of::<Brackets>(text);
    let mut groups = brackets.groups().iter().peekable();
    let mut all: Vec<Element> = Vec::new();
    let mut outer: Vec<Reading> = Vec::new();
    let mut list = Reading {
        statements: true,
        ..Reading::default()
    };
    let mut previous_end = 0;
    for token in code_in(views, text) {
        if token.kind == TokenKind::Comment {
            continue;
        }
        let span = Span::new(token.span.start + at, token.span.end + at);
        let bytes = token.text(text);
        let gap = text
            .get(previous_end as usize..token.span.start as usize)
            .unwrap_or_default();
        let new_line = gap.contains(&b'\n') && !goes_on(text, previous_end, bytes);
        previous_end = token.span.end;
        if list.close == Some(token.span.start) {
            let curly = bytes == b"}";
            list = outer.pop().unwrap_or_default();
            list.block = curly;
            if let Some(element) = list
                .element
                .and_then(|element| all.get_mut(element as usize))
            {
                (element.span.end, element.end) = (span.end, span.end);
            }
            continue;
        }
        if bytes == b"," {
            if let Some(element) = list.element.take() {
                all[element as usize].end = span.end;
                list.before = Some(element);
                list.block = false;
            }
            continue;
        }
        if list.statements && bytes == b";" {
            list.end_statement();
            continue;
        }
        let after_block = list.block && token.kind == TokenKind::Word;
        if list.statements && (new_line || after_block) {
            list.end_statement();
        }
        match list
            .element
            .and_then(|element| all.get_mut(element as usize))
        {
            Some(element) => (element.span.end, element.end) = (span.end, span.end),
            None => {
                let number = all.len() as u32;
                if let Some(before) = list.before {
                    all[before as usize].behind = Some(number);
                }
                all.push(Element {
                    span,
                    before: list.before,
                    behind: None,
                    end: span.end,
                });
                list.element = Some(number);
            }
        }
        if let Some(group) = groups.next_if(|group| group.open == token.span.start) {
            outer.push(list);
            list = Reading {
                close: Some(group.close),
                statements: group.kind == Bracket::Curly,
                ..Reading::default()
            };
        }
    }
    all
}

/// Returns whether a line end between two tokens is inside an unfinished expression.
fn goes_on(text: &[u8], end: u32, next: &[u8]) -> bool {
    let last = end.checked_sub(1).and_then(|last| text.get(last as usize));
    last.is_none_or(|last| b",:=+-*/|&?<>.([{\\".contains(last))
        || next
            .first()
            .is_some_and(|next| b",.?:&|+*/=)]}{".contains(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let all = elements(&Views::default(), text.as_bytes(), 0);
        let all = all.iter().map(|element| &text[element.span.range()]);
        all.collect()
    }

    #[test]
    fn lists_are_found_in_brackets_and_statements() {
        assert_eq!(
            found("int a = f(1, (2, 3)), b[2] = {4,}; g(6); int c, d\ne"),
            [
                "int a = f(1, (2, 3))",
                "1",
                "(2, 3)",
                "2",
                "3",
                "b[2] = {4,}",
                "2",
                "4",
                "g(6)",
                "6",
                "int c",
                "d",
                "e"
            ]
        );
        assert_eq!(
            found("{\"a\":\n  [1, 2],\n \"b\": 3\n}")[1..],
            ["\"a\":\n  [1, 2]", "1", "2", "\"b\": 3"]
        );
    }

    #[test]
    fn the_commas_are_right_after_any_removal() {
        let text = b"[a, b, c, d, e,]";
        let all = elements(&Views::default(), text, 0);
        for gone in 0..32u32 {
            // The first element is the list itself.
            let units = (0..5).filter(|unit| gone >> unit & 1 == 1);
            let units: Vec<_> = units.map(|unit| unit + 1..unit + 2).collect();
            let left = Elements(all.clone().into()).edit(&units).render(text);
            let inside = &left[1..left.len() - 1];
            let inside = inside.strip_suffix(b",").unwrap_or(inside);
            let parts = inside.split(|&byte| byte == b',');
            let mut parts: Vec<&[u8]> = parts.map(<[u8]>::trim_ascii).collect();
            parts.retain(|part| !inside.is_empty() || !part.is_empty());
            let kept = (0..5).filter(|unit| gone >> unit & 1 == 0);
            let kept: Vec<[u8; 1]> = kept.map(|unit| [b'a' + unit]).collect();
            assert_eq!(parts, kept, "{}", String::from_utf8_lossy(&left));
        }
    }
}
