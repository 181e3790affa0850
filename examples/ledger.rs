//! Double-entry bookkeeping: a small text format, an in-memory ledger, prices, reports,
//! CSV import and an undo journal, using nothing but the standard library.
//!
//! The text format is line based:
//!
//! ```text
//! commodity EUR 2
//! account Assets:Bank
//! account Expenses:Rent
//! price 2024-01-01 USD 0.92 EUR
//! let base = 800
//! txn 2024-01-03 "Rent for January"
//!   Expenses:Rent (base * 1.05) EUR
//!   Assets:Bank
//! end
//! ```

#![warn(unused_must_use)]

use std::collections::BTreeMap;
use std::fmt;

pub use account::{AccountKind, AccountTree};
pub use decimal::Decimal;
pub use ledger::{Ledger, Posting, Transaction};

/// Returns early with an error unless the condition holds.
macro_rules! ensure {
    ($cond:expr, $err:expr $(,)?) => {
        if !$cond {
            return Err($err.into());
        }
    };
}

/// Declares a plain enum together with its name table, `Display` and `FromStr`.
macro_rules! keyword_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($variant:ident => $text:literal),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text),+
                }
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::Error;
            fn from_str(s: &str) -> ::std::result::Result<Self, Self::Err> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|k| k.as_str().eq_ignore_ascii_case(s))
                    .ok_or_else(|| $crate::Error::Unknown(stringify!($name), s.to_owned()))
            }
        }
    };
}

/// Declares a key type for an arena.
macro_rules! key_type {
    ($($name:ident),+ $(,)?) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl arena::Key for $name {
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("too many items"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

key_type!(AccountId, CommodityId, TxnId);

/// A line and column in the source text, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pos(pub u32, pub u32);

/// Everything that can go wrong in this crate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    Syntax(Pos, String),
    BadNumber(String),
    Unbalanced(String),
    Overflow,
    DivisionByZero,
    Unknown(&'static str, String),
    Duplicate(&'static str, String),
}
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn syntax(pos: Pos, message: impl Into<String>) -> Self {
        Error::Syntax(pos, message.into())
    }
    fn unknown(what: &'static str, name: &str) -> Self {
        Error::Unknown(what, name.to_owned())
    }
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(pos, message) => write!(f, "{}:{}: {message}", pos.0, pos.1),
            Error::BadNumber(s) => write!(f, "`{s}` is not a number"),
            Error::Unbalanced(by) => write!(f, "transaction is off by {by}"),
            Error::Overflow => f.write_str("arithmetic overflow"),
            Error::DivisionByZero => f.write_str("division by zero"),
            Error::Unknown(what, name) => write!(f, "unknown {what} `{name}`"),
            Error::Duplicate(what, name) => write!(f, "{what} `{name}` already exists"),
        }
    }
}
impl std::error::Error for Error {}

/// Exact decimal arithmetic with six fractional digits.
pub mod decimal {
    use super::{Error, Result};
    use std::fmt;
    use std::ops::{Add, Neg};
    use std::str::FromStr;

    const DIGITS: usize = 6;
    const SCALE: i128 = 1_000_000;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Decimal(i128);

    impl Decimal {
        pub const ZERO: Decimal = Decimal(0);
        pub const ONE: Decimal = Decimal(SCALE);

        pub const fn is_zero(self) -> bool {
            self.0 == 0
        }
        pub fn checked_mul(self, rhs: Self) -> Result<Self> {
            let wide = self.0.checked_mul(rhs.0).ok_or(Error::Overflow)?;
            Ok(Decimal(div_round(wide, SCALE)))
        }
        pub fn checked_div(self, rhs: Self) -> Result<Self> {
            ensure!(!rhs.is_zero(), Error::DivisionByZero);
            let wide = self.0.checked_mul(SCALE).ok_or(Error::Overflow)?;
            Ok(Decimal(div_round(wide, rhs.0)))
        }
        /// Rounds half away from zero to `places` fractional digits.
        pub fn round_to(self, places: u8) -> Self {
            let places = usize::from(places).min(DIGITS);
            let unit = 10i128.pow((DIGITS - places) as u32);
            Decimal(div_round(self.0, unit) * unit)
        }
    }
    fn div_round(n: i128, d: i128) -> i128 {
        let (q, r) = (n / d, n % d);
        if r.abs() * 2 >= d.abs() {
            q + n.signum() * d.signum()
        } else {
            q
        }
    }
    impl FromStr for Decimal {
        type Err = Error;
        fn from_str(s: &str) -> Result<Self> {
            let bad = || Error::BadNumber(s.to_owned());
            let (negative, body) = match s.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, s.strip_prefix('+').unwrap_or(s)),
            };
            let (whole, frac) = body.split_once('.').unwrap_or((body, ""));
            ensure!(!(whole.is_empty() && frac.is_empty()), bad());
            ensure!(frac.len() <= DIGITS, bad());
            let mut value: i128 = 0;
            let digits = whole.chars().filter(|c| *c != ',' && *c != '_');
            for c in digits.chain(frac.chars()) {
                let digit = c.to_digit(10).ok_or_else(bad)?;
                value = value
                    .checked_mul(10)
                    .and_then(|v| v.checked_add(i128::from(digit)))
                    .ok_or(Error::Overflow)?;
            }
            let shift = 10i128.pow((DIGITS - frac.len()) as u32);
            let value = value.checked_mul(shift).ok_or(Error::Overflow)?;
            Ok(Decimal(if negative { -value } else { value }))
        }
    }
    impl fmt::Display for Decimal {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let whole = (self.0 / SCALE).abs();
            let frac = format!("{:06}", (self.0 % SCALE).abs());
            let p = f.precision().unwrap_or(DIGITS).clamp(1, DIGITS);
            let text = format!("{whole}.{}", &frac[..p]);
            f.pad_integral(self.0 >= 0, "", &text)
        }
    }
    impl Add for Decimal {
        type Output = Decimal;
        fn add(self, rhs: Decimal) -> Decimal {
            Decimal(self.0 + rhs.0)
        }
    }
    impl Neg for Decimal {
        type Output = Decimal;
        fn neg(self) -> Decimal {
            Decimal(-self.0)
        }
    }
}

