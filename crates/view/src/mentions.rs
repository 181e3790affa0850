//! The places at which the files of an input name other files of it.
//!
//! A file is removed together with the places that name it: the line that includes a header, the
//! import of a module, the entry of a source in the description of a build. They are found by the
//! names of the files alone, in the same way for all languages. A guess may be wrong: the passes
//! that use it only propose.

use crate::Kind;
use crate::Views;
use crate::brackets::{Bracket, Brackets};
use crate::imports::imports;
use crate::lines::lines;
use nubbin_edit::{File, Input, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Larger files are not searched.
const LARGE_FILE: usize = 1 << 20;

/// The longest line that is taken to name a file and do nothing more.
const LONG_LINE: usize = 200;

/// The maximum number of words of a line that is taken to name a file and do nothing more.
const MANY_WORDS: usize = 4;

/// All places of an input at which a file names another one.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// The statements by their place in the input. None is in another one.
    pub statements: Vec<Statement>,
}

/// A part of a file that names other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The number of the file that it is in.
    pub file: usize,
    /// The part of the input that is removed once all files that it names are removed.
    pub span: Span,
    /// The kind.
    pub kind: StatementKind,
    /// The files that it names, in its order.
    pub names: Vec<Named>,
}

/// The kind of a statement that names files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// An import, or a short line: whole lines that do nothing but name files.
    Lines,
    /// The rule of a build, which is removed with its target, the first name.
    Rule,
    /// An element of a list, with commas or spaces around it.
    Element,
}

/// The name of a file in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The number of the file.
    pub target: usize,
    /// The part that is removed with this file while other files are left.
    pub span: Span,
}

impl Mentions {
    /// Finds the places.
    ///
    /// ```
    /// use nubbin_edit::Input;
    /// use nubbin_view::mentions::Mentions;
    ///
    /// let input = Input::files([
    ///     ("main.c", b"#include \"lib/a.h\"\nint x;\n".to_vec()),
    ///     ("lib/a.h", b"int a;\n".to_vec()),
    ///     ("Makefile", b"FILES = main.c other.c\n".to_vec()),
    /// ]);
    /// let input = input.unwrap();
    /// let mentions = Mentions::of(&input);
    /// assert_eq!(mentions.pairs().collect::<Vec<_>>(), [(0, 1), (2, 0)]);
    /// let text = |span: nubbin_edit::Span| &input.bytes()[span.range()];
    /// let spans = mentions.without(&input, |file| file == 1);
    /// assert_eq!(text(spans[0]), b"#include \"lib/a.h\"\n");
    /// let spans = mentions.without(&input, |file| file == 0);
    /// assert_eq!(text(spans[0]), b" main.c");
    /// ```
    pub fn of(input: &Input) -> Self {
        let index = Index::of(input);
        let mut statements = vec![];
        for file in input.present() {
            if file.text.len() <= LARGE_FILE && Kind::of(file.text) == Kind::Text {
                Search::new(&index, file).run(&mut statements);
            }
        }
        Mentions { statements }
    }

    /// Does the same as [`Mentions::of`], once for all passes that ask for them.
    pub fn seen(views: &Views, input: &Input) -> Arc<Self> {
        // The names of the files are part of the fingerprint.
        views.keyed(input.bytes(), input.fingerprint(), || Mentions::of(input))
    }

    /// Returns each file that names another one, with that other one.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |statement: &'_ Statement| {
            let file = statement.file;
            let names = statement.names.iter();
            names.map(|name| (file, name.target)).collect::<Vec<_>>()
        };
        self.statements.iter().flat_map(of)
    }

    /// Returns the spans to remove with some files, in order: the statements that name no other
    /// file, and the names in other statements.
    pub fn without(&self, input: &Input, is_gone: impl Fn(usize) -> bool) -> Vec<Span> {
        let mut spans = vec![];
        for statement in &self.statements {
            let gone: Vec<&Named> = statement
                .names
                .iter()
                .filter(|name| is_gone(name.target))
                .collect();
            let Some(file) = input.file(statement.file).filter(|_| !gone.is_empty()) else {
                continue;
            };
            let is_target = |name: &&Named| statement.names.first() == Some(*name);
            let goes = gone.len() == statement.names.len()
                || statement.kind == StatementKind::Rule && gone.first().is_some_and(is_target);
            let element = |span: Span, within: Span, spans: &mut Vec<Span>| {
                let gone = spans.last().map_or(0, |last: &Span| last.end);
                spans.push(with_separator(input.bytes(), span, within, gone));
            };
            match (goes, statement.kind) {
                (true, StatementKind::Element) => element(statement.span, file.span, &mut spans),
                (true, _) => spans.push(statement.span),
                (false, _) => {
                    for name in gone {
                        element(name.span, statement.span, &mut spans);
                    }
                }
            }
        }
        spans
    }
}

