use super::SortTables;
use super::sorts::Sorts;
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Context, Pass, PassInfo, Proposals, Work, all_or_some};
use nubbin_grammar::sorts::BoundTo;
use nubbin_view::names::{fresh_names, is_simpler};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// Renames what a script of s-expressions such as SMT-LIB declares, defines, and binds to short
/// names, where the [rules](nubbin_grammar::sorts::SortRules) of its language are known.
///
/// Names of these languages contain characters that separate words in other languages, as in
/// `b@1@@0`. The names of the language itself are left alone, so that usually all names are changed
/// in one test. Each name gets its own short name. The names that save most bytes get the shortest
/// ones.
///
/// Cost: one test, and the tests of a list minimizer on the names if that test is not adopted.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021) shortens one name in a test.
/// Fixed names, so that they can be tried together, are those of the pass `names`.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, ShortNames, SortTables, preview_with};
///
/// let script = b"(declare-sort T@U 0)(declare-fun f@1 (T@U) Bool)(assert (forall ((x@0 T@U)) (f@1 x@0)))";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&ShortNames, &facts, script, 1);
/// assert_eq!(all, ["(declare-sort a 0)(declare-fun b (a) Bool)(assert (forall ((c a)) (b c)))"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortNames;

impl Pass for ShortNames {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "short-names",
            "renames what an SMT-LIB script declares to short names",
            "ddSMT (Kremer, Niemetz, Preiner 2021); nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let places = places(&sorts);
        let mut names: Vec<(&[u8], &Vec<Span>)> =
            places.iter().map(|(&name, at)| (name, at)).collect();
        names.sort_unstable_by_key(|(name, at)| (Reverse(name.len() * at.len()), *name));
        let atoms = (0..sorts.sexprs.forms().len()).filter(|&form| !sorts.is_list(form));
        let atoms = atoms.map(|form| sorts.text(form));
        let operators = sorts.rules.connectives.iter().flat_map(|it| it.operators);
        let words = sorts.rules.no_terms.iter().chain(operators);
        let words = words.chain(sorts.rules.reserved);
        let words = words.map(|word| word.as_bytes());
        let taken: FxHashSet<&[u8]> = atoms.chain(words).collect();
        let mut fresh = fresh_names(&taken).peekable();
        let mut edits = vec![];
        for (name, at) in names {
            let Some(new) = fresh.next_if(|new| is_simpler(new, name)) else {
                continue;
            };
            let text: Arc<[u8]> = new.into();
            let splices = at.iter().map(|span| Splice {
                span: Span::new(file.span.start + span.start, file.span.start + span.end),
                text: Some(Arc::clone(&text)),
                rank: 0,
            });
            edits.extend(Edit::new(splices).ok());
        }
        (!edits.is_empty()).then(|| all_or_some(Proposals::new(edits)))
    }
}

/// Returns the places of the names that a script gives.
fn places<'a>(sorts: &Sorts<'a>) -> FxHashMap<&'a [u8], Vec<Span>> {
    let (terms, of_sorts) = given(sorts);
    let mut places: FxHashMap<&[u8], Vec<Span>> = FxHashMap::default();
    let in_sort = sort_places(sorts);
    for (form, about) in sorts.sexprs.forms().iter().enumerate() {
        if about.is_list {
            continue;
        }
        let text = sorts.text(form);
        let parent = about.parent.map(|parent| parent as usize);
        let is_head = parent.is_some_and(|parent| parent + 1 == form);
        let is_command =
            is_head && parent.is_some_and(|of| sorts.sexprs.forms()[of].parent.is_none());
        let is_name = |text: &[u8]| match in_sort.contains(&form) {
            true => of_sorts.contains(text),
            false => terms.contains(text) || of_sorts.contains(text),
        };
        if is_command {
            continue;
        }
        if is_name(text) {
            places.entry(text).or_default().push(about.span);
        } else if let Some(constructor) = text.strip_prefix(sorts.rules.tester.as_bytes())
            && terms.contains(constructor)
        {
            let start = about.span.end - constructor.len() as u32;
            let span = Span::new(start, about.span.end);
            places.entry(constructor).or_default().push(span);
        }
    }
    places
}

