//! Pieces of a nesting depth.

use crate::Views;
use crate::brackets::{Bracket, Brackets, Group};
use crate::tokens::{Token, TokenKind, code_in};

/// The length in bytes from which a group on one line is cut inside; a shorter one is read as a
/// unit.
const LONG: u32 = 80;

/// Returns the offsets at which the pieces of a text begin, and, last, at which the text ends. A
/// piece is a part that a pretty printer would put on lines of its own down to a nesting of `depth`
/// brackets, with the layout as it is. The pieces tile the text. An empty text has no pieces.
///
/// The idea is topformflat's (Delta, C-Reduce), which rewrites the file so that each top-level form
/// is one line. Here nothing is rewritten; the text is cut
///
/// 1. at the end of every line, where at most `depth` groups are open there; in a text whose
///    statements end in `;` only where a statement ends too: a declaration over several lines
///    (`template <class T>`, its name, its attributes) is one piece, and so are round brackets
///    without braces in them;
/// 2. after `;` between braces or at top level, and after `}` where a word follows that neither
///    continues the statement (`else`, `while`, `catch`, …) nor names its declaration (`} x;`);
/// 3. after `,` and within the brackets of a group that is longer than 80 bytes and all on one
///    line, so that a file that is a single line is cut into pieces too;
/// 4. between two groups at top level with only white space in between (Lisp).
///
/// All but the first apply only where at most `depth` groups are open, too. The white space after a
/// cut up to the next line belongs to the piece before it. A brace that opens on a line of its own
/// is kept with the line before it, and that line with a line of words only before *it* (`static
/// int`). Brackets without a partner do not count, see [`Brackets`].
///
/// ```
/// use nubbin_view::pieces::bounds;
///
/// let text = b"int f()\n{\n  g(1);\n}\nint x; int y;\n";
/// let pieces = |depth| -> Vec<String> {
///     let bounds = bounds(text, depth);
///     let pieces = bounds.windows(2).map(|b| &text[b[0] as usize..b[1] as usize]);
///     pieces.map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
/// };
/// assert_eq!(pieces(0), ["int f()\n{\n  g(1);\n}\n", "int x; ", "int y;\n"]);
/// assert_eq!(pieces(1), ["int f()\n{\n", "  g(1);\n", "}\n", "int x; ", "int y;\n"]);
/// ```
pub fn bounds(text: &[u8], depth: u32) -> Vec<u32> {
    bounds_in(&Views::default(), text, depth)
}

/// Does the same as [`bounds`], with tokens and brackets that are remembered.
pub fn bounds_in(views: &Views, text: &[u8], depth: u32) -> Vec<u32> {
    let mut cutter = Cutter {
        text,
        cuts: vec![0],
    };
    if text.is_empty() {
        return Vec::new();
    }
    let brackets = views.of::<Brackets>(text);
    let groups = brackets.groups();
    let terminated = has_terminators(text);
    let blocks = if terminated {
        around_braces(groups)
    } else {
        Vec::new()
    };
    let mut next_group = 0;
    let newlines = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let mut newlines = newlines.map(|(at, _)| at as u32).peekable();
    let mut around: Vec<Around> = Vec::new();
    let mut previous: Option<Token> = None;
    for token in code_in(views, text) {
        let at = token.span.start;
        let gap = previous.map_or(0, |token| token.span.end);
        let level = around.last().map_or(0, |group| group.level);
        let line_end = cutter.line_end(gap, at);
        if level <= depth && previous.is_some() {
            if let Some(end) = line_end {
                if !terminated || previous.is_none_or(|token| cutter.ends_piece(token, at)) {
                    cutter.cut(end);
                }
            } else if let Some(token) = previous
                && cutter.ends_within_line(token, at, around.last())
            {
                cutter.cut(at);
            }
        }
        let opens = groups.get(next_group).is_some_and(|group| group.open == at);
        if let Some(group) = groups.get(next_group).filter(|_| opens) {
            let no_block = blocks.get(next_group).is_some_and(|block| !block);
            next_group += 1;
            if group.kind == Bracket::Curly && level <= depth {
                cutter.rejoin_header(at);
            }
            let span = group.span();
            while newlines.peek().is_some_and(|&newline| newline < at) {
                newlines.next();
            }
            let one_line = newlines.peek().is_none_or(|&newline| newline > group.close);
            let is_list = no_block && group.kind == Bracket::Round;
            let is_atom = is_list || one_line && span.len() <= LONG;
            let group = Around::new(group, level, one_line, is_atom);
            let is_cut = group.one_line && group.level <= depth;
            around.push(group);
            if is_cut {
                cutter.cut(token.span.end);
            }
        } else if let Some(group) = around.pop_if(|group| group.close == at)
            && group.one_line
            && group.level <= depth
        {
            cutter.cut(at);
        }
        previous = Some(token);
    }
    let level = around.last().map_or(0, |group| group.level);
    if let Some(token) = previous.filter(|_| level <= depth)
        && let Some(end) = cutter.line_end(token.span.end, text.len() as u32)
    {
        cutter.cut(end);
    }
    cutter.cut(text.len() as u32);
    cutter.cuts
}

