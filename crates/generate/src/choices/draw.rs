//! Choices of Booleans, numbers, texts, and bytes; spans, lists, and filters of choices.

use super::sequence::{Choices, DEFAULT, Source};
use crate::random::Random;
use nubbin_choices::{Alphabet, Kind, Label, Value};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The mean number of elements of a list beyond its minimum, if its maximum does not limit it.
const MORE: f64 = 5.0;

/// The number of attempts of [`Choices::filter`].
const TRIES: u32 = 3;

impl Choices {
    /// Chooses a Boolean. Both values are equally likely, and `false` is simpler.
    pub fn boolean(&mut self) -> bool {
        self.boolean_with(0.5)
    }

    /// Chooses a Boolean that is `true` with the given probability.
    pub fn boolean_with(&mut self, probability: f64) -> bool {
        let drawn = self.draw(Kind::Boolean, |random| {
            Value::Boolean(f64::from(random.unit()) < probability)
        });
        drawn == Value::Boolean(true)
    }

    /// Chooses an integer of a range. All integers are equally likely, and the integer nearest to 0
    /// is simplest.
    pub fn integer(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (min, max) = (*range.start(), *range.end());
        self.integer_toward(range, 0.max(min).min(max))
    }

    /// Chooses an integer of a range. All integers are equally likely, and the integer nearest to
    /// `toward` is simplest. An empty range yields its start.
    pub fn integer_toward(&mut self, range: RangeInclusive<i64>, toward: i64) -> i64 {
        let (min, max) = (*range.start(), (*range.end()).max(*range.start()));
        let toward = toward.clamp(min, max);
        let drawn = self.draw(Kind::Integer { min, max, toward }, |random| {
            Value::Integer(uniform(random, min, max))
        });
        drawn.integer().unwrap_or(toward)
    }

