use super::TreeReducer;
use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::Names;
use super::program::parameters::substitution;
use super::search::nested::outermost;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_edit::{Edit, Span};
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Removes a type parameter with its arguments, and puts an argument in the place of its uses:
/// `template <typename T> struct a { T b; }; a<int> c;` becomes `struct a { int b; }; a c;`.
///
/// The only parameter is removed with the brackets, and with what stands before them if the name
/// comes after them. Lists of parameters and of arguments are recognized by the
/// [roles](nubbin_grammar::conventions::Fields) of the grammar's fields, as in
/// [`Parameters`](super::Parameters), which does the same for the parameters of functions. The
/// argument is that of the first use outside of the definition.
///
/// Cost: one test for each position of a list.
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
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let by_text = outline.fact(Names::of).by_text(outline);
        let mut names: Vec<NodeId> = by_text.iter().flatten().copied().collect();
        names.sort_unstable();
        let each = by_text.iter();
        let steps: Vec<Proposal> = each
            .flat_map(|nodes| steps(outline, &names, nodes))
            .collect();
        (!steps.is_empty()).then(|| OneAtATime::work(Arc::clone(outline), Steps(steps)))
    }
}

struct Steps(Vec<Proposal>);

impl Source for Steps {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        self.0[at].clone()
    }
}

/// A list of parameters, and the rule that has it.
struct Definition {
    list: NodeId,
    whole: NodeId,
    elements: Vec<NodeId>,
}

fn steps(outline: &Outline, names: &[NodeId], occurrences: &[NodeId]) -> Vec<Proposal> {
    let definitions: Vec<Definition> = occurrences
        .iter()
        .filter_map(|&id| definition(outline, id))
        .collect();
    let Some(longest) = definitions.iter().map(|one| one.elements.len()).max() else {
        return vec![];
    };
    let uses: Vec<NodeId> = occurrences
        .iter()
        .filter_map(|&id| arguments(outline, id))
        .collect();
    let is_outside = |id: NodeId| !definitions.iter().any(|one| outline.covers(one.whole, id));
    let first = uses.iter().copied().find(|&list| is_outside(list));
    let step = |at: usize| {
        let argument = first.and_then(|list| iterations(outline, list).get(at).copied());
        let text = argument.map(|id| outline.text_of(id).trim_ascii());
        let substituted = definitions.iter().filter_map(|one| {
            substitution(outline, names, one.whole, *one.elements.get(at)?, text?)
        });
        let mut also =
            substituted.fold(Edit::none(), |all, edit| all.combine(&edit).unwrap_or(all));
        let mut remove = vec![];
        if longest == 1 {
            let headers = definitions.iter().map(|one| {
                let (whole, list) = (outline.node(one.whole).span, outline.node(one.list).span);
                match is_before(outline, one) {
                    true => Span::new(whole.start, list.end),
                    false => list,
                }
            });
            let lists = uses.iter().map(|&list| outline.node(list).span);
            for span in headers.chain(lists) {
                also = also.combine(&Edit::delete(span)).unwrap_or(also);
            }
        } else {
            remove.extend(
                definitions
                    .iter()
                    .filter_map(|one| one.elements.get(at).copied()),
            );
            let of_list = |&list: &NodeId| iterations(outline, list).get(at).copied();
            remove.extend(uses.iter().filter_map(of_list));
            remove.sort_unstable();
            remove = outermost(outline, remove).collect();
        }
        Proposal {
            at_least: remove.len().min(1),
            remove,
            also,
        }
    };
    (0..longest).rev().map(step).collect()
}

/// Whether the list stands before the name that it belongs to, at the beginning of its rule.
fn is_before(outline: &Outline, one: &Definition) -> bool {
    let known = outline.grammar().conventions().fields.named;
    let mut before = outline.children(one.whole).take_while(|&id| id < one.list);
    !before.any(|id| has_field(outline, id, known))
}

/// Whether a list has type parameters or arguments, and not those of a function.
fn is_of_types(outline: &Outline, list: NodeId) -> bool {
    let text = outline.text_of(list);
    matches!(text.first(), Some(b'<' | b'['))
}

/// Returns the arguments behind a name.
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
