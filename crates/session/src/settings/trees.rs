//! The settings of the input: its trees, or the choices of its generator.

use crate::flags::{ChoicesFlags, GeneratorFlags, NotationFlags, ParserFlags, TreeFlags};
use nubbin_reduce::tree::Preparation;
use std::path::PathBuf;

/// The settings of the syntax trees of an input.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct TreeSettings {
    pub grammar: Vec<PathBuf>,
    pub options: NotationFlags,
    pub island: bool,
    pub language: Option<String>,
    pub must_parse: bool,
    pub loaded: ParserFlags,
    pub learn: Vec<PathBuf>,
    pub list_algorithm: Option<String>,
    pub prepare: Option<Preparation>,
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

/// The settings of the choices of a generator, which replace an input.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct ChoicesSettings {
    pub choices: Option<PathBuf>,
    pub generator: Option<String>,
    pub graph: Option<PathBuf>,
    pub external: GeneratorFlags,
    pub name: Option<PathBuf>,
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
