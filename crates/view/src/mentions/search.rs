//! The search for names of other files in one file.

use super::index::{Index, describes};
use super::statement::{Named, Statement, StatementKind};
use crate::brackets::{Bracket, Brackets};
use crate::imports::imports;
use crate::lines::lines;
use nubbin_edit::{File, Span};
use std::ops::Range;

/// Larger files are not searched.
pub(super) const LARGE_FILE: usize = 1 << 20;

/// The longest line that is taken to name a file and do nothing more.
pub(super) const LONG_LINE: usize = 200;

/// The maximum number of words of a line that is taken to name a file and do nothing more.
pub(super) const MANY_WORDS: usize = 4;

/// The search in one file.
pub(super) struct Search<'a> {
    index: &'a Index<'a>,
    file: File<'a>,
    brackets: Option<Brackets>,
}

impl<'a> Search<'a> {
    pub(super) fn new(index: &'a Index<'a>, file: File<'a>) -> Self {
        Search {
            index,
            file,
            brackets: None,
        }
    }

    pub(super) fn run(mut self, statements: &mut Vec<Statement>) {
        let first = statements.len();
        let imports = imports(self.file.text);
        for &span in &imports {
            let names = self.imported(span);
            if !names.is_empty() {
                self.add(statements, span, StatementKind::Lines, names);
            }
        }
        for line in lines(self.file.text) {
            let is_import = imports.partition_point(|import| import.end <= line.start);
            if imports
                .get(is_import)
                .is_none_or(|import| import.start >= line.end)
            {
                self.named(line, statements);
            }
        }
        statements[first..].sort_by_key(|statement| (statement.span.start, statement.span.len()));
        // Several lines may name the same entry of a list.
        for statement in statements.split_off(first) {
            match statements.last_mut() {
                Some(last)
                    if last.file == statement.file && last.span.end > statement.span.start =>
                {
                    last.span.end = last.span.end.max(statement.span.end);
                    last.names.extend(statement.names);
                }
                _ => statements.push(statement),
            }
        }
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        let bytes = self.file.text.get(span.range()).unwrap_or_default();
        // File names that are not UTF-8 are not found.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn add(
        &self,
        statements: &mut Vec<Statement>,
        span: Span,
        kind: StatementKind,
        names: Vec<(usize, Span)>,
    ) {
        let start = self.file.span.start;
        let shifted = |span: Span| Span::new(start + span.start, start + span.end);
        let names = names.into_iter().map(|(target, span)| Named {
            target: self.index.files[target].number,
            span: shifted(span),
        });
        statements.push(Statement {
            file: self.file.number,
            span: shifted(span),
            kind,
            names: names.collect(),
        });
    }

    /// Returns the files that an import names: by paths, or by the names of modules. A package from
    /// which modules are imported is not one of them: the import is of the modules.
    pub(super) fn imported(&self, span: Span) -> Vec<(usize, Span)> {
        let mut found: Vec<(usize, Span)> = vec![];
        // Imported names are looked up in the module that was named before them.
        let mut base: Vec<&str> = vec![];
        let (mut is_base, mut is_inner) = (false, false);
        // If some words are in quotes, the other words are not file names.
        let is_quoted = self.text(span).contains(['"', '\'']);
        for word in words(self.text(span)) {
            let at = Span::new(span.start + word.start as u32, span.start + word.end as u32);
            let text = self.text(at);
            if KEYWORDS.contains(&text) || is_quoted && self.quoted(at) == at {
                continue;
            }
            let target = self.index.path(&self.file, text).or_else(|| {
                let parts = module_parts(text);
                if parts.is_empty() {
                    return None;
                }
                let is_relative = text.starts_with(['.', '/', '~']);
                let joined: Vec<&str> = base.iter().chain(&parts).copied().collect();
                let inner = match base.is_empty() || is_relative {
                    true => None,
                    false => self.index.module(&self.file, &joined, base.len() + 1),
                };
                is_inner |= inner.is_some();
                inner.or_else(|| self.index.module(&self.file, &parts, 1))
            });
            if base.is_empty() {
                base = module_parts(text);
                is_base = target.is_some();
            }
            if let Some(target) = target {
                found.push((target, at));
            }
        }
        if is_base && is_inner {
            found.remove(0);
        }
        found
    }

    /// Adds the files that a line without an import names: by paths with an extension, or folders.
    pub(super) fn named(&mut self, line: Span, statements: &mut Vec<Statement>) {
        let text = self.text(line);
        if text.len() > LARGE_FILE {
            return;
        }
        let all: Vec<Range<usize>> = words(text).collect();
        let is_description = describes(self.file.name);
        for word in &all {
            let at = Span::new(line.start + word.start as u32, line.start + word.end as u32);
            let word = self.text(at);
            let is_quoted = text
                .as_bytes()
                .get(at.end as usize - line.start as usize)
                .is_some_and(|byte| b"\"')".contains(byte));
            let target = match word.contains('.') && !word.ends_with('.') {
                true => self.index.path(&self.file, word),
                false => None,
            };
            let target = target.or_else(|| match is_quoted {
                true => self.index.folder(&self.file, word),
                false => None,
            });
            let Some(target) = target else {
                let entry = self.dependency(line, at).filter(|_| is_description);
                let package = word.strip_prefix("dep:").unwrap_or(word);
                // A scope starts with `@`. In other names, a slash is followed by a feature.
                let package = match package.starts_with('@') {
                    true => package,
                    false => package.split('/').next().unwrap_or_default(),
                };
                if let Some((span, kind)) = entry
                    && let Some(target) = self.index.package(&self.file, package)
                {
                    self.add(statements, span, kind, vec![(target, span)]);
                }
                continue;
            };
            let (span, kind) = self.around(line, at, all.len());
            let element = self.quoted(at);
            self.add(statements, span, kind, vec![(target, element)]);
        }
    }

