//! Measures the share of real files that grammars explain, and the share of valid changes among the
//! changes that the grammars allow.
//!
//! ```text
//! cargo run --release -p nubbin-languages --example alignment -- [OPTIONS] FOLDER...
//!
//!   --only LANGUAGE[,LANGUAGE]  these languages alone
//!   --files N                   files of each language, drawn by the seed [default: 1000]
//!   --largest BYTES             larger files are left out [default: 200000]
//!   --changes N                 changes of each kind tried on each file [default: 4]
//!   --seed N                    [default: 1]
//!   --show N                    changes of each kind that made a new error, to look at [default: 0]
//! ```
//!
//! Prints a table with one row for each language. *Aligned* is the share of the instances of a rule
//! whose children fit their rule. The automata decide this. They do not depend on the parser that
//! built the tree. Changes are tried one at a time: an optional part, or one iteration with a
//! separator, is *deleted*; a child is *replaced* by another node of the file that may stand there.
//! A change is valid if the new text has no more errors than the old one. *By content* is the share
//! of the files whose language is recognized without their name, and the share of the files taken
//! for another language. The last column is for experiments; for figures see `benches/`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a tool for looking"
)]

use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{Node, NodeId, NodeKind, Tree};
use nubbin_languages::catalogue::{self, Entry};
use nubbin_languages::detect::{by_name, detect};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Options {
    only: Vec<String>,
    files: usize,
    largest: u64,
    changes: usize,
    seed: u64,
    show: usize,
    folders: Vec<PathBuf>,
}

fn options() -> Options {
    let mut options = Options {
        only: vec![],
        files: 1000,
        largest: 200_000,
        changes: 4,
        seed: 1,
        show: 0,
        folders: vec![],
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--only" => options.only = value().split(',').map(String::from).collect(),
            "--files" => options.files = value().parse().unwrap(),
            "--largest" => options.largest = value().parse().unwrap(),
            "--changes" => options.changes = value().parse().unwrap(),
            "--seed" => options.seed = value().parse().unwrap(),
            "--show" => options.show = value().parse().unwrap(),
            _ => options.folders.push(arg.into()),
        }
    }
    options
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014): small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// Returns the language by the name of the file and, for a header of C or C++, also by its content.
fn language_of(path: &Path) -> Option<&'static Entry> {
    let name = path.file_name()?.to_string_lossy();
    match name.ends_with(".h") {
        true => detect(Some(&name), &std::fs::read(path).ok()?),
        false => by_name(&name),
    }
}

/// Returns the files of each language, drawn by the seed.
fn files(options: &Options) -> BTreeMap<&'static str, Vec<PathBuf>> {
    let mut found: BTreeMap<&'static str, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = options.folders.clone();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && let Some(entry_of) = language_of(&entry.path())
                && (options.only.is_empty() || options.only.iter().any(|id| id == entry_of.id))
                && entry
                    .metadata()
                    .is_ok_and(|data| (1..=options.largest).contains(&data.len()))
            {
                found.entry(entry_of.id).or_default().push(entry.path());
            }
        }
    }
    for (id, paths) in &mut found {
        paths.sort();
        let mut random = Random(options.seed ^ id.len() as u64);
        for i in 0..options.files.min(paths.len()) {
            let other = i + random.below(paths.len() - i);
            paths.swap(i, other);
        }
        paths.truncate(options.files);
    }
    found
}

#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    lossless: usize,
    nodes: usize,
    aligned: usize,
    errors: usize,
    time: Duration,
    deleted: Tried,
    replaced: Tried,
    told: usize,
    mistaken: usize,
}

#[derive(Default)]
struct Tried {
    tried: usize,
    valid: usize,
    shown: usize,
}

fn errors(tree: &Tree) -> usize {
    let wrong = |node: &Node| matches!(node.kind, NodeKind::Error | NodeKind::Missing);
    tree.nodes().filter(|(_, node)| wrong(node)).count()
}

/// A change of a text, which replaces a span of bytes by other bytes.
struct Change {
    from: usize,
    to: usize,
    text: Vec<u8>,
}

impl Change {
    fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut new = text[..self.from].to_vec();
        apart(&mut new, &self.text);
        apart(&mut new, &text[self.to..]);
        new
    }
}

/// Appends text. A space separates words that would otherwise become one.
fn apart(text: &mut Vec<u8>, more: &[u8]) {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    if text.last().is_some_and(word) && more.first().is_some_and(word) {
        text.push(b' ');
    }
    text.extend_from_slice(more);
}

/// Returns the blanks to delete with a part: those that would otherwise stand at the end of a line
/// or before other blanks.
fn blanks_before(text: &[u8], span: &Range<usize>) -> usize {
    match text.get(span.end) {
        Some(next) if !next.is_ascii_whitespace() => 0,
        _ => {
            let before = text[..span.start].iter().rev();
            before
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count()
        }
    }
}

