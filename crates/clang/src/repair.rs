//! The items that a slice lacks, found from clang's errors.

use crate::closure::{Closure, origin};
use crate::deadline::Deadline;
use crate::facts::ItemKind;
use crate::failure::Failure;
use crate::graph::{Condition, Graph};
use crate::lex::{TokenKind, is_word, tokens};
use crate::message::{last_word, quoted, words};
use crate::run::Run;
use crate::sort::sort_of;
use crate::unit::{Complaint, Library, UNDEFINED};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::Path;

/// The largest number of times that a slice is parsed.
const ROUNDS: usize = 60;

/// The number of rounds that mend no error after which the rest is left.
const PATIENCE: usize = 6;

/// The parts of a parse that are the same for all slices of a text.
pub(crate) struct Source<'a> {
    pub(crate) library: &'a Library,
    pub(crate) path: &'a Path,
    pub(crate) text: &'a [u8],
    pub(crate) arguments: &'a [String],
    /// The errors of the whole text, by [`sort_of`].
    pub(crate) known: &'a FxHashSet<String>,
    pub(crate) failure: Option<&'a Failure>,
    /// The program, if it has to run.
    pub(crate) run: Option<&'a Run>,
    pub(crate) deadline: Deadline,
}

/// The errors of a slice.
pub(crate) struct Errors {
    /// The errors that clang also reports for the whole text, and warnings.
    pub(crate) known: Vec<Complaint>,
    pub(crate) new: Vec<Complaint>,
    /// The items that the program has to reach and does not reach.
    pub(crate) lost: Vec<u32>,
    text: Vec<u8>,
    origins: Vec<(u32, u32)>,
}

impl Errors {
    /// Returns the positions in the whole text of the new errors, with their sorts, and of the
    /// items that are not reached.
    fn positions(&self) -> FxHashSet<(u32, String)> {
        let new = self.new.iter().map(|error| {
            let at = error.at.map_or(u32::MAX, |at| origin(&self.origins, at));
            (at, sort_of(&error.message))
        });
        let lost = self.lost.iter().map(|&at| (at, String::new()));
        new.chain(lost).collect()
    }

    /// Returns whether there is a new error of the same sort and at the same position as an error
    /// of another slice.
    pub(crate) fn has(&self, error: &Complaint, of: &Errors) -> bool {
        let place = |error: &Complaint, of: &Errors| error.at.map(|at| origin(&of.origins, at));
        let (sort, at) = (sort_of(&error.message), place(error, of));
        let is_same = |it: &Complaint| place(it, self) == at && sort_of(&it.message) == sort;
        self.new.iter().any(is_same)
    }
}

/// The beginnings of messages that state what a scope lacks.
const LACKING: [&str; 5] = [
    "no type named ",
    "no member named ",
    IN_SIGHT[0],
    IN_SIGHT[1],
    IN_SIGHT[2],
];

/// The beginnings of messages about a name that has no meaning where it is used.
const IN_SIGHT: [&str; 3] = [
    "use of undeclared",
    "unknown type name",
    "no template named",
];

/// The beginning of a message about a call that fits no function of its name.
const NO_MATCH: &str = "no matching function for call to '";

/// A part of the error about a function of a local type without a body. It has no option.
const NOT_DEFINED: &str = "is used but not defined in this translation unit";

/// The number of bytes that take as long to parse as an empty text.
pub(crate) const OVERHEAD: u64 = 2 << 10;

/// Finds items by the words in errors.
pub(crate) struct Finder<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) by_name: FxHashMap<&'g str, Vec<u32>>,
    pub(crate) children: FxHashMap<u32, Vec<u32>>,
    /// The specializations of each template, and the other items that wait for it.
    pub(crate) waiting: FxHashMap<u32, Vec<u32>>,
}

