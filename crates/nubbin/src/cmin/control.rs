//! The control file of a merge, in which libFuzzer records the coverage of each input.

use std::fmt;

/// The content of a control file after its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The features of the first inputs, in the order of the file.
    pub(super) covered: Vec<Vec<u64>>,
    /// Whether the input after the covered inputs was started, and did not end.
    pub(super) has_begun: bool,
}

/// The reason why a control file cannot be one of libFuzzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ControlError {
    /// The file does not begin with the names of the inputs.
    Names,
    /// A line is unknown. Lines after the names are counted from 1.
    Line(usize),
    /// A line is not about the next input.
    Order(usize),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::Names => write!(f, "the control file does not begin with the inputs"),
            ControlError::Line(line) => {
                write!(
                    f,
                    "line {line} after the inputs in the control file is unknown"
                )
            }
            ControlError::Order(line) => write!(
                f,
                "line {line} after the inputs in the control file does not belong to the next input"
            ),
        }
    }
}

impl std::error::Error for ControlError {}

/// Returns the control file with which libFuzzer begins. No name has a line break.
pub(super) fn begin(names: &[Vec<u8>]) -> Vec<u8> {
    let mut text = format!("{}\n0\n", names.len()).into_bytes();
    for name in names {
        text.extend(name);
        text.push(b'\n');
    }
    text
}

/// Reads a control file for the given number of inputs: `begin`, and the lines that libFuzzer
/// added. An incomplete last line, from a process that was killed, is left out.
pub(super) fn read(text: &[u8], begin: &[u8], inputs: usize) -> Result<Progress, ControlError> {
    let added = text.strip_prefix(begin).ok_or(ControlError::Names)?;
    let mut progress = Progress::default();
    let Some(end) = added.iter().rposition(|&byte| byte == b'\n') else {
        return Ok(progress);
    };
    for (at, line) in added[..end].split(|&byte| byte == b'\n').enumerate() {
        progress.read(line, at + 1, inputs)?;
    }
    Ok(progress)
}

impl Progress {
    fn read(&mut self, line: &[u8], number: usize, inputs: usize) -> Result<(), ControlError> {
        let unknown = ControlError::Line(number);
        let mut words = line.split(|&byte| byte == b' ');
        let word = words.next().unwrap_or_default();
        let mut numbers = words.map(|word| value(word).ok_or(unknown));
        let input = numbers.next().ok_or(unknown)??;
        let next = self.covered.len();
        let is_next = next < inputs && usize::try_from(input) == Ok(next);
        match word {
            b"STARTED" if is_next && !self.has_begun => self.has_begun = true,
            b"FT" if is_next && self.has_begun => {
                self.covered.push(numbers.collect::<Result<_, _>>()?);
                self.has_begun = false;
            }
            // The edges of an input that no earlier input had. Its features include these edges.
            b"COV" if next > 0 && usize::try_from(input) == Ok(next - 1) => {}
            b"STARTED" | b"FT" | b"COV" => return Err(ControlError::Order(number)),
            _ => return Err(unknown),
        }
        Ok(())
    }
}

fn value(word: &[u8]) -> Option<u64> {
    let digits = word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word)
        .ok()
        .filter(|_| digits)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_minimize::random::SplitMix64;

    fn names() -> Vec<Vec<u8>> {
        ["a", "b c", "d"]
            .map(|name| name.as_bytes().to_vec())
            .into()
    }

    fn read_after(added: &str) -> Result<Progress, ControlError> {
        let begin = begin(&names());
        read(&[&begin, added.as_bytes()].concat(), &begin, 3)
    }

    const WHOLE: &str = "STARTED 0 4\nFT 0 1 8 300\nCOV 0 0 1\nSTARTED 1 4\nFT 1\nCOV 1\n";

    #[test]
    fn features_of_finished_inputs_are_read() {
        assert_eq!(begin(&names()), b"3\n0\na\nb c\nd\n");
        let covered = vec![vec![1, 8, 300], vec![]];
        let expected = Progress {
            covered: covered.clone(),
            has_begun: false,
        };
        assert_eq!(read_after(WHOLE), Ok(expected.clone()));
        for cut in ["ST", "STARTED 2 4", "STARTED 2 4\nFT 2 1", "STARTED 2 4\n"] {
            let has_begun = cut.contains('\n');
            let covered = covered.clone();
            let expected = Progress { covered, has_begun };
            assert_eq!(read_after(&format!("{WHOLE}{cut}")), Ok(expected), "{cut}");
        }
        assert_eq!(read_after(""), Ok(Progress::default()));
    }

    #[test]
    fn other_lines_are_refused() {
        for (added, error) in [
            ("STARTED 1 4\n", ControlError::Order(1)),
            ("FT 0 1\n", ControlError::Order(1)),
            ("COV 0 1\n", ControlError::Order(1)),
            ("STARTED 0 4\nSTARTED 0 4\n", ControlError::Order(2)),
            ("STARTED 0 4\nFT 0 -1\n", ControlError::Line(2)),
            ("STARTED 0 4\nFT 0 +1\n", ControlError::Line(2)),
            ("STARTED 0 4\nFT 0  1\n", ControlError::Line(2)),
            (
                "STARTED 0 4\nFT 0 99999999999999999999\n",
                ControlError::Line(2),
            ),
            ("STARTED\n", ControlError::Line(1)),
            ("DONE 0\n", ControlError::Line(1)),
            ("\n", ControlError::Line(1)),
            ("\n\n", ControlError::Line(1)),
        ] {
            assert_eq!(read_after(added), Err(error), "{added}");
        }
        let begin = begin(&names());
        assert_eq!(read(b"3\n0\nx\n", &begin, 3), Err(ControlError::Names));
        let more = [&begin[..], b"STARTED 0 1\nFT 0\nSTARTED 1 1\n"].concat();
        assert_eq!(read(&more, &begin, 1), Err(ControlError::Order(3)));
    }

    #[test]
    fn damaged_files_end_in_an_error_or_in_a_part() {
        let begin = begin(&names());
        let whole = [&begin, WHOLE.as_bytes()].concat();
        let mut numbers = SplitMix64::new(5);
        for _ in 0..20_000 {
            let mut text = whole.clone();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(text.len() as u64) as usize;
                match numbers.below(4) {
                    0 => text.truncate(at.max(1)),
                    1 => text[at] = numbers.below(256) as u8,
                    2 => text.insert(at, b"0123 \nSTFCOV"[numbers.below(12) as usize]),
                    _ => drop(text.remove(at)),
                }
                if text.is_empty() {
                    text.push(b'3');
                }
            }
            if let Ok(progress) = read(&text, &begin, 3) {
                assert!(progress.covered.len() <= 3);
                assert!(text.starts_with(&begin));
            }
        }
    }
}
