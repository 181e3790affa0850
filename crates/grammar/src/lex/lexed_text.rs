use super::lexer::{Lexer, Match};
use super::modes::{Modes, Pushed};
use super::states::{DEAD, END, SetId, Sets};
use crate::grammar::Command;

/// A text that grows match by match, and that the lexer divides into exactly these matches.
///
/// Use it to generate texts: two adjacent tokens can be one longer token, and the text of one rule
/// can belong to an earlier rule. This type only has the state of the lexer. The caller keeps the
/// text.
///
/// * *Cost:* one step per byte and per earlier match that could still become longer. In
///   programming languages there are two or three such matches.
///
/// ```
/// use nubbin_grammar::lex::{LexedText, Lexer};
/// use nubbin_grammar::read::antlr;
/// use std::sync::Arc;
///
/// let text = "grammar G; s: (IF | ID)*; IF: 'if'; ID: [a-z]+; WS: ' ' -> skip;";
/// let grammar = Arc::new(antlr::read(text, "G", &mut |_| None)?.grammar);
/// let lexer = Lexer::of(&grammar).unwrap();
/// let mut text = LexedText::new(&lexer);
/// let name = |found: nubbin_grammar::lex::Match| &*grammar.symbol(found.symbol).name;
/// assert_eq!(text.append(b"if").map(name), Some("IF"));
/// // `ifx` would be one token.
/// assert_eq!(text.append(b"x"), None);
/// assert!(text.append(b" ").unwrap().hidden);
/// assert_eq!(text.append(b"x").map(name), Some("ID"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LexedText<'l> {
    lexer: &'l Lexer,
    /// The states of the lexer. `None` only while the value is dropped.
    sets: Option<Sets>,
    pushed: Pushed,
    place: Place,
}

/// An earlier end of a [`LexedText`], to which the text can be cut back.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    modes: Modes,
    /// The states of the matches that could still become longer.
    open: [SetId; MOST_OPEN],
    count: u8,
    /// The number of these that end before the last match.
    earlier: u8,
    /// The rule and the alternative of the last match.
    last: Option<(u32, u32)>,
}

/// The maximum number of matches that could still become longer. With more, no match is appended.
const MOST_OPEN: usize = 6;

impl Place {
    /// Returns the modes at this position.
    pub fn modes(&self) -> Modes {
        self.modes
    }

    fn start(mode: u32) -> Self {
        Place {
            modes: Modes::first(mode),
            open: [DEAD; MOST_OPEN],
            count: 0,
            earlier: 0,
            last: None,
        }
    }
}

impl<'l> LexedText<'l> {
    /// Creates an empty text.
    pub fn new(lexer: &'l Lexer) -> Self {
        LexedText {
            lexer,
            sets: Some(lexer.take_sets()),
            pushed: Pushed::default(),
            place: Place::start(0),
        }
    }

    /// Makes the text empty, and sets its first mode.
    pub fn clear(&mut self, mode: u32) {
        if let Some(sets) = &mut self.sets {
            sets.trim();
        }
        self.place = Place::start(mode);
    }

    /// Returns the end of the text.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Cuts the text back to an earlier position. The text must not have been empty since then.
    pub fn cut(&mut self, place: Place) {
        self.place = place;
    }

    /// Returns the modes at the end of the text.
    pub fn modes(&self) -> Modes {
        self.place.modes
    }

    /// Returns the modes after the commands of a match are applied to `modes`.
    pub fn modes_after(&mut self, modes: Modes, commands: &[Command]) -> Modes {
        self.pushed.after(modes, commands)
    }

