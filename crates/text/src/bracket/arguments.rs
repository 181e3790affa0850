use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Forest, Pass, Units, Work};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::tokens::{TokenKind, code};
use std::ops::Range;
use std::sync::Arc;

/// Deletes elements of comma-separated lists, each with one comma: arguments, parameters,
/// initializers, enumerators, members of JSON arrays and objects, declarators.
///
/// Deleting single tokens breaks such lists, since a comma and the element beside it must be
/// deleted together. The commas of the remaining list are always right: an element is deleted with
/// the comma before it, or, where no element is left before it, with the comma after it. All
/// elements of a list can be deleted as well.
///
/// Lists are tried from the outside in, heavy ones first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). Commas outside of any bracket separate
/// within a statement, up to the `;` or, at top level, the line end.
///
/// Cost: one test for each element that stays, less where runs can be deleted.
///
/// Source: the parameter and argument passes of C-Reduce (Regehr et al., PLDI 2012) and the list
/// nodes of Perses (Sun et al., ICSE 2018), for any language.
///
/// ```
/// use nubbin_reduce::pass::{Arguments, preview};
///
/// let first = preview(&Arguments, b"f(a, [1, 2], c)", 5);
/// assert_eq!(first, ["f(a, c)", "f(a, [1, 2])", "f([1, 2], c)", "f(a, [1], c)", "f(a, [2], c)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Arguments;

impl Pass for Arguments {
    fn id(&self) -> &'static str {
        "arguments"
    }

    fn about(&self) -> &'static str {
        "deletes elements of comma-separated lists"
    }

    fn source(&self) -> &'static str {
        "C-Reduce (Regehr et al. 2012); Perses (Sun et al. 2018)"
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let (all, parents) = elements(file.text, file.span.start);
        let (elements, parents) = only_lists(&all, &parents);
        Forest::new(Elements(elements.into()), &parents)
            .cumulative()
            .walk()
    }

    fn joins_files(&self) -> bool {
        true
    }
}

/// One element of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// The element without commas.
    pub(crate) span: Span,
    pub(crate) before: Option<u32>,
    pub(crate) behind: Option<u32>,
    /// The end of the list, with a comma after it if there is one, for the last element.
    pub(crate) end: u32,
}

/// Elements of lists, by position. Elements are removed with commas, so that the rest is right.
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

    /// The commas are right only where `units` has all elements of the lists that are gone.
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
    /// The one before it.
    before: Option<u32>,
    /// The element of an outer list that this one is in.
    parent: Option<u32>,
    /// Offset of the bracket that ends it.
    close: Option<u32>,
    /// Whether it may hold statements, which end at `;`, at blocks and at line ends.
    statements: bool,
    /// The last thing in it was a group in braces.
    block: bool,
}

impl Reading {
    fn end_statement(&mut self) {
        (self.element, self.before, self.block) = (None, None, false);
    }
}

/// Returns the elements of all lists by position, and for each the element that contains it. The
/// only element between brackets or in a statement is a list of one.
pub(crate) fn elements(text: &[u8], at: u32) -> (Vec<Element>, Vec<Option<u32>>) {
    let brackets = Brackets::of(text);
    let mut groups = brackets.groups().iter().peekable();
    let mut all: Vec<Element> = Vec::new();
    let mut parents: Vec<Option<u32>> = Vec::new();
    let mut outer: Vec<Reading> = Vec::new();
    let mut list = Reading {
        statements: true,
        ..Reading::default()
    };
    let mut previous_end = 0;
    for token in code(text) {
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
                parents.push(list.parent);
                list.element = Some(number);
            }
        }
        if let Some(group) = groups.next_if(|group| group.open == token.span.start) {
            let parent = list.element;
            outer.push(list);
            list = Reading {
                parent,
                close: Some(group.close),
                statements: group.kind == Bracket::Curly,
                ..Reading::default()
            };
        }
    }
    (all, parents)
}

