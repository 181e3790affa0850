use super::source::{Kind, Rule, Source};
use super::{GrammarJsonError, lexical};
use crate::hints::{Hints, StandIn};
use nubbin_grammar::grammar::{
    Associativity, Builder, Expr, ExprId, Grammar, NameId, SymbolId, Visibility,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the symbol for text that does not fit.
pub const ERROR: &str = "ERROR";

/// Reads the grammar in a `grammar.json` file.
///
/// `a (b a)*` becomes one repetition with a separator, so that trees have an iteration for the
/// first element too. The symbol [`ERROR`] is added. No rule mentions it. The text of a token is
/// unknown if its pattern has syntax that only the parser generator supports. `hints` adds
/// knowledge beyond the file; hints for rules that the file does not have are ignored.
///
/// # Errors
///
/// Returns an error if the file is not such a grammar, or mentions undefined rules.
pub fn read(json: &[u8], hints: &Hints) -> Result<Grammar, GrammarJsonError> {
    let mut source: Source = serde_json::from_slice(json)?;
    for (name, body) in &mut source.rules.0 {
        if let Some((_, stricter)) = hints.stricter.iter().find(|(rule, _)| rule == name) {
            *body = serde_json::from_str(stricter)?;
        }
    }
    let Some((start, _)) = source.rules.0.first() else {
        return Err(GrammarJsonError::Empty);
    };
    let mut reading = Reading {
        lexical: lexical::rules(&source),
        bodies: source
            .rules
            .0
            .iter()
            .map(|(name, body)| (name.as_str(), body))
            .collect(),
        inline: source.inline.iter().map(String::as_str).collect(),
        builder: Builder::new(&source.name),
        tokens: FxHashMap::default(),
        aliases: vec![],
        inlining: vec![],
    };
    reading.rules(&source);
    reading.externals(&source);
    reading.extras(&source);
    reading.aliases();
    for name in hints.bound {
        if reading.bodies.contains_key(name) {
            let symbol = reading.builder.rule(name);
            reading.builder.bind(symbol);
        }
    }
    let error = reading.builder.rule(ERROR);
    reading.builder.external(error);
    let start = reading.builder.rule(start);
    let grammar = reading.builder.finish(start)?;
    let grammar = grammar.with_conventions(hints.conventions);
    Ok(hints.stand_ins.iter().fold(grammar, with_stand_in))
}

fn with_stand_in(mut grammar: Grammar, stand_in: &StandIn) -> Grammar {
    let Some(symbol) = grammar.rule(stand_in.rule) else {
        return grammar;
    };
    let text = stand_in.text.as_bytes();
    if stand_in.within.is_empty() {
        return grammar.with_stand_in(symbol, None, text);
    }
    for around in stand_in.within {
        if let Some(around) = grammar.rule(around) {
            grammar = grammar.with_stand_in(symbol, Some(around), text);
            if let Some(text) = stand_in.valued {
                grammar = grammar.with_valued_stand_in(symbol, around, text.as_bytes());
            }
        }
    }
    grammar
}

/// Returns the name of the language in a `grammar.json` file. The entry point of the parser has
/// this name.
///
/// # Errors
///
/// Returns an error if the file is not such a grammar.
pub fn name(json: &[u8]) -> Result<String, GrammarJsonError> {
    let source: Source = serde_json::from_slice(json)?;
    Ok(source.name)
}

struct Reading<'s> {
    builder: Builder,
    bodies: FxHashMap<&'s str, &'s Rule>,
    /// The rules that are tokens.
    lexical: FxHashSet<&'s str>,
    inline: FxHashSet<&'s str>,
    /// The tokens without a name.
    tokens: FxHashMap<&'s Rule, SymbolId>,
    /// The symbols that are shown under an alias, in the order of the file.
    aliases: Vec<(Named<'s>, SymbolId)>,
    /// The inlined rules that are being substituted.
    inlining: Vec<&'s str>,
}

/// The target of an alias.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named<'s> {
    Rule(&'s str),
    Token(SymbolId),
    /// A repetition by itself.
    Part(SymbolId),
}

/// The context of a part that applies to the symbols in it.
#[derive(Clone, Copy, Default)]
struct Around {
    alias: Option<SymbolId>,
    /// Whether the alias is that of a substituted rule, which overrides those inside.
    overrides: bool,
    field: Option<NameId>,
}

impl<'s> Reading<'s> {
    fn rules(&mut self, source: &'s Source) {
        // Rules are numbered in the order of the file, as in the parser.
        for (name, _) in &source.rules.0 {
            self.builder.rule(name);
        }
        for (name, body) in &source.rules.0 {
            let symbol = self.builder.rule(name);
            let visibility = if self.inline.contains(name.as_str()) {
                Visibility::Inline
            } else if source.supertypes.contains(name) {
                Visibility::Supertype
            } else if name.starts_with('_') {
                Visibility::Hidden
            } else {
                Visibility::Named
            };
            self.builder.show(symbol, visibility);
            if self.lexical.contains(name.as_str()) {
                let text = self.text(body);
                match text {
                    Some(text) => self.builder.define_token(symbol, text),
                    None => self.builder.external(symbol),
                }
            } else {
                let body = self.expr(body, Around::default());
                self.builder.define(symbol, body);
            }
        }
    }

    fn externals(&mut self, source: &'s Source) {
        for external in &source.externals {
            if external.kind == Kind::Symbol {
                let symbol = self.builder.rule(external.name());
                if !self.builder.is_defined(symbol) {
                    self.builder.external(symbol);
                    if external.name().starts_with('_') {
                        self.builder.show(symbol, Visibility::Hidden);
                    }
                }
            }
        }
    }

    fn extras(&mut self, source: &'s Source) {
        for extra in &source.extras {
            let symbol = match extra.kind {
                Kind::Symbol => Some(self.builder.rule(extra.name())),
                _ if extra.is_token() => self.token(extra),
                _ => None,
            };
            if let Some(symbol) = symbol {
                self.builder.extra(symbol);
            }
        }
    }

    /// Resolves names that are only aliases to the symbols for which they stand. The bodies are
    /// read once more, since a part of a rule is a distinct occurrence.
    fn aliases(&mut self) {
        let mut by_alias: FxHashMap<SymbolId, Vec<Named<'s>>> = FxHashMap::default();
        let mut order = vec![];
        for (content, alias) in std::mem::take(&mut self.aliases) {
            let contents = by_alias.entry(alias).or_insert_with(|| {
                order.push(alias);
                vec![]
            });
            if !contents.contains(&content) {
                contents.push(content);
            }
        }
        for alias in order {
            if self.builder.is_defined(alias) {
                continue;
            }
            let contents = by_alias.remove(&alias).unwrap_or_default();
            let token = |named: &Named<'s>| match named {
                Named::Rule(name) => self.lexical.contains(name) || !self.bodies.contains_key(name),
                Named::Token(_) => true,
                Named::Part(_) => false,
            };
            let only_tokens = contents.iter().all(token);
            let bodies = contents.iter().map(|&content| self.alternative(content));
            let bodies = bodies.collect();
            let body = self.builder.choice(bodies);
            match only_tokens {
                true => self.builder.define_token(alias, body),
                false => self.builder.define(alias, body),
            }
        }
        // The second reading of the bodies finds no new symbols.
        self.aliases.clear();
    }

    fn alternative(&mut self, content: Named<'s>) -> ExprId {
        match content {
            Named::Rule(name) => {
                let symbol = self.builder.rule(name);
                match self.bodies.get(name) {
                    Some(body) if !self.lexical.contains(name) => {
                        self.expr(body, Around::default())
                    }
                    // The token of a leaf is not a child.
                    _ => {
                        let text = self.builder.symbol(symbol);
                        let hidden = self.builder.token(name, text, Visibility::Hidden);
                        self.builder.symbol(hidden)
                    }
                }
            }
            Named::Token(token) => {
                let text = self.builder.symbol(token);
                let hidden = self.builder.token("", text, Visibility::Hidden);
                self.builder.symbol(hidden)
            }
            Named::Part(part) => self.builder.symbol(part),
        }
    }

    /// Translates a rule. The recursion is over the nesting of the file, which its reader bounds.
    fn expr(&mut self, rule: &'s Rule, around: Around) -> ExprId {
        match rule.kind {
            Kind::Blank => self.builder.empty(),
            Kind::String | Kind::Pattern | Kind::Token | Kind::ImmediateToken => {
                match self.token(rule) {
                    Some(token) => self.mention(Named::Token(token), token, around),
                    None => self.builder.empty(),
                }
            }
            Kind::Symbol => self.symbol(rule.name(), around),
            Kind::Seq => self.sequence(&rule.members, around),
            Kind::Choice => {
                let members = rule.members.iter();
                let some: Vec<_> = members
                    .filter(|member| member.kind != Kind::Blank)
                    .collect();
                let or_nothing = some.len() < rule.members.len();
                if some.is_empty() {
                    return self.builder.empty();
                }
                let some = some.iter().map(|member| self.expr(member, around));
                let some = some.collect();
                let body = self.builder.choice(some);
                match or_nothing {
                    true => self.optional(body),
                    false => body,
                }
            }
            Kind::Repeat | Kind::Repeat1 => {
                let Some(content) = rule.content() else {
                    return self.builder.empty();
                };
                let min = u32::from(rule.kind == Kind::Repeat1);
                if around.alias.is_none() {
                    let body = self.expr(content, around);
                    return self.builder.repeat(body, min, None, None);
                }
                // A repetition is a symbol of its own, which an alias makes visible.
                let body = self.expr(content, Around::default());
                let several = self.builder.repeat(body, 1, None, None);
                let part = self.builder.part(several);
                let mention = self.mention(Named::Part(part), part, around);
                match min {
                    0 => self.builder.optional(mention),
                    _ => mention,
                }
            }
            Kind::Field => {
                let field = Some(self.builder.name(rule.name()));
                self.content(rule, Around { field, ..around })
            }
            Kind::Alias if around.overrides => self.content(rule, around),
            Kind::Alias => {
                let alias = match rule.named {
                    true => Some(self.builder.rule(rule.text())),
                    false => self.builder.literal_symbol(rule.text().as_bytes()),
                };
                self.content(rule, Around { alias, ..around })
            }
            Kind::Prec | Kind::PrecLeft | Kind::PrecRight => {
                let associativity = match rule.kind {
                    Kind::PrecRight => Associativity::Right,
                    _ => Associativity::Left,
                };
                let body = self.content(rule, around);
                if rule.level() == 0 && associativity == Associativity::Left {
                    return body;
                }
                self.builder.precedence(rule.level(), associativity, body)
            }
            Kind::PrecDynamic | Kind::Reserved => self.content(rule, around),
        }
    }

    fn content(&mut self, rule: &'s Rule, around: Around) -> ExprId {
        match rule.content() {
            Some(content) => self.expr(content, around),
            None => self.builder.empty(),
        }
    }

    /// Creates an optional `body`. An optional repetition becomes the repetition with a lower
    /// minimum.
    fn optional(&mut self, body: ExprId) -> ExprId {
        match self.builder.expr(body) {
            Expr::Repeat(repeat) if repeat.min <= 1 => {
                self.builder
                    .repeat(repeat.body, 0, repeat.max, repeat.separator)
            }
            Expr::Optional(_) => body,
            _ => self.builder.optional(body),
        }
    }

    fn symbol(&mut self, name: &'s str, around: Around) -> ExprId {
        let body = self.bodies.get(name).copied();
        match body.filter(|_| around.alias.is_some() && self.inline.contains(name)) {
            // The alias of an inlined rule applies to every symbol in its body.
            Some(body) if !self.lexical.contains(name) && !self.inlining.contains(&name) => {
                self.inlining.push(name);
                let overrides = true;
                let expr = self.expr(
                    body,
                    Around {
                        overrides,
                        ..around
                    },
                );
                self.inlining.pop();
                expr
            }
            _ => {
                let symbol = self.builder.rule(name);
                self.mention(Named::Rule(name), symbol, around)
            }
        }
    }

    fn mention(&mut self, content: Named<'s>, symbol: SymbolId, around: Around) -> ExprId {
        let alias = around.alias.filter(|&alias| alias != symbol);
        if let Some(alias) = alias {
            self.aliases.push((content, alias));
        }
        self.builder.aliased(symbol, alias, around.field)
    }

    /// Turns `a (b a)*` or `(a b)* a` in a sequence into a repetition with a separator.
    fn sequence(&mut self, members: &'s [Rule], around: Around) -> ExprId {
        let mut parts = vec![];
        let mut at = 0;
        while let Some(member) = members.get(at) {
            let list = Separated::starting_at(&members[at..]);
            let Some(list) = list.filter(|_| around.alias.is_none()) else {
                parts.push(self.expr(member, around));
                at += 1;
                continue;
            };
            let body = self.sequence(list.element, around);
            let separator = self.sequence(list.separator, around);
            parts.push(self.builder.repeat(body, 1, None, Some(separator)));
            at += list.members;
        }
        self.builder.sequence(parts)
    }

    /// Returns the symbol of a token without a name, or `None` if it has no text.
    fn token(&mut self, rule: &'s Rule) -> Option<SymbolId> {
        if let Some(text) = rule.literal() {
            return self.builder.literal_symbol(text.as_bytes());
        }
        if let Some(&token) = self.tokens.get(rule) {
            return Some(token);
        }
        let token = match self.text(rule) {
            Some(text) => self.builder.token(rule.text(), text, Visibility::Hidden),
            None => {
                let body = self.builder.empty();
                let token = self.builder.token(rule.text(), body, Visibility::Hidden);
                self.builder.external(token);
                token
            }
        };
        self.tokens.insert(rule, token);
        Some(token)
    }

    /// Returns the text of a token as an expression, or `None` if only the parser knows it.
    fn text(&mut self, rule: &'s Rule) -> Option<ExprId> {
        let several = |reading: &mut Self| {
            let parts = rule.members.iter().map(|member| reading.text(member));
            parts.collect::<Option<Vec<_>>>()
        };
        Some(match rule.kind {
            Kind::Blank => self.builder.empty(),
            Kind::String => self.builder.literal(rule.text().as_bytes()),
            Kind::Pattern => {
                let flags = if rule.ignores_case() { "(?i)" } else { "" };
                let regex = format!("{flags}{}", rule.text());
                self.builder.pattern(&regex).ok()?
            }
            Kind::Symbol => {
                let symbol = self.builder.rule(rule.name());
                self.builder.symbol(symbol)
            }
            Kind::Seq => {
                let parts = several(self)?;
                self.builder.sequence(parts)
            }
            Kind::Choice => {
                let parts = several(self)?;
                self.builder.choice(parts)
            }
            Kind::Repeat | Kind::Repeat1 => {
                let body = self.text(rule.content()?)?;
                let min = u32::from(rule.kind == Kind::Repeat1);
                self.builder.repeat(body, min, None, None)
            }
            _ => self.text(rule.content()?)?,
        })
    }
}

