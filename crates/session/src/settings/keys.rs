//! The keys of `nubbin.toml` and `campaign.toml`. A key has the name of a flag.

use super::command::{ExplainSettings, IsolateSettings, ReduceSettings};
use super::output::OutputSettings;
use super::remote::RemoteSettings;
use super::search::{ProposerSettings, SearchSettings};
use super::test::{FailureSettings, LimitSettings, RunSettings, SandboxSettings, TestSettings};
use super::trees::{ChoicesSettings, TreeSettings};
use super::value::variables;
use super::value::{Set, flag, listed, many, number, one, parsed, positive, some, text, word};
use crate::flags::{GeneratorFlags, NotationFlags, ParserFlags, TargetSize, duration, size};
use toml::Value;

/// Settings with keys.
pub trait Keys {
    /// Sets a key to a value.
    fn set(&mut self, key: &str, value: &Value) -> Set;
}

impl Keys for ReduceSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "allow-empty" => flag(&mut self.allow_empty, value),
            "ci" => some(&mut self.ci, value, duration::minutes),
            "copy" => flag(&mut self.copy, value),
            "format" => some(&mut self.format, value, text),
            "log-texts" => flag(&mut self.log_texts, value),
            "notify" => some(&mut self.notify, value, text),
            "reduce-args" => flag(&mut self.reduce_args, value),
            "reduce-env" => flag(&mut self.reduce_env, value),
            "report" => some(&mut self.report, value, text),
            _ => (self.test.set(key, value))
                .or_else(|| self.search.set(key, value))
                .or_else(|| self.trees.set(key, value))
                .or_else(|| self.proposers.set(key, value))
                .or_else(|| self.choices.set(key, value))
                .or_else(|| self.output_flags.set(key, value)),
        }
    }
}

impl Keys for IsolateSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "algorithm" => one(&mut self.search.algorithm, value, text),
            "atom" => listed(&mut self.search.atom, value, word),
            "context" => one(&mut self.context, value, number),
            "max-tests" => some(&mut self.search.max_tests, value, number),
            "max-time" => some(&mut self.search.max_time, value, duration::duration),
            _ => (self.test.set(key, value)).or_else(|| self.output_flags.set(key, value)),
        }
    }
}

impl Keys for ExplainSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "from" => many(&mut self.search.from, value, text),
            "grammar" => many(&mut self.search.grammar, value, text),
            "json" => flag(&mut self.json, value),
            "language" => some(&mut self.search.language, value, text),
            "max-tests" => some(&mut self.search.max_tests, value, number),
            "max-time" => some(&mut self.search.max_time, value, duration::duration),
            "quiet" => flag(&mut self.quiet, value),
            "report" => some(&mut self.report, value, text),
            "samples" => one(&mut self.search.samples, value, positive),
            "seed" => one(&mut self.search.seed, value, number),
            _ => (self.test.set(key, value))
                .or_else(|| self.search.options.set(key, value))
                .or_else(|| self.choices.set(key, value)),
        }
    }
}

impl Keys for TestSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "jobs" => some(&mut self.jobs, value, parsed),
            _ => (self.failure.set(key, value))
                .or_else(|| self.run.set(key, value))
                .or_else(|| self.sandbox.set(key, value))
                .or_else(|| self.remote.set(key, value))
                .or_else(|| self.limits.set(key, value)),
        }
    }
}

impl Keys for FailureSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "differs-from" => some(&mut self.differs_from, value, text),
            "exit" => many(&mut self.exit, value, text),
            "not-stderr" => many(&mut self.not_stderr, value, text),
            "not-stdout" => many(&mut self.not_stdout, value, text),
            "same-coverage" => some(&mut self.same_coverage, value, word),
            "same-failure" => flag(&mut self.same_failure, value),
            "same-stack" => flag(&mut self.same_stack, value),
            "signal" => many(&mut self.signal, value, text),
            "stderr" => many(&mut self.stderr, value, text),
            "stdout" => many(&mut self.stdout, value, text),
            "timeout-fails" => flag(&mut self.timeout_fails, value),
            "ub-free" => some(&mut self.ub_free, value, text),
            "valid-for" => many(&mut self.valid_for, value, text),
            _ => None,
        }
    }
}

impl Keys for RunSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "build" => some(&mut self.build, value, text),
            "clean-env" => flag(&mut self.clean_env, value),
            "env" => variables(&mut self.env, value, text),
            "keep-temp" => flag(&mut self.keep_temp, value),
            "persistent" => some(&mut self.persistent, value, word),
            "private-failure" => flag(&mut self.private_failure, value),
            "stdin" => flag(&mut self.stdin, value),
            "timeout" => some(&mut self.timeout, value, duration::duration),
            "unset-env" => many(&mut self.unset_env, value, text),
            "with" => many(&mut self.with, value, text),
            "with-siblings" => flag(&mut self.with_siblings, value),
            _ => None,
        }
    }
}

