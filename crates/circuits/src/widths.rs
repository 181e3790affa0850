use super::words::{Line, WordCircuit};
use std::collections::BTreeMap;

impl WordCircuit {
    /// Returns the widths of the sorts of vectors, greatest first.
    pub fn widths(&self) -> Vec<u32> {
        let mut widths: Vec<u32> = self.lines.iter().filter_map(width).collect();
        widths.sort_unstable_by(|one, other| other.cmp(one));
        widths.dedup();
        widths
    }

    /// Returns the circuit in which all vectors of some widths are narrower, with the lines that
    /// follow from that: constants lose their highest bits, the bounds of slices and the bits of
    /// extensions fit, and a concatenation without room for its first operand extends the second
    /// one.
    ///
    /// Returns `None` if a part would be wider than the whole, or a width is 0.
    pub fn with_widths(&self, widths: &BTreeMap<u32, u32>) -> Option<WordCircuit> {
        let new_of = |sort: u32| {
            let old = self.line(sort).and_then(width)?;
            Some((old, widths.get(&old).copied().unwrap_or(old)))
        };
        let of_operand = |line: &Line, place: usize| {
            let operand = u32::try_from(line.operands.get(place)?.unsigned_abs()).ok()?;
            Some(new_of(self.line(operand)?.sort?)?.1)
        };
        let mut lines = vec![];
        for line in &self.lines {
            let mut line = line.clone();
            if let Some(old) = width(&line) {
                let new = widths.get(&old).copied().unwrap_or(old);
                line.rest[1] = Some(new).filter(|&new| new > 0)?.to_string();
            }
            let own = line.sort.and_then(new_of);
            match (line.word.as_str(), own) {
                ("const" | "constd" | "consth", Some((old, new))) if old != new => {
                    line.rest = vec![digits(&line, new)];
                }
                ("slice", Some((_, new))) => {
                    let lowest: u32 = line.rest.get(1)?.parse().ok()?;
                    let lowest = lowest.min(of_operand(&line, 0)?.checked_sub(new)?);
                    line.rest = vec![(lowest + new - 1).to_string(), lowest.to_string()];
                }
                ("uext" | "sext", Some((_, new))) => {
                    line.rest = vec![new.checked_sub(of_operand(&line, 0)?)?.to_string()];
                }
                ("concat", Some((_, new))) => {
                    let (first, last) = (of_operand(&line, 0)?, of_operand(&line, 1)?);
                    if u64::from(first) + u64::from(last) != u64::from(new) {
                        line.word = "uext".to_owned();
                        line.operands.remove(0);
                        line.rest = vec![new.checked_sub(last)?.to_string()];
                    }
                }
                _ => {}
            }
            lines.push(line);
        }
        Some(WordCircuit { lines })
    }
}

/// Returns the width of a line that is a sort of vectors.
fn width(line: &Line) -> Option<u32> {
    let kind = line.rest.first().filter(|_| line.word == "sort")?;
    let width = line.rest.get(1).filter(|_| kind == "bitvec")?;
    width.parse().ok()
}

/// Returns the digits of a constant of fewer bits. A number of more than 128 bits loses the bits
/// above these, and no bits are left of one that cannot be read.
fn digits(line: &Line, width: u32) -> String {
    let all = line.rest.first().map_or("", String::as_str);
    let tail = |count: usize| &all[all.len().saturating_sub(count)..];
    let number = match line.word.as_str() {
        _ if !all.is_ascii() => None,
        "const" => return tail(width as usize).to_owned(),
        "consth" => u128::from_str_radix(tail(32), 16).ok(),
        _ => all.parse::<i128>().ok().map(i128::cast_unsigned),
    };
    let bits = u128::MAX.checked_shr(128 - width.min(128)).unwrap_or(0);
    let number = number.unwrap_or(0) & bits;
    match line.word.as_str() {
        "consth" => format!("{number:x}"),
        _ => number.to_string(),
    }
}
