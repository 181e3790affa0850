//! The commands, parts of datatypes, and terms that a script may do without.

use super::constants::Constants;
use super::script::{Script, Step};
use super::sorts::Sorts;
use nubbin_engine::work::Steps;
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns the deletions of scopes, commands, and parts of datatypes, and the replacements of
/// terms, each within the ones around it.
///
/// Declarations follow from what uses them, and a command that is alone of its kind, as `check-sat`
/// usually is, is left to other passes: in a list, it would make each deletion of many fail. For
/// the same reason, the list is without the [minor] commands and their terms.
pub(super) fn droppable(sorts: &Sorts<'_>, script: &Script, minor: &[usize]) -> (Vec<Step>, Steps) {
    let forms = sorts.sexprs.forms();
    let mut drops: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let commands: Vec<usize> = sorts.sexprs.top().collect();
    let minor: FxHashSet<usize> = minor.iter().copied().collect();
    let several = several(sorts).into_values().flatten();
    let several = several.filter(|command| !minor.contains(command));
    drops.extend(several.map(|command| (command, vec![command])));
    for &command in &commands {
        let parts = sorts.datatype_parts(command);
        if !parts.is_empty() {
            drops.insert(command, vec![command]);
        }
        drops.extend(parts);
    }
    // A scope encloses its commands, although they are listed one after another.
    let mut ends: FxHashMap<usize, u32> = FxHashMap::default();
    for (opens, closes) in sorts.scopes() {
        ends.insert(opens, forms[closes].end);
        let place = |form: usize| commands.partition_point(|&other| other < form);
        drops.insert(opens, commands[place(opens)..=place(closes)].to_vec());
    }
    let constants = Constants::of(sorts, &sorts.terms());
    let (mut steps, mut within) = (vec![], vec![]);
    let mut around: Vec<(u32, u32)> = vec![];
    let needless = script.needless();
    let mut minor_end = 0;
    for (form, about) in forms.iter().enumerate() {
        while around.pop_if(|(_, end)| *end as usize <= form).is_some() {}
        if minor.contains(&form) {
            minor_end = about.end as usize;
        }
        if form < minor_end || needless.contains(form) {
            continue;
        }
        let step = match (drops.remove(&form), sorts.sort(form)) {
            (Some(forms), _) => Some(Step::Drop(forms, vec![])),
            (None, Some(sort)) => {
                let by = constants.get(sorts, (form, sort), 0);
                by.map(|by| Step::Drop(vec![form], by.to_vec()))
            }
            (None, None) => None,
        };
        if let Some(step) = step {
            let end = ends.get(&form).copied().unwrap_or(about.end);
            within.push(around.last().map(|&(step, _)| step));
            around.push((steps.len() as u32, end));
            steps.push(step);
        }
    }
    (steps, Steps::OuterFirst(within))
}

/// The share of the commands of several kinds that those of the minor ones have at most.
const MINOR: usize = 32;

/// Returns the commands of the kinds that together have the least of the text, in its order:
/// options, objectives, and questions in addition to many assertions.
///
/// Some of them may be the reason why the solver reaches the failure. In a list with commands of
/// another kind, half of the list would contain them, and each deletion of that half would fail.
pub(super) fn minor(sorts: &Sorts<'_>) -> Vec<usize> {
    let mut kinds: Vec<(usize, Vec<usize>)> = several(sorts)
        .into_values()
        .map(|commands| {
            let len = commands.iter().map(|&form| sorts.text(form).len()).sum();
            (len, commands)
        })
        .collect();
    kinds.sort_unstable();
    let most = kinds.iter().map(|(len, _)| len).sum::<usize>() / MINOR;
    let mut len = 0;
    let is_minor = |kind: &(usize, Vec<usize>)| {
        len += kind.0;
        len <= most
    };
    let minor = kinds.into_iter().take_while(is_minor);
    let mut minor: Vec<usize> = minor.flat_map(|(_, commands)| commands).collect();
    minor.sort_unstable();
    minor
}

/// Returns the commands that are several of their kind, by their first words. Declarations and the
/// ends of scopes are not among them.
fn several<'s>(sorts: &Sorts<'s>) -> FxHashMap<&'s [u8], Vec<usize>> {
    let mut kinds: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    for command in sorts.sexprs.top() {
        if is_droppable(sorts, command) {
            kinds.entry(sorts.head(command)).or_default().push(command);
        }
    }
    kinds.retain(|_, commands| commands.len() > 1);
    kinds
}

/// Returns whether a command is neither a declaration nor the beginning or end of a scope.
fn is_droppable(sorts: &Sorts<'_>, command: usize) -> bool {
    let head = sorts.head(command);
    let is = |name: &str| name.as_bytes() == head;
    let mut scopes = sorts.rules.scopes.iter();
    let is_scope = scopes.any(|(opens, closes)| is(opens) || is(closes));
    !is_scope && sorts.declaration(command).is_none()
}
