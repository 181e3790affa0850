use super::names::Names;
use super::{Generator, GrammarFuzzer, limit};
use crate::choices::Choices;
use nubbin_grammar::grammar::{Expr, ExprId, NameId, Scope, SymbolId, SymbolKind};

/// When to grow, and when to close.
#[derive(Clone, Copy)]
pub(super) enum Phases {
    Nonterminals(GrammarFuzzer),
    Bytes(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// What costs most.
    Grow,
    Anything,
    /// What costs least.
    Close,
}

/// After this many expansions that bring it no further, a text is closed.
const PATIENCE: u32 = 100;

/// Large texts grow among this many of the newest pieces, which are still in the processor's caches.
const NEWEST: usize = 256;

/// The end of the list.
const END: u32 = u32::MAX;

/// A stretch of the text in the making, and what comes after it.
#[derive(Clone, Copy)]
struct Piece {
    what: What,
    next: u32,
}

#[derive(Clone, Copy)]
enum What {
    Terminal(SymbolId),
    /// A byte that was chosen from a class.
    Byte(u8),
    /// A rule that waits to be expanded.
    Rule(ExprId),
    /// A repetition that has gone round this often and may go on.
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
    let mut grow = Grow {
        generator,
        phases,
        pieces: vec![],
        waiting: vec![],
        least: 0,
        expected: vec![],
    };
    grow.pieces.push(Piece {
        what: What::Nothing,
        next: END,
    });
    grow.symbol(0, symbol, choices);
    let mut phase = Phase::Grow;
    let (mut most, mut in_vain) = (0, 0);
    loop {
        phase = grow.phase(phase);
        if grow.waiting.is_empty() {
            break;
        }
        // Some grammars go on for ever without getting anywhere.
        let measure = grow.measure();
        in_vain = if measure > most { 0 } else { in_vain + 1 };
        most = most.max(measure);
        if in_vain > PATIENCE {
            phase = Phase::Close;
        }
        let piece = grow.next(phase, choices);
        grow.expand(piece, phase, choices);
    }
    grow.write(choices, text);
}

struct Grow<'g> {
    generator: &'g Generator,
    phases: Phases,
    pieces: Vec<Piece>,
    /// Pieces that can be expanded.
    waiting: Vec<u32>,
    /// Bytes of the shortest text that can come of all pieces.
    least: u64,
    /// Where names begin, while the text is written.
    expected: Vec<usize>,
}

