use super::{Draw, Part, Subject, Varied};
use nubbin_edit::{Edit, Input, Splice};
use std::sync::Arc;

/// A source of other texts for the parts of a kind.
pub trait OtherTexts: Send + Sync {
    /// Draws another text for the place of `own`, or returns `None` if there is none. The caller
    /// draws again if the text equals `own`.
    fn other(&self, own: &[u8], draw: &mut Draw) -> Option<Vec<u8>>;

    /// Returns whether `texts` different texts are enough evidence, as in [`Subject::is_enough`].
    fn is_enough(&self, texts: usize) -> bool {
        texts > 0
    }
}

/// A part of a text, with the source of other texts for it.
#[derive(Clone)]
pub struct TextPart {
    /// The part, with its kind and its locations.
    pub part: Part,
    /// The source of other texts for the part.
    pub others: Arc<dyn OtherTexts>,
}

/// A subject whose input is a text.
pub struct TextSubject {
    input: Input,
    parts: Vec<Part>,
    others: Vec<Arc<dyn OtherTexts>>,
    is_valid: Option<Box<Valid>>,
    seed: u64,
}

/// A predicate for texts that are worth a test.
type Valid = dyn Fn(&[u8]) -> bool + Send + Sync;

impl TextSubject {
    /// Creates a subject from the first file of an input, with the parts that `parts` returns for
    /// the text of the file. `seed` is the seed of the samples.
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

    /// Sets a predicate on texts. Samples for which it returns `false` are not tested.
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

/// The largest number of draws for one sample until a draw differs from the present text.
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
            // A part inside of another replaced part is replaced with it.
            edit = edit.combine(&Edit::new(splices).ok()?).ok()?;
            texts.push(text);
        }
        let input = self.input.apply(&edit);
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
