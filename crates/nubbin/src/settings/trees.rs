//! The settings of the input: its trees, or the choices of its generator.

use crate::flags::{ChoicesFlags, GeneratorFlags, NotationFlags, ParserFlags, TreeFlags};
use nubbin_reduce::tree::Preparation;
use std::path::PathBuf;

/// The syntax trees of an input.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct TreeSettings {
    pub(crate) grammar: Vec<PathBuf>,
    pub(crate) options: NotationFlags,
    pub(crate) island: bool,
    pub(crate) language: Option<String>,
    pub(crate) must_parse: bool,
    pub(crate) loaded: ParserFlags,
    pub(crate) learn: Vec<PathBuf>,
    pub(crate) list_algorithm: Option<String>,
    pub(crate) prepare: Option<Preparation>,
}

impl From<TreeFlags> for TreeSettings {
    fn from(flags: TreeFlags) -> Self {
        TreeSettings {
            grammar: flags.grammar,
            options: flags.options,
            island: flags.island,
            language: flags.language,
            must_parse: flags.must_parse,
            loaded: flags.loaded,
            learn: flags.learn,
            list_algorithm: flags.list_algorithm,
            prepare: flags.prepare,
        }
    }
}

/// The choices of a generator, in the place of an input.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct ChoicesSettings {
    pub(crate) choices: Option<PathBuf>,
    pub(crate) generator: Option<String>,
    pub(crate) graph: Option<PathBuf>,
    pub(crate) external: GeneratorFlags,
    pub(crate) name: Option<PathBuf>,
}

impl From<ChoicesFlags> for ChoicesSettings {
    fn from(flags: ChoicesFlags) -> Self {
        ChoicesSettings {
            choices: flags.choices,
            generator: flags.generator,
            graph: flags.graph,
            external: flags.external,
            name: flags.name,
        }
    }
}
