//! The items that a program reaches when it runs.
//!
//! A slice that clang accepts may behave differently: if one of several functions with a name is
//! missing, another function is called without an error. Each slice of a program has to reach the
//! same items as the program.

use crate::deadline::Deadline;
use crate::facts::ItemKind;
use crate::graph::Graph;
use crate::probes::Probes;
use crate::reached::Program;
use crate::unit::{Complaint, Library, Unit};
use rustc_hash::FxHashSet;
use std::path::Path;

/// The largest number of times that a text is parsed to find the calls that compilers add to it.
const ROUNDS: usize = 6;

/// A program that has to run.
pub(crate) struct Run {
    /// The items at which the program begins.
    roots: FxHashSet<u32>,
    /// The items that the program reaches, sorted.
    pub(crate) reached: Vec<u32>,
    /// The text of [`Probes`].
    probes: String,
}

impl Run {
    /// Finds the items that a program reaches if it begins at some items. Returns the program with
    /// the errors and warnings of the text with its probes.
    pub(crate) fn find(
        library: &Library,
        (path, text, arguments): (&Path, &[u8], &[String]),
        graph: &Graph,
        roots: FxHashSet<u32>,
        deadline: Deadline,
    ) -> Option<(Self, Vec<Complaint>)> {
        let is_cpp = arguments.iter().any(|argument| argument == "-xc++");
        let mut roots = roots;
        let mut probes = Probes::default();
        let mut rounds = 0;
        loop {
            let behind = if is_cpp { probes.text() } else { String::new() };
            let with = [text, behind.as_bytes()].concat();
            let unit = library.parse(path, &with, arguments)?;
            let complaints = unit.complaints();
            let program = Program {
                unit: &unit,
                len: text.len() as u32,
                item: &|at| graph.innermost(at),
                roots: &roots,
            };
            let before = probes.clone();
            probes.refuse(errors_behind(&complaints, text.len()));
            let is_refused = probes != before;
            rounds += 1;
            let is_over = rounds >= ROUNDS || deadline.is_partly_over();
            let mut next = probes.clone();
            let reached = program.reached(Some(&mut next));
            let begins = roots.len();
            roots.extend(calls_of_parts(graph, &reached));
            if !is_over && is_cpp {
                probes = next;
            }
            // A slice does not contain the callees of a refused function.
            let is_done = is_over || probes == before && roots.len() == begins;
            if !is_cpp || is_done && !is_refused {
                let probes = behind;
                let run = Run {
                    roots,
                    reached,
                    probes,
                };
                return Some((run, complaints));
            }
        }
    }

    /// Returns the text of a slice, with the text that is parsed after it.
    pub(crate) fn with_probes(&self, mut slice: Vec<u8>) -> Vec<u8> {
        slice.extend_from_slice(self.probes.as_bytes());
        slice
    }

    /// Returns the items that the program reaches but a slice of `len` bytes does not. `item`
    /// returns the item at an offset of the slice.
    pub(crate) fn lost(
        &self,
        unit: &Unit<'_>,
        len: u32,
        item: &dyn Fn(u32) -> Option<u32>,
    ) -> Vec<u32> {
        let roots = &self.roots;
        let program = Program {
            unit,
            len,
            item,
            roots,
        };
        let reached = program.reached(None);
        let all = self.reached.iter().copied();
        all.filter(|at| reached.binary_search(at).is_err())
            .collect()
    }
}

/// Returns the members of bases and members that the classes call in functions that they need not
/// write. The classes are those with a reached member.
fn calls_of_parts(graph: &Graph, reached: &[u32]) -> Vec<u32> {
    let is_record = |at: &u32| graph.nodes[*at as usize].kind == ItemKind::Record;
    let around = |at: &u32| graph.nodes[*at as usize].parent;
    let all = reached
        .iter()
        .copied()
        .chain(reached.iter().filter_map(around));
    let mut seen: FxHashSet<u32> = all.filter(is_record).collect();
    let mut todo: Vec<u32> = seen.iter().copied().collect();
    let mut found = vec![];
    while let Some(record) = todo.pop() {
        let node = &graph.nodes[record as usize];
        let fields = node
            .layout
            .iter()
            .filter(|at| graph.nodes[**at as usize].kind == ItemKind::Field);
        let types = fields.flat_map(|at| &graph.nodes[*at as usize].needs);
        for &part in node.needs.iter().chain(types).filter(|at| is_record(at)) {
            found.extend(&graph.nodes[part as usize].implicit);
            if seen.insert(part) {
                todo.push(part);
            }
        }
    }
    found
}

/// Returns the positions of clang errors and their notes that are after a text of `len` bytes, as
/// offsets from the end of the text.
fn errors_behind(complaints: &[Complaint], len: usize) -> impl Iterator<Item = usize> {
    let errors = complaints.iter().filter(|it| it.is_error);
    let places = errors.flat_map(|it| it.notes.iter().chain([it]).filter_map(|it| it.at));
    places.filter_map(move |at| (at as usize).checked_sub(len))
}
