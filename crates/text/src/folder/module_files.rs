//! Modules and packages as parts of one file.
//!
//! A module that a line declares by its name alone (`mod list;`) is replaced with its content: in
//! the scope of that line, without the module before names, or in brackets after the name. Files of
//! one package, which begin with the same line (`package list`), do not name each other: the
//! content of one file is put after the content of the other. A package that one file of another
//! folder imports becomes a part of that file.
//!
//! These parts are found by the form of lines and words. A guess that is wrong for a language costs
//! a test.

use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_view::imports::imports;
use nubbin_view::lines::lines;
use nubbin_view::mentions::{Mentions, Statement, StatementKind};
use nubbin_view::names::fresh_names;
use nubbin_view::tokens::is_word_byte;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::path::Path;

/// Words before the name that a line of a package defines.
const DEFINING: [&[u8]; 4] = [b"func", b"type", b"var", b"const"];

/// Returns the edits that make a file a part of another one.
pub(super) fn merged(input: &Input, mentions: &Mentions, file: &File<'_>) -> Vec<Edit> {
    let mut edits = vec![];
    for statement in &mentions.statements {
        if let Some(name) = declared(input, statement, file) {
            edits.extend(without_module(input, mentions, file, statement, name));
            edits.extend(in_brackets(input, file, statement));
        }
    }
    edits.extend(of_one_package(input, file));
    edits.extend(imported_package(input, file));
    edits
}

/// Returns the name of the module if a statement declares it, as `mod list;` does.
fn declared<'i>(input: &'i Input, statement: &Statement, file: &File<'_>) -> Option<&'i [u8]> {
    let is_of_file = statement.names.len() == 1 && statement.names[0].target == file.number;
    if !is_of_file || statement.kind != StatementKind::Lines {
        return None;
    }
    let line = input.bytes().get(statement.span.range())?.trim_ascii();
    let line = line.strip_suffix(b";")?;
    let name = line.iter().rev().take_while(|byte| is_word_byte(**byte));
    let (before, name) = line.split_at(line.len() - name.count());
    let before = before.strip_suffix(b" ")?.strip_suffix(b"mod")?;
    let is_word = !before.last().copied().is_some_and(is_word_byte);
    (is_word && !name.is_empty()).then_some(name)
}

/// Puts the content of a module in the place of its declaration, and removes the module before all
/// names. In other files, the names are then those of the crate.
fn without_module(
    input: &Input,
    mentions: &Mentions,
    file: &File<'_>,
    statement: &Statement,
    name: &[u8],
) -> Option<Edit> {
    let own = text_in_parent(file.text, name);
    let line = without_end(input, statement.span);
    let mut splices = vec![Splice::replace(line, &own), Splice::delete(file.extent)];
    let named = mentions.without(input, |number| number == file.number);
    let is_alike = |other: &File<'_>| other.name.extension() == file.name.extension();
    for other in input.present().filter(is_alike) {
        if other.number == file.number {
            continue;
        }
        let is_home = other.number == statement.file;
        let mut removed: Vec<Span> = match is_home {
            true => named
                .iter()
                .copied()
                .filter(|span| other.span.covers(*span))
                .collect(),
            false => imports_of(other.text, name)
                .map(|span| Span::at(other.span.start, span))
                .collect(),
        };
        removed.retain(|span| *span != statement.span);
        for path in paths(other.text, name) {
            let whole = Span::at(other.span.start, path.whole.clone());
            let is_done = |done: &Span| done.start < whole.end && whole.start < done.end;
            if removed.iter().any(is_done) || statement.span.covers(whole) {
                continue;
            }
            let module = Span::at(other.span.start, path.module);
            splices.push(match (is_home, module == whole) {
                (true, _) => Splice::delete(whole),
                (false, true) => Splice::replace(whole, b"crate::"),
                (false, false) => Splice::delete(module),
            });
        }
        splices.extend(removed.into_iter().map(Splice::delete));
    }
    Edit::new(splices).ok()
}

/// Returns the statements that import a module and none of its names, such as `use crate::list;`.
fn imports_of<'t>(text: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
    let is_of_module = move |span: &Span| {
        let statement = text[span.range()].trim_ascii();
        let before = statement
            .strip_suffix(b";")
            .and_then(|path| path.strip_suffix(name));
        before.is_some_and(|before| before.ends_with(b"::") || before.ends_with(b"use "))
    };
    imports(text)
        .into_iter()
        .filter(is_of_module)
        .map(Span::range)
}

