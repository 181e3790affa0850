//! The statements that still lead to the kept files once others are removed.

use super::index::OF_FOLDERS;
use super::{Mentions, Statement, StatementKind};
use nubbin_edit::{Input, Span, Splice};
use rustc_hash::FxHashSet;
use std::path::{Component, Path};

/// The maximum number of statements that replace one.
const MANY_STATEMENTS: usize = 8;

impl Mentions {
    /// Does the same as [`Mentions::without`], but a statement whose file is removed instead names
    /// the kept files to which it led through removed files, if no other path from a kept file is
    /// left. So the files between a program and the header that it needs can be removed.
    ///
    /// ```
    /// use nubbin_edit::{Edit, Input, Splice};
    /// use nubbin_view::mentions::Mentions;
    ///
    /// let input = Input::files([
    ///     ("main.c", b"#include \"lib/a.h\"\nint x;\n".to_vec()),
    ///     ("lib/a.h", b"#include \"b.h\"\n".to_vec()),
    ///     ("lib/b.h", b"int b;\n".to_vec()),
    /// ]);
    /// let input = input.unwrap();
    /// let splices = Mentions::of(&input).relinked(&input, |file| file == 1);
    /// assert_eq!(splices[0].text(), b"#include \"lib/b.h\"\n");
    /// ```
    pub fn relinked(&self, input: &Input, is_gone: impl Fn(usize) -> bool) -> Vec<Splice> {
        let links = Links::of(self, input);
        let cut_off = links.cut_off(&is_gone);
        let mut splices: Vec<Splice> = self
            .without(input, &is_gone)
            .into_iter()
            .map(Splice::delete)
            .collect();
        if cut_off.is_empty() {
            return splices;
        }
        let mut done: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (at, statement) in self.statements.iter().enumerate() {
            let Some(target) = links.target_of(at) else {
                continue;
            };
            if is_gone(statement.file) || !is_gone(target) {
                continue;
            }
            let mut text = vec![];
            let mut count = 0;
            for kept in links.through(target, &is_gone) {
                if !cut_off.contains(&kept)
                    || !done.insert((statement.file, kept))
                    || count == MANY_STATEMENTS
                {
                    continue;
                }
                if let Some(line) = naming(input, statement, target, kept) {
                    text.extend_from_slice(&line);
                    count += 1;
                }
            }
            let own = splices.iter_mut().find(|it| it.span == statement.span);
            if let Some(own) = own.filter(|_| count > 0) {
                *own = Splice::replace(statement.span, &text);
            }
        }
        splices
    }

    /// Returns the number of files that one file names, and that lead to others.
    pub fn inner_files(&self, input: &Input) -> usize {
        let links = Links::of(self, input);
        let is_inner = |file: &usize| links.is_named[*file] && !links.out[*file].is_empty();
        (0..links.out.len()).filter(is_inner).count()
    }
}

/// The statements that do nothing but lead from one file to another one.
struct Links {
    /// For each file, the statements in it.
    out: Vec<Vec<usize>>,
    /// For each statement, the file that it leads to, if it does nothing else.
    targets: Vec<Option<usize>>,
    is_named: Vec<bool>,
}

impl Links {
    fn of(mentions: &Mentions, input: &Input) -> Self {
        let mut links = Links {
            out: vec![vec![]; input.file_count()],
            targets: vec![],
            is_named: vec![false; input.file_count()],
        };
        for (at, statement) in mentions.statements.iter().enumerate() {
            let target = match (statement.kind, statement.names.as_slice()) {
                (StatementKind::Lines, [only]) if is_alike(input, statement.file, only.target) => {
                    Some(only.target)
                }
                _ => None,
            };
            if let Some(target) = target {
                links.out[statement.file].push(at);
                links.is_named[target] = true;
            }
            links.targets.push(target);
        }
        links
    }

    fn target_of(&self, statement: usize) -> Option<usize> {
        self.targets.get(statement).copied().flatten()
    }