/// Calendar dates in the proleptic Gregorian calendar.
pub mod date {
    use super::{Error, Result};
    use std::str::FromStr;
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Date {
        year: u16,
        month: u8,
        day: u8,
    }
    impl Date {
        pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
            let valid = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
            valid.then_some(Date { year, month, day })
        }
    }
    fn days_in(year: u16, month: u8) -> u8 {
        match month {
            4 | 6 | 9 | 11 => 30,
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            _ => 31,
        }
    }
    impl FromStr for Date {
        type Err = Error;
        fn from_str(s: &str) -> Result<Self> {
            let parts: Vec<u16> = s.splitn(3, '-').flat_map(str::parse).collect();
            match parts[..] {
                [year, month, day] => Date::new(year, month as u8, day as u8),
                _ => None,
            }
            .ok_or_else(|| Error::unknown("date", s))
        }
    }
}

/// Values addressed by small copyable keys.
pub mod arena {
    use std::marker::PhantomData;
    use std::ops::{Index, IndexMut};
    /// A key into an arena.
    pub trait Key: Copy + Ord {
        fn from_index(index: usize) -> Self;
        fn index(self) -> usize;
    }
    #[derive(Debug, Clone)]
    pub struct Arena<K, T> {
        items: Vec<T>,
        marker: PhantomData<fn(K) -> K>,
    }
    impl<K, T> Default for Arena<K, T> {
        fn default() -> Self {
            Arena {
                items: Vec::new(),
                marker: PhantomData,
            }
        }
    }
    impl<K: Key, T> Arena<K, T> {
        pub fn push(&mut self, item: T) -> K {
            self.items.push(item);
            K::from_index(self.items.len() - 1)
        }
        /// Removes the most recently added value, if any.
        pub fn pop(&mut self) -> Option<T> {
            self.items.pop()
        }
        pub fn len(&self) -> usize {
            self.items.len()
        }
        pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &T)> {
            let pairs = self.items.iter().enumerate();
            pairs.map(|(i, item)| (K::from_index(i), item))
        }
    }
    impl<K: Key, T> Index<K> for Arena<K, T> {
        type Output = T;
        fn index(&self, key: K) -> &T {
            &self.items[key.index()]
        }
    }
    impl<K: Key, T> IndexMut<K> for Arena<K, T> {
        fn index_mut(&mut self, key: K) -> &mut T {
            &mut self.items[key.index()]
        }
    }
}