/// Puts the content of a module in brackets after its name.
fn in_brackets(input: &Input, file: &File<'_>, statement: &Statement) -> Option<Edit> {
    let line = without_end(input, statement.span);
    let before = input.bytes().get(line.range())?.trim_ascii_end();
    let before = before.strip_suffix(b";")?;
    let content = file.text.trim_ascii();
    // A comment in the last line would hide the closing bracket.
    let is_code = !content
        .rsplit(|&byte| byte == b'\n')
        .next()
        .is_some_and(has_comment);
    let end: &[u8] = if is_code { b"}" } else { b"\n}" };
    let text = [before, b"{", content, end].concat();
    let splices = [Splice::replace(line, &text), Splice::delete(file.extent)];
    Edit::new(splices).ok()
}

fn has_comment(line: &[u8]) -> bool {
    line.windows(2).any(|two| two == b"//")
}

/// The span of a statement without the end of its last line.
fn without_end(input: &Input, span: Span) -> Span {
    let bytes = input.bytes().get(span.range()).unwrap_or_default();
    let ends = bytes.iter().rev().take_while(|byte| b"\r\n".contains(byte));
    Span::new(span.start, span.end - ends.count() as u32)
}

/// Returns the content of a module as it is in the module around it: without imports of names that
/// are there already, and without the module around it before names.
fn text_in_parent(text: &[u8], name: &[u8]) -> Vec<u8> {
    let mut removed: Vec<Range<usize>> = vec![];
    for import in imports(text) {
        let statement = text.get(import.range()).unwrap_or_default();
        let path = statement.trim_ascii().strip_prefix(b"use super::");
        let is_of_parent = path.is_some_and(|path| !path.windows(2).any(|two| two == b"::"));
        if is_of_parent {
            removed.push(import.range());
        }
    }
    let paths = paths(text, b"super").chain(paths(text, name));
    for range in paths.map(|path| path.whole) {
        let is_done = |done: &Range<usize>| done.start < range.end && range.start < done.end;
        if !removed.iter().any(is_done) {
            removed.push(range);
        }
    }
    removed.sort_by_key(|range| range.start);
    without(text, &removed).trim_ascii().to_vec()
}

/// Returns a text without some parts of it, which are in order.
fn without(text: &[u8], removed: &[Range<usize>]) -> Vec<u8> {
    let mut left = vec![];
    let mut at = 0;
    for range in removed {
        left.extend_from_slice(&text[at..range.start]);
        at = range.end;
    }
    left.extend_from_slice(&text[at..]);
    left
}

/// A module before a name, as in `crate::list::add`.
struct ModulePath {
    /// `crate::list::`
    whole: Range<usize>,
    /// `list::`
    module: Range<usize>,
}

/// Returns the places of a module before names.
fn paths<'t>(text: &'t [u8], module: &'t [u8]) -> impl Iterator<Item = ModulePath> + 't {
    words(text, module).filter_map(move |word| {
        let behind = text.get(word.end..word.end + 2)?;
        let mut start = word.start;
        for around in [b"crate::".as_slice(), b"self::", b"super::"] {
            if text[..start].ends_with(around) {
                start -= around.len();
            }
        }
        let before = &text[..start];
        let is_first =
            !before.ends_with(b"::") && !before.last().copied().is_some_and(is_word_byte);
        let end = word.end + 2;
        (behind == b"::" && is_first).then_some(ModulePath {
            whole: start..end,
            module: word.start..end,
        })
    })
}

/// Returns the places of a word in a text.
fn words<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
    let places = text.windows(word.len().max(1)).enumerate();
    places.filter_map(move |(start, found)| {
        let end = start + word.len();
        let is_whole = !text[..start].last().copied().is_some_and(is_word_byte)
            && !text.get(end).copied().is_some_and(is_word_byte);
        (found == word && is_whole).then_some(start..end)
    })
}

/// A file of a package: the line that names the package, its imports, and the rest.
struct Packaged<'t> {
    /// The line, without its end.
    package: &'t [u8],
    imports: Vec<Span>,
    /// The end of the line and the imports after it.
    head: usize,
}

