use super::descend::Descend;
use super::grow::Grow;
use nubbin_choices::{Alphabet, Choice, Kind, Value};
use std::sync::Arc;

/// A search for a simple value of one choice, or of several equal choices.
#[derive(Clone, Debug)]
pub(super) struct ValueSearch {
    kind: Kind,
    now: Value,
    /// The values to try before any search, in reverse order.
    first: Vec<Value>,
    way: Method,
}

#[derive(Clone, Debug)]
enum Method {
    /// The search is not chosen yet, since it depends on the value after the first attempts.
    Open,
    /// Lowers the distance from the simplest value, on one side of it.
    Distance(Descend, i8),
    /// Lowers the absolute value of a whole floating-point number, with its sign.
    Whole(Descend, f64),
    /// Lowers the absolute value of a floating-point number above [`WHOLE`], with its sign. The
    /// steps are representable numbers, since not every whole number is representable.
    Rank(Descend, f64),
    Items(Items),
    End,
}

/// The limit from which all floating-point numbers are whole.
const WHOLE: f64 = (1u64 << 53) as f64;

/// The limit on the simpler alternatives that are tried.
const MAX_SIMPLER: i64 = 8;

/// The number of bits after the point from which fractions are not tried.
const FRACTION_BITS: i32 = 10;

impl ValueSearch {
    /// Starts the search from the chosen value.
    pub(super) fn of(choice: &Choice) -> Self {
        let kind = choice.kind.clone();
        let now = choice.value.clone();
        let mut search = ValueSearch {
            first: vec![],
            way: Method::Open,
            kind,
            now,
        };
        search.first = search.candidates();
        search
    }

    /// Returns the value to try next.
    pub(super) fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(value) = self.first.last() {
                return Some(value.clone());
            }
            match &mut self.way {
                Method::Open => self.way = self.decide(),
                Method::Distance(descend, side) => {
                    let distance = i128::from(descend.next()?);
                    let toward = self.kind.simplest().integer().unwrap_or(0);
                    let value = i128::from(toward) + i128::from(*side) * distance;
                    return Some(Value::Integer(i64::try_from(value).unwrap_or(toward)));
                }
                Method::Whole(descend, sign) => {
                    return Some(Value::Float(*sign * descend.next()? as f64));
                }
                Method::Rank(descend, sign) => {
                    let bits = WHOLE.to_bits() + descend.next()?;
                    return Some(Value::Float(*sign * f64::from_bits(bits)));
                }
                Method::Items(items) => return Some(items.next()?.value(&self.kind)),
                Method::End => return None,
            }
        }
    }

    /// Records whether the last value was adopted.
    pub(super) fn record(&mut self, worked: bool) {
        let Some(asked) = self.next() else {
            return;
        };
        if self.first.pop().is_some() {
            if worked {
                // The other values are simpler than the old value, but may not be simpler than this
                // one.
                self.now = asked;
                self.first.clear();
                if self.now == self.kind.simplest() {
                    self.way = Method::End;
                } else if matches!(self.kind, Kind::Float { .. }) {
                    self.first = self.candidates();
                    self.first.truncate(self.first.len().saturating_sub(1));
                }
            }
            return;
        }
        if worked {
            self.now = asked;
        }
        match &mut self.way {
            Method::Distance(descend, _) | Method::Whole(descend, _) | Method::Rank(descend, _) => {
                descend.record(worked);
            }
            Method::Items(items) => items.record(worked),
            Method::Open | Method::End => {}
        }
    }

    /// Returns the values to try before any search, in reverse order.
    fn candidates(&self) -> Vec<Value> {
        let simplest = self.kind.simplest();
        let mut first = match (&self.kind, &self.now) {
            (_, now) if *now == simplest => return vec![],
            (Kind::Index { simplest, .. }, &Value::Integer(place)) => {
                // The alternatives are listed in order of simplicity.
                let simplest = i64::from(*simplest);
                let few = (0..place)
                    .filter(|&other| other != simplest)
                    .take(MAX_SIMPLER as usize);
                few.map(Value::Integer).collect()
            }
            (&Kind::Integer { min, max, toward }, &Value::Integer(value)) => {
                let distance = i128::from(value) - i128::from(toward);
                let mirrored = i128::from(toward) - distance;
                let mut first = vec![];
                if distance < 0 && mirrored <= i128::from(max) {
                    first.extend(i64::try_from(mirrored).ok());
                }
                // The value on the other side, nearer by one, which the search on this side does
                // not reach.
                if (2..=4).contains(&distance) && i128::from(min) < mirrored {
                    first.extend(i64::try_from(mirrored + 1).ok());
                }
                first.into_iter().map(Value::Integer).collect()
            }
            (Kind::Float { .. }, &Value::Float(value)) => {
                let mut first = vec![];
                if !value.is_finite() {
                    first.extend([0.0, 1.0, 0.5, f64::MAX, f64::INFINITY]);
                } else {
                    first.extend([value.abs(), value.trunc(), value.trunc() + 1.0]);
                    if value.fract() != 0.0 {
                        for bits in 1..FRACTION_BITS {
                            let scale = f64::from(1 << bits);
                            let scaled = value * scale;
                            first.extend([scaled.floor() / scale, scaled.ceil() / scale]);
                        }
                    }
                }
                let place = |value: f64| key(&self.kind, &Value::Float(value));
                let now = place(value);
                first.retain(|&other| place(other) < now);
                let admitted = |other: f64| self.kind.admit(&Value::Float(other));
                first.into_iter().map(admitted).collect()
            }
            _ => vec![],
        };
        first.insert(0, simplest);
        first.reverse();
        first
    }

    fn decide(&self) -> Method {
        match (&self.kind, &self.now) {
            (&Kind::Integer { toward, .. }, &Value::Integer(value)) => {
                let side = if value < toward { -1 } else { 1 };
                Method::Distance(Descend::above_zero(value.abs_diff(toward)), side)
            }
            (Kind::Float { .. }, &Value::Float(value)) => {
                let sign = value.signum();
                let size = value.abs();
                if size.fract() != 0.0 || !size.is_finite() {
                    Method::End
                } else if size < WHOLE {
                    Method::Whole(Descend::above_zero(size as u64), sign)
                } else {
                    let rank = size.to_bits() - WHOLE.to_bits();
                    Method::Rank(Descend::from(rank), sign)
                }
            }
            (Kind::Text { alphabet, min, .. }, Value::Text(text)) => {
                let place = |char| alphabet.place(char).unwrap_or(0);
                Method::Items(Items::new(text.chars().map(place).collect(), *min))
            }
            (Kind::Bytes { min, .. }, Value::Bytes(bytes)) => {
                let items = bytes.iter().map(|&byte| u32::from(byte));
                Method::Items(Items::new(items.collect(), *min))
            }
            _ => Method::End,
        }
    }
}