/// The tokenizer for the text format.
pub mod lexer {
    use super::{Error, Pos, Result};
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Token<'src> {
        Word(&'src str),
        Number(&'src str),
        Date(&'src str),
        Str(&'src str),
        Punct(char),
        Newline,
    }
    #[derive(Debug, Clone)]
    pub struct Lexer<'src> {
        rest: &'src str,
        pos: Pos,
    }
    impl<'src> Lexer<'src> {
        pub fn new(src: &'src str) -> Self {
            Lexer {
                rest: src,
                pos: Pos(1, 1),
            }
        }
        fn take(&mut self, len: usize) -> &'src str {
            let (head, tail) = self.rest.split_at(len);
            for c in head.chars() {
                if c == '\n' {
                    self.pos.0 += 1;
                    self.pos.1 = 1;
                } else {
                    self.pos.1 += 1;
                }
            }
            self.rest = tail;
            head
        }
        fn take_while<F>(&mut self, mut keep: F) -> &'src str
        where
            F: FnMut(char) -> bool,
        {
            let len = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
            self.take(len)
        }
        fn skip_blank(&mut self) {
            self.take_while(|c| c == ' ' || c == '\t' || c == '\r');
            if self.rest.starts_with(';') {
                self.take_while(|c| c != '\n');
            }
        }
        fn looks_like_date(&self) -> bool {
            let bytes = self.rest.as_bytes();
            bytes.len() >= 10
                && bytes[..10].iter().enumerate().all(|(i, b)| match i {
                    4 | 7 => *b == b'-',
                    _ => b.is_ascii_digit(),
                })
        }
    }
    impl<'src> Iterator for Lexer<'src> {
        type Item = Result<(Pos, Token<'src>)>;
        fn next(&mut self) -> Option<Self::Item> {
            self.skip_blank();
            let pos = self.pos;
            let first = self.rest.chars().next()?;
            let token = match first {
                '\n' => {
                    self.take(1);
                    Token::Newline
                }
                '"' => {
                    let Some(len) = self.rest[1..].find(['"', '\n']) else {
                        return Some(Err(Error::syntax(pos, "this string is never closed")));
                    };
                    let quoted = self.take(len + 2);
                    Token::Str(&quoted[1..=len])
                }
                '0'..='9' if self.looks_like_date() => Token::Date(self.take(10)),
                '0'..='9' => Token::Number(
                    self.take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_')),
                ),
                c if c.is_alphabetic() => {
                    Token::Word(self.take_while(|c| c.is_alphanumeric() || matches!(c, ':' | '_')))
                }
                '+' | '-' | '*' | '/' | '(' | ')' | '=' | '!' | '@' | '?' | '<' | '>' => {
                    self.take(1);
                    Token::Punct(first)
                }
                other => {
                    let message = format!("unexpected character {other:?}");
                    return Some(Err(Error::syntax(pos, message)));
                }
            };
            Some(Ok((pos, token)))
        }
    }
}

/// Arithmetic expressions and their evaluation.
pub mod expr {
    use super::{Decimal, Error, Result};
    use std::borrow::Cow;
    use std::collections::HashMap;
    use std::hash::BuildHasher;
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BinOp {
        Add,
        Sub,
        Mul,
        Div,
    }
    impl BinOp {
        pub fn from_char(c: char) -> Option<Self> {
            let all = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div];
            "+-*/".find(c).map(|i| all[i])
        }
        /// How tightly the operator binds; higher is tighter.
        pub fn precedence(self) -> u8 {
            match self {
                BinOp::Add | BinOp::Sub => 1,
                BinOp::Mul | BinOp::Div => 2,
            }
        }
        fn apply(self, a: Decimal, b: Decimal) -> Result<Decimal> {
            match self {
                BinOp::Add => Ok(a + b),
                BinOp::Sub => Ok(a + -b),
                BinOp::Mul => a.checked_mul(b),
                BinOp::Div => a.checked_div(b),
            }
        }
    }
    #[derive(Debug, Clone, PartialEq)]
    pub enum Expr<'src> {
        Number(Decimal),
        Name(Cow<'src, str>),
        Neg(Box<Expr<'src>>),
        Binary(BinOp, Box<Expr<'src>>, Box<Expr<'src>>),
    }
    /// Something that can give a value to a name.
    pub trait Scope {
        fn lookup(&self, name: &str) -> Option<Decimal>;
    }
    impl<S> Scope for HashMap<String, Decimal, S>
    where
        S: BuildHasher,
    {
        fn lookup(&self, name: &str) -> Option<Decimal> {
            self.get(name).copied()
        }
    }
    impl<'src> Expr<'src> {
        pub fn eval<S>(&self, scope: &S) -> Result<Decimal>
        where
            S: Scope + ?Sized,
        {
            match self {
                Expr::Number(n) => Ok(*n),
                Expr::Name(name) => scope
                    .lookup(name)
                    .ok_or_else(|| Error::unknown("name", name)),
                Expr::Neg(inner) => inner.eval(scope).map(|v| -v),
                Expr::Binary(op, a, b) => op.apply(a.eval(scope)?, b.eval(scope)?),
            }
        }
    }
}

/// The parser: source text in, a list of directives out.
pub mod parser {
    use super::date::Date;
    use super::expr::{BinOp, Expr};
    use super::lexer::{Lexer, Token};
    use super::{Decimal, Error, Pos, Result};
    use std::borrow::Cow;
    use std::iter::Peekable;
    #[derive(Debug, Clone, PartialEq)]
    pub struct RawPosting<'src> {
        pub account: &'src str,
        pub amount: Option<(Expr<'src>, &'src str)>,
    }
    #[derive(Debug, Clone, PartialEq)]
    pub enum Directive<'src> {
        Commodity(&'src str, u8),
        Account(&'src str),
        Price(Date, &'src str, Expr<'src>, &'src str),
        Let(&'src str, Expr<'src>),
        Txn(Date, &'src str, Vec<RawPosting<'src>>),
    }
    pub struct Parser<'src> {
        tokens: Peekable<Lexer<'src>>,
        last: Pos,
    }
    /// Parses a whole source text.
    pub fn parse(src: &str) -> Result<Vec<(Pos, Directive<'_>)>> {
        let mut parser = Parser::new(src);
        let mut out = Vec::new();
        while let Some(item) = parser.directive()? {
            out.push(item);
        }
        Ok(out)
    }
    impl<'src> Parser<'src> {
        pub fn new(src: &'src str) -> Self {
            Parser {
                tokens: Lexer::new(src).peekable(),
                last: Pos::default(),
            }
        }
        fn peek(&mut self) -> Result<Option<Token<'src>>> {
            match self.tokens.peek() {
                None => Ok(None),
                Some(Ok((_, token))) => Ok(Some(*token)),
                Some(Err(e)) => Err(e.clone()),
            }
        }
        fn bump(&mut self) -> Result<Option<Token<'src>>> {
            let Some(next) = self.tokens.next() else {
                return Ok(None);
            };
            let (pos, token) = next?;
            self.last = pos;
            Ok(Some(token))
        }
        fn expect<T, F>(&mut self, wanted: &str, pick: F) -> Result<T>
        where
            F: FnOnce(Token<'src>) -> Option<T>,
        {
            let Some(token) = self.bump()? else {
                let message = format!("expected {wanted}, found end of input");
                return Err(Error::syntax(self.last, message));
            };
            pick(token).ok_or_else(|| {
                let message = format!("expected {wanted}, found {token:?}");
                Error::syntax(self.last, message)
            })
        }
        fn word(&mut self, wanted: &str) -> Result<&'src str> {
            self.expect(wanted, |t| match t {
                Token::Word(w) => Some(w),
                _ => None,
            })
        }
        fn date(&mut self) -> Result<Date> {
            let pick = |t| {
                if let Token::Date(d) = t {
                    d.parse().ok()
                } else {
                    None
                }
            };
            self.expect("a date", pick)
        }
        fn punct(&mut self, c: char) -> Result<()> {
            self.expect(&format!("`{c}`"), |t| (t == Token::Punct(c)).then_some(()))
        }
        fn eat(&mut self, wanted: Token<'_>) -> Result<bool> {
            let hit = self.peek()? == Some(wanted);
            if hit {
                self.bump()?;
            }
            Ok(hit)
        }
        fn end_of_line(&mut self) -> Result<()> {
            if self.peek()?.is_none() {
                return Ok(());
            }
            self.expect("end of line", |t| (t == Token::Newline).then_some(()))
        }
        pub fn directive(&mut self) -> Result<Option<(Pos, Directive<'src>)>> {
            while self.eat(Token::Newline)? {}
            if self.peek()?.is_none() {
                return Ok(None);
            }
            let keyword = self.word("a directive")?;
            let pos = self.last;
            let directive = match keyword {
                "commodity" => {
                    let symbol = self.word("a commodity symbol")?;
                    let places = self.expect("a digit count", |t| match t {
                        Token::Number(n) => n.parse().ok(),
                        _ => None,
                    })?;
                    Directive::Commodity(symbol, places)
                }
                "account" => Directive::Account(self.word("an account name")?),
                "price" => {
                    let (date, from) = (self.date()?, self.word("a commodity symbol")?);
                    let (rate, to) = (self.primary()?, self.word("a commodity symbol")?);
                    Directive::Price(date, from, rate, to)
                }
                "let" => {
                    let name = self.word("a name")?;
                    self.punct('=')?;
                    let value = self.expr(0)?;
                    Directive::Let(name, value)
                }
                "txn" => self.transaction()?,
                other => {
                    let message = format!("`{other}` is not a directive");
                    return Err(Error::syntax(pos, message));
                }
            };
            self.end_of_line()?;
            Ok(Some((pos, directive)))
        }
        fn transaction(&mut self) -> Result<Directive<'src>> {
            let date = self.date()?;
            let payee = self.expect("a quoted payee", |t| match t {
                Token::Str(s) => Some(s),
                _ => None,
            })?;
            self.end_of_line()?;
            let mut postings = Vec::new();
            loop {
                while self.eat(Token::Newline)? {}
                match self.word("an account name or `end`")? {
                    "end" => break,
                    account => postings.push(self.posting(account)?),
                }
            }
            Ok(Directive::Txn(date, payee, postings))
        }
        fn posting(&mut self, account: &'src str) -> Result<RawPosting<'src>> {
            let amount = match self.peek()? {
                None | Some(Token::Newline) => None,
                Some(_) => {
                    let value = self.expr(0)?;
                    Some((value, self.word("a commodity symbol")?))
                }
            };
            self.end_of_line()?;
            Ok(RawPosting { account, amount })
        }
        /// Precedence climbing over the four binary operators.
        fn expr(&mut self, min: u8) -> Result<Expr<'src>> {
            let mut left = self.primary()?;
            while let Some(Token::Punct(c)) = self.peek()? {
                let Some(op) = BinOp::from_char(c).filter(|op| op.precedence() > min) else {
                    break;
                };
                self.bump()?;
                let right = self.expr(op.precedence())?;
                left = Expr::Binary(op, Box::new(left), Box::new(right));
            }
            Ok(left)
        }
        fn primary(&mut self) -> Result<Expr<'src>> {
            let Some(token) = self.bump()? else {
                return Err(Error::syntax(self.last, "expected an expression"));
            };
            match token {
                Token::Number(n) => n.parse::<Decimal>().map(Expr::Number),
                Token::Word(w) => Ok(Expr::Name(Cow::Borrowed(w))),
                Token::Punct('-') => self.primary().map(|e| Expr::Neg(Box::new(e))),
                Token::Punct('(') => {
                    let inner = self.expr(0)?;
                    self.punct(')')?;
                    Ok(inner)
                }
                other => {
                    let message = format!("expected an expression, found {other:?}");
                    Err(Error::syntax(self.last, message))
                }
            }
        }
    }
}