impl<'t> Packaged<'t> {
    fn of(text: &'t [u8]) -> Option<Self> {
        let package = lines(text).find(|line| text[line.range()].starts_with(b"package "))?;
        let mut head = package.end;
        let behind = imports(text).into_iter();
        let behind = behind.skip_while(|span| span.start < package.end);
        // Fields of a struct may look like imports.
        let is_next = |span: &Span| {
            let gap = text.get(head as usize..span.start as usize);
            let is_next = gap.is_some_and(|gap| gap.trim_ascii().is_empty());
            if is_next {
                head = span.end;
            }
            is_next
        };
        let imports: Vec<Span> = behind.take_while(is_next).collect();
        Some(Packaged {
            package: text[package.range()].trim_ascii(),
            head: head as usize,
            imports,
        })
    }

    fn name(&self) -> &'t [u8] {
        let name = self.package.strip_prefix(b"package");
        name.unwrap_or_default().trim_ascii()
    }
}

/// Puts the content of a file after the content of the first file of its package.
fn of_one_package(input: &Input, file: &File<'_>) -> Option<Edit> {
    let own = Packaged::of(file.text)?;
    let is_of_package = |other: &File<'_>| {
        other.number < file.number
            && other.name.parent() == file.name.parent()
            && other.name.extension() == file.name.extension()
            && Packaged::of(other.text).is_some_and(|other| other.package == own.package)
    };
    let first = input.present().find(is_of_package)?;
    joined(&first, file, &own, vec![], file.text[own.head..].to_vec())
}

/// Puts a package of one file into the only file that imports it. Where a name of the package is
/// taken there, it is replaced with a free one.
fn imported_package(input: &Input, file: &File<'_>) -> Option<Edit> {
    let own = Packaged::of(file.text)?;
    let folder = file.name.parent()?;
    let is_beside = |other: &File<'_>| {
        other.name.parent() == Some(folder) && other.name.extension() == file.name.extension()
    };
    let is_other = |other: &File<'_>| other.number != file.number;
    if input
        .present()
        .filter(is_other)
        .any(|other| is_beside(&other))
    {
        return None;
    }
    let mut importing = input.present().filter(is_other).filter_map(|other| {
        let parts = Packaged::of(other.text)?.imports;
        let import = parts
            .into_iter()
            .find_map(|import| import_of(other.text, import, folder));
        Some((other, import?))
    });
    let (importer, import) = importing.next()?;
    if importing.next().is_some() {
        return None;
    }
    let mut splices = vec![Splice::delete(Span::at(importer.span.start, import))];
    let mut content = file.text[own.head..].to_vec();
    let taken: FxHashSet<&[u8]> = all_words(importer.text)
        .chain(all_words(file.text))
        .collect();
    let defined_there = defined(importer.text);
    let mut fresh = fresh_names(&taken);
    let mut renamed = vec![];
    for name in defined(file.text) {
        if defined_there.contains(name) {
            let new = fresh.next()?;
            content = replaced(&content, name, &new);
            renamed.push((name, new));
        }
    }
    for word in words(importer.text, own.name()) {
        if importer.text.get(word.end) != Some(&b'.') {
            continue;
        }
        let behind = importer.text[word.end + 1..].iter();
        let len = behind.take_while(|byte| is_word_byte(**byte)).count();
        let name = &importer.text[word.end + 1..word.end + 1 + len];
        let new = renamed.iter().find(|(old, _)| *old == name);
        let end = if new.is_some() {
            word.end + 1 + len
        } else {
            word.end + 1
        };
        let span = Span::at(importer.span.start, word.start..end);
        splices.push(match new {
            Some((_, new)) => Splice::replace(span, new),
            None => Splice::delete(span),
        });
    }
    joined(&importer, file, &own, splices, content)
}

/// Returns the part of an import that names a folder: the whole statement, or a line of it.
fn import_of(text: &[u8], import: Span, folder: &Path) -> Option<Range<usize>> {
    let folder = folder.file_name()?.to_str()?;
    let end = |suffix: String| {
        let of = text.get(import.range())?;
        let at = of
            .windows(suffix.len())
            .position(|at| at == suffix.as_bytes())?;
        Some(import.start as usize + at)
    };
    let at = end(format!("/{folder}\""))?;
    let line = lines(text).find(|line| line.range().contains(&at))?;
    let starts = text[line.range()].trim_ascii().starts_with(b"import");
    Some(if starts { import.range() } else { line.range() })
}