/// Extends the span of an element to the comma behind it, or else to that before it, or to the
/// blanks before it. Everything up to `gone` is removed already, with the
/// comma behind it.
fn with_separator(bytes: &[u8], span: Span, within: Span, gone: u32) -> Span {
    let at = |offset: u32| bytes.get(offset as usize).copied().unwrap_or_default();
    let is_blank = |offset: u32| at(offset).is_ascii_whitespace();
    let mut end = span.end;
    while end < within.end && is_blank(end) {
        end += 1;
    }
    if end < within.end && at(end) == b',' {
        end += 1;
        while end < within.end && is_blank(end) {
            end += 1;
        }
        return Span::new(span.start, end);
    }
    let first = within.start.max(gone.min(span.start));
    let mut start = span.start;
    while start > first && is_blank(start - 1) {
        start -= 1;
    }
    if start > first && at(start - 1) == b',' {
        return Span::new(start - 1, span.end);
    }
    let mut start = span.start;
    while start > first && b" \t".contains(&at(start - 1)) {
        start -= 1;
    }
    Span::new(start, span.end)
}

/// The files by their names.
struct Index<'a> {
    files: Vec<File<'a>>,
    /// The files by the last part of their names, without the extension.
    by_stem: FxHashMap<&'a str, Vec<usize>>,
    /// The files that stand for their folder, by the last part of its name.
    by_folder: FxHashMap<&'a str, Vec<usize>>,
    by_path: FxHashMap<&'a Path, usize>,
    /// Descriptions of packages, by the last part of the folder that each is in.
    by_package: FxHashMap<&'a str, Vec<usize>>,
}

/// Files that describe a package, and name the packages that it needs.
const DESCRIPTIONS: [&str; 2] = ["package.json", "Cargo.toml"];

/// Files that stand for the folder that they are in.
const OF_FOLDERS: [&str; 5] = ["mod", "__init__", "index", "init", "lib"];

/// The endings of files that a build makes of others.
const OBJECTS: [&str; 3] = ["o", "obj", "lo"];

impl<'a> Index<'a> {
    fn of(input: &'a Input) -> Self {
        let mut index = Index {
            files: input.present().collect(),
            by_stem: FxHashMap::default(),
            by_folder: FxHashMap::default(),
            by_path: FxHashMap::default(),
            by_package: FxHashMap::default(),
        };
        let utf8 = |part: Option<&'a std::ffi::OsStr>| part.and_then(|part| part.to_str());
        for at in 0..index.files.len() {
            let name = index.files[at].name;
            index.by_path.insert(name, at);
            if let Some(stem) = utf8(name.file_stem()) {
                index.by_stem.entry(stem).or_default().push(at);
                let folder = name.parent().and_then(|folder| utf8(folder.file_name()));
                if let Some(folder) = folder.filter(|_| OF_FOLDERS.contains(&stem)) {
                    index.by_folder.entry(folder).or_default().push(at);
                }
                if let Some(folder) = folder.filter(|_| describes(name)) {
                    index.by_package.entry(folder).or_default().push(at);
                }
            }
        }
        index
    }

    /// Returns the file that a path with an extension names, as a file in `from` would.
    fn path(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let path = Path::new(word);
        let extension = path.extension()?.to_str()?;
        let stem = path.file_stem()?.to_str()?;
        let all = self.by_stem.get(stem)?;
        let is_object = OBJECTS.contains(&extension);
        let plain = without_dots(path);
        let fits = |at: &usize| {
            let name = self.files[*at].name;
            match is_object {
                true => {
                    let ending = name.extension().and_then(|ending| ending.to_str());
                    let is_header = ending.is_none_or(|ending| ending.starts_with('h'));
                    !is_header && name.with_extension("").ends_with(plain.with_extension(""))
                }
                false => name.ends_with(&plain),
            }
        };
        self.nearest(from, all.iter().copied().filter(fits))
    }

