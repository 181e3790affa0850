//! The order that decides which of two failing inputs is better.

use nubbin_edit::{Input, Span};
pub use nubbin_view::names::rank;
use nubbin_view::{packed, tokens};
use std::cmp::Ordering;

/// A total order on inputs: a chain of measures, compared one after another.
///
/// Comparing is lazy: a later measure is only computed where all earlier ones are equal. With
/// [`Order::bytes`] (the default) nearly every comparison is one of two lengths, and the text is
/// only read where a pass changed it without changing its size.
///
/// ```
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::order::Order;
///
/// let input = |text: &str| Input::single("x", text).unwrap();
/// let order = Order::bytes();
/// assert!(order.is_below(&input("f(1)"), &input("f(10)")));
/// assert!(order.is_below(&input("f(0)"), &input("f(7)")));     // same size, simpler digit
/// assert!(order.is_below(&input("f(0)\n"), &input("f(0)\x07"))); // readable before unreadable
///
/// let order = Order::tokens();
/// assert!(order.is_below(&input("a_long_name"), &input("f(1)")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    count: Option<Count>,
    chain: &'static [Measure],
    accepts: Accepts,
}

/// A count of items in a file, such as instructions. [`Order::by_count`] prefers inputs with a
/// lower count.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The name of the counted items. Two counts are equal if their names are equal.
    pub name: &'static str,
    /// Returns the number of items in the text of a file.
    pub of: fn(&[u8]) -> u64,
}

impl PartialEq for Count {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Count {}

/// The candidates that count as better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepts {
    /// Only inputs that the chain of measures prefers.
    Better,
    /// Inputs that the chain prefers, and inputs with the same number of bytes.
    NoLonger,
    /// All other inputs.
    All,
}

/// One measure of an [`Order`]. A smaller value is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The number of files that are present.
    Files,
    /// The length of the names of files, if the names are [in the buffer](Input::with_names).
    Names,
    /// The number of tokens of the [rough lexer](nubbin_view::tokens). It takes time linear in the
    /// text.
    Tokens,
    /// The number of bytes. It takes constant time.
    Bytes,
    /// The readability of the text: first the number of bytes that no editor shows, then the number
    /// of columns beyond 80.
    Readability,
    /// The first byte that differs. Digits come first, then letters, and then all other bytes.
    Lexicographic,
    /// The number of bytes that are not zero.
    NonZero,
    /// The first byte that differs, compared by its value.
    Value,
    /// The number of bytes after all archives and compressed files in the input are unpacked. It
    /// takes time linear in the text.
    Unpacked,
    /// The readability of the texts in archives and compressed files.
    PackedReadability,
    /// The first byte that differs in the texts in archives and compressed files, compared as in
    /// [`Measure::Lexicographic`].
    PackedLexicographic,
}

impl Order {
    /// Returns the order by bytes. The order prefers fewer bytes, then fewer files, shorter file
    /// names, better readability, and the lexicographically smaller text.
    pub const fn bytes() -> Self {
        use Measure::{Bytes, Files, Lexicographic, Names, Readability};
        Order {
            count: None,
            chain: &[Bytes, Files, Names, Readability, Lexicographic],
            accepts: Accepts::Better,
        }
    }

    /// Returns an order in which every candidate is better than its base, and which otherwise
    /// equals [`Order::bytes`].
    ///
    /// It is for an algorithm with its own measure, such as `Grabr`, which compares the number of
    /// nodes. The algorithm must end by its measure, and the plan must run it once.
    pub const fn as_proposed() -> Self {
        Order {
            accepts: Accepts::All,
            ..Order::bytes()
        }
    }

    /// Returns an order in which every candidate that is no longer than its base is better, and
    /// which otherwise equals [`Order::bytes`]. This order is for `Hdd`, whose measure is the
    /// number of remaining nodes.
    pub const fn no_longer() -> Self {
        Order {
            accepts: Accepts::NoLonger,
            ..Order::bytes()
        }
    }

    /// Returns the order by tokens. The order prefers fewer tokens, then compares as
    /// [`Order::bytes`]. The order is for source code in which a longer name matters less than an
    /// additional token.
    pub const fn tokens() -> Self {
        use Measure::{Bytes, Files, Lexicographic, Names, Readability, Tokens};
        Order {
            count: None,
            chain: &[Tokens, Bytes, Files, Names, Readability, Lexicographic],
            accepts: Accepts::Better,
        }
    }

