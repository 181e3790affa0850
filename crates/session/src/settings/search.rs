//! The settings of a search.

use crate::flags::{
    Atom, FlakyMode, IsolateSearchFlags, NotationFlags, OrderBy, ProposerFlags, ReplacementFlags,
    SearchFlags, TargetSize,
};
use std::path::PathBuf;
use std::time::Duration;

/// The settings of the search of a reduction, and its limits.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct SearchSettings {
    pub algorithm: String,
    pub atom: Vec<Atom>,
    pub passes: Vec<String>,
    pub without: Vec<String>,
    pub fixed: Vec<String>,
    pub only: Vec<String>,
    pub exclude: Vec<String>,
    pub keep: Vec<String>,
    pub keep_names: bool,
    pub no_keep_marks: bool,
    pub order: Option<OrderBy>,
    pub flaky: FlakyMode,
    pub seed: u64,
    pub max_tests: Option<u64>,
    pub max_time: Option<Duration>,
    pub stop_at: Option<TargetSize>,
    pub quick: bool,
    pub slow: bool,
    pub stop_when_stalled: Option<u64>,
    pub resume: bool,
    pub fresh: bool,
}

impl From<SearchFlags> for SearchSettings {
    fn from(flags: SearchFlags) -> Self {
        SearchSettings {
            algorithm: flags.algorithm,
            atom: flags.atom,
            passes: flags.passes,
            without: flags.without,
            fixed: flags.fixed,
            only: flags.only,
            exclude: flags.exclude,
            keep: flags.keep,
            keep_names: flags.keep_names,
            no_keep_marks: flags.no_keep_marks,
            order: flags.order,
            flaky: flags.flaky,
            seed: flags.seed,
            max_tests: flags.max_tests,
            max_time: flags.max_time,
            stop_at: flags.stop_at,
            quick: flags.quick,
            slow: flags.slow,
            stop_when_stalled: flags.stop_when_stalled,
            resume: flags.resume,
            fresh: flags.fresh,
        }
    }
}

/// The settings of the search of an isolation, and its limits.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct IsolateSearchSettings {
    pub atom: Vec<Atom>,
    pub algorithm: String,
    pub max_tests: Option<u64>,
    pub max_time: Option<Duration>,
}

impl From<IsolateSearchFlags> for IsolateSearchSettings {
    fn from(flags: IsolateSearchFlags) -> Self {
        IsolateSearchSettings {
            atom: flags.atom,
            algorithm: flags.algorithm,
            max_tests: flags.max_tests,
            max_time: flags.max_time,
        }
    }
}

/// The settings of the replacements of parts of an input, and limits on the search.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct ReplacementSettings {
    pub grammar: Vec<PathBuf>,
    pub options: NotationFlags,
    pub language: Option<String>,
    pub from: Vec<PathBuf>,
    pub samples: u16,
    pub seed: u64,
    pub max_tests: Option<u64>,
    pub max_time: Option<Duration>,
}

impl From<ReplacementFlags> for ReplacementSettings {
    fn from(flags: ReplacementFlags) -> Self {
        ReplacementSettings {
            grammar: flags.grammar,
            options: flags.options,
            language: flags.language,
            from: flags.from,
            samples: flags.samples,
            seed: flags.seed,
            max_tests: flags.max_tests,
            max_time: flags.max_time,
        }
    }
}

/// The settings of programs that propose edits.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug)]
pub struct ProposerSettings {
    pub proposer: Vec<String>,
    pub proposer_early: Vec<String>,
    pub proposer_timeout: Duration,
}

impl From<ProposerFlags> for ProposerSettings {
    fn from(flags: ProposerFlags) -> Self {
        ProposerSettings {
            proposer: flags.proposer,
            proposer_early: flags.proposer_early,
            proposer_timeout: flags.proposer_timeout,
        }
    }
}