    /// Returns the file that describes a folder as `from` describes its own.
    fn folder(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let own = from.name.parent()?;
        let described = normal(&own.join(word).join(from.name.file_name()?))?;
        let at = *self.by_path.get(described.as_path())?;
        (self.files[at].number != from.number).then_some(at)
    }

    /// Returns the description of the package with this name: that in a folder of its name, as in
    /// `node_modules` or `vendor`.
    fn package(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let last = word.rsplit('/').next()?;
        let all = self.by_package.get(last)?;
        let described = Path::new(word).join(from.name.file_name()?);
        let fits = |at: &usize| self.files[*at].name.ends_with(&described);
        self.nearest(from, all.iter().copied().filter(fits))
    }

    /// Returns the file of the module with this name, or of the module that defines the last parts
    /// of the name.
    fn module(&self, from: &File<'_>, parts: &[&str], least: usize) -> Option<usize> {
        for len in (least.max(1)..=parts.len()).rev() {
            let parts = &parts[..len];
            let last = parts[len - 1];
            let path: PathBuf = parts.iter().collect();
            let fits = |at: &usize| self.files[*at].name.with_extension("").ends_with(&path);
            let of_folder = |at: &usize| {
                let folder = self.files[*at].name.parent();
                folder.is_some_and(|folder| folder.ends_with(&path))
            };
            let files = self.by_stem.get(last).into_iter().flatten().copied();
            let folders = self.by_folder.get(last).into_iter().flatten().copied();
            let found = files.filter(fits).chain(folders.filter(of_folder));
            if let Some(found) = self.nearest(from, found) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the file beside `from`, or that with the most of its path in common, if it is the
    /// only one.
    fn nearest(&self, from: &File<'_>, found: impl Iterator<Item = usize>) -> Option<usize> {
        let common = |at: usize| {
            let theirs = self.files[at].name.components();
            let both = from.name.components().zip(theirs);
            both.take_while(|(own, other)| own == other).count()
        };
        let extension = |at: usize| self.files[at].name.extension() == from.name.extension();
        let others = found.filter(|&at| self.files[at].number != from.number);
        let mut ranked: Vec<_> = others
            .map(|at| {
                let beside = self.files[at].name.parent() == from.name.parent();
                ((extension(at), beside, common(at)), at)
            })
            .collect();
        ranked.sort_unstable_by(|one, other| other.cmp(one));
        match ranked[..] {
            [] => None,
            [(best, _), (next, _), ..] if best == next => None,
            [(_, at), ..] => Some(at),
        }
    }
}

/// Whether a file describes a package.
fn describes(name: &Path) -> bool {
    let last = name.file_name().and_then(|last| last.to_str());
    last.is_some_and(|last| DESCRIPTIONS.contains(&last))
}

/// The path without its leading `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let is_dots = |part: &Component<'_>| matches!(part, Component::CurDir | Component::ParentDir);
    path.components().skip_while(is_dots).collect()
}

/// The path without any `.` and `..`; `None` if it leaves the input.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::Normal(part) => normal.push(part),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// The search in one file.
struct Search<'a> {
    index: &'a Index<'a>,
    file: File<'a>,
    brackets: Option<Brackets>,
}

impl<'a> Search<'a> {
    fn new(index: &'a Index<'a>, file: File<'a>) -> Self {
        Search {
            index,
            file,
            brackets: None,
        }
    }

