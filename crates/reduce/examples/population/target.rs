//! The fuzzed program: an interpreter of a small language, which records the places that it
//! reaches.
//!
//! Statements are `name = expression`, `print expression`, `if expression { … } else { … }`, `while
//! expression { … }` and expressions; expressions have numbers, strings, names, calls of `min`,
//! `len` and `abs`, and the usual operators. It fails on some rare things, as programs do.

use std::collections::{BTreeMap, HashSet};

/// The end of a run, the places that it reached, and its time.
pub(crate) struct Seen {
    pub(crate) outcome: String,
    /// Pairs of places that were reached one after the other.
    pub(crate) edges: HashSet<u64>,
    /// Places that were reached: what a run takes.
    pub(crate) steps: u64,
}

/// The reason why a program ends early.
enum End {
    /// It is none, or does something that is not allowed.
    Error(&'static str),
    /// The interpreter breaks.
    Bug(&'static str),
}

type Done<T> = Result<T, End>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i64),
    Text(String),
    Name(String),
    Sign(u8),
    End,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(i64),
    Text(String),
}

#[derive(Default)]
struct Trace {
    last: u64,
    edges: HashSet<u64>,
    steps: u64,
}

impl Trace {
    fn at(&mut self, place: u32) {
        let place = u64::from(place);
        self.edges.insert(self.last << 32 | place);
        self.last = place;
        self.steps += 1;
    }
}

/// Notes that this line was reached.
macro_rules! reach {
    ($trace:expr) => {
        $trace.at(line!())
    };
}

/// Runs a program.
pub(crate) fn run(text: &[u8]) -> Seen {
    let mut trace = Trace::default();
    let outcome = match program(text, &mut trace) {
        Ok(()) => "exit code 0".to_owned(),
        Err(End::Error(what)) => format!("exit code 1, {what}"),
        Err(End::Bug(what)) => format!("signal: {what}"),
    };
    Seen {
        outcome,
        edges: trace.edges,
        steps: trace.steps,
    }
}

fn program(text: &[u8], trace: &mut Trace) -> Done<()> {
    let tokens = tokens(text, trace)?;
    let mut machine = Machine {
        tokens,
        at: 0,
        names: BTreeMap::new(),
        depth: 0,
        trace,
    };
    while *machine.token() != Token::End {
        machine.statement(true)?;
    }
    Ok(())
}

fn tokens(text: &[u8], trace: &mut Trace) -> Done<Vec<Token>> {
    let mut tokens = vec![];
    let mut rest = text;
    while let Some((&first, more)) = rest.split_first() {
        match first {
            b' ' | b'\n' | b'\t' => {
                reach!(trace);
                rest = more;
            }
            b'#' => {
                reach!(trace);
                let end = rest.iter().position(|&byte| byte == b'\n');
                // A comment is read byte by byte.
                trace.steps += end.unwrap_or(rest.len()) as u64;
                rest = &rest[end.unwrap_or(rest.len())..];
            }
            b'0'..=b'9' => {
                reach!(trace);
                let mut number: i64 = 0;
                while let Some((digit @ b'0'..=b'9', more)) = rest.split_first() {
                    number = number
                        .saturating_mul(10)
                        .saturating_add((digit - b'0').into());
                    trace.steps += 1;
                    rest = more;
                }
                if number == i64::MAX {
                    reach!(trace);
                    return Err(End::Bug("number overflow"));
                }
                tokens.push(Token::Number(number));
            }
            b'"' => {
                reach!(trace);
                let (text, more) = string(more, trace)?;
                tokens.push(Token::Text(text));
                rest = more;
            }
            b'a'..=b'z' | b'_' => {
                reach!(trace);
                let is_part = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
                let end = rest.iter().position(|byte| !is_part(byte));
                let (name, more) = rest.split_at(end.unwrap_or(rest.len()));
                trace.steps += name.len() as u64;
                tokens.push(Token::Name(String::from_utf8_lossy(name).into_owned()));
                rest = more;
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'(' | b')' | b'{' | b'}' | b'=' | b'<' | b','
            | b';' | b'!' => {
                trace.at(1000 + u32::from(first));
                tokens.push(Token::Sign(first));
                rest = more;
            }
            _ => {
                reach!(trace);
                return Err(End::Error("a character that is none"));
            }
        }
    }
    tokens.push(Token::End);
    Ok(tokens)
}

/// A string behind its first quote, and what is behind the second.
fn string<'a>(text: &'a [u8], trace: &mut Trace) -> Done<(String, &'a [u8])> {
    let mut rest = text;
    let mut string = String::new();
    loop {
        trace.steps += 1;
        match rest {
            [] => {
                reach!(trace);
                return Err(End::Error("a string without an end"));
            }
            [b'"', more @ ..] => {
                reach!(trace);
                return Ok((string, more));
            }
            [b'\\', b'n', more @ ..] => {
                reach!(trace);
                string.push('\n');
                rest = more;
            }
            [b'\\', b'x', more @ ..] => {
                reach!(trace);
                let Some((&digit, more)) = more.split_first() else {
                    return Err(End::Bug("read behind the end"));
                };
                string.push(digit.into());
                rest = more;
            }
            [b'\\', ..] => {
                reach!(trace);
                return Err(End::Error("no such escape"));
            }
            [byte, more @ ..] => {
                string.push((*byte).into());
                rest = more;
            }
        }
    }
}

