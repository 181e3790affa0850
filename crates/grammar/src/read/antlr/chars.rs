//! Sets of characters and the escapes in them.

use super::super::cursor::class_pattern;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chars(ClassUnicode);

impl Chars {
    pub(super) fn none() -> Self {
        Chars(ClassUnicode::empty())
    }

    /// Returns a range of code points, of which surrogates are left out: they are no characters of
    /// a text in UTF-8.
    pub(super) fn codes(first: u32, last: u32) -> Self {
        let mut set = Chars::none();
        for (from, to) in [(first, last.min(0xd7ff)), (first.max(0xe000), last)] {
            if let (Some(from), Some(to)) = (char::from_u32(from), char::from_u32(to))
                && from <= to
            {
                set.0.push(ClassUnicodeRange::new(from, to));
            }
        }
        set
    }

    pub(super) fn one(c: char) -> Self {
        Chars::codes(c.into(), c.into())
    }

    pub(super) fn all() -> Self {
        Chars::codes(0, char::MAX.into())
    }

    pub(super) fn add(&mut self, other: &Chars) {
        self.0.union(&other.0);
    }

    pub(super) fn negated(mut self) -> Self {
        self.0.negate();
        self
    }

    /// Returns the characters with a Unicode property: a category, a script, or a binary property.
    pub(super) fn property(name: &str, negated: bool) -> Option<Self> {
        // ANTLR has its own names for the presentation of an emoji.
        let name = match name {
            "EmojiPresentation=EmojiDefault" => "Emoji_Presentation",
            "EmojiPresentation=TextDefault" | "EmojiPresentation=Text" => "Emoji",
            name => name,
        };
        // The library has no property for a single character.
        let only = match name {
            "Grapheme_Cluster_Break=CR" => Some('\r'),
            "Grapheme_Cluster_Break=LF" => Some('\n'),
            _ => None,
        };
        if let Some(c) = only {
            let one = Chars::one(c);
            return Some(if negated { one.negated() } else { one });
        }
        let property = if negated { 'P' } else { 'p' };
        let regex = format!("\\{property}{{{name}}}");
        let hir = regex_syntax::Parser::new().parse(&regex).ok()?;
        match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => Some(Chars(class.clone())),
            _ => None,
        }
    }

    /// Adds the other case of each character that has one.
    pub(super) fn in_any_case(mut self) -> Self {
        // Larger ranges are whole blocks of scripts, which contain both cases.
        const BLOCK_SIZE: usize = 4096;
        let ranges: Vec<(char, char)> = self.ranges().collect();
        for (first, last) in ranges {
            for c in (first..=last).take(BLOCK_SIZE) {
                let (mut lower, mut upper) = (c.to_lowercase(), c.to_uppercase());
                for other in [one(&mut lower), one(&mut upper)].into_iter().flatten() {
                    self.0.push(ClassUnicodeRange::new(other, other));
                }
            }
        }
        self
    }

    /// Returns the only character, if there is exactly one.
    pub(super) fn single(&self) -> Option<char> {
        match self.0.ranges() {
            [one] if one.start() == one.end() => Some(one.start()),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.ranges().is_empty()
    }

    fn ranges(&self) -> impl Iterator<Item = (char, char)> + '_ {
        self.0.iter().map(|range| (range.start(), range.end()))
    }

    /// Returns the set as a regular expression.
    pub(super) fn pattern(&self) -> String {
        let ranges: Vec<(char, char)> = self.ranges().collect();
        class_pattern(false, &ranges)
    }
}

/// Returns the character that a change of case leads to, if it is a single one.
fn one(chars: &mut dyn Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

/// An escape in a literal or a set: a code point, or a set of characters.
pub(super) enum Escaped {
    Code(u32),
    Set(Chars),
}

/// Reads an escape. `rest` begins after the backslash; the length of the escape is returned too.
pub(super) fn escape(rest: &str) -> Result<(Escaped, usize), String> {
    let Some(c) = rest.chars().next() else {
        return Err("the grammar ends here".into());
    };
    let braced = || {
        let inner = rest[1..].strip_prefix('{')?;
        let len = inner.find('}')?;
        Some((&inner[..len], len + 3))
    };
    let simple = |other: char| Ok((Escaped::Code(other.into()), c.len_utf8()));
    match c {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        'u' => {
            let (digits, len) = match braced() {
                Some(found) => found,
                None => (rest.get(1..5).ok_or("expected four hexadecimal digits")?, 5),
            };
            let value = u32::from_str_radix(digits, 16)
                .map_err(|_| format!("`{digits}` is not a hexadecimal number"))?;
            match value > char::MAX.into() {
                true => Err(format!("`{digits}` is not a character")),
                false => Ok((Escaped::Code(value), len)),
            }
        }
        'p' | 'P' => {
            let (name, len) = braced().ok_or("expected a property in braces")?;
            let set = Chars::property(name, c == 'P')
                .ok_or_else(|| format!("`{name}` is not a known Unicode property"))?;
            Ok((Escaped::Set(set), len))
        }
        // A backslash before another character stands for that character.
        other => simple(other),
    }
}
