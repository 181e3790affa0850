use super::ChangeSet;
use std::fmt;
use std::str::FromStr;

/// The verdict of a test on a configuration. The algorithm distinguishes an unresolved test from a
/// passing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The configuration fails.
    Fail,
    /// The configuration passes.
    Pass,
    /// The configuration is unresolved.
    Unresolved,
}

/// The order in which [`Dd`] tests configurations, and the answers on which it acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DdOrder {
    /// The order of the paper. First, for each part, the passing side with the part is tested,
    /// which should fail. Then, for each part, the failing side without the part is tested, which
    /// should pass. The cases that remove less are used only if no such test succeeds.
    Paper,
    /// The order of the program in the Debugging Book. Both tests of a part are run before the
    /// tests of the next part. Two cases count only while there are two parts: the part alone
    /// fails, or its complement passes. After a success, the part of the same number is next.
    Book,
    /// Both tests of a part are run before the tests of the next part, and the first answer that is
    /// not unresolved is used. The passing side with a part brings the two sides closer together
    /// whether it fails or passes. This order takes the fewest tests.
    #[default]
    Eager,
}

impl DdOrder {
    /// All orders.
    pub const ALL: [DdOrder; 3] = [DdOrder::Paper, DdOrder::Book, DdOrder::Eager];

    /// Returns `dd`, `dd:book`, or `dd:eager`.
    pub fn id(self) -> &'static str {
        match self {
            DdOrder::Paper => "dd",
            DdOrder::Book => "dd:book",
            DdOrder::Eager => "dd:eager",
        }
    }
}

impl fmt::Display for DdOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error for an unknown isolating algorithm; holds its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDd(pub String);

impl fmt::Display for UnknownDd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = &self.0;
        let known = "`dd`, `dd:book`, and `dd:eager`";
        write!(f, "unknown isolation algorithm `{id}`; there are {known}")
    }
}

impl std::error::Error for UnknownDd {}

impl FromStr for DdOrder {
    type Err = UnknownDd;

    fn from_str(id: &str) -> Result<Self, UnknownDd> {
        let mut all = DdOrder::ALL.into_iter();
        all.find(|order| order.id() == id)
            .ok_or_else(|| UnknownDd(id.to_owned()))
    }
}

/// The general delta debugging algorithm *dd*: it brings a passing and a failing configuration so
/// close to each other that no single change can be removed from their difference.
///
/// The difference is divided into `n` parts, two at first. There are five cases, in this order:
///
/// | case | where | then |
/// |---|---|---|
/// | reduce to subset | passing ∪ part fails | it is the new failing one; `n` is 2 |
/// | increase to complement | failing ∖ part passes | it is the new passing one; `n` is 2 |
/// | increase to subset | passing ∪ part passes | it is the new passing one; `n` drops by one |
/// | reduce to complement | failing ∖ part fails | it is the new failing one; `n` drops by one |
/// | increase granularity | all are unresolved | `n` doubles, up to one change a part |
///
/// *ddmin* minimizes the failing input. *dd* keeps both inputs as large as possible and minimizes
/// the difference between them. That takes far fewer tests, since every resolved answer halves the
/// difference.
///
/// * *Cost:* log₂ n tests for n changes if one change causes the failure and no test is unresolved
///   (at most 2 log₂ n in the order of the paper); n² + 3n at worst.
/// * *Result:* 1-minimal. If a single change of the difference is added to the passing side, it
///   does not pass. If a single change is removed from the failing side, it does not fail. If no
///   test is unresolved, the difference is a single change.
/// * *Source:* A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE
///   Transactions on Software Engineering 28(2), 2002; A. Zeller, "The Debugging Book", chapter
///   "Reducing Failure-Inducing Inputs" ([`DdOrder::Book`]). [`DdOrder::Eager`] is ours.
/// * *Changed:* With two parts each complement is the other part, and is not tested again. The
///   caller keeps the answers of earlier rounds. The paper does not specify the bounds of the
///   parts, nor the part to use if several are possible. Each part has its share, rounded down, of
///   the rest, as in Zeller's programs, and the first part is used.
///
/// On lists of 100 and 1,000 changes, of which one causes the failure, and without unresolved
/// tests, the three orders take 10, 10, and 7, and 15, 15, and 10 tests in the mean. With one cause
/// among 100 changes, and ten pairs at random places that are unresolved apart from each other,
/// they take 362, 240, and 125 tests, and leave 4, 20, and 4 changes (`cargo run --release -p
/// nubbin-reduce --example isolate`).
///
/// The interface is the same as for a [list minimizer](nubbin_minimize): a machine returns the next
/// configuration, receives the answer, and can be copied for a search of likely next tests.
///
/// ```
/// use nubbin_reduce::isolate::{Answer, ChangeSet, Dd, DdOrder};
///
/// // The sixth of eight changes causes the failure.
/// let mut dd = Dd::new(8, DdOrder::Eager);
/// let mut tests = vec![];
/// while let Some(changes) = dd.next() {
///     let fails = changes.contains(5);
///     tests.push(changes.iter().collect::<Vec<_>>());
///     dd.record(if fails { Answer::Fail } else { Answer::Pass });
/// }
/// assert_eq!(tests, [vec![0, 1, 2, 3], vec![0, 1, 2, 3, 4, 5], vec![0, 1, 2, 3, 4]]);
/// assert_eq!(dd.left().iter().collect::<Vec<_>>(), [5]);
/// ```
#[derive(Clone, Debug)]
pub struct Dd {
    order: DdOrder,
    passing: ChangeSet,
    failing: ChangeSet,
    /// The changes of the failing side that the passing side does not have.
    left: ChangeSet,
    /// The number of parts; 0 at the end.
    parts: u32,
    /// The part with which a round begins.
    offset: u32,
    /// The number of parts that this round has tried, including complements in the order of the
    /// paper.
    at: u32,
    /// The answer to the first of the two tests of a part, if it is known.
    half: Option<Answer>,
    /// The first part with which the passing side passes, and the first part without which the
    /// failing side fails.
    second_best: [Option<u32>; 2],
}

