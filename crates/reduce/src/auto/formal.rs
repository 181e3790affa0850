use crate::pass::by_id;
use nubbin_edit::Input;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::{OpenedBy, Pass, Scope};
use nubbin_tallies::{is_formal, is_written};
use std::sync::Arc;

/// The passes that begin with formulas, in turns: those that save most in a test first.
const FORMULAS: &[&str] = &["cnf-units", "cnf-halves", "cnf-variables", "cnf-clauses"];

/// The passes with which the plan for circuits begins. Many of their changes result in the same
/// circuit, so turns of a few proposals would end before a test is run.
const CIRCUITS: &[&str] = &[
    "circuit-cuts",
    "aig-outputs",
    "aig-gates",
    "aig-inputs",
    "btor-nodes",
];

/// The pass over formulas that saves least.
const LATE: &[&str] = &["cnf-literals"];

/// Puts passes over formulas and circuits before all other passes, if a file is a formula or a
/// circuit. A circuit in the form that these passes write is reduced only by them, and the numbers
/// in its header are not guessed to be counts.
pub(super) fn begin_with_formulas(mut plan: Plan, input: &Input) -> Plan {
    if !input.present().any(|file| is_formal(file.text)) {
        return plan;
    }
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        *pass = on_others(Arc::clone(pass));
    }
    let tier = |name, passes: &[&str], repeat| Tier {
        name,
        passes: passes.iter().filter_map(|id| by_id(id)).collect(),
        repeat,
    };
    let probes = plan.tiers.iter().position(|tier| tier.name == "probes");
    let at = probes.map_or(0, |at| at + 1);
    let all = [FORMULAS, LATE, CIRCUITS].concat();
    let tiers = [
        tier("formula opening", FORMULAS, Repeat::Turns),
        tier("circuit opening", CIRCUITS, Repeat::Opening),
        tier("formula", &all, Repeat::Fixpoint),
    ];
    plan.tiers.splice(at..at, tiers);
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
        let all = [FORMULAS, LATE, CIRCUITS].concat();
        assert!(all.iter().all(|id| by_id(id).is_some()));
        let has = |text: &str| {
            let input = Input::single("x", text).unwrap();
            super::super::plan(&input)
                .passes()
                .any(|pass| all.contains(&pass.id()))
        };
        assert!(has("c x\np cnf 1 1\n1 0\n") && has("aag 0 0 0 1 0\n0\n"));
        assert!(has("; a\n1 sort bitvec 8\n2 input 1\n3 output 2\n") && !has("1 sort of thing\n"));
        assert!(!has("p cnt 1 1\n") && !has(""));
    }

    #[test]
    fn numbers_of_a_circuit_are_not_guessed_to_be_counts() {
        // The first number is one less than the number of lines after it.
        let text = "aag 4 2 0 1 2\n2\n4\n8\n6 4 2\n8 6 3\n";
        let input = Input::single("x", text).unwrap();
        let plan = super::super::plan(&input);
        let tier = |name: &str| plan.tiers.iter().position(|tier| tier.name == name);
        let counts = tier("counts").unwrap();
        assert!(tier("circuit opening").unwrap() < counts);
        let views = nubbin_engine::work::Views::default();
        let context = nubbin_engine::work::Context::of(&input, &views);
        let file = input.file(0).unwrap();
        let mut passes = plan.tiers[counts].passes.iter();
        assert!(passes.all(|pass| pass.open(&file, &context).is_none()));
    }
}
