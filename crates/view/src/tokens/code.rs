use super::{Token, TokenKind, is_word_byte};
use nubbin_edit::Span;

/// Returns the tokens of a text that is read as code. See [`Code`].
pub fn code(text: &[u8]) -> Code<'_> {
    Code {
        text,
        at: 0,
        line_start: true,
        markers: Markers::sniff(text),
        known: MissingPartners::default(),
    }
}

/// Returns the number of tokens of a text that is read as code, without comments.
///
/// ```
/// use nubbin_view::tokens::count_code;
///
/// assert_eq!(count_code(b"f(a); // don't\ng(); // isn't"), 9);
/// ```
pub fn count_code(text: &[u8]) -> usize {
    let is_code = |token: &Token| token.kind != TokenKind::Comment;
    code(text).filter(is_code).count()
}

/// A lexer for code in an unknown language.
///
/// * A word is a run of letters, digits, `_`, and bytes beyond ASCII. A number begins with a digit
///   and includes a fraction, a suffix, and a signed exponent.
/// * `"…"` is a string if it ends on its line, or if the next line with a `"` has an odd number of
///   them. This accepts a string of several lines and rejects a stray quote. The same holds for a
///   backtick. `"""…"""`, `'''…'''`, `r#"…"#`, and `R"x(…)x"` end at their own terminators.
/// * `'…'` is a string if it ends on its line, no word ends right before it, and no word begins
///   right after it. This rule leaves out `don't`, `&'a str`, and `<'a, 'b>`.
/// * A short prefix (`b"`, `L'`, `f"`) belongs to its string.
/// * `/…/` on one line is a string, with the letters after it, if it has a bracket or a quote,
///   which would mislead otherwise, and comes after an operator or an opening bracket.
/// * `//` to the line's end (not in `http://`), `/* … */`, `<!-- … -->`, and, at the start of a
///   line, `#` (unless it looks like a C directive or a CSS rule), `--`, `;`, and `(* … *)` are
///   comments. Within a line the last four count only in a text that has such lines, and `//` does
///   not count in a text that has lines with `#` but none with `//` (Python divides by it).
/// * Operators of two and three bytes are one token, except those that begin with `>>`.
///
/// ```
/// use nubbin_view::tokens::{TokenKind, code};
///
/// let text = b"fn f<'a>(x: &'a u8) -> u8 { 'x' } // don't";
/// let comments: Vec<_> = code(text).filter(|token| token.kind == TokenKind::Comment).collect();
/// assert_eq!(comments[0].text(text), b"// don't");
/// let strings: Vec<_> = code(text).filter(|token| token.kind == TokenKind::String).collect();
/// assert_eq!(strings[0].text(text), b"'x'");
/// assert_eq!(strings.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Code<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether there is only white space on the current line so far.
    line_start: bool,
    markers: Markers,
    known: MissingPartners,
}

/// The markers that begin a comment at the start of some line of the text.
#[derive(Clone, Copy, Debug, Default)]
struct Markers {
    slashes: bool,
    hash: bool,
    dashes: bool,
    semicolon: bool,
    pascal: bool,
}

/// Failed searches, which are not repeated. This keeps the lexer linear.
#[derive(Clone, Copy, Debug, Default)]
struct MissingPartners {
    /// For `"`, `'`, and the backtick: the offset before which no opening quote has a partner.
    open_until: [usize; 3],
    no_block_end: bool,
    no_markup_end: bool,
    no_pascal_end: bool,
    no_triple: [bool; 2],
    no_raw_end: bool,
    /// The offset before which no regular expression begins.
    no_regex_until: usize,
}

const THREE: [&[u8; 3]; 8] = [
    b"<<=", b"...", b"===", b"!==", b"**=", b"<=>", b"..=", b"&&=",
];
const TWO: [&[u8; 2]; 29] = [
    b"->", b"=>", b"::", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=",
    b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<", b"**", b"..", b":=", b"|>", b"??", b"?.",
    b"##", b"</", b"/>",
];
const DIRECTIVES: [&[u8]; 14] = [
    b"include", b"define", b"undef", b"if", b"ifdef", b"ifndef", b"elif", b"else", b"endif",
    b"pragma", b"error", b"line", b"warning", b"import",
];

