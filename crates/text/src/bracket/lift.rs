use super::groups::{Headed, with_headers};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Alternatives, Chain, Context, Forest, Nested, Pass, PassInfo, Places, Proposals, Views, Work,
};
use nubbin_view::brackets::Bracket;
use nubbin_view::tokens::{TokenKind, code_in};

/// Replaces a bracket group with a part of its content.
///
/// First `if (a) { b; }` becomes `b;`: the group is replaced with the text between its brackets,
/// and the text that leads up to it is deleted, for many groups at a time. Then each group,
/// largest first, is replaced with one of its parts: `f(a, b)` becomes `a` or `b`, `(and x (or y
/// z))` becomes `(or y z)`, `{ a(); if (b) { c; } }` becomes `if (b) { c; }`. The text that leads
/// up to the group is deleted with it. A part is an inner group, an element between commas, or,
/// without commas, an element between spaces. If there are many parts, only the largest ones are
/// tried.
///
/// Deletions leave wrappers at the end: each link of a chain of calls or blocks needs the next, so
/// that none can be deleted, while all but the last can be replaced with their content.
///
/// Cost: at most [`Lift::PARTS`] tests per group, plus one.
///
/// Source: hoisting in picireny (Vince, Hodován, Bársony, Kiss: Extending Hierarchical
/// Delta Debugging with Hoisting, AST 2021) and Perses (Sun et al., ICSE 2018), Shrink Ray's
/// lift. Here brackets instead of grammar rules decide which part is tried in place of
/// which group.
///
/// ```
/// use nubbin_reduce::pass::{Lift, preview};
///
/// let first = preview(&Lift, b"if (a) { f(b, g(c)); }", 9);
/// assert_eq!(first[0], " f(b, g(c)); ");
/// assert!(first.contains(&"if (a) { g(c); }".to_string()));
/// assert!(first.contains(&"if (a) { b; }".to_string()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Lift;

impl Lift {
    /// The maximum number of parts of a group that are tried as its replacement.
    pub const PARTS: usize = 5;
}

impl Pass for Lift {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "lift",
            "replaces a bracket group with a part of its content",
            "picireny (Vince et al. 2021); Perses (Sun et al. 2018); Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let groups = with_headers(context.views, file.text);
        if groups.is_empty() {
            return None;
        }
        let parts = Work::Machine(Box::new(Alternatives::new(Parts::of(
            context.views,
            file,
            &groups,
        ))));
        let works = insides(file, &groups).into_iter().chain([parts]);
        Chain::work(works, context.lists)
    }
}

/// Proposes to remove the headers and brackets of groups, and to keep their content.
fn insides(file: &File<'_>, groups: &[Headed]) -> Option<Work> {
    let at = file.span.start;
    let headed = || groups.iter().filter(|group| group.start < group.open);
    let nested = Nested::of(headed().map(|group| Span::new(group.start, group.close)));
    let mut by_span: Vec<&Headed> = headed().collect();
    by_span.sort_unstable_by_key(|group| (group.start, group.close));
    let edits: Vec<Edit> = nested
        .spans
        .iter()
        .filter_map(|span| {
            let found =
                by_span.binary_search_by_key(&(span.start, span.end), |g| (g.start, g.close));
            let group = by_span.get(found.ok()?)?;
            Some(Edit::delete_all([
                Span::new(at + group.start, at + group.open + 1),
                Span::new(at + group.close - 1, at + group.close),
            ]))
        })
        .collect();
    Forest::new(Proposals::new(edits), &nested.parents)
        .children_stay()
        .walk()
}

/// Groups, largest first, each with the parts that may take its place.
struct Parts {
    groups: Vec<Span>,
    /// The first part of each group. The parts of group `n` are `parts[first[n]..first[n + 1]]`,
    /// smallest first.
    first: Vec<u32>,
    parts: Vec<Span>,
}

impl Places for Parts {
    fn count(&self) -> usize {
        self.groups.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let (from, to) = (
            *self.first.get(place)? as usize,
            *self.first.get(place + 1)? as usize,
        );
        let part = self.parts.get(from..to)?.get(number)?;
        let whole = self.groups.get(place)?;
        Some(Edit::delete_all([
            Span::new(whole.start, part.start),
            Span::new(part.end, whole.end),
        ]))
    }
}

/// A group that is being read.
#[derive(Default)]
struct Reading {
    group: usize,
    groups: Vec<Span>,
    commas: Vec<Span>,
    blanks: Vec<Span>,
    comma: Option<Span>,
    blank: Option<Span>,
}

