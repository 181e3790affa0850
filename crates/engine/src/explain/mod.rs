//! Explaining: searching for the parts of a failing input on which the failure does not depend.
//!
//! A reduced input still has many parts whose content does not matter: a number, a name, an
//! expression. Each [part](Part) of the input is replaced with other texts of its kind. If all
//! resulting inputs also fail, the part is abstract. The result is a pattern of many failing
//! inputs, whose other text the failure needs.
//!
//! Large parts come first, and parts inside an abstract part are skipped. In every test all
//! abstract parts are replaced with new texts, so a pattern holds as a whole and not only part by
//! part. A statement about a part is based on a number of samples, and is never proven.
//!
//! Source: R. Gopinath, A. Kampmann, N. Havrikov, E. O. Soremekun, A. Zeller, "Abstracting
//! Failure-Inducing Inputs", ISSTA 2020 (*DDSet*).
//!
//! Changed: Parts are tested as abstract together from the beginning, so no second step combines
//! them. New samples at the end find wrong abstractions, which are undone. A name with several
//! occurrences is one part.
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

mod draw;
mod pattern;
mod search;
mod text;
pub mod tokens;

pub use draw::Draw;
pub use pattern::{Pattern, Piece};
pub use search::{Abstract, ExplainError, ExplainEvent, ExplainStatistics, Explained, Explanation};
pub use text::{OtherTexts, TextPart, TextSubject};

use nubbin_edit::{Input, Span};

/// A part of an input that can be replaced with another text of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The kind of the part.
    pub kind: String,
    /// The locations of the part. A part with several locations, such as a name, has the same text
    /// at each location.
    pub places: Vec<Span>,
}

impl Part {
    /// Creates a part with one location.
    pub fn new(kind: impl Into<String>, span: Span) -> Self {
        Part {
            kind: kind.into(),
            places: vec![span],
        }
    }
}

/// An input to explain: its parts, and a source of other texts for them.
pub trait Subject: Sync {
    /// Returns the original.
    fn input(&self) -> &Input;

    /// Returns the parts of the input. Any two are disjoint, or one is inside the other.
    fn parts(&self) -> &[Part];

    /// Returns the input with another text at the place of each of the given parts. The same part
    /// and number give the same text. Returns `None` if there is no other text, if the input is not
    /// valid, or if the input has not changed.
    fn vary(&self, parts: &[usize], number: u64) -> Option<Varied>;

    /// Returns whether `texts` different texts in the place of a part are enough evidence. One
    /// text is enough if every possible text can be drawn, since there may be only one.
    fn is_enough(&self, part: usize, texts: usize) -> bool {
        let _ = part;
        texts > 0
    }
}

/// The result of [`Subject::vary`].
#[derive(Clone, Debug)]
pub struct Varied {
    /// The input to be tested.
    pub input: Input,
    /// The new text of each of the given parts, in the order of the given parts.
    pub texts: Vec<Vec<u8>>,
}
