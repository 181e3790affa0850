//! Builds one grammar with its lexer from the rules of all files.

use super::ast::{self, Alternative, Element, ElementKind, Quantifier, is_token};
use super::chars::Chars;
use super::files::{Files, Ruled};
use super::result::{Antlr, Note};
use crate::grammar::{
    Associativity, Builder, Command, Expr, ExprId, Grammar, LexerRule, Lexing, Mode, SymbolId,
    SymbolKind, Unfinished, Visibility,
};
use crate::read::ReadError;
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the token of the end of the text.
const END: &str = "EOF";

pub(super) fn assemble(files: &Files, name: &str) -> Result<Antlr, ReadError> {
    let mut assembling = Assembling {
        files,
        builder: Builder::new(name),
        lexing: Lexing::default(),
        literals: literals(files),
        implicit: vec![],
        implicit_at: FxHashMap::default(),
        tokens: vec![],
        hidden: vec![],
        notes: files.notes.clone(),
        case_insensitive: false,
    };
    assembling.lexer()?;
    assembling.hidden = hidden(&assembling.lexing);
    let start = assembling.parser()?;
    let Assembling {
        builder,
        lexing,
        hidden,
        mut notes,
        ..
    } = assembling;
    let (grammar, unfinished) = builder.finish_anyway(start);
    // A token without a rule is not an error for ANTLR either. Real grammars have some.
    let (tokens, undefined) = unfinished
        .map_or(vec![], |unfinished| unfinished.undefined)
        .into_iter()
        .partition::<Vec<_>, _>(|(name, _)| is_token(name) || name.starts_with('\''));
    for (name, like) in tokens {
        let like = like.map(|like| format!("; did you mean `{like}`?"));
        notes.push(Note {
            rule: None,
            what: format!(
                "token `{name}` is used but never defined, so it never matches{}",
                like.unwrap_or_default()
            ),
        });
    }
    let undefined = (!undefined.is_empty()).then_some(Unfinished { undefined });
    if let Some(token) = grammar.facts().left_recursive_token(&grammar) {
        let name = grammar.symbol(token).name.clone();
        return Err(ReadError::EndlessToken(name));
    }
    let used = mentioned(&grammar);
    let extras = hidden.into_iter().filter(|id| !used.contains(id)).collect();
    let start = files
        .parser
        .first()
        .map_or(start, |_| first(&grammar, files, start));
    Ok(Antlr {
        grammar: grammar
            .with_extras(extras)
            .with_start(start)
            .with_lexing(lexing),
        notes,
        undefined,
    })
}

