use super::algorithm::{Algorithm, LimitFuzzer, SizeTarget};
use super::costs::{Costs, Unusable, early_ends};
use super::token_writer::TokenWriter;
use super::tokens::{self, Tokens};
use super::{grow, limit};
use crate::choices::Choices;
use crate::weights::Weights;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The reason why a [`Generator`] cannot make a text of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeneratorError {
    /// The start symbol derives no text.
    #[error("`{0}` derives no text: none of its expansions ends")]
    Unproductive(Box<str>),
    /// Even the shortest text has too many parts: rules mention each other several times, and each
    /// level has as many times the parts of the next one.
    #[error(
        "each text of `{start}` has at least {parts} parts, which takes too long and too much memory"
    )]
    TooLarge {
        /// The start symbol.
        start: Box<str>,
        /// The least number of expansions.
        parts: u64,
    },
    /// The grammar has a reachable token whose text it does not define.
    #[error("`{0}` is a token whose text the grammar does not define")]
    External(Box<str>),
    /// Every text of the start symbol needs tokens that the lexer rules do not make.
    #[error(
        "no text of `{start}` can be divided into its tokens: no text is read as {}",
        names(tokens)
    )]
    NoToken {
        /// The start symbol.
        start: Box<str>,
        /// The names of the tokens.
        tokens: Vec<Box<str>>,
    },
}

/// The maximum number of parts of the shortest text of a grammar. A text takes some ten bytes for
/// each.
const MOST_PARTS: u64 = 1 << 24;

/// Returns the first names of a list for a message.
fn names(tokens: &[Box<str>]) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = tokens
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    if tokens.len() > SHOWN {
        shown.push(format!("{} others", tokens.len() - SHOWN));
    }
    shown.join(", ")
}

/// A generator that turns choices into texts of a grammar.
///
/// The generator obeys scopes: names are defined before they are used. A text that the grammar
/// marks with `defines` becomes a name, which is usable after the next `commits`. A part marked
/// with `uses` becomes one of the usable names, or the `otherwise` text while there is none.
#[derive(Debug)]
pub struct Generator {
    pub(super) grammar: Arc<Grammar>,
    algorithm: Algorithm,
    pub(super) weights: Weights,
    pub(super) costs: Costs,
    /// The number of tokens after which [`LimitFuzzer`] closes a text.
    pub(super) max_tokens: u64,
    /// The tokens, if the grammar has a lexer.
    pub(super) tokens: Option<Tokens>,
}

impl Generator {
    /// Creates a generator with equal weights.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar derives no text, has a token whose text it does not define,
    /// or has lexer rules that do not make the tokens that every text needs.
    pub fn new(grammar: Arc<Grammar>, algorithm: Algorithm) -> Result<Self, GeneratorError> {
        let facts = grammar.facts();
        let name = |id| grammar.symbol(id).name.clone();
        if !facts.productive(grammar.start()) {
            return Err(GeneratorError::Unproductive(name(grammar.start())));
        }
        let costs = Costs::of(&grammar, Unusable::default());
        let least = grammar.body(grammar.start()).map(|body| costs.least(body));
        if let Some(parts) = least.filter(|&parts| parts > MOST_PARTS) {
            let start = name(grammar.start());
            return Err(GeneratorError::TooLarge { start, parts });
        }
        let mut generator = Generator {
            weights: Weights::equal(&grammar),
            costs,
            grammar: Arc::clone(&grammar),
            algorithm,
            max_tokens: u64::MAX,
            tokens: None,
        };
        if let Some(tokens) = Tokens::of(&generator, &grammar) {
            generator.set_tokens(tokens)?;
            return Ok(generator);
        }
        let unknown = |&id: &_| {
            facts.reachable(id) && matches!(grammar.symbol(id).kind, SymbolKind::External)
        };
        if let Some(id) = grammar.symbol_ids().find(unknown) {
            return Err(GeneratorError::External(name(id)));
        }
        Ok(generator)
    }