impl Markers {
    fn sniff(text: &[u8]) -> Self {
        let mut found = Markers::default();
        for line in text.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii_start();
            match line.first() {
                Some(b'/') => found.slashes |= line.starts_with(b"//"),
                Some(b'#') => found.hash |= is_hash_comment(line),
                Some(b'-') => found.dashes |= is_dash_comment(line),
                Some(b';') => found.semicolon |= is_semicolon_comment(line),
                Some(b'(') => found.pascal |= is_pascal_comment(line),
                _ => {}
            }
        }
        found
    }
}

/// Returns whether a line is `# …`, `#!…`, `##…`, or `#word`, but neither a directive nor a CSS
/// rule.
fn is_hash_comment(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"#").unwrap_or_default().trim_ascii_end();
    let Some(&next) = rest.first() else {
        return true;
    };
    let words = rest.trim_ascii_start();
    let word = words
        .iter()
        .position(|&byte| !is_word_byte(byte))
        .unwrap_or(words.len());
    if DIRECTIVES.contains(&&words[..word]) {
        return false;
    }
    match next {
        b' ' | b'\t' | b'#' | b'!' | b'-' | b'=' | b'*' => true,
        _ if is_word_byte(next) => !rest.ends_with(b"{") && !rest.ends_with(b","),
        _ => false,
    }
}

/// Returns whether a line is `-- …` or `---…`, but not `--x`.
fn is_dash_comment(line: &[u8]) -> bool {
    line.starts_with(b"--")
        && matches!(
            line.get(2),
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'-' | b'[')
        )
}

/// Returns whether a line begins with a semicolon that is not alone and does not end an empty
/// statement.
fn is_semicolon_comment(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b";").unwrap_or_default().trim_ascii();
    !rest.is_empty() && !rest.starts_with(b"}") && !rest.starts_with(b")")
}

/// Returns whether a line is `(* …`, but not `(*pointer)`.
fn is_pascal_comment(line: &[u8]) -> bool {
    line.starts_with(b"(*") && matches!(line.get(2), Some(b' ' | b'*' | b'\r' | b'\n' | b'\t'))
}

/// Returns the line that begins here. For a long line, it returns enough to decide whether the line
/// is a comment.
fn head(rest: &[u8]) -> &[u8] {
    let window = rest.get(..256).unwrap_or(rest);
    window
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default()
}

