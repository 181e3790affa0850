//! Pairs of tags in the text of a template: `{% if x %}` and `{% endif %}`.

use super::pair::{Family, LinePair};
use crate::paired_words::{is_block_word, is_part_word};
use nubbin_edit::Span;

/// A form of tags.
struct Form {
    begins: &'static [u8],
    ends: &'static [u8],
    /// The way in which a tag of the form begins a pair.
    opens: Opens,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// With any word. A tag that ends a pair has the same word.
    Word,
    /// With one of these characters.
    Mark(&'static [u8]),
    /// As a line of code does.
    Code,
}

/// The forms of tags of template languages, longer beginnings first: Jinja, Twig, Liquid, and
/// Django; Handlebars and Mustache; ERB and EJS; PHP; LaTeX; BBCode; Smarty and Latte.
const FORMS: &[Form] = &[
    Form {
        begins: b"{%",
        ends: b"%}",
        opens: Opens::Word,
    },
    Form {
        begins: b"{{",
        ends: b"}}",
        opens: Opens::Mark(b"#^"),
    },
    Form {
        begins: b"<%",
        ends: b"%>",
        opens: Opens::Code,
    },
    Form {
        begins: b"<?",
        ends: b"?>",
        opens: Opens::Code,
    },
    Form {
        begins: b"\\begin{",
        ends: b"}",
        opens: Opens::Word,
    },
    Form {
        begins: b"[",
        ends: b"]",
        opens: Opens::Word,
    },
    Form {
        begins: b"{",
        ends: b"}",
        opens: Opens::Word,
    },
];

/// The form of `\end{x}`, by its number in [`FORMS`].
const LATEX: usize = 4;
const LATEX_END: &[u8] = b"\\end{";

/// The longest tag in bytes.
const MAX_LEN: usize = 256;

/// The role of a tag.
enum Role<'a> {
    /// It may begin a pair. Code may also begin a block that a bare `end` ends.
    Opens {
        word: &'a [u8],
        is_block: bool,
    },
    Divides,
    /// It ends the pair of a word, or the last block if the word is empty.
    Closes(&'a [u8]),
    Nothing,
}

/// A tag whose partner has not been found.
struct Begun<'a> {
    tag: Span,
    word: &'a [u8],
    is_block: bool,
    parts: Vec<Span>,
}

/// Returns the pairs of tags of a text, one family per form of tags. The cost is linear in the
/// length of the text.
pub(crate) fn tag_pairs(text: &[u8]) -> Vec<Family> {
    let mut begun: Vec<Vec<Begun<'_>>> = FORMS.iter().map(|_| vec![]).collect();
    let mut families: Vec<Family> = FORMS.iter().map(|_| vec![]).collect();
    let mut at = 0;
    while at < text.len() {
        let Some((form, tag, inside, is_end)) = tag_at(text, at) else {
            at += 1;
            continue;
        };
        let role = match is_end {
            true => Role::Closes(inside),
            false => FORMS.get(form).map_or(Role::Nothing, |it| role(it, inside)),
        };
        let (Some(open), Some(family)) = (begun.get_mut(form), families.get_mut(form)) else {
            break;
        };
        match role {
            Role::Opens { word, is_block } => open.push(Begun {
                tag,
                word,
                is_block,
                parts: vec![],
            }),
            Role::Divides => {
                if let Some(last) = open.iter_mut().rev().find(|it| it.is_block) {
                    last.parts.push(tag);
                }
            }
            Role::Closes(word) => {
                let fits = |it: &Begun<'_>| match word.is_empty() {
                    true => it.is_block,
                    false => it.word == word,
                };
                if let Some(nth) = open.iter().rposition(fits) {
                    // Tags after it had no partner: `{% include x %}`.
                    let found = open.drain(nth..).next();
                    family.extend(found.map(|it| LinePair {
                        open: it.tag,
                        parts: it.parts,
                        close: tag,
                    }));
                }
            }
            Role::Nothing => {}
        }
        at = tag.end as usize;
    }
    families.retain(|family| !family.is_empty());
    families
}

/// Returns the tag at an offset: the number of its form, its place, the text in it, and whether it
/// is `\end{…}`.
fn tag_at(text: &[u8], at: usize) -> Option<(usize, Span, &[u8], bool)> {
    let rest = text.get(at..)?;
    let forms = FORMS.iter().map(|form| (form.begins, form.ends));
    let mut forms = forms.enumerate().map(|(nth, form)| (nth, form, false));
    let latex = FORMS.get(LATEX)?;
    let is_end = rest.starts_with(LATEX_END);
    let (nth, (begins, ends), is_end) = match is_end {
        true => (LATEX, (LATEX_END, latex.ends), true),
        false => forms.find(|(_, (begins, _), _)| rest.starts_with(begins))?,
    };
    let inside = rest.get(begins.len()..(MAX_LEN).min(rest.len()))?;
    let len = inside.windows(ends.len()).position(|it| it == ends)?;
    let inside = inside.get(..len)?;
    // A bracket of one character is a tag only on one line, and directly before a word.
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'/';
    if begins.len() == 1 && (inside.contains(&b'\n') || !inside.first().is_some_and(is_word)) {
        return None;
    }
    let end = at + begins.len() + len + ends.len();
    Some((nth, Span::new(at as u32, end as u32), inside, is_end))
}