/// Commodities and the table of prices between them.
pub mod commodity {
    use super::arena::Arena;
    use super::date::Date;
    use super::{CommodityId, Decimal, Error, Result};
    use std::collections::BTreeMap;
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Commodity {
        pub symbol: String,
        pub places: u8,
    }
    #[derive(Debug, Clone, Default)]
    pub struct Market {
        commodities: Arena<CommodityId, Commodity>,
        prices: BTreeMap<(CommodityId, CommodityId), BTreeMap<Date, Decimal>>,
    }
    impl Market {
        pub fn declare(&mut self, symbol: &str, places: u8) -> Result<CommodityId> {
            ensure!(
                self.find(symbol).is_err(),
                Error::Duplicate("commodity", symbol.to_owned()),
            );
            Ok(self.commodities.push(Commodity {
                symbol: symbol.to_owned(),
                places,
            }))
        }
        pub fn find(&self, symbol: &str) -> Result<CommodityId> {
            self.commodities
                .iter()
                .find_map(|(id, c)| (c.symbol == symbol).then_some(id))
                .ok_or_else(|| Error::unknown("commodity", symbol))
        }
        pub fn get(&self, id: CommodityId) -> &Commodity {
            &self.commodities[id]
        }
        /// Records a price and hands back the one it replaces.
        pub fn set_price(
            &mut self,
            date: Date,
            from: CommodityId,
            to: CommodityId,
            rate: Decimal,
        ) -> Option<Decimal> {
            self.prices
                .entry((from, to))
                .or_default()
                .insert(date, rate)
        }
        /// The latest rate on or before a day, in either direction.
        pub fn rate(&self, date: Date, from: CommodityId, to: CommodityId) -> Result<Decimal> {
            let latest = |pair| {
                let by_date = self.prices.get(&pair)?;
                by_date.range(..=date).next_back().map(|(_, rate)| *rate)
            };
            if let Some(rate) = latest((from, to)) {
                return Ok(rate);
            }
            match latest((to, from)) {
                Some(inverse) => Decimal::ONE.checked_div(inverse),
                None => Err(Error::unknown("price of", &self.get(from).symbol)),
            }
        }
        pub fn show(&self, amount: Decimal, id: CommodityId) -> String {
            let Commodity { symbol, places } = self.get(id);
            format!("{:.*} {symbol}", usize::from(*places), amount)
        }
    }
}