/// Returns the names of terms and of sorts that a script declares, defines, or binds.
fn given<'a>(sorts: &Sorts<'a>) -> (FxHashSet<&'a [u8]>, FxHashSet<&'a [u8]>) {
    let (mut terms, mut of_sorts) = (FxHashSet::default(), FxHashSet::default());
    for command in sorts.sexprs.top() {
        if let Some(declaration) = sorts.declaration(command)
            && let Some(&name) = sorts.children(command).get(1)
            && !sorts.is_list(name)
        {
            match declaration.sort {
                Some(_) => terms.insert(sorts.text(name)),
                None => of_sorts.insert(sorts.text(name)),
            };
        }
        let (datatypes, members) = sorts.datatypes(command);
        of_sorts.extend(datatypes);
        terms.extend(members);
    }
    for list in (0..sorts.sexprs.forms().len()).filter(|&form| sorts.is_list(form)) {
        if let Some(binder) = sorts.binder(list)
            && let Some(&bound) = sorts.children(list).get(binder.at)
        {
            let bound = sorts.children(bound).into_iter();
            terms.extend(bound.map(|of| sorts.head(of)).filter(|of| !of.is_empty()));
        }
    }
    (terms, of_sorts)
}

/// Returns the forms where a sort occurs.
fn sort_places(sorts: &Sorts<'_>) -> FxHashSet<usize> {
    let mut places = FxHashSet::default();
    let mut all_of = |form: usize| {
        let end = sorts.sexprs.forms()[form].end as usize;
        places.extend(form..end);
    };
    for list in (0..sorts.sexprs.forms().len()).filter(|&form| sorts.is_list(form)) {
        let children = sorts.children(list);
        if let Some(declaration) = sorts.declaration(list).filter(|_| sorts.is_top(list)) {
            let sort = declaration.sort.and_then(|at| children.get(at));
            // The parameters of a definition have names.
            let parameters = declaration.parameters.filter(|_| !declaration.has_body);
            let parameters = parameters.and_then(|at| children.get(at));
            sort.into_iter()
                .chain(parameters)
                .for_each(|&form| all_of(form));
        }
        let binder = sorts.binder(list).filter(|of| of.to == BoundTo::Sort);
        if let Some(&bound) = binder.and_then(|binder| children.get(binder.at)) {
            for binding in sorts.children(bound) {
                let parts = sorts.children(binding).into_iter();
                parts.skip(1).for_each(&mut all_of);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_sorts;
    use super::*;
    use nubbin_engine::testing::proposals;

    fn first(script: &str) -> String {
        let all = proposals(&*with_sorts(ShortNames), script.as_bytes());
        String::from_utf8(all.into_iter().next().unwrap_or_default()).unwrap()
    }

    #[test]
    fn names_of_the_language_are_left_alone() {
        assert_eq!(
            first(
                "(declare-const Int Int)(declare-fun assert () Bool)(assert (and assert (= Int 0)))"
            ),
            "(declare-const b Int)(declare-fun a () Bool)(assert (and a (= b 0)))"
        );
        assert_eq!(
            first("(declare-sort x.y 0)(define-fun f.g ((x.y x.y)) Int 1)(assert (= (f.g z.z) 1))"),
            "(declare-sort a 0)(define-fun b ((a a)) Int 1)(assert (= (b z.z) 1))"
        );
    }

    #[test]
    fn parameters_of_datatypes_are_renamed_and_their_word_is_not() {
        assert_eq!(
            first(
                "(declare-datatypes ((Pa 1)) ((par (Xx) ((mk (fst Xx) (snd (Pa Xx)))))))(declare-const pp (Pa Int))(assert (= 0 (fst pp)))"
            ),
            "(declare-datatypes ((a 1)) ((par (b) ((f (c b) (e (a b)))))))(declare-const d (a Int))(assert (= 0 (c d)))"
        );
    }

    #[test]
    fn no_name_is_a_word_of_the_language_or_of_a_solver() {
        let names: Vec<String> = (0..600).map(|nth| format!("x.{nth}")).collect();
        let constants = names
            .iter()
            .map(|name| format!("(declare-const {name} Int)"));
        let new = first(&constants.collect::<String>());
        assert!(new.contains("(declare-const ig Int)") && !new.contains("(declare-const if Int)"));
    }

    #[test]
    fn testers_are_named_after_their_constructors() {
        assert_eq!(
            first(
                "(declare-datatypes () ((T$1 (c$0) (c$1 (s$1 T$1)))))(declare-const vv T$1)(assert (and (is-c$1 vv) (= (s$1 vv) c$0)))"
            ),
            "(declare-datatypes () ((a (b) (c (d a)))))(declare-const e a)(assert (and (is-c e) (= (d e) b)))"
        );
    }

    #[test]
    fn a_script_with_short_names_has_no_proposals() {
        let script = "(declare-const a Int)(assert (= a 0))";
        assert!(proposals(&*with_sorts(ShortNames), script.as_bytes()).is_empty());
    }
}