/// A list with separators, in the form that grammars use where the notation has no separators.
struct Separated<'s> {
    element: &'s [Rule],
    separator: &'s [Rule],
    /// The number of members of the sequence that form the list.
    members: usize,
}

impl<'s> Separated<'s> {
    fn starting_at(members: &'s [Rule]) -> Option<Self> {
        let repeated = |rule: &'s Rule| {
            let content = (rule.kind == Kind::Repeat)
                .then(|| rule.content())??
                .inside();
            (content.kind == Kind::Seq).then_some(&content.members[..])
        };
        // The rule has the form `(a b)* a`.
        if let Some(inner) = members.first().and_then(repeated) {
            let most = inner.len().saturating_sub(1).min(members.len() - 1);
            let same = |&len: &usize| inner[..len] == members[1..=len];
            let len = (1..=most).rev().find(same)?;
            return Some(Separated {
                element: &inner[..len],
                separator: &inner[len..],
                members: len + 1,
            });
        }
        // The rule has the form `a (b a)*`.
        let at = members.iter().position(|rule| repeated(rule).is_some())?;
        let inner = repeated(&members[at])?;
        let before = inner.len().checked_sub(at).filter(|&before| before > 0)?;
        (at > 0 && inner[before..] == members[..at]).then(|| Separated {
            element: &members[..at],
            separator: &inner[..before],
            members: at + 1,
        })
    }
}