impl Grow<'_> {
    /// Takes a piece to expand. In which order pieces are closed makes no difference to the text.
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

    /// What the phases are about.
    fn measure(&self) -> u64 {
        match self.phases {
            Phases::Nonterminals(_) => self.waiting.len() as u64,
            Phases::Bytes(_) => self.least,
        }
    }

    /// Phases follow each other and do not come back.
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

    /// Adds a piece behind another one.
    fn insert(&mut self, after: u32, what: What) -> u32 {
        let new = self.pieces.len() as u32;
        let next = self.pieces[after as usize].next;
        self.pieces.push(Piece { what, next });
        self.pieces[after as usize].next = new;
        new
    }

    fn symbol(&mut self, after: u32, id: SymbolId, choices: &mut Choices) -> u32 {
        let facts = self.generator.grammar.facts();
        match &self.generator.grammar.symbol(id).kind {
            SymbolKind::Rule(body) => {
                self.least += facts.min_length(id).unwrap_or(0);
                let new = self.insert(after, What::Rule(*body));
                self.waiting.push(new);
                new
            }
            SymbolKind::Class(set) => {
                self.least += 1;
                let at = choices.choose(set.len(), 0);
                self.insert(after, What::Byte(set.iter().nth(at).unwrap_or(0)))
            }
            SymbolKind::Literal(bytes) => {
                self.least += bytes.len() as u64;
                self.insert(after, What::Terminal(id))
            }
            // A token is a rule that nobody sees.
            SymbolKind::Pattern(body) => {
                self.least += facts.min_length(id).unwrap_or(0);
                let new = self.insert(after, What::Rule(*body));
                self.waiting.push(new);
                new
            }
            SymbolKind::External => after,
        }
    }

    fn expand(&mut self, piece: u32, phase: Phase, choices: &mut Choices) {
        let generator = self.generator;
        let facts = generator.grammar.facts();
        let what = std::mem::replace(&mut self.pieces[piece as usize].what, What::Nothing);
        match what {
            What::Rule(body) => {
                self.least -= facts.expr_min_length(body).unwrap_or(0);
                self.expr(piece, body, phase, choices);
            }
            What::More(id, done) => {
                let Expr::Repeat(repeat) = generator.grammar.expr(id) else {
                    return;
                };
                let again = match phase {
                    Phase::Close => false,
                    Phase::Grow => true,
                    Phase::Anything => limit::take(generator.weights.of(id), choices),
                };
                if !again {
                    return;
                }
                let mut at = piece;
                if let Some(separator) = repeat.separator.filter(|_| done > 0) {
                    at = self.expr(at, separator, phase, choices);
                }
                at = self.expr(at, repeat.body, phase, choices);
                self.more(at, id, done + 1);
            }
            other => self.pieces[piece as usize].what = other,
        }
    }

    /// A repetition that may go on, if it may.
    fn more(&mut self, after: u32, id: ExprId, done: u32) -> u32 {
        let Expr::Repeat(repeat) = self.generator.grammar.expr(id) else {
            return after;
        };
        let full = repeat.max.is_some_and(|max| done >= max);
        if full || !self.generator.usable(repeat.body) {
            return after;
        }
        let new = self.insert(after, What::More(id, done));
        self.waiting.push(new);
        new
    }

    /// Puts the pieces of an expression behind another piece; the last one. Recursion is over the
    /// nesting of one rule's body, which readers bound.
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
                        let most = costs.most(id);
                        let weights = generator.weights.of(id);
                        let weighted = most.iter().map(|&i| weights.get(i as usize).copied());
                        let weighted = weighted.map(|weight| weight.unwrap_or(1.0));
                        most[choices.choose_weighted(weighted, 0)]
                    }
                    Phase::Close => few[choices.choose(few.len(), 0)],
                };
                self.expr(after, members[index as usize], phase, choices)
            }
            Expr::Optional(body) => {
                let taken = generator.usable(body)
                    && match phase {
                        Phase::Grow => true,
                        Phase::Close => false,
                        Phase::Anything => limit::take(generator.weights.of(id), choices),
                    };
                match taken {
                    true => self.expr(after, body, phase, choices),
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
                    let start = self.insert(after, What::DefineFrom);
                    let end = self.expr(start, body, phase, choices);
                    self.insert(end, What::Define(name))
                }
                Scope::Commits(name) => {
                    let end = self.expr(after, body, phase, choices);
                    self.insert(end, What::Commit(name))
                }
                // Which names there are is known when the text is written.
                Scope::Uses { name, otherwise } => {
                    let expr = otherwise.unwrap_or(body);
                    self.least += grammar.facts().expr_min_length(expr).unwrap_or(0);
                    self.insert(after, What::Use { name, expr })
                }
            },
        }
    }

    fn write(&mut self, choices: &mut Choices, text: &mut Vec<u8>) {
        let grammar = &*self.generator.grammar;
        let mut names = Names::of(grammar);
        let mut at = 0;
        while at != END {
            let piece = self.pieces[at as usize];
            match piece.what {
                What::Terminal(id) => {
                    if let SymbolKind::Literal(bytes) = &grammar.symbol(id).kind {
                        text.extend_from_slice(bytes);
                    }
                }
                What::Byte(byte) => text.push(byte),
                What::DefineFrom => self.expected.push(text.len()),
                What::Define(name) => {
                    if let Some(start) = self.expected.pop() {
                        names.define(name, start, text.len());
                    }
                }
                What::Commit(name) => names.commit(name),
                What::Use { name, expr } => {
                    let usable = names.usable(name);
                    if usable.is_empty() {
                        limit::close(self.generator, expr, choices, text);
                    } else {
                        let (start, end) = usable[choices.choose(usable.len(), 0)];
                        text.extend_from_within(start..end);
                    }
                }
                What::Rule(_) | What::More(..) | What::Nothing => {}
            }
            at = piece.next;
        }
    }
}

impl Generator {
    /// One of the alternatives that derive anything, by weight.
    pub(super) fn pick(
        &self,
        weights: &[f32],
        members: &[ExprId],
        default: u32,
        choices: &mut Choices,
    ) -> u32 {
        if weights.is_empty() && self.costs.all_usable {
            return choices.choose(members.len(), default as usize) as u32;
        }
        let weight = |(i, &id): (usize, &ExprId)| match self.usable(id) {
            true => weights.get(i).copied().unwrap_or(1.0),
            false => 0.0,
        };
        let weighted = members.iter().enumerate().map(weight);
        choices.choose_weighted(weighted, default as usize) as u32
    }

    /// Whether an expression derives anything.
    pub(super) fn usable(&self, id: ExprId) -> bool {
        self.costs.all_usable || self.grammar.facts().expr_min_length(id).is_some()
    }
}