/// Returns, for each piece between consecutive `bounds`, whether it has one bracket of a group and
/// another piece has the other, so that neither can be removed alone.
///
/// ```
/// use nubbin_view::pieces::{bounds, divided};
///
/// let text = b"{\n  \"a\": [\n    1,\n    2\n  ]\n}\n";
/// let bounds = bounds(text, 2);
/// assert_eq!(bounds, [0, 2, 11, 18, 24, 28, 30]);
/// assert_eq!(divided(text, &bounds), [true, true, false, false, true, true]);
/// ```
pub fn divided(text: &[u8], bounds: &[u32]) -> Vec<bool> {
    divided_by(&Brackets::of(text), bounds)
}

/// Does the same as [`divided`], for a text with these brackets.
pub fn divided_by(brackets: &Brackets, bounds: &[u32]) -> Vec<bool> {
    let mut divided = vec![false; bounds.len().saturating_sub(1)];
    let piece = |at: u32| bounds.partition_point(|&bound| bound <= at).checked_sub(1);
    for group in brackets.groups() {
        let (open, close) = (piece(group.open), piece(group.close));
        for piece in [open, close].into_iter().flatten() {
            if let Some(divided) = divided.get_mut(piece) {
                *divided |= open != close;
            }
        }
    }
    divided
}

/// Returns whether a line end alone ends no statement in this text: at least every tenth line ends
/// in `;`.
fn has_terminators(text: &[u8]) -> bool {
    let mut lines = 0u32;
    let mut terminated = 0u32;
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii_end();
        lines += u32::from(!line.is_empty());
        terminated += u32::from(line.ends_with(b";"));
    }
    terminated > 1 && terminated.saturating_mul(10) >= lines
}

/// For each group: whether it is a brace or has one in it.
fn around_braces(groups: &[Group]) -> Vec<bool> {
    let mut blocks = vec![false; groups.len()];
    for (number, group) in groups.iter().enumerate() {
        let mut around = (group.kind == Bracket::Curly).then_some(number as u32);
        while let Some(block) = around.and_then(|number| blocks.get_mut(number as usize)) {
            if std::mem::replace(block, true) {
                break;
            }
            around = around.and_then(|number| groups.get(number as usize)?.parent);
        }
    }
    blocks
}

struct Around {
    /// The number of groups open inside of it, or `u32::MAX` where it is not to be cut.
    level: u32,
    close: u32,
    kind: Bracket,
    one_line: bool,
}

impl Around {
    /// Returns a group within `level` others. Within an atom no depth is cut.
    fn new(group: &Group, level: u32, is_on_one_line: bool, is_atom: bool) -> Self {
        Around {
            level: match is_atom {
                true => u32::MAX,
                false => level.saturating_add(1),
            },
            close: group.close,
            kind: group.kind,
            one_line: is_on_one_line && !is_atom,
        }
    }
}

struct Cutter<'a> {
    text: &'a [u8],
    cuts: Vec<u32>,
}

const CONTINUES: [&[u8]; 8] = [
    b"else", b"while", b"catch", b"finally", b"elif", b"except", b"until", b"as",
];

