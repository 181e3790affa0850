//! The items that a slice lacks, by the errors of clang.

use crate::closure::{Closure, origin};
use crate::facts::ItemKind;
use crate::graph::{Condition, Graph};
use crate::lex::{TokenKind, is_word, tokens};
use crate::names::plain;
use crate::unit::{Complaint, Library};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// The largest number of times that a slice is parsed.
const ROUNDS: usize = 60;

/// The number of rounds without fewer errors after which the rest is left.
const PATIENCE: usize = 12;

/// The parts of a parse that are the same for all slices of a text.
pub(crate) struct Source<'a> {
    pub(crate) library: &'a Library,
    pub(crate) path: &'a Path,
    pub(crate) text: &'a [u8],
    pub(crate) arguments: &'a [String],
    /// The errors of the whole text, by [`sort_of`].
    pub(crate) known: &'a FxHashSet<String>,
    pub(crate) deadline: Instant,
}

/// The errors of a slice.
pub(crate) struct Errors {
    /// The errors that clang has for the whole text as well, and warnings.
    pub(crate) known: Vec<Complaint>,
    pub(crate) new: Vec<Complaint>,
    text: Vec<u8>,
    origins: Vec<(u32, u32)>,
}

/// The beginnings of messages that say what a scope lacks.
const LACKING: [&str; 5] = [
    "no type named ",
    "no member named ",
    IN_SIGHT[0],
    IN_SIGHT[1],
    IN_SIGHT[2],
];

/// The beginnings of messages about a name that has no meaning where it stands.
const IN_SIGHT: [&str; 3] = [
    "use of undeclared",
    "unknown type name",
    "no template named",
];

/// The number of bytes whose parse takes as long as that of an empty text.
const OVERHEAD: u64 = 2 << 10;