/// The tree of accounts.
pub mod account {
    use super::arena::Arena;
    use super::{AccountId, Error, Result};

    keyword_enum! {
        /// The five classical kinds of account.
        pub enum AccountKind {
            Assets => "Assets",
            Liabilities => "Liabilities",
            Equity => "Equity",
            Income => "Income",
            Expenses => "Expenses",
        }
    }
    impl AccountKind {
        pub fn is_debit_normal(self) -> bool {
            matches!(self, AccountKind::Assets | AccountKind::Expenses)
        }
    }
    #[derive(Debug, Clone)]
    pub struct Account {
        pub name: String,
        pub kind: AccountKind,
        pub parent: Option<AccountId>,
        pub children: Vec<AccountId>,
    }
    #[derive(Debug, Clone, Default)]
    pub struct AccountTree {
        nodes: Arena<AccountId, Account>,
        roots: Vec<AccountId>,
    }
    impl AccountTree {
        /// Opens an account and any missing parents; returns its id and how many were made.
        pub fn open(&mut self, path: &str) -> Result<(AccountId, usize)> {
            let first = path.split(':').next().unwrap_or_default();
            let kind: AccountKind = first.parse()?;
            let mut created = 0;
            let mut here: Option<AccountId> = None;
            for part in path.split(':') {
                ensure!(!part.is_empty(), Error::unknown("account", path));
                let found = self.child_named(here, part);
                here = Some(match found {
                    Some(id) => id,
                    None => {
                        created += 1;
                        self.attach(here, part, kind)
                    }
                });
            }
            here.map(|id| (id, created))
                .ok_or_else(|| Error::unknown("account", path))
        }
        fn attach(
            &mut self,
            parent: Option<AccountId>,
            name: &str,
            kind: AccountKind,
        ) -> AccountId {
            let id = self.nodes.push(Account {
                name: name.to_owned(),
                kind,
                parent,
                children: Vec::new(),
            });
            match parent {
                Some(p) => self.nodes[p].children.push(id),
                None => self.roots.push(id),
            }
            id
        }
        /// Takes back the account opened last.
        pub fn unopen(&mut self) -> Option<Account> {
            let account = self.nodes.pop()?;
            match account.parent {
                Some(p) => self.nodes[p].children.pop(),
                None => self.roots.pop(),
            };
            Some(account)
        }
        fn child_named(&self, parent: Option<AccountId>, name: &str) -> Option<AccountId> {
            let siblings = match parent {
                Some(p) => &self.nodes[p].children,
                None => &self.roots,
            };
            siblings
                .iter()
                .copied()
                .find(|id| self.nodes[*id].name == name)
        }
        pub fn find(&self, path: &str) -> Result<AccountId> {
            path.split(':')
                .try_fold(None, |here, part| self.child_named(here, part).map(Some))
                .flatten()
                .ok_or_else(|| Error::unknown("account", path))
        }
        pub fn get(&self, id: AccountId) -> &Account {
            &self.nodes[id]
        }
        pub fn len(&self) -> usize {
            self.nodes.len()
        }
        /// The account itself, then its parent, and so on up to the root.
        pub fn ancestors(&self, id: AccountId) -> impl Iterator<Item = AccountId> + '_ {
            std::iter::successors(Some(id), move |id| self.nodes[*id].parent)
        }
        /// Walks the tree in depth-first order.
        pub fn walk(&self) -> Walk<'_> {
            Walk {
                tree: self,
                stack: self.roots.iter().rev().map(|id| (0, *id)).collect(),
            }
        }
    }
    #[derive(Debug)]
    pub struct Walk<'t> {
        tree: &'t AccountTree,
        stack: Vec<(usize, AccountId)>,
    }
    impl<'t> Iterator for Walk<'t> {
        type Item = (usize, AccountId, &'t Account);
        fn next(&mut self) -> Option<Self::Item> {
            let (depth, id) = self.stack.pop()?;
            let account = &self.tree.nodes[id];
            let below = account.children.iter().rev().map(|c| (depth + 1, *c));
            self.stack.extend(below);
            Some((depth, id, account))
        }
    }
}

