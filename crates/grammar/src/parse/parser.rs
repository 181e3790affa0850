use super::build::{Build, Preferred};
use super::chart::{Chart, Steps, Stuck};
use super::counter::Counter;
use super::error::{self, ParseError, ParserError, SyntaxError};
use super::lower::Lowered;
use super::tables::Tables;
use crate::grammar::{ExprId, Grammar, SymbolId};
use crate::tree::Tree;
use std::sync::Arc;

/// A parser for the texts of one grammar.
///
/// Takes every context-free grammar: left recursion, right recursion, ambiguity, rules that derive
/// nothing or themselves. Time and memory are linear in the text for what can be parsed from left to
/// right with bounded lookahead (about 100 bytes of memory for each byte of text, before the tree);
/// at worst, time grows with the cube and memory with the square. See the chart's documentation in
/// the source for the algorithm and its literature.
///
/// # Which tree
///
/// An ambiguous text has several trees. At each node, from the root down,
///
/// 1. the alternative with the lowest [precedence](crate::grammar::Expr::Precedence) level wins,
///    then the one that comes first in the grammar;
/// 2. among ways to divide the text between the children of that alternative, the one whose *last*
///    child is shortest, then the last but one, and so on. So operators group to the left, and
///    repetitions are greedy. Right associativity turns this round;
/// 3. among rules that can be each other, all by themselves (`A → B`, `B → A`), one stands for the
///    other only where nothing else is there: so no derivation goes round in a circle.
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
    tables: Tables,
    memory: usize,
    steps: Option<u64>,
}

/// What a parse cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Items of the chart.
    pub items: usize,
    /// Bytes of the chart.
    pub bytes: usize,
}

/// A token of a text that has been divided into tokens by somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Which terminal of the grammar.
    pub symbol: SymbolId,
    /// Where it ends in the text; it begins where the one before ends.
    pub end: u32,
}

impl Parser {
    /// Memory that a chart may take, unless [`Parser::memory_limit`] says otherwise: 4 GiB.
    pub const MEMORY: usize = 4 << 30;

    /// A parser for texts as bytes.
    ///
    /// # Errors
    ///
    /// The grammar has tokens whose text it does not say, or no text at all.
    pub fn new(grammar: Arc<Grammar>) -> Result<Self, ParserError> {
        Self::with(grammar, false)
    }

    /// A parser for texts that come as tokens: each terminal is one step.
    ///
    /// # Errors
    ///
    /// The grammar has no text at all.
    pub fn for_tokens(grammar: Arc<Grammar>) -> Result<Self, ParserError> {
        Self::with(grammar, true)
    }

    fn with(grammar: Arc<Grammar>, tokens: bool) -> Result<Self, ParserError> {
        if !grammar.facts().productive(grammar.start()) {
            let name = grammar.symbol(grammar.start()).name.clone();
            return Err(ParserError::Unproductive(name));
        }
        if !tokens && !grammar.extras().is_empty() {
            return Err(ParserError::Extras);
        }
        let tables = Tables::of(Lowered::of(&grammar, tokens)?);
        Ok(Parser {
            grammar,
            tables,
            memory: Self::MEMORY,
            steps: None,
        })
    }

