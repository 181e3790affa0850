use crate::count::{Count, Place, Unit, lines, slice, words};
use crate::sections::sections;
use crate::table::table;
use std::ops::Range;

/// The lines at the beginning of a text in which numbers are looked for.
const HEAD_LINES: usize = 8;

/// The bytes at the beginning of a text in which numbers are looked for.
const HEAD_BYTES: usize = 4096;

/// The numbers at the beginning of a text that are looked at.
const MAX_NUMBERS: usize = 24;

/// Guesses which numbers at the start of a text count items that follow them.
///
/// Of several explanations of one number, the first is the likeliest.
pub(crate) fn guess(text: &[u8]) -> Vec<Count> {
    let head: Vec<Range<usize>> = lines(text)
        .take(HEAD_LINES)
        .take_while(|line| line.start < HEAD_BYTES)
        .collect();
    let Some(end) = head.last().map(|line| line.end) else {
        return vec![];
    };
    let mut left = MAX_NUMBERS;
    let of_line = |line: &Range<usize>| {
        let found = numbers_of(text, line.clone(), left);
        left -= found.len();
        found
    };
    let numbers: Vec<Vec<Range<usize>>> = head.iter().map(of_line).collect();
    if numbers.iter().all(Vec::is_empty) {
        return vec![];
    }
    let tail = Tail {
        lines: lines(&text[end..]).count() as u64,
        words: words(&text[end..]).count() as u64,
    };
    let (mut counts, mut seen) = (vec![], 0);
    for (nth, (line, numbers)) in head.iter().zip(&numbers).enumerate() {
        if is_one_of_a_series(text, nth, &head) {
            seen += numbers.len();
            continue;
        }
        let place = |at: usize| Place::Head(u8::try_from(seen + at).unwrap_or(u8::MAX));
        let mut guess = Guess {
            text,
            line,
            after: &head[nth + 1..],
            tail: &tail,
            counts: &mut counts,
        };
        guess.tables(numbers, &place);
        guess.lines(numbers, &place);
        guess.rest(numbers, &place);
        seen += numbers.len();
    }
    counts
}

/// Returns whether another line differs in its digits only, and has words: the lines are numbered,
/// and their numbers count nothing.
fn is_one_of_a_series(text: &[u8], nth: usize, head: &[Range<usize>]) -> bool {
    let without_digits = |line: &Range<usize>| -> Vec<u8> {
        let bytes = text[line.clone()].iter().copied();
        bytes.filter(|byte| !byte.is_ascii_digit()).collect()
    };
    let own = without_digits(&head[nth]);
    let others = head.iter().enumerate().filter(|&(other, _)| other != nth);
    own.iter().any(u8::is_ascii_alphabetic)
        && others
            .map(|(_, line)| without_digits(line))
            .any(|other| other == own)
}

/// The text after the head.
struct Tail {
    lines: u64,
    words: u64,
}

/// A guess about the numbers of one line.
struct Guess<'a> {
    text: &'a [u8],
    line: &'a Range<usize>,
    /// The lines of the head after the number.
    after: &'a [Range<usize>],
    tail: &'a Tail,
    counts: &'a mut Vec<Count>,
}

