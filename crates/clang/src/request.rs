use crate::closure::{Closure, Policy};
use crate::deadline::Deadline;
use crate::facts::{Facts, Item, Slice};
use crate::failure::Failure;
use crate::graph::{Graph, Node};
use crate::items::items;
use crate::repair::{Finder, Source};
use crate::roots::{Roots, program, root_sets};
use crate::run::Run;
use crate::shrink::shrink;
use crate::sort::sort_of;
use crate::unit::{Complaint, Library, RUNS, UNDEFINED};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// A request for the items and slices of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The text.
    pub text: String,
    /// The path of the file with the text, which is used to find the files that it includes. The
    /// file need not exist.
    pub path: PathBuf,
    /// The clang arguments.
    pub arguments: Vec<String>,
    /// Sets of parts of the text. Each set gets its own slices.
    ///
    /// Without sets, or if clang has no item at the parts, a slice holds the text that comes from
    /// no header, according to line markers. If the line markers state nothing, or leave more than
    /// half of the text, the slice holds the text after the last item of a library, or `main`.
    pub root_sets: Vec<Vec<Range<u32>>>,
    /// The parts of the first set that contain the errors themselves. If it is empty, all parts of
    /// the first set are treated as errors.
    pub errors: Vec<Range<u32>>,
    /// The words for which a test searches in messages. Without `root_sets`, the first slices hold
    /// the clang error or warning that has the most of these words.
    pub words: Vec<String>,
    /// Whether the program has to run, and not only compile.
    pub runs: bool,
    /// Whether the test looks at the code that is made from the text. If no message of clang is the
    /// failure, the code that a function calls is then needed as in a program that runs.
    pub makes_code: bool,
    /// The number of seconds of work after which no more slices are computed.
    pub seconds: u64,
}

impl Request {
    /// Returns the time after which no more slices are computed on any machine, even a busy one.
    pub fn longest(&self) -> Duration {
        Deadline::longest(self.seconds)
    }
}

/// The reason why there are no facts about a text.
#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    /// libclang could not be loaded; holds the reason.
    #[error("no libclang can be loaded: {0}")]
    Missing(String),
    /// libclang cannot parse a text with these arguments.
    #[error("libclang cannot parse the input")]
    NotParsed,
}

/// Parses a text, divides it into items, and computes slices. `each` receives each slice as soon as
/// it is computed, with the facts and the slices before it, and returns whether to continue.
///
/// # Errors
/// Returns [`ClangError`] if libclang cannot be loaded, or if it cannot parse the text at all.
/// Errors in the text are tolerated.
pub fn read(
    request: &Request,
    each: &mut dyn FnMut(&Facts, &Slice) -> bool,
) -> Result<Facts, ClangError> {
    let deadline = Deadline::after(request.seconds);
    let library = Library::load().map_err(ClangError::Missing)?;
    let path = path_of(request);
    let text = request.text.as_bytes();
    let mut arguments = request.arguments.clone();
    if request.runs || request.makes_code {
        arguments.push(RUNS.to_owned());
        arguments.extend(UNDEFINED.map(str::to_owned));
    }
    let first = match request.runs {
        true => &arguments,
        false => &request.arguments,
    };
    let unit = library.parse(&path, text, first);
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
    drop(drafts);
    drop(unit);
    let base = Attempt {
        run: None,
        complaints,
        arguments: first.clone(),
    };
    let is_guess = request.root_sets.is_empty() || request.runs;
    let follows = is_guess && failure.is_none() && (request.runs || request.makes_code);
    let code = follows.then(|| {
        let of = (&*path, text, &arguments[..]);
        let roots = program(&graph, &request.root_sets, text);
        Run::find(&library, of, &graph, roots.into_iter().collect(), deadline)
    });
    let attempts = match code {
        Some(found) => {
            let (run, complaints) = found.ok_or(ClangError::NotParsed)?;
            let code = Attempt {
                run: Some(run).filter(|run| !run.reached.is_empty()),
                complaints,
                arguments: arguments.clone(),
            };
            // Code may be made from a text of which no part calls another.
            let compiled = (!request.runs).then_some(base);
            [Some(code), compiled]
        }
        None => [Some(base), None],
    };
    let mut facts = Facts {
        items: graph.nodes.iter().map(item).collect(),
        is_warning: failure.as_ref().is_some_and(|it| !it.is_error),
        slices: vec![],
    };
    for attempt in attempts.into_iter().flatten() {
        if !facts.slices.is_empty() {
            break;
        }
        let errors = attempt.complaints.iter().filter(|it| it.is_error);
        let source = Source {
            library: &library,
            path: &path,
            text,
            arguments: &attempt.arguments,
            known: &errors.map(|it| sort_of(&it.message)).collect(),
            failure: failure.as_ref(),
            run: attempt.run.as_ref(),
            deadline,
        };
        make_slices(request, &graph, &source, &mut |slice| {
            let goes_on = each(&facts, &slice);
            facts.slices.push(slice);
            goes_on
        });
    }
    Ok(facts)
}

