use super::Generator;
use super::limit;
use super::take::take;
use super::token_sink::{TokenSink, WrittenPlace};
use super::tokens::{Maker, Tokens};
use crate::choices::Choices;
use crate::words::{After, WordId};
use nubbin_choices::Label;
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::lex::{LexedText, Match, Modes, Place};

/// Writes tokens so that the lexer reads the same tokens.
#[derive(Debug)]
pub(super) struct TokenWriter<'g> {
    generator: &'g Generator,
    tokens: &'g Tokens,
    lexed: LexedText<'g>,
    /// Whether the end of the text has been written.
    ended: bool,
    piece: Vec<u8>,
    /// The rules around the next token.
    open: Vec<Open>,
}

/// A rule that is being written.
#[derive(Clone, Copy, Debug)]
struct Open {
    rule: SymbolId,
    /// The last word directly in it.
    word: Option<WordId>,
}

/// Modes on the way to a token.
#[derive(Clone, Copy)]
struct Reached<'g> {
    modes: Modes,
    /// Whether the token has begun.
    begun: bool,
    /// The match that leads here, and the place of the modes before it.
    step: Option<(&'g Maker, usize)>,
    steps: usize,
}

/// The number of texts that are tried for one token, the last one of which is the usual one.
const TRIES: u32 = 6;

/// The maximum number of hidden or continued matches before a token.
const LONGEST_WAY: usize = 6;

/// The maximum number of modes that are looked at for a way to a token.
const MOST_MODES: usize = 200;

impl<'g> TokenWriter<'g> {
    pub(super) fn new(generator: &'g Generator, tokens: &'g Tokens) -> Self {
        TokenWriter {
            generator,
            tokens,
            lexed: LexedText::new(&tokens.lexer),
            ended: false,
            piece: vec![],
            open: vec![],
        }
    }

    /// Begins an empty text in a mode.
    pub(super) fn begin(&mut self, mode: u32) {
        self.lexed.clear(mode);
        self.ended = false;
        self.open.clear();
    }

    fn word(&self, symbol: SymbolId, choices: &mut Choices) -> Option<WordId> {
        let words = self.generator.weights.words();
        if words.is_empty() || !words.is_word(symbol) {
            return None;
        }
        let rule = self.open.last()?.rule;
        let after = After::of(self.open.iter().rev().map(|open| open.word));
        let anywhere = words.met(rule, symbol, None);
        let here = match after {
            Some(_) => words.met(rule, symbol, after),
            None => &[],
        };
        let weight = |met: &[(WordId, f32)], weight| if met.is_empty() { 0.0 } else { weight };
        let sources = [weight(here, 12.0), weight(anywhere, 3.0), 1.0];
        let met = match choices.choose_weighted(sources.into_iter(), 2) {
            0 => here,
            1 => anywhere,
            _ => return None,
        };
        let counts = met.iter().map(|(_, count)| *count);
        met.get(choices.choose_weighted(counts, 0))
            .map(|(word, _)| *word)
    }

    fn write_word(&mut self, symbol: SymbolId, word: WordId, text: &mut Vec<u8>) -> bool {
        let makes = Match {
            symbol,
            hidden: false,
            more: false,
        };
        let piece = self.generator.weights.words().text(word);
        let written = self.join(piece, makes, false, text);
        if let Some(open) = self.open.last_mut().filter(|_| written) {
            open.word = Some(word);
        }
        written
    }

    /// Completes the text, with hidden text at its end if it needs some. Returns whether it could.
    pub(super) fn finish(&mut self, text: &mut Vec<u8>) -> bool {
        if self.lexed.may_end() {
            return true;
        }
        let place = self.place(text);
        let tokens = self.tokens;
        for between in &tokens.modes[self.lexed.modes().current as usize].between {
            if self.hidden(between) && self.lexed.may_end() {
                text.extend_from_slice(between);
                return true;
            }
            self.cut(place, text);
        }
        false
    }

