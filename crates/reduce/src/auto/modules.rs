use crate::pass::by_id;
use nubbin_edit::Input;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_modules::is_whole_binary;

/// The passes over modules of intermediate languages, those that save most in a test first.
const PASSES: &[&str] = &[
    "ir-headers",
    "ir-bodies",
    "ir-annotations",
    "ir-blocks",
    "ir-edges",
    "ir-joints",
    "ir-variables",
    "ir-instructions",
    "ir-kinds",
    "ir-operands",
    "ir-returns",
    "ir-selections",
    "ir-loops",
    "ir-parameters",
    "ir-items",
    "ir-words",
];

/// The passes over bytes that find nothing in a binary module: its instructions have a length each.
const OF_BYTES: &[&str] = &[
    "regions",
    "nested-regions",
    "trivial",
    "bytes",
    "ends",
    "checked-chunks",
    "length-fields",
    "short-cuts",
    "zero-fill",
    "lower-bytes",
];

/// Puts passes over modules before all other passes, if a file is a module. Candidates of passes
/// over text are rarely valid modules, so these passes run only on an input that is already small.
pub(super) fn begin_with_modules(plan: &mut Plan, input: &Input) {
    let mut modules = input
        .present()
        .filter_map(|file| is_whole_binary(file.text));
    let Some(is_whole) = modules.next() else {
        return;
    };
    if input.file_count() == 1 && is_whole {
        plan.without(OF_BYTES);
    }
    let tier = Tier {
        name: "module",
        passes: PASSES.iter().filter_map(|id| by_id(id)).collect(),
        repeat: Repeat::Fixpoint,
    };
    let probes = plan.tiers.iter().position(|tier| tier.name == "probes");
    plan.tiers.insert(probes.map_or(0, |at| at + 1), tier);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_of_a_module_exists() {
        assert!(PASSES.iter().all(|id| by_id(id).is_some()));
    }

    #[test]
    fn only_modules_have_passes_over_modules() {
        let has = |text: &str| {
            let input = Input::single("x.ll", text).unwrap();
            let plan = super::super::plan(&input);
            plan.passes().any(|pass| pass.id() == "ir-bodies")
        };
        assert!(has("define void @f() {\n  ret void\n}\n"));
        assert!(!has("define void @f() {\n"));
        assert!(!has("int f(void) { return 0; }\n"));
    }
}
