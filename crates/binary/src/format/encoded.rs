use super::builder::Builder;
use crate::Dump;
use crate::codec::{Codec, Letters, Lines};
use std::ops::Range;

/// The fewest letters of an encoded part: 16 bytes of base64 without their padding.
const FEWEST: usize = 22;

/// Finds encoded parts of a text: runs of letters, lines of the same length, and dumps. Those count
/// that come out the same when they are encoded again, and have a known format or text in them.
pub(super) fn parts(file: &mut Builder<'_>) {
    let text = file.text;
    let mut at = 0;
    while at < text.len() {
        let is_line = at == 0 || text[at - 1] == b'\n';
        if let Some(end) = is_line.then(|| dump(file, at)).flatten() {
            at = end;
            continue;
        }
        let run = run(text, at);
        if run.len() < FEWEST {
            at = run.end.max(at + 1);
            continue;
        }
        let block = block(text, &run);
        let is_block = block.as_ref().is_some_and(|block| lines(file, &run, block));
        at = match (block, is_block) {
            (Some(block), true) => block.place.end,
            // The other lines are not looked at again, so that each is read once.
            (block, _) => {
                let end = line(file, &run).unwrap_or(run.end);
                block.map_or(end, |block| block.place.end.max(end))
            }
        };
    }
}

/// Reads a dump at the beginning of a line. Returns its end.
fn dump(file: &mut Builder<'_>, at: usize) -> Option<usize> {
    let (len, found) = Dump::read(&file.text[at..]);
    if let Some((dump, content)) = found {
        let _ = file.understood(at..at + len, Codec::Dump(dump), &content);
    }
    // Whether it is understood or not, its lines are not read again.
    (len > 0).then_some(at + len)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

/// The letters at a place.
fn run(text: &[u8], at: usize) -> Range<usize> {
    let letters = text[at..].iter().take_while(|&&byte| is_letter(byte));
    at..at + letters.count()
}

/// The place of letters with the `=` behind them, where these fill the last group.
fn filled(text: &[u8], start: usize, run: &Range<usize>, letters: usize) -> Range<usize> {
    let missing = letters.wrapping_neg() % 4;
    let behind = text.get(run.end..run.end + missing).unwrap_or_default();
    let is_filled =
        missing < 3 && behind.len() == missing && behind.iter().all(|&byte| byte == b'=');
    start..run.end + if is_filled { missing } else { 0 }
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

/// Lines of one length, of which the last may be shorter.
struct Block {
    place: Range<usize>,
    letters: Vec<u8>,
    end: &'static str,
}

/// Returns the lines that begin with a run, if there are several.
fn block(text: &[u8], first: &Range<usize>) -> Option<Block> {
    let end = ["\n", "\r\n"]
        .into_iter()
        .find(|end| text[first.end..].starts_with(end.as_bytes()))?;
    let width = first.len();
    let mut letters = text[first.clone()].to_vec();
    let mut last = first.clone();
    while last.len() == width && text[last.end..].starts_with(end.as_bytes()) {
        let next = run(text, last.end + end.len());
        if next.is_empty() || next.len() > width {
            break;
        }
        letters.extend_from_slice(&text[next.clone()]);
        last = next;
    }
    let place = filled(text, first.start, &last, letters.len());
    letters.extend_from_slice(&text[last.end..place.end]);
    (last != *first).then_some(Block {
        place,
        letters,
        end,
    })
}

/// Reads a part on several lines. Returns whether it is one.
fn lines(file: &mut Builder<'_>, first: &Range<usize>, block: &Block) -> bool {
    let lines = Lines {
        width: first.len(),
        end: block.end,
    };
    part(file, block.place.clone(), &block.letters, lines).is_some()
}

/// Adds a part if it is encoded in one of the ways.
fn part(file: &mut Builder<'_>, place: Range<usize>, letters: &[u8], lines: Lines) -> Option<()> {
    let body = letters.strip_suffix(b"=").unwrap_or(letters);
    let padded = body.len() < letters.len() || letters.len().is_multiple_of(4);
    let url = letters.iter().any(|letter| b"-_".contains(letter));
    let upper = letters.iter().any(u8::is_ascii_uppercase);
    for kind in [Letters::Hex { upper }, Letters::Base64 { url, padded }] {
        let Some(content) = kind.decode(letters).filter(|content| content.len() >= 16) else {
            continue;
        };
        let codec = Codec::Letters(kind, lines);
        let is_same = codec.encode(&content) == file.text[place.clone()];
        if is_same && file.understood(place.clone(), codec, &content).is_some() {
            return Some(());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::{Cut, read_encoded};

    const TEXT: &str = "first line\nsecond line\nthird line, with a few more words in it\n";
    const BASE64: &str =
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
        // A word of digits at the beginning of a line is no offset.
        let line = hex(TEXT);
        assert_eq!(without_first(&line), Some(hex(&TEXT[11..])));
    }

    #[test]
    fn encoded_parts_are_found_in_their_frames() {
        let rest = "second line\nthird line, with a few more words in it\n";
        let base64 = "c2Vjb25kIGxpbmUKdGhpcmQgbGluZSwgd2l0aCBhIGZldyBtb3JlIHdvcmRzIGluIGl0Cg==";
        let rows = [
            (BASE64.to_string(), base64.to_string()),
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
            let lines: Vec<&str> = [&BASE64[..40], &BASE64[40..80], &BASE64[80..]].into();
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
