use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::{Place, in_order, together_and_alone};
use super::program::parameters::{bracketed, substitution, with_body};
use super::search::nested::outermost;
use super::search::{Across, Parts, Proposal};
use super::{Program, TreeReducer};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Removes a parameter with its arguments.
///
/// Neither can be removed alone where the text must stay valid. Functions and calls are recognized
/// by the [roles](nubbin_grammar::conventions::Fields) of the grammar's fields (parameters next to
/// or around a name, arguments next to the name of the called function), and belong together if
/// they have the same name. The first element of all their lists is removed, or the second, and so
/// on, starting with the last. A list that is shorter by one than the longest belongs to the call
/// of a method, whose first parameter comes before the dot.
///
/// The lists of all files with trees of one language belong together, such as those of a header and
/// of the files that include it; if their change fails, the lists of each file.
///
/// The argument of the first call replaces the uses of the parameter. [`Coupled`](super::Coupled)
/// does the same without fields, for names before lists of equal length, and leaves the uses.
///
/// Cost: one test per position of a parameter list.
///
/// Source: nubbin; for C, the pass remove-unused-function parameters of C-Reduce (Regehr et al.,
/// PLDI 2012).
///
/// ```
/// use nubbin_languages::catalogue;
/// use nubbin_reduce::tree_reducer::{Parameters, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let c = catalogue::named("c").ok_or("no C")?.syntax()?;
/// let text = b"int f(int a, int b) { return b; } int g() { return f(1, 2); }";
/// // There are as many arguments as parameters.
/// let fails = |text: &[u8]| {
///     let commas = text.iter().filter(|&&byte| byte == b',').count();
///     commas != 1 && text.ends_with(b"2); }")
/// };
/// let run = trace_with(&Parameters, &*c, text, &Lists::default(), fails);
/// assert_eq!(run.result, "int f( int b) { return b; } int g() { return f( 2); }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters;

impl TreeReducer for Parameters {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "parameters",
            "removes a parameter with its arguments",
            "nubbin; for C, C-Reduce (Regehr et al., PLDI 2012)",
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
    let mut steps = vec![];
    // A member and its definition may have different symbols.
    for places in together_and_alone(&trees) {
        steps.extend(positions(&trees, &names, &places));
    }
    Across::work(trees, steps)
}

/// A list of parameters or of arguments.
struct Elements {
    tree: usize,
    name: NodeId,
    list: Vec<NodeId>,
    is_defined: bool,
}

/// Returns the removal of the elements at each position of the lists of one function.
fn positions(trees: &[Arc<Outline>], names: &[Vec<NodeId>], occurrences: &[Place]) -> Vec<Parts> {
    let of_one = |&(tree, name): &Place| {
        let outline = &trees[tree];
        let (list, is_defined) = list_of(outline, name)?;
        let list = iterations(outline, list);
        Some(Elements {
            tree,
            name,
            list,
            is_defined,
        })
    };
    let lists: Vec<Elements> = occurrences.iter().filter_map(of_one).collect();
    let longest = lists.iter().map(|of| of.list.len()).max().unwrap_or(0);
    if lists.len() < 2 || !lists.iter().any(|of| of.is_defined) {
        return vec![];
    }
    let column = |at: usize| {
        let at_it = |of: &Elements| {
            let missing = longest - of.list.len();
            let at = if missing == 1 { at.checked_sub(1)? } else { at };
            of.list.get(at).copied()
        };
        let mut calls = lists.iter().filter(|of| !of.is_defined);
        let argument = calls.find_map(|of| Some(trees[of.tree].text_of(at_it(of)?)));
        let text = argument.map(|text| bracketed(text.trim_ascii()));
        let part = |tree: usize| {
            let outline = &trees[tree];
            let own = || lists.iter().filter(|of| of.tree == tree);
            let mut going: Vec<NodeId> = own().filter_map(at_it).collect();
            going.sort_unstable();
            let uses = own().filter(|of| of.is_defined).filter_map(|of| {
                let whole = with_body(outline, of.name)?;
                substitution(outline, &names[tree], whole, at_it(of)?, text.as_deref()?)
            });
            let also = uses.fold(Edit::none(), |all, edit| all.combine(&edit).unwrap_or(all));
            let proposal = Proposal {
                // Calls within the arguments of calls are removed with them.
                remove: outermost(outline, going).collect(),
                also,
                at_least: 1,
            };
            (tree, proposal)
        };
        let mut in_files: Vec<usize> = lists.iter().map(|of| of.tree).collect();
        in_files.dedup();
        let parts = in_files.into_iter().map(part);
        parts
            .filter(|(_, part)| !part.remove.is_empty())
            .collect::<Parts>()
    };
    let all = (0..longest).rev().map(column);
    all.filter(|parts| !parts.is_empty()).collect()
}

/// Returns the list after a name, and whether it is a list of parameters.
fn list_of(outline: &Outline, name: NodeId) -> Option<(NodeId, bool)> {
    let known = &outline.grammar().conventions().fields;
    let mut at = name;
    // The called name may be preceded by a path or an object.
    for _ in 0..3 {
        let around = rule_around(outline, at);
        if has_field(outline, at, known.constructed)
            && let Some(list) = part(outline, around, known.argument_list)
        {
            return Some((list, false));
        }
        if has_field(outline, at, known.named)
            && let Some(list) = part(outline, around, known.parameter_list)
        {
            return Some((list, true));
        }
        let is_last = outline.node(around).span.end == outline.node(at).span.end;
        if !is_last {
            return None;
        }
        at = around;
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
        trace_with(
            &Parameters,
            &*syntax,
            text.as_bytes(),
            &Lists::default(),
            fails,
        )
        .result
    }

    #[test]
    fn nothing_is_proposed_without_fields() {
        stays_in_the_grammar(&Parameters);
    }

    #[test]
    fn the_first_argument_of_a_method_may_stand_before_the_dot() {
        let text = "class A:\n  def f(self, a, b): pass\nA().f(1, 2)\n";
        let fails = |text: &str| text.contains("self") && text.contains('1') == text.contains(" a");
        let left = without("python", text, fails);
        assert_eq!(left, "class A:\n  def f(self): pass\nA().f()\n");
    }

    #[test]
    fn the_argument_stands_for_the_uses_of_its_parameter() {
        let text = "int f(int a, int b) { return a + b; } int g() { return f(h + 1, 2); }";
        let fails =
            |text: &str| text.contains("b)") && text.contains(", 2)") == text.contains("a, int");
        let left = without("c", text, fails);
        assert_eq!(
            left,
            "int f( int b) { return (h + 1) + b; } int g() { return f( 2); }"
        );
    }

    #[test]
    fn a_function_without_calls_keeps_its_parameters() {
        let text = "func f(a int) {}";
        assert_eq!(without("go", text, |_| true), text);
    }
}