/// A question about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// The passing side with the part.
    With(u32),
    /// The failing side without the part.
    Without(u32),
}

impl Dd {
    /// Creates the algorithm for `changes` changes, between no change and all changes.
    pub fn new(changes: u32, order: DdOrder) -> Self {
        let mut machine = Dd {
            order,
            passing: ChangeSet::none(),
            failing: ChangeSet::all(changes),
            left: ChangeSet::all(changes),
            parts: 0,
            offset: 0,
            at: 0,
            half: None,
            second_best: [None; 2],
        };
        machine.begin(2, 0);
        machine
    }

    /// Returns the changes with which the test passes.
    pub fn passing(&self) -> &ChangeSet {
        &self.passing
    }

    /// Returns the changes with which the test fails. These changes include all changes of
    /// [`Dd::passing`].
    pub fn failing(&self) -> &ChangeSet {
        &self.failing
    }

    /// Returns the changes in which the two sides differ.
    pub fn left(&self) -> &ChangeSet {
        &self.left
    }

    /// Returns the configuration to test next, or `None` when the algorithm has ended. The result
    /// does not change until an answer is recorded.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator does not receive the outcome of its items"
    )]
    pub fn next(&mut self) -> Option<ChangeSet> {
        Some(self.configuration(self.question()?))
    }

    /// Records the answer for the configuration that [`Dd::next`] returned.
    pub fn record(&mut self, answer: Answer) {
        let Some(question) = self.question() else {
            return;
        };
        match self.order {
            DdOrder::Paper => self.paper(question, answer),
            DdOrder::Book => self.book(question, answer),
            DdOrder::Eager => self.eager(question, answer),
        }
    }

    /// Returns a copy that can run with assumed answers.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    fn question(&self) -> Option<Question> {
        if self.parts == 0 {
            return None;
        }
        let part = (self.at % self.parts + self.offset) % self.parts;
        let with_first = match self.order {
            DdOrder::Paper => self.at < self.parts,
            DdOrder::Book => (self.parts == 2) == self.half.is_none(),
            DdOrder::Eager => self.half.is_none(),
        };
        Some(if with_first {
            Question::With(part)
        } else {
            Question::Without(part)
        })
    }

    fn configuration(&self, question: Question) -> ChangeSet {
        match question {
            Question::With(part) => self.passing.union(&self.part(part)),
            Question::Without(part) => self.failing.minus(&self.part(part)),
        }
    }

    fn part(&self, number: u32) -> ChangeSet {
        let (len, parts) = (u64::from(self.left.len()), u64::from(self.parts));
        // Each part has an equal share, rounded down, of the changes that earlier parts leave. So
        // the last parts are the longer ones.
        let (share, longer) = (len / parts, len % parts);
        let start = |number: u64| (number * share + (number + longer).saturating_sub(parts)) as u32;
        let number = u64::from(number);
        self.left.part(start(number)..start(number + 1))
    }

    fn paper(&mut self, question: Question, answer: Answer) {
        match (question, answer) {
            (Question::With(_), Answer::Fail) => return self.fails(question, 2, 0),
            (Question::Without(_), Answer::Pass) => return self.passes(question, 2, 0),
            // With two parts, each part is the complement of the other, and the second case comes
            // first. The complement of the first part passes if the second part does.
            (Question::With(part), Answer::Pass) if self.parts == 2 => {
                self.second_best[0] = Some(part);
            }
            (Question::With(part), Answer::Pass) => {
                self.second_best[0].get_or_insert(part);
            }
            (Question::Without(part), Answer::Fail) => {
                self.second_best[1].get_or_insert(part);
            }
            (_, Answer::Unresolved) => {}
        }
        self.at += 1;
        let questions = if self.parts == 2 { 2 } else { 2 * self.parts };
        if self.at < questions {
            return;
        }
        let fewer = self.fewer();
        match self.second_best {
            [Some(part), _] => self.passes(Question::With(part), fewer, 0),
            [None, Some(part)] => self.fails(Question::Without(part), fewer, 0),
            [None, None] => self.finer(0),
        }
    }

    fn book(&mut self, question: Question, answer: Answer) {
        let fewer = self.fewer();
        let two = self.parts == 2;
        match (question, answer, self.half) {
            (Question::With(part), Answer::Fail, _) if two => self.fails(question, 2, part),
            (Question::Without(part), Answer::Pass, _) if two => self.passes(question, 2, part),
            (Question::Without(part), Answer::Fail, _) => self.fails(question, fewer, part),
            (Question::With(part), Answer::Pass, _) if !two => self.passes(question, fewer, part),
            (_, _, None) => self.half = Some(answer),
            // Only this case uses that the passing side passes with one of two parts.
            (Question::Without(part), _, Some(Answer::Pass)) => {
                self.passes(Question::With(part), 2, part);
            }
            (_, _, Some(_)) => self.next_part(self.offset),
        }
    }

    fn eager(&mut self, question: Question, answer: Answer) {
        let fewer = self.fewer();
        match (question, answer) {
            (Question::With(_), Answer::Fail) => self.fails(question, 2, 0),
            (Question::Without(_), Answer::Pass) => self.passes(question, 2, 0),
            (Question::With(part), Answer::Pass) => self.passes(question, fewer, part),
            (Question::Without(part), Answer::Fail) => self.fails(question, fewer, part),
            (Question::With(_), Answer::Unresolved) if self.parts > 2 => self.half = Some(answer),
            // The next round splits these parts in halves, and starts at the same change.
            (_, Answer::Unresolved) => self.next_part(2 * self.offset),
        }
    }

    fn fewer(&self) -> u32 {
        self.parts.saturating_sub(1).max(2)
    }

    /// Makes the tested configuration the new failing side.
    fn fails(&mut self, question: Question, parts: u32, offset: u32) {
        self.failing = self.configuration(question);
        self.left = self.failing.minus(&self.passing);
        self.begin(parts, offset);
    }

    /// Makes the tested configuration the new passing side.
    fn passes(&mut self, question: Question, parts: u32, offset: u32) {
        self.passing = self.configuration(question);
        self.left = self.failing.minus(&self.passing);
        self.begin(parts, offset);
    }

    /// Continues with the next part after a part without a result.
    fn next_part(&mut self, offset_if_finer: u32) {
        self.at += 1;
        self.half = None;
        if self.at == self.parts {
            self.finer(offset_if_finer);
        }
    }

    /// Continues with finer parts after a round without a result.
    fn finer(&mut self, offset: u32) {
        let len = self.left.len();
        if self.parts < len {
            self.begin(self.parts.saturating_mul(2), offset);
        } else {
            self.parts = 0;
        }
    }

    fn begin(&mut self, parts: u32, offset: u32) {
        let len = self.left.len();
        self.parts = if len < 2 { 0 } else { parts.min(len) };
        self.offset = offset.checked_rem(self.parts).unwrap_or(0);
        self.at = 0;
        self.half = None;
        self.second_best = [None; 2];
    }
}

#[cfg(test)]
mod tests;
