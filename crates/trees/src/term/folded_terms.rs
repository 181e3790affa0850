use super::SortTables;
use super::script::{Script, Step};
use super::sorts::Sorts;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Computes terms of a script of s-expressions such as SMT-LIB as far as literals decide about
/// them, where the [rules](nubbin_grammar::sorts::SortRules) of its language are known.
///
/// `(and true x true)` becomes `x`, `(=> x true)` becomes `true`, and `(ite true x y)` becomes `x`.
/// In a second list, terms lose operators: `(= x false)` becomes `(not x)`, and `(not (=> x y
/// false))` becomes `(and x y)`. [`SortedTerms`](super::SortedTerms) leaves many literals behind,
/// each of which another pass would delete in a test of its own. Computed terms mean the same as
/// before, so usually all of them are adopted in one test. Run it after passes that put literals
/// into a script.
///
/// Cost: two tests, and the tests of a list minimizer if one of the two does not fail.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021) has such rules, each as a mutator
/// that is tried on its own. Here all of them are one list.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, FoldedTerms, SortTables, preview_with};
///
/// let script = b"(declare-const x Bool)(assert (=> true (and true (or x false))))";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&FoldedTerms, &facts, script, 1);
/// assert_eq!(all, ["(declare-const x Bool)(assert x)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FoldedTerms;

impl Pass for FoldedTerms {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "folded-terms",
            "computes SMT-LIB terms as far as literals decide about them",
            "ddSMT (Kremer, Niemetz, Preiner 2021)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let script = Arc::new(Script::of(&sorts, file.text));
        let lists = vec![
            (folds(&sorts), Steps::AllFirst),
            (rewritten(&sorts), Steps::AllFirst),
        ];
        on_document(file, context, script, lists)
    }
}

/// Returns the steps of terms that become others of the same meaning with fewer literals and
/// operators.
fn rewritten(sorts: &Sorts<'_>) -> Vec<Step> {
    let lists = (0..sorts.sexprs.forms().len()).filter(|&form| sorts.is_list(form));
    let steps = lists.filter_map(|form| {
        let term = shorter(sorts, form)?;
        (term.len() < sorts.text(form).len()).then_some(Step::Replace(form, term))
    });
    steps.collect()
}