    /// Refuses texts whose chart would take more than this many bytes.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Refuses texts that take more than this many steps: items of the chart that are looked at, new or
    /// not. Otherwise the limit is 500 million and 200 for each byte that has been read. What can be
    /// parsed with bounded lookahead takes some tens for each byte at most; an ambiguous text takes
    /// hours before its chart fills the memory.
    #[must_use]
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.steps = Some(steps);
        self
    }

    fn steps(&self) -> Steps {
        match self.steps {
            Some(left) => Steps { left, each: 0 },
            None => Steps {
                left: 500_000_000,
                each: 200,
            },
        }
    }

    /// What it parses.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// The tree of a text.
    ///
    /// # Errors
    ///
    /// The text does not fit the grammar, or its chart not in memory.
    pub fn parse(&self, text: &[u8]) -> Result<Tree, ParseError> {
        self.parse_counted(text).map(|(tree, _)| tree)
    }

    /// The tree of a text, and what it took.
    ///
    /// # Errors
    ///
    /// As [`Parser::parse`].
    pub fn parse_counted(&self, text: &[u8]) -> Result<(Tree, Work), ParseError> {
        let (mut chart, record) = self.chart(text, false)?;
        let work = Work {
            items: chart.items.len(),
            bytes: chart.bytes(),
        };
        let build = Build::new(&mut chart, &self.tables, &self.grammar, text.into(), None);
        let tree = build.tree(record, text.len(), &mut Preferred)?;
        Ok((tree, work))
    }

    /// The tree of a text; `decided` is told each alternative of a choice that was taken, by the choice
    /// and the index of the alternative, in no particular order.
    ///
    /// # Errors
    ///
    /// As [`Parser::parse`].
    pub fn parse_telling(
        &self,
        text: &[u8],
        mut decided: impl FnMut(ExprId, u32),
    ) -> Result<Tree, ParseError> {
        let (mut chart, record) = self.chart(text, false)?;
        let build = Build::new(&mut chart, &self.tables, &self.grammar, text.into(), None);
        let tree = build
            .tell(&mut decided)
            .tree(record, text.len(), &mut Preferred)?;
        Ok(tree)
    }

    /// Up to `limit` trees of a text, the preferred one first.
    ///
    /// Where rules can be each other, all by themselves, only ways that do not use that are taken, so
    /// there are finitely many. Takes memory
    /// for every way to every item, and time in the size of all trees.
    ///
    /// # Errors
    ///
    /// As [`Parser::parse`].
    pub fn parse_all(&self, text: &[u8], limit: usize) -> Result<Vec<Tree>, ParseError> {
        let (mut chart, record) = self.chart(text, true)?;
        let text: Arc<[u8]> = text.into();
        let mut choices = Counter::default();
        let mut trees = vec![];
        while trees.len() < limit {
            choices.restart();
            let all = text.clone();
            let build = Build::new(&mut chart, &self.tables, &self.grammar, all, None);
            trees.push(build.tree(record, text.len(), &mut choices)?);
            if !choices.next() {
                break;
            }
        }
        Ok(trees)
    }

    /// The tree of a text that comes as tokens, for a parser made by [`Parser::for_tokens`].
    ///
    /// # Errors
    ///
    /// As [`Parser::parse`]; also if the tokens do not tile the text.
    pub fn parse_tokens(&self, text: &[u8], tokens: &[Lexeme]) -> Result<Tree, ParseError> {
        let classes: Vec<u16> = tokens
            .iter()
            .map(|token| self.tables.classes.of_token(token.symbol))
            .collect();
        let ends: Vec<u32> = tokens.iter().map(|token| token.end).collect();
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize <= text.len();
        if !ordered {
            return Err(crate::tree::TreeError::NotTiled(0).into());
        }
        let mut chart = Chart::new(&self.tables, self.memory, self.steps(), false);
        let record = match chart.read(&classes) {
            Ok(record) => record,
            Err(stuck) => {
                let byte = |at: usize| match at {
                    0 => 0,
                    at => ends[at - 1] as usize,
                };
                return Err(self.refusal(&mut chart, stuck, text, byte));
            }
        };
        let steps = tokens.len();
        let all = text.into();
        let build = Build::new(&mut chart, &self.tables, &self.grammar, all, Some(&ends));
        Ok(build.tree(record, steps, &mut Preferred)?)
    }

    /// Whether a text fits the grammar; cheaper than its tree.
    ///
    /// # Errors
    ///
    /// Its chart does not fit in memory.
    pub fn accepts(&self, text: &[u8]) -> Result<bool, ParseError> {
        match self.chart(text, false) {
            Ok(_) => Ok(true),
            Err(ParseError::Syntax(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn chart(&self, text: &[u8], every: bool) -> Result<(Chart<'_>, Option<u32>), ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(crate::tree::TreeError::TooLarge.into());
        }
        let classes: Vec<u16> = text
            .iter()
            .map(|&byte| self.tables.classes.of_byte(byte))
            .collect();
        let mut chart = Chart::new(&self.tables, self.memory, self.steps(), every);
        match chart.read(&classes) {
            Ok(record) => Ok((chart, record)),
            Err(stuck) => Err(self.refusal(&mut chart, stuck, text, |at| at)),
        }
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
                limit: self.memory,
            },
            Stuck::Steps { at } => ParseError::Steps {
                at: byte(at),
                of: text.len(),
                limit: self.steps().left + self.steps().each * at as u64,
            },
            Stuck::At(at) => {
                let expected = error::expected(&self.grammar, &self.tables, chart, at);
                SyntaxError::at(text, byte(at), expected).into()
            }
        }
    }
}
