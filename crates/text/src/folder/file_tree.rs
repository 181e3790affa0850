use nubbin_edit::{Edit, File, Input, Span, Splice};
use nubbin_engine::work::{Forest, Nested, Units, Views};
use nubbin_view::mentions::Mentions;
use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The files of an input as a tree: a file is within the only one that leads to it, or within its
/// folder.
#[derive(Debug)]
pub(super) struct FileTree {
    input: Input,
    mentions: Arc<Mentions>,
    /// The units, each before those within it: files by their numbers, and groups of units.
    units: Vec<Option<usize>>,
    parents: Vec<Option<u32>>,
    /// The first unit after each that is not within it.
    ends: Vec<u32>,
    weights: Vec<u32>,
}

impl FileTree {
    pub(super) fn of(views: &Views, input: &Input) -> Self {
        let mentions = Mentions::seen(views, input);
        let files: Vec<File<'_>> = input.present().collect();
        let index = |number: usize| files.binary_search_by_key(&number, |file| file.number);
        let edges: Vec<(usize, usize)> = mentions
            .pairs()
            .filter_map(|(from, to)| Some((index(from).ok()?, index(to).ok()?)))
            .collect();
        let graph = Graph::new(files.len(), &edges);
        let mut tree = FileTree {
            input: input.clone(),
            mentions,
            units: vec![],
            parents: vec![],
            ends: vec![],
            weights: vec![],
        };
        let top: Vec<usize> = graph.inside[files.len()].clone();
        let singles = (0..top.len() as u32).map(|at| Span::new(at, at + 1));
        // If most files are named by others, folders are less useful.
        let is_linked = edges.len() * 2 >= files.len();
        let folders = match is_linked {
            true => vec![],
            false => folders(&top.iter().map(|&at| files[at]).collect::<Vec<_>>()),
        };
        let nested = Nested::of(singles.chain(folders));
        let mut unit_of: Vec<u32> = vec![];
        for (span, parent) in nested.spans.iter().zip(&nested.parents) {
            let parent = parent.map(|parent| unit_of[parent as usize]);
            unit_of.push(tree.units.len() as u32);
            match span.len() {
                1 => tree.add(&graph, &files, top[span.start as usize], parent),
                _ => tree.push(None, parent),
            }
        }
        tree.close();
        tree
    }

    pub(super) fn forest(self) -> Forest {
        let parents = self.parents.clone();
        Forest::new(self, &parents)
    }

    /// Returns whether many of the files only lead from one to another.
    pub(super) fn is_chained(&self) -> bool {
        let inner = self.mentions.inner_files(&self.input);
        inner >= FEW_INNER && inner * 3 >= self.input.present().count()
    }

    fn push(&mut self, file: Option<usize>, parent: Option<u32>) {
        self.units.push(file);
        self.parents.push(parent);
    }

