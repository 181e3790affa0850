//! Bytes as lines of hexadecimal digits with their offsets.

/// The bytes of a line.
const LINE: usize = 16;

/// The program whose notation a dump has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// The program `xxd`.
    Xxd,
    /// The program `hexdump` with the option `-C`.
    Hexdump,
    /// The program `od` with the options `-A x -t x1`.
    Od,
    /// The program `tcpdump` with the option `-X` or `-XX`.
    Tcpdump,
}

/// The form of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dump {
    /// The program that wrote the dump.
    pub program: Program,
    /// The offset of the first byte.
    pub start: u32,
    /// Whether lines that repeat the bytes of the previous line are written as one `*`.
    pub squeezed: bool,
}

struct Style {
    before: &'static str,
    digits: usize,
    behind: &'static str,
    /// The number of bytes between two spaces.
    group: usize,
    /// Whether there is an additional space in the middle of a line.
    middle: bool,
    /// The delimiters around the characters of a line.
    text: Option<(&'static str, &'static str)>,
    /// Whether the last line is the offset of the end.
    end: bool,
}

const PROGRAMS: [Program; 4] = [
    Program::Xxd,
    Program::Hexdump,
    Program::Od,
    Program::Tcpdump,
];

impl Program {
    fn style(self) -> Style {
        match self {
            Program::Xxd => Style {
                before: "",
                digits: 8,
                behind: ": ",
                group: 2,
                middle: false,
                text: Some(("  ", "")),
                end: false,
            },
            Program::Hexdump => Style {
                before: "",
                digits: 8,
                behind: "  ",
                group: 1,
                middle: true,
                text: Some(("  |", "|")),
                end: true,
            },
            Program::Od => Style {
                before: "",
                digits: 6,
                behind: " ",
                group: 1,
                middle: false,
                text: None,
                end: true,
            },
            Program::Tcpdump => Style {
                before: "\t0x",
                digits: 4,
                behind: ":  ",
                group: 2,
                middle: false,
                text: Some(("  ", "")),
                end: false,
            },
        }
    }
}

impl Style {
    /// Returns the number of letters of the digits of a whole line.
    fn width(&self) -> usize {
        2 * LINE + LINE / self.group - 1 + usize::from(self.middle)
    }

    /// Reads the offset at the beginning of a line, and returns the rest of it as well.
    fn offset<'a>(&self, line: &'a [u8]) -> Option<(u32, &'a [u8])> {
        let rest = line.strip_prefix(self.before.as_bytes())?;
        let (digits, rest) = rest.split_at_checked(self.digits)?;
        let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        let digits = std::str::from_utf8(digits)
            .ok()
            .filter(|_| digits.iter().all(is_digit))?;
        Some((u32::from_str_radix(digits, 16).ok()?, rest))
    }

    /// Reads the bytes of a line after its offset.
    fn bytes(&self, rest: &[u8]) -> Option<Vec<u8>> {
        let rest = rest.strip_prefix(self.behind.as_bytes())?;
        let digits = &rest[..rest.len().min(self.width())];
        let mut bytes = Vec::with_capacity(LINE);
        let mut high = None;
        for &digit in digits {
            match (char::from(digit).to_digit(16), high.take()) {
                (Some(digit), None) => high = Some(digit),
                (Some(low), Some(high)) => bytes.push((high << 4 | low) as u8),
                (None, None) if digit == b' ' => {}
                _ => return None,
            }
        }
        (high.is_none() && !bytes.is_empty()).then_some(bytes)
    }

    fn line(&self, out: &mut String, bytes: &[u8]) {
        out.push_str(self.behind);
        let mut digits = String::with_capacity(self.width());
        for (nth, byte) in bytes.iter().enumerate() {
            if nth > 0 && nth % self.group == 0 {
                digits.push(' ');
            }
            if nth == LINE / 2 && self.middle {
                digits.push(' ');
            }
            digits += &format!("{byte:02x}");
        }
        let Some((open, close)) = self.text else {
            out.push_str(&digits);
            return;
        };
        out.push_str(&format!("{digits:<width$}{open}", width = self.width()));
        let is_shown = |byte: u8| (b' '..=b'~').contains(&byte);
        let shown = bytes.iter().map(|&byte| {
            if is_shown(byte) {
                char::from(byte)
            } else {
                '.'
            }
        });
        out.extend(shown);
        out.push_str(close);
    }
}

/// The length of the lines that look like a dump, and the dump with its bytes, if it is one.
type Found = (usize, Option<(Dump, Vec<u8>)>);

impl Dump {
    /// Reads the dump at the beginning of a text, and returns the length of the lines that look
    /// like a dump, without the end of the last line. Only a dump that is written in the same way
    /// again is accepted.
    pub(crate) fn read(text: &[u8]) -> Found {
        let mut longest = 0;
        for program in PROGRAMS {
            let (len, found) = Dump::read_of(program, text).unwrap_or_default();
            if found.is_some() {
                return (len, found);
            }
            longest = longest.max(len);
        }
        (longest, None)
    }