/// Deletes an optional part, or an iteration with the separator between it and a neighbor.
fn deletion(tree: &Tree, random: &mut Random) -> Option<Change> {
    let units: Vec<NodeId> = tree
        .nodes()
        .filter(|(_, node)| matches!(node.kind, NodeKind::Optional | NodeKind::Iteration))
        .filter(|(_, node)| !node.span().is_empty())
        .map(|(id, _)| id)
        .collect();
    for _ in 0..20 {
        let &id = units.get(random.below(units.len()))?;
        let mut span = tree.node(id).span();
        if tree.node(id).kind == NodeKind::Iteration {
            let parent = tree.parent(id)?;
            let repeat = match tree.grammar().expr(tree.node(parent).expr?) {
                nubbin_grammar::grammar::Expr::Repeat(repeat) => repeat,
                _ => continue,
            };
            let is = |id: &NodeId, kind| tree.node(*id).kind == kind;
            let parts: Vec<NodeId> = tree.children(parent).collect();
            let all = parts
                .iter()
                .filter(|id| is(id, NodeKind::Iteration))
                .count();
            if all <= repeat.min as usize {
                continue;
            }
            let at = parts.iter().position(|part| *part == id)?;
            let after = parts[at..].iter().find(|id| is(id, NodeKind::Separator));
            let before = parts[..at].iter().rfind(|id| is(id, NodeKind::Separator));
            match (after, before) {
                (Some(after), _) => span.end = tree.node(*after).span().end,
                (None, Some(before)) => span.start = tree.node(*before).span().start,
                (None, None) => {}
            }
        }
        return Some(Change {
            from: span.start - blanks_before(tree.text(), &span),
            to: span.end,
            text: vec![],
        });
    }
    None
}

/// Replaces a child by another node that may stand there.
fn replacement(tree: &Tree, random: &mut Random) -> Option<Change> {
    let nodes: Vec<NodeId> = tree.nodes().map(|(id, _)| id).collect();
    for _ in 0..1000 {
        let pick = |random: &mut Random| nodes[random.below(nodes.len())];
        let (old_id, new_id) = (pick(random), pick(random));
        let (old, new) = (tree.node(old_id), tree.node(new_id));
        if new.span().is_empty() || tree.text()[old.span()] == tree.text()[new.span()] {
            continue;
        }
        let explained = |id: NodeId| tree.node(id).kind != NodeKind::Error;
        if tree.rule_around(old_id).is_some_and(explained) && tree.may_replace(old_id, new_id) {
            return Some(Change {
                from: old.span().start,
                to: old.span().end,
                text: tree.text()[new.span()].to_vec(),
            });
        }
    }
    None
}

fn check(row: &mut Row, entry: &Entry, language: &dyn Syntax, path: &Path, options: &Options) {
    let Ok(text) = std::fs::read(path) else {
        return;
    };
    match detect(None, &text) {
        Some(found) if found.id == entry.id => row.told += 1,
        Some(_) => row.mistaken += 1,
        None => {}
    }
    let start = Instant::now();
    let tree = language.tree(&text).unwrap();
    row.time += start.elapsed();
    row.files += 1;
    row.bytes += text.len();
    row.lossless += usize::from(tree.print() == text);
    let automata = tree.grammar().automata();
    for (id, _) in tree.nodes().filter(|(_, node)| node.kind == NodeKind::Rule) {
        let fits = automata.accepts(tree.rule(id), &tree.child_symbols(id));
        row.nodes += 1;
        row.aligned += usize::from(fits);
    }
    let before = errors(&tree);
    row.errors += before;
    let mut random = Random(options.seed ^ text.len() as u64);
    for _ in 0..options.changes {
        for delete in [true, false] {
            let (what, tried, change) = match delete {
                true => ("deleted", &mut row.deleted, deletion(&tree, &mut random)),
                false => (
                    "replaced",
                    &mut row.replaced,
                    replacement(&tree, &mut random),
                ),
            };
            let Some(change) = change else {
                continue;
            };
            let changed = language.tree(&change.apply(&text)).unwrap();
            tried.tried += 1;
            if errors(&changed) <= before {
                tried.valid += 1;
            } else if tried.shown < options.show {
                tried.shown += 1;
                let show = |from: usize, to: usize| {
                    String::from_utf8_lossy(&text[from.min(to)..to.min(text.len())]).into_owned()
                };
                println!(
                    "{what} in {}: {:?}[{:?}→{:?}]{:?}",
                    path.display(),
                    show(change.from.saturating_sub(60), change.from),
                    show(change.from, change.to),
                    String::from_utf8_lossy(&change.text),
                    show(change.to, change.to + 60),
                );
            }
        }
    }
}

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "–".into(),
        _ if part == all => "100 %".into(),
        // The result is never rounded up to 100.
        _ => format!("{:.3} %", (part as f64 * 1e5 / all as f64).floor() / 1e3),
    }
}

fn main() {
    let options = options();
    println!(
        "| language | files | MB | lossless | nodes | aligned | errors | deleted, valid | \
         replaced, valid | by content | MB/s |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (id, paths) in files(&options) {
        let entry = catalogue::named(id).unwrap();
        let language = entry.syntax().unwrap();
        let mut row = Row::default();
        for path in &paths {
            check(&mut row, entry, &*language, path, &options);
        }
        println!(
            "| {id} | {} | {:.1} | {} | {} | {} | {} | {} of {} | {} of {} | {} / {} | {:.1} |",
            row.files,
            row.bytes as f64 / 1e6,
            percent(row.lossless, row.files),
            row.nodes,
            percent(row.aligned, row.nodes),
            row.errors,
            percent(row.deleted.valid, row.deleted.tried),
            row.deleted.tried,
            percent(row.replaced.valid, row.replaced.tried),
            row.replaced.tried,
            percent(row.told, row.files),
            percent(row.mistaken, row.files),
            row.bytes as f64 / 1e6 / row.time.as_secs_f64(),
        );
    }
}
