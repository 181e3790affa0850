use crate::closure::Closure;
use crate::facts::{Facts, Item, ItemKind, Slice};
use crate::failure::Failure;
use crate::graph::{Graph, Node};
use crate::items::items;
use crate::lex::{TokenKind, tokens};
use crate::repair::{Finder, Source};
use crate::shrink::shrink;
use crate::sort::sort_of;
use crate::unit::{Complaint, Library};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A text, and what to find in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The text.
    pub text: String,
    /// The path of the file that has it, for files that it includes. It need not exist.
    pub path: PathBuf,
    /// The arguments of clang.
    pub arguments: Vec<String>,
    /// Sets of parts of the text, each for slices of its own. Without any, or if clang has no item
    /// at them, a slice holds what is from no header, as line markers say. If these say nothing, or
    /// leave more than half of the text, it holds what is behind the last item of a library, or
    /// `main`.
    pub root_sets: Vec<Vec<Range<u32>>>,
    /// The parts of the text that have the errors themselves, among those of the first set. Without
    /// any, all of that set are taken for errors.
    pub errors: Vec<Range<u32>>,
    /// The words that a test asks for in messages. Without `root_sets`, the first slices hold the
    /// error or the warning of clang that has the most of them.
    pub words: Vec<String>,
    /// Whether the program has to run, and not only to be compiled.
    pub runs: bool,
    /// The number of seconds after which no more slices are made.
    pub seconds: u64,
}

/// Why there are no facts about a text.
#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    /// No libclang could be loaded, for this reason.
    #[error("no libclang can be loaded: {0}")]
    Missing(String),
    /// libclang parses nothing with these arguments.
    #[error("libclang cannot parse the text")]
    NotParsed,
}

/// Parses a text, divides it into items, and makes slices of it. `each` gets each slice as soon as
/// it is made, and says whether to go on.
///
/// # Errors
/// [`ClangError`] if there is no libclang, and if it does not parse the text at all. Errors in the
/// text are none.
pub fn read(
    request: &Request,
    each: &mut dyn FnMut(&[Item], &Slice) -> bool,
) -> Result<Facts, ClangError> {
    let deadline = Instant::now() + Duration::from_secs(request.seconds.max(1));
    let library = Library::load().map_err(ClangError::Missing)?;
    let path = match request.path.as_os_str().is_empty() {
        true => PathBuf::from("text"),
        false => request.path.clone(),
    };
    let text = request.text.as_bytes();
    let unit = library.parse(&path, text, &request.arguments);
    let unit = unit.ok_or(ClangError::NotParsed)?;
    let complaints = unit.complaints();
    let failure = failure(request, &complaints);
    let mut places: Vec<Range<u32>> = match request.runs {
        true => vec![],
        false => request.root_sets.iter().flatten().cloned().collect(),
    };
    places.extend(failure.iter().flat_map(Failure::places));
    let drafts = items(&unit, text, &places);
    let graph = Graph::of(&unit, text, &drafts);
    let errors = complaints.iter().filter(|it| it.is_error);
    let known: FxHashSet<String> = errors.map(|it| sort_of(&it.message)).collect();
    drop(drafts);
    drop(unit);
    let items: Vec<Item> = graph.nodes.iter().map(item).collect();
    let source = Source {
        library: &library,
        path: &path,
        text,
        arguments: &request.arguments,
        known: &known,
        failure: failure.as_ref(),
        deadline,
    };
    let mut slices = vec![];
    make_slices(request, &graph, &source, &mut |slice| {
        let goes_on = each(&items, &slice);
        slices.push(slice);
        goes_on
    });
    Ok(Facts { items, slices })
}

/// Returns the error or warning of clang that is the failure.
fn failure(request: &Request, complaints: &[Complaint]) -> Option<Failure> {
    if let Some(places) = request.root_sets.first().filter(|_| !request.runs) {
        let errors = match request.errors.is_empty() {
            true => places,
            false => &request.errors,
        };
        return Failure::find(complaints, (errors, places), request.text.as_bytes());
    }
    // A program that has to run has no error, unless a test asks for it.
    Failure::asked_for(complaints, &request.words).filter(|it| !request.runs || it.is_error)
}

fn item(node: &Node) -> Item {
    Item {
        start: node.range.start,
        end: node.range.end,
        parent: node.parent,
        kind: node.kind,
        name: node.name.clone(),
    }
}

/// The number of bytes that are parsed to find what a slice lacks.
const REPAIR_BYTES: u64 = 24 << 20;

/// The largest number of new errors of a slice. Each costs a test if other compilers have it too.
const MAX_NEW_ERRORS: u32 = 2;