impl Cutter<'_> {
    fn cut(&mut self, at: u32) {
        if self.cuts.last().is_some_and(|&last| last < at) {
            self.cuts.push(at);
        }
    }

    fn get(&self, from: u32, to: u32) -> &[u8] {
        self.text
            .get(from as usize..to as usize)
            .unwrap_or_default()
    }

    /// Returns the offset after the first line end in a range. Blank lines that follow belong to
    /// the next piece.
    fn line_end(&self, from: u32, to: u32) -> Option<u32> {
        let end = self.get(from, to).iter().position(|&byte| byte == b'\n')?;
        Some(from + end as u32 + 1)
    }

    /// Returns whether a line end after this token, with the next one at `next`, ends a piece of a
    /// text whose statements end in `;`.
    fn ends_piece(&self, token: Token, next: u32) -> bool {
        let end = token.span.end;
        match token.text(self.text) {
            b";" | b"{" | b"," | b":" => return true,
            b"}" => return !self.get(next, self.text.len() as u32).starts_with(b"else"),
            _ if token.kind == TokenKind::Comment => return true,
            _ => {}
        }
        let blank = self
            .get(end, next)
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            > 1;
        let before = self.get(self.cuts.last().copied().unwrap_or(0), end);
        let line = before
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        blank || is_directive(line) || is_directive(self.get(next, self.text.len() as u32))
    }

    /// Returns whether a piece ends between a token and the next one of its line, which is at
    /// `next`.
    fn ends_within_line(&self, token: Token, next: u32, around: Option<&Around>) -> bool {
        match token.text(self.text) {
            b";" => around.is_none_or(|group| group.kind == Bracket::Curly),
            b"," => around.is_some_and(|group| group.one_line),
            b"}" => self.begins_statement(next),
            b")" | b"]" => {
                let level = around.map_or(0, |group| group.level);
                level == 0 && token.span.end < next && self.opens(next)
            }
            _ => false,
        }
    }

    /// Returns whether a word begins here that neither continues the statement before it nor names
    /// its declaration (`} else`, `} name;`).
    fn begins_statement(&self, at: u32) -> bool {
        let rest = self.get(at, self.text.len() as u32);
        let rest = rest.get(..64).unwrap_or(rest);
        let len = rest
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let (word, behind) = rest.split_at(len.unwrap_or(rest.len()));
        let declared = matches!(
            behind.trim_ascii_start().first(),
            Some(b';' | b',' | b'=' | b'[')
        );
        !word.is_empty() && !CONTINUES.contains(&word) && !declared
            || matches!(rest.first(), Some(b'@' | b'#'))
    }

    fn opens(&self, at: u32) -> bool {
        self.text
            .get(at as usize)
            .is_some_and(|byte| b"([{".contains(byte))
    }

    /// Removes the cut before a brace that begins its line, and the cut before the line above it
    /// where the line before that is all words.
    fn rejoin_header(&mut self, brace: u32) {
        let Some((&last, cuts)) = self.cuts.split_last() else {
            return;
        };
        let begins_line = self.get(last, brace).iter().all(u8::is_ascii_whitespace);
        let Some(&header) = cuts.last().filter(|_| begins_line) else {
            return;
        };
        if ends_statement(self.get(header, last)) {
            return;
        }
        self.cuts.pop();
        let above = self
            .cuts
            .len()
            .checked_sub(2)
            .and_then(|above| self.cuts.get(above));
        let blank_line = matches!(self.text.get(header as usize), Some(b'\r' | b'\n'));
        if above.is_some_and(|&above| !blank_line && is_words(self.get(above, header))) {
            self.cuts.pop();
        }
    }
}

/// Returns whether a line is for a preprocessor. `#[…]` is an attribute and belongs to the next
/// line.
fn is_directive(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#") && !line.starts_with(b"#[") && !line.starts_with(b"#!")
}

/// Returns whether the brace on the next line is a block or an element of its own rather than the
/// body of the piece.
fn ends_statement(piece: &[u8]) -> bool {
    let piece = piece.trim_ascii_end();
    let ends = |last: &u8| b";}{,[(".contains(last);
    piece.is_empty() || piece.last().is_some_and(ends) || piece.starts_with(b"#")
}

