use super::Generator;
use super::limit::{self, take};
use super::tokens::{Maker, Tokens};
use crate::choices::Choices;
use nubbin_choices::Label;
use nubbin_grammar::grammar::{ExprId, SymbolId};
use nubbin_grammar::lex::{LexedText, Match, Modes, Place};

/// Writes tokens so that the lexer reads the same tokens.
pub(super) struct TokenWriter<'g> {
    generator: &'g Generator,
    tokens: &'g Tokens,
    lexed: LexedText<'g>,
    /// Whether the end of the text has been written.
    ended: bool,
    piece: Vec<u8>,
}

/// The end of the text so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct WritersPlace {
    len: usize,
    lexed: Place,
    ended: bool,
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
        }
    }

    /// Begins an empty text in a mode.
    pub(super) fn begin(&mut self, mode: u32) {
        self.lexed.clear(mode);
        self.ended = false;
    }

    pub(super) fn place(&self, text: &[u8]) -> WritersPlace {
        WritersPlace {
            len: text.len(),
            lexed: self.lexed.place(),
            ended: self.ended,
        }
    }

    pub(super) fn cut(&mut self, place: WritersPlace, text: &mut Vec<u8>) {
        text.truncate(place.len);
        self.lexed.cut(place.lexed);
        self.ended = place.ended;
    }

    /// Writes a token, with hidden text before it if it needs some. Returns whether it could.
    pub(super) fn token(
        &mut self,
        symbol: SymbolId,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
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
            if self.attempt(symbol, left == 0, choices, text) {
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

    /// Writes the body of a rule. Returns whether it could; if not, nothing is written.
    pub(super) fn rewrite(
        &mut self,
        body: ExprId,
        levels: u32,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        limit::rewrite(self.generator, body, levels, self, choices, text)
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
                    // A token may go on with any text of its mode.
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

    /// Writes a text of an alternative, also with hidden text before it unless the text continues
    /// a token.
    fn write(
        &mut self,
        maker: &Maker,
        continues: bool,
        usual: bool,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        let tokens = self.tokens;
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        match usual {
            true => piece.extend_from_slice(&maker.usual),
            false => {
                let spelling = &tokens.spelling;
                spelling.spell(self.generator, maker.body, choices, &mut piece);
            }
        }
        let written = self.join(&piece, maker.makes, continues, text);
        self.piece = piece;
        written
    }

    /// Writes the text of one match, with the first hidden text before it after which the lexer
    /// reads it, and no match before it could become longer. Where there is none, the latter may
    /// be.
    fn join(&mut self, piece: &[u8], makes: Match, continues: bool, text: &mut Vec<u8>) -> bool {
        let tokens = self.tokens;
        let place = self.lexed.place();
        let hidden = match continues {
            true => &[],
            false => &tokens.modes[place.modes().current as usize].between[..],
        };
        let mut other: Option<(&[u8], Place)> = None;
        for between in std::iter::once(&[][..]).chain(hidden.iter().map(|hidden| &hidden[..])) {
            self.lexed.cut(place);
            if !(between.is_empty() || self.hidden(between))
                || self.lexed.append(piece) != Some(makes)
            {
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

    fn hidden(&mut self, between: &[u8]) -> bool {
        let found = self.lexed.append(between);
        found.is_some_and(|found| found.hidden && !found.more)
    }

    fn makes(&self, modes: Modes, symbol: SymbolId) -> bool {
        let mode = &self.tokens.modes[modes.current as usize];
        mode.makers.contains_key(&symbol)
    }

    /// Returns the shortest way to a mode that makes a token: hidden text that leads to another
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
