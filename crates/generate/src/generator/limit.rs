use super::Generator;
use super::names::Names;
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
}

/// Writes a symbol at the end of `text`.
pub(super) fn run(
    generator: &Generator,
    symbol: SymbolId,
    max_depth: u32,
    choices: &mut Choices,
    text: &mut Vec<u8>,
) {
    let mut limit = Limit {
        generator,
        free_levels: max_depth.saturating_add(1),
        names: Names::of(&generator.grammar),
        todo: vec![],
    };
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
    let mut limit = Limit {
        generator,
        free_levels: 0,
        names: Names::of(&generator.grammar),
        todo: vec![Todo::Expr(expr, 1)],
    };
    limit.drain(choices, text);
}

struct Limit<'g> {
    generator: &'g Generator,
    /// The number of levels of rules that are expanded freely.
    free_levels: u32,
    names: Names,
    todo: Vec<Todo>,
}

impl Limit<'_> {
    fn drain(&mut self, choices: &mut Choices, text: &mut Vec<u8>) {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Expr(id, depth) => self.expr(id, depth, choices, text),
                Todo::More(id, depth, done) => self.more(id, depth, done, choices),
                Todo::Defined(name, start) => self.names.define(name, start, text.len()),
                Todo::Commit(name) => self.names.commit(name),
                Todo::End => choices.end(),
                Todo::Open => choices.open(),
            }
        }
    }

    fn symbol(&mut self, id: SymbolId, depth: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        match &self.generator.grammar.symbol(id).kind {
            SymbolKind::Rule(body) => {
                if choices.is_recording() {
                    choices.begin(Label(id.index() as u64));
                    self.todo.push(Todo::End);
                }
                self.todo.push(Todo::Expr(*body, depth + 1));
            }
            SymbolKind::Pattern(body) => self.todo.push(Todo::Expr(*body, depth)),
            SymbolKind::Literal(bytes) => text.extend_from_slice(bytes),
            SymbolKind::Class(set) => {
                let at = choices.choose(set.len(), 0);
                text.extend(set.iter().nth(at));
            }
            SymbolKind::External => {}
        }
    }

    fn expr(&mut self, id: ExprId, depth: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        let generator = self.generator;
        let grammar = &*generator.grammar;
        let closing = depth > self.free_levels;
        match grammar.expr(id) {
            Expr::Empty => {}
            Expr::Symbol { symbol, .. } => self.symbol(symbol, depth, choices, text),
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
                let index = if closing {
                    choices.choose_among(members.len(), flattest) as u32
                } else {
                    let default = flattest[0];
                    generator.pick(weights, members, default, choices)
                };
                self.todo.push(Todo::Expr(members[index as usize], depth));
            }
            Expr::Optional(body) => {
                let weights = generator.weights.of(id);
                let may = !closing && generator.usable(body);
                if take_if(may, weights, choices) {
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
    }

    fn more(&mut self, id: ExprId, depth: u32, done: u32, choices: &mut Choices) {
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
        let may = depth <= self.free_levels && generator.usable(body);
        let spans = choices.is_recording();
        if spans {
            choices.begin(Label(1 << 32 | id.index() as u64));
        }
        if done >= min && !take_if(may, generator.weights.of(id), choices) {
            choices.withdraw();
            return;
        }
        self.todo.push(Todo::More(id, depth, done + 1));
        if spans {
            self.todo.push(Todo::End);
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

/// Decides whether to take an optional part. The index 0 in a recording takes it; not to take it is
/// simpler.
pub(super) fn take(weights: &[f32], choices: &mut Choices) -> bool {
    let index = match weights {
        [] => choices.choose(2, 1),
        weights => choices.choose_weighted(weights.iter().copied(), 1),
    };
    index == 0
}
