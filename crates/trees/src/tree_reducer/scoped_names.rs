use super::TreeReducer;
use super::program::names::{Names, sigil};
use super::program::parameters::function_of_parameter;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_view::names::{fresh_names, is_simpler};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Renames the names of one kind and one scope to a short name.
///
/// `Names` renames all occurrences of a word. Where a variable has the name
/// of a member or of a parameter elsewhere, and the member must keep it, no name is changed. Here
/// two names are the same only if they have the same symbol of the grammar or the same sigil, and
/// neither or both are those of a parameter in its function.
///
/// It tries only words that are more than one such name: for the others,
/// `Names` has tried the same.
///
/// Cost: one test for each such name.
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
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let found = outline.fact(Names::of);
        let mut names: Vec<NodeId> = found.groups.iter().flat_map(|g| g.nodes.clone()).collect();
        names.sort_unstable();
        let sigil_of = |name| sigil(outline.grammar(), name);
        let word = |id| {
            let name = outline.text_of(id);
            &name[sigil_of(name).len()..]
        };
        let mut kinds: FxHashMap<&[u8], usize> = FxHashMap::default();
        let mut all: Vec<Vec<NodeId>> = vec![];
        for group in &found.groups {
            let mut scopes: BTreeMap<Option<NodeId>, Vec<NodeId>> = BTreeMap::new();
            for &id in &group.nodes {
                let scope = function_of_parameter(outline, &names, id);
                scopes.entry(scope).or_default().push(id);
            }
            *kinds.entry(word(group.nodes[0])).or_default() += scopes.len();
            all.extend(scopes.into_values());
        }
        let taken: FxHashSet<&[u8]> = kinds.keys().copied().collect();
        let mut fresh = fresh_names(&taken);
        let steps: Vec<Edit> = all
            .iter()
            .filter(|nodes| kinds[word(nodes[0])] > 1)
            .filter_map(|nodes| {
                let name = [sigil_of(outline.text_of(nodes[0])), &fresh.next()?].concat();
                let edits = nodes.iter().map(|&id| outline.replace(id, &name));
                let splices = edits.flat_map(Edit::into_splices);
                let is_better = is_simpler(&name, outline.text_of(nodes[0]));
                is_better.then(|| Edit::new(splices).unwrap_or_default())
            })
            .collect();
        (!steps.is_empty()).then(|| OneAtATime::work(Arc::clone(outline), Renamings(steps)))
    }
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
        // `@a` was refused, and `%b` is taken.
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
