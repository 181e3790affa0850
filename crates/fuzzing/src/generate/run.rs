//! Runs `nubbin generate` with each kind of generator.

use super::{classical, external, grammar, graph, population, trees};
use crate::exit::Exit;
use crate::flags::GenerateCommand;
use crate::problem::Problem;

pub fn run(command: GenerateCommand) -> Result<Exit, Problem> {
    match command {
        GenerateCommand::Grammar(options) => grammar::run(&options),
        GenerateCommand::Graph(options) => graph::run(&options),
        GenerateCommand::Choices(options) => external::run(&options),
        GenerateCommand::Random(options) => classical::random(&options),
        GenerateCommand::Mutate(options) if options.mutation.grammar.is_empty() => {
            classical::mutate(&options)
        }
        GenerateCommand::Mutate(options) => trees::mutate(&options),
        GenerateCommand::Population(options) => population::run(&options),
    }
}
