use super::build::{Build, Preferred};
use super::chart::{Chart, Steps, Stuck};
use super::counter::Counter;
use super::error::{LARGEST_TABLES, ParseError, ParserError, SyntaxError};
use super::expected::expected;
use super::productions::Lowered;
use super::tables::{self, Tables};
use super::tokens::{Hidden, Lexeme, Tokens};
use crate::grammar::{ExprId, Grammar, SymbolId};
use crate::lex::{LexError, Lexer, Token};
use crate::tree::Tree;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A parser for the texts of one grammar.
///
/// The parser supports every context-free grammar, including left recursion, right recursion,
/// ambiguity, and rules that derive the empty text or themselves. Time and memory are linear in the
/// text for grammars that can be parsed from left to right with bounded lookahead, with about 100
/// bytes of memory for each byte of text before the tree. In the worst case, time grows with the
/// cube and memory with the square. The documentation of the chart in the source describes the
/// algorithm and its literature.
///
/// # Which tree
///
/// An ambiguous text has several trees. The preferred tree is decided at each node, from the root
/// down:
///
/// 1. the alternative with the lowest [precedence](crate::grammar::Expr::Precedence) level wins,
///    then the alternative that comes first in the grammar;
/// 2. among the ways to divide the text between the children of that alternative, the way whose
///    *last* child is shortest wins, then the last but one, and so on. Operators therefore group to
///    the left, and repetitions are greedy. Right associativity reverses this;
/// 3. among rules that derive each other alone (`A → B`, `B → A`), a rule derives the other only if
///    there is no other derivation, so that no derivation is a cycle.
///
/// With a grammar that has lexer rules, the tree is that of ANTLR instead: two derivations are
/// compared from left to right, and at their first difference the first alternative wins; an
/// optional part is taken if possible, and a repetition is continued if possible. A rule of which
/// every alternative has a precedence is parsed by precedence climbing. In such a grammar, the time
/// and memory for a right-recursive rule that may end at every token grow with the square of its
/// depth.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use std::sync::Arc;
///
/// let grammar = read::read("<sum> ::= <sum> \"+\" <sum> | \"1\"", None, "sum")?;
/// let parser = Parser::new(Arc::new(grammar))?;
/// let tree = parser.parse(b"1+1+1")?;
/// assert_eq!(tree.print(), b"1+1+1");
/// assert_eq!(parser.parse_all(b"1+1+1", 10)?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Parser {
    grammar: Arc<Grammar>,
    pub(super) tables: Tables,
    /// The lexer, if the grammar has one.
    lexer: Option<Lexer>,
    /// The number of times that the end of a text is matched, tried first.
    pub(super) usual_ends: usize,
    memory: Option<usize>,
    steps: Option<u64>,
    pub(super) end: Option<Arc<AtomicBool>>,
}

/// The cost of a parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// The number of items of the chart.
    pub items: usize,
    /// The size of the chart in bytes.
    pub bytes: usize,
}

/// A text as the steps of a parse.
pub(super) struct Reading {
    pub(super) classes: Vec<u16>,
    /// The tokens, if the text is not parsed as bytes.
    pub(super) tokens: Option<Tokens>,
}

impl Parser {
    /// The maximum memory of a chart by default: 4 GiB.
    pub const MEMORY: usize = 4 << 30;

    /// Returns the default of [`Parser::memory_limit`] for a text of `len` bytes: 256 MiB plus 4
    /// KiB for each byte, and at most [`Parser::MEMORY`]. Unambiguous grammars take some hundred
    /// bytes for each byte of the text.
    pub fn usual_memory(len: usize) -> usize {
        (256 << 20) + len.saturating_mul(4 << 10).min(Self::MEMORY - (256 << 20))
    }

    /// The maximum size of the tables of a parser: 512 MiB. The tables grow with the square of the
    /// number of rules, and with the number of rules times the number of kinds of tokens.
    pub const TABLES: usize = LARGEST_TABLES;

    /// Creates a parser for texts. A text is divided into tokens first if the grammar has
    /// [lexer rules](Grammar::lexing); otherwise it is parsed as bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar has a token whose text it does not define, derives no text,
    /// or is too large.
    pub fn new(grammar: Arc<Grammar>) -> Result<Self, ParserError> {
        let lexer = Lexer::of(&grammar);
        Self::with(grammar, lexer.is_some(), lexer)
    }

    /// Creates a parser for texts as tokens, in which each terminal is one step.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar derives no text or is too large.
    pub fn for_tokens(grammar: Arc<Grammar>) -> Result<Self, ParserError> {
        Self::with(grammar, true, None)
    }

