use super::Generator;
use super::names::Names;
use super::spell::Spelling;
use super::take::take;
use super::token_sink::{TokenSink, WrittenPlace};
use crate::choices::Choices;
use nubbin_choices::Label;
use nubbin_grammar::grammar::{Expr, ExprId, NameId, Repeat, Scope, SymbolId, SymbolKind};

/// An entry of the stack of parts that are still to be written.
#[derive(Clone, Copy)]
enum Todo {
    /// An expression, at this depth.
    Expr(ExprId, u32),
    /// A repetition, at this depth, that has had this many iterations.
    More(ExprId, u32, u32),
    /// The end of a name that begins at this offset.
    Defined(NameId, usize),
    Commit(NameId),
    /// The end of the span of a symbol or of one iteration.
    End,
    /// The end of a symbol in which every choice takes the simplest value.
    Open,
    /// The end of the rule or part of the last mark.
    Unmark,
}

/// A place to which a text is cut back if a token cannot be written.
#[derive(Clone, Copy)]
struct Mark {
    begins: Begins,
    /// The number of entries of the stack below those of the rule or part.
    todo: usize,
    place: WrittenPlace,
}

/// The part of the text that begins at a mark.
#[derive(Clone, Copy)]
enum Begins {
    /// A rule that can be written in another way.
    Rule {
        body: ExprId,
        depth: u32,
        /// The number of remaining attempts.
        left: u32,
    },
    /// A part that can be left out.
    Part,
}