/// Finds items by the words in errors.
pub(crate) struct Finder<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) by_name: FxHashMap<&'g str, Vec<u32>>,
    pub(crate) children: FxHashMap<u32, Vec<u32>>,
    /// The specializations of each template, and what else waits for it.
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

    /// Parses a slice, and adds what it lacks until it has no new errors, or none that says what it
    /// lacks. Returns the number of errors that are left.
    pub(crate) fn repair(
        &self,
        closure: &mut Closure<'g>,
        source: &Source<'_>,
        budget: &mut u64,
    ) -> u32 {
        let mut least = u32::MAX;
        let mut without_progress = 0;
        let mut best = closure.clone();
        for _ in 0..ROUNDS {
            let Some(errors) = self.errors(closure, source, budget) else {
                break;
            };
            let count = errors.new.len() as u32;
            match count < least {
                true => {
                    least = count;
                    without_progress = 0;
                    best = closure.clone();
                }
                false => without_progress += 1,
            }
            if count == 0 || without_progress > PATIENCE || Instant::now() > source.deadline {
                break;
            }
            let found = self.all_lacking(closure, &errors, source);
            if found.is_empty() {
                break;
            }
            closure.add(found);
        }
        *closure = best;
        least
    }

    /// Parses a slice, and returns its errors; `None` without a budget for it.
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
        let unit = source.library.parse(source.path, &text, source.arguments)?;
        let (known, new) = unit
            .complaints()
            .into_iter()
            .partition(|error| !error.is_error || source.known.contains(&sort_of(&error.message)));
        Some(Errors {
            known,
            new,
            text,
            origins,
        })
    }

    /// Returns the known errors and warnings at some items, or with a note there.
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

    /// Returns all that is lacking by the errors of a slice.
    pub(crate) fn all_lacking(
        &self,
        closure: &Closure<'_>,
        errors: &Errors,
        source: &Source<'_>,
    ) -> BTreeSet<u32> {
        let place = (&errors.text[..], &errors.origins[..]);
        let each = errors.new.iter();
        let found: BTreeSet<u32> = each
            .take_while(|_| Instant::now() < source.deadline)
            .flat_map(|error| self.lacking(closure, error, place, source.text))
            .collect();
        if !found.is_empty() || errors.new.is_empty() {
            return found;
        }
        // Nothing says that a specialization is missing.
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

    /// Returns what an error says is lacking, in the first of some ways to find something.
    fn lacking(
        &self,
        closure: &Closure<'_>,
        error: &Complaint,
        (text, origins): (&[u8], &[(u32, u32)]),
        whole: &[u8],
    ) -> Vec<u32> {
        let quoted = quoted(&error.message);
        let item = error
            .at
            .and_then(|at| self.graph.innermost(origin(origins, at)));
        let mut found = self.stated(closure, &error.message, item);
        for note in &error.notes {
            found.extend(self.stated(closure, &note.message, None));
        }
        if !found.is_empty() {
            return found;
        }
        found = self.unsatisfied(closure, error, whole);
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
            self.body(at)
        });
        found.extend(notes.filter(|at| !closure.kept[*at as usize]));
        if let Some(at) = error.at {
            // An operator has the location of its token.
            found.extend(self.operators(closure, &text[at as usize..]));
        }
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
        // All that the item at the error may mean.
        let Some(item) = item else {
            return found;
        };
        let range = &self.graph.nodes[item as usize].range;
        let range = range.start as usize..range.end as usize;
        for token in tokens(whole, range).filter(|token| token.kind == TokenKind::Word) {
            let word = std::str::from_utf8(&whole[token.range]).unwrap_or_default();
            found.extend(self.named(closure, word));
        }
        found
    }

    /// Returns what a message says is lacking in so many words.
    fn stated(&self, closure: &Closure<'_>, message: &str, item: Option<u32>) -> Vec<u32> {
        // A note has the reason behind its first words.
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

    /// Returns the members of a name in the classes or namespaces of another name, or
    /// specializations that may have them.
    fn in_scope(&self, closure: &Closure<'_>, name: &str, scope: &str) -> Vec<u32> {
        let missing = self.by_name.get(plain(name)).into_iter().flatten().copied();
        let missing = missing.filter(|at| !closure.kept[*at as usize]);
        let found: Vec<u32> = missing
            .filter(|at| {
                let parent = self.graph.nodes[*at as usize].parent;
                parent.is_some_and(|parent| {
                    let parent = &self.graph.nodes[parent as usize];
                    parent.name == scope || parent.name.is_empty()
                })
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        let kept = self.by_name.get(scope).into_iter().flatten();
        let kept = kept.filter(|at| closure.kept[**at as usize]);
        let waiting = kept
            .filter_map(|at| self.waiting.get(at))
            .flatten()
            .copied();
        waiting
            .filter(|at| !closure.kept[*at as usize])
            .filter(|at| self.graph.nodes[*at as usize].kind == ItemKind::Record)
            .collect()
    }

    /// Returns the items of a name that an item sees: in a class around it, else outside of
    /// classes, else in any class that is kept.
    fn in_sight(&self, closure: &Closure<'_>, name: &str, item: Option<u32>) -> Vec<u32> {
        let missing = self.by_name.get(plain(name)).into_iter().flatten().copied();
        let missing: Vec<u32> = missing.filter(|at| !closure.kept[*at as usize]).collect();
        let parent = |at: &u32| self.graph.nodes[*at as usize].parent;
        let around: Vec<u32> = std::iter::successors(item, parent).collect();
        let is_member = |at: &u32| self.graph.is_in(*at, ItemKind::Record);
        let of = |found: Vec<u32>| (!found.is_empty()).then_some(found);
        let within = missing.iter().copied();
        let within =
            within.filter(|at| is_member(at) && parent(at).is_some_and(|it| around.contains(&it)));
        let free = missing.iter().copied().filter(|at| !is_member(at));
        let kept = missing.iter().copied();
        let kept = kept.filter(|at| parent(at).is_some_and(|it| closure.kept[it as usize]));
        of(within.collect())
            .or_else(|| of(free.collect()))
            .or_else(|| of(kept.collect()))
            .unwrap_or_default()
    }

    /// Returns what is missing of the kept classes of a name.
    fn children_of<'a>(
        &'a self,
        closure: &'a Closure<'_>,
        name: &'a str,
    ) -> impl Iterator<Item = u32> + 'a {
        let all = self.by_name.get(name).into_iter().flatten().copied();
        let records = all.filter(|at| {
            closure.kept[*at as usize] && self.graph.nodes[*at as usize].kind == ItemKind::Record
        });
        let children = records
            .filter_map(|at| self.children.get(&at))
            .flatten()
            .copied();
        children.filter(|at| !closure.kept[*at as usize])
    }

    fn body(&self, at: u32) -> Option<u32> {
        let children = self.children.get(&at).into_iter().flatten();
        children
            .copied()
            .find(|child| self.graph.nodes[*child as usize].kind == ItemKind::Body)
    }

    /// Returns the items of a name that are not kept, and the bodies of those that are.
    fn named(&self, closure: &Closure<'_>, name: &str) -> Vec<u32> {
        let all = || self.by_name.get(plain(name)).into_iter().flatten().copied();
        let is_kept = |at: u32| closure.kept[at as usize];
        let missing = || all().filter(|at| !is_kept(*at));
        let near = |at: &u32| {
            let parent = self.graph.nodes[*at as usize].parent;
            let is_member = self.graph.is_in(*at, ItemKind::Record);
            parent.is_none_or(|parent| !is_member || is_kept(parent))
        };
        let mut found: Vec<u32> = missing().filter(near).collect();
        if found.is_empty() {
            let bodies = all()
                .filter(|at| is_kept(*at))
                .filter_map(|at| self.body(at));
            found.extend(bodies.filter(|at| !is_kept(*at)));
        }
        if found.is_empty() {
            let definitions = all().filter(|at| is_kept(*at));
            let definitions = definitions.flat_map(|at| &self.graph.nodes[at as usize].to_run);
            found.extend(definitions.copied().filter(|at| !is_kept(*at)));
            let waiting = all()
                .filter(|at| is_kept(*at))
                .filter_map(|at| self.waiting.get(&at));
            found.extend(waiting.flatten().copied().filter(|at| !is_kept(*at)));
        }
        if found.is_empty() {
            found.extend(missing());
        }
        found
    }

    /// Returns what makes objects of a class, converts, assigns, and destroys them, if it is not
    /// kept; otherwise all of its members.
    fn members(&self, closure: &Closure<'_>, name: &str) -> Vec<u32> {
        let members: Vec<u32> = self
            .children_of(closure, name)
            .filter(|at| {
                let kind = self.graph.nodes[*at as usize].kind;
                !matches!(
                    kind,
                    ItemKind::Marker | ItemKind::Pragma | ItemKind::Assertion
                )
            })
            .collect();
        let is_special = |at: &u32| {
            let of = &self.graph.nodes[*at as usize].name;
            of == name || of.starts_with('~') || of.starts_with("operator")
        };
        let special: Vec<u32> = members.iter().copied().filter(is_special).collect();
        match special.is_empty() {
            true => members,
            false => special,
        }
    }

    fn operators(&self, closure: &Closure<'_>, text: &[u8]) -> Vec<u32> {
        // A loop over a range has the location of its colon.
        if text.first() == Some(&b':') {
            let all = ["operator!=", "operator==", "operator*", "operator++"];
            return all
                .iter()
                .flat_map(|name| self.near(closure, name))
                .collect();
        }
        let len = text
            .iter()
            .take(3)
            .take_while(|byte| byte.is_ascii_punctuation())
            .count();
        let mut found = vec![];
        for len in (1..=len).rev() {
            let token = std::str::from_utf8(&text[..len]).unwrap_or_default();
            let name = match token {
                "(" | "[" => continue,
                token => format!("operator{token}"),
            };
            found.extend(self.near(closure, &name));
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns the functions of a name that are missing, and that something kept may be an argument
    /// of.
    fn near(&self, closure: &Closure<'_>, name: &str) -> Vec<u32> {
        let all = self.by_name.get(name).into_iter().flatten().copied();
        let is_near = |at: &u32| match &self.graph.nodes[*at as usize].condition {
            Condition::Mentioned(_, when) | Condition::All(when) => {
                when.iter().any(|of| closure.kept[*of as usize])
            }
            _ => true,
        };
        all.filter(|at| !closure.kept[*at as usize])
            .filter(is_near)
            .collect()
    }
}

/// Returns a message without the arguments of templates, which clang writes in other ways where
/// other names are declared, and without other names of types.
pub(crate) fn sort_of(message: &str) -> String {
    let mut sort = String::new();
    for (at, part) in message.split('\'').enumerate() {
        let is_quoted = at % 2 == 1;
        match is_quoted {
            true if sort.ends_with("(aka ") => {}
            true => sort.push_str(part.split('<').next().unwrap_or_default()),
            false => sort.push_str(part),
        }
    }
    sort
}

/// Returns the texts in quotes of a message.
pub(crate) fn quoted(message: &str) -> Vec<&str> {
    let parts = message.split('\'');
    parts
        .skip(1)
        .step_by(2)
        .filter(|text| !text.is_empty())
        .collect()
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| !word.is_empty())
}

/// Returns the name that a quoted text ends with, arguments aside.
fn last_word(text: &str) -> Option<&str> {
    if let Some(at) = text.find("operator") {
        let end = text[at + 8..].find(['<', '(']).filter(|end| *end > 0);
        return Some(&text[at..end.map_or(text.len(), |end| at + 8 + end)]);
    }
    let head = text.split(['<', '(']).next()?;
    words(head).last()
}

fn word_at(text: &[u8], at: usize) -> &str {
    let from = at + usize::from(text.get(at) == Some(&b'~'));
    let rest = text.get(from..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| is_word(**byte)).count();
    std::str::from_utf8(&text[at..from + len]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_arguments_of_templates_are_of_one_sort() {
        let long = "no member named 'x' in 'std::vector<int, std::allocator<int>>'";
        let short = "no member named 'x' in 'std::vector<int>'";
        assert_eq!(sort_of(long), sort_of(short));
        let alias = "cannot convert 'pointer' (aka 'char *') to 'int'";
        assert_eq!(sort_of(alias), "cannot convert pointer (aka ) to int");
        let other = "no member named 'y' in 'std::vector<int>'";
        assert_ne!(sort_of(other), sort_of(short));
    }
}