/// Returns the tokens that are never passed to the parser.
fn hidden(lexing: &Lexing) -> Vec<SymbolId> {
    let rules = || lexing.modes.iter().flat_map(|mode| &mode.rules);
    let is_hidden = |commands: &[Command]| commands.contains(&Command::Hide);
    let mut found: Vec<SymbolId> = rules()
        .filter(|rule| {
            rule.alternatives
                .iter()
                .all(|(_, commands)| is_hidden(commands))
        })
        .map(|rule| rule.symbol)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the symbols that rules of the parser mention.
fn mentioned(grammar: &Grammar) -> FxHashSet<SymbolId> {
    let mut found = FxHashSet::default();
    for (rule, body) in grammar.rules() {
        if matches!(grammar.symbol(rule).kind, SymbolKind::Rule(_)) {
            grammar.each_symbol(body, |symbol| {
                found.insert(symbol);
            });
        }
    }
    found
}

/// Returns the rule to start with: one that ends with the end of the text and that no other rule
/// mentions, else one that ends so, else one that is not mentioned, the first of them.
fn first(grammar: &Grammar, files: &Files, otherwise: SymbolId) -> SymbolId {
    let used = mentioned(grammar);
    let is_end = |&id: &ExprId| match grammar.expr(id) {
        Expr::Symbol { symbol, .. } => &*grammar.symbol(symbol).name == END,
        _ => false,
    };
    // A rule of only `EOF` describes the end of a line. A start rule ends with `EOF` after other
    // symbols.
    let ends = |body: ExprId| {
        let alternatives = grammar.alternatives(&body).iter();
        alternatives
            .map(|alternative| grammar.members(alternative))
            .any(|members| members.len() > 1 && members.last().is_some_and(is_end))
    };
    let rules = || {
        let rules = files.parser.iter();
        rules.filter_map(|ruled| grammar.rule(&ruled.rule.name.text))
    };
    let ending = || rules().filter(|&id| grammar.body(id).is_some_and(ends));
    let outer = |id: &SymbolId| !used.contains(id);
    ending()
        .find(outer)
        .or_else(|| ending().next())
        .or_else(|| rules().find(outer))
        .unwrap_or(otherwise)
}

/// Returns the tokens whose rule is exactly one literal. A literal of several rules belongs
/// to none of them.
fn literals(files: &Files) -> FxHashMap<String, Option<String>> {
    let mut found: FxHashMap<String, Option<String>> = FxHashMap::default();
    for Ruled { rule, .. } in files.lexer.iter().filter(|ruled| !ruled.rule.fragment) {
        let [alternative] = &rule.alternatives[..] else {
            continue;
        };
        // The tokens of this rule are tokens of another rule, or parts of such tokens.
        let other = |command: &ast::Command| matches!(&*command.name.text, "type" | "more");
        if alternative.commands.iter().any(other) {
            continue;
        }
        // A predicate at the end of a rule does not change the literal of the rule.
        let elements = match &alternative.elements[..] {
            [elements @ .., last] if matches!(last.kind, ElementKind::Never) => elements,
            elements => elements,
        };
        let [
            Element {
                kind: ElementKind::Literal(text),
                quantifier: None,
                ..
            },
        ] = elements
        else {
            continue;
        };
        let name = rule.name.text.clone();
        found
            .entry(text.clone())
            .and_modify(|other| *other = None)
            .or_insert(Some(name));
    }
    found
}

/// A function that makes an expression of a part that is neither a name nor a block.
type Part<'f> = fn(&mut Assembling<'f>, &ElementKind) -> Result<ExprId, ReadError>;

struct Assembling<'f> {
    files: &'f Files,
    builder: Builder,
    lexing: Lexing,
    /// The token of each literal that is one.
    literals: FxHashMap<String, Option<String>>,
    /// The literals of the parser that no rule of the lexer defines.
    implicit: Vec<(String, SymbolId)>,
    /// The places of the literals in `implicit`.
    implicit_at: FxHashMap<String, usize>,
    /// All tokens that the lexer can make.
    tokens: Vec<SymbolId>,
    /// The tokens that are never passed to the parser.
    hidden: Vec<SymbolId>,
    notes: Vec<Note>,
    /// Whether the characters of the current rule match in any case.
    case_insensitive: bool,
}

impl<'f> Assembling<'f> {
    /// Defines the tokens.
    fn lexer(&mut self) -> Result<(), ReadError> {
        let files = self.files;
        let modes = files.modes.iter().map(|name| Mode {
            name: name.as_str().into(),
            rules: vec![],
        });
        self.lexing.modes = modes.collect();
        let mut of_type: Vec<(String, Vec<SymbolId>)> = vec![];
        for Ruled {
            rule,
            case_insensitive,
        } in &files.lexer
        {
            self.case_insensitive = *case_insensitive;
            let symbol = self.builder.rule(&rule.name.text);
            let mut alternatives = vec![];
            for alternative in &rule.alternatives {
                let body = self.sequence(&alternative.elements, Self::lexer_part)?;
                let commands = self.commands(&rule.name.text, alternative);
                for command in &alternative.commands {
                    if let ("type", Some(made)) = (&*command.name.text, &command.argument) {
                        match of_type.iter_mut().find(|(name, _)| *name == made.text) {
                            Some((_, symbols)) => symbols.push(symbol),
                            None => of_type.push((made.text.clone(), vec![symbol])),
                        }
                    }
                }
                alternatives.push((body, commands));
            }
            let bodies = alternatives.iter().map(|(body, _)| *body).collect();
            let body = self.builder.choice(bodies);
            // Alternatives matter to the lexer only if their commands differ.
            let same = alternatives.windows(2).all(|pair| pair[0].1 == pair[1].1);
            if same && let Some((_, commands)) = alternatives.pop() {
                alternatives = vec![(body, commands)];
            }
            self.builder.define_token(symbol, body);
            if rule.fragment {
                self.builder.show(symbol, Visibility::Hidden);
            } else {
                self.tokens.push(symbol);
                self.lexing.modes[rule.mode].rules.push(LexerRule {
                    symbol,
                    alternatives,
                });
            }
        }
        for (name, made_by) in of_type {
            let symbol = self.builder.rule(&name);
            if !self.builder.is_defined(symbol) {
                let mentions = made_by.iter().map(|&by| self.builder.symbol(by)).collect();
                let body = self.builder.choice(mentions);
                self.builder.define_token(symbol, body);
                self.tokens.push(symbol);
            }
        }
        for name in &files.tokens {
            let symbol = self.builder.rule(name);
            if !self.builder.is_defined(symbol) {
                self.builder.external(symbol);
                self.tokens.push(symbol);
            }
        }
        Ok(())
    }

