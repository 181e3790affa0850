//! What can be typed after `nubbin generate`.

use crate::args::LimitArgs;
use crate::choices::ExternalArgs;
use crate::grammar::GrammarArgs;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Kinds of generators.
#[derive(Debug, Subcommand)]
pub(crate) enum GenerateCommand {
    /// Texts of a grammar
    Grammar(Box<GenerateGrammarArgs>),
    /// Texts of a generator of yours, by choices that can be replayed and reduced
    Choices(Box<GenerateChoicesArgs>),
    /// Random characters
    Random(GenerateRandomArgs),
    /// Files of yours, changed at random
    Mutate(GenerateMutateArgs),
    /// Mutants that make a program do something new, each reduced before it is mutated further
    #[command(after_help = POPULATION_HELP)]
    Population(Box<GeneratePopulationArgs>),
}

/// How many texts, and where they go.
#[derive(Debug, ClapArgs)]
pub(crate) struct TextsArgs {
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,

    /// The folder they are written to, one file each [default: standard output, a line feed after
    /// each]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Ending of the files' names
    #[arg(long, value_name = "EXT", default_value = "txt")]
    pub(crate) extension: String,

    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateChoicesArgs {
    /// The generator: a command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    #[command(flatten)]
    pub(crate) texts: TextsArgs,

    #[command(flatten)]
    pub(crate) external: ExternalArgs,

    /// With `--protocol bytes`: how many bytes it gets
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) bytes: u32,

    /// Write the choices of each text to this file, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Make the texts of a recording once more
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "record"])]
    pub(crate) replay: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateRandomArgs {
    #[command(flatten)]
    pub(crate) texts: TextsArgs,

    /// Fewest characters
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) min_length: u32,

    /// Most characters
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_length: u32,

    /// Number of the first character there is: 32 is the blank
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub(crate) char_start: u32,

    /// How many characters there are from there on
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub(crate) char_range: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateMutateArgs {
    /// The files to change, or folders of them. They come first, each as it is
    #[arg(required = true, value_name = "SEED")]
    pub(crate) seeds: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) texts: TextsArgs,

    #[command(flatten)]
    pub(crate) mutation: MutationArgs,
}

/// How a text is changed.
#[derive(Debug, ClapArgs)]
pub(crate) struct MutationArgs {
    /// Fewest mutations of one text
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) min_mutations: u32,

    /// Most mutations of one text
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max_mutations: u32,

    /// Words to insert, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
}

const POPULATION_HELP: &str = "\
A text shows something new where the program ends as it never did before (another exit code,
signal, or message of failure), or reaches a part of itself that it never reached. For the latter it
has to say what it reaches: in the file whose path is in the environment variable NUBBIN_COVERAGE,
one part a line, in any words (`parser.c:120`). A program that writes no such file is fuzzed by how
it ends alone; then all seeds stay as they are.

It goes on until it is stopped (Ctrl-C), unless there is a limit. The folder that comes of one run
can be a seed of the next.";

#[derive(Debug, ClapArgs)]
pub(crate) struct GeneratePopulationArgs {
    /// The files to begin with, or folders of them
    #[arg(required = true, value_name = "SEED")]
    pub(crate) seeds: Vec<PathBuf>,

    /// The program: a command and its arguments, `{}` stands for the text's path
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// The folder for the texts, one file each as they are found; it must be empty or new
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// The name of each text for the program [default: the name of the first seed]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) mutation: MutationArgs,

    /// Runs that reduce one text, at most; with 0 texts are kept as they are found
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) reduction_tests: u64,

    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Stop after this many runs
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECS", value_parser = crate::args::seconds)]
    pub(crate) max_time: Option<Duration>,

    /// Write the final counts and the list of texts as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten, next_help_heading = "How the program is run")]
    pub(crate) target: TargetArgs,

    #[command(
        flatten,
        next_help_heading = "What a run may take; to run into a limit is a way to end"
    )]
    pub(crate) limits: LimitArgs,
}

/// How a program that is fuzzed is run.
#[derive(Debug, ClapArgs)]
pub(crate) struct TargetArgs {
    /// End a run after this many seconds
    #[arg(long, value_name = "SECS", value_parser = crate::args::seconds, default_value = "10")]
    pub(crate) timeout: Duration,

    /// Feed the text to the program's standard input
    #[arg(long)]
    pub(crate) stdin: bool,

    /// Put a copy of this file or folder beside the text
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

    /// Set a variable in the program's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateGrammarArgs {
    #[command(flatten)]
    pub(crate) grammar: GrammarArgs,

    #[command(flatten)]
    pub(crate) texts: TextsArgs,

    /// How to expand
    #[arg(
        long,
        value_enum,
        value_name = "ID",
        default_value = "grammar-fuzzer",
        conflicts_with = "size"
    )]
    pub(crate) algorithm: Fuzzer,

    /// grammar-fuzzer: first grow until this many symbols wait to be expanded
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) min_nonterminals: usize,

    /// grammar-fuzzer: close when this many symbols wait to be expanded
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max_nonterminals: usize,

    /// limit-fuzzer: expand freely down to this many levels of rules
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max_depth: u32,

    /// Make texts of about this many bytes, growing like grammar-fuzzer
    #[arg(long, value_name = "BYTES")]
    pub(crate) size: Option<u64>,

    /// Weights of alternatives, as JSON: `{"<rule>": [3, 1, 1]}`
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,

    /// Learn the weights from the files of this folder; all of them must fit the grammar
    #[arg(long, value_name = "DIR", conflicts_with = "weights")]
    pub(crate) learn: Option<PathBuf>,

    /// No text twice
    #[arg(long)]
    pub(crate) unique: bool,

    /// Write the choices of each text to this file, as lines of JSON
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,

    /// Make the texts of a recording once more; with the same grammar and options as then
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "unique"])]
    pub(crate) replay: Option<PathBuf>,
}

/// How a grammar is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fuzzer {
    /// Anywhere, in three phases by cost (The Fuzzing Book)
    GrammarFuzzer,
    /// From left to right, closing below a depth (R. Gopinath)
    LimitFuzzer,
}