/// A way to compute slices, the text's errors and warnings for it, and its arguments.
struct Attempt {
    /// The program, if code is followed from call to call.
    run: Option<Run>,
    complaints: Vec<Complaint>,
    arguments: Vec<String>,
}

/// Returns the path of the text, or a name if it has none.
fn path_of(request: &Request) -> PathBuf {
    match request.path.as_os_str().is_empty() {
        true => PathBuf::from("text"),
        false => request.path.clone(),
    }
}

/// Returns the clang error or warning that is the failure.
fn failure(request: &Request, complaints: &[Complaint]) -> Option<Failure> {
    if let Some(places) = request.root_sets.first().filter(|_| !request.runs) {
        let errors = match request.errors.is_empty() {
            true => places,
            false => &request.errors,
        };
        let (text, words) = (request.text.as_bytes(), &request.words[..]);
        return Failure::find(complaints, (errors, places), words, text);
    }
    // A program that has to run contains no error, unless a test asks for one.
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

/// The maximum number of bytes that are parsed to find the items that a slice lacks.
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
    // A second attempt is worthwhile for a slice of a few statements, since one without errors may
    // exist. A slice that shows the failure is tested as it is, unless the text has to compile.
    let is_warning = source.failure.is_some_and(|it| !it.is_error);
    let is_doubtful = roots.is_part && (roots.failure.is_none() || is_warning);
    let enough = if is_doubtful { 0 } else { MAX_NEW_ERRORS };
    let mut best: Option<(Closure<'g>, u32)> = None;
    for is_wide in [false, true] {
        if best.is_some() && source.deadline.is_over() {
            break;
        }
        let policy = Policy {
            has_bodies,
            is_wide,
            has_layout: source.run.is_some(),
        };
        let mut closure = Closure::new(graph, policy);
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
        // Without known positions of the failure, only one slice is worth a test.
        !is_new || each(slice) && !is_guess
    };
    for set in &root_sets(&request.root_sets, graph, source) {
        let runs = source.run.is_some();
        let forms: &[bool] = if set.is_part {
            &[false]
        } else {
            &[false, true]
        };
        let roots = &set.items[..];
        for &has_bodies in forms {
            if roots.is_empty() || source.deadline.is_over() {
                continue;
            }
            let Some((closure, errors)) = repaired(&finder, graph, set, has_bodies, source) else {
                continue;
            };
            let slice = |kept| Slice { kept };
            // Bodies are kept in case that clang accepts too little. The slice then keeps
            // everything else as well.
            if runs || !has_bodies {
                // The roots of a program that has to run already include the functions that create
                // its objects.
                let forms: &[bool] = if runs { &[false] } else { &[false, true] };
                for &keeps_special in forms {
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
            // The roots of a program that has to run already include all bodies that it reaches.
            if runs && errors == 0 {
                break;
            }
        }
    }
}
