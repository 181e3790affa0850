use crate::run::Run;

/// The lines that a run printed, without colors. Standard error comes first.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) lines: Vec<String>,
    inputs: Vec<String>,
}

/// The number of bytes read from each end of each output. A report of a crash is at one of them.
const PART: usize = 256 << 10;

impl Report {
    pub(crate) fn of(run: &Run) -> Self {
        let mut lines = Vec::new();
        for bytes in [run.stderr(), run.stdout()] {
            if bytes.len() <= 2 * PART {
                push_lines(&mut lines, bytes);
            } else {
                push_lines(&mut lines, &bytes[..PART]);
                push_lines(&mut lines, &bytes[bytes.len() - PART..]);
            }
        }
        let name = |path: &std::path::PathBuf| base(&path.to_string_lossy()).to_owned();
        Report {
            lines,
            inputs: run.inputs.iter().map(name).collect(),
        }
    }

    /// Returns whether the last component of a path in the output is the name of a file of the
    /// input.
    pub(crate) fn is_input(&self, path: &str) -> bool {
        let base = base(path);
        self.inputs.iter().any(|input| input == base)
    }

    /// Returns `file:line`, with the last name of the file; `None` for a position in the input.
    pub(crate) fn place(&self, path: &str, line: &str) -> Option<String> {
        (!self.is_input(path)).then(|| format!("{}:{line}", base(path)))
    }

    /// Returns ` at file:line`, or nothing for a position in the input.
    pub(crate) fn at(&self, path: &str, line: &str) -> String {
        self.place(path, line)
            .map_or(String::new(), |place| format!(" at {place}"))
    }

    /// Returns the text without the parts that differ between runs or candidates: numbers,
    /// addresses, quoted pieces, folders of paths, and positions in the input.
    pub(crate) fn stable(&self, text: &str) -> String {
        let text = without_quoted(text);
        let words = text.split_whitespace().map(|word| self.stable_word(word));
        let mut out = words.collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = out.char_indices().nth(LONGEST) {
            out.truncate(end);
        }
        out
    }

    /// Returns the parts of a line that [`Report::stable`] leaves as they are, in their order and
    /// with the spaces between their words. Spaces at the end of the line do not count.
    pub(crate) fn fixed_parts(&self, line: &str) -> Vec<String> {
        let text = without_quoted(line);
        let mut parts = vec![String::new()];
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            let is_fixed =
                !bare.contains('…') && (bare.is_empty() || self.stable_word(bare) == bare);
            match parts.last_mut() {
                Some(part) if is_fixed => part.push_str(word),
                _ => parts.push(String::new()),
            }
        }
        if let Some(last) = parts.last_mut() {
            last.truncate(last.trim_end().len());
        }
        parts.retain(|part| part.contains(char::is_alphanumeric));
        parts
    }

    fn stable_word(&self, word: &str) -> String {
        let open = word.trim_start_matches(['(', '[', '<', ',', '=']);
        let before = &word[..word.len() - open.len()];
        let bare = open.trim_end_matches([')', ']', '>', ',', ';', '.', ':']);
        let after = &open[bare.len()..];
        let (path, place) = split_place(bare);
        if self.is_input(path) {
            return format!("{before}INPUT{after}");
        }
        let has_extension = base(path)
            .rsplit_once('.')
            .is_some_and(|(stem, extension)| {
                !stem.is_empty() && extension.starts_with(|first: char| first.is_ascii_alphabetic())
            });
        if !place.is_empty() && has_extension {
            return format!("{before}{}{place}{after}", base(path));
        }
        if path.starts_with('/') && path.len() > 1 {
            return format!("{before}{}{after}", without_numbers(base(bare)));
        }
        without_numbers(word)
    }
}

/// The number of characters that are kept of a message. The rest of a longer one is usually about
/// the input.
const LONGEST: usize = 160;

fn push_lines(lines: &mut Vec<String>, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    lines.extend(text.lines().map(|line| without_colors(line.trim_end())));
}