/// Returns whether a piece is one line of words only, as a return type is.
fn is_words(piece: &[u8]) -> bool {
    let line = piece.trim_ascii();
    !line.is_empty()
        && line.len() < 200
        && line
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b" _*&:<>".contains(b))
        && !line.ends_with(b":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, depth: u32) -> Vec<&str> {
        bounds(text.as_bytes(), depth)
            .windows(2)
            .map(|bounds| &text[bounds[0] as usize..bounds[1] as usize])
            .collect()
    }

    #[test]
    fn a_top_level_form_is_one_piece_with_its_header() {
        let text = "#include <a>\nstatic int\nf (int a,\n   int b)\n{\n  if (a)\n  {\n    b;\n  }\n}\nstruct s {\n int x;\n} y;\n";
        assert_eq!(
            pieces(text, 0),
            [
                "#include <a>\n",
                "static int\nf (int a,\n   int b)\n{\n  if (a)\n  {\n    b;\n  }\n}\n",
                "struct s {\n int x;\n} y;\n"
            ]
        );
        assert_eq!(
            pieces(text, 1)[2..5],
            ["  if (a)\n  {\n    b;\n  }\n", "}\n", "struct s {\n"]
        );
    }

    #[test]
    fn code_on_one_line_is_cut_into_statements() {
        let text = "function f(a){if(a){b();c()}else{d()}}function g(){}";
        assert_eq!(
            pieces(text, 0),
            ["function f(a){if(a){b();c()}else{d()}}", "function g(){}"]
        );
        assert_eq!(
            pieces("for (i = 0; i < 9; i++) { a; } b(); c;", 0),
            ["for (i = 0; i < 9; i++) { a; } ", "b(); ", "c;"]
        );
    }

    #[test]
    fn data_on_one_line_is_cut_into_elements() {
        let long = "x".repeat(60);
        let text = format!("{{\"a\": [1, 2], \"{long}\": 3, \"b\": {{\"c\": 4}}}}");
        assert_eq!(pieces(&text, 0), [&text]);
        assert_eq!(
            pieces(&text, 1),
            [
                "{",
                "\"a\": [1, 2], ",
                &format!("\"{long}\": 3, "),
                "\"b\": {\"c\": 4}",
                "}"
            ]
        );
    }

    #[test]
    fn objects_in_an_array_are_elements() {
        let text = "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n";
        let elements = ["  {\n    \"a\": 1\n  },\n", "  {\n    \"a\": 2\n  }\n"];
        assert_eq!(pieces(text, 1)[1..3], elements);
    }

    #[test]
    fn forms_in_parentheses_are_pieces() {
        assert_eq!(
            pieces("(a (b)) (c\n (d)) (e)\n", 0),
            ["(a (b)) ", "(c\n (d)) ", "(e)\n"]
        );
        assert_eq!(
            pieces("(c\n (d)\n (e))\n", 1),
            ["(c\n", " (d)\n", " (e))\n"]
        );
    }

    #[test]
    fn a_declaration_over_several_lines_is_one_piece_where_statements_end_in_semicolons() {
        let text = "namespace n\n{\n  template<class T>\n    class c;\n\n  #[a]\n  extern int f (int a,\n    int b)\n    __attribute__ ((x));\n#line 7\n  if (a)\n  {\n    b;\n  }\n  else\n    c;\n}\n";
        assert_eq!(
            pieces(text, 1),
            [
                "namespace n\n{\n",
                "  template<class T>\n    class c;\n",
                "\n  #[a]\n  extern int f (int a,\n    int b)\n    __attribute__ ((x));\n",
                "#line 7\n",
                "  if (a)\n  {\n    b;\n  }\n  else\n    c;\n",
                "}\n"
            ]
        );
    }

    #[test]
    fn pieces_tile_any_bytes() {
        let mut state = 7u32;
        for _ in 0..2000 {
            let text: Vec<u8> = (0..60)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    b"(){}[];,a \n\"/*#\xff\0"[(state >> 16) as usize % 17]
                })
                .collect();
            for depth in [0, 1, 2, 10] {
                let bounds = bounds(&text, depth);
                assert!(bounds.is_sorted_by(|a, b| a < b), "{text:?}");
                assert_eq!((bounds[0], bounds[bounds.len() - 1]), (0, 60));
            }
        }
        assert!(bounds(b"", 3).is_empty());
        assert_eq!(bounds(b"\n\n", 3), [0, 2]);
    }

    #[test]
    fn nested_groups_on_one_line_take_no_quadratic_time() {
        let deep = ["[".repeat(200_000), "]".repeat(200_000)].concat();
        assert!(bounds(deep.as_bytes(), 3).len() > 3);
    }
}