    /// Returns the kept files that a removed one leads to through removed ones, in their order.
    fn through(&self, removed: usize, is_gone: &impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![];
        let mut seen = FxHashSet::from_iter([removed]);
        let mut todo = vec![removed];
        while let Some(file) = todo.pop() {
            if !is_gone(file) {
                found.push(file);
                continue;
            }
            let named = self.out[file].iter().filter_map(|&at| self.target_of(at));
            let new: Vec<usize> = named.filter(|&target| seen.insert(target)).collect();
            todo.extend(new.into_iter().rev());
        }
        found
    }

    /// Returns the kept files that kept files led to, and to which none of them leads any more.
    fn cut_off(&self, is_gone: &impl Fn(usize) -> bool) -> FxHashSet<usize> {
        let kept = (0..self.out.len()).filter(|&file| !is_gone(file));
        let starts: Vec<usize> = kept.clone().filter(|&file| !self.is_named[file]).collect();
        let mut reached: FxHashSet<usize> = starts.iter().copied().collect();
        let mut todo = starts;
        while let Some(file) = todo.pop() {
            for target in self.out[file].iter().filter_map(|&at| self.target_of(at)) {
                if !is_gone(target) && reached.insert(target) {
                    todo.push(target);
                }
            }
        }
        kept.filter(|file| self.is_named[*file] && !reached.contains(file))
            .collect()
    }
}

/// Returns whether two files are of one language, as far as their names show.
fn is_alike(input: &Input, one: usize, other: usize) -> bool {
    let names = [one, other].map(|file| input.file(file).map(|file| file.name.to_owned()));
    let [Some(one), Some(other)] = names else {
        return false;
    };
    let is_header = |name: &Path| {
        let ending = name.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ending.starts_with('h'))
    };
    one.extension() == other.extension() || is_header(&other)
}

/// Returns a statement with the name of another file.
fn naming(input: &Input, statement: &Statement, old: usize, new: usize) -> Option<Vec<u8>> {
    let bytes = |span: Span| input.bytes().get(span.range());
    let span = statement.names.first()?.span;
    let quotes = |byte: &u8| b"\"'".contains(byte);
    let (span, written) = match bytes(span)? {
        [first, inner @ .., last] if quotes(first) && first == last => {
            (Span::new(span.start + 1, span.end - 1), inner)
        }
        whole => (span, whole),
    };
    let name = |file: usize| Some(input.file(file)?.name);
    let written = std::str::from_utf8(written).ok()?;
    let name = renamed(written, name(statement.file)?, name(old)?, name(new)?)?;
    let before = bytes(Span::new(statement.span.start, span.start))?;
    let behind = bytes(Span::new(span.end, statement.span.end))?;
    let end: &[u8] = if behind.ends_with(b"\n") { b"" } else { b"\n" };
    Some([before, name.as_bytes(), behind, end].concat())
}

/// Returns the name of a file, written as that of another one is written in `from`.
fn renamed(written: &str, from: &Path, old: &Path, new: &Path) -> Option<String> {
    let ending = old.extension().and_then(|ending| ending.to_str());
    let has_ending = ending.is_some_and(|ending| {
        let stem = written.strip_suffix(ending);
        stem.is_some_and(|stem| stem.ends_with('.'))
    });
    let separator = match written {
        _ if has_ending || written.contains('/') => "/",
        // In Rust, the parts of a module are in a folder with the module's name.
        _ if written.contains("::") || ending == Some("rs") => return None,
        _ => ".",
    };
    let core = match separator {
        "/" => written.trim_start_matches("./").trim_start_matches("../"),
        _ => written.trim_start_matches('.'),
    };
    let before = &written[..written.len() - core.len()];
    let core: Vec<&str> = core.split(separator).filter(|it| !it.is_empty()).collect();
    let mut old = parts(old, has_ending)?;
    if !old.ends_with(&core) && !has_ending && is_of_folder(&old) {
        old.pop();
    }
    let mut new = parts(new, has_ending)?;
    if !has_ending && is_of_folder(&new) {
        new.pop();
    }
    let root = old.strip_suffix(core.as_slice())?;
    if let Some(path) = new.strip_prefix(root) {
        let is_name = !path.is_empty();
        return is_name.then(|| format!("{before}{}", path.join(separator)));
    }
    // The file is in another folder, and names are relative.
    let own: Vec<&str> = parts(from.parent()?, true)?;
    let is_relative = separator == "/" && (!before.is_empty() || own == root);
    if !is_relative {
        return None;
    }
    let common = own.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(own.len() - common);
    Some(format!("{up}{}", new[common..].join("/")))
}