    fn attempt(
        &mut self,
        symbol: SymbolId,
        usual: bool,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        let mut continues = false;
        let tokens = self.tokens;
        if !self.makes(self.lexed.modes(), symbol) {
            let Some(way) = self.way(symbol) else {
                return false;
            };
            for step in way {
                if !self.write(step, continues, usual, choices, text) {
                    return false;
                }
                continues = step.makes.more;
                while continues && !usual && take(&[], choices) {
                    // A token may be followed by any text of its mode.
                    let modes = self.lexed.modes();
                    let more = &tokens.modes[modes.current as usize].more;
                    let step = &more[choices.choose(more.len(), 0)];
                    let place = self.place(text);
                    if !self.write(step, true, false, choices, text) || self.lexed.modes() != modes
                    {
                        self.cut(place, text);
                    }
                }
            }
        }
        let mode = &tokens.modes[self.lexed.modes().current as usize];
        let Some(makers) = mode.makers.get(&symbol) else {
            return false;
        };
        let maker = &makers[choices.choose(makers.len(), 0)];
        self.write(maker, continues, usual, choices, text)
    }

    /// Writes a text of an alternative, possibly after hidden text. A text that continues a token
    /// gets no hidden text before it.
    fn write(
        &mut self,
        maker: &Maker,
        continues: bool,
        usual: bool,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        if usual || maker.is_fixed {
            return self.join(&maker.usual, maker.makes, continues, text);
        }
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        let spelling = &self.tokens.spelling;
        limit::spell(self.generator, spelling, maker.body, choices, &mut piece);
        let written = self.join(&piece, maker.makes, continues, text);
        self.piece = piece;
        written
    }

    /// Writes the text of one match, with hidden text before it if needed.
    fn join(&mut self, piece: &[u8], makes: Match, continues: bool, text: &mut Vec<u8>) -> bool {
        let tokens = self.tokens;
        let hidden = match continues {
            true => &[],
            false => &tokens.modes[self.lexed.modes().current as usize].between[..],
        };
        let hidden = hidden.iter().map(|hidden| &hidden[..]);
        let before = std::iter::once(&[][..]).chain(hidden);
        let append = |lexed: &mut LexedText<'_>| lexed.append(piece) == Some(makes);
        self.join_after(before, piece, append, text)
    }

    /// Writes a piece, with the first hidden text before it after which the lexer reads it, and no
    /// match before it could become longer. Where there is none, the latter may be.
    fn join_after<'t>(
        &mut self,
        before: impl Iterator<Item = &'t [u8]>,
        piece: &[u8],
        mut append: impl FnMut(&mut LexedText<'g>) -> bool,
        text: &mut Vec<u8>,
    ) -> bool {
        let place = self.lexed.place();
        let mut other: Option<(&[u8], Place)> = None;
        for between in before {
            self.lexed.cut(place);
            if !(between.is_empty() || self.hidden(between)) || !append(&mut self.lexed) {
                continue;
            }
            if self.lexed.is_settled() {
                text.extend_from_slice(between);
                text.extend_from_slice(piece);
                return true;
            }
            other.get_or_insert((between, self.lexed.place()));
        }
        self.lexed.cut(place);
        let Some((between, after)) = other else {
            return false;
        };
        self.lexed.cut(after);
        text.extend_from_slice(between);
        text.extend_from_slice(piece);
        true
    }