    /// Appends the text of one match and returns the match.
    ///
    /// Returns `None`, and does not change the text, if the lexer would not read `piece` as one
    /// match, or if an earlier match would become longer.
    pub fn append(&mut self, piece: &[u8]) -> Option<Match> {
        let lexer = self.lexer;
        let automaton = lexer.automaton();
        let sets = self.sets.as_mut()?;
        let mut open = [DEAD; MOST_OPEN];
        let mut count = 0;
        for &before in &self.place.open[..self.place.count as usize] {
            let mut set = before;
            for &byte in piece {
                set = sets.next(automaton, set, byte.into());
                if set == DEAD {
                    break;
                }
                if sets.ends(set).is_some() {
                    return None;
                }
            }
            if set != DEAD && !open[..count].contains(&set) {
                open[count] = set;
                count += 1;
            }
        }
        let mut set = sets.start(automaton, self.place.modes.current as usize);
        for &byte in piece {
            set = sets.next(automaton, set, byte.into());
        }
        let last = sets.ends(set).filter(|_| !piece.is_empty())?;
        let earlier = count as u8;
        if sets.leads_on(set) && !open[..count].contains(&set) {
            *open.get_mut(count)? = set;
            count += 1;
        }
        let (found, commands) = lexer.found(self.place.modes.current, last);
        self.place = Place {
            modes: self.pushed.after(self.place.modes, commands),
            open,
            count: count as u8,
            earlier,
            last: Some(last),
        };
        Some(found)
    }

    /// Appends a text of any number of matches, each as long as possible, and returns the last
    /// match.
    ///
    /// Returns `None`, and does not change the text, if the lexer would divide `text` differently
    /// after the earlier text than alone, or if `keep` rejects a match. The longest match is
    /// searched in `text` alone, so the last match may be too short. [`LexedText::append`] of the
    /// next piece detects this.
    pub fn append_all(
        &mut self,
        text: &[u8],
        mut keep: impl FnMut(Match) -> bool,
    ) -> Option<Match> {
        let before = self.place;
        let mut last = None;
        let mut rest = text;
        while !rest.is_empty() {
            let length = self.longest(rest);
            match self.append(&rest[..length]).filter(|&found| keep(found)) {
                Some(found) => last = Some(found),
                None => {
                    self.place = before;
                    return None;
                }
            }
            rest = &rest[length..];
        }
        last
    }

    /// Returns the length of the longest match at the beginning of a text, or 0.
    fn longest(&mut self, text: &[u8]) -> usize {
        let automaton = self.lexer.automaton();
        let Some(sets) = &mut self.sets else {
            return 0;
        };
        let mut set = sets.start(automaton, self.place.modes.current as usize);
        let mut longest = 0;
        for (at, &byte) in (1..).zip(text) {
            set = sets.next(automaton, set, byte.into());
            if set == DEAD {
                break;
            }
            if sets.ends(set).is_some() {
                longest = at;
            }
        }
        longest
    }

    /// Returns whether no match before the last one can still become longer.
    ///
    /// Otherwise a later text can be rejected because of that match: a comment that `/` and `*`
    /// would begin is open until the end.
    pub fn is_settled(&self) -> bool {
        self.place.earlier == 0
    }

    /// Returns whether the lexer finds the same matches if the text ends at this position.
    ///
    /// Rules that mention `EOF` can change the last match, or lengthen an earlier match.
    pub fn may_end(&mut self) -> bool {
        let automaton = self.lexer.automaton();
        let Some(sets) = &mut self.sets else {
            return false;
        };
        let place = self.place;
        (0..place.count).all(|at| {
            let end = sets.next(automaton, place.open[at as usize], END);
            let is_last = at >= place.earlier;
            let found = sets.ends(end);
            found.is_none() || (is_last && found == place.last)
        })
    }
}