impl<'a> Code<'a> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn rest(&self, at: usize) -> &'a [u8] {
        self.text.get(at..).unwrap_or_default()
    }

    fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.byte(at))
    }

    /// Returns the offset at which the line of `at` ends, without its terminator.
    fn line_end(&self, at: usize) -> usize {
        let end = self.rest(at).iter().position(|&byte| byte == b'\n');
        let end = end.map_or(self.text.len(), |len| at + len);
        if end > at && self.before(end) == Some(b'\r') {
            end - 1
        } else {
            end
        }
    }

    /// Returns the end of the next `needle` from `at` on.
    fn end_of(&self, at: usize, needle: &[u8]) -> Option<usize> {
        let (text, first) = (self.rest(at), needle.first()?);
        let mut from = 0;
        while let Some(offset) = text.get(from..)?.iter().position(|byte| byte == first) {
            from += offset;
            if text.get(from..)?.starts_with(needle) {
                return Some(at + from + needle.len());
            }
            from += 1;
        }
        None
    }

    fn comment_end(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let start = self.line_start;
        let spaced = start
            || self
                .before(at)
                .is_some_and(|byte| byte.is_ascii_whitespace());
        match self.byte(at)? {
            b'/' if rest.starts_with(b"//") => {
                let divides = self.markers.hash && !self.markers.slashes;
                let address = self.before(at) == Some(b':');
                (start || !divides && !address).then(|| self.line_end(at))
            }
            b'/' if rest.starts_with(b"/*") && !self.known.no_block_end => {
                let end = self.end_of(at + 2, b"*/");
                self.known.no_block_end = end.is_none();
                end
            }
            b'<' if rest.starts_with(b"<!--") && !self.known.no_markup_end => {
                let end = self.end_of(at + 4, b"-->");
                self.known.no_markup_end = end.is_none();
                end
            }
            b'#' if spaced && (start || self.markers.hash) => {
                let apart = matches!(rest.get(1), None | Some(b' ' | b'\t'));
                (is_hash_comment(head(rest)) && (start || apart)).then(|| self.line_end(at))
            }
            b'-' if spaced && (start || self.markers.dashes) && is_dash_comment(rest) => {
                Some(self.line_end(at))
            }
            b';' if spaced && self.markers.semicolon => {
                is_semicolon_comment(head(rest)).then(|| self.line_end(at))
            }
            b'(' if self.markers.pascal && is_pascal_comment(rest) => {
                if self.known.no_pascal_end {
                    return None;
                }
                let end = self.end_of(at + 2, b"*)");
                self.known.no_pascal_end = end.is_none();
                end
            }
            _ => None,
        }
    }

    /// Returns the end of a string whose quote is at `at`. `prefixed` states whether letters before
    /// the quote belong to the string.
    fn string_end(&mut self, at: usize, prefixed: bool) -> Option<usize> {
        let quote = self.byte(at)?;
        let which = match quote {
            b'"' => 0,
            b'\'' => 1,
            b'`' => 2,
            _ => return None,
        };
        if which < 2 && self.rest(at).starts_with(&[quote; 3]) && !self.known.no_triple[which] {
            let end = self.end_of(at + 3, &[quote; 3]);
            self.known.no_triple[which] = end.is_none();
            if end.is_some() {
                return end;
            }
        }
        let glued = !prefixed && self.before(at).is_some_and(is_word_byte);
        if at < self.known.open_until[which] || quote != b'"' && glued {
            return None;
        }
        let (close, seen) = self.close(at + 1, quote, true);
        let accepted = match close {
            Some(end) => quote == b'"' || !self.byte(end).is_some_and(is_word_byte),
            None => false,
        };
        if accepted {
            return close;
        }
        self.known.open_until[which] = seen;
        if close.is_some() || quote == b'\'' {
            return None;
        }
        let (below, seen) = self.close_below(seen, quote);
        // Every such quote in between was escaped, so each would have the same partner.
        self.known.open_until[which] = seen;
        below
    }

    /// Returns the end of a regular expression that begins with the slash at `at`.
    fn regex_end(&mut self, at: usize) -> Option<usize> {
        if self.byte(at) != Some(b'/') || at < self.known.no_regex_until {
            return None;
        }
        let next = self.byte(at + 1)?;
        let before = self.text.get(..at)?.trim_ascii_end().last();
        let is_operand = matches!(
            before,
            None | Some(b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'~')
        );
        if !is_operand || next.is_ascii_whitespace() || matches!(next, b'/' | b'*') {
            return None;
        }
        let (mut end, mut in_class, mut misleads) = (at + 1, false, false);
        loop {
            match self.byte(end) {
                None | Some(b'\n') => {
                    self.known.no_regex_until = end;
                    return None;
                }
                Some(b'/') if !in_class => break,
                Some(b'\\') if self.byte(end + 1) != Some(b'\n') => end += 1,
                Some(byte @ (b'[' | b']')) => (in_class, misleads) = (byte == b'[', true),
                Some(byte) => {
                    misleads |= matches!(byte, b'"' | b'\'' | b'`' | b'(' | b')' | b'{' | b'}')
                }
            }
            end += 1;
        }
        let flags = self.rest(end + 1).iter();
        let flags = flags.take_while(|byte| byte.is_ascii_lowercase()).count();
        misleads.then_some(end + 1 + flags)
    }

    /// Returns the end of the first unescaped quote from `at` on, on this line, and the offset up
    /// to which it searched.
    fn close(&self, mut at: usize, quote: u8, line: bool) -> (Option<usize>, usize) {
        while let Some(byte) = self.byte(at) {
            match byte {
                _ if byte == quote => return (Some(at + 1), at),
                b'\n' if line => return (None, at),
                b'\\' if self.rest(at).starts_with(b"\\\r\n") => at += 3,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        (None, self.text.len())
    }

    /// Returns the end of a string of several lines of which the first ends at `at`, and the offset
    /// up to which it searched.
    fn close_below(&self, at: usize, quote: u8) -> (Option<usize>, usize) {
        let (Some(end), seen) = self.close(at, quote, false) else {
            return (None, self.text.len());
        };
        let mut odd = true;
        let mut from = end;
        while let (Some(next), _) = self.close(from, quote, true) {
            odd = !odd;
            from = next;
        }
        let apart = quote == b'"' || !self.byte(end).is_some_and(is_word_byte);
        ((odd && apart).then_some(end), seen)
    }

    /// Returns the end of a raw string, where `at` is after its letter, at `#` or `"`.
    fn raw_end(&mut self, at: usize, letter: u8) -> Option<usize> {
        if self.known.no_raw_end {
            return None;
        }
        let rest = self.rest(at);
        let (open, close) = if letter == b'R' {
            let delimiter = rest.strip_prefix(b"\"")?;
            let len = delimiter.iter().take(17).position(|&byte| byte == b'(')?;
            let close = [b")", &delimiter[..len], b"\""].concat();
            (at + 2 + len, close)
        } else {
            let hashes = rest
                .iter()
                .take(17)
                .take_while(|&&byte| byte == b'#')
                .count();
            if hashes == 0 || rest.get(hashes) != Some(&b'"') {
                return None;
            }
            let mut close = vec![b'#'; hashes + 1];
            close[0] = b'"';
            (at + hashes + 1, close)
        };
        let end = self.end_of(open, &close);
        self.known.no_raw_end = end.is_none();
        end
    }

    /// Returns the kind and end of a word, together with the string of which it is the prefix.
    fn word(&mut self, at: usize) -> (TokenKind, usize) {
        let len = self.rest(at).iter().position(|&byte| !is_word_byte(byte));
        let end = len.map_or(self.text.len(), |len| at + len);
        let word = self.text.get(at..end).unwrap_or_default();
        let prefix = word.len() <= 3
            && word.iter().all(|byte| b"bBrRuUfFlLcC8".contains(byte))
            && matches!(self.byte(end), Some(b'"' | b'\'' | b'#'));
        if prefix {
            let letter = word.last().copied().unwrap_or_default();
            if matches!(letter, b'r' | b'R')
                && let Some(end) = self.raw_end(end, letter)
            {
                return (TokenKind::String, end);
            }
            if let Some(end) = self.string_end(end, true) {
                return (TokenKind::String, end);
            }
        }
        (TokenKind::Word, end)
    }

    fn number_end(&self, start: usize) -> usize {
        let hex = matches!(self.text.get(start..start + 2), Some(b"0x" | b"0X"));
        let mut at = start;
        while let Some(byte) = self.byte(at) {
            let next = self.byte(at + 1);
            at += match byte {
                b'e' | b'E' if !hex && matches!(next, Some(b'+' | b'-')) => {
                    if self.byte(at + 2).is_some_and(|byte| byte.is_ascii_digit()) {
                        2
                    } else {
                        1
                    }
                }
                _ if is_word_byte(byte) => 1,
                b'.' if next.is_some_and(|byte| byte.is_ascii_alphanumeric()) => 1,
                b'\''
                    if next.is_some_and(|byte| byte.is_ascii_hexdigit())
                        && self.before(at).is_some_and(|byte| byte.is_ascii_hexdigit())
                        && self.byte(at + 2) != Some(b'\'') =>
                {
                    1
                }
                // `1.` is a number, but `1..` is the start of a range.
                b'.' if next != Some(b'.') => return at + 1,
                _ => break,
            };
        }
        at
    }

    fn operator_end(&self, at: usize) -> usize {
        let rest = self.rest(at);
        // Nearly all operators have one byte. Each operator of three bytes starts with one of two
        // bytes.
        match rest.first_chunk() {
            Some(two) if TWO.contains(&two) => match rest.first_chunk() {
                Some(three) if THREE.contains(&three) => at + 3,
                _ => at + 2,
            },
            _ => at + 1,
        }
    }
}

impl Iterator for Code<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while let Some(byte) = self.byte(self.at) {
            if !byte.is_ascii_whitespace() && byte != 0x0b {
                break;
            }
            self.line_start |= byte == b'\n';
            self.at += 1;
        }
        let start = self.at;
        let byte = self.byte(start)?;
        let (kind, end) = if let Some(end) = self.comment_end(start) {
            (TokenKind::Comment, end)
        } else if byte.is_ascii_digit() {
            (TokenKind::Number, self.number_end(start))
        } else if is_word_byte(byte) {
            self.word(start)
        } else if let Some(end) = self
            .string_end(start, false)
            .or_else(|| self.regex_end(start))
        {
            (TokenKind::String, end)
        } else {
            (TokenKind::Punct, self.operator_end(start))
        };
        let end = end.clamp(start + 1, self.text.len());
        self.line_start = false;
        self.at = end;
        Some(Token {
            kind,
            span: Span::at(0, start..end),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(TokenKind, &str)> {
        code(text.as_bytes())
            .map(|token| (token.kind, &text[token.span.range()]))
            .collect()
    }

    fn of(kind: TokenKind, text: &str) -> Vec<&str> {
        all(text)
            .into_iter()
            .filter(|token| token.0 == kind)
            .map(|token| token.1)
            .collect()
    }

    #[test]
    fn regular_expressions_with_brackets_or_quotes_are_strings() {
        let strings = |text| of(TokenKind::String, text);
        assert_eq!(
            strings("if (!/[(`.\\-/*%]/.test(a)) b = /'\\/*'/gi;"),
            ["/[(`.\\-/*%]/", "/'\\/*'/gi"]
        );
        assert_eq!(strings("a =~ /(b)/\n/^[c]/"), ["/(b)/"]);
        // These slashes are neither divisions nor paths.
        assert_eq!(strings("a = b / (c) / d; (e) / (f) /g"), [""; 0]);
        assert_eq!(strings("A=/b/(c)\nd = /[e/\nf = /(g\\\nh)/"), [""; 0]);
        assert_eq!(of(TokenKind::Comment, "f(/[/*]/, /* a */ b)"), ["/* a */"]);
    }

    #[test]
    fn comments_of_the_c_family_are_found() {
        assert_eq!(
            of(
                TokenKind::Comment,
                "a /* b\n */ c // d\r\n#define e // f\nhttp://g"
            ),
            ["/* b\n */", "// d", "// f"]
        );
        assert_eq!(
            of(
                TokenKind::Comment,
                "#include <a>\n# pragma x\n#id {\n#[attr]\n/* open"
            ),
            [""; 0]
        );
    }

    #[test]
    fn comments_of_other_languages_are_found() {
        assert_eq!(
            of(TokenKind::Comment, "# a\nx = (b // c) # d\n'#e'"),
            ["# a", "# d"]
        );
        assert_eq!(
            of(TokenKind::Comment, "-- a\nselect b -- c\n"),
            ["-- a", "-- c"]
        );
        assert_eq!(
            of(TokenKind::Comment, "while (n --> 0) --i;\n--i;"),
            [""; 0]
        );
        assert_eq!(
            of(TokenKind::Comment, "; a\n(b) ; c\n;; d"),
            ["; a", "; c", ";; d"]
        );
        assert_eq!(of(TokenKind::Comment, "for (;; i++)\n  ;\n"), [""; 0]);
        assert_eq!(
            of(TokenKind::Comment, "<a><!-- b\n --></a>"),
            ["<!-- b\n -->"]
        );
        assert_eq!(
            of(TokenKind::Comment, "(* a *)\nlet b = (* c *) d"),
            ["(* a *)", "(* c *)"]
        );
        assert_eq!(
            of(TokenKind::Comment, "int (*f)(void *), (*g)(int *);"),
            [""; 0]
        );
    }

    #[test]
    fn strings_are_distinguished_from_stray_quotes() {
        assert_eq!(
            of(TokenKind::String, r#"b"a\"b" 'c' L'\'' `t`"#),
            [r#"b"a\"b""#, "'c'", r"L'\''", "`t`"]
        );
        assert_eq!(
            of(TokenKind::String, "don't and won't; fn f<'a, 'b>(x: &'a T)"),
            [""; 0]
        );
        assert_eq!(
            of(TokenKind::String, "r#\"a\"b\"# R\"x(\")x\""),
            ["r#\"a\"b\"#", "R\"x(\")x\""]
        );
        assert_eq!(
            of(TokenKind::String, "'''a'\n''' \"\"\"b\n\"\"\""),
            ["'''a'\n'''", "\"\"\"b\n\"\"\""]
        );
    }

    #[test]
    fn a_string_of_several_lines_is_distinguished_from_a_stray_quote() {
        assert_eq!(of(TokenKind::String, "(a \"b\nc\" d)"), ["\"b\nc\""]);
        assert_eq!(of(TokenKind::String, "5\" wide\nf(\"x\");"), ["\"x\""]);
        assert_eq!(of(TokenKind::String, "\"a\\\nb\""), ["\"a\\\nb\""]);
        assert_eq!(of(TokenKind::String, "`A + `B\n"), [""; 0]);
    }

    #[test]
    fn operators_and_numbers_are_single_tokens() {
        let begins = |three: &[u8; 3]| TWO.iter().any(|two| three.starts_with(*two));
        assert!(THREE.iter().all(|three| begins(three)));
        assert_eq!(
            of(TokenKind::Punct, "a->b >>= c <<= d..=e :: f"),
            ["->", ">", ">=", "<<=", "..=", "::"]
        );
        assert_eq!(
            of(TokenKind::Number, "1.5e-3f 0xe+1 1..2 3. 1'000 4.f"),
            ["1.5e-3f", "0xe", "1", "1", "2", "3.", "1'000", "4.f"]
        );
    }

    #[test]
    fn tokens_cover_all_but_white_space_of_any_bytes() {
        let mut state = 1u32;
        for _ in 0..3000 {
            let text: Vec<u8> = (0..40)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    b"\"'`\\/*#-;<!>(rRb1e. \n\r\0\xff"[(state >> 16) as usize % 24]
                })
                .collect();
            let mut at = 0;
            for token in code(&text) {
                let gap = &text[at..token.span.range().start];
                assert!(gap.iter().all(u8::is_ascii_whitespace), "{text:?}");
                assert!(!token.span.is_empty());
                at = token.span.range().end;
            }
            assert!(text[at..].iter().all(u8::is_ascii_whitespace), "{text:?}");
        }
    }

    #[test]
    fn any_text_takes_linear_time() {
        for unit in [
            "\\\"\n", "\\`\n", "# if ", "\\'", "'", "\\\"", "\"", "`a", "/*", "<!--", "r#\"",
            "R\"(", "'''", "\n\"", "# ", "\"\"\"\n", "(* ",
        ] {
            let text = unit.repeat(400_000);
            assert!(code(text.as_bytes()).count() > 0);
        }
    }
}
