use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Chain, Context, Pass, PassInfo, Proposals, Replacements, Spans, Work, all_or_some, optional,
};
use nubbin_view::keywords::is_keyword;
use nubbin_view::terms::Terms;
use nubbin_view::tokens::TokenKind;

/// Rewrites expressions and statements by small rules that hold in many languages.
///
/// There is one list per rule, one after the other, in order of position:
///
/// | rule | becomes |
/// |---|---|
/// | `a ? b : c` | `c`, then `b` |
/// | `return e;`, `x = e;` | `return;`, `x;` |
/// | `x = e;` | `e;` |
/// | `if (c) s`, `while c {…}` | `s`, `{…}` |
/// | `{…}` | `;` |
/// | `f(x)`, `a.b[1]` | `0` |
/// | `(…)`, `[…]` | `0` |
/// | a string, or a word that can be an operand | `0` |
/// | the `a.b` of `a.b.c` | `[]` |
///
/// Each rule guesses the extent of an expression (up to a separator or bracket of its level) and
/// may be wrong about the language. The test decides. The pass helps late, on code: an expression
/// that remains after all deletions is often needed only because *some* expression must be at its
/// position, and `0` is the simplest expression. The pass takes about two tests for each position
/// and rule if no proposal is adopted.
///
/// Source: C-Reduce's peephole passes (Regehr et al. 2012), the falsy and constant rewrites
/// of Shrink Ray (MacIver), and ddSMT's substitution by constants (Niemetz et al.). Rough
/// tokens and lists are our own.
///
/// ```
/// use nubbin_reduce::pass::{Peephole, preview};
///
/// let proposals = preview(&Peephole, b"return x ? f(y) : z;", 20);
/// assert_eq!(proposals[..2], ["return z;", "return f(y);"]);
/// assert!(proposals.contains(&"return;".to_string()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Peephole;

/// Words before a condition.
const HEADS: [&[u8]; 12] = [
    b"if", b"while", b"for", b"switch", b"match", b"unless", b"until", b"with", b"catch", b"elif",
    b"foreach", b"else",
];
/// A `?` has two proposals of two places each, which combine one by one where they overlap.
const MOST_CHOICES: usize = 1_000;

impl Pass for Peephole {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "peephole",
            "rewrites expressions and statements to simpler ones",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver); ddSMT (Niemetz et al.)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let terms = Terms::of(context.views, file.text);
        let mut sites = Sites {
            has_semicolons: (0..terms.len()).any(|token| terms.text(token) == b";"),
            ..Sites::default()
        };
        for token in 0..terms.len() {
            sites.look_at(&terms, token);
        }
        let base = file.span.start;
        let moved = |spans: Vec<Span>| -> Vec<Span> {
            spans
                .into_iter()
                .map(|span| Span::at(base, span.range()))
                .collect()
        };
        let deleted = |spans| optional(Spans::new(moved(spans)));
        let replaced = |spans, text| optional(Replacements::new(moved(spans), text));
        let second: Vec<Edit> = sites
            .not_the_second
            .into_iter()
            .take(MOST_CHOICES)
            .map(|parts| Edit::delete_all(moved(parts.into())))
            .collect();
        let works = [
            deleted(sites.before_the_third),
            optional(Proposals::new(second)),
            deleted(sites.values),
            deleted(sites.targets),
            deleted(sites.heads),
            replaced(sites.bodies, b";"),
            replaced(sites.calls, b"0"),
            replaced(sites.groups, b"0"),
            // In a text of words, any of the words can be replaced.
            all_or_some(Replacements::new(moved(sites.atoms), b"0")),
            replaced(sites.objects, b"[]"),
        ];
        Chain::work(works, context.lists)
    }
}

