use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::{Place, in_order, together_and_alone};
use super::program::parameters::substitution;
use super::search::nested::outermost;
use super::search::{Across, Parts, Proposal};
use super::{Program, TreeReducer};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_edit::{Edit, Span};
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Removes a type parameter with its arguments, and replaces its uses with an argument: `template
/// <typename T> struct a { T b; }; a<int> c;` becomes `struct a { int b; }; a c;`.
///
/// The only parameter is removed with the brackets, and with the text before them if the name comes
/// after them. Lists of parameters and of arguments are recognized by the
/// [roles](nubbin_grammar::conventions::Fields) of the grammar's fields, as in
/// [`Parameters`](super::Parameters), which does the same for the parameters of functions. The
/// argument comes from the first use outside of the definition. The lists of all files belong
/// together, as there.
///
/// Cost: one test per position of a list.
///
/// Source: nubbin; for C++, the passes instantiate-template-param and reduce-class-template-param
/// of C-Reduce (Regehr et al., PLDI 2012).
///
/// ```
/// use nubbin_languages::catalogue;
/// use nubbin_reduce::tree_reducer::{TypeParameters, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let rust = catalogue::named("rust").ok_or("no Rust")?.syntax()?;
/// let text = b"struct A<T, U> { t: T, u: U } fn f(a: A<u8, i8>) {}";
/// let fails = |text: &[u8]| text.windows(4).any(|four| four == b"u: U");
/// let run = trace_with(&TypeParameters, &*rust, text, &Lists::default(), fails);
/// assert_eq!(run.result, "struct A< U> { t: u8, u: U } fn f(a: A< i8>) {}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeParameters;

impl TreeReducer for TypeParameters {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "type-parameters",
            "removes a type parameter with its arguments",
            "nubbin; for C++, C-Reduce (Regehr et al., PLDI 2012)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        over(vec![Arc::clone(outline)])
    }

    fn open_all(&self, program: &Program<'_>, _lists: &Lists) -> Option<Work> {
        over(program.outlines())
    }
}

fn over(trees: Vec<Arc<Outline>>) -> Option<Work> {
    let names = in_order(&trees);
    let all = together_and_alone(&trees);
    let steps = all
        .iter()
        .flat_map(|places| steps(&trees, &names, places))
        .collect();
    Across::work(trees, steps)
}

/// A list of parameters, and the rule that has it.
struct Definition {
    list: NodeId,
    whole: NodeId,
    elements: Vec<NodeId>,
}

/// The definitions of a name with type parameters, and its uses with type arguments, in one tree.
#[derive(Default)]
struct InTree {
    definitions: Vec<Definition>,
    /// The lists of arguments.
    uses: Vec<NodeId>,
}

fn steps(trees: &[Arc<Outline>], names: &[Vec<NodeId>], occurrences: &[Place]) -> Vec<Parts> {
    let of_tree = |places: &[Place]| {
        let tree = places[0].0;
        let outline = &trees[tree];
        let ids = || places.iter().map(|place| place.1);
        let found = InTree {
            definitions: ids().filter_map(|id| definition(outline, id)).collect(),
            uses: ids().filter_map(|id| arguments(outline, id)).collect(),
        };
        (tree, found)
    };
    let in_trees = occurrences.chunk_by(|one, next| one.0 == next.0);
    let in_trees: Vec<(usize, InTree)> = in_trees.map(of_tree).collect();
    let definitions = in_trees.iter().flat_map(|(_, found)| &found.definitions);
    let Some(longest) = definitions.map(|one| one.elements.len()).max() else {
        return vec![];
    };
    // Uses inside the definitions do not count.
    let first = in_trees.iter().find_map(|(tree, found)| {
        let is_inside = |list: NodeId| {
            let mut definitions = found.definitions.iter();
            definitions.any(|one| trees[*tree].covers(one.whole, list))
        };
        let mut uses = found.uses.iter().copied();
        uses.find(|&list| !is_inside(list))
            .map(|list| (*tree, list))
    });
    let step = |at: usize| {
        let argument = first.and_then(|(tree, list)| {
            let argument = iterations(&trees[tree], list).get(at).copied()?;
            Some(trees[tree].text_of(argument).trim_ascii())
        });
        let part = |(tree, found): &(usize, InTree)| {
            let (outline, names) = (&trees[*tree], &names[*tree]);
            let proposal = match longest {
                1 => without_lists(outline, names, found, argument),
                _ => without(outline, names, found, at, argument),
            };
            (*tree, proposal)
        };
        let is_change =
            |part: &(usize, Proposal)| !(part.1.remove.is_empty() && part.1.also.is_none());
        in_trees.iter().map(part).filter(is_change).collect()
    };
    (0..longest).rev().map(step).collect()
}