/// Transactions and the ledger that holds them.
pub mod ledger {
    use super::account::AccountTree;
    use super::arena::Arena;
    use super::commodity::Market;
    use super::date::Date;
    use super::parser::{self, Directive, RawPosting};
    use super::{AccountId, Balance, CommodityId, Decimal, Error, Result, TxnId};
    use std::collections::HashMap;
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Posting {
        pub account: AccountId,
        pub commodity: CommodityId,
        pub amount: Decimal,
    }
    impl Posting {
        pub fn new(account: AccountId, commodity: CommodityId, amount: Decimal) -> Self {
            Posting {
                account,
                commodity,
                amount,
            }
        }
    }
    #[derive(Debug, Clone)]
    pub struct Transaction {
        pub date: Date,
        pub payee: String,
        pub postings: Vec<Posting>,
    }
    #[derive(Debug, Clone, Default)]
    pub struct Ledger {
        pub accounts: AccountTree,
        pub market: Market,
        pub names: HashMap<String, Decimal>,
        transactions: Arena<TxnId, Transaction>,
    }
    impl Ledger {
        /// Reads a whole source text into a fresh ledger.
        pub fn load(src: &str) -> Result<Self> {
            let mut ledger = Ledger::default();
            for (pos, directive) in parser::parse(src)? {
                ledger.apply(&directive).map_err(|e| match e {
                    e @ Error::Syntax(..) => e,
                    other => Error::syntax(pos, other.to_string()),
                })?;
            }
            Ok(ledger)
        }
        pub fn apply(&mut self, directive: &Directive<'_>) -> Result<()> {
            match directive {
                Directive::Commodity(symbol, places) => {
                    self.market.declare(symbol, *places)?;
                }
                Directive::Account(path) => {
                    self.accounts.open(path)?;
                }
                Directive::Price(date, from, rate, to) => {
                    let rate = rate.eval(&self.names)?;
                    let (from, to) = (self.market.find(from)?, self.market.find(to)?);
                    self.market.set_price(*date, from, to, rate);
                }
                Directive::Let(name, value) => {
                    let value = value.eval(&self.names)?;
                    self.names.insert(name.to_string(), value);
                }
                Directive::Txn(date, payee, raw) => {
                    let postings = self.resolve(raw)?;
                    self.post(Transaction {
                        date: *date,
                        payee: payee.to_string(),
                        postings,
                    })?;
                }
            }
            Ok(())
        }
        /// Evaluates amounts and fills in the one posting that may be left blank.
        fn resolve(&self, raw: &[RawPosting<'_>]) -> Result<Vec<Posting>> {
            let mut out = Vec::with_capacity(raw.len());
            let mut blanks = Vec::new();
            let mut sum = Balance::default();
            for posting in raw {
                let account = self.accounts.find(posting.account)?;
                let Some((value, symbol)) = &posting.amount else {
                    blanks.push(account);
                    continue;
                };
                let commodity = self.market.find(symbol)?;
                let places = self.market.get(commodity).places;
                let amount = value.eval(&self.names)?.round_to(places);
                sum.add(commodity, amount);
                out.push(Posting::new(account, commodity, amount));
            }
            match blanks.as_slice() {
                [] => {}
                [account] => out.extend(sum.iter().map(|(c, a)| Posting::new(*account, c, -a))),
                more => return Err(Error::Unbalanced(format!("{} blanks", more.len()))),
            }
            Ok(out)
        }
        /// Adds a transaction after checking that it balances.
        pub fn post(&mut self, txn: Transaction) -> Result<TxnId> {
            let sum: Balance = txn
                .postings
                .iter()
                .map(|p| (p.commodity, p.amount))
                .collect();
            if let Some((commodity, by)) = sum.iter().next() {
                return Err(Error::Unbalanced(self.market.show(by, commodity)));
            }
            Ok(self.transactions.push(txn))
        }
        pub fn unpost(&mut self) -> Option<Transaction> {
            self.transactions.pop()
        }
        pub fn transactions(&self) -> impl DoubleEndedIterator<Item = (TxnId, &Transaction)> {
            self.transactions.iter()
        }
        /// Every posting that passes the filter, with the transaction it belongs to.
        pub fn postings<'l, F>(
            &'l self,
            keep: F,
        ) -> impl Iterator<Item = (&'l Transaction, &'l Posting)> + 'l
        where
            F: Fn(&Transaction, &Posting) -> bool + Copy + 'l,
        {
            self.transactions
                .iter()
                .flat_map(|(_, txn)| txn.postings.iter().map(move |p| (txn, p)))
                .filter(move |(txn, posting)| keep(txn, posting))
        }
        pub fn balance_of(&self, account: AccountId) -> Balance {
            self.postings(|_, p| self.accounts.ancestors(p.account).any(|a| a == account))
                .map(|(_, p)| (p.commodity, p.amount))
                .collect()
        }
    }
}

/// An amount in each of several commodities; zero amounts are not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Balance {
    amounts: BTreeMap<CommodityId, Decimal>,
}
impl Balance {
    pub fn add(&mut self, commodity: CommodityId, amount: Decimal) {
        let slot = self.amounts.entry(commodity).or_default();
        *slot = *slot + amount;
        if slot.is_zero() {
            self.amounts.remove(&commodity);
        }
    }
    pub fn is_zero(&self) -> bool {
        self.amounts.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = (CommodityId, Decimal)> + '_ {
        self.amounts.iter().map(|(c, a)| (*c, *a))
    }
}
impl FromIterator<(CommodityId, Decimal)> for Balance {
    fn from_iter<I>(iter: I) -> Self
    where
        I: IntoIterator<Item = (CommodityId, Decimal)>,
    {
        let mut out = Balance::default();
        iter.into_iter().for_each(|(c, a)| out.add(c, a));
        out
    }
}

