/// How to decide what is expanded, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`LimitFuzzer`].
    Limit(LimitFuzzer),
    /// See [`GrammarFuzzer`].
    Grammar(GrammarFuzzer),
    /// See [`SizeTarget`].
    Size(SizeTarget),
}

/// Expands from left to right, freely down to a depth; below it, takes what ends soonest.
///
/// The fastest: nothing is kept but the text and the way to the current place. Depths are levels of
/// rules. Texts are short or long as the grammar has it.
///
/// * *Source:* R. Gopinath, "The simplest grammar fuzzer in the world" (`LimitFuzzer`).
/// * *Changed:* one pass with a stack of its own, and extended grammars: a repetition goes on with
///   probability 1/2, and not at all below the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitFuzzer {
    /// Levels of rules that may be expanded freely.
    pub max_depth: u32,
}

/// Expands anywhere, in three phases by cost.
///
/// First what costs most, until `min_nonterminals` wait to be expanded; then anything, until
/// `max_nonterminals` do; then what costs least. The cost of an alternative is the number of
/// expansions that it needs at least, without the rule itself: endless for those that need it again.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Efficient Grammar Fuzzing" (`GrammarFuzzer`).
/// * *Changed:* a repetition that may go on is one more thing that waits; the text so far is a linked
///   list of pieces, not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarFuzzer {
    /// Grow until this many wait to be expanded.
    pub min_nonterminals: usize,
    /// Close when this many wait to be expanded.
    pub max_nonterminals: usize,
}

/// Grows by what costs most, until the shortest text that can come of it reaches a size; then closes.
///
/// As [`GrammarFuzzer`], counting bytes. Texts are a little longer than asked for, or shorter where
/// the grammar has no longer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeTarget {
    /// In bytes.
    pub bytes: u64,
}

impl From<LimitFuzzer> for Algorithm {
    fn from(fuzzer: LimitFuzzer) -> Self {
        Algorithm::Limit(fuzzer)
    }
}

impl From<GrammarFuzzer> for Algorithm {
    fn from(fuzzer: GrammarFuzzer) -> Self {
        Algorithm::Grammar(fuzzer)
    }
}

impl From<SizeTarget> for Algorithm {
    fn from(target: SizeTarget) -> Self {
        Algorithm::Size(target)
    }
}