impl Keys for SandboxSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "network" => flag(&mut self.network, value),
            "sandbox" => one(&mut self.sandbox, value, word),
            "writable" => many(&mut self.writable, value, text),
            _ => None,
        }
    }
}

impl Keys for LimitSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "cpu" => some(&mut self.cpu, value, duration::duration),
            "disk" => some(&mut self.disk, value, size::parse),
            "file-size" => some(&mut self.file_size, value, size::parse),
            "memory" => some(&mut self.memory, value, size::parse),
            "output-limit" => one(&mut self.output_limit, value, size::parse),
            "processes" => one(&mut self.processes, value, positive),
            _ => None,
        }
    }
}

impl Keys for RemoteSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "remote" => some(&mut self.remote, value, text),
            "remote-ca" => some(&mut self.remote_ca, value, text),
            "remote-cert" => some(&mut self.remote_cert, value, text),
            "remote-input" => many(&mut self.remote_input, value, text),
            "remote-instance" => some(&mut self.remote_instance, value, text),
            "remote-key" => some(&mut self.remote_key, value, text),
            "remote-platform" => many(&mut self.remote_platform, value, text),
            "remote-token-command" => some(&mut self.remote_token_command, value, text),
            "remote-token-file" => some(&mut self.remote_token_file, value, text),
            _ => None,
        }
    }
}

impl Keys for SearchSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "algorithm" => one(&mut self.algorithm, value, text),
            "atom" => listed(&mut self.atom, value, word),
            "exclude" => many(&mut self.exclude, value, text),
            "fixed" => many(&mut self.fixed, value, text),
            "flaky" => one(&mut self.flaky, value, word),
            "keep" => many(&mut self.keep, value, text),
            "keep-names" => flag(&mut self.keep_names, value),
            "max-tests" => some(&mut self.max_tests, value, number),
            "max-time" => some(&mut self.max_time, value, duration::duration),
            "no-keep-marks" => flag(&mut self.no_keep_marks, value),
            "only" => many(&mut self.only, value, text),
            "order" => some(&mut self.order, value, word),
            "passes" => listed(&mut self.passes, value, text),
            "quick" => flag(&mut self.quick, value),
            "seed" => one(&mut self.seed, value, number),
            "slow" => flag(&mut self.slow, value),
            "stop-at" => some(&mut self.stop_at, value, TargetSize::parse),
            "stop-when-stalled" => some(&mut self.stop_when_stalled, value, positive),
            "without" => listed(&mut self.without, value, text),
            _ => None,
        }
    }
}

impl Keys for TreeSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "grammar" => many(&mut self.grammar, value, text),
            "island" => flag(&mut self.island, value),
            "language" => some(&mut self.language, value, text),
            "learn" => many(&mut self.learn, value, text),
            "list-algorithm" => some(&mut self.list_algorithm, value, text),
            "must-parse" => flag(&mut self.must_parse, value),
            "prepare" => some(&mut self.prepare, value, parsed),
            _ => (self.options.set(key, value)).or_else(|| self.loaded.set(key, value)),
        }
    }
}

impl Keys for NotationFlags {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "grammar-format" => some(&mut self.grammar_format, value, parsed),
            "predicate" => many(&mut self.predicate, value, parsed),
            "start" => some(&mut self.start, value, text),
            _ => None,
        }
    }
}

impl Keys for ParserFlags {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "grammar-json" => some(&mut self.grammar_json, value, text),
            "parser" => some(&mut self.parser, value, text),
            _ => None,
        }
    }
}

impl Keys for ProposerSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "proposer" => many(&mut self.proposer, value, text),
            "proposer-early" => many(&mut self.proposer_early, value, text),
            "proposer-timeout" => one(&mut self.proposer_timeout, value, duration::duration),
            _ => None,
        }
    }
}

impl Keys for ChoicesSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "generator" => some(&mut self.generator, value, text),
            "graph" => some(&mut self.graph, value, text),
            "name" => some(&mut self.name, value, text),
            _ => self.external.set(key, value),
        }
    }
}

impl Keys for GeneratorFlags {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "generator-timeout" => one(&mut self.generator_timeout, value, duration::duration),
            "max-choices" => one(&mut self.max_choices, value, number),
            "protocol" => one(&mut self.protocol, value, word),
            _ => None,
        }
    }
}

impl Keys for OutputSettings {
    fn set(&mut self, key: &str, value: &Value) -> Set {
        match key {
            "json" => flag(&mut self.json, value),
            "json-events" => some(&mut self.json_events, value, text),
            "other-failures" => some(&mut self.other_failures, value, text),
            "plain" => flag(&mut self.plain, value),
            "progress" => one(&mut self.progress, value, word),
            "quiet" => flag(&mut self.quiet, value),
            "stats" => some(&mut self.stats, value, text),
            "verbose" => flag(&mut self.verbose, value),
            _ => None,
        }
    }
}