/// Reports over a ledger, rendered as plain text tables.
pub mod report {
    use super::{AccountId, Balance, Decimal, Ledger, Result};
    use std::fmt::Write as _;
    /// Rows of text under a heading, in columns as wide as they need to be.
    #[derive(Debug, Clone)]
    pub struct Table<const N: usize> {
        rows: Vec<[String; N]>,
    }
    impl<const N: usize> Table<N> {
        pub fn new(head: [&str; N]) -> Self {
            let rows = vec![head.map(str::to_owned), head.map(|h| "-".repeat(h.len()))];
            Table { rows }
        }
        pub fn render(&self) -> String {
            let width = |column: usize| {
                let cells = self.rows.iter().map(|row| row[column].chars().count());
                cells.max().unwrap_or(0)
            };
            let mut out = String::new();
            for row in &self.rows {
                for (column, cell) in row.iter().enumerate() {
                    let _ = write!(out, "{cell:<pad$}  ", pad = width(column));
                }
                out.truncate(out.trim_end().len());
                out.push('\n');
            }
            out
        }
    }
    /// A view of a ledger that can be computed and then written out.
    pub trait Report {
        type Data;

        const TITLE: &'static str;
        fn collect(&self, ledger: &Ledger) -> Result<Self::Data>;
        fn render(&self, ledger: &Ledger, data: &Self::Data) -> String;
    }
    /// Runs a report from start to finish.
    pub fn run<R>(report: &R, ledger: &Ledger) -> Result<String>
    where
        R: Report,
        R::Data: Clone,
    {
        let data = report.collect(ledger)?;
        let body = report.render(ledger, &data);
        Ok(format!("{}\n\n{body}", R::TITLE))
    }
    #[derive(Debug, Clone, Default)]
    pub struct TrialBalance {
        pub hide_zero: bool,
    }
    impl Report for TrialBalance {
        type Data = Vec<(usize, AccountId, Balance)>;
        const TITLE: &'static str = "Trial balance";
        fn collect(&self, ledger: &Ledger) -> Result<Self::Data> {
            Ok(ledger
                .accounts
                .walk()
                .map(|(depth, id, _)| (depth, id, ledger.balance_of(id)))
                .filter(|(_, _, balance)| !(self.hide_zero && balance.is_zero()))
                .collect())
        }
        fn render(&self, ledger: &Ledger, data: &Self::Data) -> String {
            let mut table = Table::new(["Account", "Balance"]);
            for (depth, id, balance) in data {
                let account = ledger.accounts.get(*id);
                let name = format!("{:indent$}{}", "", account.name, indent = depth * 2);
                let debit = account.kind.is_debit_normal();
                let sign = |a: Decimal| if debit { a } else { -a };
                let shown: Vec<String> = balance
                    .iter()
                    .map(|(c, a)| ledger.market.show(sign(a), c))
                    .collect();
                table.rows.push([name, shown.join(", ")]);
            }
            table.render()
        }
    }
}

/// Import of bank statements in comma-separated form.
pub mod csv {
    use super::ledger::{Posting, Transaction};
    use super::{Decimal, Error, Ledger, Pos, Result};
    use std::borrow::Cow;
    /// Splits one line into fields; quoted fields may hold commas and doubled quotes.
    pub struct Fields<'line> {
        rest: Option<&'line str>,
    }
    impl<'line> Iterator for Fields<'line> {
        type Item = Cow<'line, str>;
        fn next(&mut self) -> Option<Self::Item> {
            let rest = self.rest.take()?;
            let mut quoted = false;
            let comma = rest.find(|c| {
                quoted ^= c == '"';
                c == ',' && !quoted
            });
            let field = match comma {
                Some(at) => {
                    self.rest = Some(&rest[at + 1..]);
                    rest[..at].trim()
                }
                None => rest.trim(),
            };
            let inner = field.strip_prefix('"').and_then(|f| f.strip_suffix('"'));
            Some(match inner {
                Some(body) if body.contains("\"\"") => Cow::Owned(body.replace("\"\"", "\"")),
                Some(body) => Cow::Borrowed(body),
                None => Cow::Borrowed(field),
            })
        }
    }
    /// Imports rows of `date,payee,amount`; the first row is a heading.
    pub fn import<F>(
        ledger: &mut Ledger,
        text: &str,
        bank: &str,
        symbol: &str,
        choose: F,
    ) -> Result<usize>
    where
        F: Fn(&str, Decimal) -> Option<&'static str>,
    {
        let bank = ledger.accounts.find(bank)?;
        let commodity = ledger.market.find(symbol)?;
        let mut count = 0;
        for (index, line) in text.lines().enumerate().skip(1) {
            let pos = Pos(index as u32 + 1, 1);
            if line.trim().is_empty() {
                continue;
            }
            let fields: Vec<_> = Fields { rest: Some(line) }.collect();
            let [date, payee, amount] = fields.as_slice() else {
                return Err(Error::syntax(
                    pos,
                    format!("expected 3 fields, found {}", fields.len()),
                ));
            };
            let amount: Decimal = amount.parse()?;
            let other = choose(payee, amount)
                .ok_or_else(|| Error::syntax(pos, format!("no rule for {payee:?}")))?;
            let other = ledger.accounts.find(other)?;
            let side = |account, amount| Posting::new(account, commodity, amount);
            ledger.post(Transaction {
                date: date.parse()?,
                payee: payee.to_string(),
                postings: vec![side(bank, amount), side(other, -amount)],
            })?;
            count += 1;
        }
        Ok(count)
    }
}

