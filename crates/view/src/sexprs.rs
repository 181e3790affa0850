//! S-expressions.

use nubbin_edit::Span;

/// An atom or a list of an s-expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The span of the form, with its parentheses.
    pub span: Span,
    /// The index in [`Sexprs::forms`] of the first form after this form and all forms within it.
    pub end: u32,
    /// The list that contains the form, if there is one.
    pub parent: Option<u32>,
    /// Whether the form is a list.
    pub is_list: bool,
}

/// The s-expressions of a text in Lisp, Scheme, SMT-LIB, or the WebAssembly text format.
///
/// Forms are stored in the order of the text. A list comes before everything within it. Comments
/// (`;` to the end of the line, `(; … ;)`, `#| … |#`) and quote marks before a form belong to no
/// form. Strings, and symbols between bars, are atoms. In a string, two consecutive quotes stand
/// for one quote, and a backslash escapes a quote.
///
/// A text is not an s-expression if it begins with anything but a list, if its parentheses do not
/// match, or if it has more atoms than lists outside of any list.
///
/// ```
/// use nubbin_view::sexprs::Sexprs;
///
/// let text = b"; two forms\n(assert (= x \"(\"))\n(exit)";
/// let sexprs = Sexprs::of(text).unwrap();
/// assert_eq!(sexprs.forms().len(), 8);
/// let children: Vec<_> = sexprs.children(2).map(|at| &text[sexprs.forms()[at].span.range()]).collect();
/// assert_eq!(children, [&b"="[..], b"x", b"\"(\""]);
/// assert!(Sexprs::of(b"int f(int a) { return (a); }").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    forms: Vec<Form>,
}

impl Sexprs {
    /// Reads the s-expressions of a text in linear time. Returns `None` if the text does not
    /// consist of s-expressions.
    pub fn of(text: &[u8]) -> Option<Self> {
        let mut forms: Vec<Form> = vec![];
        let mut open: Vec<u32> = vec![];
        let (mut lists, mut atoms) = (0, 0);
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let rest = &text[at..];
            let next = match byte {
                b';' => at + length(rest, |byte| byte != b'\n'),
                b'(' if rest.starts_with(b"(;") && !rest.starts_with(b"(;;") => {
                    at + 2 + find(&rest[2..], b";)")
                }
                b'#' if rest.starts_with(b"#|") => at + 2 + find(&rest[2..], b"|#"),
                b'(' => {
                    lists += usize::from(open.is_empty());
                    let parent = open.last().copied();
                    open.push(forms.len() as u32);
                    forms.push(Form {
                        span: Span::new(at as u32, at as u32 + 1),
                        end: 0,
                        parent,
                        is_list: true,
                    });
                    at + 1
                }
                b')' => {
                    let end = forms.len() as u32;
                    let list = forms.get_mut(open.pop()? as usize)?;
                    (list.span.end, list.end) = (at as u32 + 1, end);
                    at + 1
                }
                b'\'' | b'`' | b',' => at + 1,
                _ if byte.is_ascii_whitespace() => at + 1,
                _ => {
                    if forms.is_empty() {
                        return None;
                    }
                    atoms += usize::from(open.is_empty());
                    let end = at + atom(rest);
                    forms.push(Form {
                        span: Span::new(at as u32, end as u32),
                        end: forms.len() as u32 + 1,
                        parent: open.last().copied(),
                        is_list: false,
                    });
                    end
                }
            };
            at = next;
        }
        (open.is_empty() && lists > 0 && atoms <= lists).then_some(Sexprs { forms })
    }

    /// Returns all forms, in order.
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// Returns the forms that are directly in a list.
    pub fn children(&self, list: usize) -> impl Iterator<Item = usize> + '_ {
        let (mut at, end) = match self.forms.get(list) {
            Some(form) if form.is_list => (list + 1, form.end as usize),
            _ => (0, 0),
        };
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.forms.get(child)?.end as usize;
            Some(child)
        })
    }

    /// Returns the forms outside of any list.
    pub fn top(&self) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let form = at;
            at = self.forms.get(form)?.end as usize;
            Some(form)
        })
    }
}

fn length(text: &[u8], more: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| more(**byte)).count()
}

/// Returns the offset after the next `end`, or the end of the text.
fn find(text: &[u8], end: &[u8]) -> usize {
    let found = text.windows(end.len()).position(|window| window == end);
    found.map_or(text.len(), |at| at + end.len())
}

/// Returns the length of the atom with which a text begins, at least one byte.
fn atom(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => {
            let mut at = 1;
            while let Some(&byte) = text.get(at) {
                match byte {
                    b'\\' => at += 2,
                    b'"' if text.get(at + 1) == Some(&b'"') => at += 2,
                    b'"' => return at + 1,
                    _ => at += 1,
                }
            }
            text.len()
        }
        Some(b'|') => 1 + find(text.get(1..).unwrap_or_default(), b"|"),
        // The atom is a character of Scheme: `#\(`.
        Some(b'#') if text.get(1) == Some(&b'\\') && text.len() > 2 => {
            3 + length(&text[3..], |byte| byte.is_ascii_alphanumeric())
        }
        _ => {
            let ends = |byte: u8| byte.is_ascii_whitespace() || b"();\"".contains(&byte);
            length(text, |byte| !ends(byte)).max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::odd_texts;

    fn shown(text: &str) -> Option<Vec<(&str, Option<u32>)>> {
        let sexprs = Sexprs::of(text.as_bytes())?;
        let shown = |form: &Form| (&text[form.span.range()], form.parent);
        Some(sexprs.forms().iter().map(shown).collect())
    }

    #[test]
    fn lists_atoms_strings_and_comments_are_distinguished() {
        assert_eq!(
            shown("(a \"x\"\"y)\" '(|b c|)) ; (\n(; ( ;)(#\\( \"\\\")\")"),
            Some(vec![
                ("(a \"x\"\"y)\" '(|b c|))", None),
                ("a", Some(0)),
                ("\"x\"\"y)\"", Some(0)),
                ("(|b c|)", Some(0)),
                ("|b c|", Some(3)),
                ("(#\\( \"\\\")\")", None),
                ("#\\(", Some(5)),
                ("\"\\\")\"", Some(5)),
            ])
        );
    }

    #[test]
    fn other_texts_are_not_sexpressions() {
        for text in ["", "a", "f(x)", "(a", "(a))", "{\"a\": (1)}", "(void) f x;"] {
            assert_eq!(shown(text), None, "{text}");
        }
        for text in odd_texts() {
            if let Some(sexprs) = Sexprs::of(&text) {
                assert!(sexprs.forms().len() <= text.len());
            }
        }
    }
}