fn is_of_folder(parts: &[&str]) -> bool {
    parts.last().is_some_and(|last| OF_FOLDERS.contains(last))
}

/// The parts of a path, the last one with or without its ending.
fn parts(path: &Path, has_ending: bool) -> Option<Vec<&str>> {
    let mut parts: Vec<&str> = vec![];
    for part in path.components() {
        if let Component::Normal(part) = part {
            parts.push(part.to_str()?);
        }
    }
    if let Some(last) = parts.last_mut().filter(|_| !has_ending) {
        *last = Path::new(*last).file_stem()?.to_str()?;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_the_others_are() {
        let of = |written: &str, from: &str, old: &str, new: &str| {
            renamed(written, from.as_ref(), old.as_ref(), new.as_ref())
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(of("a.h", "p/m.c", "p/a.h", "p/b.h"), some("b.h"));
        assert_eq!(of("../x/a.h", "p/m.c", "x/a.h", "y/b.h"), some("../y/b.h"));
        assert_eq!(
            of("lib/a.h", "src/m.c", "include/lib/a.h", "include/os/b.h"),
            some("os/b.h")
        );
        assert_eq!(of("a.h", "x/m.c", "x/a.h", "y/b.h"), some("../y/b.h"));
        assert_eq!(of("./a", "p/m.ts", "p/a.ts", "p/c/b.ts"), some("./c/b"));
        assert_eq!(
            of("pkg", "m.py", "pkg/__init__.py", "pkg/b.py"),
            some("pkg.b")
        );
        assert_eq!(of(".a", "p/c.py", "p/a.py", "p/q/b.py"), some(".q.b"));
        assert_eq!(of("a", "p/m.rs", "p/a.rs", "p/a/b.rs"), None);
        assert_eq!(of("a.h", "m.c", "x/a.h", "y/b.h"), None);
    }

    fn texts(files: &[(&str, &str)], gone: &[usize]) -> Vec<String> {
        let files = files.iter().map(|&(name, text)| (name, text.into()));
        let input = Input::files(files).unwrap();
        let splices = Mentions::of(&input).relinked(&input, |file| gone.contains(&file));
        let edit = nubbin_edit::Edit::new(splices).unwrap();
        let input = input.apply(&edit);
        let kept = input.present().filter(|file| !gone.contains(&file.number));
        kept.map(|file| String::from_utf8(file.text.to_vec()).unwrap())
            .collect()
    }

    #[test]
    fn a_file_that_another_path_leads_to_is_not_named_again() {
        let files = [
            ("main.c", "#include \"a.h\"\n#include \"b.h\"\nint x;\n"),
            ("a.h", "#include \"c.h\"\n"),
            ("b.h", "#include \"c.h\"\n"),
            ("c.h", "int c;\n"),
        ];
        assert_eq!(texts(&files, &[1])[0], "#include \"b.h\"\nint x;\n");
        assert_eq!(texts(&files, &[1, 2])[0], "#include \"c.h\"\nint x;\n");
        assert_eq!(texts(&files, &[1, 2, 3])[0], "int x;\n");
    }

    #[test]
    fn an_import_names_the_module_that_defines_the_name() {
        let files = [
            ("m.mjs", "import { f } from './a.mjs';\nf();\n"),
            ("a.mjs", "export * from './b.mjs';\n"),
            ("b.mjs", "export * from './c.mjs';\n"),
            ("c.mjs", "export function f() {}\n"),
        ];
        assert_eq!(
            texts(&files, &[1, 2])[0],
            "import { f } from './c.mjs';\nf();\n"
        );
    }
}
