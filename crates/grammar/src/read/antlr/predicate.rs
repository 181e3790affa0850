//! The names of predicates.

use super::quoted::quoted_len;

/// A predicate that is a name or a call, which may be negated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Predicate {
    pub(super) name: String,
    pub(super) is_negated: bool,
}

impl Predicate {
    /// Returns the predicate of some code, `None` if the code is more than a name or a call.
    pub(super) fn of(code: &str) -> Option<Self> {
        let mut rest = code.trim();
        let mut is_negated = false;
        while let Some(inner) = rest.strip_prefix('!') {
            is_negated = !is_negated;
            rest = inner.trim_start();
        }
        let (path, arguments) = match rest.find('(') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if !arguments.is_empty() && !is_one_list(arguments) {
            return None;
        }
        // The receivers of several programming languages: `this.p`, `this->p`, `self::p`, `$p`.
        let path = path.replace("->", ".").replace("::", ".");
        let mut names = path.split('.').map(|name| {
            let name = name.trim();
            name.strip_prefix('$').unwrap_or(name)
        });
        let name = names.clone().next_back()?.to_owned();
        names
            .all(is_identifier)
            .then_some(Predicate { name, is_negated })
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether a text that begins with a parenthesis ends with the matching parenthesis.
fn is_one_list(text: &str) -> bool {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += c.len_utf8();
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '"' | '\'' => {
                let start = at - c.len_utf8();
                at = quoted_len(&text[start..], c).map_or(at, |len| start + len);
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    depth == 0 && at == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_a_call_has_a_name_and_other_code_has_none() {
        let named = [
            ("isVersion2()", "isVersion2"),
            (" this.isVersion2() ", "isVersion2"),
            ("this->is2()", "is2"),
            ("$isExpr", "isExpr"),
            ("_localctx.isExpr", "isExpr"),
            ("Base::self.p", "p"),
            ("this.p(\"n)\", f(1))", "p"),
            ("!this.p(\"n\")", "!p"),
            ("! ! p", "p"),
        ];
        for (code, expected) in named {
            let found = Predicate::of(code).unwrap();
            let not = if found.is_negated { "!" } else { "" };
            assert_eq!(format!("{not}{}", found.name), expected, "{code}");
        }
        for code in [
            "",
            "!",
            "p() && q()",
            "(p)",
            "p(",
            "p() )",
            "p(1) == (2)",
            "version >= 8",
            "a.",
            "2",
            "p()();",
        ] {
            assert_eq!(Predicate::of(code), None, "{code}");
        }
    }
}
