//! Flags of `nubbin generate`.

use super::duration::duration;
use super::{
    Atom, GeneratorFlags, GrammarFlags, LimitFlags, NotationFlags, SandboxFlags, WalkFlags,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use nubbin_generate::Creator;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Kinds of generators.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Generate inputs from a grammar
    Grammar(Box<GenerateGrammarFlags>),
    /// Generate expressions from the prototype graph of an engine
    Graph(Box<GenerateGraphFlags>),
    /// Generate inputs with your own generator, and record its choices
    Choices(Box<GenerateChoicesFlags>),
    /// Generate inputs of random characters
    Random(GenerateRandomFlags),
    /// Mutate your own files randomly
    Mutate(GenerateMutateFlags),
    /// Fuzz a program by mutation, and keep reduced inputs that show new behavior
    #[command(after_help = POPULATION_HELP)]
    Population(Box<GeneratePopulationFlags>),
}

/// The arguments of `nubbin generate` in a file: a generator and its flags.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
pub struct GenerateLine {
    #[command(subcommand)]
    pub generator: GenerateCommand,
}

/// The arguments of `nubbin generate mutate` in a file: seeds and flags.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
pub struct MutateLine {
    #[command(flatten)]
    pub flags: GenerateMutateFlags,
}

/// Flags for the number of inputs, their folder, and their seed.
#[derive(Debug, Args)]
pub struct TextsFlags {
    /// Generate this many inputs; `inf` generates inputs until the run is stopped
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "1", value_parser = count)]
    pub count: u64,

    /// Write each input to a file in this folder [default: standard output, with a line feed after
    /// each input]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Set the extension of the file names
    #[arg(long, value_name = "EXT", default_value = "txt")]
    pub extension: String,

    /// Set the seed of all random decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// The number of inputs that means no limit.
pub const ENDLESS: u64 = u64::MAX;

pub(super) fn count(text: &str) -> Result<u64, String> {
    match text {
        "inf" => Ok(ENDLESS),
        text => text
            .parse()
            .map_err(|_| "expected a number, or `inf`".to_owned()),
    }
}

#[derive(Debug, Args)]
pub struct GenerateChoicesFlags {
    /// The generator: a command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    #[command(flatten)]
    pub texts: TextsFlags,

    #[command(flatten)]
    pub external: GeneratorFlags,

    #[command(flatten)]
    pub sandbox: SandboxFlags,

    /// Give the generator this many bytes, with `--protocol bytes`
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub bytes: u32,

    /// Write the choices of each input to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Generate the inputs of this recording again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "record"])]
    pub replay: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct GenerateRandomFlags {
    #[command(flatten)]
    pub texts: TextsFlags,

    /// Set the minimum number of characters
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub min_length: u32,

    /// Set the maximum number of characters
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub max_length: u32,

    /// Set the code of the first character; 32 is the space
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub char_start: u32,

    /// Use this many characters, starting with `--char-start`
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub char_range: u32,
}

#[derive(Debug, Args)]
pub struct GenerateMutateFlags {
    /// The files to mutate, or folders of files; the first inputs are the unchanged files
    #[arg(required = true, value_name = "SEED")]
    pub seeds: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsFlags,

    #[command(flatten)]
    pub mutation: MutationFlags,
}

/// Flags for the mutation of an input.
#[derive(Debug, Args)]
pub struct MutationFlags {
    /// Set the minimum number of mutations of one input
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        conflicts_with = "grammar"
    )]
    pub min_mutations: u32,

    /// Set the maximum number of mutations of one input
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        conflicts_with = "grammar"
    )]
    pub max_mutations: u32,

    /// Insert words from this file, which has one word per line
    #[arg(long, value_name = "FILE", conflicts_with = "grammar")]
    pub dictionary: Option<PathBuf>,

    /// Mutate syntax trees of this grammar instead of bytes, so that mutants fit the grammar: BNF,
    /// EBNF (ISO or W3C), JSON as in the Fuzzing Book, or ANTLR 4; give the flag once for each file
    #[arg(short, long, value_name = "GRAMMAR")]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub notation: NotationFlags,

    /// Use only these mutations: generate, regenerate-rule, delete-quantified,
    /// replicate-quantified, shuffle-quantifieds, hoist-rule, swap-local-nodes, insert-local-node,
    /// replace-node, insert-quantified, unrestricted-delete, unrestricted-hoist-rule [default: all
    /// except the last two, whose mutants may not fit the grammar]
    #[arg(long, value_name = "ID", value_delimiter = ',', requires = "grammar")]
    pub creator: Vec<Creator>,

    /// Expand rules in new parts of mutants down to this depth
    #[arg(long, value_name = "N", default_value_t = 5, requires = "grammar")]
    pub max_depth: u32,
}

const POPULATION_HELP: &str = "\
An input shows new behavior if the program ends in a new way (another exit code, signal, or failure
message), or if it reaches new code. To report the code that it reaches, the program writes
to the file that the environment variable NUBBIN_COVERAGE names: one line with any text for each
part of the code (`parser.c:120`). For a program that writes no such file, only the way it ends
counts, and nubbin does not reduce the seeds.

