mod block;
mod letters;

use super::builder::Builder;
use crate::Dump;
use crate::{Codec, Letters, Lines};
use block::Block;
use letters::{FEWEST, filled, run};
use std::ops::Range;

/// Finds encoded parts of a text: runs of letters, lines of them, and dumps. Only parts that
/// contain a known format or text count. A run, and lines of one length, must come out the same
/// when they are encoded again. Lines of different lengths do not, and are written in one length
/// once they change: passes on lines and tokens leave such lines, where they cut a block or join
/// two.
pub(super) fn parts(file: &mut Builder<'_>) {
    let text = file.text;
    let mut at = 0;
    while at < text.len() {
        let is_line = at == 0 || text[at - 1] == b'\n';
        if let Some(end) = is_line.then(|| dump(file, at)).flatten() {
            at = end;
            continue;
        }
        let mut run = run(text, at);
        // A letter after a backslash is an escaped line end in a string.
        let is_escaped = at > 0 && text[at - 1] == b'\\';
        run.start += usize::from(is_escaped && matches!(text[at], b'n' | b'r' | b't'));
        at = match Block::read(text, &run) {
            Some(block) => lines(file, &block),
            None if run.len() < FEWEST => run.end.max(at + 1),
            None => line(file, &run).unwrap_or(run.end),
        };
    }
}

/// Reads a dump at the beginning of a line. Returns its end.
fn dump(file: &mut Builder<'_>, at: usize) -> Option<usize> {
    let (len, found) = Dump::read(&file.text[at..]);
    if let Some((dump, content)) = found {
        let _ = file.understood(at..at + len, Codec::Dump(dump), &content);
    }
    // The lines of a dump are not read again, even if the dump is not understood.
    (len > 0).then_some(at + len)
}

/// Reads a part on one line. Returns its end.
fn line(file: &mut Builder<'_>, run: &Range<usize>) -> Option<usize> {
    let text = file.text;
    let mut start = run.start;
    if text[start..].starts_with(b"0x") {
        start += 2;
    }
    let place = filled(text, start, run, run.end - start);
    part(file, place.clone(), &text[place.clone()], Lines::default())?;
    Some(place.end)
}

/// Reads the parts on several lines. Returns the end of the last one, or of the lines: these are
/// not looked at again, so that each is read a few times at most.
fn lines(file: &mut Builder<'_>, block: &Block) -> usize {
    let end = block.end();
    if !block.has_long() {
        return end;
    }
    let even = block.even();
    let is_uneven = even.len() > 1 || block.is_mixed();
    if is_uneven && let Some(end) = uneven(file, block, Content::Known) {
        return end;
    }
    let mut found = None;
    for block in &even {
        let (place, letters) = block.joined(file.text);
        let is_long = block.first().len() >= FEWEST;
        found = (!block.is_single())
            .then(|| part(file, place.clone(), &letters, block.lines()))
            .flatten()
            .map(|()| place.end)
            .or_else(|| is_long.then(|| line(file, block.first())).flatten())
            .or(found);
    }
    if is_uneven && found.is_none() {
        found = uneven(file, block, Content::KnownOrText);
    }
    found.map_or(end, |found| found.max(end))
}

/// The permitted content of a part with lines of different lengths.
#[derive(Clone, Copy)]
enum Content {
    Known,
    KnownOrText,
}

/// Reads a part on lines of different lengths. Returns its end.
fn uneven(file: &mut Builder<'_>, block: &Block, content: Content) -> Option<usize> {
    let long = block.without_short_head();
    for block in [Some(block), long.as_ref()].into_iter().flatten() {
        let (place, letters) = block.joined(file.text);
        for (kind, bytes) in decoded(&letters) {
            let codec = Codec::Letters(kind, block.lines());
            let found = match content {
                Content::Known => file.known(place.clone(), codec, &bytes),
                Content::KnownOrText => file.understood(place.clone(), codec, &bytes),
            };
            if found.is_some() {
                return Some(place.end);
            }
        }
    }
    None
}

/// Adds a part if it is encoded in one of the ways, and comes out the same.
fn part(file: &mut Builder<'_>, place: Range<usize>, letters: &[u8], lines: Lines) -> Option<()> {
    decoded(letters).into_iter().find_map(|(kind, content)| {
        let codec = Codec::Letters(kind, lines);
        let is_same = codec.encode(&content) == file.text[place.clone()];
        is_same.then(|| file.understood(place.clone(), codec, &content))?
    })?;
    Some(())
}