/// The spans to which each rule applies, as offsets into the file.
#[derive(Default)]
struct Sites {
    has_semicolons: bool,
    /// The part of a conditional before its third operand: `a ? b :`.
    before_the_third: Vec<Span>,
    /// The parts of a conditional around its second operand: `a ?` and `: c`.
    not_the_second: Vec<[Span; 2]>,
    /// The values: `= e`, and the `e` of `return e`.
    values: Vec<Span>,
    /// The targets of assignments: `x =`.
    targets: Vec<Span>,
    /// The heads of statements: `if (c)`.
    heads: Vec<Span>,
    bodies: Vec<Span>,
    calls: Vec<Span>,
    groups: Vec<Span>,
    atoms: Vec<Span>,
    /// The objects of members: `a.b` before a further member.
    objects: Vec<Span>,
}

impl Sites {
    fn look_at(&mut self, terms: &Terms<'_>, token: usize) {
        match (terms.kind(token), terms.text(token)) {
            (Some(TokenKind::Punct), b"?") => {
                self.choice(terms, token);
            }
            (Some(TokenKind::Punct), b"=" | b":=") => self.assignment(terms, token),
            (Some(TokenKind::Punct), b"{") => {
                let close = terms.close(token);
                self.bodies
                    .extend(close.and_then(|close| terms.span(token, close)));
            }
            (Some(TokenKind::Punct), b"(" | b"[") => {
                let close = terms.close(token).filter(|close| close - token > 1);
                self.groups
                    .extend(close.and_then(|close| terms.span(token, close)));
            }
            (Some(TokenKind::Word), b"return" | b"yield" | b"throw" | b"raise" | b"break") => {
                let last = terms.expression_from(token + 1, false);
                // The space before the value is removed too.
                let end = terms.span(token, token).map(|keyword| keyword.end);
                let value = last.and_then(|last| terms.span(token + 1, last));
                let value = value.zip(end).map(|(value, end)| Span::new(end, value.end));
                self.values.extend(value);
            }
            (Some(TokenKind::Word), word) if HEADS.contains(&word) => self.head(terms, token),
            (Some(TokenKind::Word), _) => self.word(terms, token),
            (Some(TokenKind::String), _) => self.atoms.extend(terms.span(token, token)),
            _ => {}
        }
    }

    fn choice(&mut self, terms: &Terms<'_>, question: usize) -> Option<()> {
        let first = terms.expression_to(question.checked_sub(1)?)?;
        let second_end = terms.expression_from(question + 1, true)?;
        let colon = second_end + 1;
        if terms.text(colon) != b":" {
            return None;
        }
        let end = terms.expression_from(colon + 1, false)?;
        let up_to = |first: usize, next: usize| {
            let (first, next) = (terms.span(first, first)?, terms.span(next, next)?);
            Some(Span::new(first.start, next.start))
        };
        self.before_the_third.push(up_to(first, colon + 1)?);
        let from_colon = Span::new(
            terms.span(second_end, second_end)?.end,
            terms.span(end, end)?.end,
        );
        self.not_the_second
            .push([up_to(first, question + 1)?, from_colon]);
        Some(())
    }

    fn assignment(&mut self, terms: &Terms<'_>, token: usize) {
        let Some(before) = token.checked_sub(1) else {
            return;
        };
        let start = terms.span(before, before).map(|before| before.end);
        let value = terms
            .expression_from(token + 1, false)
            .and_then(|last| terms.span(token, last));
        self.values.extend(
            value
                .zip(start)
                .map(|(value, start)| Span::new(start, value.end)),
        );
        let target = terms
            .expression_to(before)
            .and_then(|first| terms.span(first, first));
        let next = terms.span(token + 1, token + 1);
        self.targets.extend(
            target
                .zip(next)
                .map(|(target, next)| Span::new(target.start, next.start)),
        );
    }

    /// From the keyword to the statement: over the group after it, or to the next brace.
    fn head(&mut self, terms: &Terms<'_>, token: usize) {
        let close = if terms.text(token + 1) == b"(" {
            terms.close(token + 1)
        } else {
            None
        };
        let body = match close {
            Some(close) => close + 1,
            None => {
                let brace = (token + 1..token + 32).find(|&at| terms.text(at) == b"{");
                let Some(brace) = brace else { return };
                brace
            }
        };
        let (head, body) = (terms.span(token, token), terms.span(body, body));
        self.heads.extend(
            head.zip(body)
                .map(|(head, body)| Span::new(head.start, body.start)),
        );
    }