impl Drop for LexedText<'_> {
    fn drop(&mut self) {
        if let Some(sets) = self.sets.take() {
            self.lexer.give_back(sets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::antlr;
    use std::sync::Arc;

    fn lexer(grammar: &str) -> Lexer {
        let grammar = antlr::read(grammar, "G", &mut |_| None).unwrap().grammar;
        Lexer::of(&Arc::new(grammar)).unwrap()
    }

    /// Appends pieces, and returns the rejected pieces.
    fn refused<'p>(lexer: &Lexer, pieces: &[&'p str]) -> Vec<&'p str> {
        let mut text = LexedText::new(lexer);
        let mut whole = vec![];
        let mut ends = vec![];
        let mut refused = vec![];
        for piece in pieces {
            match text.append(piece.as_bytes()) {
                Some(_) => {
                    whole.extend_from_slice(piece.as_bytes());
                    ends.push(whole.len() as u32);
                }
                None => refused.push(*piece),
            }
        }
        let tokens = lexer.tokens(&whole).unwrap();
        let found: Vec<u32> = tokens.iter().map(|token| token.end).collect();
        assert_eq!(found, ends, "{pieces:?}");
        refused
    }

    #[test]
    fn a_match_that_would_become_longer_is_noticed_after_other_matches() {
        let lexer = lexer("lexer grammar G; INT: [0-9]+; DOT: '.'; FLOAT: [0-9]+ '.' [0-9]+;");
        assert_eq!(refused(&lexer, &["1", "1", ".", "5", "."]), ["1", "5"]);
    }

    #[test]
    fn a_text_of_an_earlier_rule_and_half_a_token_are_other_matches() {
        let lexer =
            lexer("lexer grammar G; STRING: '\"' [a-z]* '\"'; ID: [a-z]+; WS: ' '+ -> skip;");
        assert_eq!(
            refused(&lexer, &["\"a", "\"a\"", "a", " ", " ", ""]),
            ["\"a", " ", ""]
        );
    }

    #[test]
    fn the_end_of_the_text_may_change_the_last_match() {
        let lexer = lexer("lexer grammar G; A: 'a'; B: 'a' 'b'; C: 'a' EOF; D: 'd';");
        let mut text = LexedText::new(&lexer);
        text.append(b"a").unwrap();
        assert!(!text.may_end());
        text.append(b"d").unwrap();
        assert!(text.may_end());
    }

    #[test]
    fn modes_are_cut_back_with_the_text() {
        let grammar = "lexer grammar G; OPEN: '<' -> pushMode(T); TEXT: ~'<'+;
            mode T; CLOSE: '>' -> popMode; NAME: [a-z]+;";
        let lexer = lexer(grammar);
        let mut text = LexedText::new(&lexer);
        let start = text.place();
        text.append(b"<").unwrap();
        assert_eq!(text.modes().current, 1);
        assert_eq!(text.append(b"a b"), None);
        text.append(b"ab").unwrap();
        text.append(b">").unwrap();
        assert_eq!(text.modes().current, 0);
        assert!(text.append(b"a b").is_some());
        text.cut(start);
        assert!(text.append(b"a b").is_some());
    }

    #[test]
    fn several_matches_are_appended_or_none() {
        let lexer = lexer(
            "lexer grammar G; ID: [a-z]+; WS: ' '+ -> skip; C: '#' ~'\\n'* '\\n' -> skip;
            Q: '\"' -> more, pushMode(S); mode S; PART: [a-z] -> more; END: '\"' -> popMode;",
        );
        let mut text = LexedText::new(&lexer);
        let hidden = |found: Match| found.hidden || found.more;
        assert!(text.append_all(b"ab", |_| true).is_some());
        // The text is a space, a comment, and a space. The second `cd` would make the name longer.
        assert!(text.append_all(b" # x\n ", hidden).is_some());
        assert!(text.append_all(b"cd ef", hidden).is_none());
        assert!(text.append_all(b"cd", |_| true).is_some());
        assert!(text.append_all(b"cd", |_| true).is_none());
        // The text has four matches of a token. Only half of the last one is appended.
        let place = text.place();
        assert!(!text.append_all(b"\"ab\"", |_| true).unwrap().more);
        text.cut(place);
        assert!(text.append_all(b"\"a", |_| true).unwrap().more);
        assert_eq!(text.modes().current, 1);
        assert!(text.append_all(b"\"!", |_| true).is_none());
        assert_eq!(text.modes().current, 1);
    }
}