/// Decodes letters in each way that is possible.
fn decoded(letters: &[u8]) -> Vec<(Letters, Vec<u8>)> {
    let body = letters.strip_suffix(b"=").unwrap_or(letters);
    let padded = body.len() < letters.len() || letters.len().is_multiple_of(4);
    let url = letters.iter().any(|letter| b"-_".contains(letter));
    let upper = letters.iter().any(u8::is_ascii_uppercase);
    let kinds = [Letters::Hex { upper }, Letters::Base64 { url, padded }].into_iter();
    kinds
        .filter_map(|kind| Some((kind, kind.decode(letters)?)))
        .filter(|(_, content)| content.len() >= 16)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::{Cut, Span, read_encoded};
    use data_encoding::{BASE64, HEXLOWER};

    const TEXT: &str = "first line\nsecond line\nthird line, with a few more words in it\n";
    const LETTERS: &str =
        "Zmlyc3QgbGluZQpzZWNvbmQgbGluZQp0aGlyZCBsaW5lLCB3aXRoIGEgZmV3IG1vcmUgd29yZHMgaW4gaXQK";

    fn hex(text: &str) -> String {
        text.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text without the first region of its view.
    fn without_first(text: &str) -> Option<String> {
        let layout = read_encoded(text.as_bytes())?;
        let first = layout.view().regions.first()?.0.clone();
        let less = Cut::render(&layout.rewrite(&[Cut::remove(first)]), text.as_bytes());
        String::from_utf8(less).ok()
    }

    #[test]
    fn a_dump_is_cut_and_dumped_again() {
        let dump = |text: &str| {
            let lines = text.as_bytes().chunks(16).enumerate().map(|(nth, line)| {
                let digits = line.iter().map(|byte| format!(" {byte:02x}"));
                format!("{:06x}{}\n", 16 * nth, digits.collect::<String>())
            });
            format!(
                "before\n{}{:06x}\nafter\n",
                lines.collect::<String>(),
                text.len()
            )
        };
        assert_eq!(without_first(&dump(TEXT)), Some(dump(&TEXT[11..])));
        // Hexadecimal digits at the start of a line are data here, not an offset.
        let line = hex(TEXT);
        assert_eq!(without_first(&line), Some(hex(&TEXT[11..])));
    }

    #[test]
    fn encoded_parts_are_found_in_their_frames() {
        let rest = "second line\nthird line, with a few more words in it\n";
        let base64 = "c2Vjb25kIGxpbmUKdGhpcmQgbGluZSwgd2l0aCBhIGZldyBtb3JlIHdvcmRzIGluIGl0Cg==";
        let rows = [
            (LETTERS.to_string(), base64.to_string()),
            (hex(TEXT), hex(rest)),
            (hex(TEXT).to_uppercase(), hex(rest).to_uppercase()),
            (format!("0x{}", hex(TEXT)), format!("0x{}", hex(rest))),
        ];
        let frames = [
            ("", ""),
            ("<img src=\"data:text/plain;base64,", "\"/>"),
            ("{\"data\": \"", "\", \"more\": [1, 2]}\n"),
            ("key = ", "\n"),
        ];
        for (whole, less) in rows {
            for (before, behind) in frames {
                assert_eq!(
                    without_first(&format!("{before}{whole}{behind}")),
                    Some(format!("{before}{less}{behind}"))
                );
            }
        }
    }

    #[test]
    fn lines_keep_their_length() {
        for end in ["\n", "\r\n"] {
            let lines: Vec<&str> = [&LETTERS[..40], &LETTERS[40..80], &LETTERS[80..]].into();
            let text = format!(
                "-----BEGIN X-----{end}{}{end}-----END X-----{end}",
                lines.join(end)
            );
            let less = format!(
                "-----BEGIN X-----{end}c2Vjb25kIGxpbmUKdGhpcmQgbGluZSwgd2l0aCBh{end}IGZldyBtb3JlIHdvcmRzIGluIGl0Cg==\
                 {end}-----END X-----{end}"
            );
            assert_eq!(without_first(&text), Some(less));
        }
    }

    /// Two values of DER, of which the first has so many bytes.
    fn der(first: u8, second: u8) -> Vec<u8> {
        let value = |tag: u8, content: Vec<u8>| [vec![tag, content.len() as u8], content].concat();
        let strings = [vec![b'a'; first.into()], vec![b'b'; second.into()]];
        let strings = strings.map(|text| value(4, text)).concat();
        value(0x30, strings)
    }

    /// Letters in lines of these lengths.
    fn in_lines(letters: &str, widths: &[usize], end: &str) -> String {
        let mut at = 0;
        let lines = widths.iter().map(|width| {
            let line = &letters[at..(at + width).min(letters.len())];
            at += line.len();
            line
        });
        let lines: Vec<&str> = lines.collect();
        assert_eq!(at, letters.len());
        lines.join(end)
    }

    /// The text without the string `b` of its only part, which is DER.
    fn without_second(text: &str) -> Option<String> {
        let layout = read_encoded(text.as_bytes())?;
        assert_eq!(layout.rewrite(&[]), []);
        let view = layout.view();
        let is_second = |span: &Span| {
            let bytes = &view.text[span.start as usize..span.end as usize];
            bytes.starts_with(b"\x04") && bytes.ends_with(b"b")
        };
        let spans = view.regions.iter().map(|(span, _)| span.clone());
        let second = spans
            .filter(is_second)
            .min_by_key(|span| span.end - span.start)?;
        let less = Cut::render(&layout.rewrite(&[Cut::remove(second)]), text.as_bytes());
        String::from_utf8(less).ok()
    }

    #[test]
    fn lines_of_different_lengths_are_written_in_the_longest_one() {
        let base64 = |bytes: &[u8]| BASE64.encode(bytes);
        let hex = |bytes: &[u8]| HEXLOWER.encode(bytes);
        let (whole, less) = (der(50, 19), der(50, 0)[..54].to_vec());
        let less = [&[0x30, 52], &less[2..]].concat();
        let frames = [
            ("-----BEGIN X-----\n", "\n", "\n-----END X-----\n"),
            ("-----BEGIN X-----\r\n", "\r\n", "\r\n-----END X-----\r\n"),
            (
                "{\"key\": \"-----BEGIN X-----\\n",
                "\\n",
                "\\n-----END X-----\\n\"}\n",
            ),
            (
                "key: |\n    -----BEGIN X-----\n    ",
                "\n    ",
                "\n    -----END X-----\n",
            ),
            ("<a href=\"data:;base64,", "\n  ", "\">\n"),
            (
                "Content-Transfer-Encoding: base64\n\n",
                "\n",
                "\n--mark\nSubject: x\n",
            ),
            ("", "\n", "\nsome words behind it\n"),
            ("", "\n", ""),
        ];
        for (before, end, behind) in frames {
            // The cases are: a last line as long as the others, the longest line in last position,
            // and a short first line.
            for widths in [[24, 24, 4, 24, 24], [24, 8, 24, 4, 40], [4, 24, 24, 24, 24]] {
                let text = format!(
                    "{before}{}{behind}",
                    in_lines(&base64(&whole), &widths, end)
                );
                let width = *widths.iter().max().unwrap();
                let left = in_lines(&base64(&less), &[width; 3][..72_usize.div_ceil(width)], end);
                assert_eq!(
                    without_second(&text),
                    Some(format!("{before}{left}{behind}")),
                    "{text}"
                );
            }
            let widths = [40, 40, 10, 40, 20];
            let text = format!("{before}{}{behind}", in_lines(&hex(&whole), &widths, end));
            let left = in_lines(&hex(&less), &[40, 40, 28], end);
            assert_eq!(
                without_second(&text),
                Some(format!("{before}{left}{behind}")),
                "{text}"
            );
        }
    }

    #[test]
    fn lines_in_a_string_may_end_with_a_blank() {
        let less = [&[0x30, 52], &der(50, 0)[2..54]].concat();
        let [whole, less] = [der(50, 25), less].map(|bytes| BASE64.encode(&bytes));
        for (first, second) in [(" ", " "), ("\\n", " "), (" ", "\\n")] {
            let frame = |lines: &[&str]| {
                let key = lines.concat();
                format!("{{\"key\": \"-----BEGIN X-----\\n{key}\\n-----END X-----\\n\"}}\n")
            };
            let text = frame(&[&whole[..64], first, &whole[64..100], second, &whole[100..]]);
            let left = frame(&[&less[..64], first, &less[64..]]);
            assert_eq!(without_second(&text), Some(left), "{text}");
        }
    }

    #[test]
    fn lines_that_are_encoded_one_by_one_stay_apart() {
        let lines = [
            "first line\nsecond line\n",
            "a line, and a few words\nand another\n",
        ];
        let [first, second] = lines.map(|text| BASE64.encode(text.as_bytes()));
        let less = BASE64.encode(b"second line\n");
        assert_eq!(
            without_first(&format!("{first}\n{second}\n")),
            Some(format!("{less}\n{second}\n"))
        );
    }

    #[test]
    fn words_hashes_and_noise_are_no_encoded_parts() {
        let sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let noise: String = (0..200u32)
            .map(|nth| {
                char::from(
                    b"abcdefghijklmnopqrstuvwxyzABCDEF"[(nth * nth * 7 + nth / 3) as usize % 32],
                )
            })
            .collect();
        for text in [
            "",
            "int main(void) { return someVeryLongNameOfAFunctionThatNobodyReads(); }",
            "/usr/lib/python3/dist-packages/some/package/with/a/long/path/module",
            sum,
            &noise,
            "===========================================",
            "00000000000000000000000000000000000000000000",
        ] {
            assert_eq!(read_encoded(text.as_bytes()), None, "{text}");
        }
    }
}
