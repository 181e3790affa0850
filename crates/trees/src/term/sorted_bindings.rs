use super::SortTables;
use super::script::{BinderForm, Needless, Script, Step};
use super::sorts::Sorts;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};
use std::sync::Arc;

/// Deletes bindings of a script of s-expressions such as SMT-LIB, and replaces what is bound, where
/// the [rules](nubbin_grammar::sorts::SortRules) of its sorts are known.
///
/// Each candidate is without the bindings that nothing uses, so that a constant in place of one
/// term deletes all terms that only it needs. In this order:
///
/// 1. declarations that nothing uses are deleted, and annotations of terms;
/// 2. the body of a chain of nested bindings becomes one of the terms that the chain binds, the
///    nearest to its begin first: the chain is cut there;
/// 3. bound terms become constants of their sorts;
/// 4. uses of a term that is one word become that word;
/// 5. variables of quantifiers become constants of their sorts.
///
/// Prefer it to passes over trees for scripts that a tool has written: these bind thousands of
/// terms, of which a candidate without one is not a script.
///
/// Cost: two tests, up to eight per chain, and the tests of a list minimizer on the bindings.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021) eliminates and substitutes one
/// binding in a test. Chains, groups, and the deletion of what is not used are nubbin's.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, SortTables, SortedBindings, preview_with};
///
/// let script = b"(declare-const b Bool)(assert (let ((x (+ 1 2))) (let ((y (< x 7))) (! (or b y) :named n))))";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&SortedBindings, &facts, script, 9);
/// assert!(all.contains(&"(declare-const b Bool)(assert (let ((x 0)) (let ((y (< x 7))) (! (or b y) :named n))))".into()));
/// assert!(all.contains(&"(declare-const b Bool)(assert (let ((y true)) (! (or b y) :named n)))".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SortedBindings;

/// The nested binders from which they are a chain.
const MIN_CHAIN: usize = 8;

/// The chains that are cut.
const MAX_CHAINS: usize = 8;

impl Pass for SortedBindings {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "sorted-bindings",
            "replaces what an SMT-LIB script binds, and deletes bindings that nothing uses",
            "ddSMT (Kremer, Niemetz, Preiner 2021); nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let script = Script::of(&sorts, file.text);
        let mut first = vec![Step::Declarations];
        first.extend(
            script
                .annotations
                .iter()
                .map(|&(form, term)| Step::Lift(form, term)),
        );
        let needless = script.needless();
        let mut lists = vec![(first, Steps::AllFirst)];
        lists.extend(
            chains(&script, &sorts)
                .into_iter()
                .map(|cuts| (cuts, Steps::FirstOf)),
        );
        lists.push((constants(&script, &sorts, &needless), Steps::Some));
        lists.push((words(&script, &sorts, &needless), Steps::AllFirst));
        lists.push((instances(&script, &sorts, &needless), Steps::Some));
        on_document(file, context, Arc::new(script), lists)
    }
}

/// Returns the cuts of each chain of nested binders.
fn chains(script: &Script, sorts: &Sorts<'_>) -> Vec<Vec<Step>> {
    let mut chains: Vec<Vec<&BinderForm>> = vec![];
    for binder in script.binders.iter().filter(|binder| binder.to_terms) {
        let is_next = |chain: &&mut Vec<&BinderForm>| {
            chain.last().is_some_and(|outer| outer.body == binder.form)
        };
        // Binders come in the order of the text: a list comes before its elements.
        match chains.last_mut().filter(is_next) {
            Some(chain) => chain.push(binder),
            None => chains.push(vec![binder]),
        }
    }
    chains.retain(|chain| chain.len() >= MIN_CHAIN);
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    chains.truncate(MAX_CHAINS);
    let cuts = |chain: Vec<&BinderForm>| {
        let body = chain.last().map(|last| last.body)?;
        let sort = sorts.sort(body)?;
        let all = chain.iter().flat_map(|binder| &binder.bindings);
        let fits = all.filter(|binding| sorts.sort(binding.value) == Some(sort));
        let names: Vec<&[u8]> = fits.map(|binding| sorts.head(binding.form)).collect();
        // The cuts are after an eighth of the chain, a quarter, a half, and all but the last terms.
        let places = [64, 16, 8, 4, 2].map(|part| names.len() / part);
        let rest = [names.len() * 3 / 4, names.len().saturating_sub(1)];
        let mut places: Vec<usize> = places.into_iter().chain(rest).collect();
        places.dedup();
        let names = places.into_iter().filter_map(|place| names.get(place));
        Some(
            names
                .map(|name| Step::Replace(body, name.to_vec()))
                .collect(),
        )
    };
    chains.into_iter().filter_map(cuts).collect()
}

/// Returns the replacements of bound terms by the least of their sorts.
fn constants(script: &Script, sorts: &Sorts<'_>, needless: &Needless) -> Vec<Step> {
    let binders = script.binders.iter().filter(|binder| binder.to_terms);
    let bindings = binders.flat_map(|binder| &binder.bindings);
    let bindings = bindings.filter(|binding| !needless.contains(binding.form));
    let steps = bindings.filter_map(|binding| {
        let least = sorts.least(sorts.sort(binding.value)?).into_iter().next()?;
        (least.len() < sorts.text(binding.value).len())
            .then_some(Step::Replace(binding.value, least))
    });
    steps.collect()
}

