//! The check that a run writes no file that it reads.

use crate::grammar::all_files;
use crate::output::Targets;
use crate::outputs;
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::settings::{ReduceSettings, TreeSettings};
use crate::state::StateFolder;
use crate::test::TestSetup;
use std::path::{Path, PathBuf};

/// Returns an error if an output is also an input or another output.
pub(super) fn keep_apart(
    args: &ReduceSettings,
    targets: &Targets,
    state: &StateFolder,
    beside: Option<&Path>,
) -> Result<(), Problem> {
    let grammars = grammar_files(&args.trees);
    let read: Vec<Use<'_>> = args
        .inputs
        .iter()
        .map(|path| Use {
            path,
            what: "the input",
        })
        .chain(args.choices.choices.iter().map(|path| Use {
            path,
            what: "the file with the choices",
        }))
        .chain(TestSetup::from(args).read())
        .chain(read_by_trees(&args.trees, &grammars))
        .collect();
    let others = args.output_flags.other_failures.as_deref();
    let written: Vec<Use<'_>> = targets
        .paths()
        .map(|path| Use {
            path,
            what: "the result",
        })
        .chain([Use {
            path: state.folder(),
            what: "the journal",
        }])
        .chain(beside.map(|path| Use {
            path,
            what: "what is kept next to the result",
        }))
        .chain(outputs::written(&args.output_flags))
        .chain(others.map(|path| Use {
            path,
            what: "the folder of other failures",
        }))
        .chain(args.report.as_deref().map(|path| Use {
            path,
            what: "the page",
        }))
        .collect();
    paths::keep_out(&args.inputs, targets.folders(), &written)?;
    paths::keep_apart(&read, &written)
}

/// Returns the files of the grammar that the trees are made with.
pub(super) fn grammar_files(trees: &TreeSettings) -> Vec<PathBuf> {
    match &trees.grammar[..] {
        [] => vec![],
        paths => all_files(paths, &trees.options),
    }
}

/// Returns the files that trees depend on, which must not be written to.
fn read_by_trees<'a>(
    trees: &'a TreeSettings,
    grammars: &'a [PathBuf],
) -> impl Iterator<Item = Use<'a>> {
    let each = |paths, what| {
        let paths: &[PathBuf] = paths;
        paths.iter().map(move |path| Use { path, what })
    };
    each(grammars, "the grammar")
        .chain(each(trees.loaded.parser.as_slice(), "the parser"))
        .chain(each(trees.loaded.grammar_json.as_slice(), "the grammar"))
        .chain(each(&trees.learn, "the example"))
}
