use super::TreeReducer;
use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::Names;
use super::program::parameters::{bracketed, substitution, with_body};
use super::search::nested::outermost;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Removes a parameter with its arguments.
///
/// Neither can be removed alone where the text must stay valid. Functions and calls are recognized
/// by the [roles](nubbin_grammar::conventions::Fields) of the grammar's fields (parameters beside
/// or around a name, arguments beside the name of the called function), and belong together if they
/// have the same name. The first element of all their lists is removed, or the second, and so on,
/// the last ones first. A list that is shorter by one than the longest belongs to the call of a
/// method, whose first parameter stands before the dot.
///
/// The argument of the first call stands in the place of the uses of the parameter.
/// [`Coupled`](super::Coupled) does the same without fields, for names before lists of equal
/// length, and leaves the uses.
///
/// Cost: one test for each position of a parameter list.
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
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        // The symbols of a member and of its definition may differ.
        let by_text = outline.fact(Names::of).by_text(outline);
        let mut names: Vec<NodeId> = by_text.iter().flatten().copied().collect();
        names.sort_unstable();
        let each = by_text.iter();
        let steps: Vec<Column> = each
            .flat_map(|nodes| positions(outline, &names, nodes))
            .collect();
        (!steps.is_empty()).then(|| OneAtATime::work(Arc::clone(outline), Columns(steps)))
    }
}

struct Columns(Vec<Column>);

/// A parameter with its arguments.
struct Column {
    remove: Vec<NodeId>,
    /// The argument in the place of the uses of the parameter.
    uses: Edit,
}

impl Source for Columns {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        Proposal {
            remove: self.0[at].remove.clone(),
            also: self.0[at].uses.clone(),
            at_least: 1,
        }
    }
}

/// Returns the elements at each position of the lists of one function.
fn positions(outline: &Outline, names: &[NodeId], occurrences: &[NodeId]) -> Vec<Column> {
    let of_one = |&name: &NodeId| {
        let (list, is_defined) = list_of(outline, name)?;
        Some((name, iterations(outline, list), is_defined))
    };
    let lists: Vec<(NodeId, Vec<NodeId>, bool)> = occurrences.iter().filter_map(of_one).collect();
    let longest = lists
        .iter()
        .map(|(_, list, _)| list.len())
        .max()
        .unwrap_or(0);
    let defined = lists
        .iter()
        .filter(|(_, _, is_defined)| *is_defined)
        .count();
    if defined == 0 || lists.len() < 2 {
        return vec![];
    }
    let column = |at: usize| {
        let at_it = |list: &[NodeId]| {
            let missing = longest - list.len();
            let at = if missing == 1 { at.checked_sub(1)? } else { at };
            list.get(at).copied()
        };
        let mut going: Vec<NodeId> = lists
            .iter()
            .filter_map(|(_, list, _)| at_it(list))
            .collect();
        going.sort_unstable();
        let calls = lists.iter().filter(|(_, _, is_defined)| !is_defined);
        let argument = calls.clone().find_map(|(_, list, _)| at_it(list));
        let text = argument.map(|id| bracketed(outline.text_of(id).trim_ascii()));
        let definitions = lists.iter().filter(|(_, _, is_defined)| *is_defined);
        let uses = definitions.filter_map(|(name, list, _)| {
            let whole = with_body(outline, *name)?;
            substitution(outline, names, whole, at_it(list)?, text.as_deref()?)
        });
        Column {
            // Calls within the arguments of calls are removed with them.
            remove: outermost(outline, going).collect(),
            uses: uses.fold(Edit::none(), |all, edit| all.combine(&edit).unwrap_or(all)),
        }
    };
    (0..longest)
        .rev()
        .map(column)
        .filter(|column| !column.remove.is_empty())
        .collect()
}

/// Returns the list after a name, and whether it is a list of parameters.
fn list_of(outline: &Outline, name: NodeId) -> Option<(NodeId, bool)> {
    let known = &outline.grammar().conventions().fields;
    let mut at = name;
    // The called name may have a path or an object before it.
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