/// Puts the imports of a file after the imports of another file, and its content at the end.
fn joined(
    first: &File<'_>,
    file: &File<'_>,
    own: &Packaged<'_>,
    mut splices: Vec<Splice>,
    content: Vec<u8>,
) -> Option<Edit> {
    let there = Packaged::of(first.text)?;
    let mut new = vec![];
    for import in &own.imports {
        let text = &file.text[import.range()];
        let mut parts: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let is_there = |line: &&[u8]| {
            let line = line.trim_ascii();
            let line = line.strip_prefix(b"import").unwrap_or(line).trim_ascii();
            line.len() > 1
                && there
                    .imports
                    .iter()
                    .any(|import| has(&first.text[import.range()], line))
        };
        parts.retain(|line| !is_there(line));
        let is_empty = !parts.concat().contains(&b'"') && text.contains(&b'"');
        if !is_empty {
            new.extend_from_slice(&parts.join(&b'\n'));
        }
    }
    // The text is inserted after the package and its imports, and before anything that is removed
    // there.
    let at = first.span.start + there.head as u32;
    if !new.is_empty() {
        splices.push(Splice::replace(Span::new(at, at), &new));
    }
    let end = first.span.end;
    let lacks_end = !first.text.ends_with(b"\n");
    let line = if lacks_end { b"\n".as_slice() } else { b"" };
    let content = [line, content.trim_ascii_start()].concat();
    if !content.is_empty() {
        splices.push(Splice::replace(Span::new(end, end), &content));
    }
    splices.push(Splice::delete(file.extent));
    Edit::new(splices).ok()
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|at| at == part)
}

/// Returns the names that lines of a package define.
fn defined(text: &[u8]) -> FxHashSet<&[u8]> {
    let name = |line: Span| {
        let line = &text[line.range()];
        let rest = DEFINING.iter().find_map(|word| line.strip_prefix(*word))?;
        let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
        let len = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
        (len > 0).then(|| &rest[..len])
    };
    lines(text).filter_map(name).collect()
}

fn all_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word_byte(*byte))
        .filter(|word| !word.is_empty())
}

/// Returns a text in which a word is replaced, but not where a dot is before it.
fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut left = vec![];
    let mut at = 0;
    for word in words(text, old) {
        if text[..word.start].ends_with(b".") {
            continue;
        }
        left.extend_from_slice(&text[at..word.start]);
        left.extend_from_slice(new);
        at = word.end;
    }
    left.extend_from_slice(&text[at..]);
    left
}

#[cfg(test)]
mod tests {
    use super::super::InlineFiles;
    use super::*;
    use nubbin_engine::testing::reduce_input;

