use super::program::names::{Names, Place, by_text_across, in_order, is_any_word, sigil};
use super::program::parameters::function_of_parameter;
use super::search::{OneAtATime, Proposal, Source};
use super::{Program, TreeReducer};
use crate::tree::Outline;
use nubbin_edit::Edit;
use nubbin_engine::work::{Chain, Lists, PassInfo, Proposals, Work, all_or_some};
use nubbin_grammar::grammar::SymbolId;
use nubbin_view::names::{fresh_names, is_simpler};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Renames the names of one kind and one scope to a short name.
///
/// `Names` renames all occurrences of a word. Where a variable has the name of a member or of a
/// parameter elsewhere, and the member must keep it, no name is changed. In this pass, two names
/// are the same only if they have the same symbol of the grammar or the same sigil, and neither or
/// both belong to a parameter in its function.
///
/// In several files of one language, a name that is not a parameter's is renamed in all of them. A
/// word that several files have is first renamed everywhere, whatever kind of name it is, and all
/// such words in one list.
///
/// Of the words of one file, it tries only those that are more than one such name: for the others,
/// `Names` has tried the same.
///
/// Cost: one test per such name; for the words of several files, one if all of them can be renamed,
/// and about two for each that cannot.
///
/// Source: nubbin; for C, the pass rename-var of C-Reduce (Regehr et al., PLDI 2012).
///
/// ```
/// use nubbin_languages::catalogue;
/// use nubbin_reduce::tree_reducer::{ScopedNames, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let syntax = catalogue::named("javascript").ok_or("no JavaScript")?.syntax()?;
/// let text = b"var map = []; map.map(map);";
/// let fails = |text: &[u8]| text.windows(5).any(|five| five == b".map(");
/// let run = trace_with(&ScopedNames, &*syntax, text, &Lists::default(), fails);
/// assert_eq!(run.result, "var a = []; a.map(a);");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ScopedNames;

impl TreeReducer for ScopedNames {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "scoped-names",
            "renames the names of one kind and scope to short ones",
            "nubbin; for C, C-Reduce (Regehr et al., PLDI 2012)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        over(vec![Arc::clone(outline)], lists)
    }

    fn open_all(&self, program: &Program<'_>, lists: &Lists) -> Option<Work> {
        // Names of different languages are never the same name.
        let mut languages: Vec<Vec<Arc<Outline>>> = vec![];
        for (_, tree) in program.trees {
            let is_alike =
                |of: &&mut Vec<Arc<Outline>>| Arc::ptr_eq(of[0].grammar(), tree.grammar());
            match languages.iter_mut().find(is_alike) {
                Some(language) => language.push(Arc::clone(tree)),
                None => languages.push(vec![Arc::clone(tree)]),
            }
        }
        let works = languages.into_iter();
        Work::joined(works.filter_map(|trees| over(trees, lists)), lists)
    }
}

/// Returns the work on files of one language.
fn over(trees: Vec<Arc<Outline>>, lists: &Lists) -> Option<Work> {
    let names = in_order(&trees);
    let text = |&(tree, id): &Place| trees[tree].text_of(id);
    let sigil_of = |place: &Place| sigil(trees[place.0].grammar(), text(place));
    let word = |place: &Place| &text(place)[sigil_of(place).len()..];
    let mut kinds: FxHashMap<&[u8], usize> = FxHashMap::default();
    // A group has the names of one symbol or sigil in all files, or the names of one parameter in
    // its function.
    type Kind<'t> = (Option<SymbolId>, &'t [u8], Option<Place>);
    let mut groups: BTreeMap<Kind<'_>, Vec<Place>> = BTreeMap::new();
    for (tree, outline) in trees.iter().enumerate() {
        let free = outline.fact(Names::of);
        let free = free.groups.iter();
        for group in free.filter(|group| is_any_word(outline.grammar(), group.symbol)) {
            for &id in &group.nodes {
                let place = (tree, id);
                let symbol = sigil_of(&place).is_empty().then_some(group.symbol);
                let scope = function_of_parameter(outline, &names[tree], id);
                let scope = scope.map(|function| (tree, function));
                let key = (symbol, text(&place), scope);
                groups.entry(key).or_default().push(place);
            }
        }
    }
    let mut all: Vec<Vec<Place>> = groups.into_values().collect();
    all.sort_unstable();
    for places in &all {
        *kinds.entry(word(&places[0])).or_default() += 1;
    }
    let is_in_several = |places: &[Place]| places.iter().any(|place| place.0 != places[0].0);
    let taken: FxHashSet<&[u8]> = kinds.keys().copied().collect();
    let mut fresh = fresh_names(&taken);
    // `Names` covers only one file at a time.
    let everywhere = by_text_across(&trees);
    let is_free = |&(tree, id): &Place| {
        let outline = &trees[tree];
        is_any_word(outline.grammar(), outline.node(id).symbol)
    };
    let everywhere = everywhere.iter().filter(|places| is_in_several(places));
    let everywhere = everywhere.filter(|places| places.iter().all(is_free));
    let of_one_kind = all.iter().filter(|places| kinds[word(&places[0])] > 1);
    let mut renamed = |places: &Vec<Place>| {
        let name = [sigil_of(&places[0]), &fresh.next()?].concat();
        let edits = places
            .iter()
            .map(|&(tree, id)| trees[tree].replace(id, &name));
        let splices = edits.flat_map(Edit::into_splices);
        let is_better = is_simpler(&name, text(&places[0]));
        is_better.then(|| Edit::new(splices).unwrap_or_default())
    };
    let everywhere: Vec<Edit> = everywhere.filter_map(&mut renamed).collect();
    let of_one_kind: Vec<Edit> = of_one_kind.filter_map(&mut renamed).collect();
    let one_by_one = (!of_one_kind.is_empty())
        .then(|| OneAtATime::work(Arc::clone(&trees[0]), Renamings(of_one_kind)));
    let in_one_list = all_or_some(Proposals::new(everywhere));
    Chain::work([in_one_list].into_iter().chain(one_by_one), lists)
}

struct Renamings(Vec<Edit>);

impl Source for Renamings {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        Proposal {
            also: self.0[at].clone(),
            ..Proposal::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::trace_with;
    use super::*;
    use nubbin_languages::catalogue;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&ScopedNames);
    }

    #[test]
    fn a_name_keeps_its_sigil() {
        let syntax = catalogue::named("llvm").unwrap().syntax().unwrap();
        let text = "define i32 @long(i32 %long) { %b = add i32 %long, 1 ret i32 %b }\n";
        let kept = |text: &[u8]| text.starts_with(b"define i32 @long(");
        let lists = Lists::default();
        let run = trace_with(&ScopedNames, &*syntax, text.as_bytes(), &lists, kept);
        // The name `@a` was rejected, and `%b` is already used.
        assert_eq!(run.result, text.replace("%long", "%c"));
    }

    #[test]
    fn a_parameter_is_renamed_in_its_function_only() {
        let syntax = catalogue::named("javascript").unwrap().syntax().unwrap();
        let text = "function long(long) { long(long.long); } long(1);";
        let run = trace_with(
            &ScopedNames,
            &*syntax,
            text.as_bytes(),
            &Lists::default(),
            |text| text.starts_with(b"function long(") && text.windows(5).any(|w| w == b".long"),
        );
        assert_eq!(run.result, "function long(b) { b(b.long); } long(1);");
    }
}