/// Returns the edit that puts the argument in the place of the uses of a parameter.
fn with_argument(
    outline: &Outline,
    names: &[NodeId],
    found: &InTree,
    at: usize,
    argument: Option<&[u8]>,
) -> Edit {
    let substituted = found.definitions.iter().filter_map(|one| {
        substitution(outline, names, one.whole, *one.elements.get(at)?, argument?)
    });
    substituted.fold(Edit::none(), |all, edit| all.combine(&edit).unwrap_or(all))
}

/// Removes the only parameter and its arguments, with the brackets.
fn without_lists(
    outline: &Outline,
    names: &[NodeId],
    found: &InTree,
    argument: Option<&[u8]>,
) -> Proposal {
    let headers = found.definitions.iter().map(|one| {
        let (whole, list) = (outline.node(one.whole).span, outline.node(one.list).span);
        match is_before(outline, one) {
            true => Span::new(whole.start, list.end),
            false => list,
        }
    });
    let lists = found.uses.iter().map(|&list| outline.node(list).span);
    let mut also = with_argument(outline, names, found, 0, argument);
    for span in headers.chain(lists) {
        also = also.combine(&Edit::delete(span)).unwrap_or(also);
    }
    Proposal {
        also,
        ..Proposal::default()
    }
}

/// Removes one of several parameters and its arguments.
fn without(
    outline: &Outline,
    names: &[NodeId],
    found: &InTree,
    at: usize,
    argument: Option<&[u8]>,
) -> Proposal {
    let parameters = found.definitions.iter();
    let parameters = parameters.filter_map(|one| one.elements.get(at).copied());
    let of_list = |&list: &NodeId| iterations(outline, list).get(at).copied();
    let arguments = found.uses.iter().filter_map(of_list);
    let mut remove: Vec<NodeId> = parameters.chain(arguments).collect();
    remove.sort_unstable();
    let remove: Vec<NodeId> = outermost(outline, remove).collect();
    Proposal {
        at_least: remove.len().min(1),
        remove,
        also: with_argument(outline, names, found, at, argument),
    }
}

/// Returns whether the list comes before the name to which it belongs, at the beginning of its
/// rule.
fn is_before(outline: &Outline, one: &Definition) -> bool {
    let known = outline.grammar().conventions().fields.named;
    let mut before = outline.children(one.whole).take_while(|&id| id < one.list);
    !before.any(|id| has_field(outline, id, known))
}

/// Returns whether a list contains type parameters or type arguments, and not the parameters or
/// arguments of a function.
fn is_of_types(outline: &Outline, list: NodeId) -> bool {
    let text = outline.text_of(list);
    matches!(text.first(), Some(b'<' | b'['))
}

/// Returns the arguments after a name.
fn arguments(outline: &Outline, name: NodeId) -> Option<NodeId> {
    let known = outline.grammar().conventions().fields.type_arguments;
    let list = part(outline, rule_around(outline, name), known)?;
    let [name, span] = [name, list].map(|id| outline.node(id).span);
    (is_of_types(outline, list) && name.end <= span.start).then_some(list)
}

/// Returns the definition of the name at a node, if it is defined there with type parameters.
fn definition(outline: &Outline, name: NodeId) -> Option<Definition> {
    let fields = &outline.grammar().conventions().fields;
    let mut at = name;
    for _ in 0..4 {
        let whole = rule_around(outline, at);
        let is_named = has_field(outline, at, fields.named);
        let list = part(outline, whole, fields.type_parameters);
        if let Some(list) = list.filter(|&list| is_of_types(outline, list)) {
            let is_its = is_named || outline.node(list).end <= at;
            return is_its.then(|| Definition {
                list,
                whole,
                elements: iterations(outline, list),
            });
        }
        if !is_named || whole == ROOT {
            return None;
        }
        at = whole;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::trace_with;
    use super::*;
    use nubbin_languages::catalogue;

    fn without(language: &str, text: &str, fails: impl Fn(&str) -> bool) -> String {
        let syntax = catalogue::named(language).unwrap().syntax().unwrap();
        let fails = |text: &[u8]| fails(std::str::from_utf8(text).unwrap());
        let lists = Lists::default();
        trace_with(&TypeParameters, &*syntax, text.as_bytes(), &lists, fails).result
    }

    #[test]
    fn nothing_is_proposed_without_fields() {
        stays_in_the_grammar(&TypeParameters);
    }

    #[test]
    fn the_only_parameter_is_removed_with_the_brackets() {
        let text = "template <typename T> struct a { T b; a<T> *c; }; a<int> d;";
        let left = without("cpp", text, |_| true);
        assert_eq!(left.trim(), "struct a { int b; a *c; }; a d;");
    }

    #[test]
    fn one_of_several_parameters_is_removed_everywhere() {
        let text = "template <typename T, int N> T f(T a) { return a + N; } int b = f<int, 3>(1);";
        let left = without("cpp", text, |text| text.contains("typename T"));
        assert_eq!(
            left,
            "template <typename T> T f(T a) { return a + 3; } int b = f<int>(1);"
        );
    }
}