    fn run(mut self, statements: &mut Vec<Statement>) {
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
        // An entry of a list may be named by several lines.
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

    fn text(&self, span: Span) -> &'a str {
        let bytes = self.file.text.get(span.range()).unwrap_or_default();
        // Names of files that are not UTF-8 are not found.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn add(
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
    fn imported(&self, span: Span) -> Vec<(usize, Span)> {
        let mut found: Vec<(usize, Span)> = vec![];
        // What is imported is looked for in the module that was named before.
        let mut base: Vec<&str> = vec![];
        let (mut is_base, mut is_inner) = (false, false);
        // Where some names are in quotes, the others are not those of files.
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
    fn named(&mut self, line: Span, statements: &mut Vec<Statement>) {
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
                // A scope begins with `@`; otherwise a feature is behind the slash.
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
    fn around(&mut self, line: Span, name: Span, words: usize) -> (Span, StatementKind) {
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

    /// Returns the object of a list of objects in which a name stands.
    fn entry(&mut self, name: Span) -> Option<Span> {
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
    fn rule(&self, line: Span, name: Span) -> Option<Span> {
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

    /// Returns the entry of a description of a package in which a name stands: that of an object of
    /// JSON or a table of TOML with this key, or that of a list of features.
    fn dependency(&self, line: Span, name: Span) -> Option<(Span, StatementKind)> {
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
    fn quoted(&self, name: Span) -> Span {
        let at = |offset: u32| self.file.text.get(offset as usize).copied();
        let before = name.start.checked_sub(1).and_then(at);
        match before.filter(|quote| b"\"'".contains(quote)) {
            Some(quote) if at(name.end) == Some(quote) => Span::new(name.start - 1, name.end + 1),
            _ => name,
        }
    }
}

/// Words of imports that name nothing.
const KEYWORDS: [&str; 9] = [
    "import", "from", "include", "require", "use", "using", "as", "mod", "pub",
];

/// The parts of a line that could be paths or names of modules.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
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
fn module_parts(word: &str) -> Vec<&str> {
    let separators = ['.', ':', '/'];
    let parts = word.split(separators).filter(|part| !part.is_empty());
    let is_place = |part: &&str| ["crate", "self", "super", "~", "@"].contains(part);
    parts.skip_while(is_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(files: &[(&str, &str)]) -> Input {
        let files = files.iter().map(|&(name, text)| (name, text.into()));
        Input::files(files).unwrap()
    }

    /// The names of the files that the first file names, and the texts to remove with each.
    fn named(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
        let input = input(files);
        let mentions = Mentions::of(&input);
        let first = mentions.pairs().filter(|(file, _)| *file == 0);
        let text = |span: &Span| String::from_utf8_lossy(&input.bytes()[span.range()]).into_owned();
        first
            .map(|(_, target)| {
                let name = input.file(target).unwrap().name;
                let spans = mentions.without(&input, |file| file == target);
                (
                    name.to_str().unwrap().into(),
                    spans.iter().map(text).collect(),
                )
            })
            .collect()
    }

    fn is(found: &[(String, Vec<String>)], expected: &[(&str, &[&str])]) {
        let found: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|(name, texts)| (name.as_str(), texts.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(name, texts)| (*name, texts.to_vec()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn imports_of_many_languages_name_files() {
        let c = "#include \"../lib/a.h\"\n#include <stdio.h>\nint x;\n";
        is(
            &named(&[("src/main.c", c), ("lib/a.h", ""), ("other/b.h", "")]),
            &[("lib/a.h", &["#include \"../lib/a.h\"\n"])],
        );
        let python = "import os\nfrom app.part import one, two\nfrom .beside import Thing\nx\n";
        let files = [
            ("app/main.py", python),
            ("app/part/__init__.py", ""),
            ("app/part/one.py", ""),
            ("app/part/two.py", ""),
            ("app/beside.py", ""),
        ];
        is(
            &named(&files),
            &[
                ("app/part/one.py", &["one, "]),
                ("app/part/two.py", &[", two"]),
                ("app/beside.py", &["from .beside import Thing\n"]),
            ],
        );
        let script = "import {\n  A,\n} from './lib/a';\nexport * from \"../b\";\nconst c = require('./c');\n";
        is(
            &named(&[
                ("src/x.ts", script),
                ("src/lib/a.ts", ""),
                ("b.ts", ""),
                ("src/c.js", ""),
            ]),
            &[
                ("src/lib/a.ts", &["import {\n  A,\n} from './lib/a';\n"]),
                ("b.ts", &["export * from \"../b\";\n"]),
                ("src/c.js", &["const c = require('./c');\n"]),
            ],
        );
        let rust = "mod a;\npub mod b;\nuse crate::c::{Thing, Other};\nfn main() {}\n";
        is(
            &named(&[
                ("src/main.rs", rust),
                ("src/a.rs", ""),
                ("src/b/mod.rs", ""),
                ("src/c.rs", ""),
            ]),
            &[
                ("src/a.rs", &["mod a;\n"]),
                ("src/b/mod.rs", &["pub mod b;\n"]),
                ("src/c.rs", &["use crate::c::{Thing, Other};\n"]),
            ],
        );
        let java = "package p;\nimport q.r.Thing;\nclass A {}\n";
        is(
            &named(&[("p/A.java", java), ("q/r/Thing.java", "")]),
            &[("q/r/Thing.java", &["import q.r.Thing;\n"])],
        );
    }

    #[test]
    fn an_entry_of_a_build_goes_with_its_file() {
        let database = "[\n  {\"file\": \"src/a.c\", \"command\": \"cc src/a.c\"},\n  {\"file\": \"src/b.c\"}\n]\n";
        is(
            &named(&[
                ("compile_commands.json", database),
                ("src/a.c", ""),
                ("src/b.c", ""),
            ])[..1],
            &[(
                "src/a.c",
                &["{\"file\": \"src/a.c\", \"command\": \"cc src/a.c\"},\n  "],
            )],
        );
        let make =
            "OBJS = a.o b.o \\\n  c.o\nall: $(OBJS)\na.o: a.c a.h\n\tcc -c a.c\n\techo\nclean:\n";
        let found = named(&[
            ("Makefile", make),
            ("a.c", ""),
            ("b.c", ""),
            ("a.h", ""),
            ("c.c", ""),
        ]);
        assert_eq!(
            found[0].1[..2],
            [" a.o", "a.o: a.c a.h\n\tcc -c a.c\n\techo\n"]
        );
        assert_eq!(found[1], ("b.c".into(), vec![" b.o".to_owned()]));
        assert_eq!(found[2], ("c.c".into(), vec!["  c.o".to_owned()]));
        let cargo = "[workspace]\nmembers = [\"one\", \"two\"]\n";
        is(
            &named(&[
                ("Cargo.toml", cargo),
                ("one/Cargo.toml", ""),
                ("two/Cargo.toml", ""),
            ]),
            &[
                ("one/Cargo.toml", &["\"one\", "]),
                ("two/Cargo.toml", &[", \"two\""]),
            ],
        );
        let package = "{\"dependencies\": {\n  \"one\": \"^1.0\",\n  \"@a/two\": \"2\"\n}}";
        is(
            &named(&[
                ("package.json", package),
                ("node_modules/one/package.json", ""),
                ("node_modules/@a/two/package.json", ""),
                ("node_modules/two/package.json", ""),
            ]),
            &[
                ("node_modules/one/package.json", &["\"one\": \"^1.0\",\n  "]),
                (
                    "node_modules/@a/two/package.json",
                    &[",\n  \"@a/two\": \"2\""],
                ),
            ],
        );
        let cargo = "[features]\nx = [\"y\", \"dep:one\", \"two/z\"]\n[dependencies]\none = \"1\"\ntwo = { version = \"2\" }\n";
        is(
            &named(&[
                ("app/Cargo.toml", cargo),
                ("vendor/one/Cargo.toml", ""),
                ("vendor/two/Cargo.toml", ""),
                ("vendor/two/package.json", ""),
            ])[..2],
            &[
                ("vendor/one/Cargo.toml", &["\"dep:one\", ", "one = \"1\"\n"]),
                (
                    "vendor/two/Cargo.toml",
                    &[", \"two/z\"", "two = { version = \"2\" }\n"],
                ),
            ],
        );
        let page = "<p>\n<script src=\"a.js\"></script>\n<p>a long line about a.js and more\n";
        is(
            &named(&[("index.html", page), ("a.js", "")])[..1],
            &[("a.js", &["<script src=\"a.js\"></script>\n", " a.js"])],
        );
    }

    #[test]
    fn an_ambiguous_or_foreign_name_names_no_file() {
        is(
            &named(&[
                ("c/y.tex", "\\input{part.tex}"),
                ("a/part.tex", ""),
                ("b/part.tex", ""),
            ]),
            &[],
        );
        is(
            &named(&[("x.py", "import self\nimport numpy\n"), ("y.py", "")]),
            &[],
        );
        is(
            &named(&[("a.c", "a.c\n#include \"a.c\"\n"), ("b.c", "")]),
            &[],
        );
    }

    #[test]
    fn any_bytes_are_searched() {
        let odd = "\u{0}\u{ff}/./../a.h: \\\n\t{[\"a.h\",]} import . from";
        let files = [
            ("a.h", odd),
            ("b/Makefile", odd),
            ("c.json", odd),
            ("d", "\n\n"),
        ];
        let input = input(&files);
        let mentions = Mentions::of(&input);
        for span in mentions.without(&input, |_| true) {
            assert!(!span.is_empty() && span.end as usize <= input.bytes().len());
        }
    }
}
