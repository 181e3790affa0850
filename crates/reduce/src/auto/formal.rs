use crate::pass::by_id;
use nubbin_edit::Input;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::{OpenedBy, Pass, Scope};
use nubbin_tallies::{is_formal, is_written};
use std::sync::Arc;

/// The passes over formulas and circuits, those that save most in a test first.
const PASSES: &[&str] = &[
    "cnf-units",
    "cnf-variables",
    "cnf-clauses",
    "cnf-literals",
    "aig-gates",
    "aig-inputs",
    "btor-nodes",
];

/// Puts passes over formulas and circuits before all others, if a file is one. A circuit that is
/// written as they write it is left to them.
pub(super) fn begin_with_formulas(mut plan: Plan, input: &Input) -> Plan {
    if !input.present().any(|file| is_formal(file.text)) {
        return plan;
    }
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        *pass = on_others(Arc::clone(pass));
    }
    let tier = Tier {
        name: "formula",
        passes: PASSES.iter().filter_map(|id| by_id(id)).collect(),
        repeat: Repeat::Fixpoint,
    };
    let probes = plan.tiers.iter().position(|tier| tier.name == "probes");
    plan.tiers.insert(probes.map_or(0, |at| at + 1), tier);
    plan
}

/// Returns a pass that is opened on files that passes over circuits do not reduce.
fn on_others(pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
    OpenedBy::wrap(pass, |pass, files, context| {
        let is_input = pass.info().scope == Scope::Input;
        let others = files
            .iter()
            .filter(|file| is_input || !is_written(file, context));
        let others: Vec<_> = others.copied().collect();
        match others.as_slice() {
            [] => None,
            [file] => pass.open(file, context),
            files => pass.open_all(files, context),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_formulas_and_circuits_have_passes_over_them() {
        assert!(PASSES.iter().all(|id| by_id(id).is_some()));
        let has = |text: &str| {
            let input = Input::single("x", text).unwrap();
            super::super::plan(&input)
                .passes()
                .any(|pass| PASSES.contains(&pass.id()))
        };
        assert!(has("c x\np cnf 1 1\n1 0\n") && has("aag 0 0 0 1 0\n0\n"));
        assert!(has("; a\n1 sort bitvec 8\n2 input 1\n3 output 2\n") && !has("1 sort of thing\n"));
        assert!(!has("p cnt 1 1\n") && !has(""));
    }
}
