use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Proposals, Spans, Work, all_or_some};
use std::ops::Range;

/// Simplifies numbers with a point or an exponent.
///
/// A number becomes `0`, or `0.0`, or loses its exponent, its point and fraction, its fraction but
/// for a `0`, or the part before or after the point. Each of these changes is one list over all
/// numbers, which begins with all numbers at once. The pass therefore takes seven tests if floats
/// do not matter, and otherwise at most about fifteen tests for each number.
///
/// Source: Hypothesis's float shrinking (MacIver), which works on values. On texts the parts
/// of the literal are better units, since each part is a deletion.
///
/// ```
/// use nubbin_reduce::pass::{Floats, preview};
///
/// assert_eq!(preview(&Floats, b"x = 12.5e3;", 3), ["x = 0;", "x = 0.0;", "x = 12.5;"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Floats;

impl Pass for Floats {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "floats",
            "simplifies numbers with a point or an exponent",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let floats = floats(file.text);
        let at = |range: Range<usize>| Span::at(file.span.start, range);
        let replaced = |part: fn(&Float) -> Range<usize>, text: &[u8]| -> Work {
            let edits = floats.iter().map(part).filter_map(|range| {
                let shorter = range.len() > text.len()
                    || range.len() == text.len() && file.text.get(range.clone()) != Some(text);
                shorter.then(|| Edit::replace(at(range), text))
            });
            all_or_some(Proposals::new(edits.collect::<Vec<_>>()))
        };
        let deleted = |part: fn(&Float) -> Range<usize>| -> Work {
            let spans = floats
                .iter()
                .map(part)
                .filter(|range| !range.is_empty())
                .map(at);
            all_or_some(Spans::new(spans.collect::<Vec<_>>()))
        };
        let works = [
            replaced(Float::all, b"0"),
            replaced(Float::all, b"0.0"),
            deleted(|float| float.exponent.clone()),
            deleted(Float::point_and_fraction),
            replaced(|float| float.fraction.clone(), b"0"),
            deleted(|float| float.whole.clone()),
            deleted(|float| float.fraction.clone()),
        ];
        Chain::work(works, context.lists)
    }
}

/// The parts of a literal, end to end: `12` `.` `5` `e3`.
struct Float {
    whole: Range<usize>,
    fraction: Range<usize>,
    /// The exponent, including its letter.
    exponent: Range<usize>,
}

impl Float {
    fn all(&self) -> Range<usize> {
        self.whole.start..self.exponent.end
    }

    /// Returns the point and the fraction. The range is empty if there are none, or no digits
    /// before the point, since the literal would have no digits then.
    fn point_and_fraction(&self) -> Range<usize> {
        if self.whole.is_empty() {
            0..0
        } else {
            self.whole.end..self.fraction.end
        }
    }
}

fn floats(text: &[u8]) -> Vec<Float> {
    let mut floats = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let starts = byte.is_ascii_digit() || byte == b'.';
        if !starts {
            // A digit after a letter is part of a name.
            at += if crate::space::is_word(byte) {
                word(text, at)
            } else {
                1
            };
            continue;
        }
        match float_at(text, at) {
            Some(float) => {
                at = float.exponent.end;
                // A version number or an address is not a float.
                if text.get(at) == Some(&b'.') {
                    at += text[at..]
                        .iter()
                        .take_while(|&&b| b == b'.' || b.is_ascii_digit())
                        .count();
                } else {
                    floats.push(float);
                }
            }
            None => at += digits(text, at).max(1),
        }
    }
    floats
}

fn float_at(text: &[u8], start: usize) -> Option<Float> {
    let whole = start..start + digits(text, start);
    let fraction = if text.get(whole.end) == Some(&b'.') {
        whole.end + 1..whole.end + 1 + digits(text, whole.end + 1)
    } else {
        whole.end..whole.end
    };
    let has_point = fraction.start > whole.end;
    let exponent = fraction.end..fraction.end + exponent(text, fraction.end);
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    (has_digits && (has_point || !exponent.is_empty())).then_some(Float {
        whole,
        fraction,
        exponent,
    })
}

/// Length of an exponent, 0 where there is none.
fn exponent(text: &[u8], at: usize) -> usize {
    if !matches!(text.get(at), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    match digits(text, at + 1 + sign) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

fn digits(text: &[u8], at: usize) -> usize {
    text.get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

fn word(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter()
        .take_while(|&&byte| crate::space::is_word(byte))
        .count()
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn literals(text: &str) -> Vec<&str> {
        floats(text.as_bytes())
            .iter()
            .map(|float| &text[float.all()])
            .collect()
    }

    #[test]
    fn floats_are_distinguished_from_integers_names_and_versions() {
        assert_eq!(
            literals("1.5 .5 2. 1e9 3E-2x 1.5e+3f"),
            ["1.5", ".5", "2.", "1e9", "3E-2", "1.5e+3"]
        );
        assert!(literals("1 x1.e y2 1.2.3 10.0.0.1 a.b . .. 1e 0x1f").is_empty());
    }

    #[test]
    fn parts_that_are_not_needed_are_removed() {
        let text = b"f(12.75e-3, 1.5)";
        let needs = |needle: &'static [u8]| {
            move |text: &[u8]| text.windows(needle.len()).any(|window| window == needle)
        };
        assert_eq!(reduce_with(&Floats, text, |_| true), b"f(0, 0)");
        assert_eq!(reduce_with(&Floats, text, needs(b".75")), b"f(.75, 0)");
        assert_eq!(reduce_with(&Floats, text, needs(b"12.")), b"f(12., 0)");
    }

    #[test]
    fn odd_bytes_and_no_floats_give_nothing() {
        assert!(proposals(&Floats, b"\xff\0.\xffe1").is_empty());
        assert!(proposals(&Floats, b"").is_empty());
    }
}