/// Editing with undo: every change is logged together with how to take it back.
pub mod journal {
    use super::ledger::Transaction;
    use super::{AccountId, Decimal, Ledger, Result, TxnId};
    use std::fmt;
    /// What was done, with the state that it replaced.
    #[derive(Debug, Clone)]
    pub enum Change {
        Posted(TxnId),
        Opened { count: usize },
        Bound { name: String, old: Option<Decimal> },
    }
    impl fmt::Display for Change {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Change::Posted(id) => write!(f, "post transaction {id:?}"),
                Change::Opened { count: 1 } => f.write_str("open an account"),
                Change::Opened { count } => write!(f, "open {count} accounts"),
                Change::Bound { name, .. } => write!(f, "bind `{name}`"),
            }
        }
    }
    /// Knows how to take a kind of change back.
    pub trait Revert<C: ?Sized> {
        fn revert(&mut self, change: &C);
    }
    impl Revert<Change> for Ledger {
        fn revert(&mut self, change: &Change) {
            match change {
                Change::Posted(_) => {
                    self.unpost();
                }
                Change::Opened { count } => {
                    for _ in 0..*count {
                        self.accounts.unopen();
                    }
                }
                Change::Bound { name, old } => {
                    match old {
                        Some(value) => self.names.insert(name.clone(), *value),
                        None => self.names.remove(name),
                    };
                }
            }
        }
    }
    /// A place in the log to which one can return.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Mark(usize);
    /// The log itself, over any target that can revert its changes.
    #[derive(Debug)]
    pub struct Journal<'a, T, C> {
        target: &'a mut T,
        done: Vec<C>,
        undone: Vec<C>,
    }
    /// One change that has just been taken back.
    #[derive(Debug)]
    pub struct Undone<'a, T, C> {
        pub target: &'a T,
        pub change: &'a C,
    }
    impl<T, C: fmt::Display> Undone<'_, T, C> {
        pub fn describe(&self) -> String {
            format!("undo: {}", self.change)
        }
    }
    impl<'a, T, C> Journal<'a, T, C>
    where
        T: Revert<C>,
        C: fmt::Display,
    {
        pub fn new(target: &'a mut T) -> Self {
            Journal {
                target,
                done: Vec::new(),
                undone: Vec::new(),
            }
        }
        pub fn mark(&self) -> Mark {
            Mark(self.done.len())
        }
        fn record(&mut self, change: C) {
            self.undone.clear();
            self.done.push(change);
        }
        /// Takes back the newest change, unless it is older than the mark.
        pub fn step_back(&'a mut self, mark: Mark) -> Option<Undone<'a, T, C>> {
            if self.done.len() <= mark.0 {
                return None;
            }
            let change = self.done.pop()?;
            self.target.revert(&change);
            self.undone.push(change);
            let change = self.undone.last()?;
            Some(Undone {
                target: self.target,
                change,
            })
        }
        /// Takes back everything done since the mark; says what that was, newest first.
        pub fn rollback(&'a mut self, mark: Mark) -> Vec<String> {
            let mut lines = Vec::new();
            while let Some(step) = self.step_back(mark) {
                lines.push(step.describe());
            }
            lines
        }
    }
    impl<'a> Journal<'a, Ledger, Change> {
        pub fn post(&mut self, txn: Transaction) -> Result<TxnId> {
            let id = self.target.post(txn)?;
            self.record(Change::Posted(id));
            Ok(id)
        }
        pub fn open(&mut self, path: &str) -> Result<AccountId> {
            let (id, count) = self.target.accounts.open(path)?;
            if count > 0 {
                self.record(Change::Opened { count });
            }
            Ok(id)
        }
        pub fn bind(&mut self, name: &str, value: Decimal) {
            let old = self.target.names.insert(name.to_owned(), value);
            self.record(Change::Bound {
                name: name.to_owned(),
                old,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::journal::Journal;
    use super::report::{run, TrialBalance};
    use super::*;

    const SAMPLE: &str = r#"
commodity EUR 2
commodity USD 2
account Assets:Bank
account Assets:Cash
account Expenses:Rent
account Expenses:Food
account Income:Salary
price 2024-01-01 USD 0.92 EUR
let base = 800

txn 2024-01-02 "Employer"
  Assets:Bank 2_500 EUR
  Income:Salary
end

txn 2024-01-03 "Landlord"
  Expenses:Rent (base * 1.05) EUR
  Assets:Bank
end
"#;

    fn sample() -> Ledger {
        Ledger::load(SAMPLE).expect("the sample is valid")
    }
    fn dec(s: &str) -> Decimal {
        s.parse().unwrap()
    }
    #[test]
    fn csv_rows_become_transactions() {
        let mut ledger = sample();
        let choose = |_: &str, _| Some("Expenses:Food");
        let text = "date,payee,amount\n2024-01-05,\"Market, \"\"North\"\"\",-12.30\n";
        let count = csv::import(&mut ledger, text, "Assets:Bank", "EUR", choose);
        assert_eq!(count, Ok(1));
        let text = run(&TrialBalance { hide_zero: true }, &ledger).unwrap();
        assert!(text.contains("852.30 EUR"), "{text}");
        let (_, last) = ledger.transactions().next_back().unwrap();
        assert_eq!(last.payee, "Market, \"North\"");
    }
    #[test]
    fn rollback_restores_the_ledger() {
        let mut ledger = sample();
        let before = ledger.accounts.len();
        let mut journal = Journal::new(&mut ledger);
        let mark = journal.mark();
        journal.open("Liabilities:Card").unwrap();
        journal.bind("base", dec("900"));
        let lines = journal.rollback(mark);
        assert_eq!(lines[0], "undo: bind `base`");
        assert_eq!(lines.len(), 2);
        assert_eq!(ledger.accounts.len(), before);
        assert_eq!(ledger.names["base"], dec("800"));
    }
}
