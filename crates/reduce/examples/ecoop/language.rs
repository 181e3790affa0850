//! parser: what is printed is read as something else where `And` and `Or` are, because the reader
//! puts their parts the wrong way round and reads every `Or` as `And`.

use nubbin_choices::Alphabet;
use nubbin_generate::Choices;
use std::sync::{Arc, LazyLock};

#[derive(Debug)]
pub(super) struct Program {
    modules: Vec<Module>,
    functions: Vec<Function>,
}

#[derive(Debug)]
struct Module {
    imports: Vec<Arc<str>>,
    exports: Vec<Arc<str>>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "as the program")]
struct Function {
    name: Arc<str>,
    arguments: Vec<Exp>,
    statements: Vec<Statement>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "as the program")]
enum Statement {
    Return(Exp),
    Assign(Arc<str>, Exp),
    Alloc(Arc<str>, Exp),
}

#[derive(Clone, Debug, PartialEq)]
enum Exp {
    Bool(bool),
    Int(i64),
    Not(Box<Exp>),
    /// Not, And, Or, Add, Sub, Mul, Div by their number.
    Two(&'static str, Box<[Exp; 2]>),
}

const NO_END: u32 = u32::MAX;
const OPERATORS: [&str; 7] = ["Not", "And", "Or", "Add", "Sub", "Mul", "Div"];
const WEIGHTS: [f32; 7] = [10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0];

fn name(choices: &mut Choices) -> Arc<str> {
    static LETTERS: LazyLock<Arc<Alphabet>> =
        LazyLock::new(|| Arc::new(Alphabet::new(('0'..='9').chain('a'..='z').chain('A'..='Z'))));
    choices.text(&LETTERS, 1..=NO_END)
}

pub(super) fn make(choices: &mut Choices) -> Program {
    let modules = choices.list(0..=NO_END, |choices| Module {
        imports: choices.list(0..=NO_END, name),
        exports: choices.list(0..=NO_END, name),
    });
    let functions = choices.list(0..=NO_END, |choices| Function {
        name: name(choices),
        arguments: choices.list(0..=NO_END, |choices| exp(choices, None)),
        statements: choices.list(0..=NO_END, statement),
    });
    Program { modules, functions }
}

fn statement(choices: &mut Choices) -> Statement {
    match choices.choose(3, 0) {
        0 => Statement::Return(exp(choices, None)),
        1 => Statement::Assign(name(choices), exp(choices, None)),
        _ => Statement::Alloc(name(choices), exp(choices, None)),
    }
}

fn exp(choices: &mut Choices, depth: Option<i64>) -> Exp {
    choices.span("exp", |choices| {
        let depth = depth.unwrap_or_else(|| choices.integer(0..=100));
        if depth <= 0 {
            return match choices.choose(2, 0) {
                0 => Exp::Bool(choices.boolean()),
                _ => Exp::Int(choices.any_integer()),
            };
        }
        let below = Some(choices.integer(0..=depth - 1));
        match choices.choose_weighted(WEIGHTS.into_iter(), 0) {
            0 => Exp::Not(Box::new(exp(choices, below))),
            operator => {
                let parts = [exp(choices, below), exp(choices, below)];
                Exp::Two(OPERATORS[operator], Box::new(parts))
            }
        }
    })
}

/// Returns the result of reading the printed text.
fn read(exp: &Exp) -> Exp {
    match exp {
        Exp::Bool(_) | Exp::Int(_) => exp.clone(),
        Exp::Not(part) => Exp::Not(Box::new(read(part))),
        Exp::Two(operator, parts) => {
            let (left, right) = (read(&parts[0]), read(&parts[1]));
            match *operator {
                "And" | "Or" => Exp::Two("And", Box::new([right, left])),
                operator => Exp::Two(operator, Box::new([left, right])),
            }
        }
    }
}

fn expressions(program: &Program) -> impl Iterator<Item = &Exp> {
    program.functions.iter().flat_map(|function| {
        let in_statements = function.statements.iter().map(|statement| match statement {
            Statement::Return(exp) | Statement::Assign(_, exp) | Statement::Alloc(_, exp) => exp,
        });
        function.arguments.iter().chain(in_statements)
    })
}

pub(super) fn fails(program: &Program) -> bool {
    expressions(program).any(|exp| read(exp) != *exp)
}

pub(super) fn size(program: &Program) -> usize {
    fn of(exp: &Exp) -> usize {
        match exp {
            Exp::Bool(_) | Exp::Int(_) => 1,
            Exp::Not(part) => 1 + of(part),
            Exp::Two(_, parts) => 1 + of(&parts[0]) + of(&parts[1]),
        }
    }
    let names = |module: &Module| module.imports.len() + module.exports.len();
    let statements: usize = program.functions.iter().map(|f| f.statements.len()).sum();
    program.modules.iter().map(names).sum::<usize>()
        + statements
        + expressions(program).map(of).sum::<usize>()
}