/// Returns the text of a shorter term with the meaning of a list.
fn shorter(sorts: &Sorts<'_>, form: usize) -> Option<Vec<u8>> {
    let rules = sorts.rules;
    let (negation, yes, no) = rules.negation;
    let is = |form: usize, literal: &str| sorts.text(form) == literal.as_bytes();
    let is_condition = |form: usize| {
        let sort = sorts.sort(form);
        sort.is_some() && sort == sorts.known(rules.truth.as_bytes())
    };
    let list = |head: &str, parts: &[usize]| {
        let parts = parts.iter().map(|&part| sorts.text(part));
        let all: Vec<&[u8]> = std::iter::once(head.as_bytes()).chain(parts).collect();
        [b"(", all.join(&b' ').as_slice(), b")"].concat()
    };
    let children = sorts.children(form);
    let (&head, arguments) = children.split_first()?;
    let is_head = |operator: &str| is(head, operator);
    if is_head(negation) {
        let &[inner] = arguments else { return None };
        let within = sorts.children(inner);
        let (&operator, within) = within.split_first()?;
        if is(operator, negation) && within.len() == 1 {
            return Some(sorts.text(within[0]).to_vec());
        }
        if is(operator, rules.implication)
            && let Some((&conclusion, premises)) = within.split_last()
            && is(conclusion, no)
        {
            return Some(match premises {
                &[premise] => sorts.text(premise).to_vec(),
                premises => list(rules.conjunction, premises),
            });
        }
        return None;
    }
    match *arguments {
        [premise, conclusion] if is_head(rules.implication) && is(conclusion, no) => {
            Some(list(negation, &[premise]))
        }
        [one, other] if is_head(rules.equality) => {
            let (literal, term) = match is(one, yes) || is(one, no) {
                true => (one, other),
                false => (other, one),
            };
            match is_condition(term) {
                true if is(literal, yes) => Some(sorts.text(term).to_vec()),
                true if is(literal, no) => Some(list(negation, &[term])),
                _ => None,
            }
        }
        [condition, then, otherwise] if is_head(rules.conditional) => {
            if sorts.text(then) == sorts.text(otherwise) {
                Some(sorts.text(then).to_vec())
            } else if is(then, yes) && is(otherwise, no) {
                Some(sorts.text(condition).to_vec())
            } else if is(then, no) && is(otherwise, yes) {
                Some(list(negation, &[condition]))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Literal(&'static str),
    /// A term within it, or the term itself.
    Form(usize),
}

/// Returns the steps of all terms that are computed, innermost first.
fn folds(sorts: &Sorts<'_>) -> Vec<Step> {
    let mut values: FxHashMap<usize, Value> = FxHashMap::default();
    let mut steps = vec![];
    // A list comes before its elements.
    for form in (0..sorts.sexprs.forms().len()).rev() {
        if !sorts.is_list(form) {
            continue;
        }
        let children = sorts.children(form);
        let Some((_, arguments)) = children.split_first() else {
            continue;
        };
        let of = |form: usize| values.get(&form).copied().unwrap_or(Value::Form(form));
        let (value, dropped) = folded(sorts, form, arguments, &of);
        match value {
            Value::Literal(literal) => {
                steps.push(Step::Replace(form, literal.as_bytes().to_vec()));
            }
            Value::Form(inner) if inner != form => steps.push(Step::Lift(form, inner)),
            Value::Form(_) => {
                steps.extend(dropped.into_iter().map(|form| Step::Replace(form, vec![])));
                continue;
            }
        }
        values.insert(form, value);
    }
    steps
}

/// Returns the value of a list, and the arguments that it can do without.
fn folded(
    sorts: &Sorts<'_>,
    form: usize,
    arguments: &[usize],
    of: &impl Fn(usize) -> Value,
) -> (Value, Vec<usize>) {
    let rules = sorts.rules;
    let (negation, yes, no) = rules.negation;
    let head = sorts.head(form);
    let is = |argument: usize, literal: &str| match of(argument) {
        Value::Literal(value) => value == literal,
        Value::Form(form) => !sorts.is_list(form) && sorts.text(form) == literal.as_bytes(),
    };
    let itself = Value::Form(form);
    if head == negation.as_bytes() {
        let value = match *arguments {
            [argument] if is(argument, yes) => Value::Literal(no),
            [argument] if is(argument, no) => Value::Literal(yes),
            _ => itself,
        };
        return (value, vec![]);
    }
    if head == rules.conditional.as_bytes() {
        let value = match *arguments {
            [condition, then, _] if is(condition, yes) => of(then),
            [condition, _, otherwise] if is(condition, no) => of(otherwise),
            _ => itself,
        };
        return (value, vec![]);
    }
    if head == rules.implication.as_bytes()
        && let Some((&conclusion, premises)) = arguments.split_last()
    {
        if is(conclusion, yes) || premises.iter().any(|&premise| is(premise, no)) {
            return (Value::Literal(yes), vec![]);
        }
        let needless: Vec<usize> = premises.iter().copied().filter(|&it| is(it, yes)).collect();
        let is_alone = needless.len() == premises.len();
        return (if is_alone { of(conclusion) } else { itself }, needless);
    }
    let Some(connective) = sorts.connective(head) else {
        return (itself, vec![]);
    };
    let literal = |argument: usize, words: &'static [&'static str]| {
        words.iter().copied().find(|word| is(argument, word))
    };
    if let Some(value) = arguments
        .iter()
        .find_map(|&it| literal(it, connective.absorbing))
    {
        return (Value::Literal(value), vec![]);
    }
    let is_needless = |&it: &usize| literal(it, connective.neutral).is_some();
    let (needless, needed): (Vec<usize>, Vec<usize>) =
        arguments.iter().copied().partition(is_needless);
    match (needed.as_slice(), needless.first()) {
        ([], Some(&first)) => {
            let value = literal(first, connective.neutral).map_or(itself, Value::Literal);
            (value, vec![])
        }
        (&[argument], _) => (of(argument), vec![]),
        _ => (itself, needless),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_sorts;
    use super::*;
    use nubbin_engine::testing::proposals;

    fn first(script: &str) -> String {
        let all = proposals(&*with_sorts(FoldedTerms), script.as_bytes());
        let first = all.first().cloned().unwrap_or_else(|| script.into());
        String::from_utf8(first).unwrap()
    }

    #[test]
    fn terms_of_literals_are_computed_from_the_inside_out() {
        for (term, value) in [
            ("(and x true (or false y false))", "(and x  y)"),
            ("(or x (not false))", "true"),
            ("(=> true x)", "x"),
            ("(=> true x y)", "(=>  x y)"),
            ("(=> x (=> y true))", "true"),
            ("(ite (not true) x (and y))", "y"),
            ("(and true (and))", "(and)"),
            ("(< (+ 0 z) (* 1 2 (+ 0 0)))", "(< z 0)"),
        ] {
            let script = |term: &str| format!("(assert {term})");
            assert_eq!(first(&script(term)), script(value), "{term}");
        }
    }

    #[test]
    fn terms_lose_operators() {
        for (term, value) in [
            ("(= (p x) false)", "(not (p x))"),
            ("(= true (not (p x)))", "(not (p x))"),
            ("(not (not x))", "x"),
            ("(not (=> x y false))", "(and x y)"),
            ("(not (=> x false))", "x"),
            ("(=> x false)", "(not x)"),
            ("(ite x false true)", "(not x)"),
            ("(ite x y y)", "y"),
        ] {
            let script = |term: &str| format!("(declare-fun p (Bool) Bool)(assert {term})");
            let text = script(term);
            let sorts = Sorts::of(text.as_bytes(), nubbin_languages::hints::SORTS).unwrap();
            let steps = rewritten(&sorts);
            let outer = steps.first();
            let by = match outer {
                Some(Step::Replace(_, by)) => String::from_utf8(by.clone()).unwrap(),
                _ => String::new(),
            };
            assert_eq!(by, value, "{term}");
        }
    }

    #[test]
    fn a_script_without_literals_has_no_proposals() {
        let script = "(assert (and x y (=> x y)))";
        assert!(proposals(&*with_sorts(FoldedTerms), script.as_bytes()).is_empty());
    }
}