/// Returns a slice that clang accepts, or nearly so, and the number of its new errors.
fn repaired<'g>(
    finder: &Finder<'g>,
    graph: &'g Graph,
    roots: &Roots<'_>,
    has_bodies: bool,
    source: &Source<'_>,
) -> Option<(Closure<'g>, u32)> {
    // For a few statements, a slice without errors is worth a second try. A slice that has the
    // failure is worth a test as it is, unless the text has to compile.
    let is_warning = source.failure.is_some_and(|it| !it.is_error);
    let is_doubtful = roots.is_part && (roots.failure.is_none() || is_warning);
    let enough = if is_doubtful { 0 } else { MAX_NEW_ERRORS };
    let mut best: Option<(Closure<'g>, u32)> = None;
    for is_wide in [false, true] {
        if best.is_some() && Instant::now() > source.deadline {
            break;
        }
        let mut closure = Closure::new(graph, has_bodies, is_wide);
        closure.add(roots.items.iter().copied());
        let mut budget = REPAIR_BYTES;
        let errors = finder.repair(
            &mut closure,
            (roots.failure, &roots.items),
            source,
            &mut budget,
        );
        if best.as_ref().is_none_or(|(_, least)| errors < *least) {
            best = Some((closure, errors));
        }
        if errors <= enough {
            break;
        }
    }
    let most = if is_warning { enough } else { MAX_NEW_ERRORS };
    best.filter(|(_, errors)| *errors <= most)
}

fn make_slices(
    request: &Request,
    graph: &Graph,
    source: &Source<'_>,
    each: &mut dyn FnMut(Slice) -> bool,
) {
    let finder = Finder::new(graph);
    let mut found: Vec<Vec<u32>> = vec![];
    let mut give = |slice: Slice, is_guess: bool| {
        let is_new = !found.contains(&slice.kept);
        found.push(slice.kept.clone());
        // Without places of the failure, no more than one test is worth it.
        !is_new || each(slice) && !is_guess
    };
    for set in &root_sets(request, graph, source) {
        // What has an error does not run.
        let runs = request.runs && set.failure.is_none();
        let forms: &[bool] = match (runs, set.is_part) {
            (true, _) => &[true],
            (false, true) => &[false],
            (false, false) => &[false, true],
        };
        let roots = &set.items[..];
        for &has_bodies in forms {
            if roots.is_empty() || Instant::now() > source.deadline {
                continue;
            }
            let Some((closure, errors)) = repaired(&finder, graph, set, has_bodies, source) else {
                continue;
            };
            let slice = |kept| Slice { kept };
            // Bodies are kept in case that clang accepts too little; so is all else.
            if runs || !has_bodies {
                for keeps_special in [false, true] {
                    let smaller = shrink(&finder, &closure, roots, keeps_special, source);
                    if !give(slice(smaller.items()), set.is_guess) {
                        return;
                    }
                    if set.is_part && errors > 0 {
                        break;
                    }
                }
            }
            let is_doubtful = set.is_part && errors > 0;
            if !is_doubtful && !give(slice(closure.items()), set.is_guess) {
                return;
            }
        }
    }
}

/// Returns the sets of items that slices are about, in the order of the slices.
fn root_sets<'f>(request: &Request, graph: &Graph, source: &Source<'f>) -> Vec<Roots<'f>> {
    let mut sets = vec![];
    // Other compilers report more at once, and each of their positions needs more of the text.
    if let Some(failure) = source.failure {
        sets.push(Roots {
            is_part: true,
            failure: Some(&failure.sort),
            ..Roots::of(at(graph, &failure.places()))
        });
    }
    for set in &request.root_sets {
        let items = at(graph, set);
        let whole = with_siblings(graph, &items);
        // A few statements of a body say less than all of them if something is wrong elsewhere.
        let is_part = items != whole;
        let parts = is_part.then(|| Roots {
            is_part,
            ..Roots::of(items)
        });
        let whole = (!whole.is_empty()).then(|| Roots::of(whole));
        sets.extend(parts.into_iter().chain(whole));
    }
    if request.root_sets.is_empty() || sets.is_empty() {
        sets.push(Roots {
            is_guess: true,
            ..Roots::of(own(graph, source.text))
        });
    }
    sets
}

