//! Reads the ANTLR 4 notation: from a text to the parts of a file.

use super::ast::{
    Alternative, Command, Element, ElementKind, File, GrammarKind, Name, Quantifier, Rule, is_token,
};
use super::chars::{Chars, Escaped, escape};
use super::options::Options;
use super::predicate::Predicate;
use super::quoted::quoted_len;
use super::result::Note;
use crate::read::ReadError;
use crate::read::cursor::Cursor;

pub(super) fn file(text: &str, options: &Options) -> Result<(File, Vec<Note>), ReadError> {
    let mut source = Source::new(text, options);
    let file = source.file()?;
    Ok((file, source.notes))
}

/// Returns whether a text begins as an ANTLR grammar does: `grammar Name;`.
pub(in crate::read) fn is_grammar(text: &str) -> bool {
    let options = Options::default();
    let mut source = Source::new(text, &options);
    source.skip().is_ok() && source.head().is_ok()
}

struct Source<'t> {
    cursor: Cursor<'t>,
    options: &'t Options,
    /// The parts without effect, since they are code of a programming language.
    notes: Vec<Note>,
    /// The names of the predicates so far.
    predicates: Vec<String>,
    /// The name of the rule that is read.
    rule: Option<String>,
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> Source<'t> {
    fn new(text: &'t str, options: &'t Options) -> Self {
        Source {
            cursor: Cursor::new(text),
            options,
            notes: vec![],
            predicates: vec![],
            rule: None,
        }
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), ReadError> {
        loop {
            self.cursor.skip_white();
            let start = self.cursor.at;
            if self.cursor.eat("//") {
                self.cursor.take_while(|c| c != '\n');
            } else if self.cursor.eat("/*") {
                let Some(len) = self.cursor.rest().find("*/") else {
                    return Err(self.cursor.error_at(start, "this comment is never closed"));
                };
                self.cursor.at += len + 2;
            } else {
                return Ok(());
            }
        }
    }

    /// Takes a symbol if it is next, and the white space after it.
    fn eat(&mut self, symbol: &str) -> Result<bool, ReadError> {
        let found = self.cursor.eat(symbol);
        if found {
            self.skip()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: &str, after: &str) -> Result<(), ReadError> {
        match self.eat(symbol)? {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{symbol}` after {after}"))),
        }
    }

    fn unexpected(&self, expected: &str) -> ReadError {
        let found = match self.cursor.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end of the grammar".into(),
        };
        self.cursor
            .error(format!("expected {expected}, found {found}"))
    }

    fn word(&mut self) -> Result<Option<Name>, ReadError> {
        let at = self.cursor.at;
        if self.cursor.peek().is_some_and(|c| c.is_numeric()) {
            return Ok(None);
        }
        let text = self.cursor.take_while(is_name).to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        self.skip()?;
        Ok(Some(Name { text, at }))
    }

    fn name(&mut self, expected: &str) -> Result<Name, ReadError> {
        match self.word()? {
            Some(name) => Ok(name),
            None => Err(self.unexpected(expected)),
        }
    }

    /// Takes a keyword if it is next.
    fn keyword(&mut self, word: &str) -> Result<bool, ReadError> {
        let found = self.cursor.rest().strip_prefix(word);
        match found {
            Some(rest) if !rest.starts_with(is_name) => self.eat(word),
            _ => Ok(false),
        }
    }

    fn note(&mut self, what: impl Into<String>) {
        let (rule, what) = (self.rule.clone(), what.into());
        self.notes.push(Note { rule, what });
    }

    /// Takes `lexer grammar Name;` and returns the kind and the name.
    fn head(&mut self) -> Result<(GrammarKind, String), ReadError> {
        let kind = if self.keyword("lexer")? {
            GrammarKind::Lexer
        } else if self.keyword("parser")? {
            GrammarKind::Parser
        } else {
            GrammarKind::Combined
        };
        if !self.keyword("grammar")? {
            return Err(self.unexpected("`grammar Name;`"));
        }
        let name = self.name("the name of the grammar")?;
        self.expect(";", "the name of the grammar")?;
        Ok((kind, name.text))
    }

    fn file(&mut self) -> Result<File, ReadError> {
        self.skip()?;
        let (kind, name) = self.head()?;
        let mut file = File {
            kind,
            name,
            case_insensitive: false,
            token_vocab: None,
            imports: vec![],
            tokens: vec![],
            predicates: vec![],
            modes: vec!["DEFAULT_MODE".into()],
            rules: vec![],
        };
        let mut mode = 0;
        while !self.cursor.is_done() {
            if self.block_of("options")? {
                self.options(&mut |name, value| match name {
                    "tokenVocab" => file.token_vocab = Some(value),
                    "caseInsensitive" => file.case_insensitive = value.text == "true",
                    _ => {}
                })?;
            } else if self.block_of("tokens")? {
                file.tokens.extend(self.names()?);
            } else if self.block_of("channels")? {
                self.names()?;
            } else if self.keyword("import")? {
                loop {
                    let mut import = self.name("the name of a grammar")?;
                    if self.eat("=")? {
                        import = self.name("the name of a grammar")?;
                    }
                    file.imports.push(import);
                    if !self.eat(",")? {
                        break;
                    }
                }
                self.expect(";", "the imports")?;
            } else if self.keyword("mode")? {
                let name = self.name("the name of a mode")?.text;
                self.expect(";", "the name of a mode")?;
                mode = match file.modes.iter().position(|known| *known == name) {
                    Some(known) => known,
                    None => {
                        file.modes.push(name);
                        file.modes.len() - 1
                    }
                };
            } else if self.eat("@")? {
                self.named_action()?;
            } else {
                let rule = self.rule(mode)?;
                file.rules.push(rule);
                self.rule = None;
            }
        }
        file.predicates = std::mem::take(&mut self.predicates);
        Ok(file)
    }

    /// Takes `word {` if it is next.
    fn block_of(&mut self, word: &str) -> Result<bool, ReadError> {
        let start = self.cursor.at;
        if self.keyword(word)? && self.eat("{")? {
            return Ok(true);
        }
        self.cursor.at = start;
        Ok(false)
    }

    /// Takes `name = value; … }`.
    fn options(&mut self, found: &mut dyn FnMut(&str, Name)) -> Result<(), ReadError> {
        while !self.eat("}")? {
            let name = self.name("an option or `}`")?;
            self.expect("=", "the name of an option")?;
            let at = self.cursor.at;
            let text = match self.cursor.peek() {
                Some('\'') => self.literal()?,
                Some('{') => {
                    self.action()?;
                    String::new()
                }
                _ => {
                    let more = |c: char| is_name(c) || matches!(c, '.' | '-');
                    self.cursor.take_while(more).to_owned()
                }
            };
            self.skip()?;
            self.expect(";", "an option")?;
            if name.text == "superClass" {
                self.note("a super class is ignored");
            }
            found(&name.text, Name { text, at });
        }
        Ok(())
    }

    /// Takes `A, B }`.
    fn names(&mut self) -> Result<Vec<String>, ReadError> {
        let mut names = vec![];
        while !self.eat("}")? {
            names.push(self.name("a name or `}`")?.text);
            self.eat(",")?;
        }
        Ok(names)
    }

    /// Takes `@parser::name { … }`, after the `@`.
    fn named_action(&mut self) -> Result<(), ReadError> {
        self.name("the name of an action")?;
        if self.eat("::")? {
            self.name("the name of an action")?;
        }
        if self.cursor.peek() != Some('{') {
            return Err(self.unexpected("an action in braces"));
        }
        self.action()?;
        self.note("an action is ignored");
        Ok(())
    }

    /// Takes an action in braces, with the white space after it.
    fn action(&mut self) -> Result<(), ReadError> {
        self.nested('{', '}')
    }

    /// Takes arguments in brackets, with the white space after them.
    fn arguments(&mut self, note: &str) -> Result<(), ReadError> {
        if self.cursor.peek() == Some('[') {
            self.nested('[', ']')?;
            self.note(note);
        }
        Ok(())
    }

    /// Takes code between two brackets. Brackets in its strings and comments do not count.
    fn nested(&mut self, open: char, close: char) -> Result<(), ReadError> {
        let start = self.cursor.at;
        let mut depth = 0usize;
        while let Some(c) = self.cursor.peek() {
            let rest = self.cursor.rest();
            match c {
                '/' if rest.starts_with("//") => {
                    self.cursor.take_while(|c| c != '\n');
                    continue;
                }
                '/' if rest.starts_with("/*") => {
                    self.cursor.at += rest.find("*/").map_or(rest.len(), |len| len + 2);
                    continue;
                }
                '\\' => {
                    self.cursor.next();
                }
                // An apostrophe without a partner in its line does not start a string.
                '"' | '\'' => {
                    if let Some(len) = quoted_len(rest, c) {
                        self.cursor.at += len;
                        continue;
                    }
                }
                _ if c == open => depth += 1,
                _ if c == close => depth -= 1,
                _ => {}
            }
            self.cursor.next();
            if depth == 0 {
                return self.skip();
            }
        }
        Err(self
            .cursor
            .error_at(start, format!("this `{open}` is never closed")))
    }

    fn rule(&mut self, mode: usize) -> Result<Rule, ReadError> {
        let mut fragment = false;
        loop {
            if self.keyword("fragment")? {
                fragment = true;
            } else if !(self.keyword("public")?
                || self.keyword("protected")?
                || self.keyword("private")?)
            {
                break;
            }
        }
        let name = self.name("a rule")?;
        self.rule = Some(name.text.clone());
        let lexer = is_token(&name.text);
        if !lexer {
            self.arguments("arguments of a rule are ignored")?;
        }
        let mut case_insensitive = None;
        loop {
            if self.keyword("returns")? || self.keyword("locals")? {
                self.arguments("attributes of a rule are ignored")?;
            } else if self.keyword("throws")? {
                loop {
                    self.name("an exception")?;
                    if !self.eat(",")? && !self.eat(".")? {
                        break;
                    }
                }
            } else if self.block_of("options")? {
                self.options(&mut |name, value| {
                    if name == "caseInsensitive" {
                        case_insensitive = Some(value.text == "true");
                    }
                })?;
            } else if self.eat("@")? {
                self.named_action()?;
            } else {
                break;
            }
        }
        self.expect(":", "the name of a rule")?;
        let alternatives = self.alternatives(lexer)?;
        if self.cursor.peek() == Some(')') {
            return Err(self.cursor.error("this parenthesis was never opened"));
        }
        self.expect(";", "a rule")?;
        loop {
            if self.keyword("catch")? {
                self.arguments("an argument of an exception handler is ignored")?;
            } else if !self.keyword("finally")? {
                break;
            }
            if self.cursor.peek() != Some('{') {
                return Err(self.unexpected("an action in braces"));
            }
            self.action()?;
            self.note("an exception handler is ignored");
        }
        Ok(Rule {
            name,
            fragment,
            case_insensitive,
            mode,
            alternatives,
        })
    }

    fn alternatives(&mut self, lexer: bool) -> Result<Vec<Alternative>, ReadError> {
        let mut found = vec![self.alternative(lexer)?];
        while self.eat("|")? {
            found.push(self.alternative(lexer)?);
        }
        Ok(found)
    }

    fn alternative(&mut self, lexer: bool) -> Result<Alternative, ReadError> {
        let mut alternative = Alternative::default();
        loop {
            alternative.right |= self.element_options()?;
            match self.cursor.peek() {
                Some('#') => {
                    self.eat("#")?;
                    self.name("the label of an alternative")?;
                }
                Some('-') if self.eat("->")? => {
                    loop {
                        alternative.commands.push(self.command()?);
                        if !self.eat(",")? {
                            break;
                        }
                    }
                    return Ok(alternative);
                }
                None | Some('|' | ')' | ';') => return Ok(alternative),
                Some(_) => {
                    if let Some(element) = self.element(lexer)? {
                        alternative.elements.push(element);
                    }
                    alternative.right |= self.element_options()?;
                }
            }
        }
    }

    /// Takes `<assoc = right>` and other options. Returns whether the association is to the right.
    fn element_options(&mut self) -> Result<bool, ReadError> {
        let mut right = false;
        while self.eat("<")? {
            loop {
                let name = self.name("an option")?;
                if self.eat("=")? {
                    let value = match self.cursor.peek() {
                        Some('\'' | '"') => {
                            let quoted = self.cursor.quoted()?.to_owned();
                            self.skip()?;
                            quoted
                        }
                        // The message that is shown if a predicate fails.
                        Some('{') => {
                            self.action()?;
                            String::new()
                        }
                        _ => {
                            let more = |c: char| is_name(c) || c == '.';
                            let value = self.cursor.take_while(more).to_owned();
                            self.skip()?;
                            value
                        }
                    };
                    right |= name.text == "assoc" && value == "right";
                }
                if !self.eat(",")? {
                    break;
                }
            }
            self.expect(">", "an option")?;
        }
        Ok(right)
    }

    fn command(&mut self) -> Result<Command, ReadError> {
        let name = self.name("a command")?;
        let mut argument = None;
        if self.eat("(")? {
            let at = self.cursor.at;
            let text = self.cursor.take_while(is_name).to_owned();
            self.skip()?;
            argument = Some(Name { text, at });
            self.expect(")", "the argument of a command")?;
        }
        Ok(Command { name, argument })
    }

    /// Takes an element with its quantifier. Returns `None` for code.
    fn element(&mut self, lexer: bool) -> Result<Option<Element>, ReadError> {
        let at = self.cursor.at;
        if self.cursor.peek() == Some('{') {
            self.action()?;
            let code = self.cursor.text[at..self.cursor.at].trim_end();
            if !self.eat("?")? {
                self.note("an action is ignored");
                return Ok(None);
            }
            return Ok(self.predicate(code));
        }
        let kind = self.atom(lexer)?;
        let quantifier = match self.cursor.peek() {
            Some(symbol @ ('?' | '*' | '+')) => {
                self.cursor.next();
                let lazy = self.cursor.eat("?");
                self.skip()?;
                Some(Quantifier { symbol, lazy })
            }
            _ => None,
        };
        Ok(Some(Element { kind, quantifier }))
    }

    /// Returns the effect of a predicate: none, or that no text matches.
    fn predicate(&mut self, code: &str) -> Option<Element> {
        let code = code
            .strip_prefix('{')
            .and_then(|code| code.strip_suffix('}'));
        let Some(Predicate { name, is_negated }) = code.and_then(Predicate::of) else {
            self.note(
                "a predicate is taken as true; `--predicate` sets one that is a name or a call",
            );
            return None;
        };
        let value = self.options.predicates.get(&name).copied();
        if value.is_none() {
            let not = if is_negated { "!" } else { "" };
            self.note(format!(
                "the predicate `{not}{name}` is taken as true; `--predicate {name}={is_negated}` \
                 makes it false"
            ));
        }
        self.predicates.push(name);
        (value == Some(is_negated)).then_some(Element {
            kind: ElementKind::Never,
            quantifier: None,
        })
    }

    fn atom(&mut self, lexer: bool) -> Result<ElementKind, ReadError> {
        if self.eat("~")? {
            let at = self.cursor.at;
            if self.eat("(")? {
                let parts = self.inside(at, |source| {
                    let mut parts = vec![];
                    loop {
                        source.element_options()?;
                        let kind = source.simple(lexer)?;
                        source.element_options()?;
                        parts.push(Element {
                            kind,
                            quantifier: None,
                        });
                        if !source.eat("|")? {
                            return Ok(parts);
                        }
                    }
                })?;
                return Ok(ElementKind::Not(parts));
            }
            let kind = self.simple(lexer)?;
            return Ok(ElementKind::Not(vec![Element {
                kind,
                quantifier: None,
            }]));
        }
        let at = self.cursor.at;
        if self.eat("(")? {
            let alternatives = self.inside(at, |source| {
                if source.block_of("options")? {
                    source.options(&mut |_, _| {})?;
                }
                source.eat(":")?;
                source.alternatives(lexer)
            })?;
            return Ok(ElementKind::Block(alternatives));
        }
        self.simple(lexer)
    }

    /// Reads the contents of a parenthesis that was opened at `at`, up to its end.
    fn inside<T>(
        &mut self,
        at: usize,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        self.cursor.enter()?;
        let found = read(self)?;
        self.cursor.leave();
        if self.cursor.is_done() || self.cursor.peek() == Some(';') {
            return Err(self.cursor.error_at(at, "this parenthesis is never closed"));
        }
        self.expect(")", "a block")?;
        Ok(found)
    }

    /// Takes a name, a literal, a range, a set, or a dot, with a label before it.
    fn simple(&mut self, lexer: bool) -> Result<ElementKind, ReadError> {
        match self.cursor.peek() {
            Some('\'') => {
                let at = self.cursor.at;
                let first = self.literal()?;
                self.skip()?;
                if !self.eat("..")? {
                    return Ok(ElementKind::Literal(first));
                }
                if self.cursor.peek() != Some('\'') {
                    return Err(self.unexpected("a character in quotes"));
                }
                let last = self.literal()?;
                self.skip()?;
                match (one(&first), one(&last)) {
                    (Some(first), Some(last)) if first <= last => {
                        Ok(ElementKind::Set(Chars::codes(first.into(), last.into())))
                    }
                    (Some(_), Some(_)) => {
                        Err(self.cursor.error_at(at, "this range ends before it begins"))
                    }
                    _ => Err(self
                        .cursor
                        .error_at(at, "the ends of a range are one character each")),
                }
            }
            Some('[') if lexer => {
                let set = self.set()?;
                self.skip()?;
                Ok(ElementKind::Set(set))
            }
            Some('.') => {
                self.eat(".")?;
                Ok(ElementKind::Any)
            }
            _ => {
                let Some(name) = self.word()? else {
                    return Err(self.unexpected("a part of a rule"));
                };
                // The label of an element.
                if self.eat("+=")? || (!self.cursor.rest().starts_with("=>") && self.eat("=")?) {
                    self.cursor.enter()?;
                    let labelled = self.atom(lexer)?;
                    self.cursor.leave();
                    return Ok(labelled);
                }
                if !lexer {
                    self.arguments("arguments of a rule are ignored")?;
                }
                Ok(ElementKind::Name(name.text))
            }
        }
    }

    /// Takes a literal in single quotes.
    fn literal(&mut self) -> Result<String, ReadError> {
        let start = self.cursor.at;
        self.cursor.next();
        let mut text = String::new();
        loop {
            let at = self.cursor.at;
            match self.cursor.next() {
                Some('\'') => return Ok(text),
                Some('\\') => match self.escape(at)? {
                    Escaped::Code(code) => text.extend(char::from_u32(code)),
                    Escaped::Set(_) => {
                        return Err(self.cursor.error_at(at, "a property needs brackets"));
                    }
                },
                None | Some('\n' | '\r') => {
                    return Err(self.cursor.error_at(start, "this quote is never closed"));
                }
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, at: usize) -> Result<Escaped, ReadError> {
        let (found, len) =
            escape(self.cursor.rest()).map_err(|what| self.cursor.error_at(at, what))?;
        self.cursor.at += len;
        Ok(found)
    }

    /// Takes a set in brackets.
    fn set(&mut self) -> Result<Chars, ReadError> {
        let start = self.cursor.at;
        self.cursor.next();
        let mut set = Chars::none();
        while !self.cursor.eat("]") {
            let at = self.cursor.at;
            let first = match self.member(start)? {
                Escaped::Code(code) => code,
                Escaped::Set(more) => {
                    set.add(&more);
                    continue;
                }
            };
            let rest = self.cursor.rest();
            let mut last = first;
            if rest.starts_with('-') && !rest.starts_with("-]") {
                self.cursor.next();
                match self.member(start)? {
                    Escaped::Code(code) => last = code,
                    Escaped::Set(_) => {
                        let what = "a property is not the end of a range";
                        return Err(self.cursor.error_at(at, what));
                    }
                }
            }
            if last < first {
                let what = "this range ends before it begins";
                return Err(self.cursor.error_at(at, what));
            }
            set.add(&Chars::codes(first, last));
        }
        Ok(set)
    }

    /// Takes one character or escape of the set that begins at `start`.
    fn member(&mut self, start: usize) -> Result<Escaped, ReadError> {
        let at = self.cursor.at;
        match self.cursor.next() {
            None | Some('\n' | '\r') => {
                Err(self.cursor.error_at(start, "this set is never closed"))
            }
            Some('\\') => self.escape(at),
            Some(c) => Ok(Escaped::Code(c.into())),
        }
    }
}

fn one(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}
