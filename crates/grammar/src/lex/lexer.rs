use super::automaton::Automaton;
use super::states::{DEAD, END, Sets};
use crate::grammar::{Command, Grammar, Lexing, SymbolId};
use std::sync::{Arc, Mutex, PoisonError};

/// A lexer for the texts of a grammar with [lexer rules](Lexing).
///
/// * *Cost:* linear in the text, apart from rules that call themselves: each new depth of calls
///   costs one new state for each position in the rule.
#[derive(Debug)]
pub struct Lexer {
    grammar: Arc<Grammar>,
    automaton: Automaton,
    /// The states that were made so far. A thread takes one of these, or makes a new one.
    spare: Mutex<Vec<Sets>>,
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The terminal of the grammar.
    pub symbol: SymbolId,
    /// The first byte.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
    /// Whether the parser does not see it.
    pub hidden: bool,
}

/// A text that no lexer rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexError {
    /// The offset at which the token would begin.
    pub offset: usize,
}

impl Lexer {
    /// Creates the lexer of a grammar, if it has one.
    pub fn of(grammar: &Arc<Grammar>) -> Option<Self> {
        let automaton = Automaton::of(grammar, grammar.lexing()?);
        Some(Lexer {
            grammar: Arc::clone(grammar),
            automaton,
            spare: Mutex::default(),
        })
    }

    /// Divides a text into tokens, which tile it.
    ///
    /// A rule that matches the empty text makes no token.
    ///
    /// # Errors
    ///
    /// Returns the tokens up to the first place at which no rule matches, and that place.
    pub fn tokens(&self, text: &[u8]) -> Result<Vec<Token>, (Vec<Token>, LexError)> {
        let lock = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let modes = self.automaton.modes.len();
        let mut sets = lock().pop().unwrap_or_else(|| Sets::new(modes));
        let mut run = Run {
            lexer: self,
            sets: &mut sets,
            text,
            mode: 0,
            modes: vec![],
        };
        let mut tokens = vec![];
        let mut at = 0;
        let mut result = Ok(());
        while at < text.len() {
            match run.token(at) {
                Some(token) => {
                    at = token.end as usize;
                    tokens.push(token);
                }
                None => {
                    result = Err(LexError { offset: at });
                    break;
                }
            }
        }
        lock().push(sets);
        match result {
            Ok(()) => Ok(tokens),
            Err(error) => Err((tokens, error)),
        }
    }

    fn lexing(&self) -> &Lexing {
        static NONE: std::sync::OnceLock<Lexing> = std::sync::OnceLock::new();
        let none = || NONE.get_or_init(Lexing::default);
        self.grammar.lexing().unwrap_or_else(none)
    }
}

struct Run<'l> {
    lexer: &'l Lexer,
    sets: &'l mut Sets,
    text: &'l [u8],
    mode: u32,
    /// The modes to which `popMode` returns.
    modes: Vec<u32>,
}

impl Run<'_> {
    /// Returns the token that begins at `start`.
    fn token(&mut self, start: usize) -> Option<Token> {
        let lexer = self.lexer;
        let mut at = start;
        loop {
            let (rule, alternative, end) = self.longest(at)?;
            let mode = &lexer.lexing().modes[self.mode as usize];
            let rule = &mode.rules[rule as usize];
            let mut token = Token {
                symbol: rule.symbol,
                start: start as u32,
                end: end as u32,
                hidden: false,
            };
            let mut more = false;
            for command in &rule.alternatives[alternative as usize].1 {
                match *command {
                    Command::Hide => token.hidden = true,
                    Command::Show => token.hidden = false,
                    Command::More => more = true,
                    Command::Type(symbol) => token.symbol = symbol,
                    Command::Mode(mode) => self.mode = mode,
                    Command::Push(mode) => {
                        self.modes.push(self.mode);
                        self.mode = mode;
                    }
                    Command::Pop => self.mode = self.modes.pop().unwrap_or(self.mode),
                }
            }
            if !more {
                return Some(token);
            }
            at = end;
        }
    }

    /// Returns the rule and alternative with the longest text from `at`, and its end.
    fn longest(&mut self, at: usize) -> Option<(u32, u32, usize)> {
        let automaton = &self.lexer.automaton;
        self.sets.trim();
        let mut set = self.sets.start(automaton, self.mode as usize);
        let mut found = None;
        for (i, &byte) in self.text[at..].iter().enumerate() {
            set = self.sets.next(automaton, set, byte.into());
            if set == DEAD {
                return found;
            }
            if let Some((rule, alternative)) = self.sets.ends(set) {
                found = Some((rule, alternative, at + i + 1));
            }
        }
        if at < self.text.len() {
            set = self.sets.next(automaton, set, END);
            if let Some((rule, alternative)) = self.sets.ends(set) {
                found = Some((rule, alternative, self.text.len()));
            }
        }
        found
    }
}