    /// Adds a file and all within it. The file is a unit by itself, too: a list of files may go
    /// although the files stay.
    fn add(&mut self, graph: &Graph, files: &[File<'_>], file: usize, parent: Option<u32>) {
        let mut todo = vec![(file, parent)];
        while let Some((file, mut parent)) = todo.pop() {
            let inside = &graph.inside[file];
            if !inside.is_empty() {
                let unit = self.units.len() as u32;
                self.push(None, parent);
                parent = Some(unit);
            }
            self.push(Some(files[file].number), parent);
            todo.extend(inside.iter().rev().map(|&file| (file, parent)));
        }
    }

    /// Sets where the units end, and their weights.
    fn close(&mut self) {
        let count = self.units.len();
        self.ends = (1..=count as u32).collect();
        self.weights = vec![0; count];
        for at in (0..count).rev() {
            let extent = self.units[at].and_then(|number| self.input.file(number));
            let own = extent.map_or(0, |file| file.extent.len());
            self.weights[at] = self.weights[at].saturating_add(own);
            if let Some(parent) = self.parents[at] {
                let parent = parent as usize;
                self.ends[parent] = self.ends[parent].max(self.ends[at]);
                self.weights[parent] = self.weights[parent].saturating_add(self.weights[at]);
            }
        }
    }
}

/// The files of an input in the order of their tree. The files that are kept are still named, where
/// those between are removed.
#[derive(Debug)]
pub(super) struct FileChain {
    tree: FileTree,
    /// The numbers of the files.
    files: Vec<usize>,
}

impl FileChain {
    pub(super) fn of(tree: FileTree) -> Self {
        let files = tree.units.iter().copied().flatten().collect();
        FileChain { tree, files }
    }
}

/// The minimum number of files that lead from one to another.
const FEW_INNER: usize = 2;

impl Units for FileChain {
    fn len(&self) -> u32 {
        self.files.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        let number = self.files.get(unit as usize);
        let file = number.and_then(|&number| self.tree.input.file(number));
        file.map_or(1, |file| file.extent.len().max(1))
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let input = &self.tree.input;
        let mut gone = vec![false; input.file_count()];
        let units = units.iter().cloned().flatten();
        let mut count = 0;
        for &number in units.filter_map(|unit| self.files.get(unit as usize)) {
            gone[number] = true;
            count += 1;
        }
        let files = input.present().filter(|file| gone[file.number]);
        let files = files.map(|file| Splice::delete(file.extent));
        // Lines in removed files are removed with these files.
        let lines = self.tree.mentions.relinked(input, |number| gone[number]);
        let is_kept = |line: &Splice| {
            let within = input.present().find(|file| file.extent.covers(line.span));
            within.is_none_or(|file| !gone[file.number])
        };
        let splices = files.chain(lines.into_iter().filter(is_kept));
        let edit = Edit::new(splices).unwrap_or_else(|_| Edit::none());
        // Names after more removals replace names after fewer removals.
        edit.ranked(count)
    }
}

impl Units for FileTree {
    fn len(&self) -> u32 {
        self.units.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.weights[unit as usize].max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let mut gone = vec![false; self.input.file_count()];
        let units = units.iter().cloned().flatten();
        let within = units.flat_map(|unit| unit..self.ends[unit as usize]);
        for number in within.filter_map(|unit| self.units[unit as usize]) {
            gone[number] = true;
        }
        let files = self.input.present().filter(|file| gone[file.number]);
        let lines = self.mentions.without(&self.input, |number| gone[number]);
        Edit::delete_all(files.map(|file| file.extent).chain(lines))
    }
}

/// Files that name each other.
#[derive(Debug)]
struct Graph {
    /// For each file, and finally for the input, the files directly within it: every path from the
    /// beginnings to such an inner file leads through this file.
    inside: Vec<Vec<usize>>,
}

impl Graph {
    fn new(count: usize, edges: &[(usize, usize)]) -> Self {
        let mut named: Vec<Vec<usize>> = vec![vec![]; count + 1];
        let mut naming: Vec<Vec<usize>> = vec![vec![]; count];
        for &(from, to) in edges {
            if from != to && !named[from].contains(&to) {
                named[from].push(to);
                naming[to].push(from);
            }
        }
        // The walk starts at files that no file names, and at one file of each cycle that no other
        // file leads to.
        let mut is_reached = vec![false; count];
        let beginnings = (0..count).filter(|&file| naming[file].is_empty());
        for start in beginnings.chain(0..count).collect::<Vec<_>>() {
            if is_reached[start] {
                continue;
            }
            named[count].push(start);
            naming[start].push(count);
            let mut todo = vec![start];
            while let Some(file) = todo.pop() {
                if !std::mem::replace(&mut is_reached[file], true) {
                    todo.extend(&named[file]);
                }
            }
        }
        let order = by_distance(&named);
        let dominators = dominators(&named, &naming);
        let mut inside: Vec<Vec<usize>> = vec![vec![]; count + 1];
        for file in order {
            inside[dominators[file]].push(file);
        }
        Graph { inside }
    }
}

/// The maximum number of beginnings whose reachable files are counted.
const BEGINNINGS: usize = 256;

/// The files in the order of their distance from a beginning. The beginning that leads to most
/// files comes first, with all of these: it is likely to be the program, and others tests and
/// tools.
fn by_distance(named: &[Vec<usize>]) -> Vec<usize> {
    let root = named.len() - 1;
    let mut beginnings: Vec<(usize, usize)> = vec![];
    for (at, &start) in named[root].iter().enumerate() {
        let mut reached = vec![];
        if at < BEGINNINGS {
            walk(named, start, &mut vec![false; named.len()], &mut reached);
        }
        beginnings.push((reached.len(), start));
    }
    beginnings.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let mut is_seen = vec![false; named.len()];
    let mut order = vec![];
    for (_, start) in beginnings {
        walk(named, start, &mut is_seen, &mut order);
    }
    order
}

/// Adds the nodes that are not seen to a list, in the order of their distance from a node.
fn walk(named: &[Vec<usize>], start: usize, is_seen: &mut [bool], order: &mut Vec<usize>) {
    let mut todo = VecDeque::from([start]);
    while let Some(node) = todo.pop_front() {
        if !std::mem::replace(&mut is_seen[node], true) {
            order.push(node);
            todo.extend(&named[node]);
        }
    }
}

/// The immediate dominator of each node, for paths from the last node, which reaches all.
fn dominators(named: &[Vec<usize>], naming: &[Vec<usize>]) -> Vec<usize> {
    let root = named.len() - 1;
    // Each node after all nodes that it leads to, computed without recursion.
    let mut after: Vec<usize> = vec![];
    let mut number = vec![usize::MAX; named.len()];
    let mut is_seen = vec![false; named.len()];
    is_seen[root] = true;
    let mut path = vec![(root, 0)];
    while let Some((node, edge)) = path.last_mut() {
        let node = *node;
        let next = named[node].get(*edge).copied();
        *edge += 1;
        match next {
            Some(next) if !is_seen[next] => {
                is_seen[next] = true;
                path.push((next, 0));
            }
            Some(_) => {}
            None => {
                number[node] = after.len();
                after.push(node);
                path.pop();
            }
        }
    }
    const NONE: usize = usize::MAX;
    let mut dominators = vec![NONE; named.len()];
    dominators[root] = root;
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for &node in after.iter().rev().filter(|&&node| node != root) {
            let known = naming[node]
                .iter()
                .copied()
                .filter(|&at| dominators[at] != NONE);
            let common = known.reduce(|mut one, mut other| {
                while one != other {
                    while number[one] < number[other] {
                        one = dominators[one];
                    }
                    while number[other] < number[one] {
                        other = dominators[other];
                    }
                }
                one
            });
            let common = common.unwrap_or(root);
            has_changed |= dominators[node] != common;
            dominators[node] = common;
        }
    }
    dominators
}