    /// Chooses any integer of 8, 16, 32, or 64 bits, most often of 16 bits. 0 is simplest.
    pub fn any_integer(&mut self) -> i64 {
        let kind = Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            toward: 0,
        };
        let drawn = self.draw(kind, |random| {
            let bits = match random.below(29) {
                0..8 => 8,
                8..24 => 16,
                24..26 => 32,
                _ => 64,
            };
            Value::Integer((random.next() as i64) >> (64 - bits))
        });
        drawn.integer().unwrap_or(0)
    }

    /// Chooses a floating-point number of a range. Integers are simpler than other numbers. A range
    /// without bounds includes infinities and NaN.
    pub fn float(&mut self, range: RangeInclusive<f64>) -> f64 {
        let (min, max) = (*range.start(), *range.end());
        let drawn = self.draw(Kind::Float { min, max }, |random| {
            let wide = min == f64::NEG_INFINITY || max == f64::INFINITY || max - min > 1e300;
            let drawn = if wide {
                f64::from_bits(random.next())
            } else {
                min + (max - min) * (random.next() >> 11) as f64 / (1u64 << 53) as f64
            };
            Value::Float(drawn)
        });
        match drawn {
            Value::Float(drawn) => drawn,
            _ => min,
        }
    }

    /// Chooses a text over an alphabet with a number of characters in `range`.
    ///
    /// Shorter texts are simpler. Of two texts of the same length, the text with the simpler
    /// character at the first difference is simpler.
    pub fn text(&mut self, alphabet: &Arc<Alphabet>, range: RangeInclusive<u32>) -> Arc<str> {
        let (min, max) = (*range.start(), (*range.end()).max(*range.start()));
        let kind = Kind::Text {
            alphabet: Arc::clone(alphabet),
            min,
            max,
        };
        let drawn = self.draw(kind, |random| {
            let count = length(random, min, max);
            let char = |_| alphabet.char(random.below(alphabet.count()));
            Value::Text((0..count).map(char).collect::<String>().into())
        });
        match drawn {
            Value::Text(text) => text,
            _ => "".into(),
        }
    }

    /// Chooses a sequence of bytes with a length in `range`.
    pub fn bytes(&mut self, range: RangeInclusive<u32>) -> Arc<[u8]> {
        let (min, max) = (*range.start(), (*range.end()).max(*range.start()));
        let drawn = self.draw(Kind::Bytes { min, max }, |random| {
            let count = length(random, min, max);
            Value::Bytes((0..count).map(|_| random.below(256) as u8).collect())
        });
        match drawn {
            Value::Bytes(bytes) => bytes,
            _ => [].into(),
        }
    }

    /// Chooses a value of a kind that is known only at run time.
    pub fn value(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Boolean => Value::Boolean(self.boolean()),
            Kind::Index { of, simplest } => {
                Value::Integer(self.choose(of as usize, simplest as usize) as i64)
            }
            Kind::Integer { min, max, toward } => {
                Value::Integer(self.integer_toward(min..=max, toward))
            }
            Kind::Float { min, max } => Value::Float(self.float(min..=max)),
            Kind::Text { alphabet, min, max } => Value::Text(self.text(&alphabet, min..=max)),
            Kind::Bytes { min, max } => Value::Bytes(self.bytes(min..=max)),
        }
    }

    /// Runs `make` and marks its choices as one span with a label.
    ///
    /// A reducer can remove or move a span as a whole, and can replace it with another span of the
    /// same label.
    pub fn span<T>(&mut self, label: impl Into<Label>, make: impl FnOnce(&mut Self) -> T) -> T {
        self.begin(label);
        let made = make(self);
        self.end();
        made
    }

    /// Begins a span that [`Choices::end`] ends. Prefer [`Choices::span`] if a closure is possible.
    pub fn begin(&mut self, label: impl Into<Label>) {
        if let Some(run) = &mut self.run {
            run.begin(label.into());
        }
    }

    /// Ends the innermost span.
    pub fn end(&mut self) {
        if let Some(run) = &mut self.run {
            run.end(false);
        }
    }

    /// Ends the innermost span and marks it as discarded: the generator did not use its part.
    pub fn discard(&mut self) {
        if let Some(run) = &mut self.run {
            run.end(true);
        }
    }

    /// Ends the innermost span and removes its mark, so that its choices belong to the enclosing
    /// span.
    ///
    /// Use it for a span whose first choice decides that the part does not exist.
    pub fn withdraw(&mut self) {
        if let Some(run) = &mut self.run {
            run.withdraw();
        }
    }

    /// Rejects the choices: [`Choices::into_run`] will return `None`. The generator may continue,
    /// but its text is not used.
    pub fn reject(&mut self) {
        self.rejected = true;
        if let Some(run) = &mut self.run {
            run.reject();
        }
    }

    /// Generates a list with a number of elements in `range`. The average is five more than the
    /// start of the range, if the range permits it.
    ///
    /// The span of an element includes the choice to have one more element. So removing the span
    /// removes the element.
    pub fn list<T>(
        &mut self,
        range: RangeInclusive<u32>,
        mut element: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let (min, max) = (*range.start(), *range.end());
        let more = MORE.min(f64::from(max.saturating_sub(min)) / 2.0);
        let probability = more / (1.0 + more);
        let mut elements = vec![];
        self.begin("list");
        while (elements.len() as u32) < max {
            self.begin("element");
            let forced = (elements.len() as u32) < min;
            if !forced && !self.boolean_with(probability) {
                self.withdraw();
                break;
            }
            elements.push(element(self));
            self.end();
        }
        self.end();
        elements
    }

    /// Generates a value that `keep` accepts, in at most three attempts.
    ///
    /// The spans of attempts that `keep` does not accept are discarded. After three such attempts,
    /// the choices are [rejected](Choices::reject) and the result is `None`.
    pub fn filter<T>(
        &mut self,
        mut make: impl FnMut(&mut Self) -> T,
        keep: impl Fn(&T) -> bool,
    ) -> Option<T> {
        for _ in 0..TRIES {
            self.begin("filter");
            let made = make(self);
            if keep(&made) {
                self.end();
                return Some(made);
            }
            self.discard();
        }
        self.reject();
        None
    }

    fn draw(&mut self, kind: Kind, random: impl FnOnce(&mut Random) -> Value) -> Value {
        let full = self.is_full();
        let value = match &mut self.source {
            _ if kind.is_forced() || self.closing || full => kind.simplest(),
            Source::Random(source) => kind.admit(&random(source)),
            Source::Values { values, next } => {
                let value = values.get(*next).unwrap_or(&Value::Simplest);
                *next += 1;
                kind.admit(value)
            }
            Source::Replay { choices, next } => {
                let value = match choices.get(*next) {
                    None | Some(&DEFAULT) => kind.simplest(),
                    Some(&choice) => kind.admit(&Value::Integer(choice.into())),
                };
                *next += 1;
                value
            }
        };
        // A kind with one value only is not a choice, so it is not recorded.
        if let Some(run) = self.run.as_mut().filter(|_| !kind.is_forced()) {
            run.push(kind, value.clone());
        }
        value
    }
}

