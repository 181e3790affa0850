use super::automaton::Automaton;
use super::modes::{Modes, Pushed};
use super::states::{DEAD, END, Sets};
use crate::grammar::{Command, Grammar, Lexing, SymbolId};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A lexer for the texts of a grammar with [lexer rules](Lexing).
///
/// * *Cost:* linear in the text, apart from rules that call themselves: each new depth of calls
///   costs one new state for each position in the rule. States are discarded when there are many,
///   so that memory grows by a few bytes for each depth.
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
    /// The terminal of the grammar for the token.
    pub symbol: SymbolId,
    /// The offset of the first byte of the token.
    pub start: u32,
    /// The offset of the first byte after the token.
    pub end: u32,
    /// Whether the token is hidden from the parser.
    pub hidden: bool,
}

/// The effect of one match of a lexer rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The token of the match, unless the next match continues it.
    pub symbol: SymbolId,
    /// Whether the token is hidden from the parser.
    pub hidden: bool,
    /// Whether the next match continues the token. The next match then replaces the other fields.
    pub more: bool,
}

impl Match {
    /// Returns the effect of a rule for the token `symbol` with the given commands.
    pub fn of(symbol: SymbolId, commands: &[Command]) -> Self {
        let mut found = Match {
            symbol,
            hidden: false,
            more: false,
        };
        for command in commands {
            match *command {
                Command::Hide => found.hidden = true,
                Command::Show => found.hidden = false,
                Command::More => found.more = true,
                Command::Type(symbol) => found.symbol = symbol,
                Command::Mode(_) | Command::Push(_) | Command::Pop => {}
            }
        }
        found
    }
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

    /// Divides a text into tokens that cover it without gaps.
    ///
    /// A rule that matches the empty text yields no token.
    ///
    /// # Errors
    ///
    /// Returns the tokens up to the first position at which no rule matches, and that position.
    pub fn tokens(&self, text: &[u8]) -> Result<Vec<Token>, (Vec<Token>, LexError)> {
        let mut failed = None;
        let tokens = self.divide(text, |at| {
            failed = Some(LexError { offset: at });
            None
        });
        match failed {
            None => Ok(tokens),
            Some(error) => Err((tokens, error)),
        }
    }

    /// Divides any text into tokens and into parts at which no rule matches. Tokens and parts
    /// together cover the text without gaps.
    ///
    /// Such a part is one character, as in ANTLR, or a word if no rule matches at any of its
    /// characters. A byte that is not UTF-8 is also a part. A part does not change the mode of the
    /// lexer.
    pub fn tokens_and_rest(&self, text: &[u8]) -> (Vec<Token>, Vec<Range<u32>>) {
        let mut rest: Vec<Range<u32>> = vec![];
        let tokens = self.divide(text, |at| {
            let end = at + len_of_character(&text[at..]);
            let (start, stop) = (at as u32, end as u32);
            match rest.last_mut() {
                Some(last) if last.end == start && is_word(text[at - 1]) && is_word(text[at]) => {
                    last.end = stop;
                }
                _ => rest.push(start..stop),
            }
            Some(end)
        });
        (tokens, rest)
    }

    /// Divides a text into tokens. If no rule matches, `skip` returns the start of the next token,
    /// or `None` to stop.
    fn divide(&self, text: &[u8], mut skip: impl FnMut(usize) -> Option<usize>) -> Vec<Token> {
        let mut sets = self.take_sets();
        let mut run = Run {
            lexer: self,
            sets: &mut sets,
            text,
            modes: Modes::default(),
            pushed: Pushed::default(),
        };
        let mut tokens = vec![];
        let mut at = 0;
        while at < text.len() {
            let modes = run.modes;
            if let Some(token) = run.token(at) {
                at = token.end as usize;
                tokens.push(token);
                continue;
            }
            run.modes = modes;
            match skip(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        self.give_back(sets);
        tokens
    }

    pub(super) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    pub(super) fn take_sets(&self) -> Sets {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let sets = spare.pop();
        let mut sets = sets.unwrap_or_else(|| Sets::new(self.automaton.modes.len()));
        sets.trim();
        sets
    }

    pub(super) fn give_back(&self, sets: Sets) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(sets);
    }

    /// Returns the effect of a match in a mode, and its commands.
    pub(super) fn found(&self, mode: u32, (rule, alternative): (u32, u32)) -> (Match, &[Command]) {
        let rule = &self.lexing().modes[mode as usize].rules[rule as usize];
        let commands = &rule.alternatives[alternative as usize].1;
        (Match::of(rule.symbol, commands), commands)
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
    modes: Modes,
    pushed: Pushed,
}

impl Run<'_> {
    /// Returns the token that begins at `start`.
    fn token(&mut self, start: usize) -> Option<Token> {
        let lexer = self.lexer;
        let mut at = start;
        loop {
            let (rule, alternative, end) = self.longest(at)?;
            let (found, commands) = lexer.found(self.modes.current, (rule, alternative));
            self.modes = self.pushed.after(self.modes, commands);
            if !found.more {
                return Some(Token {
                    symbol: found.symbol,
                    start: start as u32,
                    end: end as u32,
                    hidden: found.hidden,
                });
            }
            at = end;
        }
    }

    /// Returns the rule and alternative with the longest text from `at`, and its end.
    fn longest(&mut self, at: usize) -> Option<(u32, u32, usize)> {
        let automaton = &self.lexer.automaton;
        self.sets.trim();
        let mut set = self.sets.start(automaton, self.modes.current as usize);
        let mut found = None;
        for (i, &byte) in self.text[at..].iter().enumerate() {
            set = self.sets.next(automaton, set, byte.into());
            if set == DEAD {
                return found;
            }
            set = self.sets.trim_to(automaton, set);
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

/// Returns the number of bytes of the first character, which is 1 for a byte that is not UTF-8.
fn len_of_character(text: &[u8]) -> usize {
    let first = &text[..text.len().min(4)];
    let valid = first.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    valid.chars().next().map_or(1, char::len_utf8)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
