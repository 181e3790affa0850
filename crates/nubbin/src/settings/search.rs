//! The settings of a search.

use crate::flags::{
    Atom, FlakyMode, IsolateSearchFlags, NotationFlags, OrderBy, ProposerFlags, ReplacementFlags,
    SearchFlags, TargetSize,
};
use std::path::PathBuf;
use std::time::Duration;

/// The search of a reduction, and its limits.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct SearchSettings {
    pub(crate) algorithm: String,
    pub(crate) atom: Vec<Atom>,
    pub(crate) passes: Vec<String>,
    pub(crate) without: Vec<String>,
    pub(crate) fixed: Vec<String>,
    pub(crate) only: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) keep: Vec<String>,
    pub(crate) keep_names: bool,
    pub(crate) no_keep_marks: bool,
    pub(crate) order: Option<OrderBy>,
    pub(crate) flaky: FlakyMode,
    pub(crate) seed: u64,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) stop_at: Option<TargetSize>,
    pub(crate) quick: bool,
    pub(crate) slow: bool,
    pub(crate) stop_when_stalled: Option<u64>,
    pub(crate) resume: bool,
    pub(crate) fresh: bool,
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

/// The search of an isolation, and its limits.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct IsolateSearchSettings {
    pub(crate) atom: Vec<Atom>,
    pub(crate) algorithm: String,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
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

/// The replacements of parts of an input, and limits on the search.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct ReplacementSettings {
    pub(crate) grammar: Vec<PathBuf>,
    pub(crate) options: NotationFlags,
    pub(crate) language: Option<String>,
    pub(crate) from: Vec<PathBuf>,
    pub(crate) samples: u16,
    pub(crate) seed: u64,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
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

/// Programs that propose changes.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Clone, Debug)]
pub(crate) struct ProposerSettings {
    pub(crate) proposer: Vec<String>,
    pub(crate) proposer_timeout: Duration,
}

impl From<ProposerFlags> for ProposerSettings {
    fn from(flags: ProposerFlags) -> Self {
        ProposerSettings {
            proposer: flags.proposer,
            proposer_timeout: flags.proposer_timeout,
        }
    }
}
