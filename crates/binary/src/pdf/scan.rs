use std::ops::Range;

/// A reader of the parts of a document, from a position on.
#[derive(Clone)]
pub(super) struct Scan<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

/// An object outside of streams.
pub(super) struct Object {
    pub(super) number: u64,
    pub(super) generation: u64,
    /// The span from the number to the end of the object.
    pub(super) place: Range<usize>,
    /// The value.
    pub(super) value: Range<usize>,
    /// The bytes of the stream.
    pub(super) data: Option<Range<usize>>,
}

/// A key of a dictionary without its slash, and the value.
pub(super) type Pair<'a> = (&'a [u8], &'a [u8]);

/// Above the number of any object.
const LARGEST: u64 = 1 << 32;

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Self {
        Scan { text, at }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads past spaces.
    pub(super) fn blanks(&mut self) {
        self.at += self
            .rest()
            .iter()
            .take_while(|&&byte| is_space(byte))
            .count();
    }

    /// Reads a comment up to the end of its line.
    pub(super) fn comment(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.first() != Some(&b'%') {
            return None;
        }
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let len = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len)
    }

    /// Reads past spaces and comments.
    pub(super) fn space(&mut self) {
        loop {
            self.blanks();
            if self.comment().is_none() {
                return;
            }
        }
    }

    pub(super) fn keyword(&mut self, word: &[u8]) -> Option<()> {
        self.space();
        let is_there = self.rest().starts_with(word);
        is_there.then(|| self.at += word.len())
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        self.space();
        let rest = self.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(rest.get(..digits)?).ok()?;
        self.at += digits;
        text.parse().ok()
    }

    /// Reads past a word of at least one byte.
    pub(super) fn word(&mut self) {
        let is_word = self.rest().iter().take_while(|&&byte| is_regular(byte));
        self.at = (self.at + is_word.count().max(1)).min(self.text.len());
    }

    /// Reads past a value. A reference is three of them.
    pub(super) fn value(&mut self) -> Option<Range<usize>> {
        self.space();
        let start = self.at;
        let mut depth = 0usize;
        loop {
            self.space();
            let rest = self.rest();
            match *rest.first()? {
                b'<' if rest.get(1) == Some(&b'<') => {
                    depth += 1;
                    self.at += 2;
                }
                b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'>' if rest.get(1) == Some(&b'>') => {
                    depth = depth.checked_sub(1)?;
                    self.at += 2;
                }
                b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b'(' => self.literal()?,
                b'<' => self.at += 1 + rest.iter().position(|&byte| byte == b'>')?,
                b'/' => {
                    let name = rest.iter().skip(1).take_while(|&&byte| is_regular(byte));
                    self.at += 1 + name.count();
                }
                byte if is_regular(byte) => self.word(),
                _ => return None,
            }
            if depth == 0 {
                return Some(start..self.at);
            }
        }
    }

    /// Reads past a text in parentheses.
    fn literal(&mut self) -> Option<()> {
        let (mut depth, mut escaped) = (0usize, false);
        for (nth, &byte) in self.rest().iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'(' => depth += 1,
                b')' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                self.at += nth + 1;
                return Some(());
            }
        }
        None
    }

    /// Reads an object with its stream.
    pub(super) fn object(&mut self) -> Option<Object> {
        let start = self.at;
        // Readers do not support larger numbers either.
        let number = self.number().filter(|&number| number < LARGEST)?;
        let generation = self.number().filter(|&number| number < LARGEST)?;
        self.keyword(b"obj")?;
        let value = self.value()?;
        let end = self.at;
        let data = self.keyword(b"stream").and_then(|()| {
            for end in [b'\r', b'\n'] {
                self.at += usize::from(self.rest().first() == Some(&end));
            }
            self.data(&value)
        });
        if data.is_none() {
            self.at = end;
        }
        self.keyword(b"endobj")?;
        Some(Object {
            number,
            generation,
            place: start..self.at,
            value,
            data,
        })
    }

    /// Reads the bytes of a stream, and its end.
    fn data(&mut self, dictionary: &Range<usize>) -> Option<Range<usize>> {
        let start = self.at;
        let pairs = pairs(self.text.get(dictionary.clone())?)?;
        let length = number_of(&pairs, b"Length").and_then(|length| {
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            let mut behind = Scan::new(self.text, end);
            behind.blanks();
            behind.rest().starts_with(b"endstream").then_some(end)
        });
        let end = match length {
            Some(end) => end,
            None => {
                let rest = self.rest();
                let end = rest.windows(9).position(|word| word == b"endstream")?;
                let line = rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]);
                start + line.strip_suffix(b"\r").unwrap_or(line).len()
            }
        };
        self.at = end;
        self.blanks();
        self.keyword(b"endstream")?;
        Some(start..end)
    }
}

/// Returns the pairs of a dictionary.
pub(super) fn pairs(dictionary: &[u8]) -> Option<Vec<Pair<'_>>> {
    let body = dictionary.strip_prefix(b"<<")?.strip_suffix(b">>")?;
    let mut scan = Scan::new(body, 0);
    let mut pairs = vec![];
    loop {
        scan.space();
        if scan.rest().is_empty() {
            return Some(pairs);
        }
        let key = scan.value()?;
        let key = body[key].strip_prefix(b"/")?;
        let mut value = scan.value()?;
        // A second number and an `R` make it a reference.
        let mut behind = scan.clone();
        let is_number = body[value.clone()].iter().all(u8::is_ascii_digit);
        if is_number && behind.number().is_some() && behind.keyword(b"R").is_some() {
            value.end = behind.at;
            scan = behind;
        }
        pairs.push((key, &body[value]));
    }
}

/// Returns the value of a key.
pub(super) fn get<'a>(pairs: &[Pair<'a>], key: &[u8]) -> Option<&'a [u8]> {
    pairs
        .iter()
        .find(|(name, _)| *name == key)
        .map(|pair| pair.1)
}

/// Returns the value of a key, if the value is a number.
pub(super) fn number_of(pairs: &[Pair<'_>], key: &[u8]) -> Option<u64> {
    std::str::from_utf8(get(pairs, key)?).ok()?.parse().ok()
}

/// Returns the numbers of an array, at most `most`.
pub(super) fn numbers(array: &[u8], most: usize) -> Option<Vec<u64>> {
    let body = array.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let mut scan = Scan::new(body, 0);
    let mut found = vec![];
    loop {
        scan.space();
        if scan.rest().is_empty() {
            return Some(found);
        }
        if found.len() == most {
            return None;
        }
        found.push(scan.number()?);
    }
}