/// The last name of a path of Unix or Windows.
pub(crate) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Splits `a.c:3:5` into `a.c` and `:3:5`.
fn split_place(word: &str) -> (&str, &str) {
    let mut path = word;
    while let Some((head, tail)) = path.rsplit_once(':') {
        if tail.is_empty() || !tail.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        path = head;
    }
    (path, &word[path.len()..])
}

fn without_colors(line: &str) -> String {
    if !line.contains('\x1b') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\x1b' {
            out.push(char);
        } else if chars.next_if_eq(&'[').is_some() {
            // The rest of an escape sequence consists of parameters and one final letter.
            while chars
                .next()
                .is_some_and(|char| !('@'..='~').contains(&char))
            {}
        }
    }
    out
}

/// Replaces quoted pieces, which are usually names from the input: `'x'`, `"x"`, `` `x` ``,
/// `` `x' ``, `‘x’`.
fn without_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(char) = rest.chars().next() {
        let after_open = &rest[char.len_utf8()..];
        let ends: &[char] = match char {
            '\'' if before.is_alphanumeric() => &[],
            '\'' => &['\''],
            '"' => &['"'],
            '`' => &['`', '\''],
            '‘' => &['’'],
            '“' => &['”'],
            _ => &[],
        };
        out.push(char);
        rest = after_open;
        // An apostrophe before a letter does not close a quote: `Foo<'a>`, 'can't'.
        let closes = |&(at, mark): &(usize, &str)| {
            let next = after_open[at + mark.len()..].chars().next();
            mark != "'" || !next.is_some_and(char::is_alphanumeric)
        };
        let close = after_open.match_indices(ends).find(closes);
        if let Some((length, _)) = close {
            let close = after_open[length..].chars().next().unwrap_or(char);
            out.push('…');
            out.push(close);
            rest = &after_open[length + close.len_utf8()..];
            before = close;
        } else {
            before = char;
        }
    }
    out
}

/// Replaces `0x7ffe…` and `123` with `N`. Digits inside a name (`utf8`, `x86_64`) stay.
fn without_numbers(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut chars = word.char_indices().peekable();
    let mut is_in_name = false;
    while let Some((at, char)) = chars.next() {
        if is_in_name || !char.is_ascii_digit() {
            is_in_name = char.is_alphanumeric() || char == '_';
            out.push(char);
            continue;
        }
        let rest = &word[at..];
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        let length = if is_hex {
            2 + rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count()
        } else {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        };
        while chars.next_if(|&(next, _)| next < at + length).is_some() {}
        out.push('N');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::testing::run;
    use super::*;
    use crate::run::Exit;

    fn stable(text: &str) -> String {
        Report::of(&run(Exit::Code(1), "")).stable(text)
    }

    #[test]
    fn values_that_differ_between_candidates_are_left_out() {
        for (text, expected) in [
            ("index 7 of 3 at 0x7ffe12", "index N of N at N"),
            ("no member 'foo' in \"Bar\"", "no member '…' in \"…\""),
            ("can't and won't", "can't and won't"),
            (
                "in fold, at /build/gcc/fold.cc:2627",
                "in fold, at fold.cc:2627",
            ),
            ("/dev/shm/nubbin-a1/0/work/t.c:3:5: error", "INPUT: error"),
            ("t.c:3: error", "INPUT: error"),
            ("cannot open /tmp/ccX12/lib.o", "cannot open lib.o"),
            ("utf8 x86_64 -O2 took 0.25s", "utf8 x86_64 -O2 took N.Ns"),
            ("use of ‘int x’ here", "use of ‘…’ here"),
            ("", ""),
        ] {
            assert_eq!(stable(text), expected, "{text}");
        }
    }

    #[test]
    fn colors_are_left_out() {
        let report = Report::of(&run(Exit::Code(1), "\x1b[1;31merror\x1b[0m: \x1b[Kx\n"));
        assert_eq!(report.lines, ["error: x"]);
    }

    #[test]
    fn both_ends_of_a_long_output_are_read() {
        let text = format!("first\n{}last\n", "noise\n".repeat(1 << 20));
        let report = Report::of(&run(Exit::Code(1), &text));
        assert_eq!(report.lines.first().unwrap(), "first");
        assert_eq!(report.lines.last().unwrap(), "last");
        assert!(report.lines.len() < 200_000);
    }
}