impl Guess<'_> {
    /// Adds two numbers that are the rows and columns of all text that follows.
    fn tables(&mut self, numbers: &[Range<usize>], place: &dyn Fn(usize) -> Place) {
        let region = self.line.end as u32..self.text.len() as u32;
        let (lines, found) = self.lines_and_words();
        for (nth, pair) in numbers.windows(2).enumerate() {
            let product = self.value(&pair[0]).zip(self.value(&pair[1]));
            let Some((first, second)) = product.filter(|&(a, b)| a > 0 && b > 0) else {
                continue;
            };
            let cells = first.checked_mul(second);
            let are_bytes = found == lines && cells != Some(found);
            if !are_bytes && cells != Some(found) {
                continue;
            }
            // The rows are the lines if the numbers of both agree.
            let (rows, columns) = match lines == second && lines != first {
                true => (&pair[1], &pair[0]),
                false => (&pair[0], &pair[1]),
            };
            let shape = (1, are_bytes);
            let found = table(self.text, rows, columns, region.clone(), shape, place(nth));
            if found.is_empty() {
                continue;
            }
            self.counts.extend(found);
        }
    }

    /// Adds numbers of lines: all following lines, or the lines of sections one after another.
    fn lines(&mut self, numbers: &[Range<usize>], place: &dyn Fn(usize) -> Place) {
        let lines_after = self.lines_and_words().0;
        for more in [0, 1, -1] {
            for (nth, number) in numbers.iter().enumerate() {
                if self.value(number) == lines_after.checked_add_signed(more) {
                    let region = self.line.end as u32..self.text.len() as u32;
                    self.add(number, region, (Unit::Lines, more), place(nth));
                }
            }
        }
        // The number may be the sum of its neighbors.
        for nth in 0..numbers.len() {
            for len in 2..=3 {
                let Some(fields) = numbers.get(nth..nth + len) else {
                    break;
                };
                let mut values = fields.iter().map(|field| self.value(field));
                let sum = values.try_fold(0_u64, |sum, value| sum.checked_add(value?));
                if sum.is_none() || sum != Some(lines_after) {
                    continue;
                }
                let rest = lines(&self.text[self.line.end..])
                    .map(|line| self.line.end + line.start..self.line.end + line.end);
                let rest: Vec<_> = rest.collect();
                let places = |at: usize| place(nth + at);
                self.counts
                    .extend(sections(self.text, fields, &rest, places).unwrap_or_default());
            }
        }
    }

    /// Adds numbers of words and of bytes.
    fn rest(&mut self, numbers: &[Range<usize>], place: &dyn Fn(usize) -> Place) {
        let end = self.text.len() as u32;
        let words_after = self.lines_and_words().1;
        for (nth, number) in numbers.iter().enumerate() {
            let Some(value) = self.value(number) else {
                continue;
            };
            let after = number.end as u32..end;
            let here = &self.text[number.end..self.line.end];
            // Only a number at the start of a line counts the words after it.
            let before = &self.text[self.line.start..number.start];
            let first = before.trim_ascii().is_empty();
            let is_word = here.first().is_none_or(u8::is_ascii_whitespace);
            let here = words(here).count() as u64;
            if is_word && value == words_after + here {
                self.add(number, after, (Unit::Words, 0), place(nth));
            } else if first && here > 0 && value == here {
                let line = number.end as u32..self.line.end as u32;
                self.add(number, line, (Unit::Words, 0), place(nth));
            } else if let Some(next) = self.after.first().filter(|_| first && here == 0) {
                let found = words(&self.text[next.clone()]).count() as u64;
                if value == found {
                    let region = next.start as u32..next.end as u32;
                    self.add(number, region, (Unit::Words, 0), place(nth));
                }
            }
            if value == u64::from(end) - self.line.end as u64 {
                let region = self.line.end as u32..end;
                self.add(number, region, (Unit::Bytes, 0), place(nth));
            }
        }
    }

    fn value(&self, number: &Range<usize>) -> Option<u64> {
        crate::number(&self.text[number.clone()])
    }

    /// Returns the numbers of lines and words after the line.
    fn lines_and_words(&self) -> (u64, u64) {
        let mut of = (self.tail.lines, self.tail.words);
        for line in self.after {
            of.0 += 1;
            of.1 += words(&self.text[line.clone()]).count() as u64;
        }
        of
    }

    fn add(
        &mut self,
        number: &Range<usize>,
        region: Range<u32>,
        (unit, more): (Unit, i64),
        place: Place,
    ) {
        let Some(value) = self.value(number) else {
            return;
        };
        if slice(self.text, &region).is_empty() && value > 0 {
            return;
        }
        self.counts.push(Count {
            number: number.start as u32..number.end as u32,
            value,
            region,
            unit,
            more,
            place,
        });
    }
}

/// Returns the decimal numbers of a line that are no part of a word.
fn numbers_of(text: &[u8], line: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let (mut all, mut at) = (vec![], line.start);
    while at < line.end && all.len() < most {
        let len = text[at..line.end]
            .iter()
            .take_while(|&&byte| is_part(byte))
            .count();
        let word = at..at + len;
        if crate::number(&text[word.clone()]).is_some() {
            all.push(word);
        }
        at += len.max(1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_lines_count_nothing() {
        let values = |text: &str| -> Vec<u64> {
            let counts = guess(text.as_bytes());
            counts.iter().map(|count| count.value).collect()
        };
        assert!(values("size 3\na\nb\nc\n").contains(&3));
        assert_eq!(values("push 1\npush 2\npush 3\na\nb\nc\n"), []);
    }

    #[test]
    fn few_numbers_of_a_long_line_are_looked_at() {
        // Without a limit, each number would be compared with all later ones.
        let line = "7 ".repeat(400_000);
        assert_eq!(numbers_of(line.as_bytes(), 0..line.len(), 24).len(), 24);
        assert!(guess(line.as_bytes()).len() <= 3 * MAX_NUMBERS);
    }
}