impl<'g> Finder<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut waiting: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&graph.nodes) {
            if !node.name.is_empty() && node.kind != ItemKind::Namespace {
                by_name.entry(&node.name).or_default().push(at);
            }
            for name in &node.also {
                by_name.entry(name).or_default().push(at);
            }
            if let Some(parent) = node.parent {
                children.entry(parent).or_default().push(at);
            }
            if let Condition::All(when) = &node.condition {
                for &of in when {
                    waiting.entry(of).or_default().push(at);
                }
            }
        }
        Finder {
            graph,
            by_name,
            children,
            waiting,
        }
    }

    /// Parses a slice, and adds lacking items until the slice has no new errors, or no new error
    /// that names a lacking item. Returns the number of remaining errors, including a missing
    /// failure.
    ///
    /// If the slice also lacks the `failure`, given by [`sort_of`], a template has another meaning
    /// in it. Members of the classes that the `roots` name are then added, and after them
    /// specializations.
    pub(crate) fn repair(
        &self,
        closure: &mut Closure<'g>,
        (failure, roots): (Option<&str>, &[u32]),
        source: &Source<'_>,
        budget: &mut u64,
    ) -> u32 {
        let mut least = u32::MAX;
        let mut without_progress = 0;
        let mut best = closure.clone();
        let mut before = FxHashSet::default();
        for _ in 0..ROUNDS {
            let Some(errors) = self.errors(closure, source, budget) else {
                break;
            };
            let is_failure = |sort| errors.known.iter().any(|it| sort_of(&it.message) == sort);
            let has_failure = failure.is_none_or(is_failure);
            let is_shown = has_failure && errors.lost.is_empty();
            let count = (errors.new.len() + errors.lost.len()) as u32 + u32::from(!has_failure);
            if count < least {
                least = count;
                best = closure.clone();
            }
            // Code that is compiled for the first time has errors of its own, so there may be more
            // errors than before although some are mended.
            let now = errors.positions();
            match before.is_subset(&now) {
                true => without_progress += 1,
                false => without_progress = 0,
            }
            before = now;
            if count == 0 || without_progress > PATIENCE || source.deadline.is_over() {
                break;
            }
            let mut found = self.all_lacking(closure, &errors, source);
            if found.is_empty() {
                found.extend(self.unreached(closure, &errors.lost, source.text));
            }
            if found.is_empty() && !is_shown {
                let members = self.members_of_named(roots, source.text);
                let missing = members.into_iter().filter(|at| !closure.kept[*at as usize]);
                found.extend(missing);
            }
            if found.is_empty() && !is_shown {
                found = self.specializations(closure);
            }
            if found.is_empty() {
                break;
            }
            closure.add(found);
        }
        *closure = best;
        least
    }

    /// Parses a slice, and returns its errors. Returns `None` if the budget is used up.
    pub(crate) fn errors(
        &self,
        closure: &Closure<'_>,
        source: &Source<'_>,
        budget: &mut u64,
    ) -> Option<Errors> {
        let (text, origins) = closure.render(source.text);
        *budget = budget
            .checked_sub(text.len() as u64 + OVERHEAD)
            .or_else(|| {
                *budget = 0;
                None
            })?;
        let len = text.len() as u32;
        let text = match source.run {
            Some(run) => run.with_probes(text),
            None => text,
        };
        let unit = source.library.parse(source.path, &text, source.arguments)?;
        let lost = source.run.map_or(vec![], |run| {
            let item = |at| self.graph.innermost(origin(&origins, at));
            run.lost(&unit, len, &item)
        });
        let (known, new): (Vec<Complaint>, Vec<Complaint>) =
            unit.complaints().into_iter().partition(|error| {
                let explains =
                    |failure: &Failure| failure.explains(error, |at| origin(&origins, at));
                !error.is_error
                    || source.known.contains(&sort_of(&error.message))
                    || source.failure.is_some_and(explains)
            });
        Some(Errors {
            known,
            new,
            lost,
            text,
            origins,
        })
    }

    /// Returns the known errors and warnings at some items, or with a note at one of them.
    ///
    /// Clang has other errors in headers of other compilers, which mean nothing.
    pub(crate) fn wanted(&self, errors: &Errors, items: &[u32]) -> FxHashSet<String> {
        let is_at = |complaint: &Complaint| {
            let at = complaint.at.map(|at| origin(&errors.origins, at));
            at.is_some_and(|at| {
                let mut ranges = items
                    .iter()
                    .map(|item| &self.graph.nodes[*item as usize].range);
                ranges.any(|range| range.contains(&at))
            })
        };
        let is_there =
            |complaint: &&Complaint| is_at(complaint) || complaint.notes.iter().any(is_at);
        let all = errors.known.iter().filter(is_there);
        all.map(|complaint| sort_of(&complaint.message)).collect()
    }

    /// Returns all items that a slice lacks according to its errors.
    pub(crate) fn all_lacking(
        &self,
        closure: &Closure<'_>,
        errors: &Errors,
        source: &Source<'_>,
    ) -> BTreeSet<u32> {
        let each = errors.new.iter();
        let found: BTreeSet<u32> = each
            .take_while(|_| !source.deadline.is_over())
            .flat_map(|error| self.lacking(closure, error, errors, source))
            .collect();
        if !found.is_empty() || errors.new.is_empty() {
            return found;
        }
        // No error reports a missing specialization.
        self.specializations(closure)
    }

    /// Returns the specializations of kept templates that are not kept.
    fn specializations(&self, closure: &Closure<'_>) -> BTreeSet<u32> {
        let kept = (0..).zip(&closure.kept).filter(|(_, kept)| **kept);
        let waiting = kept
            .filter_map(|(at, _)| self.waiting.get(&at))
            .flatten()
            .copied();
        waiting
            .filter(|at| !closure.kept[*at as usize])
            .filter(|at| self.graph.nodes[*at as usize].kind == ItemKind::Record)
            .collect()
    }

    /// Returns the items that a slice lacks according to an error, by the first of several methods
    /// that finds an item.
    pub(crate) fn lacking(
        &self,
        closure: &Closure<'_>,
        error: &Complaint,
        of: &Errors,
        source: &Source<'_>,
    ) -> Vec<u32> {
        let (text, origins, whole) = (&of.text[..], &of.origins[..], source.text);
        let quoted = quoted(&error.message);
        let item = error
            .at
            .and_then(|at| self.graph.innermost(origin(origins, at)));
        let mut found = self.undefined(closure, error, origins);
        if !found.is_empty() {
            return found;
        }
        found = self.stated(closure, &error.message, item);
        for note in &error.notes {
            found.extend(self.stated(closure, &note.message, None));
        }
        if !found.is_empty() {
            return found;
        }
        // Functions outside of the class of a missing member hide that it is missing.
        if let Some(name) = error.message.strip_prefix(NO_MATCH).map(unquoted) {
            found = self.members_around(closure, name, item);
        }
        if !found.is_empty() {
            return found;
        }
        found = self.unsatisfied(closure, error, whole);
        if !found.is_empty() {
            return found;
        }
        found = self.constants(closure, error, origins, whole);
        if !found.is_empty() {
            return found;
        }
        // The error of an operator has the location of its token.
        let operator = error.at.map(|at| &text[at as usize..]);
        let types: Vec<&str> = quoted.iter().filter_map(|text| last_word(text)).collect();
        found.extend(
            operator
                .map(|text| self.operators(closure, text, &types))
                .unwrap_or_default(),
        );
        if !found.is_empty() {
            return found;
        }
        let at = error.at.map(|at| word_at(text, at as usize));
        let last = quoted.iter().filter_map(|text| last_word(text));
        for name in at.into_iter().chain(last) {
            found.extend(self.named(closure, name));
        }
        let notes = error.notes.iter().filter_map(|note| {
            let at = self.graph.innermost(origin(origins, note.at?))?;
            self.graph.body(at)
        });
        found.extend(notes.filter(|at| !closure.kept[*at as usize]));
        if !found.is_empty() {
            return found;
        }
        for text in &quoted {
            for word in words(text) {
                found.extend(self.members(closure, word));
            }
        }
        if !found.is_empty() {
            return found;
        }
        // All names in the item at the error that may be meant.
        if let Some(item) = item {
            let range = &self.graph.nodes[item as usize].range;
            let range = range.start as usize..range.end as usize;
            for token in tokens(whole, range).filter(|token| token.kind == TokenKind::Word) {
                let word = std::str::from_utf8(&whole[token.range]).unwrap_or_default();
                found.extend(self.named(closure, word));
            }
        }
        if !found.is_empty() {
            return found;
        }
        // A note names the class that lacks a conversion or a copy.
        let notes = error
            .notes
            .iter()
            .flat_map(|note| self::quoted(&note.message));
        let named = notes.flat_map(words);
        named.flat_map(|word| self.members(closure, word)).collect()
    }

    /// Returns the body of a function that a program calls and that has none.
    fn undefined(
        &self,
        closure: &Closure<'_>,
        error: &Complaint,
        origins: &[(u32, u32)],
    ) -> Vec<u32> {
        let is_warned = UNDEFINED.contains(&error.option.as_str());
        if !is_warned && !error.message.contains(NOT_DEFINED) {
            return vec![];
        }
        let at = error
            .notes
            .iter()
            .filter_map(|note| note.at)
            .chain(error.at);
        let items = at.filter_map(|at| self.graph.innermost(origin(origins, at)));
        // A member of a class has its body there, or is defined elsewhere.
        let bodies = items.flat_map(|at| {
            let elsewhere = self.graph.nodes[at as usize].to_run.iter().copied();
            elsewhere.chain(self.graph.body(at))
        });
        bodies.filter(|at| !closure.kept[*at as usize]).collect()
    }

    /// Returns the items that a message explicitly names as lacking.
    fn stated(&self, closure: &Closure<'_>, message: &str, item: Option<u32>) -> Vec<u32> {
        // The reason comes after the first words of the note.
        let phrase = LACKING.iter().find_map(|phrase| message.find(phrase));
        let message = phrase.map_or(message, |at| &message[at..]);
        let quoted = quoted(message);
        let name = quoted.first().copied().unwrap_or_default();
        let is_hidden =
            message.contains(" private member of ") || message.contains(" protected member of ");
        if let Some((_, scope)) = message.split_once("' in ")
            && let Some(scope) = self::quoted(scope).first().and_then(|text| last_word(text))
        {
            self.in_scope(closure, name, scope)
        } else if is_hidden {
            let of = quoted
                .last()
                .and_then(|text| last_word(text))
                .unwrap_or_default();
            let friends = self.children_of(closure, of);
            friends
                .filter(|at| self.graph.nodes[*at as usize].kind == ItemKind::Friend)
                .collect()
        } else if IN_SIGHT.iter().any(|phrase| message.starts_with(phrase)) {
            self.in_sight(closure, name, item)
        } else {
            vec![]
        }
    }
}

/// Returns the text before a quotation mark.
fn unquoted(text: &str) -> &str {
    text.split('\'').next().unwrap_or_default()
}

fn word_at(text: &[u8], at: usize) -> &str {
    let from = at + usize::from(text.get(at) == Some(&b'~'));
    let rest = text.get(from..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| is_word(**byte)).count();
    std::str::from_utf8(&text[at..from + len]).unwrap_or_default()
}
