/// The algorithm by which a generator chooses the symbols to expand and the alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Expansion up to a depth.
    Limit(LimitFuzzer),
    /// Expansion up to a number of open nonterminals.
    Grammar(GrammarFuzzer),
    /// Expansion up to a size in bytes.
    Size(SizeTarget),
}

/// An algorithm that expands from left to right, freely down to a depth, and below that depth with
/// the flattest alternatives.
///
/// This is the fastest algorithm: it keeps only the text and the path to the current expression.
/// The start symbol has depth 0, and a rule has the depth of the enclosing rule, plus 1. The size
/// of the texts depends on the grammar.
///
/// * *Source:* R. Gopinath, "The simplest grammar fuzzer in the world" (`LimitFuzzer`).
/// * *Changed:* the algorithm is one pass with an explicit stack, and supports extended grammars: a
///   repetition continues with probability 1/2 above the limit, and stops below it. A [number of
///   tokens](crate::Generator::max_tokens) is also a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitFuzzer {
    /// The depth up to which rules are expanded freely. With 0, only the start symbol is expanded
    /// freely.
    pub max_depth: u32,
}

/// An algorithm that expands open nonterminals in random order, in three phases by cost.
///
/// The first phase takes the most costly alternatives until `min_nonterminals` are open. The second
/// phase takes any alternatives until `max_nonterminals` are open. The third phase takes the least
/// costly alternatives. The cost of an alternative is the minimum number of expansions that it
/// needs without the rule itself. This number is infinite for an alternative that needs the rule
/// again.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Efficient Grammar Fuzzing" (`GrammarFuzzer`).
/// * *Changed:* a repetition that may continue counts as an open nonterminal. The text so far is a
///   linked list of pieces, not a tree. With lexer rules, the first phase takes alternatives that
///   can become longer without end instead of the most costly ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarFuzzer {
    /// The number of open nonterminals at which the first phase ends.
    pub min_nonterminals: usize,
    /// The number of open nonterminals at which the second phase ends.
    pub max_nonterminals: usize,
}

/// An algorithm that expands the most costly alternatives until the text has a minimum size, and
/// then the least costly alternatives.
///
/// It works like [`GrammarFuzzer`], but counts the bytes of the shortest text that can still
/// result. Texts are a little longer than the size, or shorter if the grammar has no longer texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeTarget {
    /// The minimum size in bytes.
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