fn key(kind: &Kind, value: &Value) -> Vec<u8> {
    let mut key = vec![];
    kind.key(value, &mut key);
    key
}

/// Finds a short list of low numbers: characters of a text, or bytes.
#[derive(Clone, Debug)]
struct Items {
    now: Vec<u32>,
    min: usize,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Deletes elements at the end.
    Cut(Descend),
    /// Deletes as many elements before this one as possible.
    Delete(usize, Grow),
    Sort,
    /// Lowers this element.
    Lower(usize, Descend),
    End,
}

impl Items {
    fn new(now: Vec<u32>, min: u32) -> Self {
        let min = min as usize;
        let more = now.len().saturating_sub(min) as u64;
        Items {
            stage: Stage::Cut(Descend::above_zero(more)),
            now,
            min,
        }
    }

    fn next(&mut self) -> Option<Items> {
        loop {
            let mut items = self.now.clone();
            match &mut self.stage {
                Stage::Cut(descend) => match descend.next() {
                    Some(more) => items.truncate(self.min + more as usize),
                    None => {
                        self.stage = self.delete(self.now.len());
                        continue;
                    }
                },
                Stage::Delete(0, _) => {
                    self.stage = Stage::Sort;
                    continue;
                }
                Stage::Delete(at, grow) => match grow.next() {
                    Some(count) => {
                        items.drain(*at - count as usize..*at);
                    }
                    None => {
                        let at = *at - 1;
                        self.stage = self.delete(at);
                        continue;
                    }
                },
                Stage::Sort => {
                    items.sort_unstable();
                    if items == self.now {
                        self.stage = self.lower(0);
                        continue;
                    }
                }
                Stage::Lower(at, descend) => match descend.next() {
                    Some(lower) => items[*at] = lower as u32,
                    None => {
                        let at = *at + 1;
                        self.stage = self.lower(at);
                        continue;
                    }
                },
                Stage::End => return None,
            }
            return Some(Items {
                now: items,
                ..self.clone()
            });
        }
    }

    fn record(&mut self, worked: bool) {
        let Some(asked) = self.next() else {
            return;
        };
        if worked {
            self.now = asked.now;
        }
        match &mut self.stage {
            Stage::Cut(descend) | Stage::Lower(_, descend) => descend.record(worked),
            Stage::Delete(at, grow) => {
                let before = grow.works();
                grow.record(worked);
                // The search continues before the deleted elements.
                let gone = grow.works() - before;
                if gone > 0 {
                    let at = *at - gone as usize;
                    self.stage = self.delete(at);
                }
            }
            Stage::Sort => self.stage = self.lower(0),
            Stage::End => {}
        }
    }