/// Whether a line end between these is in the middle of something.
fn goes_on(text: &[u8], end: u32, next: &[u8]) -> bool {
    let last = end.checked_sub(1).and_then(|last| text.get(last as usize));
    last.is_none_or(|last| b",:=+-*/|&?<>.([{\\".contains(last))
        || next
            .first()
            .is_some_and(|next| b",.?:&|+*/=)]}{".contains(next))
}

/// Leaves out elements that are alone in their list, since another pass empties brackets.
fn only_lists(all: &[Element], parents: &[Option<u32>]) -> (Vec<Element>, Vec<Option<u32>>) {
    // The new number of each element. A removed element gets the number of the element around it.
    let mut renumbered: Vec<Option<u32>> = Vec::with_capacity(all.len());
    let (mut kept, mut kept_parents) = (Vec::new(), Vec::new());
    for (element, parent) in all.iter().zip(parents) {
        let parent = parent.and_then(|parent| renumbered.get(parent as usize).copied().flatten());
        if element.before.is_none() && element.behind.is_none() {
            renumbered.push(parent);
            continue;
        }
        renumbered.push(Some(kept.len() as u32));
        kept.push(*element);
        kept_parents.push(parent);
    }
    for element in &mut kept {
        for neighbor in [&mut element.before, &mut element.behind] {
            *neighbor = neighbor.and_then(|old| renumbered.get(old as usize).copied().flatten());
        }
    }
    (kept, kept_parents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn found(text: &str) -> Vec<&str> {
        let (all, parents) = elements(text.as_bytes(), 0);
        only_lists(&all, &parents)
            .0
            .iter()
            .map(|element| &text[element.span.range()])
            .collect()
    }

    #[test]
    fn lists_are_found_in_brackets_and_statements() {
        assert_eq!(
            found("int a = f(1, (2, 3)), b[2] = {4, 5,}; g(6); if (x) { y(7) } int c, d\ne"),
            [
                "int a = f(1, (2, 3))",
                "1",
                "(2, 3)",
                "2",
                "3",
                "b[2] = {4, 5,}",
                "4",
                "5",
                "int c",
                "d"
            ]
        );
        assert_eq!(
            found("{\"a\":\n  [1, 2],\n \"b\": {\"c\": 3}\n}"),
            ["\"a\":\n  [1, 2]", "1", "2", "\"b\": {\"c\": 3}"]
        );
    }

    #[test]
    fn the_commas_are_right_after_any_removal() {
        let text = b"[a, b, c, d, e,]";
        for kept in 0..32u32 {
            let letters: Vec<u8> = (0..5)
                .filter(|i| kept >> i & 1 == 1)
                .map(|i| b'a' + i)
                .collect();
            let fails = |text: &[u8]| {
                let inside = &text[1..text.len() - 1];
                let inside = inside.strip_suffix(b",").unwrap_or(inside);
                let parts: Vec<&[u8]> = inside
                    .split(|&b| b == b',')
                    .map(<[u8]>::trim_ascii)
                    .collect();
                let well_formed = inside.is_empty() || parts.iter().all(|part| part.len() == 1);
                assert!(well_formed, "{}", String::from_utf8_lossy(text));
                letters.iter().all(|letter| text.contains(letter))
            };
            let left = reduce_with(&Arguments, text, fails);
            let left: Vec<u8> = left.into_iter().filter(u8::is_ascii_alphabetic).collect();
            assert_eq!(left, letters);
        }
    }

    #[test]
    fn members_of_objects_are_removed_at_every_depth() {
        let text = b"{\"a\": 1, \"b\": {\"c\": [1, 2, 3], \"d\": 4}, \"e\": 5}";
        let left = reduce_with(&Arguments, text, |text| text.contains(&b'2'));
        assert_eq!(left, b"{\"b\": {\"c\": [2]}}");
    }

    #[test]
    fn a_single_element_is_left_alone() {
        assert!(proposals(&Arguments, b"f(a) { b; }").is_empty());
    }
}