/// Files that follow each other and are in one folder, for every folder that holds several files
/// but not all, as spans over the numbers of the files in the list.
fn folders(files: &[File<'_>]) -> Vec<Span> {
    /// A folder, where its first file begins, and how many there are so far.
    struct Open<'a> {
        folder: &'a Path,
        start: u32,
    }
    let mut found = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut close = |open: &mut Vec<Open<'_>>, stays: &dyn Fn(&Path) -> bool, end: u32| {
        while let Some(last) = open.pop_if(|last| !stays(last.folder)) {
            let count = (end - last.start) as usize;
            if count > 1 && count < files.len() {
                found.push(Span::new(last.start, end));
            }
        }
    };
    for (at, file) in (0..).zip(files) {
        let parent = file.name.parent().unwrap_or(Path::new(""));
        close(&mut open, &|folder| parent.starts_with(folder), at);
        let known = open
            .last()
            .map_or(0, |last| last.folder.components().count());
        let depth = parent.components().count();
        let inner: Vec<&Path> = parent.ancestors().take(depth - known).collect();
        open.extend(
            inner
                .into_iter()
                .rev()
                .map(|folder| Open { folder, start: at }),
        );
    }
    close(&mut open, &|_| false, files.len() as u32);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_unit_where_it_holds_several_files_but_not_all() {
        let names = [
            "p/a", "p/d/a", "p/d/b", "p/d/e/a", "p/d/e/b", "p/f/a", "q", "p/d/c",
        ];
        let input = Input::files(names.map(|name| (name, b"x".to_vec()))).unwrap();
        let files: Vec<File<'_>> = input.present().collect();
        let of = |span: Span| names[span.range()].join(" ");
        let mut found: Vec<_> = folders(&files).into_iter().map(of).collect();
        found.sort();
        assert_eq!(
            found,
            [
                "p/a p/d/a p/d/b p/d/e/a p/d/e/b p/f/a",
                "p/d/a p/d/b p/d/e/a p/d/e/b",
                "p/d/e/a p/d/e/b",
            ]
        );
        assert!(folders(&files[1..3]).is_empty());
    }

    #[test]
    fn a_file_is_within_the_only_one_that_leads_to_it() {
        // File 0 leads to all others. Two paths lead to file 3, the files 4 and 5 lead to each
        // other, and file 6 has no links.
        let edges = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 4),
            (1, 7),
        ];
        let graph = Graph::new(8, &edges);
        let inside: Vec<&[usize]> = graph.inside.iter().map(Vec::as_slice).collect();
        assert_eq!(inside[0], [1, 2, 3]);
        assert_eq!(inside[1], [7]);
        assert_eq!((inside[3], inside[4]), ([4].as_slice(), [5].as_slice()));
        assert_eq!(inside[8], [0, 6]);
    }

    #[test]
    fn a_circle_that_nothing_leads_to_has_a_beginning() {
        let graph = Graph::new(3, &[(1, 2), (2, 1)]);
        assert_eq!(graph.inside[3], [1, 0]);
        assert_eq!(graph.inside[1], [2]);
    }

    #[test]
    fn a_unit_is_all_that_is_within_it() {
        let files = [
            ("a.c", "#include \"b.h\"\nint a;\n"),
            ("b.h", "#include \"c.h\"\n"),
            ("c.h", "int c;\n"),
        ];
        let input = Input::files(files.map(|(name, text)| (name, text.into()))).unwrap();
        let tree = FileTree::of(&Views::default(), &input);
        assert_eq!(tree.units, [None, Some(0), None, Some(1), Some(2)]);
        assert_eq!(tree.parents, [None, Some(0), Some(0), Some(2), Some(2)]);
        let left = input.apply(&tree.edit(std::slice::from_ref(&(2..3))));
        let left: Vec<_> = left.present().map(|file| file.text.to_vec()).collect();
        assert_eq!(left, [b"int a;\n"]);
    }
}