    fn delete(&self, at: usize) -> Stage {
        let most = at.min(self.now.len().saturating_sub(self.min));
        match most {
            0 => Stage::Sort,
            _ => Stage::Delete(at, Grow::new(most as u64)),
        }
    }

    fn lower(&self, at: usize) -> Stage {
        match self.now.get(at) {
            Some(&item) => Stage::Lower(at, Descend::from(u64::from(item))),
            None => Stage::End,
        }
    }

    fn value(self, kind: &Kind) -> Value {
        match kind {
            Kind::Text { alphabet, .. } => {
                let alphabet: &Arc<Alphabet> = alphabet;
                let text: String = self.now.iter().map(|&place| alphabet.char(place)).collect();
                Value::Text(text.into())
            }
            _ => Value::Bytes(self.now.iter().map(|&byte| byte as u8).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(kind: Kind, value: Value, fails: impl Fn(&Value) -> bool) -> (Value, usize) {
        let mut search = ValueSearch::of(&Choice {
            kind,
            value: value.clone(),
        });
        let (mut now, mut tests) = (value, 0);
        while let Some(asked) = search.next() {
            tests += 1;
            assert!(tests < 2000, "no end");
            let works = fails(&asked) && key(&search.kind, &asked) < key(&search.kind, &now);
            if works {
                now = asked;
            }
            search.record(works);
        }
        (now, tests)
    }

    #[test]
    fn the_simplest_value_of_each_type_is_tried_first() {
        let alphabet = Arc::new(Alphabet::new('a'..='z'));
        let text = Kind::Text {
            alphabet,
            min: 0,
            max: 99,
        };
        let all = |_: &Value| true;
        let any = Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            toward: 0,
        };
        let float = Kind::Float {
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
        };
        let bytes = Kind::Bytes { min: 1, max: 9 };
        let cases = [
            (any, Value::Integer(i64::MIN)),
            (Kind::Index { of: 9, simplest: 3 }, Value::Integer(8)),
            (Kind::Boolean, Value::Boolean(true)),
            (float, Value::Float(f64::NAN)),
            (text, Value::Text("hello".into())),
            (bytes, Value::Bytes([9, 8].into())),
        ];
        for (kind, value) in cases {
            let simplest = kind.simplest();
            assert_eq!(search(kind, value, all), (simplest, 1));
        }
    }

    #[test]
    fn each_type_finds_the_needed_value() {
        let any = Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            toward: 0,
        };
        let integer = |fails: fn(i64) -> bool, from: i64| {
            let fails = |value: &Value| fails(value.integer().unwrap());
            let (found, tests) = search(any.clone(), Value::Integer(from), fails);
            assert!(tests < 40, "{tests}");
            found.integer().unwrap()
        };
        assert_eq!(integer(|value| value >= 1000, 99_999_999), 1000);
        assert_eq!(integer(|value| value <= -1000, i64::MIN), -1000);
        assert_eq!(integer(|value| value.abs() >= 7, -12345), 7);
        let float = |fails: fn(f64) -> bool, from: f64| {
            let kind = Kind::Float {
                min: f64::NEG_INFINITY,
                max: f64::INFINITY,
            };
            let fails = |value: &Value| matches!(value, Value::Float(value) if fails(*value));
            match search(kind, Value::Float(from), fails).0 {
                Value::Float(found) => found,
                _ => f64::NAN,
            }
        };
        assert_eq!(float(|value| value > 2.5, 1234.567), 3.0);
        assert_eq!(float(|value| value > 2.0 && value < 3.0, 2.6180), 2.5);
        assert_eq!(
            float(|value| value > 1e20, 7.25e200),
            100000000000000016384.0
        );
        assert!(float(f64::is_nan, f64::NAN).is_nan());
        let text = |fails: fn(&str) -> bool, from: &str| {
            let alphabet = Arc::new(Alphabet::new(' '..='~'));
            let kind = Kind::Text {
                alphabet,
                min: 0,
                max: 99,
            };
            let fails = |value: &Value| matches!(value, Value::Text(value) if fails(value));
            match search(kind, Value::Text(from.into()), fails).0 {
                Value::Text(found) => found.to_string(),
                _ => String::new(),
            }
        };
        assert_eq!(text(|text| text.contains(']'), "some [text] (long)"), "]");
        assert_eq!(text(|text| text.len() >= 3, "some [text] (long)"), "000");
        assert_eq!(text(|text| text.contains("ab"), "zzzabyyyy"), "ab");
    }
}