impl Parts {
    fn of(views: &Views, file: &File<'_>, groups: &[Headed]) -> Self {
        let mut found: Vec<(Span, Vec<Span>)> = Vec::with_capacity(groups.len());
        let mut open: Vec<Reading> = Vec::new();
        let mut next = 0;
        let mut end = 0;
        for token in code_in(views, file.text).filter(|token| token.kind != TokenKind::Comment) {
            let span = token.span;
            let glued = end == span.start;
            end = span.end;
            let closes = open
                .last()
                .is_some_and(|top| groups[top.group].close == span.end);
            if closes {
                let Some(closed) = open.pop() else { continue };
                let group = &groups[closed.group];
                found.push((Span::new(group.start, group.close), closed.parts(group)));
                if let Some(outer) = open.last_mut() {
                    // In a list of statements, a part keeps its semicolon.
                    let whole = match groups[outer.group].kind {
                        Bracket::Curly => group.whole(),
                        _ => Span::new(group.start, group.close),
                    };
                    outer.groups.push(whole);
                    outer.see(span, true);
                }
                continue;
            }
            if let Some(list) = open.last_mut() {
                if token.text(file.text) == b"," {
                    list.commas.extend(list.comma.take());
                    list.blanks.extend(list.blank.take());
                } else {
                    list.see(span, glued);
                }
            }
            if groups
                .get(next)
                .is_some_and(|group| group.open == span.start)
            {
                open.push(Reading {
                    group: next,
                    ..Reading::default()
                });
                next += 1;
            }
        }
        found.sort_by_key(|(whole, _)| (std::cmp::Reverse(whole.len()), whole.start));
        let mut all = Parts {
            groups: Vec::new(),
            first: vec![0],
            parts: Vec::new(),
        };
        let moved =
            |span: Span| Span::new(span.start + file.span.start, span.end + file.span.start);
        for (whole, parts) in found {
            all.groups.push(moved(whole));
            all.parts.extend(parts.into_iter().map(moved));
            all.first.push(all.parts.len() as u32);
        }
        all
    }
}

impl Reading {
    /// A token, or the end of a group, between these brackets.
    fn see(&mut self, span: Span, glued: bool) {
        let longer = |part: Span| Span::new(part.start, span.end.max(part.end));
        self.comma = Some(self.comma.map_or(span, longer));
        match self.blank {
            Some(part) if glued || part.end > span.start => self.blank = Some(longer(part)),
            _ => self.blanks.extend(self.blank.replace(span)),
        }
    }

    /// Returns the parts worth a test, smallest first.
    fn parts(mut self, group: &Headed) -> Vec<Span> {
        self.commas.extend(self.comma.take());
        self.blanks.extend(self.blank.take());
        let mut parts = self.groups;
        if group.kind != Bracket::Curly {
            parts.extend(if self.commas.len() > 1 || self.blanks.len() == 1 {
                self.commas
            } else {
                self.blanks
            });
        }
        let inside = Span::new(group.open + 1, group.close - 1);
        parts.retain(|part| inside.covers(*part));
        parts.sort_unstable_by_key(|part| (part.len(), part.start, part.end));
        parts.dedup();
        let few = parts.len().saturating_sub(Lift::PARTS);
        parts.split_off(few)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn texts(text: &str) -> Vec<String> {
        let all = proposals(&Lift, text.as_bytes());
        all.into_iter()
            .map(|text| String::from_utf8(text).unwrap())
            .collect()
    }

    #[test]
    fn a_call_becomes_one_of_its_arguments() {
        assert_eq!(
            texts("x.f(a + 1, g(b))"),
            [
                "a + 1, g(b)",
                "x.f(a + 1, b)",
                "g(b)",
                "a + 1",
                "x.f(a + 1, b)"
            ]
        );
    }

    #[test]
    fn a_form_becomes_one_of_its_parts() {
        let all = texts("(and x (or y z))");
        assert!(
            all.contains(&"(or y z)".into()) && all.contains(&"x".into()),
            "{all:?}"
        );
        assert!(all.contains(&"(and x z)".into()));
    }

    #[test]
    fn nested_calls_are_removed() {
        let text = b"void f() { if (a) { while (b) { for (;;) { crash(); } } } }";
        let left = reduce_with(&Lift, text, |text| {
            text.windows(8).any(|w| w == b"crash();")
        });
        assert_eq!(left.trim_ascii(), b"crash();");
        let left = reduce_with(&Lift, b"(not (and a (or (not b) c)))", |text| {
            text.contains(&b'b') && text.contains(&b'(') && text.ends_with(b")")
        });
        assert_eq!(left, b"(not b)");
    }

    #[test]
    fn text_without_brackets_is_left_alone() {
        assert!(proposals(&Lift, b"a, b").is_empty());
    }
}