    /// Writes a token with a given text, and before it the given hidden text or another one that it
    /// needs. Returns whether it could.
    pub(super) fn copy(
        &mut self,
        gap: &[u8],
        symbol: SymbolId,
        piece: &[u8],
        text: &mut Vec<u8>,
    ) -> bool {
        if self.tokens.end == Some(symbol) {
            self.copy_gap(gap, text);
            self.ended = true;
            return true;
        }
        if self.ended {
            return false;
        }
        let tokens = self.tokens;
        let hidden = &tokens.modes[self.lexed.modes().current as usize].between;
        let hidden = hidden.iter().map(|hidden| &hidden[..]);
        let before = [gap, &[]].into_iter().chain(hidden);
        let append = |lexed: &mut LexedText<'_>| {
            let mut complete = false;
            let found = lexed.append_all(piece, |found| {
                let is_next = !complete;
                complete |= !found.more;
                is_next && (found.more || (found.symbol == symbol && !found.hidden))
            });
            found.is_some_and(|found| !found.more)
        };
        self.join_after(before, piece, append, text)
    }

    /// Writes hidden text if the lexer hides it here.
    pub(super) fn copy_gap(&mut self, gap: &[u8], text: &mut Vec<u8>) {
        let place = self.lexed.place();
        match self.hidden(gap) {
            true => text.extend_from_slice(gap),
            false => self.lexed.cut(place),
        }
    }

    /// Appends a text to the text that the lexer has read, and returns whether all of the new text
    /// is hidden.
    fn hidden(&mut self, between: &[u8]) -> bool {
        let hidden = |found: Match| found.more || found.hidden;
        let found = match self.lexed.append(between) {
            Some(found) => Some(found).filter(|found| found.hidden),
            None => self.lexed.append_all(between, hidden),
        };
        found.is_some_and(|found| !found.more)
    }

    fn makes(&self, modes: Modes, symbol: SymbolId) -> bool {
        let mode = &self.tokens.modes[modes.current as usize];
        mode.makers.contains_key(&symbol)
    }

    /// Returns the shortest way to a mode that yields a token: hidden text that leads to another
    /// mode, and text that is the beginning of the token.
    fn way(&mut self, symbol: SymbolId) -> Option<Vec<&'g Maker>> {
        let tokens = self.tokens;
        let grammar = &*self.generator.grammar;
        let mut reached = vec![Reached {
            modes: self.lexed.modes(),
            begun: false,
            step: None,
            steps: 0,
        }];
        let mut at = 0;
        while let Some(&Reached {
            modes,
            begun,
            steps,
            ..
        }) = reached.get(at)
        {
            if at > 0 && self.makes(modes, symbol) {
                let mut way = vec![];
                while let Some((maker, before)) = reached[at].step {
                    way.push(maker);
                    at = before;
                }
                way.reverse();
                return Some(way);
            }
            let mode = &tokens.modes[modes.current as usize];
            let leaving = mode.leaving.iter().filter(|_| !begun);
            for maker in leaving.chain(&mode.more) {
                let commands = maker.commands(grammar, modes.current);
                let next = Reached {
                    modes: self.lexed.modes_after(modes, commands),
                    begun: maker.makes.more,
                    step: Some((maker, at)),
                    steps: steps + 1,
                };
                let is_known =
                    |other: &Reached<'_>| (other.modes, other.begun) == (next.modes, next.begun);
                let few = steps < LONGEST_WAY && reached.len() < MOST_MODES;
                if few && !reached.iter().any(is_known) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        None
    }
}

impl TokenSink for TokenWriter<'_> {
    fn place(&self, text: &[u8]) -> WrittenPlace {
        WrittenPlace {
            len: text.len(),
            lexed: self.lexed.place(),
            ended: self.ended,
            open: self.open.len(),
            word: self.open.last().and_then(|open| open.word),
        }
    }

    fn cut(&mut self, place: WrittenPlace, text: &mut Vec<u8>) {
        text.truncate(place.len);
        self.lexed.cut(place.lexed);
        self.ended = place.ended;
        self.open.truncate(place.open);
        if let Some(open) = self.open.last_mut() {
            open.word = place.word;
        }
    }

    fn enter(&mut self, rule: SymbolId) {
        self.open.push(Open { rule, word: None });
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    fn token(&mut self, symbol: SymbolId, choices: &mut Choices, text: &mut Vec<u8>) -> bool {
        if self.tokens.end == Some(symbol) {
            self.ended = true;
            return true;
        }
        if self.ended {
            return false;
        }
        let place = self.place(text);
        let spans = choices.is_recording();
        for left in (0..TRIES).rev() {
            if spans {
                choices.begin(Label(2 << 32 | symbol.index() as u64));
            }
            let written = match self.word(symbol, choices) {
                Some(word) if left > 0 => self.write_word(symbol, word, text),
                _ => self.attempt(symbol, left == 0, choices, text),
            };
            if written {
                if spans {
                    choices.end();
                }
                return true;
            }
            if spans {
                choices.discard();
            }
            self.cut(place, text);
        }
        false
    }
}