fn role<'a>(form: &Form, inside: &'a [u8]) -> Role<'a> {
    let trims = |byte: &u8| matches!(byte, b'-' | b'~' | b'+') || byte.is_ascii_whitespace();
    let from = inside.iter().position(|byte| !trims(byte));
    let inside = inside
        .get(from.unwrap_or(inside.len())..)
        .unwrap_or_default();
    let inside = match (form.opens, inside.strip_prefix(b"php")) {
        (Opens::Code, Some(code)) => code.trim_ascii_start(),
        _ => inside,
    };
    if let Some(closed) = inside.strip_prefix(b"/") {
        return Role::Closes(word(closed.trim_ascii_start()));
    }
    match form.opens {
        Opens::Mark(marks) => match inside.split_first() {
            Some((mark, behind)) if marks.contains(mark) => Role::Opens {
                word: word(behind.trim_ascii_start()),
                is_block: true,
            },
            _ if inside.starts_with(b"else") => Role::Divides,
            _ => Role::Nothing,
        },
        Opens::Word => by_word(word(inside), false),
        Opens::Code => {
            let code = inside.trim_ascii_end();
            let is_block = code.ends_with(b"{") || ends_with_do(code);
            match (code.first(), is_block) {
                (Some(b'}'), true) => Role::Divides,
                (Some(b'}'), false) => Role::Closes(b""),
                _ => by_word(word(inside), is_block),
            }
        }
    }
}

fn by_word(word: &[u8], is_block: bool) -> Role<'_> {
    if is_part_word(word) {
        return Role::Divides;
    }
    match word.strip_prefix(b"end") {
        Some(closed) => Role::Closes(closed.strip_prefix(b"_").unwrap_or(closed)),
        None if word.is_empty() && !is_block => Role::Nothing,
        None => Role::Opens {
            word,
            is_block: is_block || is_block_word(word),
        },
    }
}

/// Returns whether code of Ruby begins a block: `each do`, `each do |x|`.
fn ends_with_do(code: &[u8]) -> bool {
    let before = code.strip_suffix(b"|");
    let code = match before.and_then(|it| Some((it, it.iter().rposition(|byte| *byte == b'|')?))) {
        Some((before, at)) => before.get(..at).unwrap_or_default().trim_ascii_end(),
        None => code,
    };
    code.ends_with(b" do")
}

fn word(text: &[u8]) -> &[u8] {
    let is_in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'*');
    let len = text.iter().take_while(is_in_word).count();
    text.get(..len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text between the tags of each pair, in the order of the families.
    fn between(text: &str) -> Vec<&str> {
        let families = tag_pairs(text.as_bytes());
        let pairs = families.iter().flatten();
        let within = |pair: &LinePair| &text[pair.open.end as usize..pair.close.start as usize];
        pairs.map(within).collect()
    }

    #[test]
    fn tags_with_one_word_are_pairs_in_each_form() {
        for text in [
            "{% if a %}x{% endif %}",
            "{%-for a in b-%}x{%- endfor -%}",
            "{% block a %}x{% endblock a %}",
            "{{#each a}}x{{/each}}",
            "{{^a}}x{{/a}}",
            "<% if a %>x<% end %>",
            "<% b.each do |c| %>x<% end %>",
            "<% if (a) { %>x<% } %>",
            "<?php if ($a): ?>x<?php endif; ?>",
            "<? foreach ($a as $b) { ?>x<? } ?>",
            "\\begin{a}x\\end{a}",
            "[quote=a]x[/quote]",
            "{foreach $a as $b}x{/foreach}",
        ] {
            assert_eq!(between(text), ["x"], "{text}");
        }
    }

    #[test]
    fn tags_nest_and_those_without_a_partner_are_left_out() {
        let text = "{% if a %}{% include b %}{% if c %}1{% else %}2{% endif %}{% endif %}";
        let inner = "1{% else %}2";
        let outer = "{% include b %}{% if c %}1{% else %}2{% endif %}";
        assert_eq!(between(text), [inner, outer]);
        let parts: Vec<_> = tag_pairs(text.as_bytes()).concat();
        assert_eq!(
            parts.iter().map(|it| it.parts.len()).collect::<Vec<_>>(),
            [1, 0]
        );
    }

    #[test]
    fn code_has_no_tags() {
        for text in [
            "{ a; } /* {/a} */ [b] = c[/d]",
            "if (a) { b } else { /c/ }",
            "<% a = 1 %><% end %>",
            "{{ a }}{{ /b }}",
            "{% endif %}",
            "\\end{a}\\begin{a}",
        ] {
            assert!(between(text).is_empty(), "{text}: {:?}", between(text));
        }
    }
}
