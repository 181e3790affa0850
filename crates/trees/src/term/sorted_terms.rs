use super::SortTables;
use super::constants::{Constants, next_least};
use super::sorts::Sorts;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Alternatives, Chain, Context, Forest, Nested, Pass, PassInfo, Proposals, Work,
};

/// Replaces each term of a script of s-expressions, such as SMT-LIB, with a constant or a smaller
/// term of its sort. The [rules](nubbin_grammar::sorts::SortRules) of the sorts must be known.
///
/// A solver rejects a script whose sorts do not fit, so most other replacements of a term never
/// reach the failure. Sorts are guessed from declarations, binders, literals, and operators; a term
/// whose sort is not known is left alone. In this order:
///
/// 1. every term becomes the least of its sort (`true`, `0`, `0.0`, `""`, `#b0`, and where there is
///    no literal the shortest constant of the script), from the outside in, heaviest first, many
///    siblings in one test, see [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). Terms that
///    their operator can do without become the literal that says so, such as `false` in an `or`;
/// 2. the same with the other literal, and with constants of the script where there is a literal;
/// 3. each term in turn, largest first, becomes one of the outermost terms of its sort within
///    it, which may be several levels down: at most [`SortedTerms::PARTS`] of them, smallest
///    first;
/// 4. numbers become 1, which is usually needed where 0 is refused.
///
/// Other texts are left alone. Opening the pass reads them as s-expressions, which usually ends at
/// the first token.
///
/// Cost: about a test per needed term and step.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021), whose substitutions are ordered
/// by mutator. Here terms are replaced from the outside in and many at a time.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, SortTables, SortedTerms, preview_with};
///
/// let script = b"(declare-const s String)(assert (< (str.len (str.++ s s)) 7))";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&SortedTerms, &facts, script, 9);
/// assert_eq!(all[0], "(declare-const s String)(assert true)");
/// assert!(all.contains(&"(declare-const s String)(assert (< 0 7))".to_string()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SortedTerms;

impl SortedTerms {
    /// The maximum number of terms within a term that are tried as its replacement.
    pub const PARTS: usize = 6;
}

impl Pass for SortedTerms {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "sorted-terms",
            "replaces an SMT-LIB term with a constant or a smaller term of its sort",
            "ddSMT (Kremer, Niemetz, Preiner 2021)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let base = file.span.start;
        let terms = sorts.terms();
        let all = Constants::of(&sorts, &terms);
        let constants = (0..all.most()).filter_map(|number| {
            let replaced = terms.iter().filter_map(|&term| {
                let by = all.get(&sorts, term, number)?;
                Some((term.0, by))
            });
            constants(&sorts, replaced, base)
        });
        let parts = Work::Machine(Box::new(Alternatives::new(parts(&sorts, &terms, base))));
        let next = next_least(&sorts, &terms);
        let next = next.iter().map(|(form, by)| (*form, by.as_slice()));
        let next = self::constants(&sorts, next, base);
        let works: Vec<Work> = constants.chain([parts]).chain(next).collect();
        Chain::work(works, context.lists).filter(|_| !terms.is_empty())
    }
}

/// Returns the replacements of terms as a forest, the outer terms before the inner ones.
fn constants<'s>(
    sorts: &Sorts<'_>,
    replaced: impl Iterator<Item = (usize, &'s [u8])>,
    base: u32,
) -> Option<Work> {
    let (spans, edits): (Vec<Span>, Vec<Edit>) = replaced
        .map(|(form, by)| {
            let span = sorts.span(form);
            (
                span,
                Edit::replace(Span::new(base + span.start, base + span.end), by),
            )
        })
        .unzip();
    // Forms come in the order of the text, so the sorted spans match the edits.
    let nested = Nested::of(spans);
    Forest::new(Proposals::new(edits), &nested.parents).walk()
}

/// For each term, largest first, the outermost terms of its sort within it.
fn parts(sorts: &Sorts<'_>, terms: &[(usize, u16)], base: u32) -> Vec<Vec<Edit>> {
    let forms = sorts.sexprs.forms();
    let lists = terms.iter().filter(|(form, _)| sorts.is_list(*form));
    let mut places: Vec<(u32, Vec<Edit>)> = lists
        .map(|&(form, sort)| {
            let whole = forms[form].span;
            let mut within: Vec<Span> = vec![];
            let mut at = form + 1;
            // The search is bounded, since a deep term of another sort may contain thousands of
            // terms.
            let end = (forms[form].end as usize).min(form + 2_000);
            while at < end && within.len() < 4 * SortedTerms::PARTS {
                if sorts.sort(at) == Some(sort) {
                    within.push(forms[at].span);
                    at = forms[at].end as usize;
                } else {
                    at += 1;
                }
            }
            within.sort_by_key(|span| (span.len(), span.start));
            let large = within.len().saturating_sub(SortedTerms::PARTS);
            let edits = within.into_iter().skip(large).map(|part| {
                Edit::delete_all([
                    Span::new(base + whole.start, base + part.start),
                    Span::new(base + part.end, base + whole.end),
                ])
            });
            (whole.len(), edits.collect())
        })
        .collect();
    places.sort_by_key(|(len, _)| std::cmp::Reverse(*len));
    places.into_iter().map(|(_, edits)| edits).collect()
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

    #[test]
    fn terms_become_constants_of_their_sorts() {
        let script = b"(declare-fun a () (Array Int Real))(declare-fun b () (Array Int Real))\
                       (assert (< (select (store a 1 2.5) (str.len \"abc\")) (+ 1.5 2.5)))";
        let left = reduce_with(&*with_sorts(SortedTerms), script, |text| {
            has(text, "(assert (< (select")
        });
        let kept = &script[..70];
        assert_eq!(left, [kept, b"(assert (< (select a 0) 0.0))"].concat());
    }

    #[test]
    fn a_term_becomes_one_of_its_sort_further_down() {
        let script = b"(assert (< (str.len (ite (not (bvult x #x00)) \"a\" \"b\")) 1))";
        let left = reduce_with(&*with_sorts(SortedTerms), script, |text| {
            has(text, "(bvult x #")
        });
        assert_eq!(left, b"(assert (bvult x #x00))");
        let script =
            b"(assert (< (str.len (ite (not (p #x00)) \"a\" \"b\")) 1))(declare-const x Int)";
        let all = proposals(&*with_sorts(SortedTerms), script);
        assert!(all.iter().any(|text| has(text, "(assert (not (p #x00)))")));
    }

    #[test]
    fn numbers_become_1_where_0_is_refused() {
        let script = b"(declare-const x Int)(assert (= (div x (+ x 7)) x))";
        let left = reduce_with(&*with_sorts(SortedTerms), script, |text| {
            has(text, "(div ") && !has(text, " 0)")
        });
        assert_eq!(left, b"(declare-const x Int)(assert (= (div 0 1) 1))");
    }

    #[test]
    fn other_texts_are_left_alone() {
        assert!(proposals(&*with_sorts(SortedTerms), b"(define (f x) (+ x 1))").is_empty());
        assert!(proposals(&*with_sorts(SortedTerms), b"int f(int a) { return (a); }").is_empty());
    }
}