    fn set_tokens(&mut self, tokens: Tokens) -> Result<(), GeneratorError> {
        let grammar = &*self.grammar;
        let missing = tokens::missing(grammar, &tokens);
        let early = tokens.end.map(|end| early_ends(grammar, end));
        let starts = |costs: &Costs| {
            grammar
                .body(grammar.start())
                .is_some_and(|id| costs.usable(id))
        };
        // A grammar may end every text too early.
        for exprs in [early.unwrap_or_default(), FxHashSet::default()] {
            let unusable = Unusable {
                symbols: missing.clone(),
                exprs,
            };
            self.costs = Costs::of(grammar, unusable);
            if starts(&self.costs) {
                self.tokens = Some(tokens);
                return Ok(());
            }
        }
        let name = |id: SymbolId| grammar.symbol(id).name.clone();
        let is_missing = |id: &SymbolId| missing[id.index()];
        Err(GeneratorError::NoToken {
            start: name(grammar.start()),
            tokens: grammar.symbol_ids().filter(is_missing).map(name).collect(),
        })
    }

    /// Returns the grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Sets the weights of the alternatives.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets the number of tokens after which [`LimitFuzzer`] takes the flattest alternatives, as
    /// below its depth. Without lexer rules, terminals count.
    ///
    /// A text becomes somewhat longer, since what has begun is completed. The meaning of recorded
    /// choices does not depend on it.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Makes the text of a sequence of choices.
    ///
    /// With lexer rules, the text is one that they divide into the tokens that were chosen. Where a
    /// token cannot be written, its rule is written again with further choices. If that does not
    /// help, the choices are [rejected](Choices::is_rejected), and the text is empty.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let mut text = vec![];
        self.generate_into(choices, &mut text);
        text
    }

    /// Makes a text of one symbol of the grammar instead of its start symbol.
    ///
    /// Only the names defined in this text are usable in it. Returns `None` if the symbol derives
    /// no text, is a token whose text the grammar does not define, or if the choices are
    /// [rejected](Choices::is_rejected).
    pub fn generate_symbol(&self, symbol: SymbolId, choices: &mut Choices) -> Option<Vec<u8>> {
        let is_external = matches!(self.grammar.symbol(symbol).kind, SymbolKind::External);
        if is_external || !self.grammar.facts().productive(symbol) {
            return None;
        }
        let mut text = vec![];
        self.expand(symbol, choices, &mut text);
        (!choices.is_rejected()).then_some(text)
    }

    /// Appends the text of a sequence of choices to `text`.
    pub fn generate_into(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        self.expand(self.grammar.start(), choices, text);
    }

    fn expand(&self, symbol: SymbolId, choices: &mut Choices, text: &mut Vec<u8>) {
        if let Some(tokens) = &self.tokens {
            return self.expand_tokens(tokens, symbol, choices, text);
        }
        match self.algorithm {
            Algorithm::Limit(LimitFuzzer { max_depth }) => {
                limit::run(self, symbol, max_depth, choices, text)
            }
            Algorithm::Grammar(fuzzer) => {
                let phases = grow::Phases::Nonterminals(fuzzer);
                grow::run(self, symbol, phases, choices, text);
            }
            Algorithm::Size(SizeTarget { bytes }) => {
                grow::run(self, symbol, grow::Phases::Bytes(bytes), choices, text);
            }
        }
    }

    fn expand_tokens(
        &self,
        tokens: &Tokens,
        symbol: SymbolId,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) {
        let start = text.len();
        let mut writer = TokenWriter::new(self, tokens);
        // Only a part of a text can begin in another mode than the first one.
        let modes = match symbol == self.grammar.start() {
            true => 1,
            false => tokens.modes.len(),
        };
        for mode in 0..modes as u32 {
            writer.begin(mode);
            let written = self.write_tokens(symbol, &mut writer, choices, text);
            if written && writer.finish(text) {
                return;
            }
            text.truncate(start);
        }
        choices.reject();
    }

    /// Writes tokens of a symbol with a writer. Returns whether it could.
    pub(super) fn write_tokens<'g>(
        &'g self,
        symbol: SymbolId,
        writer: &mut TokenWriter<'g>,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        match self.algorithm {
            Algorithm::Limit(LimitFuzzer { max_depth }) => {
                limit::run_tokens(self, symbol, max_depth, writer, choices, text)
            }
            Algorithm::Grammar(fuzzer) => {
                let phases = grow::Phases::Nonterminals(fuzzer);
                grow::run_tokens(self, symbol, phases, writer, choices, text)
            }
            Algorithm::Size(SizeTarget { bytes }) => {
                let phases = grow::Phases::Bytes(bytes);
                grow::run_tokens(self, symbol, phases, writer, choices, text)
            }
        }
    }
}