    /// Returns the order by a count. The order prefers inputs with the lower count in all files,
    /// then compares as [`Order::bytes`]. Each comparison counts the items of both inputs.
    ///
    /// ```
    /// use nubbin_reduce::input::Input;
    /// use nubbin_reduce::order::{Count, Order};
    ///
    /// let calls = |text: &[u8]| text.iter().filter(|&&byte| byte == b'(').count() as u64;
    /// let order = Order::by_count(Count { name: "calls", of: calls });
    /// let input = |text: &str| Input::single("x", text).unwrap();
    /// assert!(order.is_below(&input("f(1, 2, 3)"), &input("f(g())")));
    /// assert!(order.is_below(&input("f(1)"), &input("f(1, 2)")));
    /// ```
    pub const fn by_count(count: Count) -> Self {
        Order {
            count: Some(count),
            ..Order::bytes()
        }
    }

    /// Returns the order for data that is not text. The order prefers fewer bytes, then fewer
    /// files, shorter file names, more zeros, and lower byte values.
    pub const fn binary() -> Self {
        use Measure::{Bytes, Files, Names, NonZero, Value};
        Order {
            count: None,
            chain: &[Bytes, Files, Names, NonZero, Value],
            accepts: Accepts::Better,
        }
    }

    /// Returns the order for archives and compressed files. The order compares the unpacked files
    /// as [`Order::bytes`], then the files themselves as [`Order::binary`].
    ///
    /// Of two archives with different texts, the archive with the simpler text may be longer, and
    /// formats with blocks have the same length for many texts.
    pub const fn packed() -> Self {
        use Measure::{
            Bytes, Files, Names, NonZero, PackedLexicographic, PackedReadability, Unpacked, Value,
        };
        Order {
            count: None,
            chain: &[
                Unpacked,
                Files,
                Names,
                PackedReadability,
                PackedLexicographic,
                Bytes,
                NonZero,
                Value,
            ],
            accepts: Accepts::Better,
        }
    }

    /// Returns the order for encoded choices, which is shortlex: fewer choices, then simpler
    /// choices.
    pub const fn choices() -> Self {
        Order {
            count: None,
            chain: &[Measure::Value],
            accepts: Accepts::Better,
        }
    }

    /// Returns the measures, the most important first.
    pub fn chain(&self) -> &'static [Measure] {
        self.chain
    }

    /// Compares two inputs. The smaller input is the better one.
    pub fn compare(&self, left: &Input, right: &Input) -> Ordering {
        let count = self.count.iter().map(|count| {
            let all = |input: &Input| -> u64 {
                let files = input.present();
                files.fold(0, |sum, file| sum.saturating_add((count.of)(file.text)))
            };
            all(left).cmp(&all(right))
        });
        let chain = self.chain.iter();
        count
            .chain(chain.map(|measure| measure.compare(left, right)))
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// Returns whether `candidate` is strictly better than `base`.
    pub fn is_below(&self, candidate: &Input, base: &Input) -> bool {
        match self.accepts {
            Accepts::Better => self.compare(candidate, base).is_lt(),
            Accepts::NoLonger if candidate.size() > base.size() => false,
            Accepts::NoLonger | Accepts::All => self.compare(candidate, base).is_ne(),
        }
    }
}

impl Default for Order {
    fn default() -> Self {
        Order::bytes()
    }
}

impl Measure {
    fn compare(self, left: &Input, right: &Input) -> Ordering {
        match self {
            Measure::Files => left.present().count().cmp(&right.present().count()),
            Measure::Names => names(left).cmp(&names(right)),
            Measure::Tokens => count_tokens(left).cmp(&count_tokens(right)),
            Measure::Bytes => left.size().cmp(&right.size()),
            Measure::Readability => unreadable(left).cmp(&unreadable(right)),
            Measure::NonZero => nonzero(left).cmp(&nonzero(right)),
            Measure::Value => left.bytes().cmp(right.bytes()),
            Measure::Lexicographic => simpler(left.bytes(), right.bytes()),
            Measure::Unpacked => unpacked(left).cmp(&unpacked(right)),
            Measure::PackedReadability => {
                let texts = |input| unreadable_of(packed_texts(input).iter().map(|text| &text[..]));
                texts(left).cmp(&texts(right))
            }
            Measure::PackedLexicographic => {
                simpler(&packed_texts(left).concat(), &packed_texts(right).concat())
            }
        }
    }
}