    /// Runs the pass twice, and returns the files that are left. `fails` gets their texts one
    /// behind another.
    fn left(files: &[(&str, &str)], fails: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let files = files.iter().map(|&(name, text)| (name, text.into()));
        let input = Input::files(files).unwrap();
        let texts = |input: &Input| -> Vec<(String, String)> {
            let text = |file: File<'_>| {
                let text = String::from_utf8(file.text.to_vec()).unwrap();
                (file.name.to_str().unwrap().to_owned(), text)
            };
            input.present().map(text).collect()
        };
        let all = |input: &Input| {
            texts(input)
                .into_iter()
                .map(|(_, text)| text)
                .collect::<String>()
        };
        let once = reduce_input(&InlineFiles, input, |input| fails(&all(input)));
        texts(&reduce_input(&InlineFiles, once, |input| {
            fails(&all(input))
        }))
    }

    fn one(name: &str, text: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), text.to_owned())]
    }

    const LIST: &str =
        "use super::Item;\nuse super::tree::Tree;\npub fn add(a: Item, b: Tree) { super::go(); }\n";
    const MAIN: &str =
        "mod list;\nuse crate::list::add;\nfn main() { crate::list::add(1); list::add(2); }\n";

    #[test]
    fn a_module_becomes_a_part_of_the_file_that_declares_it() {
        let files = [("src/main.rs", MAIN), ("src/list.rs", LIST)];
        let expected = "use tree::Tree;\npub fn add(a: Item, b: Tree) { go(); }\nfn main() { add(1); add(2); }\n";
        assert_eq!(left(&files, |_| true), one("src/main.rs", expected));
    }

    #[test]
    fn other_modules_find_the_names_in_the_crate() {
        let files = [
            (
                "src/main.rs",
                "mod shapes;\nmod store;\nuse shapes::Circle;\nfn main() { store::add(Circle); }\n",
            ),
            ("src/shapes.rs", "pub struct Circle;\npub struct Square;\n"),
            (
                "src/store.rs",
                "use super::shapes::Square;\nuse crate::shapes;\npub fn add(_: shapes::Circle) { Square; }\n",
            ),
        ];
        let kept = |text: &str| text.contains("mod store;") && text.contains("use super::");
        let result = left(&files, kept);
        let main = "pub struct Circle;\npub struct Square;\nmod store;\nfn main() { store::add(Circle); }\n";
        let store = "use super::Square;\npub fn add(_: crate::Circle) { Square; }\n";
        assert_eq!([&result[0].1[..], &result[1].1], [main, store]);
    }

    #[test]
    fn a_module_that_must_stay_one_is_put_in_brackets() {
        let files = [("src/main.rs", MAIN), ("src/list.rs", LIST)];
        let result = left(&files, |text| text.contains("mod list"));
        let expected = MAIN.replacen(';', &format!("{{{}}}", LIST.trim()), 1);
        assert_eq!(result, one("src/main.rs", &expected));
        let commented = [("a.rs", "mod b;\n"), ("b.rs", "fn c() {}\n\n// end\n\n\n")];
        let result = left(&commented, |text| text.contains("mod b"));
        assert_eq!(result, one("a.rs", "mod b{fn c() {}\n\n// end\n}\n"));
    }

    #[test]
    fn files_of_one_package_become_one() {
        let files = [
            (
                "p/a.go",
                "package p\n\nimport \"fmt\"\n\nfunc A() { fmt.Print(b()) }\n",
            ),
            (
                "p/b.go",
                "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc b() int { return 1 }\n",
            ),
            ("p/c.go", "package p\nimport \"fmt\"\nvar c = 2\n"),
            ("q/d.go", "package q\nvar d = 3\n"),
        ];
        let result = left(&files, |_| true);
        assert_eq!(
            result[0].1,
            "package p\n\nimport \"fmt\"\nimport (\n\t\"os\"\n)\n\nfunc A() { fmt.Print(b()) }\n\
             func b() int { return 1 }\nvar c = 2\n"
        );
        assert_eq!(result.len(), 2, "{result:?}");
    }

    #[test]
    fn lines_that_look_like_a_package_or_an_import_are_code() {
        assert_eq!(Packaged::of(b"package \n").unwrap().name(), b"");
        let text = b"package p\nimport \"fmt\"\ntype t struct {\n\tsource string\n}\n";
        let head = Packaged::of(text).unwrap().head;
        assert_eq!(&text[head..], b"type t struct {\n\tsource string\n}\n");
        let modules: Vec<_> = paths(b"mycrate::a::b(crate::a::b)", b"a").collect();
        assert_eq!(modules.len(), 1);
        assert_eq!(modules[0].whole, 14..24);
    }

    #[test]
    fn a_package_becomes_a_part_of_the_file_that_imports_it() {
        let main = "package main\n\nimport (\n\t\"fmt\"\n\t\"m/util\"\n)\n\nfunc half() int { return 1 }\n\
                    func main() { fmt.Println(util.Half(4), util.half) }\n";
        let util = "package util\n\nimport \"math\"\n\nfunc Half(n int) int { return half(n) }\n\
                    func half(n int) int { return n.half }\n";
        let files = [("main.go", main), ("util/util.go", util)];
        let expected = "package main\n\nimport (\n\t\"fmt\"\n)\nimport \"math\"\n\n\
                        func half() int { return 1 }\nfunc main() { fmt.Println(Half(4), a) }\n\
                        func Half(n int) int { return a(n) }\nfunc a(n int) int { return n.half }\n";
        assert_eq!(left(&files, |_| true), one("main.go", expected));
        // If two files import the package, both would need its content.
        let both = [
            ("main.go", main),
            ("cmd/other.go", main),
            ("util/util.go", util),
        ];
        let input = Input::files(both.map(|(name, text)| (name, text.into()))).unwrap();
        let package = input.file(2).unwrap();
        assert!(imported_package(&input, &package).is_none());
    }
}
