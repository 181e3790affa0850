//! Runs `nubbin generate` with each kind of generator.

use super::{classical, external, grammar, population};
use crate::exit::Exit;
use crate::flags::GenerateCommand;
use crate::problem::Problem;

pub(crate) fn run(command: GenerateCommand) -> Result<Exit, Problem> {
    match command {
        GenerateCommand::Grammar(options) => grammar::run(&options),
        GenerateCommand::Choices(options) => external::run(&options),
        GenerateCommand::Random(options) => classical::random(&options),
        GenerateCommand::Mutate(options) => classical::mutate(&options),
        GenerateCommand::Population(options) => population::run(&options),
    }
}