/// Compares by the first byte that differs, in the order of simplicity.
fn simpler(left: &[u8], right: &[u8]) -> Ordering {
    let differs = left.iter().zip(right).find(|(l, r)| l != r);
    differs.map_or(left.len().cmp(&right.len()), |(&l, &r)| {
        rank(l).cmp(&rank(r))
    })
}

fn unpacked(input: &Input) -> u64 {
    let files = input.present();
    files.map(|file| packed::unpacked_len(file.text)).sum()
}

/// Returns the texts that are in archives or compressed, and of other files all.
fn packed_texts(input: &Input) -> Vec<Vec<u8>> {
    let files = input.present();
    files.flat_map(|file| packed::texts(file.text)).collect()
}

/// Returns the number of tokens in all files, by the [rough lexer](nubbin_view::tokens). Comments
/// do not count as tokens, so a quote in a comment hides no code.
pub fn count_tokens(input: &Input) -> usize {
    let files = input.present();
    files.map(|file| tokens::count_code(file.text)).sum()
}

fn names(input: &Input) -> u32 {
    let spans = input.present().filter_map(|file| file.name_span);
    spans.map(Span::len).sum()
}

fn nonzero(input: &Input) -> usize {
    input.bytes().iter().filter(|&&byte| byte != 0).count()
}

/// Returns the numbers of bytes that no editor shows, and of columns beyond 80.
fn unreadable(input: &Input) -> (usize, usize) {
    unreadable_of(input.present().map(|file| file.text))
}

fn unreadable_of<'a>(texts: impl Iterator<Item = &'a [u8]>) -> (usize, usize) {
    let mut hidden = 0;
    let mut overlong = 0;
    for text in texts {
        hidden += text
            .iter()
            .filter(|&&b| b == 0x7f || b < 0x20 && b != b'\n')
            .count();
        overlong += text
            .split(|&b| b == b'\n')
            .map(|l| l.len().saturating_sub(80))
            .sum::<usize>();
    }
    (hidden, overlong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_simplest_in_binary_data_and_last_in_text() {
        let input = |bytes: &[u8]| Input::single("x", bytes).unwrap();
        assert!(Order::binary().is_below(&input(b"a\0"), &input(b"a ")));
        assert!(Order::bytes().is_below(&input(b"a "), &input(b"a\0")));
        assert!(Order::binary().is_below(&input(b"\x01\0"), &input(b"\x02\0")));
    }

    #[test]
    fn by_tokens_a_text_without_a_comment_is_no_worse() {
        let input = |text: &str| Input::single("x", text).unwrap();
        let text = "// don't\nf(a, b);\n// isn't\n";
        for less in [
            "f(a, b);\n// isn't\n",
            "// don't\nf(a, b);\n",
            "// don't\nf(a);\n// isn't\n",
        ] {
            assert!(
                Order::tokens().is_below(&input(less), &input(text)),
                "{less}"
            );
        }
    }

    #[test]
    fn an_algorithm_with_its_own_measure_accepts_more() {
        let input = |text: &str| Input::single("x", text).unwrap();
        let better = |order: Order| {
            ["f(0)", "f(7)", "f(9)", "f(10)"]
                .map(|text| order.is_below(&input(text), &input("f(7)")))
        };
        assert_eq!(better(Order::bytes()), [true, false, false, false]);
        assert_eq!(better(Order::no_longer()), [true, false, true, false]);
        assert_eq!(better(Order::as_proposed()), [true, false, true, true]);
    }

    #[test]
    fn every_byte_has_its_own_rank() {
        let mut ranks: Vec<u16> = (0..=255).map(rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), 256);
        assert!(rank(b'0') < rank(b'9') && rank(b'9') < rank(b'a') && rank(b'z') < rank(b'A'));
    }
}
