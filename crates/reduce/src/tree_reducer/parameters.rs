use super::TreeReducer;
use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::Names;
use super::search::nested::outermost;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline};
use crate::work::{Lists, Work};
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
/// Uses of the parameter in the body are not removed here; where possible, other passes have
/// removed them before. [`Coupled`](super::Coupled) does the same without fields, for names before
/// lists of equal length.
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
    fn id(&self) -> &'static str {
        "parameters"
    }

    fn about(&self) -> &'static str {
        "removes a parameter with its arguments"
    }

    fn source(&self) -> &'static str {
        "nubbin; for C, C-Reduce (Regehr et al., PLDI 2012)"
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let names = Names::of(outline);
        let mut steps = vec![];
        // The symbols of a member and of its definition may differ.
        let all = names.by_text(outline);
        steps.extend(all.iter().flat_map(|nodes| positions(outline, nodes)));
        (!steps.is_empty()).then(|| OneAtATime::work(Arc::clone(outline), Columns(steps)))
    }
}

/// Sets of parts that are removed together.
struct Columns(Vec<Vec<NodeId>>);

impl Source for Columns {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        Proposal {
            remove: self.0[at].clone(),
            at_least: 1,
            ..Proposal::default()
        }
    }
}

/// Returns the elements at each position of the lists of one function.
fn positions(outline: &Outline, occurrences: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut lists: Vec<Vec<NodeId>> = vec![];
    let (mut is_defined, mut is_called) = (false, false);
    for &name in occurrences {
        let (list, roles) = match list_of(outline, name) {
            Some((list, true)) => (list, &mut is_defined),
            Some((list, false)) => (list, &mut is_called),
            None => continue,
        };
        *roles = true;
        lists.push(iterations(outline, list));
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    if !is_defined || !is_called && lists.len() < 2 {
        return vec![];
    }
    let column = |at: usize| {
        let mut going: Vec<NodeId> = lists
            .iter()
            .filter_map(|list| {
                let missing = longest - list.len();
                let at = if missing == 1 { at.checked_sub(1)? } else { at };
                list.get(at).copied()
            })
            .collect();
        going.sort_unstable();
        // Calls within the arguments of calls are removed with them.
        outermost(outline, going).collect::<Vec<_>>()
    };
    (0..longest)
        .rev()
        .map(column)
        .filter(|column| !column.is_empty())
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
    use super::super::laws::cases::stays_in_the_grammar;
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
    fn a_function_without_calls_keeps_its_parameters() {
        let text = "func f(a int) {}";
        assert_eq!(without("go", text, |_| true), text);
    }
}
