use super::names::Names;
use super::take::take;
use super::token_sink::TokenSink;
use super::{Generator, GrammarFuzzer, limit};
use crate::choices::Choices;
use nubbin_grammar::grammar::{Expr, ExprId, NameId, Scope, SymbolId, SymbolKind};

/// The quantity that decides when a text grows and when it is closed.
#[derive(Clone, Copy)]
pub(super) enum Phases {
    Nonterminals(GrammarFuzzer),
    Bytes(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Take the most costly alternatives.
    Grow,
    /// Take any alternative.
    Anything,
    /// Take the least costly alternatives.
    Close,
}

/// The number of expansions without growth after which a text is closed.
const MAX_STALLED: u32 = 100;

/// The number of newest pieces among which a large text grows. They are still in the processor's
/// caches.
const NEWEST: usize = 256;

/// The number of levels of rules that are expanded freely in a rule that replaces another.
const LEVELS: u32 = 4;

/// The index that ends the linked list of pieces.
const END: u32 = u32::MAX;

/// A piece of the unfinished text, with the index of the next piece.
#[derive(Clone, Copy)]
struct Piece {
    content: Content,
    next: u32,
}

#[derive(Clone, Copy)]
enum Content {
    Terminal(SymbolId),
    /// A byte that was chosen from a class.
    Byte(u8),
    /// A token that the lexer must recognize in the text.
    Token(SymbolId),
    /// The beginning of a rule, and its end, around tokens.
    Enter(SymbolId),
    Leave,
    /// The beginning of a part of tokens that can be left out, and its end.
    Part,
    PartEnd,
    /// A rule or a pattern that is open.
    Rule(SymbolId),
    /// A repetition that has had this many iterations and may continue.
    More(ExprId, u32),
    Nothing,
    DefineFrom,
    Define(NameId),
    Commit(NameId),
    Use {
        name: NameId,
        expr: ExprId,
    },
}

pub(super) fn run(
    generator: &Generator,
    symbol: SymbolId,
    phases: Phases,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) {
    let grow = expanded(generator, symbol, phases, choices);
    grow.write(choices, text);
}

/// Writes tokens of a symbol at the end of `text`. Returns whether the lexer reads them again.
///
/// The tokens are chosen before any is written. Where one cannot be written, the optional part that
/// it is in is left out, or its rule is replaced with a small one, whichever is smaller.
pub(super) fn run_tokens(
    generator: &Generator,
    symbol: SymbolId,
    phases: Phases,
    writer: &mut dyn TokenSink,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) -> bool {
    let grow = expanded(generator, symbol, phases, choices);
    grow.write_tokens(writer, choices, text)
}

fn expanded<'g>(
    generator: &'g Generator,
    symbol: SymbolId,
    phases: Phases,
    choices: &mut Choices,
) -> Grow<'g> {
    let mut grow = Grow {
        generator,
        phases,
        pieces: vec![],
        waiting: vec![],
        least: 0,
    };
    grow.pieces.push(Piece {
        content: Content::Nothing,
        next: END,
    });
    grow.symbol(0, symbol, choices);
    let mut phase = Phase::Grow;
    let (mut most, mut stalled) = (0, 0);
    loop {
        phase = grow.phase(phase);
        if grow.waiting.is_empty() {
            break;
        }
        // Some grammars can be expanded without end and without any growth.
        let measure = grow.measure();
        stalled = if measure > most { 0 } else { stalled + 1 };
        most = most.max(measure);
        if stalled > MAX_STALLED {
            phase = Phase::Close;
        }
        let piece = grow.next(phase, choices);
        grow.expand(piece, phase, choices);
    }
    grow
}

struct Grow<'g> {
    generator: &'g Generator,
    phases: Phases,
    pieces: Vec<Piece>,
    /// The open pieces: those that can be expanded.
    waiting: Vec<u32>,
    /// The size of the shortest text that can result from all pieces, in bytes.
    least: u64,
}

