//! Elements of markup.

use nubbin_edit::Span;
use rustc_hash::FxHashMap;

/// An element: from its opening to its closing tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The opening tag.
    pub open: Span,
    /// The closing tag. The value is `None` for `<br>`, for `<a/>`, and for an element that is
    /// never closed.
    pub close: Option<Span>,
    /// The number of elements around this element.
    pub depth: u32,
    /// The innermost element around this element, as an index into [`Elements::elements`].
    pub parent: Option<u32>,
}

impl Element {
    /// Returns the span of the element, with its tags.
    pub fn span(&self) -> Span {
        Span::new(self.open.start, self.close.unwrap_or(self.open).end)
    }

    /// Returns the span between the opening and the closing tag, or `None` if there is no closing
    /// tag.
    pub fn inside(&self) -> Option<Span> {
        self.close
            .map(|close| Span::new(self.open.end, close.start))
    }
}

/// The elements of a text with tags, such as XML or HTML: a forest in the order of the opening
/// tags.
///
/// A tag is `<name …>`, `</name>`, or `<name …/>` without another `<` in it, outside of quoted
/// attributes. A closing tag closes the innermost open element of its name; upper and lower case
/// are not distinguished. Elements that are still open in between, or that are never closed, end
/// with their opening tag. A closing tag without a partner is text. Comments, `<!…>`, and `<?…>`
/// are text too.
///
/// ```
/// use nubbin_view::elements::Elements;
///
/// let elements = Elements::of(b"<ul><li>a<br><LI k='>'>b</li></ul></p>");
/// let spans: Vec<_> = elements.elements().iter().map(|e| (e.span().range(), e.depth)).collect();
/// assert_eq!(spans, [(0..34, 0), (4..8, 1), (9..13, 1), (13..29, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Elements {
    elements: Vec<Element>,
}

struct Tag {
    span: Span,
    name: Span,
    role: Role,
}

#[derive(PartialEq, Eq)]
enum Role {
    Open,
    Close,
    Alone,
}

impl Elements {
    /// Matches the tags of a text.
    pub fn of(text: &[u8]) -> Self {
        let mut elements: Vec<Element> = Vec::new();
        // The open elements with the numbers of their names. Each name also has the number of its
        // open elements.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        let mut names: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
        let mut open: Vec<u32> = Vec::new();
        for tag in (Tags {
            text,
            at: 0,
            unclosed: [false; 2],
        }) {
            let name = text
                .get(tag.name.range())
                .unwrap_or_default()
                .to_ascii_lowercase();
            let next = names.len();
            let name = *names.entry(name).or_insert(next);
            if name == open.len() {
                open.push(0);
            }
            if tag.role != Role::Close {
                if tag.role == Role::Open {
                    stack.push((elements.len(), name));
                    open[name] += 1;
                }
                elements.push(Element {
                    open: tag.span,
                    close: None,
                    depth: 0,
                    parent: None,
                });
            } else if open[name] > 0 {
                while let Some((element, other)) = stack.pop() {
                    open[other] -= 1;
                    if other == name {
                        elements[element].close = Some(tag.span);
                        break;
                    }
                }
            }
        }
        nest(&mut elements);
        Elements { elements }
    }

    /// Returns all elements, in the order of their opening tags.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }
}

fn nest(elements: &mut [Element]) {
    let mut around: Vec<(u32, u32)> = Vec::new();
    for (index, element) in elements.iter_mut().enumerate() {
        while around
            .last()
            .is_some_and(|&(_, end)| end <= element.open.start)
        {
            around.pop();
        }
        element.parent = around.last().map(|&(index, _)| index);
        element.depth = around.len() as u32;
        around.push((index as u32, element.span().end));
    }
}

struct Tags<'a> {
    text: &'a [u8],
    at: usize,
    /// For each kind of quote, whether no further quote follows. It keeps the time linear for a
    /// text with many quotes.
    unclosed: [bool; 2],
}

impl Tags<'_> {
    fn next_byte(&self, at: usize, byte: u8) -> Option<usize> {
        self.text
            .get(at..)?
            .iter()
            .position(|&b| b == byte)
            .map(|offset| at + offset)
    }

    /// Returns the tag whose `<` is at `start`.
    fn tag(&mut self, start: usize) -> Option<Tag> {
        let closes = self.text.get(start + 1) == Some(&b'/');
        let name = start + if closes { 2 } else { 1 };
        if !self.text.get(name)?.is_ascii_alphabetic() {
            return None;
        }
        let mut at = name;
        while self
            .text
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"-_:.".contains(b))
        {
            at += 1;
        }
        let name = Span::at(0, name..at);
        loop {
            match *self.text.get(at)? {
                b'>' => break,
                b'<' => return None,
                quote @ (b'"' | b'\'') if self.text.get(at - 1) == Some(&b'=') => {
                    let which = usize::from(quote == b'\'');
                    match self
                        .next_byte(at + 1, quote)
                        .filter(|_| !self.unclosed[which])
                    {
                        Some(close) => at = close,
                        None => self.unclosed[which] = true,
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let role = if closes {
            Role::Close
        } else if self.text.get(at - 1) == Some(&b'/') {
            Role::Alone
        } else {
            Role::Open
        };
        Some(Tag {
            span: Span::at(0, start..at + 1),
            name,
            role,
        })
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        loop {
            let start = self.next_byte(self.at, b'<')?;
            let rest = self.text.get(start..).unwrap_or_default();
            if rest.starts_with(b"<!--") {
                let end = rest.windows(3).position(|window| window == b"-->");
                self.at = start + end.map_or(rest.len(), |len| len + 3);
                continue;
            }
            if let Some(tag) = self.tag(start) {
                self.at = tag.span.end as usize;
                return Some(tag);
            }
            self.at = start + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<(&str, Option<u32>)> {
        let elements = Elements::of(text.as_bytes());
        elements
            .elements()
            .iter()
            .map(|e| (&text[e.span().range()], e.parent))
            .collect()
    }

    #[test]
    fn tags_are_matched_by_name() {
        assert_eq!(
            spans("<a><b/><c>x</c></a><d></e></d>"),
            [
                ("<a><b/><c>x</c></a>", None),
                ("<b/>", Some(0)),
                ("<c>x</c>", Some(0)),
                ("<d></e></d>", None)
            ]
        );
    }

    #[test]
    fn text_that_is_not_a_tag_is_ignored() {
        assert_eq!(spans("a<b && c<d <!-- <x></x> --><!DOCTYPE y><?z?>"), []);
        assert_eq!(spans("<a t=\"<b>\">"), [("<a t=\"<b>\">", None)]);
        assert_eq!(spans("<a t=\"<b>"), [("<b>", None)]);
    }

    #[test]
    fn crossed_and_deep_tags_are_tolerated() {
        assert_eq!(
            spans("<a><b></a></b>"),
            [("<a><b></a>", None), ("<b>", Some(0))]
        );
        let deep = ["<a>".repeat(200_000), "</a>".repeat(200_000)].concat();
        assert_eq!(Elements::of(deep.as_bytes()).elements().len(), 200_000);
        let open: String = (0..50_000).map(|i| format!("<n{i}></m{i}>")).collect();
        assert_eq!(Elements::of(open.as_bytes()).elements().len(), 50_000);
        let quotes = "<a b=\"<a b='".repeat(100_000);
        assert!(Elements::of(quotes.as_bytes()).elements().len() < 200_000);
    }
}