    fn with(
        grammar: Arc<Grammar>,
        tokens: bool,
        lexer: Option<Lexer>,
    ) -> Result<Self, ParserError> {
        if !grammar.facts().productive(grammar.start()) {
            let name = grammar.symbol(grammar.start()).name.clone();
            return Err(ParserError::Unproductive(name));
        }
        if !tokens && !grammar.extras().is_empty() {
            return Err(ParserError::Extras);
        }
        let lowered = Lowered::of(&grammar, tokens)?;
        let bytes = tables::size(&lowered);
        if bytes > Self::TABLES {
            return Err(ParserError::TooLarge { bytes });
        }
        let mut tables = Tables::of(lowered);
        tables.leftmost = lexer.is_some();
        let usual_ends = match lexer {
            Some(_) => mentions_of_end(&grammar).min(2),
            None => 0,
        };
        Ok(Parser {
            usual_ends,
            grammar,
            tables,
            lexer,
            memory: None,
            steps: None,
            end: None,
        })
    }

    /// Sets the maximum size of a chart, and of a tree, in bytes. A text that needs a larger chart
    /// or tree is an error.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Returns the maximum size of the chart of a text in bytes.
    pub(super) fn memory(&self, len: usize) -> usize {
        self.memory.unwrap_or_else(|| Self::usual_memory(len))
    }