/// Returns the smallest items at some places, and the bodies of functions whose heads are there:
/// without a definition, a compiler does not look at its types.
fn at(graph: &Graph, places: &[Range<u32>]) -> Vec<u32> {
    let mut found = vec![];
    for place in places {
        let meets = |at: u32| {
            let range = &graph.nodes[at as usize].range;
            range.start < place.end.max(place.start + 1) && place.start < range.end
        };
        let all: Vec<u32> = (0..graph.nodes.len() as u32)
            .filter(|at| meets(*at))
            .collect();
        let parents: FxHashSet<u32> = all
            .iter()
            .filter_map(|at| graph.nodes[*at as usize].parent)
            .collect();
        let innermost = all.into_iter().filter(|at| !parents.contains(at));
        for at in innermost {
            found.push(at);
            let body = graph.nodes.get(at as usize + 1);
            let is_body = |it: &&Node| it.kind == ItemKind::Body && it.parent == Some(at);
            found.extend(body.filter(is_body).map(|_| at + 1));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The items that a slice is about.
struct Roots<'f> {
    items: Vec<u32>,
    /// Whether they leave out statements around them.
    is_part: bool,
    /// The kind of error that the slice must have.
    failure: Option<&'f str>,
    /// Whether nothing says that the failure is there.
    is_guess: bool,
}

impl Roots<'_> {
    fn of(items: Vec<u32>) -> Self {
        Roots {
            items,
            is_part: false,
            failure: None,
            is_guess: false,
        }
    }
}

/// Returns some items with all statements of the bodies that some of them are in.
fn with_siblings(graph: &Graph, roots: &[u32]) -> Vec<u32> {
    let parent = |at: &u32| graph.nodes[*at as usize].parent;
    let is_statement = |at: &u32| graph.nodes[*at as usize].kind == ItemKind::Statement;
    let around = roots
        .iter()
        .flat_map(|root| std::iter::successors(Some(*root), parent));
    let is_body = |at: &&u32| graph.nodes[**at as usize].kind == ItemKind::Body;
    let blocks: FxHashSet<u32> = around
        .filter(is_statement)
        .filter_map(|at| parent(&at))
        .chain(roots.iter().filter(is_body).copied())
        .collect();
    let all = (0..graph.nodes.len() as u32)
        .filter(|at| is_statement(at) && parent(at).is_some_and(|it| blocks.contains(&it)));
    let mut found: Vec<u32> = roots.iter().copied().chain(all).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the items that are from no header, as line markers say; without any, or if these are
/// more than half of the text, those of [`tail`].
fn own(graph: &Graph, text: &[u8]) -> Vec<u32> {
    let mut main: Option<&[u8]> = None;
    let mut is_own = false;
    let mut found = vec![];
    let all = || (0..).zip(&graph.nodes);
    for (at, node) in all() {
        match node.kind {
            ItemKind::Marker => {
                let range = node.range.start as usize..node.range.end as usize;
                let file = file(&text[range]);
                main = main.or(file);
                is_own = file.is_some() && file == main;
            }
            ItemKind::Namespace | ItemKind::Linkage | ItemKind::Pragma => {}
            _ if is_own => found.push(at),
            _ => {}
        }
    }
    let is_outermost = |at: &&u32| {
        let parent = graph.nodes[**at as usize].parent;
        parent.is_none_or(|parent| found.binary_search(&parent).is_err())
    };
    let outermost = found.iter().filter(is_outermost);
    let size: u64 = outermost.map(|at| u64::from(len(graph, *at))).sum();
    if found.is_empty() || size * 2 > text.len() as u64 {
        found = tail(graph);
    }
    found
}

/// Returns the items behind the last one of a library; `main` if these are more than half of all,
/// or if `main` is before that one.
/// Libraries declare what begins with an underscore, and what is in `std`.
fn tail(graph: &Graph) -> Vec<u32> {
    let is_of_library = |node: &Node| match node.kind {
        ItemKind::Linkage => true,
        ItemKind::Namespace => node.name == "std" || node.name.starts_with('_'),
        _ => node.name.starts_with('_'),
    };
    let all = || (0..).zip(&graph.nodes);
    let outer = all().filter(|(_, node)| node.parent.is_none());
    let last = outer.clone().filter(|(_, node)| is_of_library(node)).last();
    let (_, last) = last.unzip();
    let library = last.map_or(0, |node| node.range.end);
    let end = graph.nodes.last().map_or(0, |node| node.range.end);
    let is_main = |node: &Node| node.kind == ItemKind::Function && node.name == "main";
    let main = outer.filter(|(_, node)| is_main(node)).last();
    // A library may declare something behind all else, or there is none.
    let own = main.filter(|(_, main)| main.range.start < library || library < end / 2);
    let own = own.map_or(library..u32::MAX, |(_, main)| main.range.clone());
    let is_own = |node: &Node| own.start <= node.range.start && node.range.end <= own.end;
    let is_code = |node: &Node| !matches!(node.kind, ItemKind::Marker | ItemKind::Pragma);
    all()
        .filter(|(_, node)| is_own(node) && is_code(node))
        .map(|(at, _)| at)
        .collect()
}

fn len(graph: &Graph, at: u32) -> u32 {
    let node = &graph.nodes[at as usize];
    node.range.end - node.range.start
}

/// Returns the name of the file in a line marker.
fn file(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"#").unwrap_or(line);
    let mut literals = tokens(line, 0..line.len()).filter(|token| token.kind == TokenKind::Literal);
    literals
        .find(|token| line[token.range.start] == b'"')
        .map(|token| &line[token.range])
}
