use super::TreeReducer;
use super::program::names::{Names, is_called_name};
use super::search::nested::outermost;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// Deletes several parts of a program at once that depend on each other: a name with all its uses,
/// a declaration with the part that uses it, an argument with its parameter.
///
/// A declaration cannot be removed while its name is used, and a use often cannot be removed while
/// the name is declared, so each deletion by itself fails. No names are resolved here; their texts
/// are compared:
///
/// 1. *Name closure*: for each name, the innermost removable parts around all its occurrences at
///    once; then the same without the first. The names whose parts have the largest number of
///    tokens come first.
/// 2. *Orphan cascade*: for each part that declares a name (in a field `name`, or else as its first
///    name) and each part further up that holds all other uses of the name, both parts; with them
///    every other declaring part whose name is then used nowhere.
/// 3. *Positions*: for each name that is followed by lists of equal length at several positions,
///    the first element of all these lists, the second, and so on.
///
/// It deletes parts that no other tree reducer can delete without knowledge of the language: unused
/// imports where those are an error, parameters, struct members. Run it when other deletions find
/// nothing more.
///
/// Cost: two tests per name, up to six per declaration, and one per position of a list.
///
/// Source: the orphan cascade after D. MacIver's Shrink Ray; the other two are ours, after the way
/// people reduce by hand.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Coupled, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <name> ';'\n<name> ::= [a-z]+\n";
/// let even = |text: &str| text.split(';').filter(|name| *name == "a").count() % 2 == 0;
/// let run = trace(&Coupled, program, "a;b;a;", |text| even(text) && text.contains('b'));
/// assert_eq!(run.result, "b;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Coupled;

/// The number of enclosing parts that are tried with a declaration.
const MOST_AROUND: usize = 6;
/// With more declarations than this, no further orphans are looked for.
const MOST_DECLARATIONS: usize = 2000;

impl TreeReducer for Coupled {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "coupled",
            "a name with its uses, a declaration with its user, an argument with its parameter",
            "nubbin; the orphan cascade after MacIver: Shrink Ray",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let names = outline.fact(Names::of);
        let mut steps = closures(outline, &names);
        let declarations = declarations(outline, &names);
        steps.extend(cascades(outline, &names, &declarations));
        steps.extend(positions(outline, &names));
        (!steps.is_empty()).then(|| {
            let source = Coupling {
                names,
                declarations,
                steps,
            };
            OneAtATime::work(Arc::clone(outline), source)
        })
    }
}

struct Coupling {
    names: Arc<Names>,
    declarations: Vec<Declaration>,
    steps: Vec<Step>,
}

/// A part that declares a name.
struct Declaration {
    part: NodeId,
    group: usize,
}

enum Step {
    /// All occurrences of a name, or all except the first.
    Closure { group: usize, but_first: bool },
    /// A declaration, and a part that contains all other uses of its name.
    Cascade { declaration: usize, around: NodeId },
    /// The element at one position of each list.
    Position(Arc<[NodeId]>),
}

fn closures(outline: &Outline, names: &Names) -> Vec<Step> {
    let mut by_weight: Vec<(u64, usize)> = vec![];
    for (at, group) in names.groups.iter().enumerate() {
        if group.nodes.len() > 1 {
            let parts = group.nodes.iter().filter_map(|&id| names.element(id));
            let weight = parts.map(|id| u64::from(outline.tokens(id))).sum();
            by_weight.push((weight, at));
        }
    }
    by_weight.sort_by_key(|&(weight, at)| (Reverse(weight), at));
    let both = |group| [false, true].map(|but_first| Step::Closure { group, but_first });
    by_weight
        .into_iter()
        .flat_map(|(_, group)| both(group))
        .collect()
}

/// Returns the removable parts that begin with a name, or have a field for one.
fn declarations(outline: &Outline, names: &Names) -> Vec<Declaration> {
    let mut first: FxHashMap<NodeId, (bool, NodeId, usize)> = FxHashMap::default();
    for (at, group) in names.groups.iter().enumerate() {
        for &id in &group.nodes {
            let Some(part) = names.element(id) else {
                continue;
            };
            let found = (!is_called_name(outline, id), id, at);
            let known = first.entry(part).or_insert(found);
            *known = found.min(*known);
        }
    }
    let mut found: Vec<Declaration> = first
        .into_iter()
        .map(|(part, (_, _, group))| Declaration { part, group })
        .collect();
    found.sort_by_key(|declaration| declaration.part);
    found
}

fn cascades(outline: &Outline, names: &Names, declarations: &[Declaration]) -> Vec<Step> {
    let mut steps = vec![];
    for (at, declaration) in declarations.iter().enumerate() {
        let outside = |id: &&NodeId| !outline.covers(declaration.part, **id);
        let nodes = &names.groups[declaration.group].nodes;
        let (Some(&first), Some(&last)) =
            (nodes.iter().find(outside), nodes.iter().rev().find(outside))
        else {
            continue;
        };
        let mut around = names.element(first);
        let mut tried = 0;
        while let Some(part) = around
            && tried < MOST_AROUND
        {
            if outline.covers(part, declaration.part) {
                break;
            }
            if outline.covers(part, last) {
                steps.push(Step::Cascade {
                    declaration: at,
                    around: part,
                });
                tried += 1;
            }
            around = (part != ROOT)
                .then(|| names.element(outline.node(part).parent))
                .flatten();
        }
    }
    steps
}

