use super::rows::by_ids;
use crate::pass::by_id;
use nubbin_edit::Input;
use nubbin_engine::plan::Plan;
use nubbin_trees::term::SortTables;

/// Passes of the first tier that find little in a script of terms before the terms are smaller:
/// most of their candidates are no terms. `notes/smt.md` has the figures.
const WITHOUT_TERMS: [&str; 4] = ["indented-blocks", "elements", "depth-1", "depth-2"];

/// Passes over terms and commands, which are the first passes on a script in the tiers `opening`
/// and `coarse`. The removal of a command includes the text that only this command needs, and the
/// removal of a binding removes many other bindings.
const TERMS: [&str; 5] = [
    "script-commands",
    "sorted-bindings",
    "sorted-terms",
    "folded-terms",
    "sorted-names",
];

/// Passes before those over terms: they look at whole files, or at comments.
const BEFORE_TERMS: [&str; 3] = ["files", "empty-files", "comments"];

/// The pass that probes the nesting of most texts. In a script, `sorted-bindings` removes deeply
/// nested parts instead, and its candidates are scripts.
const NESTING: &str = "deep-nesting";

/// The pass that renames the names that a script declares, which is the first pass of the polish.
const NAMES: &str = "short-names";

/// Adds rules for the sorts of terms to a plan. If the largest file is a script in a language of
/// terms, a default plan then begins with passes over terms.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::{auto, input::Input, pass::SortTables};
///
/// let input = Input::single("x.smt2", "(assert true)(check-sat)").unwrap();
/// let plan = auto::with_sorts(auto::plan(&input), &input, SortTables(SORTS));
/// assert!(plan.tiers[1].passes.iter().any(|pass| pass.id() == "sorted-bindings"));
/// ```
pub fn with_sorts(mut plan: Plan, input: &Input, tables: SortTables) -> Plan {
    let largest = input.present().max_by_key(|file| file.text.len());
    if largest.is_some_and(|file| tables.is_script(file.text)) {
        begin_with_terms(&mut plan);
    }
    plan.with_fact(tables)
}

/// Puts passes over terms before all others that look into a file, in the first tier and in the one
/// that follows.
fn begin_with_terms(plan: &mut Plan) {
    for tier in &mut plan.tiers {
        if tier.name == "probes" {
            tier.passes.retain(|pass| pass.id() != NESTING);
        }
        if tier.name == "polish" {
            tier.passes.splice(0..0, by_id(NAMES));
        }
        let is_first = tier.name == "opening";
        if !is_first && tier.name != "coarse" {
            continue;
        }
        tier.passes.retain(|pass| {
            let is_late = is_first && WITHOUT_TERMS.contains(&pass.id());
            !is_late && !TERMS.contains(&pass.id())
        });
        let is_before = |id: &str| BEFORE_TERMS.contains(&id);
        let mut passes = tier.passes.iter();
        let at = passes
            .rposition(|pass| is_before(pass.id()))
            .map_or(0, |at| at + 1);
        tier.passes.splice(at..at, by_ids(&TERMS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scripts_begin_with_terms() {
        let begins = |text: &str| {
            let input = Input::single("x", text).unwrap();
            let tables = SortTables(nubbin_languages::hints::SORTS);
            let plan = with_sorts(super::super::plan(&input), &input, tables);
            let mut opening = plan.tiers.iter().filter(|tier| tier.name == "opening");
            opening.any(|tier| tier.passes.iter().any(|pass| pass.id() == "sorted-terms"))
        };
        assert!(begins("(declare-fun x () Int)(assert (> x 1))(check-sat)"));
        assert!(!begins("(17+72+(97/8)+((60-83)+(12/62)))"));
        assert!(!begins("(define (f x) (+ x 1))(display (f 2))"));
        assert!(!begins("(module (func (result i32) i32.const 1))"));
    }
}