    fn commands(&mut self, rule: &str, alternative: &Alternative) -> Box<[Command]> {
        let mut found = vec![];
        for command in &alternative.commands {
            let argument = command.argument.as_ref().map(|name| name.text.as_str());
            let mode = |name: Option<&str>| match name? {
                "DEFAULT_MODE" => Some(0),
                name => self.files.modes.iter().position(|known| known == name),
            };
            let known = match (command.name.text.as_str(), argument) {
                ("skip", _) => Some(Command::Hide),
                ("more", _) => Some(Command::More),
                ("popMode", _) => Some(Command::Pop),
                ("channel", Some("DEFAULT_TOKEN_CHANNEL" | "0")) => Some(Command::Show),
                ("channel", Some(_)) => Some(Command::Hide),
                ("type", Some(END)) => None,
                ("type", Some(name)) => Some(Command::Type(self.builder.rule(name))),
                ("mode", name) => mode(name).map(|mode| Command::Mode(mode as u32)),
                ("pushMode", name) => mode(name).map(|mode| Command::Push(mode as u32)),
                _ => None,
            };
            match known {
                Some(command) => found.push(command),
                None => {
                    let argument = argument.map(|name| format!("({name})")).unwrap_or_default();
                    self.notes.push(Note {
                        rule: Some(rule.to_owned()),
                        what: format!(
                            "the command `{}{argument}` is unknown and ignored",
                            command.name.text
                        ),
                    });
                }
            }
        }
        found.into()
    }