    fn word(&mut self, terms: &Terms<'_>, token: usize) {
        if is_keyword(terms.text(token)) {
            return;
        }
        // If statements end with a semicolon, a word before a name is probably a type.
        let is_operand = !self.has_semicolons || terms.kind(token + 1) != Some(TokenKind::Word);
        self.atoms
            .extend(terms.span(token, token).filter(|_| is_operand));
        // A member is part of the operand to which it belongs.
        let is_member = token
            .checked_sub(1)
            .is_some_and(|before| matches!(terms.text(before), b"." | b"->" | b"::" | b"?."));
        if is_member {
            return;
        }
        let is_of_member = terms.text(token + 1) == b"."
            && terms.kind(token + 2) == Some(TokenKind::Word)
            && terms.text(token + 3) == b".";
        let object = terms.span(token, token + 2).filter(|_| is_of_member);
        self.objects.extend(object);
        let last = terms.operand_from(token).filter(|&last| last > token);
        self.calls
            .extend(last.and_then(|last| terms.span(token, last)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn shown(text: &str) -> Vec<String> {
        let texts = proposals(&Peephole, text.as_bytes()).into_iter();
        texts
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .collect()
    }

    #[test]
    fn every_rule_makes_its_proposal() {
        for (text, expected) in [
            ("x = a + f(1) ? b : c, d;", "x = c, d;"),
            ("x = a ? b : c;", "x = b;"),
            ("int x = f(1, 2), y;", "int x, y;"),
            ("*x = f(1);", "f(1);"),
            ("return f(1);", "return;"),
            ("if (a) { b(); }", "{ b(); }"),
            ("for i in 0..3 { b(); }", "{ b(); }"),
            ("else { b(); }", "{ b(); }"),
            ("void f() { b(); }", "void f() ;"),
            ("x = a.b(1)[2] + c;", "x = 0 + c;"),
            ("x = y * (a + b);", "x = y * 0;"),
            ("x = true;", "x = 0;"),
            ("x = \"s\";", "x = 0;"),
            ("a.b.c.d(1);", "[].c.d(1);"),
        ] {
            let proposals = shown(text);
            assert!(
                proposals.contains(&expected.to_string()),
                "{text} -> {proposals:?}"
            );
        }
    }

    #[test]
    fn expressions_that_are_not_needed_become_0() {
        let text = b"x = g(y) ? bug(a.b(c), \"s\") : h(d);";
        let valid = |text: &[u8]| {
            text.starts_with(b"x = ")
                && text.ends_with(b");")
                && text.windows(4).any(|w| w == b"bug(")
        };
        let once = reduce_with(&Peephole, text, valid);
        assert_eq!(reduce_with(&Peephole, &once, valid), b"x = bug(0, 0);");
    }

    #[test]
    fn no_proposal_is_longer_than_the_text() {
        let text = b"a = b ? (c) : {d}[e] \xff\0 return; if ? : = ( { return \"x\" else {";
        assert!(
            proposals(&Peephole, text)
                .iter()
                .all(|proposal| proposal.len() <= text.len())
        );
        assert!(proposals(&Peephole, b"").is_empty());
    }

    #[test]
    fn deep_and_long_texts_are_opened_in_linear_time() {
        for unit in ["(", "a?", "a=", "a.", "a?b:", "if(", "f(a)("] {
            let text = unit.repeat(100_000);
            let file = nubbin_edit::Input::single("x", text).unwrap();
            let views = nubbin_engine::work::Views::default();
            let context = Context::of(&file, &views);
            let _ = Peephole.open(&file.file(0).unwrap(), &context);
        }
    }
}