impl Grow<'_> {
    /// Removes the next piece to expand from the open pieces, and returns its index. The order of
    /// closing pieces does not affect the text.
    fn next(&mut self, phase: Phase, choices: &mut Choices) -> u32 {
        let count = self.waiting.len();
        let among = match (phase, self.phases) {
            (Phase::Close, _) => 1,
            (_, Phases::Bytes(_)) => count.min(NEWEST),
            _ => count,
        };
        let at = count - among + choices.choose(among, 0);
        self.waiting.swap_remove(at)
    }

    /// Returns the quantity on which the phases depend.
    fn measure(&self) -> u64 {
        match self.phases {
            Phases::Nonterminals(_) => self.waiting.len() as u64,
            Phases::Bytes(_) => self.least,
        }
    }

    /// Returns the phase that follows `now`. A text never returns to an earlier phase.
    fn phase(&self, now: Phase) -> Phase {
        let waiting = self.waiting.len();
        match (self.phases, now) {
            (_, Phase::Close) => Phase::Close,
            (Phases::Bytes(target), _) if self.least < target => Phase::Grow,
            (Phases::Bytes(_), _) => Phase::Close,
            (Phases::Nonterminals(fuzzer), Phase::Grow) if waiting < fuzzer.min_nonterminals => {
                Phase::Grow
            }
            (Phases::Nonterminals(fuzzer), _) if waiting < fuzzer.max_nonterminals => {
                Phase::Anything
            }
            _ => Phase::Close,
        }
    }

    /// Inserts a piece after another one and returns its index.
    fn insert(&mut self, after: u32, content: Content) -> u32 {
        let new = self.pieces.len() as u32;
        let next = self.pieces[after as usize].next;
        self.pieces.push(Piece { content, next });
        self.pieces[after as usize].next = new;
        new
    }

    fn symbol(&mut self, after: u32, id: SymbolId, choices: &mut Choices) -> u32 {
        let facts = self.generator.grammar.facts();
        match &self.generator.grammar.symbol(id).kind {
            kind if self.generator.tokens.is_some() && !matches!(kind, SymbolKind::Rule(_)) => {
                self.least += facts.min_length(id).unwrap_or(0);
                self.insert(after, Content::Token(id))
            }
            SymbolKind::Rule(_) => {
                self.least += facts.min_length(id).unwrap_or(0);
                let new = self.insert(after, Content::Rule(id));
                self.waiting.push(new);
                new
            }
            SymbolKind::Class(set) => {
                self.least += 1;
                let at = choices.choose(set.len(), 0);
                self.insert(after, Content::Byte(set.iter().nth(at).unwrap_or(0)))
            }
            SymbolKind::Literal(bytes) => {
                self.least += bytes.len() as u64;
                self.insert(after, Content::Terminal(id))
            }
            // A token is expanded like a rule.
            SymbolKind::Pattern(_) => {
                self.least += facts.min_length(id).unwrap_or(0);
                let new = self.insert(after, Content::Rule(id));
                self.waiting.push(new);
                new
            }
            SymbolKind::External => after,
        }
    }

    fn expand(&mut self, piece: u32, phase: Phase, choices: &mut Choices) {
        let generator = self.generator;
        let facts = generator.grammar.facts();
        let content = std::mem::replace(&mut self.pieces[piece as usize].content, Content::Nothing);
        match content {
            Content::Rule(rule) => {
                let kind = &generator.grammar.symbol(rule).kind;
                let (SymbolKind::Rule(body) | SymbolKind::Pattern(body)) = *kind else {
                    return;
                };
                self.least -= facts.expr_min_length(body).unwrap_or(0);
                let last = self.expr(piece, body, phase, choices);
                if generator.tokens.is_some() {
                    self.pieces[piece as usize].content = Content::Enter(rule);
                    self.insert(last, Content::Leave);
                }
            }
            Content::More(id, done) => {
                let Expr::Repeat(repeat) = generator.grammar.expr(id) else {
                    return;
                };
                let again = match phase {
                    Phase::Close => false,
                    Phase::Grow => true,
                    Phase::Anything => take(generator.weights.of(id), choices),
                };
                if !again {
                    return;
                }
                let mut at = self.part(piece);
                if let Some(separator) = repeat.separator.filter(|_| done > 0) {
                    at = self.expr(at, separator, phase, choices);
                }
                at = self.expr(at, repeat.body, phase, choices);
                at = self.part_end(at);
                self.more(at, id, done + 1);
            }
            other => self.pieces[piece as usize].content = other,
        }
    }

    /// Inserts the beginning of a part that can be left out, if there are tokens.
    fn part(&mut self, after: u32) -> u32 {
        match self.generator.tokens {
            Some(_) => self.insert(after, Content::Part),
            None => after,
        }
    }

    fn part_end(&mut self, after: u32) -> u32 {
        match self.generator.tokens {
            Some(_) => self.insert(after, Content::PartEnd),
            None => after,
        }
    }

    /// Inserts a piece for one more iteration of a repetition if its maximum allows one.
    fn more(&mut self, after: u32, id: ExprId, done: u32) -> u32 {
        let Expr::Repeat(repeat) = self.generator.grammar.expr(id) else {
            return after;
        };
        let full = repeat.max.is_some_and(|max| done >= max);
        if full || !self.generator.usable(repeat.body) {
            return after;
        }
        let new = self.insert(after, Content::More(id, done));
        self.waiting.push(new);
        new
    }

    /// Inserts the pieces of an expression after another piece and returns the last one.
    ///
    /// The recursion is over the nesting of one rule's body, which readers bound.
    fn expr(&mut self, after: u32, id: ExprId, phase: Phase, choices: &mut Choices) -> u32 {
        let generator = self.generator;
        let grammar = &*generator.grammar;
        match grammar.expr(id) {
            Expr::Empty => after,
            Expr::Symbol { symbol, .. } => self.symbol(after, symbol, choices),
            Expr::Sequence(list) => {
                let members = grammar.list(list).iter();
                members.fold(after, |at, &id| self.expr(at, id, phase, choices))
            }
            Expr::Choice(list) => {
                let members = grammar.list(list);
                let costs = &generator.costs;
                let few = costs.fewest(id);
                let index = match phase {
                    Phase::Anything => {
                        generator.pick(generator.weights.of(id), members, few[0], choices)
                    }
                    Phase::Grow => {
                        let most = costs.most(grammar, id);
                        let weights = generator.weights.of(id);
                        let weighted = most.iter().map(|&i| weights.get(i as usize).copied());
                        let weighted = weighted.map(|weight| weight.unwrap_or(1.0));
                        most[choices.choose_weighted(weighted, 0)]
                    }
                    Phase::Close => match generator.learned(id, choices) {
                        Some(index) => index,
                        None => few[choices.choose(few.len(), 0)],
                    },
                };
                self.expr(after, members[index as usize], phase, choices)
            }
            Expr::Optional(body) => {
                let taken = generator.usable(body)
                    && match phase {
                        Phase::Grow => true,
                        Phase::Close => false,
                        Phase::Anything => take(generator.weights.of(id), choices),
                    };
                match taken {
                    true => {
                        let at = self.part(after);
                        let at = self.expr(at, body, phase, choices);
                        self.part_end(at)
                    }
                    false => after,
                }
            }
            Expr::Repeat(repeat) => {
                let mut at = after;
                for i in 0..repeat.min {
                    if let Some(separator) = repeat.separator.filter(|_| i > 0) {
                        at = self.expr(at, separator, phase, choices);
                    }
                    at = self.expr(at, repeat.body, phase, choices);
                }
                self.more(at, id, repeat.min)
            }
            Expr::Precedence { body, .. } => self.expr(after, body, phase, choices),
            Expr::Scoped { body, scope } => match scope {
                Scope::Defines(name) => {
                    let start = self.insert(after, Content::DefineFrom);
                    let end = self.expr(start, body, phase, choices);
                    self.insert(end, Content::Define(name))
                }
                Scope::Commits(name) => {
                    let end = self.expr(after, body, phase, choices);
                    self.insert(end, Content::Commit(name))
                }
                // The usable names are known only when the text is written.
                Scope::Uses { name, otherwise } => {
                    let expr = otherwise.unwrap_or(body);
                    self.least += grammar.facts().expr_min_length(expr).unwrap_or(0);
                    self.insert(after, Content::Use { name, expr })
                }
            },
        }
    }

    fn write(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        let grammar = &*self.generator.grammar;
        let mut names = Names::of(grammar);
        // The starts of the names that are being written.
        let mut expected = vec![];
        let mut at = 0;
        while at != END {
            let piece = self.pieces[at as usize];
            match piece.content {
                Content::Terminal(id) => {
                    if let SymbolKind::Literal(bytes) = &grammar.symbol(id).kind {
                        text.extend_from_slice(bytes);
                    }
                }
                Content::Byte(byte) => text.push(byte),
                Content::DefineFrom => expected.push(text.len()),
                Content::Define(name) => {
                    if let Some(start) = expected.pop() {
                        names.define(name, start, text.len());
                    }
                }
                Content::Commit(name) => names.commit(name),
                Content::Use { name, expr } => {
                    let usable = names.usable(name);
                    if usable.is_empty() {
                        limit::close(self.generator, expr, choices, text);
                    } else {
                        let (start, end) = usable[choices.choose(usable.len(), 0)];
                        text.extend_from_within(start..end);
                    }
                }
                Content::Token(_) | Content::Enter(_) | Content::Leave => {}
                Content::Part | Content::PartEnd => {}
                Content::Rule(_) | Content::More(..) | Content::Nothing => {}
            }
            at = piece.next;
        }
    }

    fn write_tokens(
        &self,
        writer: &mut dyn TokenSink,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        let mut open = vec![];
        let mut at = 0;
        while at != END {
            let piece = self.pieces[at as usize];
            at = piece.next;
            match piece.content {
                Content::Enter(rule) => {
                    writer.enter(rule);
                    open.push((Some(rule), writer.place(text)));
                }
                Content::Part => open.push((None, writer.place(text))),
                Content::Leave => {
                    writer.leave();
                    open.pop();
                }
                Content::PartEnd => {
                    open.pop();
                }
                Content::Token(id) if !writer.token(id, choices, text) => {
                    // The number of rules and parts that end with the one that is replaced or left
                    // out.
                    let mut ending = 1;
                    loop {
                        let Some((rule, place)) = open.pop() else {
                            return false;
                        };
                        writer.cut(place, text);
                        if rule.is_none_or(|rule| {
                            limit::rewrite(self.generator, rule, LEVELS, writer, choices, text)
                        }) {
                            break;
                        }
                        ending += 1;
                    }
                    while ending > 0 && at != END {
                        let piece = self.pieces[at as usize];
                        at = piece.next;
                        match piece.content {
                            Content::Enter(_) | Content::Part => ending += 1,
                            Content::Leave | Content::PartEnd => ending -= 1,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        true
    }
}