fn uniform(random: &mut Random, min: i64, max: i64) -> i64 {
    let count = (i128::from(max) - i128::from(min) + 1) as u128;
    let drawn = (u128::from(random.next()) * count) >> 64;
    (i128::from(min) + drawn as i128) as i64
}

/// Draws a length; short lengths are more likely than long ones.
fn length(random: &mut Random, min: u32, max: u32) -> u32 {
    let more = MORE.min(f64::from(max - min) / 2.0) as f32;
    let mut length = min;
    while length < max && random.unit() < more / (1.0 + more) {
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_choices::{Replay, Run};

    fn alphabet() -> Arc<Alphabet> {
        Arc::new(Alphabet::new('a'..='z'))
    }

    /// Draws one choice of every kind.
    fn make(choices: &mut Choices) -> String {
        let list = choices.list(1..=4, |choices| {
            let kind = choices.choose(3, 0);
            choices.span("thing", |choices| match kind {
                0 => choices.boolean().to_string(),
                1 => choices.integer(-5..=300).to_string(),
                _ => choices.text(&alphabet(), 1..=8).to_string(),
            })
        });
        let even = choices.filter(Choices::any_integer, |number| number % 2 == 0);
        let float = choices.float(-1.0..=9.5);
        let bytes = choices.bytes(0..=3);
        format!("{list:?} {even:?} {float:?} {bytes:?}")
    }

    fn run(values: Vec<Value>) -> (String, Option<Run>) {
        let mut choices = Choices::of(values);
        let made = make(&mut choices);
        (made, choices.into_run(vec![]))
    }

    #[test]
    fn a_recorded_run_replays() {
        let mut rejected = 0;
        for seed in 0..300 {
            let mut choices = Choices::recording(seed);
            let made = make(&mut choices);
            let Some(first) = choices.into_run(vec![]) else {
                rejected += 1;
                continue;
            };
            let (again, second) = run(first.values());
            let second = second.unwrap();
            assert_eq!((again, &second), (made, &first));
            for span in &second.spans {
                let around = span.parent.map(|parent| second.spans[parent as usize]);
                assert!(around.is_none_or(|a| a.start <= span.start && span.end <= a.end));
            }
        }
        assert!((10..100).contains(&rejected), "{rejected}");
    }

    #[test]
    fn an_empty_sequence_takes_the_simplest_values() {
        let (made, run) = run(vec![]);
        assert_eq!(made, r#"["false"] Some(0) 0.0 []"#);
        assert!(run.unwrap().overran);
    }

    #[test]
    fn values_of_another_type_become_the_simplest() {
        let values = [Value::Boolean(true), Value::Integer(7), Value::Float(2.5)];
        let (made, run) = run(values.to_vec());
        assert_eq!(made, r#"["false"] Some(0) 0.0 []"#);
        let run = run.unwrap();
        assert!(!run.is_of(&values) && run.overran);
    }

    #[test]
    fn discarded_spans_are_marked() {
        let values = [3, 4].map(Value::Integer).to_vec();
        let mut choices = Choices::of(values);
        let even = choices.filter(|c| c.integer(0..=9), |number| number % 2 == 0);
        assert_eq!(even, Some(4));
        let run = choices.into_run(vec![]).unwrap();
        assert_eq!(
            run.spans
                .iter()
                .map(|span| span.discarded)
                .collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn a_function_replays_values() {
        let function = crate::Function::new(|choices: &mut Choices| make(choices).into_bytes());
        let run = function.replay(&[Value::Integer(1)]).unwrap();
        assert_eq!(run.text, br#"["0"] Some(0) 0.0 []"#);
    }
}
