mod across_files;

use super::laws::Laws;
use super::*;

#[test]
fn the_tree_reducers_keep_the_laws() {
    let laws = Laws {
        catalogue: catalogue(),
        in_the_grammar: &[
            "subtrees",
            "perses",
            "grabr-generative",
            "same-kind",
            "identifiers",
            "coupled",
        ],
        one_tree_minimal: &["perses", "grabr-generative"],
        small_trees: &["subtrees"],
    };
    laws.hold();
}
