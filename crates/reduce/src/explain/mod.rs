//! Explaining: what of a failing input matters, and what may be anything of its kind.
//!
//! A reduced input still holds a great deal that only has to be *something*: a number, a name, an
//! expression. Each [part](Part) of the input is replaced by others of its kind; where all of these
//! fail as well, the part is abstract. What comes of it is a pattern that stands for many failing
//! inputs, with an instance of the failure in what is left of the text.
//!
//! Large parts come first, and what is below an abstract part is not looked at any more. All parts
//! that are abstract already are replaced anew in every test, so a pattern holds as a whole and not
//! only part by part. What is said of a part is said of so many samples, and never proven.
//!
//! Source: R. Gopinath, A. Kampmann, N. Havrikov, E. O. Soremekun, A. Zeller, "Abstracting
//! Failure-Inducing Inputs", ISSTA 2020 (*DDSet*).
//!
//! Changed: parts are abstract together from the beginning, so there is no second step that puts them
//! together; what comes out of it that is wrong is found by fresh samples at the end, and taken back.
//! A name that stands in several places is one part.
//!
//! ```
//! use nubbin_reduce::explain::{Explanation, TextSubject, tokens};
//! use nubbin_reduce::input::Input;
//! use nubbin_verdict::Closure;
//!
//! let input = Input::single("sum", "x = f(12) / 0;").unwrap();
//! let oracle = Closure::new(|bytes: &[u8]| bytes.ends_with(b" / 0;"));
//! let subject = TextSubject::new(input, tokens::parts, 0);
//! let explained = Explanation::new(&subject, &oracle).run().unwrap();
//! assert_eq!(explained.pattern.to_string(), "<name> = <name>(<int>) / 0;");
//! ```

mod choices;
mod draw;
pub mod nodes;
mod pattern;
mod search;
mod text;
pub mod tokens;

pub use choices::{ChoiceSubject, DrawValue};
pub use draw::Draw;
pub use pattern::{Pattern, Piece};
pub use search::{Abstract, Event, ExplainError, Explained, Explanation, Statistics};
pub use text::{Others, TextPart, TextSubject};

use crate::input::Input;
use crate::span::Span;

/// Something in an input that could be something else of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: String,
    /// Where it stands. In several places it is the same everywhere, like a name.
    pub places: Vec<Span>,
}

impl Part {
    /// A part in one place.
    pub fn new(kind: impl Into<String>, span: Span) -> Self {
        Part {
            kind: kind.into(),
            places: vec![span],
        }
    }
}

/// What is explained: an input with parts, and what else could stand in their place.
pub trait Subject: Sync {
    /// The input as it is.
    fn input(&self) -> &Input;

    /// Its parts. Two are apart, or one is inside the other.
    fn parts(&self) -> &[Part];

    /// The input with something else in the place of each of these parts: the same for the same
    /// part and number. `None` where there is nothing else, or it is not valid, or nothing has
    /// changed.
    fn vary(&self, parts: &[usize], number: u64) -> Option<Varied>;

    /// Whether so many different texts in the place of a part say enough of it. Where all that there
    /// could be can be drawn, one is enough: it may be the only other one.
    fn is_enough(&self, part: usize, texts: usize) -> bool {
        let _ = part;
        texts > 0
    }
}

/// What [`Subject::vary`] makes.
#[derive(Clone, Debug)]
pub struct Varied {
    /// The input to be tested.
    pub input: Input,
    /// What stands in the place of each part that was asked for, in that order.
    pub texts: Vec<Vec<u8>>,
}
