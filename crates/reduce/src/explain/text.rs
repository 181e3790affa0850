use super::{Draw, Part, Subject, Varied};
use crate::edit::{Edit, Splice};
use crate::input::Input;
use std::sync::Arc;

/// Other texts for parts of some kind.
pub trait Others: Send + Sync {
    /// Another text in the place of `own`, drawn at random; `None` where there is none. It may come
    /// to the same text: then another one is drawn.
    fn other(&self, own: &[u8], draw: &mut Draw) -> Option<Vec<u8>>;

    /// Whether so many different texts say enough, as [`Subject::is_enough`].
    fn is_enough(&self, texts: usize) -> bool {
        texts > 0
    }
}

/// A part of a text, and where other texts for it come from.
#[derive(Clone)]
pub struct TextPart {
    /// What and where.
    pub part: Part,
    /// Other texts for it.
    pub others: Arc<dyn Others>,
}

/// A text as something to be explained.
pub struct TextSubject {
    input: Input,
    parts: Vec<Part>,
    others: Vec<Arc<dyn Others>>,
    is_valid: Option<Box<Valid>>,
    seed: u64,
}

/// Whether a text is one that a test can say something of.
type Valid = dyn Fn(&[u8]) -> bool + Send + Sync;

impl TextSubject {
    /// The first file of an input, with the parts that `parts` finds in its text. Samples are drawn
    /// from `seed`.
    pub fn new(input: Input, parts: impl FnOnce(&[u8]) -> Vec<TextPart>, seed: u64) -> Self {
        let text = input.present().next().map_or(&b""[..], |file| file.text);
        let (parts, others) = parts(text)
            .into_iter()
            .map(|part| (part.part, part.others))
            .unzip();
        TextSubject {
            input,
            parts,
            others,
            is_valid: None,
            seed,
        }
    }

    /// Leaves out texts for which this does not hold, before they are tested.
    #[must_use]
    pub fn valid(mut self, is_valid: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Self {
        self.is_valid = Some(Box::new(is_valid));
        self
    }

    fn other(&self, at: usize, number: u64) -> Option<Vec<u8>> {
        let place = self.parts[at].places.first()?;
        let own = self.input.bytes().get(place.range())?;
        let mut draw = Draw::new(self.seed, at, number);
        let others = &self.others[at];
        (0..TRIES).find_map(|_| others.other(own, &mut draw).filter(|text| text != own))
    }
}

/// Draws for one sample, at most, until one differs from what is there.
const TRIES: usize = 8;

impl Subject for TextSubject {
    fn input(&self) -> &Input {
        &self.input
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn vary(&self, parts: &[usize], number: u64) -> Option<Varied> {
        let mut edit = Edit::none();
        let mut texts = vec![];
        for &at in parts {
            let text = self.other(at, number)?;
            let places = self.parts[at].places.iter();
            let splices = places.map(|&span| Splice::replace(span, &text));
            // What lies inside of another part goes with it.
            edit = edit.combine(&Edit::new(splices).ok()?).ok()?;
            texts.push(text);
        }
        let (input, _) = self.input.apply(&edit);
        let is_new = input.bytes() != self.input.bytes();
        let is_valid = |bytes| {
            self.is_valid
                .as_ref()
                .is_none_or(|is_valid| is_valid(bytes))
        };
        (is_new && is_valid(input.bytes())).then_some(Varied { input, texts })
    }

    fn is_enough(&self, part: usize, texts: usize) -> bool {
        self.others[part].is_enough(texts)
    }
}
