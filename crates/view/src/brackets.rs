//! Bracket groups of a text.

use crate::View;
use crate::tokens::{TokenKind, code};
use nubbin_edit::Span;

/// A kind of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bracket {
    /// Round brackets: `(…)`.
    Round,
    /// Square brackets: `[…]`.
    Square,
    /// Curly brackets: `{…}`.
    Curly,
}

/// A pair of brackets and the text between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The offset of the opening bracket.
    pub open: u32,
    /// The offset of the closing bracket.
    pub close: u32,
    /// The number of groups around this group.
    pub depth: u32,
    /// The innermost group around this group, as an index into [`Brackets::groups`].
    pub parent: Option<u32>,
    /// The kind of the brackets.
    pub kind: Bracket,
}

impl Group {
    /// Returns the span of the group with its brackets.
    pub fn span(&self) -> Span {
        Span::new(self.open, self.close + 1)
    }

    /// Returns the span between the brackets.
    pub fn inside(&self) -> Span {
        Span::new(self.open + 1, self.close)
    }
}

/// The bracket groups of a text: a forest in the order of the opening brackets. A group comes
/// before every group within it.
///
/// Brackets in strings and comments (as [`code`] sees them) do not count. Text that is not balanced
/// is tolerated: an opening or closing bracket without a partner is ignored. Braces take precedence
/// over other brackets. A `)` never closes a `(` from outside of the current braces, while a `}`
/// closes its `{` even if other brackets are still open in between.
///
/// ```
/// use nubbin_view::brackets::Brackets;
///
/// let brackets = Brackets::of(b"f(a[1], \"(\") { ( } ]");
/// let spans: Vec<_> = brackets.groups().iter().map(|group| group.span().range()).collect();
/// assert_eq!(spans, [1..12, 3..6, 13..18]);
/// assert_eq!(brackets.groups()[1].parent, Some(0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Brackets {
    groups: Vec<Group>,
}

struct Open {
    at: u32,
    kind: Bracket,
    /// The numbers of round and square brackets that are open outside of these braces; used for
    /// braces only.
    outside: [u32; 2],
}

impl View for Brackets {
    fn of(text: &[u8]) -> Self {
        Brackets::of(text)
    }
}

impl Brackets {
    /// Matches the brackets of a text.
    pub fn of(text: &[u8]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut stack: Vec<Open> = Vec::new();
        // The number of open brackets of each other kind inside the current braces, and the number
        // of open braces.
        let mut open = [0u32; 2];
        let mut braces = 0u32;
        for token in
            code(text).filter(|token| token.kind == TokenKind::Punct && token.span.len() == 1)
        {
            let at = token.span.start;
            let (kind, opens) = match token.text(text) {
                b"(" => (Bracket::Round, true),
                b"[" => (Bracket::Square, true),
                b"{" => (Bracket::Curly, true),
                b")" => (Bracket::Round, false),
                b"]" => (Bracket::Square, false),
                b"}" => (Bracket::Curly, false),
                _ => continue,
            };
            if opens {
                stack.push(Open {
                    at,
                    kind,
                    outside: open,
                });
                match kind {
                    Bracket::Curly => {
                        braces += 1;
                        open = [0; 2];
                    }
                    other => open[slot(other)] += 1,
                }
                continue;
            }
            let partner = if kind == Bracket::Curly {
                braces
            } else {
                open[slot(kind)]
            };
            if partner == 0 {
                continue;
            }
            while let Some(top) = stack.pop() {
                match top.kind {
                    Bracket::Curly => {
                        braces -= 1;
                        open = top.outside;
                    }
                    other => open[slot(other)] -= 1,
                }
                if top.kind == kind {
                    groups.push(Group {
                        open: top.at,
                        close: at,
                        depth: 0,
                        parent: None,
                        kind,
                    });
                    break;
                }
            }
        }
        groups.sort_unstable_by_key(|group| group.open);
        nest(&mut groups);
        Brackets { groups }
    }

    /// Returns all groups, in the order of their opening brackets.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the innermost group whose brackets enclose a byte, or `None` if there is none.
    pub fn around(&self, at: u32) -> Option<u32> {
        self.innermost(at, |group| at < group.close)
    }

    /// Returns the innermost group that a cut before a byte would divide, or `None` if there is
    /// none.
    ///
    /// ```
    /// use nubbin_view::brackets::Brackets;
    ///
    /// let brackets = Brackets::of(b"a(b)c");
    /// let divided: Vec<_> = (0..5).map(|at| brackets.divided(at)).collect();
    /// assert_eq!(divided, [None, None, Some(0), Some(0), None]);
    /// ```
    pub fn divided(&self, at: u32) -> Option<u32> {
        self.innermost(at, |group| at <= group.close)
    }

    /// Returns the innermost group that opens before a byte and passes.
    fn innermost(&self, at: u32, passes: impl Fn(&Group) -> bool) -> Option<u32> {
        let before = self.groups.partition_point(|group| group.open < at);
        let mut group = before.checked_sub(1).map(|index| index as u32);
        while let Some(index) = group {
            let candidate = self.groups.get(index as usize)?;
            if passes(candidate) {
                break;
            }
            group = candidate.parent;
        }
        group
    }
}

fn slot(kind: Bracket) -> usize {
    usize::from(kind == Bracket::Square)
}

/// Sets the parents and depths of groups sorted by their beginning.
fn nest(groups: &mut [Group]) {
    let mut around: Vec<(u32, u32)> = Vec::new();
    for (index, group) in groups.iter_mut().enumerate() {
        while around.last().is_some_and(|&(_, close)| close < group.open) {
            around.pop();
        }
        group.parent = around.last().map(|&(index, _)| index);
        group.depth = around.len() as u32;
        around.push((index as u32, group.close));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<(&str, u32)> {
        let brackets = Brackets::of(text.as_bytes());
        brackets
            .groups()
            .iter()
            .map(|g| (&text[g.span().range()], g.depth))
            .collect()
    }

    #[test]
    fn groups_come_in_order_with_their_depth() {
        assert_eq!(
            spans("{(a)[b{}]}()"),
            [
                ("{(a)[b{}]}", 0),
                ("(a)", 1),
                ("[b{}]", 1),
                ("{}", 2),
                ("()", 0)
            ]
        );
    }

    #[test]
    fn unbalanced_brackets_are_skipped() {
        assert_eq!(spans("({)}"), [("{)}", 0)]);
        assert_eq!(spans("{(}"), [("{(}", 0)]);
        assert_eq!(spans("(])"), [("(])", 0)]);
        assert_eq!(spans("([)]"), [("([)", 0)]);
        assert_eq!(spans(")(]["), []);
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        assert_eq!(spans("f(\")\", ')') // }"), [("(\")\", ')')", 0)]);
    }

    #[test]
    fn the_group_around_a_byte() {
        let brackets = Brackets::of(b"a(b(c)d)e");
        let around: Vec<_> = (0..9).map(|at| brackets.around(at)).collect();
        let (outer, inner) = (Some(0), Some(1));
        assert_eq!(
            around,
            [None, None, outer, outer, inner, outer, outer, None, None]
        );
    }

    #[test]
    fn deep_nesting_takes_linear_time_and_does_not_overflow_the_stack() {
        let deep = [b"(".repeat(300_000), b")".repeat(300_000)].concat();
        assert_eq!(Brackets::of(&deep).groups().len(), 300_000);
        let crossed = [b"(".repeat(300_000), b"]".repeat(300_000)].concat();
        assert!(Brackets::of(&crossed).groups().is_empty());
    }
}