    /// Sets the maximum number of steps of a parse: items of the chart that are visited, new or
    /// not.
    ///
    /// The default is 500 million plus 200 for each byte that has been read. A grammar that can be
    /// parsed with bounded lookahead takes at most some tens for each byte. Without a limit, an
    /// ambiguous text can take hours before its chart fills the memory.
    #[must_use]
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.steps = Some(steps);
        self
    }

    /// Sets a flag with which another thread stops every parse. While `end` is true, parses return
    /// [`ParseError::Ended`].
    #[must_use]
    pub fn ended_by(mut self, end: Arc<AtomicBool>) -> Self {
        self.end = Some(end);
        self
    }

    pub(super) fn steps(&self) -> Steps {
        match self.steps {
            Some(left) => Steps { left, each: 0 },
            None => Steps {
                left: 500_000_000,
                each: 200,
            },
        }
    }

    /// Returns the grammar of the parser.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Returns the tree of a text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not fit the grammar, or if a limit is exceeded.
    pub fn parse(&self, text: &[u8]) -> Result<Tree, ParseError> {
        self.parse_counted(text).map(|(tree, _)| tree)
    }

    /// Returns the tree of a text with the cost of the parse.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parser::parse`].
    pub fn parse_counted(&self, text: &[u8]) -> Result<(Tree, Work), ParseError> {
        let (mut chart, record, reading) = self.chart(text, false)?;
        self.choose(&mut chart, record, text, &reading)?;
        let work = Work {
            items: chart.items.len(),
            bytes: chart.bytes(),
        };
        let build = self.build(&mut chart, text.into(), &reading);
        let tree = build.tree(record, reading.classes.len(), &mut Preferred)?;
        Ok((tree, work))
    }

    /// Returns the tree of a text, and calls `decided` for each alternative of a choice that was
    /// taken.
    ///
    /// The arguments are the choice and the index of the alternative, in no particular order.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parser::parse`].
    pub fn parse_telling(
        &self,
        text: &[u8],
        mut decided: impl FnMut(ExprId, u32),
    ) -> Result<Tree, ParseError> {
        let (mut chart, record, reading) = self.chart(text, false)?;
        self.choose(&mut chart, record, text, &reading)?;
        let build = self.build(&mut chart, text.into(), &reading);
        let tree = build
            .tell(&mut decided)
            .tree(record, reading.classes.len(), &mut Preferred)?;
        Ok(tree)
    }

    /// Returns up to `limit` trees of a text, in order of preference.
    ///
    /// If rules derive each other alone, derivations with such a cycle are skipped, so that there
    /// are finitely many trees. The parse takes memory for every derivation of every item, and time
    /// in the size of all trees.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parser::parse`].
    pub fn parse_all(&self, text: &[u8], limit: usize) -> Result<Vec<Tree>, ParseError> {
        let (mut chart, record, reading) = self.chart(text, true)?;
        self.choose(&mut chart, record, text, &reading)?;
        let text: Arc<[u8]> = text.into();
        let mut choices = Counter::default();
        let mut trees = vec![];
        while trees.len() < limit {
            choices.restart();
            let all = text.clone();
            let build = self.build(&mut chart, all, &reading);
            trees.push(build.tree(record, reading.classes.len(), &mut choices)?);
            if !choices.next() {
                break;
            }
        }
        Ok(trees)
    }

    /// Returns the tree of a text from its tokens, for a parser from [`Parser::for_tokens`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parser::parse`], and an error if the tokens do not tile the text.
    pub fn parse_tokens(&self, text: &[u8], tokens: &[Lexeme]) -> Result<Tree, ParseError> {
        let ends = tokens.iter().flat_map(|token| [token.start, token.end]);
        let last = tokens.last().map_or(0, |token| token.end as usize);
        if !ends.is_sorted() || last > text.len() {
            return Err(crate::tree::TreeError::NotTiled(0).into());
        }
        let reading = self.reading(Tokens {
            lexemes: tokens.to_vec(),
            hidden: vec![],
        });
        let (mut chart, record) = self.read(text, &reading, false)?;
        self.choose(&mut chart, record, text, &reading)?;
        let build = self.build(&mut chart, text.into(), &reading);
        Ok(build.tree(record, tokens.len(), &mut Preferred)?)
    }

    /// Returns whether a text fits the grammar. This is cheaper than building its tree.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is exceeded.
    pub fn accepts(&self, text: &[u8]) -> Result<bool, ParseError> {
        match self.chart(text, false) {
            Ok(_) => Ok(true),
            Err(ParseError::Syntax(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) fn build<'c, 't>(
        &'t self,
        chart: &'c mut Chart<'t>,
        text: Arc<[u8]>,
        reading: &'c Reading,
    ) -> Build<'c, 't>
    where
        't: 'c,
    {
        let tokens = reading.tokens.as_ref();
        let memory = self.memory(text.len());
        Build::new(chart, &self.tables, &self.grammar, text, tokens).within(memory)
    }

    fn reading(&self, tokens: Tokens) -> Reading {
        let classes = tokens.lexemes.iter();
        Reading {
            classes: classes
                .map(|token| self.tables.classes.of_token(token.symbol))
                .collect(),
            tokens: Some(tokens),
        }
    }

    fn chart(
        &self,
        text: &[u8],
        every: bool,
    ) -> Result<(Chart<'_>, Option<u32>, Reading), ParseError> {
        let mut reading = self.reading_of(text, |lexer| {
            let tokens = lexer.tokens(text);
            let error = |(_, error): (_, LexError)| SyntaxError::at(text, error.offset, vec![]);
            Ok((tokens.map_err(error)?, vec![]))
        })?;
        let (chart, record) = self.fit(text, &mut reading, every)?;
        Ok((chart, record, reading))
    }

    /// Returns the steps of a text. `divide` returns its tokens and the parts that are no token.
    pub(super) fn reading_of(
        &self,
        text: &[u8],
        divide: impl FnOnce(&Lexer) -> Result<(Vec<Token>, Vec<Range<u32>>), ParseError>,
    ) -> Result<Reading, ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(crate::tree::TreeError::TooLarge.into());
        }
        let Some(lexer) = &self.lexer else {
            let classes = text.iter().map(|&byte| self.tables.classes.of_byte(byte));
            return Ok(Reading {
                classes: classes.collect(),
                tokens: None,
            });
        };
        let (tokens, rest) = divide(lexer)?;
        let (hidden, seen): (Vec<Token>, Vec<Token>) =
            tokens.into_iter().partition(|token| token.hidden);
        let lexemes = seen.into_iter().map(|token| Lexeme {
            symbol: token.symbol,
            start: token.start,
            end: token.end,
        });
        let hidden = hidden.into_iter().map(|token| Hidden {
            symbol: Some(token.symbol),
            start: token.start,
            end: token.end,
        });
        let rest = rest.into_iter().map(|part| Hidden {
            symbol: None,
            start: part.start,
            end: part.end,
        });
        let mut hidden: Vec<Hidden> = hidden.chain(rest).collect();
        hidden.sort_unstable_by_key(|token| token.start);
        Ok(self.reading(Tokens {
            lexemes: lexemes.collect(),
            hidden,
        }))
    }

    /// Returns the token of the end of the text, if the rules mention it.
    pub(super) fn end_of_text(&self) -> Option<SymbolId> {
        self.lexer.as_ref()?;
        let end = self.grammar.lexing()?.end?;
        self.grammar.facts().reachable(end).then_some(end)
    }

    /// Reads a text. If it fits, the end of the text is among its steps as often as it has to be.
    pub(super) fn fit(
        &self,
        text: &[u8],
        reading: &mut Reading,
        every: bool,
    ) -> Result<(Chart<'_>, Option<u32>), ParseError> {
        let Some(end) = self.end_of_text() else {
            return self.read(text, reading, every);
        };
        // The end of the text may be matched any number of times; nearly always that is once. A
        // text that fits with some number may not fit with a smaller or a larger one.
        let steps = reading.classes.len();
        let mut refused = None;
        let others = (0..=Self::MOST_ENDS).filter(|&ends| ends != self.usual_ends);
        for ends in std::iter::once(self.usual_ends).chain(others) {
            self.set_ends(reading, end, steps + ends, text.len());
            let (mut chart, result) = self.attempt(&reading.classes, every);
            let stuck = match result {
                Ok(record) => return Ok((chart, record)),
                Err(stuck) => stuck,
            };
            let error = self.refuse(&mut chart, stuck, text, reading);
            let Stuck::At(at) = stuck else {
                return Err(error);
            };
            // The error is before the end of the text, or the text ends too early.
            if at < steps {
                return Err(error);
            }
            // The expected tokens are listed only if the text ends once.
            if refused.is_none() || ends == 1 {
                refused = Some(error);
            }
        }
        match refused {
            Some(error) => Err(error),
            None => Err(SyntaxError::at(text, text.len(), vec![]).into()),
        }
    }

    /// The maximum number of times that the end of a text is matched.
    const MOST_ENDS: usize = 4;

    /// Adds or removes tokens of the end of the text, until there are `count` tokens.
    pub(super) fn set_ends(
        &self,
        reading: &mut Reading,
        symbol: SymbolId,
        count: usize,
        len: usize,
    ) {
        let class = self.tables.classes.of_token(symbol);
        reading.classes.resize(count, class);
        let (start, end) = (len as u32, len as u32);
        if let Some(tokens) = &mut reading.tokens {
            tokens.lexemes.resize(count, Lexeme { symbol, start, end });
        }
    }

    fn attempt(&self, classes: &[u16], every: bool) -> (Chart<'_>, Result<Option<u32>, Stuck>) {
        let memory = self.memory(classes.len());
        let mut chart =
            Chart::new(&self.tables, memory, self.steps(), every).ended_by(self.end.as_deref());
        let result = chart.read(classes);
        (chart, result)
    }

    fn read(
        &self,
        text: &[u8],
        reading: &Reading,
        every: bool,
    ) -> Result<(Chart<'_>, Option<u32>), ParseError> {
        let (mut chart, result) = self.attempt(&reading.classes, every);
        match result {
            Ok(record) => Ok((chart, record)),
            Err(stuck) => Err(self.refuse(&mut chart, stuck, text, reading)),
        }
    }

    /// Chooses between the derivations of an ambiguous text.
    pub(super) fn choose(
        &self,
        chart: &mut Chart<'_>,
        record: Option<u32>,
        text: &[u8],
        reading: &Reading,
    ) -> Result<(), ParseError> {
        let chosen = chart.choose(record);
        chosen.map_err(|stuck| self.refuse(chart, stuck, text, reading))
    }

    fn refuse(
        &self,
        chart: &mut Chart<'_>,
        stuck: Stuck,
        text: &[u8],
        reading: &Reading,
    ) -> ParseError {
        self.refusal(chart, stuck, text, |at| match &reading.tokens {
            None => at,
            Some(tokens) => {
                let lexeme = tokens.lexemes.get(at);
                lexeme.map_or(text.len(), |lexeme| lexeme.start as usize)
            }
        })
    }

    fn refusal(
        &self,
        chart: &mut Chart<'_>,
        stuck: Stuck,
        text: &[u8],
        byte: impl Fn(usize) -> usize,
    ) -> ParseError {
        match stuck {
            Stuck::Memory { at } => ParseError::Memory {
                at: byte(at),
                of: text.len(),
                limit: chart.memory,
            },
            Stuck::Steps { at } => ParseError::Steps {
                at: byte(at),
                of: text.len(),
                limit: self.steps().left + self.steps().each * at as u64,
            },
            Stuck::Ended => ParseError::Ended,
            Stuck::At(at) => {
                let expected = expected(&self.grammar, &self.tables, chart, at);
                SyntaxError::at(text, byte(at), expected).into()
            }
        }
    }
}

/// Returns how often the rules of the parser mention the end of the text.
fn mentions_of_end(grammar: &Grammar) -> usize {
    let end = grammar.lexing().and_then(|lexing| lexing.end);
    let mut count = 0;
    for (rule, body) in grammar.rules() {
        if grammar.facts().reachable(rule) {
            grammar.each_symbol(body, |symbol| count += usize::from(Some(symbol) == end));
        }
    }
    count
}