    fn read_of(program: Program, text: &[u8]) -> Option<Found> {
        let style = program.style();
        let (start, _) = style.offset(text)?;
        let mut bytes: Vec<u8> = vec![];
        let (mut len, mut squeezed, mut is_open) = (0, false, false);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let own = line.strip_suffix(b"\n").unwrap_or(line);
            if own == b"*" && !bytes.is_empty() {
                (squeezed, is_open) = (true, true);
                len += line.len();
                continue;
            }
            let Some((offset, rest)) = style.offset(own) else {
                break;
            };
            let Some(ahead) = offset.checked_sub(start).map(|ahead| ahead as usize) else {
                break;
            };
            if is_open {
                // Squeezed lines are not read if they are longer than all content that the text
                // could have.
                let last = bytes.last_chunk::<LINE>().map(|last| last.to_vec());
                let last = last.filter(|_| ahead <= bytes.len() + text.len());
                let Some(last) = last else {
                    break;
                };
                while bytes.len() < ahead {
                    bytes.extend_from_slice(&last);
                }
                is_open = false;
            }
            if ahead != bytes.len() {
                break;
            }
            if rest.is_empty() && style.end && !bytes.is_empty() {
                len += line.len();
                break;
            }
            let Some(more) = style.bytes(rest) else {
                break;
            };
            len += line.len();
            let is_last = more.len() < LINE;
            bytes.extend(more);
            if is_last && !style.end {
                break;
            }
        }
        let text = &text[..len];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let dump = Dump {
            program,
            start,
            squeezed,
        };
        let is_same = !bytes.is_empty() && dump.write(&bytes) == text;
        Some((text.len(), is_same.then_some((dump, bytes))))
    }

    /// Writes bytes as a dump, without the end of the last line.
    pub fn write(self, bytes: &[u8]) -> Vec<u8> {
        let style = self.program.style();
        let mut out = String::new();
        let offset = |out: &mut String, at: usize| {
            let at = self.start as usize + at;
            *out += &format!("{}{at:0width$x}", style.before, width = style.digits);
        };
        let (mut before, mut is_star): (Option<&[u8]>, bool) = (None, false);
        for (nth, line) in bytes.chunks(LINE).enumerate() {
            if self.squeezed && before == Some(line) {
                if !is_star {
                    out.push_str("*\n");
                }
                is_star = true;
                continue;
            }
            (before, is_star) = (Some(line), false);
            offset(&mut out, LINE * nth);
            style.line(&mut out, line);
            out.push('\n');
        }
        if style.end {
            offset(&mut out, bytes.len());
        } else {
            out.truncate(out.trim_end_matches('\n').len());
        }
        out.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01z";

    #[test]
    fn dumps_of_programs_are_read_and_written() {
        let rows = [
            (
                Program::Xxd,
                "00000000: 8950 4e47 0d0a 1a0a 0000 000d 4948 4452  .PNG........IHDR\n\
                            00000010: 0000 0001 7a                             ....z",
            ),
            (
                Program::Hexdump,
                "00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  |.PNG........IHDR|\n\
                                00000010  00 00 00 01 7a                                    |....z|\n00000015",
            ),
            (
                Program::Od,
                "000000 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52\n000010 00 00 00 01 7a\n000015",
            ),
            (
                Program::Tcpdump,
                "\t0x0000:  8950 4e47 0d0a 1a0a 0000 000d 4948 4452  .PNG........IHDR\n\
                                \t0x0010:  0000 0001 7a                             ....z",
            ),
        ];
        for (program, text) in rows {
            let dump = Dump {
                program,
                start: 0,
                squeezed: false,
            };
            assert_eq!(String::from_utf8(dump.write(BYTES)).unwrap(), text);
            let more = format!("{text}\nsome words\n");
            let found = Dump::read(more.as_bytes());
            assert_eq!(found, (text.len(), Some((dump, BYTES.to_vec()))));
        }
    }

    #[test]
    fn lines_that_repeat_are_one_mark() {
        let bytes = [&[7; 64][..], b"end"].concat();
        let dump = Dump {
            program: Program::Od,
            start: 256,
            squeezed: true,
        };
        let text =
            "000100 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07\n*\n000140 65 6e 64\n000143";
        assert_eq!(dump.write(&bytes), text.as_bytes());
        let found = Dump::read(text.as_bytes());
        assert_eq!(found, (text.len(), Some((dump, bytes))));
    }

    #[test]
    fn other_texts_are_no_dumps() {
        for text in [
            "",
            "*",
            "00000000",
            "deadbeef: words",
            "00000000: 8950 4e47\n",
            "\t0x0000:",
            "00000000: 895 ",
        ] {
            assert_eq!(Dump::read(text.as_bytes()).1, None, "{text}");
        }
        let bomb = format!(
            "000000 {}\n*\nffffff 00\n1000000",
            "00 ".repeat(16).trim_end()
        );
        assert_eq!(Dump::read(bomb.as_bytes()).1, None);
    }
}