    /// Returns a choice of alternatives. `part` returns an expression for each part.
    fn choice(
        &mut self,
        alternatives: &[Alternative],
        part: Part<'f>,
    ) -> Result<ExprId, ReadError> {
        let mut members = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            members.push(self.sequence(&alternative.elements, part)?);
        }
        Ok(self.builder.choice(members))
    }

    fn sequence(&mut self, elements: &[Element], part: Part<'f>) -> Result<ExprId, ReadError> {
        let mut members = Vec::with_capacity(elements.len());
        for element in elements {
            let body = match &element.kind {
                ElementKind::Name(name) if name == END => self.end(),
                ElementKind::Name(name) => {
                    let symbol = self.builder.rule(name);
                    self.builder.symbol(symbol)
                }
                ElementKind::Block(alternatives) => self.choice(alternatives, part)?,
                ElementKind::Never => self.builder.choice(vec![]),
                kind => part(self, kind)?,
            };
            members.push(self.quantified(body, element.quantifier));
        }
        Ok(self.builder.sequence(members))
    }

    /// Returns the characters of a part of a lexer rule.
    fn lexer_part(&mut self, kind: &ElementKind) -> Result<ExprId, ReadError> {
        let parts = match kind {
            ElementKind::Literal(text) => return self.literal(text),
            ElementKind::Set(set) => return self.set(set.clone()),
            ElementKind::Not(parts) => parts,
            _ => return self.set(Chars::all()),
        };
        let mut all = Chars::none();
        for part in parts {
            match &part.kind {
                ElementKind::Set(set) => all.add(set),
                ElementKind::Literal(text) => text.chars().for_each(|c| all.add(&Chars::one(c))),
                ElementKind::Name(name) => all.add(&self.chars_of(name)),
                _ => {}
            }
        }
        if self.case_insensitive {
            all = all.in_any_case();
        }
        Ok(self.builder.pattern(&all.negated().pattern())?)
    }

    /// Returns the characters of a lexer rule that is a set.
    fn chars_of(&self, name: &str) -> Chars {
        let mut found = Chars::none();
        let rule = self
            .files
            .lexer
            .iter()
            .find(|ruled| ruled.rule.name.text == name);
        let alternatives = rule.map_or(&[][..], |ruled| &ruled.rule.alternatives);
        for element in alternatives
            .iter()
            .flat_map(|alternative| &alternative.elements)
        {
            match &element.kind {
                ElementKind::Set(set) => found.add(set),
                ElementKind::Literal(text) => {
                    text.chars().for_each(|c| found.add(&Chars::one(c)));
                }
                _ => {}
            }
        }
        found
    }

    fn set(&mut self, mut set: Chars) -> Result<ExprId, ReadError> {
        if self.case_insensitive {
            set = set.in_any_case();
        }
        if set.is_empty() {
            return Ok(self.builder.choice(vec![]));
        }
        if let Some(c) = set.single() {
            return Ok(self.builder.literal(c.encode_utf8(&mut [0; 4]).as_bytes()));
        }
        Ok(self.builder.pattern(&set.pattern())?)
    }

    fn literal(&mut self, text: &str) -> Result<ExprId, ReadError> {
        if !self.case_insensitive {
            return Ok(self.builder.literal(text.as_bytes()));
        }
        let mut members = vec![];
        for c in text.chars() {
            members.push(self.set(Chars::one(c))?);
        }
        Ok(self.builder.sequence(members))
    }

    fn quantified(&mut self, body: ExprId, quantifier: Option<Quantifier>) -> ExprId {
        let Some(Quantifier { symbol, lazy }) = quantifier else {
            return body;
        };
        let whole = match symbol {
            '?' => self.builder.optional(body),
            '*' => self.builder.repeat(body, 0, None, None),
            _ => self.builder.repeat(body, 1, None, None),
        };
        if lazy {
            self.lexing.lazy.insert(whole);
        }
        whole
    }

    /// Returns a mention of the end of the text.
    fn end(&mut self) -> ExprId {
        let symbol = self.builder.rule(END);
        if !self.builder.is_defined(symbol) {
            let nothing = self.builder.empty();
            self.builder.define_token(symbol, nothing);
        }
        self.lexing.end = Some(symbol);
        self.builder.symbol(symbol)
    }

    /// Defines the rules of the parser. Returns the first rule.
    fn parser(&mut self) -> Result<SymbolId, ReadError> {
        let files = self.files;
        self.case_insensitive = files.case_insensitive;
        // The tokens of literals have to be known before `~` and `.` can be resolved.
        for ruled in &files.parser {
            self.implicit_literals(&ruled.rule.alternatives)?;
        }
        let implicit = std::mem::take(&mut self.implicit);
        let rules = implicit.iter().map(|(text, symbol)| (text, *symbol));
        let mut made = vec![];
        for (text, symbol) in rules {
            let body = match self.case_insensitive {
                true => self.literal(text)?,
                false => self.builder.symbol(symbol),
            };
            made.push(LexerRule {
                symbol,
                alternatives: vec![(body, [].into())],
            });
            self.tokens.push(symbol);
        }
        self.implicit = implicit;
        if let Some(mode) = self.lexing.modes.first_mut() {
            mode.rules.splice(0..0, made);
        }
        for ruled in &files.parser {
            let rule = &ruled.rule;
            let symbol = self.builder.rule(&rule.name.text);
            let climbs = rule
                .alternatives
                .iter()
                .any(|alternative| begins_with(alternative, &rule.name.text));
            let mut members = vec![];
            let count = rule.alternatives.len() as i32;
            for (level, alternative) in (1..=count).rev().zip(&rule.alternatives) {
                let body = self.sequence(&alternative.elements, Self::parser_part)?;
                let side = match alternative.right {
                    true => Associativity::Right,
                    false => Associativity::Left,
                };
                members.push(match climbs {
                    true => self.builder.precedence(level, side, body),
                    false => body,
                });
            }
            let body = self.builder.choice(members);
            self.builder.define(symbol, body);
        }
        match files.parser.first() {
            Some(ruled) => Ok(self.builder.rule(&ruled.rule.name.text)),
            None if self.tokens.is_empty() => Err(ReadError::Empty),
            None => {
                // A lexer grammar without a parser grammar describes lists of tokens.
                let start = self.builder.rule("tokens");
                let any = self.tokens_but(&FxHashSet::default());
                let body = self.builder.repeat(any, 0, None, None);
                self.builder.define(start, body);
                Ok(start)
            }
        }
    }

    fn implicit_literals(&mut self, alternatives: &[Alternative]) -> Result<(), ReadError> {
        let elements = alternatives
            .iter()
            .flat_map(|alternative| &alternative.elements);
        for element in elements {
            match &element.kind {
                ElementKind::Literal(text) => self.implicit_literal(text)?,
                ElementKind::Not(parts) => {
                    for part in parts {
                        if let ElementKind::Literal(text) = &part.kind {
                            self.implicit_literal(text)?;
                        }
                    }
                }
                ElementKind::Block(alternatives) => self.implicit_literals(alternatives)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn implicit_literal(&mut self, text: &str) -> Result<(), ReadError> {
        let known = self.literals.get(text).is_some_and(Option::is_some);
        if known || self.implicit_at.contains_key(text) || !self.files.combined {
            return Ok(());
        }
        let symbol = match self.case_insensitive {
            true => {
                let body = self.literal(text)?;
                Some(self.builder.token(text, body, Visibility::Anonymous))
            }
            false => self.builder.literal_symbol(text.as_bytes()),
        };
        if let Some(symbol) = symbol {
            self.implicit_at
                .insert(text.to_owned(), self.implicit.len());
            self.implicit.push((text.to_owned(), symbol));
        }
        Ok(())
    }

    /// Returns the token of a literal of the parser.
    fn literal_token(&mut self, text: &str) -> SymbolId {
        if let Some(Some(name)) = self.literals.get(text) {
            let name = name.clone();
            return self.builder.rule(&name);
        }
        match self.implicit_at.get(text) {
            Some(&at) => self.implicit[at].1,
            // The literal remains undefined, and is reported with the other undefined symbols.
            None => self.builder.rule(&format!("'{text}'")),
        }
    }

    /// Returns the tokens of a part of a rule of the parser.
    fn parser_part(&mut self, kind: &ElementKind) -> Result<ExprId, ReadError> {
        let mut not = FxHashSet::default();
        match kind {
            ElementKind::Literal(text) => {
                let symbol = self.literal_token(text);
                return Ok(self.builder.symbol(symbol));
            }
            ElementKind::Not(parts) => {
                for part in parts {
                    match &part.kind {
                        ElementKind::Name(name) => {
                            not.insert(self.builder.rule(name));
                        }
                        ElementKind::Literal(text) => {
                            not.insert(self.literal_token(text));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(self.tokens_but(&not))
    }

    /// Returns a choice of all tokens except the given tokens and tokens that are never passed to
    /// the parser.
    fn tokens_but(&mut self, not: &FxHashSet<SymbolId>) -> ExprId {
        let tokens = self.tokens.clone();
        let mentions = tokens
            .into_iter()
            .filter(|token| !not.contains(token) && !self.hidden.contains(token))
            .map(|token| self.builder.symbol(token))
            .collect();
        self.builder.choice(mentions)
    }
}

/// Returns whether an alternative begins with a mention of a rule.
fn begins_with(alternative: &Alternative, rule: &str) -> bool {
    match alternative.elements.first() {
        Some(Element {
            kind: ElementKind::Name(name),
            quantifier: None,
            ..
        }) => name == rule && !is_token(name),
        _ => false,
    }
}