The run continues until it is stopped (Ctrl-C), unless there is a limit. The folder of one run can
be a seed of the next.";

#[derive(Debug, Args)]
pub struct GeneratePopulationFlags {
    /// The files to begin with, or folders of files
    #[arg(required = true, value_name = "SEED")]
    pub seeds: Vec<PathBuf>,

    /// The program: a command and its arguments; `{}` stands for the path of the input
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Write each input to a file in this folder when it is found; the folder must be empty or new
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Set the file name of each input for the program [default: the name of the first seed]
    #[arg(long, value_name = "NAME")]
    pub name: Option<PathBuf>,

    #[command(flatten)]
    pub mutation: MutationFlags,

    /// Limit the number of runs that reduce one input; 0 disables the reduction
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub reduction_tests: u64,

    /// Reduce inputs with this list minimizer, for example `ddmin` [default: the plan `auto`]
    #[arg(long, value_name = "ID")]
    pub reduction_algorithm: Option<String>,

    /// Set the units that `--reduction-algorithm` removes
    #[arg(
        long,
        value_enum,
        value_name = "ATOM",
        default_value = "char",
        requires = "reduction_algorithm"
    )]
    pub reduction_atom: Atom,

    /// Set the seed of all random decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Stop after this many runs
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Stop after this time (`90` seconds, or `15m`)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,

    /// Write the statistics and the list of inputs as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    /// Print the statistics, or the error, as JSON, and no messages
    ///
    /// Equivalent to `--stats - --quiet`.
    #[arg(long, conflicts_with = "stats")]
    pub json: bool,

    /// Replace a file given by `--stats` that nubbin did not write, or that was changed since
    #[arg(long)]
    pub force: bool,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten, next_help_heading = "Program environment")]
    pub target: TargetFlags,

    #[command(flatten, next_help_heading = "Sandbox")]
    pub sandbox: SandboxFlags,

    #[command(
        flatten,
        next_help_heading = "Limits of a run (a run that hits one ends in its own way)"
    )]
    pub limits: LimitFlags,
}

/// Flags for a program that is fuzzed.
#[derive(Debug, Args)]
pub struct TargetFlags {
    /// Stop a run after this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub timeout: Duration,

    /// Feed the input to the program's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Put a copy of this file or folder next to the input
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Set a variable in the program's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct GenerateGrammarFlags {
    #[command(flatten)]
    pub grammar: GrammarFlags,

    #[command(flatten)]
    pub texts: TextsFlags,

    /// Set the order in which the grammar is expanded
    #[arg(
        long,
        value_enum,
        value_name = "ID",
        default_value = "grammar-fuzzer",
        conflicts_with = "size"
    )]
    pub algorithm: Expansion,

    /// Grow the input until this many symbols are unexpanded (grammar-fuzzer)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_nonterminals: usize,

    /// Close the input when this many symbols are unexpanded (grammar-fuzzer)
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_nonterminals: usize,

    /// Expand rules freely up to this depth; the start symbol has depth 0 (limit-fuzzer)
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_depth: u32,

    /// Close the input once it has this many tokens, or terminals without lexer rules
    /// (limit-fuzzer)
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,

    /// Generate inputs of about this many bytes, in the order of grammar-fuzzer
    #[arg(long, value_name = "BYTES")]
    pub size: Option<u64>,

    /// Read the weights of alternatives from this file, as JSON: `{"<rule>": [3, 1, 1]}`
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Learn the weights of alternatives, and with lexer rules also words such as names and values,
    /// from the files in this folder; files that do not fit the grammar are left out
    #[arg(long, value_name = "DIR", conflicts_with = "weights")]
    pub learn: Option<PathBuf>,

    /// Generate no input twice
    #[arg(long)]
    pub unique: bool,

    /// Write the choices of each input to this file, as JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub record: Option<PathBuf>,

    /// Generate the inputs of this recording again; needs the same grammar and options
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "unique"])]
    pub replay: Option<PathBuf>,
}

/// The order in which a grammar is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Expansion {
    /// Expand any symbol, in three phases by cost (The Fuzzing Book)
    GrammarFuzzer,
    /// Expand from left to right, and close below a depth (R. Gopinath)
    LimitFuzzer,
}

#[derive(Debug, Args)]
pub struct GenerateGraphFlags {
    /// Use this prototype graph, created by `nubbin graph explore` or `nubbin graph learn`
    #[arg(short, long, value_name = "GRAPH")]
    pub graph: PathBuf,

    #[command(flatten)]
    pub texts: TextsFlags,

    #[command(flatten)]
    pub walk: WalkFlags,

    /// Generate scripts of this many expressions, each in a `try` statement
    #[arg(long, value_name = "N", conflicts_with_all = ["record", "replay"], value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: Option<u32>,

    /// Write the choices of each expression to this file, as JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub record: Option<PathBuf>,

    /// Generate the expressions of this recording again, with its walks; needs the same graph
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed"])]
    pub replay: Option<PathBuf>,
}