    /// Returns the span to remove with a name in a line: the entry or rule around it, the line, or
    /// the name by itself.
    pub(super) fn around(&mut self, line: Span, name: Span, words: usize) -> (Span, StatementKind) {
        let text = self.text(line).trim_end();
        if let Some(entry) = self.entry(name) {
            return (entry, StatementKind::Element);
        }
        if let Some(rule) = self.rule(line, name) {
            return (rule, StatementKind::Rule);
        }
        let before = &self.file.text[..line.start as usize];
        let continues = text.ends_with('\\') || before.ends_with(b"\\\n");
        let is_short = words <= MANY_WORDS && text.len() <= LONG_LINE && !continues;
        let is_value = text.contains(['=', ':']) && !text.trim_start().starts_with(['<', '-', '"']);
        if is_short && !is_value {
            return (line, StatementKind::Lines);
        }
        (self.quoted(name), StatementKind::Element)
    }

    /// Returns the object of a list of objects in which a name occurs.
    pub(super) fn entry(&mut self, name: Span) -> Option<Span> {
        let is_data = self
            .file
            .name
            .extension()
            .is_some_and(|ending| ending == "json");
        if !is_data {
            return None;
        }
        let brackets = self
            .brackets
            .get_or_insert_with(|| Brackets::of(self.file.text));
        let groups = brackets.groups();
        let mut inner = groups.get(brackets.around(name.start)? as usize)?;
        loop {
            let outer = groups.get(inner.parent? as usize)?;
            if inner.kind == Bracket::Curly && outer.kind == Bracket::Square {
                return Some(inner.span());
            }
            inner = outer;
        }
    }

    /// Returns the rule of a build whose only target is this name: its line, and those below it
    /// that begin with a tab.
    pub(super) fn rule(&self, line: Span, name: Span) -> Option<Span> {
        let behind = self.file.text.get(name.end as usize..line.end as usize)?;
        let behind = behind.trim_ascii_start();
        if name.start != line.start || !behind.starts_with(b":") || behind.starts_with(b":=") {
            return None;
        }
        let mut end = line.end;
        for below in lines(&self.file.text[end as usize..]) {
            let text = &self.file.text[(line.end + below.start) as usize..];
            if !text.starts_with(b"\t") {
                break;
            }
            end = line.end + below.end;
        }
        Some(Span::new(line.start, end))
    }

    /// Returns the entry of a description of a package in which a name occurs: the entry of a JSON
    /// object or a TOML table with this key, or of a list of features.
    pub(super) fn dependency(&self, line: Span, name: Span) -> Option<(Span, StatementKind)> {
        let key = self.quoted(name);
        let behind = self.file.text.get(key.end as usize..line.end as usize)?;
        let value = behind.trim_ascii_start();
        if key != name && value.starts_with(b":") {
            let end = behind.iter().position(|byte| b",}\r\n".contains(byte));
            let len = end.unwrap_or(behind.len()) as u32;
            return Some((Span::new(key.start, key.end + len), StatementKind::Element));
        }
        if key.start == line.start && value.starts_with(b"=") {
            return Some((line, StatementKind::Lines));
        }
        let before = self.file.text[..key.start as usize].trim_ascii_end();
        let is_listed = key != name && (before.ends_with(b"[") || before.ends_with(b","));
        is_listed.then_some((key, StatementKind::Element))
    }

    /// Returns the span of a name with the quotes around it.
    pub(super) fn quoted(&self, name: Span) -> Span {
        let at = |offset: u32| self.file.text.get(offset as usize).copied();
        let before = name.start.checked_sub(1).and_then(at);
        match before.filter(|quote| b"\"'".contains(quote)) {
            Some(quote) if at(name.end) == Some(quote) => Span::new(name.start - 1, name.end + 1),
            _ => name,
        }
    }
}

/// Words of imports that name nothing.
pub(super) const KEYWORDS: [&str; 9] = [
    "import", "from", "include", "require", "use", "using", "as", "mod", "pub",
];

/// The parts of a line that could be paths or names of modules.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || "_-+./~@:$".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let len = text[start..].find(|c| !is_part(c));
        at = len.map_or(text.len(), |len| start + len);
        let word = text[start..at].trim_end_matches([':', ',']);
        Some(start..start + word.len())
    })
    .filter(|word| !word.is_empty())
}

/// The parts of the name of a module, without those that only say where it is looked for.
pub(super) fn module_parts(word: &str) -> Vec<&str> {
    let separators = ['.', ':', '/'];
    let parts = word.split(separators).filter(|part| !part.is_empty());
    let is_place = |part: &&str| ["crate", "self", "super", "~", "@"].contains(part);
    parts.skip_while(is_place).collect()
}