struct Machine<'a> {
    tokens: Vec<Token>,
    at: usize,
    names: BTreeMap<String, Value>,
    depth: u32,
    trace: &'a mut Trace,
}

impl Machine<'_> {
    fn token(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
    }

    fn is(&mut self, sign: u8) -> bool {
        let is = *self.token() == Token::Sign(sign);
        self.at += usize::from(is);
        is
    }

    fn need(&mut self, sign: u8, what: &'static str) -> Done<()> {
        match self.is(sign) {
            true => Ok(()),
            false => Err(End::Error(what)),
        }
    }

    /// Reads a statement, and does it where it is the time to.
    fn statement(&mut self, live: bool) -> Done<()> {
        let name = match self.token().clone() {
            Token::Name(name) => name,
            _ => {
                reach!(self.trace);
                self.expression(live)?;
                return self.need(b';', "a statement without an end");
            }
        };
        match name.as_str() {
            "print" => {
                reach!(self.trace);
                self.at += 1;
                if let Value::Text(text) = self.expression(live)? {
                    reach!(self.trace);
                    if live && text.contains("%s") {
                        reach!(self.trace);
                        return Err(End::Bug("format"));
                    }
                }
                self.need(b';', "a print without an end")
            }
            "if" => {
                reach!(self.trace);
                self.at += 1;
                let holds = truth(&self.expression(live)?);
                self.block(live && holds)?;
                if *self.token() == Token::Name("else".into()) {
                    reach!(self.trace);
                    self.at += 1;
                    self.block(live && !holds)?;
                }
                Ok(())
            }
            "while" => {
                reach!(self.trace);
                let start = self.at + 1;
                for turn in 0..20 {
                    self.at = start;
                    let holds = live && turn < 19 && truth(&self.expression(live)?);
                    if !holds {
                        reach!(self.trace);
                        self.at = start;
                        self.expression(false)?;
                    }
                    self.block(holds)?;
                    if !holds {
                        break;
                    }
                    reach!(self.trace);
                }
                Ok(())
            }
            _ if self.tokens.get(self.at + 1) == Some(&Token::Sign(b'=')) => {
                reach!(self.trace);
                self.at += 2;
                let value = self.expression(live)?;
                if live {
                    reach!(self.trace);
                    self.names.insert(name, value);
                }
                self.need(b';', "an assignment without an end")
            }
            _ => {
                reach!(self.trace);
                self.expression(live)?;
                self.need(b';', "a statement without an end")
            }
        }
    }

    fn block(&mut self, live: bool) -> Done<()> {
        self.deeper()?;
        self.need(b'{', "no block")?;
        while !self.is(b'}') {
            if *self.token() == Token::End {
                reach!(self.trace);
                return Err(End::Error("a block without an end"));
            }
            reach!(self.trace);
            self.statement(live)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn deeper(&mut self) -> Done<()> {
        self.depth += 1;
        match self.depth {
            30.. => Err(End::Bug("stack")),
            _ => Ok(()),
        }
    }

    fn expression(&mut self, live: bool) -> Done<Value> {
        let mut left = self.sum(live)?;
        while self.is(b'<') {
            reach!(self.trace);
            let right = self.sum(live)?;
            left = match (left, right) {
                (Value::Number(left), Value::Number(right)) => {
                    reach!(self.trace);
                    Value::Number((left < right).into())
                }
                (Value::Text(left), Value::Text(right)) => {
                    reach!(self.trace);
                    Value::Number((left < right).into())
                }
                _ => {
                    reach!(self.trace);
                    Value::Number(0)
                }
            };
        }
        Ok(left)
    }

    fn sum(&mut self, live: bool) -> Done<Value> {
        let mut left = self.product(live)?;
        loop {
            if self.is(b'+') {
                reach!(self.trace);
                left = match (left, self.product(live)?) {
                    (Value::Number(left), Value::Number(right)) => {
                        reach!(self.trace);
                        Value::Number(left.wrapping_add(right))
                    }
                    (Value::Text(left), Value::Text(right)) => {
                        reach!(self.trace);
                        Value::Text(left + &right)
                    }
                    _ if live => return Err(End::Error("a sum of different things")),
                    (left, _) => left,
                };
            } else if self.is(b'-') {
                reach!(self.trace);
                left = match (left, self.product(live)?) {
                    (Value::Number(left), Value::Number(right)) => {
                        Value::Number(left.wrapping_sub(right))
                    }
                    _ if live => return Err(End::Error("a difference of texts")),
                    (left, _) => left,
                };
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self, live: bool) -> Done<Value> {
        let mut left = self.factor(live)?;
        loop {
            let sign = match *self.token() {
                Token::Sign(sign @ (b'*' | b'/' | b'%')) => sign,
                _ => return Ok(left),
            };
            self.at += 1;
            self.trace.at(2000 + u32::from(sign));
            left = match (left, self.factor(live)?, sign) {
                (Value::Number(left), Value::Number(right), b'*') => {
                    Value::Number(left.wrapping_mul(right))
                }
                (Value::Text(text), Value::Number(times), b'*') => {
                    reach!(self.trace);
                    if live && times < 0 {
                        reach!(self.trace);
                        return Err(End::Bug("negative size"));
                    }
                    Value::Text(text.repeat(times.clamp(0, 3) as usize))
                }
                (Value::Number(_), Value::Number(0), b'%') if live => {
                    reach!(self.trace);
                    return Err(End::Bug("division"));
                }
                (Value::Number(_), Value::Number(0), _) if live => {
                    reach!(self.trace);
                    return Err(End::Error("a division by zero"));
                }
                (Value::Number(left), Value::Number(right), b'/') => {
                    Value::Number(left.wrapping_div(right.max(1)))
                }
                (Value::Number(left), Value::Number(right), _) => {
                    Value::Number(left.wrapping_rem(right.max(1)))
                }
                _ if live => return Err(End::Error("a product of texts")),
                (left, ..) => left,
            };
        }
    }

    fn factor(&mut self, live: bool) -> Done<Value> {
        let token = self.token().clone();
        self.at += 1;
        match token {
            Token::Number(number) => {
                reach!(self.trace);
                Ok(Value::Number(number))
            }
            Token::Text(text) => {
                reach!(self.trace);
                Ok(Value::Text(text))
            }
            Token::Name(name) if *self.token() == Token::Sign(b'(') => {
                self.at += 1;
                self.call(&name, live)
            }
            Token::Name(name) => {
                reach!(self.trace);
                match self.names.get(&name) {
                    Some(value) => Ok(value.clone()),
                    None if live => Err(End::Error("a name that is not known")),
                    None => Ok(Value::Number(0)),
                }
            }
            Token::Sign(b'-') => {
                reach!(self.trace);
                match self.factor(live)? {
                    Value::Number(number) => Ok(Value::Number(number.wrapping_neg())),
                    Value::Text(_) if live => Err(End::Error("a negative text")),
                    text => Ok(text),
                }
            }
            Token::Sign(b'!') => {
                reach!(self.trace);
                let value = self.factor(live)?;
                Ok(Value::Number((!truth(&value)).into()))
            }
            Token::Sign(b'(') => {
                reach!(self.trace);
                self.deeper()?;
                let value = self.expression(live)?;
                self.depth -= 1;
                self.need(b')', "a parenthesis without an end")?;
                Ok(value)
            }
            _ => {
                reach!(self.trace);
                Err(End::Error("no expression"))
            }
        }
    }

    fn call(&mut self, name: &str, live: bool) -> Done<Value> {
        let mut arguments = vec![];
        while !self.is(b')') {
            arguments.push(self.expression(live)?);
            reach!(self.trace);
            if !self.is(b',') && *self.token() != Token::Sign(b')') {
                return Err(End::Error("a call without an end"));
            }
        }
        match (name, &arguments[..]) {
            ("len", [Value::Text(text)]) => {
                reach!(self.trace);
                Ok(Value::Number(text.len() as i64))
            }
            ("abs", [Value::Number(number)]) => {
                reach!(self.trace);
                Ok(Value::Number(number.wrapping_abs()))
            }
            ("min", [Value::Number(first), Value::Number(second)]) => {
                reach!(self.trace);
                Ok(Value::Number(*first.min(second)))
            }
            ("min", []) if live => {
                reach!(self.trace);
                Err(End::Bug("the least of nothing"))
            }
            _ if live => {
                reach!(self.trace);
                Err(End::Error("no such function"))
            }
            _ => Ok(Value::Number(0)),
        }
    }
}

fn truth(value: &Value) -> bool {
    match value {
        Value::Number(number) => *number != 0,
        Value::Text(text) => !text.is_empty(),
    }
}
