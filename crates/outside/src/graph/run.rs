//! Runs each command of `nubbin graph`.

use super::{check, explore, learn, merge, show};
use crate::exit::Exit;
use crate::flags::GraphCommand;
use crate::problem::Problem;

pub fn run(command: GraphCommand) -> Result<Exit, Problem> {
    match command {
        GraphCommand::Explore(options) => explore::run(&options),
        GraphCommand::Learn(options) => learn::run(&options),
        GraphCommand::Merge(options) => merge::run(&options),
        GraphCommand::Show(options) => show::run(&options),
        GraphCommand::Check(options) => check::run(&options),
    }
}