/// Returns the substitutions of bound terms that are one word.
fn words(script: &Script, sorts: &Sorts<'_>, needless: &Needless) -> Vec<Step> {
    let steps = script.binders.iter().enumerate().flat_map(|(at, binder)| {
        let bindings = binder.bindings.iter().enumerate();
        let bindings = bindings.filter(|(_, of)| !needless.contains(of.form));
        let words = bindings.filter(|(_, of)| binder.to_terms && !sorts.is_list(of.value));
        words.map(move |(nth, of)| Step::Substitute(at, nth, sorts.text(of.value).to_vec()))
    });
    steps.collect()
}

/// Returns the substitutions of variables of quantifiers by the least of their sorts.
fn instances(script: &Script, sorts: &Sorts<'_>, needless: &Needless) -> Vec<Step> {
    let steps = script.binders.iter().enumerate().flat_map(|(at, binder)| {
        let bindings = binder
            .bindings
            .iter()
            .enumerate()
            .filter(|(_, of)| !binder.to_terms && !needless.contains(of.form));
        bindings.filter_map(move |(nth, of)| {
            let sort = sorts.known(sorts.text(of.value))?;
            let least = sorts.least(sort).into_iter().next()?;
            Some(Step::Substitute(at, nth, least))
        })
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_sorts;
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn has(text: &[u8], part: &str) -> bool {
        text.windows(part.len())
            .any(|window| window == part.as_bytes())
    }

    fn left(script: &str, parts: &[&str]) -> String {
        let fails = |text: &[u8]| parts.iter().all(|part| has(text, part));
        let left = reduce_with(&*with_sorts(SortedBindings), script.as_bytes(), fails);
        String::from_utf8_lossy(&left).into_owned()
    }

    #[test]
    fn a_chain_is_cut_and_unused_bindings_are_deleted() {
        let mut script = String::from("(declare-const a Int)(declare-const b Int)(assert ");
        for nth in 1..=40 {
            script += &format!("(let ((x{nth} (< a {nth}))) ");
        }
        script += &format!("(and x7 x40){})", ")".repeat(40));
        assert_eq!(
            left(&script, &["(< a 6)"]),
            "(declare-const a Int)(declare-const b Int)(assert (let ((x6 (< a 6))) x6))"
        );
    }

    #[test]
    fn bound_terms_and_variables_become_constants() {
        let script = "(assert (let ((x (+ 1 2)) (y (= 3 4))) (and (= x 7) y)))";
        let constants = "(assert (let ((x 0) (y true)) (and (= x 7) y)))";
        assert_eq!(left(script, &["7"]), constants);
        assert_eq!(left(constants, &["7"]), "(assert (and (= 0 7) true))");
        let script =
            "(declare-sort T 0)(assert (forall ((x Int) (y T)) (! (= (+ x 1) 2) :pattern (x))))";
        assert_eq!(
            left(script, &["(assert"]),
            "(declare-sort T 0)(assert (= (+ 0 1) 2))"
        );
    }

    #[test]
    fn the_terms_of_other_bindings_are_kept() {
        let script = "(assert (let ((x (let ((y (or true false))) y))) (let ((z (not x))) z)))";
        let all = proposals(&*with_sorts(SortedBindings), script.as_bytes());
        assert!(
            all.iter()
                .any(|text| text == b"(assert (let ((x true)) (let ((z (not x))) z)))")
        );
        assert!(
            all.iter()
                .all(|text| has(text, "(assert ") && text.len() <= script.len())
        );
    }

    #[test]
    fn a_name_is_that_of_the_innermost_binder() {
        let script = "(assert (forall ((x Int)) (and (> x 1) (exists ((x Bool)) x))))";
        let all = proposals(&*with_sorts(SortedBindings), script.as_bytes());
        let wanted = "(assert (forall ((x Int)) (and (> 0 1) (exists ((x Bool)) x))))";
        assert!(all.iter().any(|text| text == wanted.as_bytes()));
        // A number in the position of the truth value would have another sort.
        assert!(all.iter().all(|text| !has(text, "x Bool)) 0")));
    }

    #[test]
    fn all_bindings_that_nothing_uses_go_at_once() {
        let script = "(assert (let ((a (= 1 1)) (b (= 2 2)) (c (= 3 3))) a))";
        let all = proposals(&*with_sorts(SortedBindings), script.as_bytes());
        assert_eq!(
            String::from_utf8_lossy(&all[0]),
            "(assert (let ((a (= 1 1))) a))"
        );
    }

    #[test]
    fn bindings_that_nothing_uses_have_no_steps() {
        let unused: String = (0..1000)
            .map(|nth| format!("(x{nth} (forall ((y Int)) (= y {nth})))"))
            .collect();
        let script = format!("(assert (let ({unused}) (= 1 2)))");
        let all = proposals(&*with_sorts(SortedBindings), script.as_bytes());
        assert_eq!(all, [b"(assert (= 1 2))"]);
    }

    #[test]
    fn other_texts_are_left_alone() {
        assert!(proposals(&*with_sorts(SortedBindings), b"(let ((x 1)) x)").is_empty());
    }
}
