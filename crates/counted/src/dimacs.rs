use crate::count::{Count, Place, Unit, lines, slice, words};

/// Reads the DIMACS or QDIMACS header: `p cnf VARIABLES CLAUSES`.
///
/// A header may state more variables than there are. Then it is not a count of them.
pub(crate) fn read(text: &[u8]) -> Option<Vec<Count>> {
    let is_comment = |line: &[u8]| line.first() == Some(&b'c');
    let header = lines(text).find(|line| !is_comment(&text[line.clone()]))?;
    let line = &text[header.clone()];
    let fields: Vec<_> = words(line).collect();
    let [p, format, variables, clauses] = fields.as_slice() else {
        return None;
    };
    if &line[p.clone()] != b"p" || &line[format.clone()] != b"cnf" {
        return None;
    }
    let region = header.end as u32..text.len() as u32;
    let rest = slice(text, &region);
    let counts = [
        (variables, Unit::Variables, greatest_variable(rest)),
        (clauses, Unit::Clauses, self::clauses(rest)),
    ];
    let counts = counts.into_iter().filter_map(|(field, unit, found)| {
        let value = crate::number(&line[field.clone()])?;
        let number = (header.start + field.start) as u32..(header.start + field.end) as u32;
        (found == value).then(|| Count {
            number,
            value,
            region: region.clone(),
            unit,
            more: 0,
            place: Place::Known,
        })
    });
    Some(counts.collect())
}

/// Returns whether a line has neither clauses nor literals of them: a comment or a quantifier.
fn is_aside(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), Some(b'c' | b'a' | b'e'))
}

/// Returns the number of clauses.
pub(crate) fn clauses(text: &[u8]) -> u64 {
    let of = |line: std::ops::Range<usize>| match &text[line] {
        line if is_aside(line) => 0,
        line => words(line)
            .filter(|word| &line[word.clone()] == b"0")
            .count() as u64,
    };
    lines(text).map(of).sum()
}

/// Returns the greatest number of a variable.
pub(crate) fn greatest_variable(text: &[u8]) -> u64 {
    let of = |line: std::ops::Range<usize>| {
        let line = &text[line];
        if line.trim_ascii_start().first() == Some(&b'c') {
            return 0;
        }
        let number = |word: &[u8]| crate::number(word.strip_prefix(b"-").unwrap_or(word));
        let numbers = words(line).filter_map(|word| number(&line[word]));
        numbers.max().unwrap_or(0)
    };
    lines(text).map(of).max().unwrap_or(0)
}