/// The output of a generator.
enum Writing<'a> {
    /// The bytes of the terminals.
    Bytes,
    /// Tokens that the lexer must recognize in the text.
    Tokens(&'a mut dyn TokenSink),
    /// The bytes of one token.
    Spelling(&'a Spelling),
}

/// The number of times that a rule is written again before the rule around it is.
const TRIES: u32 = 3;

/// The number of times that rules of one text are written again, for each 16 bytes of it and in
/// addition to that.
const MOST_TRIES: usize = 500;

/// The number of levels of lexer rules that are expanded freely.
const SPELLED_LEVELS: u32 = 8;

/// Writes a symbol at the end of `text`.
pub(super) fn run(
    generator: &Generator,
    symbol: SymbolId,
    max_depth: u32,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) {
    let mut limit = Limit::new(generator, Writing::Bytes, max_depth.saturating_add(1));
    limit.symbol(symbol, 0, choices, text);
    limit.drain(choices, text);
}

/// Writes an expression with the flattest alternatives, during another run.
pub(super) fn close(
    generator: &Generator,
    expr: ExprId,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) {
    let mut limit = Limit::new(generator, Writing::Bytes, 0);
    limit.todo.push(Todo::Expr(expr, 1));
    limit.drain(choices, text);
}

/// Appends a text of an expression of lexer rules.
pub(super) fn spell(
    generator: &Generator,
    spelling: &Spelling,
    expr: ExprId,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) {
    let mut limit = Limit::new(generator, Writing::Spelling(spelling), SPELLED_LEVELS);
    limit.todo.push(Todo::Expr(expr, 1));
    limit.drain(choices, text);
}

/// Writes tokens of a symbol at the end of `text`. Returns whether the lexer reads them again; if
/// not, nothing is written.
pub(super) fn run_tokens(
    generator: &Generator,
    symbol: SymbolId,
    max_depth: u32,
    writer: &mut dyn TokenSink,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) -> bool {
    let levels = max_depth.saturating_add(1);
    let mut limit = Limit::new(generator, Writing::Tokens(writer), levels);
    limit.symbol(symbol, 0, choices, text);
    limit.drain(choices, text)
}

/// Writes the tokens of a rule that has been entered, during another run, like [`run_tokens`].
pub(super) fn rewrite(
    generator: &Generator,
    rule: SymbolId,
    levels: u32,
    writer: &mut dyn TokenSink,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) -> bool {
    let mut limit = Limit::new(generator, Writing::Tokens(writer), levels);
    if let Some(body) = generator.grammar.body(rule) {
        limit.rule(body, 1, text);
    }
    limit.drain(choices, text)
}

struct Limit<'a, 'g> {
    generator: &'g Generator,
    writing: Writing<'a>,
    /// The number of levels of rules that are expanded freely.
    free_levels: u32,
    names: Names,
    todo: Vec<Todo>,
    /// The rules that are open, if the text consists of tokens.
    marks: Vec<Mark>,
    /// The number of times that a rule was written again.
    tries: usize,
    /// The number of tokens (terminals) that were written, also those that were cut off again.
    tokens: u64,
}

impl<'a, 'g> Limit<'a, 'g> {
    fn new(generator: &'g Generator, writing: Writing<'a>, free_levels: u32) -> Self {
        Limit {
            generator,
            names: Names::of(&generator.grammar),
            writing,
            free_levels,
            todo: vec![],
            marks: vec![],
            tries: 0,
            tokens: 0,
        }
    }

    /// Writes everything on the stack. Returns whether the lexer recognizes it.
    fn drain(&mut self, choices: &mut Choices, text: &mut Vec<u8>) -> bool {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Expr(id, depth) => {
                    if !self.expr(id, depth, choices, text) && !self.again(choices, text) {
                        return false;
                    }
                }
                Todo::More(id, depth, done) => self.more(id, depth, done, choices, text),
                Todo::Defined(name, start) => self.names.define(name, start, text.len()),
                Todo::Commit(name) => self.names.commit(name),
                Todo::End => choices.end(),
                Todo::Open => choices.open(),
                Todo::Unmark => {
                    let begins = self.marks.pop().map(|mark| mark.begins);
                    if let (Writing::Tokens(writer), Some(Begins::Rule { .. })) =
                        (&mut self.writing, begins)
                    {
                        writer.leave();
                    }
                }
            }
        }
        true
    }

    /// Returns to the beginning of a part to omit the part, or of a rule to write it in another
    /// way. Returns `false` if there is neither.
    fn again(&mut self, choices: &mut Choices, text: &mut Vec<u8>) -> bool {
        let Writing::Tokens(writer) = &mut self.writing else {
            return true;
        };
        while let Some(mark) = self.marks.last_mut() {
            writer.cut(mark.place, text);
            while self.todo.len() > mark.todo {
                match self.todo.pop() {
                    Some(Todo::End) => choices.end(),
                    Some(Todo::Open) => choices.open(),
                    _ => {}
                }
            }
            match &mut mark.begins {
                Begins::Part => {
                    self.marks.pop();
                    return true;
                }
                Begins::Rule { body, depth, left }
                    if *left > 0 && self.tries < MOST_TRIES + text.len() / 16 =>
                {
                    *left -= 1;
                    self.tries += 1;
                    self.todo.push(Todo::Unmark);
                    self.todo.push(Todo::Expr(*body, *depth));
                    return true;
                }
                Begins::Rule { .. } => {
                    self.marks.pop();
                }
            }
        }
        false
    }

    /// Begins a rule or a part, below which the stack has `todo` entries.
    fn mark(&mut self, begins: Begins, todo: usize, text: &[u8]) {
        if let Writing::Tokens(writer) = &self.writing {
            self.marks.push(Mark {
                begins,
                todo,
                place: writer.place(text),
            });
            self.todo.push(Todo::Unmark);
        }
    }

    /// Begins a rule that has been entered.
    fn rule(&mut self, body: ExprId, depth: u32, text: &[u8]) {
        let begins = Begins::Rule {
            body,
            depth,
            left: TRIES,
        };
        self.mark(begins, self.todo.len(), text);
        self.todo.push(Todo::Expr(body, depth));
    }

    /// Returns whether the text takes the flattest alternatives at the given depth.
    fn is_closing(&self, depth: u32) -> bool {
        let is_full = self.tokens >= self.generator.max_tokens;
        depth > self.free_levels || (is_full && !matches!(self.writing, Writing::Spelling(_)))
    }

    /// Writes a symbol, or puts it onto the stack. Returns whether it was possible.
    fn symbol(
        &mut self,
        id: SymbolId,
        depth: u32,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        let kind = &self.generator.grammar.symbol(id).kind;
        self.tokens += u64::from(!matches!(kind, SymbolKind::Rule(_)));
        match (kind, &mut self.writing) {
            (SymbolKind::Rule(body), _) => {
                if choices.is_recording() {
                    choices.begin(Label(id.index() as u64));
                    self.todo.push(Todo::End);
                }
                if let Writing::Tokens(writer) = &mut self.writing {
                    writer.enter(id);
                }
                self.rule(*body, depth + 1, text);
            }
            (_, Writing::Tokens(writer)) => return writer.token(id, choices, text),
            (SymbolKind::Pattern(body), Writing::Bytes) => {
                self.todo.push(Todo::Expr(*body, depth));
            }
            (SymbolKind::Pattern(body), Writing::Spelling(_)) => {
                self.todo.push(Todo::Expr(*body, depth + 1));
            }
            (SymbolKind::Literal(bytes), _) => text.extend_from_slice(bytes),
            (SymbolKind::Class(_), Writing::Spelling(spelling)) => {
                text.extend(spelling.byte(id, choices));
            }
            (SymbolKind::Class(set), _) => {
                let at = choices.choose(set.len(), 0);
                text.extend(set.iter().nth(at));
            }
            (SymbolKind::External, _) => {}
        }
        true
    }

    /// Writes an expression, or puts its parts onto the stack. Returns whether it was possible.
    fn expr(&mut self, id: ExprId, depth: u32, choices: &mut Choices, text: &mut Vec<u8>) -> bool {
        let generator = self.generator;
        let grammar = &*generator.grammar;
        let closing = self.is_closing(depth);
        match grammar.expr(id) {
            Expr::Empty => {}
            Expr::Symbol { symbol, .. } => return self.symbol(symbol, depth, choices, text),
            Expr::Sequence(list) => {
                let members = grammar.list(list).iter().rev();
                self.todo.extend(members.map(|&id| Todo::Expr(id, depth)));
            }
            Expr::Choice(list) => {
                let members = grammar.list(list);
                let flattest = generator.costs.flattest(id);
                if choices.says_default() {
                    choices.close();
                    self.todo.push(Todo::Open);
                }
                let weights = generator.weights.of(id);
                let index = match &self.writing {
                    Writing::Spelling(spelling) if !spelling.ascii(id).is_empty() && !closing => {
                        choices.choose_favoring(members.len(), spelling.ascii(id)) as u32
                    }
                    _ if closing => match generator.learned(id, choices) {
                        Some(index) => index,
                        None => choices.choose_among(members.len(), flattest) as u32,
                    },
                    _ => {
                        let default = flattest.first().copied().unwrap_or(0);
                        generator.pick(weights, members, default, choices)
                    }
                };
                self.todo.push(Todo::Expr(members[index as usize], depth));
            }
            Expr::Optional(body) => {
                let weights = generator.weights.of(id);
                let may = !closing && generator.usable(body);
                if take_if(may, weights, choices) {
                    self.mark(Begins::Part, self.todo.len(), text);
                    self.todo.push(Todo::Expr(body, depth));
                }
            }
            Expr::Repeat(_) => self.todo.push(Todo::More(id, depth, 0)),
            Expr::Precedence { body, .. } => self.todo.push(Todo::Expr(body, depth)),
            Expr::Scoped { body, scope } => match scope {
                Scope::Defines(name) => {
                    self.todo.push(Todo::Defined(name, text.len()));
                    self.todo.push(Todo::Expr(body, depth));
                }
                Scope::Commits(name) => {
                    self.todo.push(Todo::Commit(name));
                    self.todo.push(Todo::Expr(body, depth));
                }
                Scope::Uses { name, otherwise } => {
                    let usable = self.names.usable(name);
                    if !usable.is_empty() {
                        let (start, end) = usable[choices.choose(usable.len(), 0)];
                        text.extend_from_within(start..end);
                    } else {
                        let body = otherwise.unwrap_or(body);
                        self.todo.push(Todo::Expr(body, depth));
                    }
                }
            },
        }
        true
    }

    fn more(&mut self, id: ExprId, depth: u32, done: u32, choices: &mut Choices, text: &[u8]) {
        let Expr::Repeat(repeat) = self.generator.grammar.expr(id) else {
            return;
        };
        let Repeat {
            body,
            min,
            max,
            separator,
        } = repeat;
        let generator = self.generator;
        if done >= min && max.is_some_and(|max| done >= max) {
            return;
        }
        let may = !self.is_closing(depth) && generator.usable(body);
        let spans = choices.is_recording();
        if spans {
            choices.begin(Label(1 << 32 | id.index() as u64));
        }
        if done >= min && !take_if(may, generator.weights.of(id), choices) {
            choices.withdraw();
            return;
        }
        // A repetition ends with an iteration that is left out.
        let below = self.todo.len();
        self.todo.push(Todo::More(id, depth, done + 1));
        if spans {
            self.todo.push(Todo::End);
        }
        if done >= min {
            self.mark(Begins::Part, below, text);
        }
        self.todo.push(Todo::Expr(body, depth));
        if let Some(separator) = separator.filter(|_| done > 0) {
            self.todo.push(Todo::Expr(separator, depth));
        }
    }
}

/// Decides whether to take an optional part that may be forbidden here.
///
/// A forbidden part is recorded like a choice, so that the choices after it keep their meaning
/// where the part is allowed.
fn take_if(may: bool, weights: &[f32], choices: &mut Choices) -> bool {
    match may {
        true => take(weights, choices),
        false => choices.choose_among(2, &[1]) == 0,
    }
}