/// Returns the steps for lists of equal length that follow occurrences of one name: one per
/// position.
fn positions(outline: &Outline, names: &Names) -> Vec<Step> {
    let mut steps = vec![];
    for group in &names.groups {
        let lists = group
            .nodes
            .iter()
            .filter_map(|&id| list_behind(outline, id));
        let lists: Vec<Vec<NodeId>> = lists.collect();
        let Some(len) = lists.first().map(Vec::len) else {
            continue;
        };
        if lists.len() > 1 && lists.iter().all(|list| list.len() == len) {
            for at in 0..len {
                steps.push(Step::Position(lists.iter().map(|list| list[at]).collect()));
            }
        }
    }
    steps
}

/// Returns the iterations of the first repetition after a name, in the node that begins with the
/// name or one of the nodes around it.
fn list_behind(outline: &Outline, name: NodeId) -> Option<Vec<NodeId>> {
    let mut around = name;
    for _ in 0..4 {
        let node = outline.node(around);
        let is_repeat = |&id: &NodeId| {
            outline.node(id).kind == NodeKind::Repeat && !outline.node(id).span.is_empty()
        };
        let end = node.end.min(outline.node(name).end.saturating_add(64));
        if let Some(repeat) = (outline.node(name).end..end).find(is_repeat) {
            let iterations = outline
                .children(repeat)
                .filter(|&id| outline.node(id).kind == NodeKind::Iteration);
            return Some(iterations.collect());
        }
        if around == ROOT || node.kind == NodeKind::Iteration {
            return None;
        }
        around = node.parent;
    }
    None
}

impl Coupling {
    /// Adds each further declaring part whose name is used nowhere once the parts in `going` are
    /// removed.
    fn orphans(&self, outline: &Outline, going: &mut Vec<NodeId>) {
        if self.declarations.len() > MOST_DECLARATIONS {
            return;
        }
        let mut known: FxHashSet<NodeId> = going.iter().copied().collect();
        loop {
            let is_gone = |id: NodeId| going.iter().any(|&part| outline.covers(part, id));
            let orphan = self.declarations.iter().find(|declaration| {
                let part = declaration.part;
                let nodes = &self.names.groups[declaration.group].nodes;
                let mut others = nodes.iter().filter(|&&id| !outline.covers(part, id));
                !known.contains(&part)
                    && !is_gone(part)
                    && !going.iter().any(|&id| outline.covers(part, id))
                    && others.clone().next().is_some()
                    && others.all(|&id| is_gone(id))
            });
            let Some(orphan) = orphan else { return };
            known.insert(orphan.part);
            going.push(orphan.part);
        }
    }
}

impl Source for Coupling {
    fn len(&self) -> usize {
        self.steps.len()
    }

    fn proposal(&self, at: usize, outline: &Outline) -> Proposal {
        let mut remove = match &self.steps[at] {
            Step::Closure { group, but_first } => {
                let nodes = &self.names.groups[*group].nodes;
                let spared = nodes.first().and_then(|&id| self.names.element(id));
                let parts = nodes.iter().filter_map(|&id| self.names.element(id));
                parts
                    .filter(|&part| !(*but_first && Some(part) == spared))
                    .collect()
            }
            Step::Cascade {
                declaration,
                around,
            } => {
                let mut going = vec![self.declarations[*declaration].part, *around];
                self.orphans(outline, &mut going);
                going
            }
            Step::Position(parts) => parts.to_vec(),
        };
        remove.sort_unstable();
        remove.dedup();
        let remove = outermost(outline, remove).collect();
        Proposal {
            remove,
            at_least: 1,
            ..Proposal::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::{Subtrees, trace};
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Coupled);
    }

    #[test]
    fn a_declaration_is_removed_with_its_use() {
        // Every import is used, and every used name is imported.
        let program = "<p> ::= <i>* <s>*\n<i> ::= 'use ' <n> ';'\n<s> ::= <n> ';' | '{' <s>* '}'\n<n> ::= [a-z]+\n";
        let fails = |text: &str| {
            let (used, called) = text.split_once('{').unwrap_or((text, ""));
            text.contains('x') && used.contains('a') == called.contains('a')
        };
        let text = "use a;{x;{a;}}";
        assert_eq!(trace(&Subtrees, program, text, fails).result, text);
        assert_eq!(trace(&Coupled, program, text, fails).result, "{x;}");
    }

    #[test]
    fn an_argument_is_removed_with_its_parameter() {
        let lists =
            "<p> ::= <c>*\n<c> ::= <n> '(' <a>* ');'\n<a> ::= [a-z] | '+'\n<n> ::= [a-z]+\n";
        let fails = |text: &str| {
            let lens: Vec<usize> = text.split_terminator(';').map(str::len).collect();
            text.contains("(a") && lens.len() == 2 && lens[0] == lens[1]
        };
        let text = "ff(ab);ff(cd);";
        assert_eq!(trace(&Subtrees, lists, text, fails).result, text);
        assert_eq!(trace(&Coupled, lists, text, fails).result, "ff(a);ff(c);");
    }
}
